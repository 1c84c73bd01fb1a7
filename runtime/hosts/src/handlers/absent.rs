//! Handlers that check their arguments as the chapter says and then tell that what they would do is not part of this
//! version: a story learns of a wrong call before it learns of a missing program.

use serde_json::json;

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, Kind, data};

/// The failure of what this version does not do.
fn missing(args: &Arguments<'_>, what: &str) -> Box<Failure> {
    let text = format!("{}: {what} is not available in this version of kitsoki", args.handler());
    Failure::domain(Kind::NotImplemented, text)
}

pub(super) fn corpus_prove(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    args.get("candidate").ok_or_else(|| args.missing("candidate"))?;
    Err(Failure::domain(
        Kind::NotConfigured,
        "host.corpus.prove: no prover is configured in this session",
    ))
}

pub(super) fn corpus_freeze_receipt(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    args.get("receipt").ok_or_else(|| args.missing("receipt"))?;
    let text = "host.corpus.freeze_receipt: no store of receipts is configured in this session";
    Err(Failure::domain(Kind::NotConfigured, text))
}

pub(super) fn tour_plan(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    args.required("feature_id")?;
    Err(missing(&args, "planning a tour"))
}

pub(super) fn tour_validate(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    args.get("tour").ok_or_else(|| args.missing("tour"))?;
    Err(missing(&args, "checking a tour"))
}

pub(super) fn cypilot(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let op = args.operation()?;
    if !["list", "get", "create", "validate", "decompose"].contains(&op) {
        return args.unknown_operation(op);
    }
    Err(missing(&args, "the program for artifacts of a development plan"))
}

/// Unlike others it fails as a whole: its stories never look at a failure.
pub(super) fn demo(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let text = match args.text("op") {
        op @ ("create" | "record" | "doctor") => {
            let named = format!("host.demo.{op}");
            missing(&args.named(&named), "the demo pipeline").message
        }
        other => format!("host.demo: unknown op {}", crate::plain::quoted(other)),
    };
    Err(Failure::infra(Kind::NotImplemented, text))
}

/// Failures are data here, so that a story can route on them.
pub(super) fn decomposition(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let missing_argument = ["base", "delta", "out"].into_iter().find(|k| args.telling(k).is_none());
    let why = match (args.text("op"), missing_argument) {
        ("self-test", _) | ("", None) => missing(&args, "merging decompositions").message,
        (_, Some(key)) => format!("{key} is required"),
        (other, _) => format!("unknown op {}", crate::plain::quoted(other)),
    };
    Ok(data(
        json!({"route": "fail", "ok": false, "exit_code": 1, "summary": why, "error": why}),
    ))
}

/// The operations of capsule workspaces.
const WORKSPACE: [&str; 9] = [
    "list",
    "create",
    "get",
    "status",
    "sync",
    "commit",
    "close",
    "cleanup_scan",
    "cleanup_apply",
];

pub(super) fn capsule_workspace(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let args = args.named("capsule workspace");
    let op = args.operation()?;
    if !WORKSPACE.contains(&op) {
        return args.unknown_operation(op);
    }
    let diagnosed = |why: &str, hint: &str| -> Data {
        data(json!({
            "ok": false,
            "id": args.text("id"),
            "path": "",
            "branch": "",
            "diagnostics": {"error": why, "hint": hint},
        }))
    };
    if matches!(op, "create" | "get" | "status" | "sync" | "commit" | "close") && args.telling("id").is_none() {
        let why = format!("capsule workspace: {op}: id argument is required");
        return Err(Failure::arguments(&why).with(diagnosed(&why, "name the workspace with `id`")));
    }
    let why = "capsule workspace: definitions of capsules are not available in this version of kitsoki";
    let hint = "bind the workspace interface to host.git_worktree";
    Err(Failure::domain(Kind::NotImplemented, why).with(diagnosed(why, hint)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Class;
    use crate::context::Context;
    use crate::environment::Environment;

    #[test]
    fn a_wrong_call_is_told_before_a_missing_program() {
        let context = Context::bare("/", Environment::empty());
        let ask = |handler: &str, with| crate::builtins().invoke(handler, data(with), &context);
        let failure = ask("host.cypilot_artifacts.fly", json!({})).unwrap_err();
        assert_eq!(failure.kind, Kind::Arguments);
        let failure = ask("host.cypilot_artifacts.list", json!({})).unwrap_err();
        assert_eq!(failure.kind, Kind::NotImplemented);
        assert_eq!(ask("host.demo.record", json!({})).unwrap_err().class, Class::Infra);
        let failure = ask("host.capsule_workspace.get", json!({})).unwrap_err();
        assert_eq!(failure.data.unwrap()["ok"], false);
    }
}
