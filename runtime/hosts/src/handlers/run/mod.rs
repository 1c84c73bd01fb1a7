//! `host.run`: a program with its arguments, or a text for the shell (`hosts` 7).
//!
//! What the chapter leaves open is closed here: the program has a process group of its own, which is ended with it on a
//! timeout or cancellation, and its output is kept up to a limit.

mod json;
mod timeout;

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, Kind, data};
use crate::process::{self, Fault, Program, Said};
use crate::value;

/// Answers a call.
pub(super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let cmd = args.raw("cmd");
    if cmd.is_empty() {
        return Err(args.missing("cmd"));
    }
    let timeout = timeout::parse(args.get("timeout")).map_err(|e| args.wrong(e))?;
    let direct = direct_arguments(call, &args)?;
    let folder = match args.raw("cwd") {
        "" => call.context.current.clone(),
        cwd => call.context.path(cwd),
    };
    let environment = call.context.environment.clone().with_own_folder();
    let program = match direct {
        Some(list) => Program::new(cmd, folder, &environment).args(list),
        None => Program::new("bash", folder, &environment).args(["-c", cmd]),
    }
    .merged();
    let cancel = match timeout {
        Some(limit) => call.context.cancel.until(std::time::Instant::now() + limit),
        None => call.context.cancel.clone(),
    };
    match process::run(&program, &cancel) {
        Ok(ended) => {
            let mut data = outcome(ended.code, &ended.said);
            json::add(&ended.said.output, &mut data);
            if !ended.ok() && args.flag("fail_on_error") {
                return Err(args.outside(format!("command exited {}", ended.code)).with(data));
            }
            Ok(data)
        }
        Err(Fault::TimedOut(said)) => {
            let mut data = outcome(-1, &said);
            data.insert("timed_out".to_owned(), Json::Bool(true));
            let text = match timeout {
                Some(limit) => format!("host.run: timed out after {}", crate::duration::show(limit)),
                None => "host.run: the time for this call is over".to_owned(),
            };
            Err(Failure::domain(Kind::Limit, text).with(data))
        }
        Err(Fault::Cancelled) => Err(Failure::infra(Kind::Cancelled, "host.run: cancelled")),
        Err(Fault::Start(why)) => Err(Failure::infra(Kind::Outside, format!("host.run: exec: {why}"))),
    }
}

/// The data of every run.
fn outcome(code: i64, said: &Said) -> Data {
    let mut out = data(json!({ "stdout": said.output, "exit_code": code, "ok": code == 0 }));
    if said.cut {
        out.insert("truncated".to_owned(), Json::Bool(true));
    }
    out
}

/// The arguments of a direct run; `None` when the shell is asked.
fn direct_arguments(call: &Call<'_>, args: &Arguments<'_>) -> Result<Option<Vec<String>>, Box<Failure>> {
    let mut list = match args.get("args") {
        None | Some(Json::Null) => None,
        Some(Json::Array(items)) => Some(items.iter().map(value::argument).collect::<Vec<_>>()),
        Some(other) => {
            let found = match other {
                Json::String(_) => "string",
                Json::Object(_) => "mapping",
                Json::Bool(_) => "bool",
                _ => "number",
            };
            return Err(args.wrong(format!("args must be a list, got {found}")));
        }
    };
    if let Some(script) = args.get("script") {
        let Some(script) = script.as_str().filter(|s| !s.trim().is_empty()) else {
            return Err(args.wrong("script must be a non-empty string"));
        };
        let path = match call.context.story_folder() {
            Some(folder) => folder.join(script).to_string_lossy().into_owned(),
            None => script.to_owned(),
        };
        list.get_or_insert_default().insert(0, path);
    }
    if let Some(at) = list.iter().flatten().position(|a| a.contains('\0')) {
        return Err(args.wrong(format!("args[{at}] holds a NUL character")));
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    fn run(context: &Context, with: Json) -> Answer {
        crate::builtins().invoke("host.run", data(with), context)
    }

    fn context() -> (tempfile::TempDir, Context) {
        let folder = tempfile::tempdir().unwrap();
        let context = Context::bare(folder.path().canonicalize().unwrap(), Environment::process());
        (folder, context)
    }

    #[test]
    fn a_timeout_ends_the_whole_group() {
        let (folder, context) = context();
        let cmd = "echo first; (sleep 30; touch late) & wait";
        let began = Instant::now();
        let failure = run(&context, json!({"cmd": cmd, "timeout": "200ms"})).unwrap_err();
        assert_eq!(failure.message, "host.run: timed out after 200ms");
        assert_eq!(failure.data.unwrap()["stdout"], "first\n");
        // The child of the shell held the pipe: had it lived, the call would have waited for it.
        assert!(began.elapsed() < Duration::from_secs(20));
        assert!(!folder.path().join("late").exists());
    }

    #[test]
    fn cancellation_is_an_infrastructure_failure() {
        let (_folder, context) = context();
        let other = context.cancel.clone();
        let waiting = std::thread::spawn(move || run(&context, json!({"cmd": "sleep 30"})));
        other.cancel();
        let failure = waiting.join().unwrap().unwrap_err();
        assert_eq!(failure.kind, Kind::Cancelled);
    }

    #[test]
    fn output_beyond_the_limit_is_dropped_and_said_to_be() {
        let (_folder, context) = context();
        let data = run(&context, json!({"cmd": "head -c 17000000 /dev/zero | tr '\\0' x"})).unwrap();
        assert_eq!(data["truncated"], true);
        assert_eq!(data["stdout"].as_str().unwrap().len(), process::MAX_OUTPUT);
    }

    #[test]
    fn the_shell_is_never_asked_with_arguments() {
        let (_folder, context) = context();
        let data = run(&context, json!({"cmd": "echo", "args": ["$(id); `id`", 5]})).unwrap();
        assert_eq!(data["stdout"], "$(id); `id` 5\n");
    }

    #[test]
    fn a_missing_folder_is_told() {
        let (_folder, context) = context();
        let failure = run(&context, json!({"cmd": "true", "cwd": "nowhere"})).unwrap_err();
        assert!(failure.message.starts_with("host.run: exec: chdir "), "{failure}");
    }
}
