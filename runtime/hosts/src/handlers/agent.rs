//! `host.agent.*`: arguments are checked in the order of the chapter before anything is started (`hosts` 8.4), then one
//! back end is asked. Fixtures answer these calls with stubs; without a back end the call says so.

use serde_json::{Value as Json, json};

use crate::agents::prepare::{self, Collector, Parts};
use crate::agents::prompt::Prompt;
use crate::agents::{self, End, Request, RunFault, Session, Verb};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Failure, Kind, data};

/// How often an agent is engaged for a judgement, and for a value out of a text.
const ENGAGEMENTS: u32 = 3;

/// How often an agent is engaged for a piece of work unless the call says otherwise.
const TASK_RUNS: u32 = 5;

pub(super) fn ask(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let prompt = prepare::required_prompt(call, &args, "prompt_path (or prompt) argument is required")?;
    let agent = prepare::agent(call, &args, false)?;
    let schema = args.get("schema").filter(|s| telling(s));
    let schema = schema.map(|s| prepare::schema(call, &args, s)).transpose()?;
    let parts = Parts {
        verb: Verb::Ask,
        agent,
        prompt,
        schema: schema.clone(),
        cautious: false,
    };
    let request = prepare::request(call, &args, parts)?;
    let desk = Collector::new(schema);
    let end = run(call, &request, &desk).map_err(|f| failed(&args, f))?;
    let mut out = data(json!({"stdout": said(&end, &desk), "exit_code": 0, "ok": true}));
    if let Some(value) = desk.value() {
        out.insert("submitted".to_owned(), value);
    }
    Ok(out)
}

pub(super) fn decide(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let given = args.get("schema").filter(|s| telling(s));
    let given = given.ok_or_else(|| args.wrong("schema: argument is required"))?;
    let prompt = prepare::required_prompt(call, &args, "prompt: or prompt_path: argument is required")?;
    let agent = prepare::agent(call, &args, false)?;
    let schema = prepare::schema(call, &args, given)?;
    let parts = Parts {
        verb: Verb::Decide,
        agent,
        prompt,
        schema: Some(schema.clone()),
        cautious: false,
    };
    let request = prepare::request(call, &args, parts)?;
    let engaged = engage(call, &args, request, schema, ENGAGEMENTS)?;
    let mut out = data(json!({
        "rationale": engaged.text,
        "exit_code": 0,
        "ok": engaged.fault.is_none(),
        "claude_session_id": engaged.session,
    }));
    match (engaged.value, engaged.fault) {
        (Some(value), fault) => {
            out.insert("submitted".to_owned(), value);
            match fault {
                // A value that was handed in before a fault is kept beside the error.
                Some(fault) => Err(failed(&args, fault).with(out)),
                None => Ok(out),
            }
        }
        (None, Some(fault)) => Err(failed(&args, fault)),
        (None, None) => {
            let text = format!(
                "{}: no value after {ENGAGEMENTS} attempt(s){}",
                args.handler(),
                engaged.refusal
            );
            Err(Failure::domain(Kind::Capability, text))
        }
    }
}

pub(super) fn task(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let agent = prepare::agent(call, &args, true)?;
    let acceptance = args.get("acceptance").and_then(Json::as_object);
    let given = acceptance.and_then(|a| a.get("schema")).filter(|s| telling(s));
    let given = given.ok_or_else(|| args.wrong("acceptance.schema is required"))?;
    let runs = acceptance.and_then(|a| a.get("max_retries")).and_then(Json::as_f64);
    let runs = match runs {
        None => TASK_RUNS,
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates"
        )]
        Some(n) => (n as u32).clamp(1, 50),
    };
    // The prompt stands in `context`, or directly in the call.
    let inner = args.get("context").and_then(Json::as_object).cloned();
    let nested = inner.unwrap_or_else(|| call.args.clone());
    let with = Arguments::of(&Call { args: &nested, ..*call }).map().clone();
    let prompt = agents::prompt::of_call(call, &with).map_err(|e| args.wrong(e))?;
    let prompt = prompt.unwrap_or(Prompt {
        text: String::new(),
        file: None,
    });
    let schema = prepare::schema(call, &args, given)?;
    let parts = Parts {
        verb: Verb::Task,
        agent,
        prompt,
        schema: Some(schema.clone()),
        cautious: false,
    };
    let request = prepare::request(call, &args, parts)?;
    let engaged = engage(call, &args, request, schema, runs)?;
    let mut out = data(json!({
        "task_trace_id": engaged.session,
        "files_changed": [],
        "final_diff": "",
        "replay_mode": "file_diff",
    }));
    match engaged.value {
        Some(value) => {
            out.insert("submitted".to_owned(), value);
            Ok(out)
        }
        None => {
            let text = format!(
                "{}: acceptance failed after {runs} attempt(s){}",
                args.handler(),
                engaged.refusal
            );
            Err(Failure::domain(Kind::Capability, text).with(out))
        }
    }
}

