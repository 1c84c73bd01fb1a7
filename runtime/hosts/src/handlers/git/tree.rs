//! Branch, diff and commit: the operations that stay on this machine.

use serde_json::json;

use super::{Git, word};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, data};
use crate::process::Ended;

pub(super) fn branch(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    args.required("name")?;
    let name = word(args, "name", args.raw("name"))?;
    let mut command = vec!["checkout", "-b", name];
    if let Some(base) = args.telling("base") {
        command.push(word(args, "base", base)?);
    }
    Git::new(call, args.text("workdir")).must(args, &command)?;
    Ok(data(json!({"ok": true, "branch": args.raw("name")})))
}

/// The working tree against the index.
pub(super) fn diff(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let git = Git::new(call, args.text("workdir"));
    let ended = git.must(args, &["diff", "--patch", "--no-color", "--no-ext-diff"])?;
    let names = git.line(&["diff", "--name-only", "-z"]).unwrap_or_default();
    let files: Vec<&str> = names.split('\0').filter(|n| !n.is_empty()).collect();
    let files = if files.is_empty() { None } else { Some(files) };
    Ok(data(json!({"diff": ended.said.output, "files": files})))
}

/// Commits the named files, everything, or what is tracked. Nothing to commit is a success that says so: a story that goes
/// on must not stumble over a step that had nothing to do.
pub(super) fn commit(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    args.required("message")?;
    let message = args.raw("message");
    let git = Git::new(call, args.text("workdir"));
    let skipped = |why: &str| data(json!({"ok": true, "sha": "", "skipped_reason": why}));
    let all = args.flag("stage_all");
    if all {
        git.must(&args.named("git.commit: stage_all"), &["add", "-A"])?;
    }
    let files: Vec<&str> = args.texts("files").into_iter().filter(|f| !f.is_empty()).collect();
    if !files.is_empty() {
        let mut add = vec!["add", "--"];
        add.extend(&files);
        match git.run(&add) {
            Ok(ended) if ended.ok() => {}
            Ok(ended) if ended.said.errors.contains("did not match any files") => {
                let mut out = skipped("no file matched, so there was nothing to commit");
                out.insert("files".to_owned(), json!(files));
                return Ok(out);
            }
            Ok(ended) => return Err(args.outside(format!("stage: {}", ended.complaint()))),
            Err(fault) => return Err(args.outside(format!("exec: {fault}"))),
        }
    }
    let mut command = vec!["commit"];
    if files.is_empty() && !all {
        command.push("-a");
    }
    command.extend(["-m", message]);
    match git.run(&command) {
        Ok(ended) if ended.ok() => {}
        Ok(ended) if nothing_to_do(&ended) => return Ok(skipped("nothing to commit")),
        Ok(ended) => return Err(args.outside(ended.complaint())),
        Err(fault) => return Err(args.outside(format!("exec: {fault}"))),
    }
    let sha = git.line(&["rev-parse", "HEAD"]).unwrap_or_default();
    Ok(data(json!({"ok": true, "sha": sha})))
}

fn nothing_to_do(ended: &Ended) -> bool {
    [
        "nothing to commit",
        "no changes added to commit",
        "nothing added to commit",
    ]
    .iter()
    .any(|words| ended.said.output.contains(words) || ended.said.errors.contains(words))
}
