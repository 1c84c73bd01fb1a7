//! `host.local`: tests and builds on this machine (`hosts` 8.3).

use serde_json::json;

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Failure, data};
use crate::process::{self, Program};

/// Answers a call.
pub(super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    match args.operation()? {
        "run_tests" => {
            let (ok, log) = run(call, &args.named("ci.run_tests"), "test_cmd", "test")?;
            let count = |mark: &str| log.lines().filter(|l| l.trim_start().starts_with(mark)).count();
            let (passed, failed) = (count("--- PASS:"), count("--- FAIL:"));
            Ok(data(
                json!({"ok": ok, "passed": passed, "failed": failed, "log": log, "junit": ""}),
            ))
        }
        "build" => {
            let (ok, log) = run(call, &args.named("ci.build"), "build_cmd", "build")?;
            Ok(data(json!({"ok": ok, "log": log})))
        }
        "remote_status" => Err(args.wrong("remote_status not supported: there is no remote")),
        other => args.unknown_operation(other),
    }
}

/// Runs the command of an argument, or the Go tool's. There is no shell: the text is split at spaces.
fn run(call: &Call<'_>, args: &Arguments<'_>, key: &str, goal: &str) -> Result<(bool, String), Box<Failure>> {
    let mut words: Vec<&str> = args.raw(key).split_whitespace().collect();
    if words.is_empty() {
        words = vec!["go", goal, "./..."];
    }
    if words.first().is_some_and(|w| is_assignment(w)) {
        words.insert(0, "env");
    }
    let target = args.raw("target");
    if !target.is_empty() {
        words.push(target);
    }
    let context = call.context;
    let (name, rest) = words.split_first().map_or(("", [].as_slice()), |(n, r)| (*n, r));
    let program = Program::new(name, context.path(args.text("workdir")), &context.environment).args(rest);
    let ended = process::run(&program, &context.cancel).map_err(|e| args.outside(format!("exec: {e}")))?;
    Ok((ended.ok(), ended.said.output + &ended.said.errors))
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}