pub(super) fn extract(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    if !args.get("schema").is_some_and(telling) {
        return Err(args.missing("schema"));
    }
    if args.get("resolvers").and_then(Json::as_array).is_none_or(Vec::is_empty) {
        let out = data(json!({"submitted": null, "resolved_by": "no_match"}));
        return Err(args.wrong("no resolvers declared and no match").with(out));
    }
    Err(agents::no_backend(call.handler))
}

pub(super) fn converse(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    args.required("question")?;
    let cautious = match args.text("permission_mode") {
        "" | "bypassPermissions" => false,
        "ask" | "denyAll" => true,
        other => {
            let shown = crate::plain::quoted(other);
            return Err(args.wrong(format!(
                "unknown permission_mode {shown}; there are ask, bypassPermissions, denyAll"
            )));
        }
    };
    let agent = prepare::agent(call, &args, false)?;
    let chat = args.text("chat_id");
    let store = call.context.services.chats.as_ref();
    if !chat.is_empty() {
        let Some(store) = store else {
            let text = format!("{}: chat_id provided but no chat store wired", args.handler());
            return Err(Failure::domain(Kind::NotConfigured, text));
        };
        store.get(chat).map_err(|e| args.outside(e))?;
    }
    let parts = Parts {
        verb: Verb::Converse,
        agent,
        prompt: Prompt {
            text: args.raw("question").to_owned(),
            file: None,
        },
        schema: None,
        cautious,
    };
    let mut request = prepare::request(call, &args, parts)?;
    if let Some(id) = args.telling("session_id") {
        request.session = Session {
            id: id.to_owned(),
            resume: true,
        };
    }
    let chat = store.filter(|_| !chat.is_empty()).map(|s| (s, chat));
    if let Some((store, id)) = chat {
        // A question that fails stays in the conversation: it was asked.
        store
            .append(id, "user", args.raw("question"))
            .map_err(|e| args.outside(e))?;
    }
    let desk = Collector::new(None);
    let end = run(call, &request, &desk).map_err(|f| failed(&args, f))?;
    let answer = said(&end, &desk);
    let session = end.session.unwrap_or(request.session.id);
    let mut out = data(json!({"answer": answer, "session_id": session}));
    if let Some((store, id)) = chat {
        let message = store.append(id, "assistant", &answer).map_err(|e| args.outside(e))?;
        out.extend(data(
            json!({"chat_id": id, "claude_session_id": session, "transcript_seq": message.seq}),
        ));
    }
    Ok(out)
}

pub(super) fn codeact(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    prepare::agent(call, &args, true)?;
    if args.telling("goal").is_none() {
        return Err(args.wrong("goal: argument is required"));
    }
    kitsoki_starlark::capabilities::Capabilities::parse(
        args.get("capabilities").map(kitsoki_starlark::Data::from_json).as_ref(),
    )
    .map_err(|e| args.wrong(format!("capabilities: {e}")))?;
    Err(agents::no_backend(call.handler))
}

pub(super) fn search(call: &Call<'_>) -> Answer {
    let text = format!("{}: no embedder configured in this session", call.handler);
    Err(Failure::domain(Kind::NotConfigured, text))
}

fn telling(json: &Json) -> bool {
    match json {
        Json::Null => false,
        Json::String(text) => !text.trim().is_empty(),
        _ => true,
    }
}

/// Why a run gave nothing.
enum RunFailed {
    NoBackend,
    Fault(RunFault),
}

