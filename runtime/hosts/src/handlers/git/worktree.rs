//! `host.git_worktree`: working trees of a repository, one per piece of work (`hosts` 8.3).
//!
//! Trees lie below `.worktrees` of the repository, or below the argument `root`. Nothing is ever removed by force: git
//! itself refuses to remove a tree with changes or a branch that is not merged.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::{Git, word};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, Kind, data};
use crate::plain::quoted;

/// Answers a call.
pub(in super::super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let op = args.operation()?;
    let named = format!("workspace.{op}");
    let own = args.named(&named);
    match op {
        "list" => list(call, &own),
        "get" => get(call, &own),
        "create" => create(call, &own),
        "sync" => sync(call, &own),
        "cleanup_scan" => scan(call, &own),
        "cleanup_apply" => apply(call, &own),
        "clone_create" | "clone_cleanup_scan" | "clone_cleanup_apply" => Err(Failure::domain(
            Kind::NotImplemented,
            format!("{named}: not available in this version of kitsoki; use create, cleanup_scan and cleanup_apply"),
        )),
        other => args.unknown_operation(other),
    }
}

/// A working tree as git lists it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Tree {
    path: PathBuf,
    branch: String,
}

impl Tree {
    fn id(&self) -> String {
        self.path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default()
    }

    fn summary(&self, call: &Call<'_>) -> Data {
        data(json!({
            "id": self.id(),
            "path": self.path,
            "branch": self.branch,
            "dirty": dirty(call, &self.path),
        }))
    }
}

fn parse(text: &str) -> Vec<Tree> {
    let mut out: Vec<Tree> = Vec::new();
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("worktree ") {
            out.push(Tree {
                path: PathBuf::from(path),
                ..Tree::default()
            });
        } else if let (Some(tree), Some(branch)) = (out.last_mut(), line.strip_prefix("branch ")) {
            branch.trim_start_matches("refs/heads/").clone_into(&mut tree.branch);
        }
    }
    out
}

fn trees(git: &Git<'_>, args: &Arguments<'_>) -> Result<Vec<Tree>, Box<Failure>> {
    let ended = git.must(args, &["worktree", "list", "--porcelain"])?;
    Ok(parse(&ended.said.output))
}

fn list(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let git = Git::new(call, args.text("repo"));
    let trees: Vec<Data> = trees(&git, args)?.iter().map(|t| t.summary(call)).collect();
    Ok(data(json!({ "workspaces": trees })))
}

/// The tree of the argument `id`.
fn find(git: &Git<'_>, args: &Arguments<'_>) -> Result<Tree, Box<Failure>> {
    let id = args.required("id")?;
    let found = trees(git, args)?.into_iter().find(|t| t.id() == id);
    found.ok_or_else(|| args.outside(format!("{} not found", quoted(id))))
}

fn dirty(call: &Call<'_>, tree: &Path) -> bool {
    let git = Git::new(call, &tree.to_string_lossy());
    git.line(&["status", "--porcelain"]).is_none_or(|s| !s.is_empty())
}

fn get(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let tree = find(&Git::new(call, args.text("repo")), args)?;
    Ok(tree.summary(call))
}

/// Makes a tree with a branch, or finds the one that is there: a step that is repeated must not fail.
fn create(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let name = word(args, "name", args.required("name")?)?;
    let id = args.telling("id").map_or_else(|| name.replace('/', "-"), str::to_owned);
    if id.contains(['/', '\\', '\0']) || id.starts_with('.') || id.starts_with('-') {
        return Err(args.wrong(format!("id {} is no name of a folder", quoted(&id))));
    }
    let git = Git::new(call, args.text("repo"));
    let top = git.must(args, &["rev-parse", "--show-toplevel"])?;
    let top = PathBuf::from(top.said.output.trim_end_matches('\n'));
    let root = args
        .telling("root")
        .map_or_else(|| top.join(".worktrees"), |r| call.context.path(r));
    let path = root.join(&id);
    let there = |tree: &Tree| tree.path == path;
    let mut made = false;
    if !trees(&git, args)?.iter().any(there) {
        let shown = path.to_string_lossy().into_owned();
        let exists = git
            .line(&["rev-parse", "--verify", "-q", &format!("refs/heads/{name}")])
            .is_some();
        let mut command = vec!["worktree", "add", "-q"];
        if exists {
            command.extend([shown.as_str(), name]);
        } else {
            command.extend(["-b", name, shown.as_str()]);
            if let Some(base) = args.telling("base") {
                command.push(word(args, "base", base)?);
            }
        }
        git.must(args, &command)?;
        made = true;
    }
    let tree = trees(&git, args)?.into_iter().find(there);
    let mut out = tree
        .unwrap_or_else(|| Tree {
            path: path.clone(),
            ..Tree::default()
        })
        .summary(call);
    out.insert("ok".to_owned(), json!(true));
    out.insert("created".to_owned(), json!(made));
    Ok(out)
}

