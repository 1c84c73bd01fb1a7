//! A program that speaks the line protocol: one process for each run, one JSON object a line in both directions.

use std::ffi::OsString;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::backend::{AgentBackend, Desk, End, Offered, Posture, Request, RunFault, Usage};
use crate::cancel::Cancel;
use crate::process::{Fault, Heard, Program, Talk};

/// The protocol that is spoken.
const PROTOCOL: u64 = 1;

/// The status of a program that does not know the protocol's number.
const UNKNOWN_PROTOCOL: i64 = 64;

/// The longest failure text that is kept, in characters.
const MAX_FAILURE: usize = 4_000;

/// A back end behind a program.
#[derive(Debug, Clone)]
pub struct LineProgram {
    name: OsString,
    args: Vec<OsString>,
    silence: Option<Duration>,
}

impl LineProgram {
    /// A program by its name or path.
    pub fn new(name: impl Into<OsString>) -> Self {
        Self {
            name: name.into(),
            args: Vec::new(),
            silence: None,
        }
    }

    /// With arguments.
    #[must_use]
    pub fn args<S: Into<OsString>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// A run that says nothing for so long is ended. Without it there is no end to silence.
    #[must_use]
    pub fn silence(mut self, limit: Option<Duration>) -> Self {
        self.silence = limit;
        self
    }
}

/// What the program has said about the end of the run.
#[derive(Default)]
struct Told {
    ended: bool,
    after_end: bool,
    is_error: bool,
    end: End,
}

impl AgentBackend for LineProgram {
    fn run(&self, request: &Request, desk: &dyn Desk, cancel: &Cancel) -> Result<End, RunFault> {
        let environment = request
            .environment
            .clone()
            .with("KITSOKI_AGENT_VERB", request.verb.name());
        let program = Program::new(&self.name, &request.cwd, &environment).args(&self.args);
        let mut talk = Talk::start(&program).map_err(|fault| match fault {
            Fault::Start(why) => RunFault::Missing(why),
            other => RunFault::Missing(other.to_string()),
        })?;
        talk.say(&wire(request).to_string());
        let mut told = Told::default();
        loop {
            match talk.hear(cancel, self.silence) {
                Heard::Line(line) => {
                    let Ok(Json::Object(line)) = serde_json::from_str(&line) else {
                        continue;
                    };
                    if told.ended {
                        told.after_end = true;
                        continue;
                    }
                    take(&line, desk, &talk, &mut told);
                }
                Heard::End => break,
                Heard::Silence => return Err(RunFault::Silent),
                Heard::Over => return Err(RunFault::Cancelled),
            }
        }
        let (status, errors) = talk.finish();
        if cancel.is_over() {
            return Err(RunFault::Cancelled);
        }
        judge(told, status, &errors)
    }
}

/// Whether a run went well, and what it says if not: the error stream, else the final text, else the status.
fn judge(told: Told, status: i64, errors: &str) -> Result<End, RunFault> {
    if status == UNKNOWN_PROTOCOL && !told.ended {
        let text = format!("the agent program does not speak protocol {PROTOCOL} of kitsoki");
        return Err(RunFault::Refused(text));
    }
    if told.ended && !told.after_end && !told.is_error && status == 0 {
        return Ok(told.end);
    }
    let line = match (told.ended, status) {
        (_, -1) => "the agent program was ended by a signal".to_owned(),
        (true, 0) if told.after_end => "the agent program went on after its `end`".to_owned(),
        (false, 0) => "the agent program ended without telling so".to_owned(),
        (_, status) => format!("the agent program ended with status {status}"),
    };
    let said = [errors.trim(), told.end.text.trim()]
        .into_iter()
        .find(|t| !t.is_empty());
    let text: String = said.unwrap_or(&line).chars().take(MAX_FAILURE).collect();
    Err(RunFault::Failed(text))
}

fn take(line: &serde_json::Map<String, Json>, desk: &dyn Desk, talk: &Talk, told: &mut Told) {
    let text = |key: &str| line.get(key).and_then(Json::as_str).unwrap_or_default();
    let nothing = Json::Null;
    let input = line.get("input").unwrap_or(&nothing);
    match text("type") {
        "say" => desk.say(text("text")),
        "think" => desk.thinks(text("text")),
        "used" => desk.used(text("tool"), input),
        "call" => {
            let result = desk.call(text("tool"), input);
            let id = line.get("id").cloned().unwrap_or_default();
            let answer = json!({"type": "result", "id": id, "ok": result.ok, "text": result.text});
            talk.say(&answer.to_string());
        }
        "end" => {
            let usage = line.get("usage");
            let count = |key: &str| usage.and_then(|u| u.get(key)).and_then(Json::as_u64).unwrap_or(0);
            told.ended = true;
            told.is_error = line.get("is_error").and_then(Json::as_bool).unwrap_or(false);
            told.end = End {
                text: text("text").to_owned(),
                session: Some(text("session")).filter(|s| !s.is_empty()).map(str::to_owned),
                usage: Usage {
                    input: count("input"),
                    output: count("output"),
                    cache_read: count("cache_read"),
                    cache_write: count("cache_write"),
                },
                cost: line.get("cost").and_then(Json::as_f64).filter(|c| *c >= 0.0),
            };
        }
        _ => {}
    }
}

