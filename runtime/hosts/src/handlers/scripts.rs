//! Handlers that run one of a few fixed scripts of a project: `host.product_journey.run`, `host.bakeoff.run`,
//! `host.session_mining.run`, `host.ui_qa.run` (`hosts` 8.8). They differ in what of a failure they tell.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, Kind, data};
use crate::plain::quoted;
use crate::process::{self, Ended, Fault, Program};
use crate::value;

/// How long one of these may take.
const LIMIT: Duration = Duration::from_secs(20 * 60);

/// Arguments of a script: a list, each element as a program gets it.
fn list(args: &Arguments<'_>) -> Result<Vec<String>, Box<Failure>> {
    match args.get("args") {
        Some(Json::Array(items)) => Ok(items.iter().map(value::argument).collect()),
        None | Some(Json::Null) => Err(args.wrong("args are required")),
        Some(_) => Err(args.wrong("args must be a list")),
    }
}

fn run(call: &Call<'_>, program: Program, limited: bool) -> Result<Ended, Fault> {
    let cancel = if limited {
        call.context.cancel.until(Instant::now() + LIMIT)
    } else {
        call.context.cancel.clone()
    };
    process::run(&program.merged(), &cancel)
}

/// The failure of a script that did not come to an end.
fn broken(args: &Arguments<'_>, fault: Fault) -> Box<Failure> {
    match fault {
        Fault::TimedOut(said) => {
            let text = format!("{}: timed out after {}", args.handler(), crate::duration::show(LIMIT));
            let out = json!({"stdout": said.output, "exit_code": -1, "ok": false, "timed_out": true});
            Failure::domain(Kind::Limit, text).with(data(out))
        }
        Fault::Cancelled => Failure::infra(Kind::Cancelled, format!("{}: cancelled", args.handler())),
        Fault::Start(why) => Failure::infra(Kind::Outside, format!("{}: exec: {why}", args.handler())),
    }
}

fn outcome(ended: &Ended) -> Data {
    data(json!({"stdout": ended.said.output, "exit_code": ended.code, "ok": ended.ok()}))
}

/// The data, or the failure when the call wants one for a status.
fn judged(args: &Arguments<'_>, ended: &Ended, out: Data) -> Answer {
    if !ended.ok() && args.flag("fail_on_error") {
        return Err(args.outside(format!("exit code {}", ended.code)).with(out));
    }
    Ok(out)
}

fn folder(call: &Call<'_>, cwd: &str) -> PathBuf {
    call.context.path(cwd)
}

/// The scripts that a product journey may run.
const JOURNEYS: [&str; 2] = [
    "tools/product-journey/run.py",
    "tools/arena/scripts/run_scenario_qa_legs_parallel.py",
];

pub(super) fn product_journey(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let given = list(&args)?;
    if given.is_empty() {
        return Err(args.wrong("args are required"));
    }
    let [first, ..] = JOURNEYS;
    let script = args.telling("script").unwrap_or(first);
    if !JOURNEYS.contains(&script) {
        return Err(args.wrong(format!("unsupported script {}", quoted(script))));
    }
    let program = Program::new("python3", folder(call, args.text("cwd")), &call.context.environment);
    let ended = run(call, program.args([script]).args(given), false).map_err(|f| broken(&args, f))?;
    let mut out = outcome(&ended);
    let last = ended
        .said
        .output
        .trim_end()
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .trim();
    match serde_json::from_str::<Json>(last) {
        Ok(json) => {
            out.insert("stdout_json".to_owned(), value::floats(json));
        }
        Err(_) if ended.said.output.trim_start().starts_with(['{', '[', '"']) => {
            let why = "the last line of the output is no JSON";
            out.insert("stdout_json_parse_error".to_owned(), json!(why));
        }
        Err(_) => {}
    }
    judged(&args, &ended, out)
}

/// The last line that is a JSON object.
fn last_object(output: &str) -> Option<Json> {
    let objects = output.lines().rev().map(str::trim).filter(|l| l.starts_with('{'));
    let mut parsed = objects.filter_map(|l| serde_json::from_str::<Json>(l).ok());
    parsed.find(Json::is_object).map(value::floats)
}

/// Never fails for a status: its stories look at the data.
pub(super) fn bakeoff(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let Some(cwd) = args.telling("cwd").or_else(|| args.telling("harness_dir")) else {
        return Err(args.wrong("cwd is required"));
    };
    let python = |given: Vec<String>| Program::new("python3", folder(call, cwd), &call.context.environment).args(given);
    let strings = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let program = match args.text("op") {
        "bench" => {
            let mut given = strings(&["bench.py"]);
            given.extend(list(&args)?);
            python(given)
        }
        "prepare_handoffs" => {
            Program::new("./prepare_handoffs.sh", folder(call, cwd), &call.context.environment).args(list(&args)?)
        }
        "aggregate" => python(strings(&["aggregate.py", "--generated-at", args.raw("generated_at")])),
        "report" => python(strings(&[
            "../session-mining/eval_pilot_report.py",
            "--summary",
            "results/summary.json",
            "--markdown",
            "results/report.md",
            "--deck",
            "results/deck.html",
        ])),
        other => return args.unknown_operation(other),
    };
    let (mut out, error) = match run(call, program, true) {
        Ok(ended) => {
            let error = (!ended.ok()).then(|| format!("exit status {}", ended.code));
            (outcome(&ended), error)
        }
        Err(Fault::Cancelled) => return Err(broken(&args, Fault::Cancelled)),
        Err(fault) => {
            let out = json!({"stdout": "", "exit_code": 1, "ok": false});
            (data(out), Some(fault.to_string()))
        }
    };
    let object = out.get("stdout").and_then(Json::as_str).and_then(last_object);
    out.extend(object.map(|o| ("stdout_json".to_owned(), o)));
    out.extend(error.map(|e| ("error".to_owned(), Json::from(crate::plain::message(&e)))));
    Ok(out)
}