fn sync(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    args.required("id")?;
    let tree = find(&Git::new(call, args.text("repo")), args)?;
    let git = Git::new(call, &tree.path.to_string_lossy());
    if git.line(&["rev-parse", "--abbrev-ref", "@{u}"]).is_none() {
        return Ok(data(
            json!({"ok": true, "log": "", "skipped_reason": "the branch follows no other"}),
        ));
    }
    let ended = git.must(args, &["pull", "--ff-only"])?;
    Ok(data(json!({"ok": true, "log": ended.said.output})))
}

/// Trees and branches that may go: merged into the base, clean, and neither protected nor excluded.
fn scan(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let git = Git::new(call, args.text("repo"));
    let base = word(args, "base", args.telling("base").unwrap_or("main"))?;
    let exclude = args.text("exclude");
    let protected: Vec<&str> = args
        .raw("protected")
        .split([',', ' ', '\n'])
        .filter(|b| !b.is_empty())
        .chain([base, "main", "master"])
        .collect();
    let all = trees(&git, args)?;
    let judge = |kind: &str, branch: &str, path: &Path| -> Json {
        let merged = !branch.is_empty()
            && git
                .run(&["merge-base", "--is-ancestor", branch, base])
                .is_ok_and(|e| e.ok());
        let id = path.file_name().map(|n| n.to_string_lossy().into_owned());
        let id = id.unwrap_or_else(|| branch.to_owned());
        let dirty = !path.as_os_str().is_empty() && dirty(call, path);
        let why_not = if branch.is_empty() {
            Some("no branch is checked out".to_owned())
        } else if protected.contains(&branch) {
            Some("protected branch".to_owned())
        } else if !exclude.is_empty() && (branch == exclude || id == exclude) {
            Some("excluded".to_owned())
        } else if dirty {
            Some("worktree has uncommitted changes".to_owned())
        } else if !merged {
            Some(format!("branch is not merged into {base}"))
        } else {
            None
        };
        let actions: &[&str] = if kind == "branch" {
            &["branch_delete"]
        } else {
            &["worktree_remove", "branch_delete"]
        };
        json!({
            "kind": kind,
            "id": id,
            "branch": branch,
            "path": path,
            "base": base,
            "dirty": dirty,
            "merged": merged,
            "recommended": why_not.is_none(),
            "reason": why_not.unwrap_or_else(|| format!("branch is merged into {base}")),
            "actions": actions,
        })
    };
    let mut candidates: Vec<Json> = all
        .iter()
        .skip(1)
        .map(|t| judge("worktree", &t.branch, &t.path))
        .collect();
    let branches = git.must(args, &["branch", "--format=%(refname:short)"])?;
    for branch in branches.said.output.lines().map(str::trim) {
        if branch.is_empty() || branch.starts_with('(') || all.iter().any(|t| t.branch == branch) {
            continue;
        }
        candidates.push(judge("branch", branch, Path::new("")));
    }
    candidates.sort_by_key(|c| c.get("recommended") != Some(&json!(true)));
    let recommended = candidates
        .iter()
        .filter(|c| c.get("recommended") == Some(&json!(true)))
        .count();
    Ok(data(json!({
        "ok": true,
        "base": base,
        "exclude": exclude,
        "candidates": candidates,
        "recommended_count": recommended,
    })))
}

