//! `host.local_files.ticket`: tickets as files `issues/{bugs,features,epics}/ID.md`.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::super::issue_file::IssueFile;
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, data};
use crate::place;

/// The kinds of tickets and their folders, in the order of a search.
const KINDS: [(&str, &str); 3] = [("bug", "bugs"), ("feature", "features"), ("epic", "epics")];

/// A ticket and where it was found.
struct Ticket {
    id: String,
    kind: &'static str,
    path: PathBuf,
    file: IssueFile,
}

/// Answers a call.
pub(in super::super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let op = args.operation()?;
    let root = root(call, &args);
    match op {
        "search" => search(&root, &args.named("ticket.search")),
        "list_mine" => list_mine(&root, &args.named("ticket.list_mine")),
        "get" => get(&root, &args.named("ticket.get")),
        "comment" => comment(call, &root, &args.named("ticket.comment")),
        "transition" => transition(&root, &args.named("ticket.transition")),
        "assign" => assign(&root, &args.named("ticket.assign"), true),
        "unassign" => assign(&root, &args.named("ticket.assign"), false),
        other => args.unknown_operation(other),
    }
}

fn root(call: &Call<'_>, args: &Arguments<'_>) -> PathBuf {
    let named = call.context.environment.telling("KITSOKI_TICKETS_ROOT").map(str::trim);
    call.context.path(args.telling("root").or(named).unwrap_or("."))
}

fn search(root: &Path, args: &Arguments<'_>) -> Answer {
    let query = args.text("query").to_lowercase();
    let limit = args
        .integer("limit")
        .and_then(|n| usize::try_from(n).ok())
        .filter(|n| *n > 0);
    list(root, args, limit, |ticket| {
        let text = format!("{} {}", ticket.title(), ticket.file.body);
        text.to_lowercase().contains(&query)
    })
}

fn list_mine(root: &Path, args: &Arguments<'_>) -> Answer {
    let filter = args.text("filter").to_lowercase();
    list(root, args, None, |ticket| {
        ticket.file.front_text("assignee").to_lowercase().contains(&filter)
    })
}

/// The tickets that fit, the urgent ones first; those of one urgency by id, downwards: ids begin with dates.
fn list(root: &Path, args: &Arguments<'_>, limit: Option<usize>, fits: impl Fn(&Ticket) -> bool) -> Answer {
    let mut tickets = Vec::new();
    let mut unreadable = Vec::new();
    for (kind, name) in KINDS {
        let folder = root.join("issues").join(name);
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            Err(e) => return Err(args.outside(format!("{}: {}", folder.display(), place::words(&e)))),
        };
        let mut names: Vec<String> = entries
            .filter_map(Result::ok)
            .filter(|e| !e.file_type().is_ok_and(|t| t.is_dir()))
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .filter(|n| n.to_lowercase().ends_with(".md") && !n.eq_ignore_ascii_case("README.md"))
            .collect();
        names.sort();
        for name in names {
            let path = folder.join(&name);
            let id = name.strip_suffix(".md").unwrap_or(&name).to_owned();
            match IssueFile::read(&path) {
                Ok(file) => tickets.push(Ticket { id, kind, path, file }),
                // The others stay usable, and nobody takes a broken ticket for none.
                Err(e) => unreadable.push(format!("{}: {e}", path.display())),
            }
        }
    }
    tickets.sort_by(|a, b| a.urgency().cmp(&b.urgency()).then_with(|| b.id.cmp(&a.id)));
    let rows: Vec<Json> = tickets
        .iter()
        .filter(|t| fits(t))
        .take(limit.unwrap_or(usize::MAX))
        .map(|t| Json::Object(t.summary()))
        .collect();
    let unreadable = if unreadable.is_empty() {
        Json::Null
    } else {
        json!(unreadable)
    };
    Ok(data(json!({"tickets": rows, "provider_errors": unreadable})))
}

fn get(root: &Path, args: &Arguments<'_>) -> Answer {
    args.required("id")?;
    let ticket = find(root, args, args.raw("id"))?;
    let mut out = ticket.summary();
    let comments = ticket.file.comments.iter().enumerate().map(|(i, c)| {
        json!({
            "id": format!("{}#{}", ticket.id, i + 1),
            "author": c.author,
            "body": c.body,
            "created_at": crate::time::in_utc(&c.time),
        })
    });
    out.insert("comments".to_owned(), comments.collect());
    out.insert("body".to_owned(), Json::String(ticket.file.body));
    Ok(out)
}

fn comment(call: &Call<'_>, root: &Path, args: &Arguments<'_>) -> Answer {
    args.required("body")?;
    let thread = args.raw("thread");
    let mut ticket = if thread.ends_with(".md") || thread.starts_with('/') {
        let path = call.context.path(thread);
        if Path::new(thread).is_relative() && !place::stays_below(&call.context.current, &path) {
            return Err(args.wrong(format!("thread {} escapes its folder", crate::plain::quoted(thread))));
        }
        if !call.context.may_comment(&path, "") {
            let shown = crate::plain::quoted(thread);
            return Err(args.wrong(format!(
                "thread {shown} is no markdown file and escapes the session's folders"
            )));
        }
        if !path.exists() {
            return Err(args.outside(format!("{thread} not found")));
        }
        let file = IssueFile::read(&path).map_err(|e| args.outside(e))?;
        let id = place::base(thread).trim_end_matches(".md").to_owned();
        Ticket {
            id,
            kind: "bug",
            path,
            file,
        }
    } else if args.telling("id").is_some() {
        find(root, args, args.raw("id"))?
    } else {
        return Err(args.wrong("id or thread is required"));
    };
    let author = match args.raw("author") {
        "" => "kitsoki",
        author => author,
    };
    ticket.file.comment(call.context.clock.now(), author, args.raw("body"));
    ticket.write(args)?;
    let id = format!("{}#{}", ticket.id, ticket.file.comments.len());
    Ok(data(json!({"ok": true, "comment_id": id})))
}