/// The operations of session mining and their scripts.
const MINING: [(&str, &str); 8] = [
    ("prep", "prep.py"),
    ("codex_prep", "codex_prep.py"),
    ("outcomes", "outcomes.py"),
    ("codex_outcomes", "codex_outcomes.py"),
    ("eval_pilot_report", "eval_pilot_report.py"),
    ("ground", "ground.py"),
    ("tag_score", "tag_score.py"),
    ("emit", "emit.py"),
];

pub(super) fn session_mining(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let Some(tools) = args.telling("tools_dir").map(|d| call.context.path(d)) else {
        return Err(args.wrong("tools_dir is required"));
    };
    let op = args.text("op");
    let Some((_, script)) = MINING.iter().find(|(name, _)| *name == op) else {
        return args.unknown_operation(op);
    };
    let given = list(&args)?;
    let cwd = args.telling("cwd").map_or_else(|| tools.clone(), |c| folder(call, c));
    let program = Program::new("python3", cwd, &call.context.environment);
    let program = program.args([tools.join(script)]).args(given);
    let ended = run(call, program, true).map_err(|f| broken(&args, f))?;
    let mut out = outcome(&ended);
    out.extend(last_object(&ended.said.output).map(|o| ("stdout_json".to_owned(), o)));
    judged(&args, &ended, out)
}

pub(super) fn ui_qa(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    match args.text("op") {
        "gate" => {}
        other => return args.unknown_operation(other),
    }
    for key in ["cwd", "video_path", "frames_dir", "feature_md_path", "scenarios_path"] {
        if args.telling(key).is_none() {
            return Err(args.wrong(format!("{key} is required")));
        }
    }
    let cwd = folder(call, args.text("cwd"));
    let environment = &call.context.environment;
    let qa = Program::new("bash", &cwd, environment).args([
        ".agents/skills/kitsoki-ui-qa/scripts/qa.sh",
        args.text("video_path"),
        "--frames",
        args.text("frames_dir"),
        "--feature",
        args.text("feature_md_path"),
        "--scenarios",
        args.text("scenarios_path"),
        "--strict",
    ]);
    let ended = run(call, qa, true).map_err(|f| broken(&args, f))?;
    let mut output = ended.said.output.clone();
    let mut state = String::new();
    let results = cwd.join(".artifacts").join("ui-qa");
    if let Some(verdict) = newest_verdict(&results) {
        let out = results.join("completion-state.json");
        let program = Program::new("python3", &cwd, environment)
            .args(["-m", "tools.persona_qa", "--kind", "ui-qa", "--input"])
            .args([verdict.as_os_str(), "--out".as_ref(), out.as_os_str()]);
        if let Ok(completed) = run(call, program, true) {
            output.push_str(&completed.said.output);
            if completed.ok() {
                state = out.to_string_lossy().into_owned();
            }
        }
    }
    let out = data(json!({
        "stdout": output,
        "exit_code": ended.code,
        "ok": ended.ok(),
        "qa_ok": ended.ok(),
        "qa_exit_code": ended.code,
        "qa_completion_state_path": state,
    }));
    judged(&args, &ended, out)
}

fn newest_verdict(folder: &std::path::Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?;
    let verdicts = entries.filter_map(Result::ok).map(|e| e.path().join("verdict.json"));
    let dated = verdicts.filter_map(|p| Some((p.metadata().ok()?.modified().ok()?, p)));
    dated.max_by(|a, b| a.0.cmp(&b.0)).map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    fn ask(setup: &[(&str, &str)], handler: &str, with: Json) -> Answer {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in setup {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
        }
        let context = Context::bare(folder.path(), Environment::process());
        crate::builtins().invoke(handler, data(with), &context)
    }

    #[test]
    fn a_bakeoff_that_fails_is_data() {
        let setup = [(
            "h/bench.py",
            "import sys\nprint('{\"a\": 1}')\nprint('x')\nsys.exit(3)\n",
        )];
        let with = json!({"op": "bench", "cwd": "h", "args": [], "fail_on_error": true});
        let answer = ask(&setup, "host.bakeoff.run", with).unwrap();
        assert_eq!((&answer["ok"], &answer["exit_code"]), (&json!(false), &json!(3)));
        assert_eq!(answer["stdout_json"], json!({"a": 1.0}));
        assert_eq!(answer["error"], "exit status 3");
    }

    #[test]
    fn a_journey_fails_when_told_so() {
        let setup = [(
            "tools/product-journey/run.py",
            "import sys\nprint(sys.argv[1])\nsys.exit(2)\n",
        )];
        let with = json!({"args": [7], "fail_on_error": true});
        let failure = ask(&setup, "host.product_journey.run", with).unwrap_err();
        assert_eq!(failure.message, "host.product_journey.run: exit code 2");
        assert_eq!(failure.data.unwrap()["stdout_json"], 7.0);
    }

    #[test]
    fn mining_runs_its_fixed_scripts_only() {
        let failure = ask(
            &[],
            "host.session_mining.run",
            json!({"tools_dir": ".", "op": "../x", "args": []}),
        );
        assert!(failure.unwrap_err().message.contains("unknown op"));
    }
}