fn run(call: &Call<'_>, request: &Request, desk: &Collector) -> Result<End, RunFailed> {
    let agents = call.context.services.agents.as_ref();
    let backend = agents.and_then(|a| a.backend.as_ref()).ok_or(RunFailed::NoBackend)?;
    backend
        .run(request, desk, &call.context.cancel)
        .map_err(RunFailed::Fault)
}

fn failed(args: &Arguments<'_>, failed: RunFailed) -> Box<Failure> {
    match failed {
        RunFailed::NoBackend => agents::no_backend(args.handler()),
        RunFailed::Fault(RunFault::Cancelled) => {
            Failure::infra(Kind::Cancelled, format!("{}: cancelled", args.handler()))
        }
        RunFailed::Fault(fault) => args.outside(fault),
    }
}

/// The reply: the final text, else what was said on the way.
fn said(end: &End, desk: &Collector) -> String {
    let text = end.text.trim_end_matches(['\n', '\r']);
    if text.is_empty() {
        desk.narration().trim_end_matches(['\n', '\r']).to_owned()
    } else {
        text.to_owned()
    }
}

/// What came of several engagements.
struct Engaged {
    value: Option<Json>,
    text: String,
    session: String,
    fault: Option<RunFailed>,
    /// The last reason for a refusal, as the end of a message.
    refusal: String,
}

/// Engages an agent until it has handed in a value, resuming its session with a reminder that quotes the last refusal.
fn engage(
    call: &Call<'_>,
    args: &Arguments<'_>,
    mut request: Request,
    schema: Json,
    runs: u32,
) -> Result<Engaged, Box<Failure>> {
    let desk = Collector::new(Some(schema));
    let mut out = Engaged {
        value: None,
        text: String::new(),
        session: String::new(),
        fault: None,
        refusal: String::new(),
    };
    for attempt in 1..=runs {
        request.attempt = attempt;
        let ended = run(call, &request, &desk);
        out.fault = None;
        match ended {
            Ok(end) => {
                out.text = said(&end, &desk);
                if let Some(session) = end.session {
                    request.session.id = session;
                }
            }
            Err(RunFailed::NoBackend) => return Err(agents::no_backend(call.handler)),
            Err(RunFailed::Fault(fault @ (RunFault::Cancelled | RunFault::Missing(_)))) => {
                let kind = if fault == RunFault::Cancelled {
                    Kind::Cancelled
                } else {
                    Kind::Outside
                };
                return Err(Failure::infra(kind, format!("{}: {fault}", args.handler())));
            }
            Err(fault) => out.fault = Some(fault),
        }
        out.session.clone_from(&request.session.id);
        out.value = desk.value();
        let refusal = desk.last_refusal();
        out.refusal = if refusal.is_empty() {
            String::new()
        } else {
            format!(": {refusal}")
        };
        if out.value.is_some() {
            return Ok(out);
        }
        request.session.resume = true;
        request.prompt = reminder(&out, &refusal);
    }
    Ok(out)
}

