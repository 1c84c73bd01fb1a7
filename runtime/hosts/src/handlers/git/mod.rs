//! `host.git`: version control of a working folder (`hosts` 8.3).

mod tree;
pub(super) mod worktree;

use std::path::PathBuf;

use super::github::pulls;
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Failure, data};
use crate::environment::Environment;
use crate::process::{self, Ended, Fault, Program};

/// Answers a call.
pub(super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let op = args.operation()?;
    let named = format!("git.{op}");
    let own = args.named(&named);
    match op {
        "branch" => tree::branch(call, &own),
        "diff" => tree::diff(call, &own),
        "commit" => tree::commit(call, &own),
        "push" => {
            let git = Git::new(call, own.text("workdir"));
            let remote = own.telling("remote").unwrap_or("origin");
            git.push(&own, remote)?;
            let url = git.line(&["remote", "get-url", remote]).unwrap_or_default();
            Ok(data(serde_json::json!({"ok": true, "url": url})))
        }
        "open_pr" => pulls::open(call, &own),
        "split_prs" => pulls::split(call, &own),
        "pr_status" => pulls::status(call, &own),
        "pr_comment" => pulls::comment(call, &own),
        "pr_rebase" => pulls::rebase(&own),
        other => args.unknown_operation(other),
    }
}

/// Runs git in a folder.
pub(super) struct Git<'a> {
    call: &'a Call<'a>,
    folder: PathBuf,
    environment: Environment,
}

impl<'a> Git<'a> {
    /// Git in a folder of an argument; an empty one is the current folder.
    pub(super) fn new(call: &'a Call<'a>, folder: &str) -> Self {
        // Its messages are read, so they are asked for in one language; and nobody is there to type a password.
        let environment = call.context.environment.clone();
        Self {
            call,
            folder: call.context.path(folder),
            environment: environment.with("LC_ALL", "C").with("GIT_TERMINAL_PROMPT", "0"),
        }
    }

    /// Runs a command to its end, whatever that is.
    pub(super) fn run(&self, args: &[&str]) -> Result<Ended, Fault> {
        let program = Program::new("git", &self.folder, &self.environment).args(args);
        process::run(&program, &self.call.context.cancel)
    }

    /// Runs a command that must succeed.
    pub(super) fn must(&self, args: &Arguments<'_>, command: &[&str]) -> Result<Ended, Box<Failure>> {
        match self.run(command) {
            Ok(ended) if ended.ok() => Ok(ended),
            Ok(ended) => Err(args.outside(ended.complaint())),
            Err(fault) => Err(args.outside(format!("exec: {fault}"))),
        }
    }

    /// The output of a command that succeeded, trimmed.
    pub(super) fn line(&self, command: &[&str]) -> Option<String> {
        let ended = self.run(command).ok().filter(Ended::ok)?;
        Some(ended.said.output.trim().to_owned())
    }

    /// Publishes the current branch.
    pub(super) fn push(&self, args: &Arguments<'_>, remote: &str) -> Result<Ended, Box<Failure>> {
        self.must(args, &["push", "-u", word(args, "remote", remote)?, "HEAD"])
    }
}

/// A name for git's command line: what begins with a dash would be an option.
fn word<'t>(args: &Arguments<'_>, key: &str, text: &'t str) -> Result<&'t str, Box<Failure>> {
    if text.starts_with('-') {
        return Err(args.wrong(format!("{key} must not begin with `-`")));
    }
    Ok(text)
}