fn transition(root: &Path, args: &Arguments<'_>) -> Answer {
    args.required("id")?;
    args.required("to")?;
    let mut ticket = find(root, args, args.raw("id"))?;
    ticket.file.front.insert("status".to_owned(), json!(args.raw("to")));
    ticket.write(args)?;
    Ok(data(json!({"ok": true})))
}

fn assign(root: &Path, args: &Arguments<'_>, someone: bool) -> Answer {
    args.required("id")?;
    let assignee = if someone {
        args.required("assignee")?
    } else {
        args.text("assignee")
    };
    if assignee.to_lowercase().starts_with("agent:") {
        return Err(args.wrong("an agent exists only while a session runs, so no ticket can be assigned to it"));
    }
    let mut ticket = find(root, args, args.text("id"))?;
    if someone {
        ticket.file.front.insert("assignee".to_owned(), json!(assignee));
    } else {
        ticket.file.front.remove("assignee");
    }
    ticket.write(args)?;
    let assignee = if someone { assignee } else { "" };
    Ok(data(json!({"ok": true, "assignee": assignee})))
}

/// The ticket of an id.
fn find(root: &Path, args: &Arguments<'_>, id: &str) -> Result<Ticket, Box<Failure>> {
    let missing = || args.outside(format!("{id} not found"));
    // An id is one name: with a separator it would name any file.
    if id.contains(['/', '\\', '\0']) {
        return Err(missing());
    }
    for (kind, folder) in KINDS {
        let path = root.join("issues").join(folder).join(format!("{id}.md"));
        if path.exists() {
            let file = IssueFile::read(&path).map_err(|e| args.outside(e))?;
            return Ok(Ticket {
                id: id.to_owned(),
                kind,
                path,
                file,
            });
        }
    }
    Err(missing())
}

impl Ticket {
    fn title(&self) -> &str {
        match self.file.front_text("title") {
            "" => {
                let heading = self.file.body.lines().find_map(|l| l.trim().strip_prefix("# "));
                heading.map_or(&self.id, str::trim)
            }
            title => title,
        }
    }

    fn urgency(&self) -> usize {
        let severity = self.file.front_text("severity").trim().to_uppercase();
        ["P0", "P1", "P2", "P3"]
            .iter()
            .position(|s| *s == severity)
            .unwrap_or(4)
    }

    fn summary(&self) -> Data {
        let path = self.path.to_string_lossy();
        let front = |key| self.file.front_text(key);
        let or = |text: &str, other: &str| {
            if text.trim().is_empty() {
                other.to_owned()
            } else {
                text.to_owned()
            }
        };
        data(json!({
            "id": self.id,
            "title": self.title(),
            "status": or(front("status").trim(), "open"),
            "severity": front("severity"),
            "assignee": front("assignee"),
            "url": or(front("url"), &path),
            "repro_command": front("repro_command"),
            "type": self.kind,
            "source": "local",
            "source_id": "local",
            "source_label": "Local",
            "source_kind": "local",
            "source_mode": "local",
            "source_repo": "",
            "ticket_repo": "",
            "ref": format!("local:{}", self.id),
            "path": path,
        }))
    }

    fn write(&self, args: &Arguments<'_>) -> Result<(), Box<Failure>> {
        self.file
            .write(&self.path)
            .map_err(|e| args.outside(format!("write: {e}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    fn ask(folder: &Path, with: Json) -> Answer {
        let context = Context::bare(folder, Environment::empty());
        crate::builtins().invoke("host.local_files.ticket", data(with), &context)
    }

    fn pile() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let bugs = folder.path().join("issues/bugs");
        std::fs::create_dir_all(&bugs).unwrap();
        std::fs::write(bugs.join("A.md"), "---\nstatus: open\n---\n# First\n").unwrap();
        std::fs::write(bugs.join("B.md"), "---\nbroken\n").unwrap();
        std::fs::write(folder.path().join("secret.md"), "---\ntitle: s\n---\n").unwrap();
        folder
    }

    #[test]
    fn a_broken_ticket_is_told_and_the_others_are_listed() {
        let folder = pile();
        let answer = ask(folder.path(), json!({"op": "search", "limit": 5})).unwrap();
        assert_eq!(answer["tickets"].as_array().unwrap().len(), 1);
        assert!(answer["provider_errors"][0].as_str().unwrap().contains("B.md: "));
    }

    #[test]
    fn an_id_is_a_name_and_no_path() {
        let folder = pile();
        let failure = ask(folder.path(), json!({"op": "get", "id": "../../secret"})).unwrap_err();
        assert_eq!(failure.message, "ticket.get: ../../secret not found");
    }

    #[test]
    fn a_transition_is_read_back() {
        let folder = pile();
        ask(folder.path(), json!({"op": "transition", "id": "A", "to": "done: yes"})).unwrap();
        let answer = ask(folder.path(), json!({"op": "get", "id": "A"})).unwrap();
        assert_eq!(
            (&answer["status"], &answer["title"]),
            (&json!("done: yes"), &json!("First"))
        );
    }
}