/// Removes the recommended ones of a scan.
fn apply(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let git = Git::new(call, args.text("repo"));
    let parsed: Option<Json> = match args.get("candidates") {
        Some(Json::String(text)) if text.trim().is_empty() => None,
        Some(Json::String(text)) => {
            let read = serde_json::from_str(text);
            Some(read.map_err(|e| args.wrong(format!("candidates must be a list or a list as JSON text: {e}")))?)
        }
        other => other.cloned(),
    };
    let candidates = match parsed {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(items)) => items,
        Some(_) => return Err(args.wrong("candidates must be a list")),
    };
    let (mut deleted, mut skipped, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for candidate in candidates.iter().filter_map(Json::as_object) {
        let text = |key: &str| candidate.get(key).and_then(Json::as_str).unwrap_or_default().trim();
        let (branch, path) = (text("branch"), text("path"));
        let named = json!({"branch": branch, "path": path});
        if candidate.get("recommended") != Some(&json!(true)) {
            skipped.push(json!({"branch": branch, "path": path, "reason": "not recommended"}));
            continue;
        }
        let mut failed = None;
        if !path.is_empty() {
            failed = git.must(args, &["worktree", "remove", "--", path]).err();
        }
        if failed.is_none() && !branch.is_empty() {
            failed = git.must(args, &["branch", "-d", "--", branch]).err();
        }
        match failed {
            None => deleted.push(named),
            Some(failure) => errors.push(format!("{branch}: {failure}")),
        }
    }
    let mut out = data(json!({"ok": errors.is_empty(), "deleted": deleted, "skipped": skipped}));
    if errors.is_empty() {
        return Ok(out);
    }
    let text = errors.join("; ");
    out.insert("errors".to_owned(), json!(errors));
    Err(args.outside(text).with(out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    fn repository() -> (tempfile::TempDir, Context) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let mut environment = Environment::process()
            .with("HOME", &root)
            .with("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            environment = environment
                .with(format!("GIT_{who}_NAME"), "t")
                .with(format!("GIT_{who}_EMAIL"), "t@example.org");
        }
        let context = Context::bare(root, environment);
        let cmd = "git init -q -b main . && echo 1 > a && git add a && git commit -q -m first";
        let ran = crate::builtins()
            .invoke("host.run", data(json!({ "cmd": cmd })), &context)
            .unwrap();
        assert_eq!(ran["ok"], true, "{ran:?}");
        (folder, context)
    }

    fn ask(context: &Context, with: Json) -> Answer {
        crate::builtins().invoke("host.git_worktree", data(with), context)
    }

    #[test]
    fn a_tree_is_made_found_and_removed() {
        let (_folder, context) = repository();
        let made = ask(&context, json!({"op": "create", "name": "fix/one"})).unwrap();
        assert_eq!(
            (&made["id"], &made["branch"], &made["created"]),
            (&json!("fix-one"), &json!("fix/one"), &json!(true))
        );
        let again = ask(&context, json!({"op": "create", "name": "fix/one"})).unwrap();
        assert_eq!(again["created"], false);
        assert_eq!(
            ask(&context, json!({"op": "get", "id": "fix-one"})).unwrap()["dirty"],
            false
        );
        assert!(
            ask(&context, json!({"op": "sync", "id": "fix-one"}))
                .unwrap()
                .contains_key("skipped_reason")
        );
        let scan = ask(&context, json!({"op": "cleanup_scan"})).unwrap();
        assert_eq!(scan["recommended_count"], 1);
        let applied = ask(
            &context,
            json!({"op": "cleanup_apply", "candidates": scan["candidates"]}),
        )
        .unwrap();
        assert_eq!(applied["deleted"].as_array().unwrap().len(), 1);
        assert!(ask(&context, json!({"op": "get", "id": "fix-one"})).is_err());
    }

    #[test]
    fn an_id_is_a_name_and_no_path_or_option() {
        let (_folder, context) = repository();
        for with in [
            json!({"op": "create", "name": "x", "id": "../x"}),
            json!({"op": "create", "name": "-x"}),
            json!({"op": "create", "name": "x", "base": "--force"}),
        ] {
            assert!(ask(&context, with).is_err());
        }
    }

    #[test]
    fn an_unmerged_branch_stays() {
        let (_folder, context) = repository();
        let cmd = "git checkout -q -b work && echo 2 > a && git commit -q -a -m second && git checkout -q main";
        crate::builtins()
            .invoke("host.run", data(json!({ "cmd": cmd })), &context)
            .unwrap();
        let scan = ask(&context, json!({"op": "cleanup_scan"})).unwrap();
        assert_eq!(scan["candidates"][0]["reason"], "branch is not merged into main");
    }
}
