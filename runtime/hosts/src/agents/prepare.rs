//! From the arguments of an agent verb to a request: the agent, the instructions, the schema, the tools, the folder.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value as Json;

use super::backend::{AgentBackend, Layer, Offered, Request, Tools, Verb};
use super::desk::Listener;
use super::gate::WriteGate;
use super::prompt::{self, Prompt};
use super::shell::Profile;
use super::toolbox::{self, Given};
use crate::arguments::Arguments;
use crate::call::{Call, Failure, Kind};
use crate::effects::Effect;
use crate::place;

/// An agent that the story declares.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// Its persona, rendered.
    pub system_prompt: String,
    /// Its tools.
    pub tools: Vec<String>,
    /// Tools that it refuses.
    pub denied: Vec<String>,
    /// Its class, when declared.
    pub effect: Option<Effect>,
    /// Its model.
    pub model: String,
    /// Its effort.
    pub effort: String,
    /// Its working folder.
    pub cwd: String,
    /// The profile of its guarded shell; absent for reading programs only.
    pub shell: Option<Profile>,
    /// Whether the persona is added to the program's own instructions.
    pub inherit: bool,
}

/// The agents of a story and who runs them.
#[derive(Clone, Default)]
pub struct Agents {
    /// By name.
    pub declared: BTreeMap<String, Agent>,
    /// Who runs them; absent when every call is answered by a stub.
    pub backend: Option<Arc<dyn AgentBackend>>,
    /// The layers that every run begins with: what this engine is, what the project is.
    pub layers: Vec<Layer>,
    /// Whether the dispatching room allows changes only after a question.
    pub read_only: bool,
    /// The gate of the session. Without one whatever a read-only room guards is denied.
    pub gate: Option<Arc<WriteGate>>,
    /// Who is told what agents say and do.
    pub listener: Option<Arc<dyn Listener>>,
    /// The model of the session's profile; wins over an agent's.
    pub model: String,
    /// The effort of the session's profile; wins over an agent's.
    pub effort: String,
}

/// The largest schema, in bytes.
const MAX_SCHEMA: u64 = 4 << 20;

/// A failure that no other model or effort can mend.
fn fatal(args: &Arguments<'_>, why: impl std::fmt::Display) -> Box<Failure> {
    args.wrong(why)
}

/// The agent of a call.
///
/// # Errors
///
/// The verb needs one and the call names none, or the story declares none of that name.
pub fn agent(call: &Call<'_>, args: &Arguments<'_>, required: bool) -> Result<Agent, Box<Failure>> {
    let name = args.text("agent");
    let mut agent = match (name, required) {
        ("", true) => {
            return Err(fatal(
                args,
                "agent: argument is required; name an agent of the story's agents block",
            ));
        }
        ("", false) => Agent::default(),
        (name, _) => {
            let agents = call.context.services.agents.as_ref();
            match agents.and_then(|a| a.declared.get(name)) {
                Some(agent) => agent.clone(),
                None => {
                    let name = crate::plain::quoted(name);
                    return Err(fatal(
                        args,
                        format!("unknown agent {name}; the story's agents block has none of that name"),
                    ));
                }
            }
        }
    };
    for (key, field) in [
        ("system_prompt", &mut agent.system_prompt),
        ("model", &mut agent.model),
        ("effort", &mut agent.effort),
        ("working_dir", &mut agent.cwd),
    ] {
        if let Some(given) = args.telling(key) {
            given.clone_into(field);
        }
    }
    if args.get("tools").is_some_and(Json::is_array) {
        agent.tools = args.texts("tools").into_iter().map(str::to_owned).collect();
    }
    Ok(agent)
}

/// A schema: a mapping, JSON text, or a file of the story.
///
/// # Errors
///
/// The file is missing or is no JSON.
pub fn schema(call: &Call<'_>, args: &Arguments<'_>, given: &Json) -> Result<Json, Box<Failure>> {
    let text = match given {
        Json::Object(_) => return Ok(given.clone()),
        Json::String(text) => text.trim(),
        _ => return Err(fatal(args, "schema must be a file of the story or a mapping")),
    };
    if text.starts_with('{') {
        return serde_json::from_str(text).map_err(|e| fatal(args, format!("schema: {e}")));
    }
    let folders = call.context.overlays.iter().cloned().chain(call.context.story_folder());
    let candidates = folders.chain([call.context.current.clone()]).map(|f| f.join(text));
    let Some(path) = candidates.into_iter().find(|p| p.is_file()) else {
        return Err(fatal(
            args,
            format!("schema file {} not found", crate::plain::quoted(text)),
        ));
    };
    let source =
        place::read_text(&path, MAX_SCHEMA).map_err(|e| fatal(args, format!("schema: {}", place::words(&e))))?;
    serde_json::from_str(&source).map_err(|e| fatal(args, format!("schema {}: {e}", path.display())))
}