/// The request as the program reads it.
fn wire(request: &Request) -> Json {
    let system: Vec<Json> = request
        .system
        .iter()
        .map(|l| json!({"layer": l.layer, "text": l.text}))
        .collect();
    let offered: Vec<Json> = request
        .tools
        .offered
        .iter()
        .map(|tool| match tool {
            Offered::Submit { schema } => json!({"name": "submit", "schema": schema}),
            Offered::Shell { profile } => json!({"name": "shell", "profile": profile}),
            Offered::AskOperator => json!({"name": "ask_operator"}),
        })
        .collect();
    json!({
        "type": "request",
        "protocol": PROTOCOL,
        "call": request.call,
        "verb": request.verb.name(),
        "agent": request.agent,
        "attempt": request.attempt,
        "system": system,
        "inherit": request.inherit,
        "prompt": request.prompt,
        "cwd": request.cwd,
        "session": {"id": request.session.id, "resume": request.session.resume},
        "model": request.model,
        "effort": request.effort,
        "effect": request.effect.name(),
        "write_mode": if request.read_only { "read_only" } else { "" },
        "posture": match request.posture {
            Posture::Enforced => "enforced",
            Posture::Open => "open",
        },
        "tools": {"own": request.tools.own, "denied": request.tools.denied, "offered": offered},
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    use crate::agents::ToolResult;
    use crate::environment::Environment;

    /// Takes what has an `a`.
    #[derive(Default)]
    struct Values(Mutex<Option<Json>>);

    impl Desk for Values {
        fn say(&self, _: &str) {}

        fn used(&self, _: &str, _: &Json) {}

        fn call(&self, _: &str, input: &Json) -> ToolResult {
            let ok = input.get("a").is_some();
            if ok {
                *self.0.lock().unwrap() = Some(input.clone());
            }
            let text = if ok { "taken" } else { "`a` is missing" }.to_owned();
            ToolResult { ok, text }
        }
    }

    fn run(script: &str) -> (Result<End, RunFault>, Option<Json>) {
        let request = Request {
            cwd: "/".into(),
            prompt: "Well?".to_owned(),
            environment: Environment::process(),
            ..Request::default()
        };
        let desk = Values::default();
        let program = LineProgram::new("bash").args(["-c", script]);
        let end = program.run(&request, &desk, &Cancel::new());
        (end, desk.0.into_inner().unwrap())
    }

    #[test]
    fn a_run_hands_in_a_value_and_ends() {
        let script = r#"
read request
case $request in *'"prompt":"Well?"'*) ;; *) exit 9;; esac
echo noise
echo '{"type": "unknown"}'
echo '{"type": "call", "id": "c1", "tool": "submit", "input": {}}'
read refused
echo '{"type": "call", "id": "c2", "tool": "submit", "input": {"a": 1}}'
read taken
case "$refused$taken" in *'"id":"c1","ok":false'*'"id":"c2","ok":true'*) ;; *) exit 8;; esac
echo '{"type": "end", "text": "Done.", "session": "s", "usage": {"input": 9}, "cost": 0.5}'
"#;
        let (end, value) = run(script);
        let end = end.unwrap();
        assert_eq!(
            (end.text.as_str(), end.session.as_deref(), end.cost),
            ("Done.", Some("s"), Some(0.5))
        );
        assert_eq!((end.usage.input, value), (9, Some(json!({"a": 1}))));
    }

    #[test]
    fn every_other_end_is_a_failure() {
        let end = r#"echo '{"type": "end", "text": "bye"}'"#;
        for (script, want) in [
            ("exit 64".to_owned(), "does not speak protocol 1"),
            ("exit 3".to_owned(), "ended with status 3"),
            ("true".to_owned(), "ended without telling so"),
            (format!("{end}; echo oops >&2; exit 1"), "oops"),
            (format!("{end}; exit 1"), "bye"),
            (format!("{end}; echo '{{}}'"), "bye"),
            ("kill -9 $$".to_owned(), "ended by a signal"),
            (
                r#"echo '{"type": "end", "text": "no", "is_error": true}'"#.to_owned(),
                "no",
            ),
        ] {
            let fault = run(&script).0.unwrap_err();
            assert!(fault.to_string().contains(want), "{script}: {fault}");
        }
    }

    #[test]
    fn a_missing_program_is_told_apart() {
        let request = Request {
            cwd: "/".into(),
            ..Request::default()
        };
        let fault = LineProgram::new("/no/such").run(&request, &Values::default(), &Cancel::new());
        assert!(matches!(fault, Err(RunFault::Missing(_))));
    }
}