fn reminder(so_far: &Engaged, refusal: &str) -> String {
    let mut text = "You have not handed in a value. Hand it in now with the tool `submit`.".to_owned();
    if let Some(RunFailed::Fault(fault)) = &so_far.fault {
        text.push_str(&format!(
            " Your last run ended with a failure: {}",
            crate::plain::message(&fault.to_string())
        ));
    }
    if !refusal.is_empty() {
        text.push_str(&format!(" The last value was refused: {refusal}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::agents::{Agent, AgentBackend, Agents, Desk, Offered, Posture};
    use crate::cancel::Cancel;
    use crate::context::Context;
    use crate::environment::Environment;

    /// A back end that hands in prepared values, one list per run.
    #[derive(Default)]
    struct Script {
        runs: Mutex<Vec<Vec<Json>>>,
        asked: Mutex<Vec<Request>>,
    }

    impl AgentBackend for Script {
        fn run(&self, request: &Request, desk: &dyn Desk, _: &Cancel) -> Result<End, RunFault> {
            self.asked.lock().unwrap().push(request.clone());
            let mut runs = self.runs.lock().unwrap();
            if runs.is_empty() {
                return Err(RunFault::Failed("\u{1b}[31mstatus 1".to_owned()));
            }
            for value in runs.remove(0) {
                desk.call("submit", &value);
            }
            Ok(End {
                text: "done\n".to_owned(),
                session: Some("s1".to_owned()),
                ..End::default()
            })
        }
    }

    fn ask(runs: Vec<Vec<Json>>, verb: &str, with: Json, read_only: bool) -> (Answer, Vec<Request>) {
        let script = Arc::new(Script {
            runs: Mutex::new(runs),
            ..Script::default()
        });
        let agent = Agent {
            name: "smith".to_owned(),
            system_prompt: "You forge.".to_owned(),
            tools: vec!["host.Read".to_owned(), "host.Bash".to_owned()],
            ..Agent::default()
        };
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("p.md"), "Forge {{ args.what }}.").unwrap();
        let mut context = Context::bare(folder.path(), Environment::empty());
        context.story = Some(folder.path().to_owned());
        context.services.agents = Some(Arc::new(Agents {
            declared: [("smith".to_owned(), agent)].into(),
            backend: Some(script.clone()),
            read_only,
            ..Agents::default()
        }));
        let answer = crate::builtins().invoke(&format!("host.agent.{verb}"), data(with), &context);
        let asked = script.asked.lock().unwrap().clone();
        (answer, asked)
    }

    #[test]
    fn a_task_is_reminded_until_its_value_fits() {
        let with = json!({
            "agent": "smith",
            "acceptance": {"schema": {"type": "object", "required": ["a"]}},
            "context": {"prompt": "p.md", "args": {"what": "a nail"}},
        });
        let runs = vec![vec![json!({})], vec![], vec![json!({"a": 1})]];
        let (answer, asked) = ask(runs, "task", with, false);
        assert_eq!(answer.unwrap()["submitted"], json!({"a": 1}));
        assert_eq!(asked.len(), 3);
        assert_eq!(asked[0].prompt, "Forge a nail.");
        assert!(asked[1].prompt.contains("`a` is missing") && asked[1].session.resume);
        assert_eq!((asked[2].attempt, asked[2].session.id.as_str()), (3, "s1"));
    }

    #[test]
    fn a_read_only_room_offers_a_guarded_shell_in_place_of_the_own_one() {
        let with = json!({"agent": "smith", "acceptance": {"schema": {}}, "prompt": "x"});
        let (_, asked) = ask(vec![vec![json!({})]], "task", with.clone(), true);
        assert_eq!(asked[0].posture, Posture::Enforced);
        assert!(asked[0].tools.denied.contains(&"Bash".to_owned()));
        assert!(matches!(asked[0].tools.offered[1], Offered::Shell { .. }));
        let (_, asked) = ask(vec![vec![json!({})]], "task", with, false);
        assert_eq!((asked[0].posture, asked[0].tools.own.len()), (Posture::Open, 2));
    }

    #[test]
    fn a_judgement_without_a_value_is_an_error() {
        let with = json!({"schema": {"type": "object"}, "prompt": "Is it?"});
        let (answer, asked) = ask(vec![vec![], vec![], vec![]], "decide", with, false);
        assert_eq!(asked.len(), 3);
        let failure = answer.unwrap_err();
        assert_eq!(failure.kind, Kind::Capability);
        assert!(failure.message.contains("no value after 3 attempt(s)"));
    }

    #[test]
    fn a_failing_program_is_quoted_without_its_colours() {
        let (answer, _) = ask(vec![], "ask", json!({"prompt": "Why?"}), false);
        assert_eq!(answer.unwrap_err().message, "host.agent.ask: status 1");
    }

    #[test]
    fn an_answer_is_the_final_text() {
        let (answer, asked) = ask(
            vec![vec![]],
            "ask",
            json!({"prompt": "p.md", "args": {"what": "it"}}),
            false,
        );
        assert_eq!(
            answer.unwrap(),
            data(json!({"stdout": "done", "exit_code": 0, "ok": true}))
        );
        assert_eq!(asked[0].prompt, "Forge it.");
        assert_eq!(asked[0].effect, crate::Effect::Read);
    }
}
