//! `host.append_to_file`: a comment at the end of a markdown file with front matter (`hosts` 8.1).

use std::path::{Path, PathBuf};

use serde_json::json;

use super::issue_file::{IssueFile, Unreadable};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, data};
use crate::place;

/// Answers a call. The operation is not looked at.
pub(super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let thread = args.required("thread")?;
    args.required("body")?;
    let target = Target::of(call, thread, args.text("workdir"));
    if target
        .base
        .as_ref()
        .is_some_and(|base| !place::stays_below(base, &target.path))
    {
        return Err(args.wrong(format!("thread {} escapes its folder", crate::plain::quoted(thread))));
    }
    if !call.context.may_comment(&target.path, args.text("workdir")) {
        let shown = crate::plain::quoted(thread);
        return Err(args.wrong(format!(
            "thread {shown} is no markdown file and escapes the session's folders"
        )));
    }
    match append(call, &args, &target.path) {
        Err((failure, true)) if target.mirrored => {
            let mirror = mirror(call, thread);
            append(call, &args, &mirror)
                .map_err(|(second, _)| args.outside(format!("{failure}; the mirror failed too: {second}")))
        }
        other => other.map_err(|(failure, _)| failure),
    }
}

/// Where a thread leads.
struct Target {
    path: PathBuf,
    /// The folder that a relative thread must not leave.
    base: Option<PathBuf>,
    /// Whether a failure of writing there sends the text to the mirror.
    mirrored: bool,
}

/// Folders of tickets: without a working folder their threads go to the mirror, so that a run never writes into the
/// checkout that drives it.
const TICKETS: &str = "issues/bugs/";
const OWN_TICKETS: [&str; 3] = [
    ".artifacts/issues/bugs/",
    ".artifacts/issues/features/",
    ".artifacts/issues/epics/",
];

impl Target {
    fn of(call: &Call<'_>, thread: &str, workdir: &str) -> Self {
        let context = call.context;
        let mirror = || Self {
            path: mirror(call, thread),
            base: None,
            mirrored: false,
        };
        let is_path = !thread.contains("://") && (thread.ends_with(".md") || thread.contains(['/', '\\']));
        if !is_path {
            return mirror();
        }
        let below = |base: PathBuf| Self {
            path: place::cleaned(&base.join(thread)),
            base: Some(base),
            mirrored: !workdir.is_empty(),
        };
        let clean = place::cleaned(Path::new(thread));
        let clean = clean.to_string_lossy();
        if Path::new(thread).is_absolute() {
            return Self {
                path: place::cleaned(Path::new(thread)),
                base: None,
                mirrored: false,
            };
        }
        if OWN_TICKETS.iter().any(|t| clean.starts_with(t)) {
            return below(context.current.clone());
        }
        let folder = context.path(workdir);
        match (workdir.is_empty(), folder.is_dir()) {
            (false, true) => below(folder),
            _ if clean.starts_with(TICKETS) => mirror(),
            _ => below(context.current.clone()),
        }
    }
}

/// The file of a thread that is no path, in the temporary folder.
fn mirror(call: &Call<'_>, thread: &str) -> PathBuf {
    let letters = thread.chars().map(|c| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' | '-' => c,
        _ => '-',
    });
    let name: String = letters.collect();
    let name: String = name.trim_matches(['-', '.']).chars().take(120).collect();
    let name = match name.trim_matches(['-', '.']) {
        "" => "thread",
        name => name,
    };
    let temporary = match call.context.environment.telling("TMPDIR") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from("/tmp"),
    };
    temporary.join("kitsoki-append-to-file").join(format!("{name}.md"))
}

/// Appends; the failure comes with whether another place might do.
fn append(call: &Call<'_>, args: &Arguments<'_>, path: &Path) -> Result<Data, (Box<Failure>, bool)> {
    let stem = path
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let stem = stem.strip_suffix(".md").unwrap_or(&stem).to_owned();
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|e| (args.outside(format!("mkdir: {}", place::words(&e))), true))?;
    }
    let now = call.context.clock.now();
    let mut file = if path.exists() {
        IssueFile::read(path).map_err(|e| {
            let denied = matches!(&e, Unreadable::Io(e) if e.kind() == std::io::ErrorKind::PermissionDenied);
            (args.outside(format!("read: {e}")), denied)
        })?
    } else {
        IssueFile {
            front: data(json!({"title": stem, "status": "open", "filed_at": crate::time::seconds(now)})),
            body: format!("# {stem}\n"),
            comments: Vec::new(),
        }
    };
    let mut body = args.raw("body").trim_end_matches('\n').to_owned();
    if !args.raw("title").is_empty() {
        body = format!("### {}\n\n{body}", args.raw("title"));
    }
    if !args.raw("phase_id").is_empty() {
        body = format!("{body}\n\n_phase: {}_", args.raw("phase_id"));
    }
    let author = match args.raw("author") {
        "" => "kitsoki",
        author => author,
    };
    file.comment(now, author, &body);
    file.write(path)
        .map_err(|e| (args.outside(format!("write: {e}")), true))?;
    let id = format!("{stem}#{}", file.comments.len());
    Ok(data(json!({"ok": true, "message_id": id})))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    fn post(context: &Context, with: serde_json::Value) -> Answer {
        crate::builtins().invoke("host.append_to_file", data(with), context)
    }

    #[test]
    fn a_name_goes_to_the_mirror_and_a_path_to_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::empty().with("TMPDIR", folder.path());
        let context = Context::bare(folder.path(), environment);
        post(&context, json!({"thread": "chat://room/5", "body": "x"})).unwrap();
        assert!(folder.path().join("kitsoki-append-to-file/chat---room-5.md").is_file());
        post(
            &context,
            json!({"thread": "issues/bugs/B1.md", "body": "x", "workdir": "gone"}),
        )
        .unwrap();
        assert!(!folder.path().join("gone").exists() && !folder.path().join("issues").exists());
    }

    #[test]
    fn a_relative_thread_stays_below_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        let context = Context::bare(folder.path(), Environment::empty());
        let elsewhere = outside.path().join("hosts");
        let environment = Environment::empty().with("TMPDIR", folder.path());
        let confined = Context::bare(folder.path(), environment);
        let failure = post(&confined, json!({"thread": elsewhere, "body": "x"})).unwrap_err();
        assert!(failure.message.contains("escapes"), "{failure}");
        for thread in ["../x.md", "link/x.md", "link/a/x.md"] {
            let failure = post(&context, json!({"thread": thread, "body": "x"})).unwrap_err();
            assert!(failure.message.contains("escapes"), "{thread}: {failure}");
        }
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
