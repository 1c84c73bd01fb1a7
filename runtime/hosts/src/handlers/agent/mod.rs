//! `host.agent.*`: arguments are checked in the order of the chapter before anything is started (`hosts` 8.4), then one
//! back end is asked. Fixtures answer these calls with stubs; without a back end the call says so.

mod changes;
mod codeact;
mod engage;
mod extract;
pub mod route;

use serde_json::{Value as Json, json};

use crate::agents::acceptance::Acceptance;
use crate::agents::prepare::{self, Parts};
use crate::agents::prompt::Prompt;
use crate::agents::{self, CallDesk, End, Request, RunFault, Session, Verb};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Failure, Kind, data};
use crate::effects::Effect;
pub(super) use codeact::call as codeact;
use engage::engage;
pub(super) use extract::call as extract;

/// How often an agent is engaged for a judgement.
const ENGAGEMENTS: u32 = 3;

/// How often an agent is engaged for a piece of work unless the call says otherwise.
const TASK_RUNS: u32 = 5;

pub(super) fn ask(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let prompt = prepare::required_prompt(call, &args, "prompt_path (or prompt) argument is required")?;
    let agent = prepare::agent(call, &args, false)?;
    let shell = prepare::shell_of(&agent);
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
    let acceptance = Acceptance {
        schema,
        ..Acceptance::default()
    };
    let desk = CallDesk::new(call, &request, acceptance, Some(shell));
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
    let validator = args.get("validator").filter(|v| !v.is_null());
    let acceptance = Acceptance::parse(validator, Some(schema.clone())).map_err(|e| args.wrong(e))?;
    let shell = prepare::shell_of(&agent);
    let parts = Parts {
        verb: Verb::Decide,
        agent,
        prompt,
        schema: Some(schema),
        cautious: false,
    };
    let request = named(prepare::request(call, &args, parts)?);
    let engaged = engage(call, &args, request, acceptance, shell, ENGAGEMENTS)?;
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
    let block = args.get("acceptance");
    let given = block.and_then(|a| a.get("schema")).filter(|s| telling(s));
    let given = given.ok_or_else(|| args.wrong("acceptance.schema is required"))?;
    let schema = prepare::schema(call, &args, given)?;
    let acceptance = Acceptance::parse(block, Some(schema.clone())).map_err(|e| args.wrong(e))?;
    let runs = acceptance.max_refusals.unwrap_or(TASK_RUNS);
    let prompt = task_prompt(call, &args)?;
    let sandboxed = args.get("sandbox").is_some_and(telling);
    let shell = prepare::shell_of(&agent);
    let parts = Parts {
        verb: Verb::Task,
        agent,
        prompt,
        schema: Some(schema),
        cautious: false,
    };
    let request = named(prepare::request(call, &args, parts)?);
    let replay = match request.effect {
        Effect::External => "external_side_effect",
        _ if sandboxed => "sandboxed_write",
        _ => "file_diff",
    };
    let before = changes::look(call, &request.cwd);
    let folder = request.cwd.clone();
    let engaged = engage(call, &args, request, acceptance, shell, runs)?;
    let changed = changes::since(call, &folder, &before);
    let mut out = data(json!({
        "task_trace_id": engaged.session,
        "files_changed": changed.files,
        "final_diff": changed.diff,
        "replay_mode": replay,
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

/// The prompt of a piece of work: it stands in `context`, or directly in the call. Without one the agent's instructions must
/// say everything.
fn task_prompt(call: &Call<'_>, args: &Arguments<'_>) -> Result<Prompt, Box<Failure>> {
    let mut with = match args.get("context") {
        Some(Json::Object(context)) => context.clone(),
        _ => call.args.clone(),
    };
    if !with.contains_key("args")
        && let Some(outer) = args.get("args")
    {
        with.insert("args".to_owned(), outer.clone());
    }
    let prompt = agents::prompt::of_call(call, &with).map_err(|e| args.wrong(e))?;
    Ok(prompt.unwrap_or(Prompt {
        text: String::new(),
        file: None,
    }))
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
    let id = args.text("chat_id");
    let store = call.context.services.chats.as_ref();
    let chat = match (id, store) {
        ("", _) => None,
        (_, None) => {
            let text = format!("{}: chat_id provided but no chat store wired", args.handler());
            return Err(Failure::domain(Kind::NotConfigured, text));
        }
        (id, Some(store)) => {
            store.get(id).map_err(|e| args.outside(e))?;
            Some((store, id))
        }
    };
    let shell = prepare::shell_of(&agent);
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
    let mut request = named(prepare::request(call, &args, parts)?);
    let resumed = match chat {
        Some((store, id)) => store.session(id),
        None => args.telling("session_id").map(str::to_owned),
    };
    if let Some(id) = resumed {
        request.session = Session { id, resume: true };
    }
    if let Some((store, id)) = chat {
        // A question that fails stays in the conversation: it was asked.
        store
            .append(id, "user", args.raw("question"))
            .map_err(|e| args.outside(e))?;
        store.set_session(id, &request.session.id);
    }
    let desk = CallDesk::new(call, &request, Acceptance::default(), Some(shell));
    let end = run(call, &request, &desk).map_err(|f| failed(&args, f))?;
    let answer = said(&end, &desk);
    let session = end.session.unwrap_or(request.session.id);
    let mut out = data(json!({"answer": answer, "session_id": session}));
    if let Some((store, id)) = chat {
        store.set_session(id, &session);
        let message = store.append(id, "assistant", &answer).map_err(|e| args.outside(e))?;
        out.extend(data(
            json!({"chat_id": id, "claude_session_id": session, "transcript_seq": message.seq}),
        ));
    }
    Ok(out)
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

/// The request with a session of its own, which later runs can resume.
fn named(mut request: Request) -> Request {
    request.session.id = agents::session_name();
    request
}

/// Why a run gave nothing.
enum RunFailed {
    NoBackend,
    Fault(RunFault),
}

fn run(call: &Call<'_>, request: &Request, desk: &CallDesk<'_>) -> Result<End, RunFailed> {
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
fn said(end: &End, desk: &CallDesk<'_>) -> String {
    let narration = desk.take_narration();
    let text = end.text.trim_end_matches(['\n', '\r']);
    if text.is_empty() {
        narration.trim_end_matches(['\n', '\r']).to_owned()
    } else {
        text.to_owned()
    }
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
    fn small_scripts_lead_to_a_result() {
        let snippet = "def main(ctx):\n    return {\"n\": ctx.world.get(\"pots\")}\n";
        let with = json!({
            "agent": "smith",
            "goal": "Count the pots",
            "capabilities": {"world": "read"},
            "world": {"pots": 3},
            "schema": {"required": ["n"]},
            "budget": 4,
        });
        let runs = vec![
            vec![json!({"action": "snippet", "snippet": snippet})],
            vec![json!({"action": "done", "payload": {}})],
            vec![json!({"action": "snippet", "snippet": "def main(ctx):\n    return nope\n"})],
            vec![json!({"action": "done", "payload": {"n": 3}})],
        ];
        let (answer, asked) = ask(runs, "codeact", with, false);
        let answer = answer.unwrap();
        assert_eq!(
            (&answer["terminated"], &answer["payload"]),
            (&json!("done"), &json!({"n": 3}))
        );
        assert_eq!(answer["steps"][0]["observation"], json!({"n": 3}));
        assert!(asked[1].prompt.contains("\"n\": 3"), "{}", asked[1].prompt);
        assert!(asked[2].prompt.contains("`n` is missing"));
        assert!(asked[3].prompt.contains("nope") && asked[3].session.resume);
    }

    #[test]
    fn a_budget_ends() {
        let with = json!({"agent": "smith", "goal": "g", "budget": 2});
        let (answer, asked) = ask(vec![vec![], vec![], vec![]], "codeact", with, false);
        assert_eq!(
            (answer.unwrap()["terminated"].as_str(), asked.len()),
            (Some("budget_exhausted"), 2)
        );
    }

    #[test]
    fn a_judgement_may_stand_in_a_fence_and_a_command_looks_at_it() {
        let with = json!({"schema": {"type": "object"}, "prompt": "?", "validator": {"post_cmd": "grep lily"}});
        let runs = vec![vec![json!({"why": "rose"})], vec![json!({"why": "lily"})]];
        let (answer, asked) = ask(runs, "decide", with, false);
        assert_eq!(answer.unwrap()["submitted"], json!({"why": "lily"}));
        assert_eq!(asked.len(), 2);
    }

    #[test]
    fn a_chat_goes_on_in_its_session() {
        let script = Arc::new(Script {
            runs: Mutex::new(vec![vec![], vec![]]),
            ..Script::default()
        });
        let chats = Arc::new(crate::services::memory::MemoryChats::default());
        let mut context = Context::bare("/", Environment::empty());
        context.services.agents = Some(Arc::new(Agents {
            backend: Some(script.clone()),
            ..Agents::default()
        }));
        context.services.chats = Some(chats.clone());
        let made = crate::builtins().invoke("host.chat.create", data(json!({"app": "a", "room": "r"})), &context);
        let id = made.unwrap()["chat_id"].clone();
        for seq in [1, 3] {
            let with = data(json!({"question": "q", "chat_id": id}));
            let answer = crate::builtins().invoke("host.agent.converse", with, &context).unwrap();
            assert_eq!(
                (&answer["answer"], &answer["transcript_seq"]),
                (&json!("done"), &json!(seq))
            );
        }
        let asked = script.asked.lock().unwrap();
        assert!(!asked[0].session.resume && asked[1].session.resume);
        assert_eq!(asked[1].session.id, "s1");
    }

    #[test]
    fn data_with_template_marks_reaches_a_prompt_as_it_is() {
        let note = "x {% endraw %}{{ args.what }} {% if";
        let with = json!({"prompt": "p.md", "args": {"what": note}});
        let (_, asked) = ask(vec![vec![]], "ask", with, false);
        assert_eq!(asked[0].prompt, format!("Forge {note}."));
    }

    #[test]
    fn sessions_side_by_side_validate_against_their_own_schema() {
        // Two stories with a file of the same name in which another word is wanted; each is handed both words.
        let session = |word: &str| {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir(folder.path().join("schemas")).unwrap();
            let schema = json!({"type": "object", "required": [word], "properties": {word: {"type": "string"}}, "additionalProperties": false});
            std::fs::write(folder.path().join("schemas/x.json"), schema.to_string()).unwrap();
            folder
        };
        let stories = [session("north"), session("south")];
        let turns = |which: usize| {
            let folder = stories[which].path();
            let mut context = Context::bare(folder, Environment::empty());
            context.story = Some(folder.to_owned());
            let values = || vec![json!({"north": "n"}), json!({"south": "s"})];
            context.services.agents = Some(Arc::new(Agents {
                declared: [("smith".to_owned(), Agent::default())].into(),
                backend: Some(Arc::new(Script {
                    runs: Mutex::new((0..500).map(|_| values()).collect()),
                    ..Script::default()
                })),
                ..Agents::default()
            }));
            let registry = crate::builtins();
            let turn = |_| {
                let with =
                    json!({"agent": "smith", "context": {"prompt": "Go."}, "acceptance": {"schema": "schemas/x.json"}});
                registry.invoke("host.agent.task", data(with), &context).unwrap()["submitted"].clone()
            };
            (0..500).map(turn).collect::<Vec<Json>>()
        };
        let both = std::thread::scope(|scope| {
            let threads = [0, 1].map(|which| scope.spawn(move || turns(which)));
            threads.map(|t| t.join().unwrap())
        });
        assert!(both[0].iter().all(|v| *v == json!({"north": "n"})), "{:?}", both[0][0]);
        assert!(both[1].iter().all(|v| *v == json!({"south": "s"})), "{:?}", both[1][0]);
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