/// What a verb puts together.
pub struct Parts {
    /// The verb.
    pub verb: Verb,
    /// The agent.
    pub agent: Agent,
    /// The prompt.
    pub prompt: Prompt,
    /// The wanted value's schema, if one is wanted.
    pub schema: Option<Json>,
    /// Whether the verb's permission word asks for the enforced posture.
    pub cautious: bool,
}

/// One sentence about the verb: the part of the instructions that never changes from call to call.
fn about(verb: Verb) -> &'static str {
    match verb {
        Verb::Ask => "Answer the question. Change nothing.",
        Verb::Decide => "Judge what you are shown and hand your judgement in with the tool `submit`. Change nothing.",
        Verb::Task => "Do the work, then hand its result in with the tool `submit`.",
        Verb::Extract => "Find the wanted value in the text and hand it in with the tool `submit`.",
        Verb::Converse => "You are in a conversation with a person.",
        Verb::Codeact => "Work towards the goal with small scripts.",
        Verb::Route => "Find out which of the intents the person means and hand it in with the tool `submit`.",
        Verb::Structured => "Hand your answer in with the tool `submit`.",
    }
}

/// The profile of an agent's guarded shell.
pub fn shell_of(agent: &Agent) -> Profile {
    agent.shell.clone().unwrap_or(Profile::ReadOnly)
}

/// The request of a call's first run.
///
/// # Errors
///
/// The working folder does not exist.
pub fn request(call: &Call<'_>, args: &Arguments<'_>, parts: Parts) -> Result<Request, Box<Failure>> {
    let Parts {
        verb,
        agent,
        prompt,
        schema,
        cautious,
    } = parts;
    let none = Agents::default();
    let agents = call.context.services.agents.as_deref().unwrap_or(&none);
    let toolbox = toolbox::join(&Given {
        verb,
        tools: &agent.tools,
        refused: &agent.denied,
        declared: agent.effect,
        read_only: agents.read_only,
        cautious,
        walled: args.text("permission_mode") == "denyAll",
    });
    let layer = |layer: &'static str, text: &str| Layer {
        layer,
        text: text.to_owned(),
    };
    let mut system = agents.layers.clone();
    system.push(layer("verb", about(verb)));
    if !agent.system_prompt.is_empty() {
        system.push(layer("persona", &agent.system_prompt));
    }
    if agent.tools.is_empty() && matches!(verb, Verb::Ask | Verb::Decide) {
        system.push(layer("tools", "You have no tools but those named here."));
    }
    if let Some(room) = args.telling("room_context").filter(|_| verb == Verb::Converse) {
        system.push(layer("room", room));
    }
    let mut offered = Vec::new();
    offered.extend(schema.map(|schema| Offered::Submit { schema }));
    if toolbox.guarded_shell {
        offered.push(Offered::Shell {
            profile: shell_of(&agent).name().to_owned(),
        });
    }
    if agents.gate.as_ref().is_some_and(|g| g.operator().is_some()) && verb != Verb::Extract {
        offered.push(Offered::AskOperator);
    }
    let or = |first: &str, second: String| if first.is_empty() { second } else { first.to_owned() };
    Ok(Request {
        call: args.text("call").to_owned(),
        verb,
        agent: agent.name.clone(),
        attempt: 1,
        system,
        inherit: agent.inherit,
        cwd: folder(call, args, &agent, verb, &prompt)?,
        prompt: prompt.text,
        session: super::Session::default(),
        model: or(&agents.model, agent.model),
        effort: or(args.text("effort"), or(&agents.effort, agent.effort)),
        effect: toolbox.effect,
        read_only: agents.read_only,
        posture: toolbox.posture,
        tools: Tools {
            own: toolbox.allowed,
            denied: toolbox.denied,
            offered,
        },
        environment: call.context.environment.clone().with_own_folder(),
    })
}

/// The working folder: of the call, of the agent, for a question that of its prompt file, else the current one.
fn folder(
    call: &Call<'_>,
    args: &Arguments<'_>,
    agent: &Agent,
    verb: Verb,
    prompt: &Prompt,
) -> Result<PathBuf, Box<Failure>> {
    let of_prompt = prompt
        .file
        .as_ref()
        .and_then(|f| f.parent())
        .filter(|_| verb == Verb::Ask);
    let folder = match (agent.cwd.as_str(), of_prompt) {
        ("", Some(folder)) => folder.to_owned(),
        (cwd, _) => call.context.path(cwd),
    };
    if folder.is_dir() {
        return Ok(folder);
    }
    let text = format!("{}: working folder {} does not exist", args.handler(), folder.display());
    Err(Failure::domain(Kind::Outside, text))
}

/// The prompt of a call that needs one.
///
/// # Errors
///
/// There is none, or its file cannot be read or rendered.
pub fn required_prompt(call: &Call<'_>, args: &Arguments<'_>, missing: &str) -> Result<Prompt, Box<Failure>> {
    let prompt = prompt::of_call(call, args.map()).map_err(|e| fatal(args, e))?;
    prompt.ok_or_else(|| fatal(args, missing))
}
