//! The agents of a compiled story as the handlers want them, and what is written down about their calls.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use kitsoki_expr::{Env, Map, Value, parse_p_file};
use kitsoki_hosts::agents::shell::Profile;
use kitsoki_hosts::agents::{Agent, AgentBackend, Desk, End, Layer, Listener, Offered, Request, RunFault};
use kitsoki_hosts::cancel::Cancel;
use kitsoki_hosts::{Effect, Environment, value};
use kitsoki_ir::agent::BashProfile;
use kitsoki_runtime::{Event, Program};
use serde_json::{Value as Json, json};

use super::{locked, text};

/// What every run is told first.
const BASE: &str =
    "You are called by a story that runs in kitsoki. Do what you are asked here and nothing else; answer plainly.";

/// The layers that every run begins with.
pub fn layers(program: &Program) -> Vec<Layer> {
    let mut out = vec![Layer {
        layer: "base",
        text: base(Path::new(program.story.dir.as_str())).unwrap_or_else(|| BASE.to_owned()),
    }];
    let project = program.story.app.context.trim();
    if !project.is_empty() {
        out.push(Layer {
            layer: "project",
            text: project.to_owned(),
        });
    }
    out
}

/// The project's own base layer: the nearest `.kitsoki/system-prompt.md` upwards from the story.
fn base(story: &Path) -> Option<String> {
    let story = std::path::absolute(story).ok()?;
    let mut files = story.ancestors().map(|f| f.join(".kitsoki/system-prompt.md"));
    let file = files.find(|f| f.is_file())?;
    std::fs::read_to_string(file).ok()
}

/// The agents of a story, their personas rendered for a call.
pub fn declared(program: &Program, args: &Map, world: &Map, environment: &Environment) -> BTreeMap<String, Agent> {
    let all = program.story.agents.pairs().map(|(_, a)| a);
    all.map(|a| {
        let owned = |all: &[smol_str::SmolStr]| all.iter().map(ToString::to_string).collect();
        let shell = a.bash_profile.as_ref().map(|p| match p {
            BashProfile::ReadOnly => Profile::ReadOnly,
            BashProfile::Commands(all) => Profile::Commands(owned(all)),
            BashProfile::SandboxedWrite(folder) => Profile::SandboxedWrite(folder.to_string()),
        });
        let agent = Agent {
            name: a.name.to_string(),
            system_prompt: persona(&a.system_prompt, &a.prompt_file, args, world),
            tools: owned(&a.tools),
            denied: owned(&a.disallowed_tools),
            effect: Some(effect(a.effect)),
            model: a.model.to_string(),
            effort: a.effort.to_string(),
            cwd: expanded(&a.cwd, environment),
            shell,
            inherit: a.inherit_claude_default,
        };
        (a.name.to_string(), agent)
    })
    .collect()
}

/// The class in the handlers' words.
pub fn effect(class: kitsoki_ir::EffectClass) -> Effect {
    match class {
        kitsoki_ir::EffectClass::Pure => Effect::Pure,
        kitsoki_ir::EffectClass::Read => Effect::Read,
        kitsoki_ir::EffectClass::Write => Effect::Write,
        kitsoki_ir::EffectClass::External => Effect::External,
    }
}

/// The persona with the world in it; one that cannot be rendered is given as it stands.
fn persona(own: &str, file: &str, args: &Map, world: &Map) -> String {
    let source = if own.is_empty() && !file.is_empty() {
        std::fs::read_to_string(file).unwrap_or_default()
    } else {
        own.to_owned()
    };
    let (template, faults) = parse_p_file(&source);
    if !faults.is_empty() {
        return source;
    }
    let mut env = Env::default().with_args(args.clone());
    env.world = Some(world.clone());
    template.render_file(&env, None).unwrap_or(source)
}

/// `$NAME` and `${NAME}` in a path.
fn expanded(path: &str, environment: &Environment) -> String {
    let mut out = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let braced = after.strip_prefix('{').and_then(|a| a.split_once('}'));
        let (name, behind) = braced.unwrap_or_else(|| {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            after.split_at(end.unwrap_or(after.len()))
        });
        out.push_str(environment.get(name).unwrap_or_default());
        rest = behind;
    }
    out + rest
}

/// Stands before the back end and writes down what passes.
pub struct Recorder {
    inner: Arc<dyn AgentBackend>,
    state: Mutex<Recorded>,
}

#[derive(Default)]
struct Recorded {
    first: Option<(Request, Instant)>,
    ends: Vec<Result<End, RunFault>>,
    streamed: Vec<Event>,
}

impl Recorder {
    /// Before a back end, for one call.
    pub fn new(inner: Arc<dyn AgentBackend>) -> Self {
        Self {
            inner,
            state: Mutex::default(),
        }
    }

    /// What the runs of the call cost together, in US dollars.
    pub fn cost(&self) -> f64 {
        let state = locked(&self.state);
        state.ends.iter().flatten().filter_map(|e| e.cost).sum()
    }

    /// The events of the call; `data` and `error` are how its handler ended.
    pub fn events(&self, data: Option<&kitsoki_hosts::Data>, error: Option<&str>) -> Vec<Event> {
        let state = locked(&self.state);
        let Some((request, since)) = &state.first else {
            return Vec::new();
        };
        let verb = request.verb.name();
        let id = if request.call.is_empty() {
            kitsoki_hosts::agents::session_name()
        } else {
            request.call.clone()
        };
        let tools = |names: Vec<String>| Json::from(names);
        let mut allowed = request.tools.own.clone();
        allowed.extend(request.tools.offered.iter().map(|o| {
            match o {
                Offered::Submit { .. } => "submit",
                Offered::Shell { .. } => "shell",
                Offered::AskOperator => "ask_operator",
            }
            .to_owned()
        }));
        let start = json!({
            "verb": verb, "agent": request.agent, "model": request.model, "effort": request.effort,
            "allowed_tools": tools(allowed), "denied_tools": tools(request.tools.denied.clone()),
            "effect": request.effect.name(), "prompt": request.prompt,
        });
        let mut out = vec![event("agent.call.start", &id, start)];
        out.extend(state.streamed.iter().cloned().map(|mut e| {
            e.call_id = id.as_str().into();
            e
        }));
        let mut end = json!({
            "verb": verb, "agent": request.agent, "model": request.model,
            "duration_ms": u64::try_from(since.elapsed().as_millis()).unwrap_or(0),
        });
        if let Some(meta) = meta(&state.ends) {
            end["meta"] = meta;
        }
        // A question whose program failed has an empty answer; its failure is in `harness.returned`.
        let kind = match error {
            Some(error) if verb != "ask" => {
                end["error"] = error.into();
                "agent.call.error"
            }
            _ => {
                let last = state.ends.iter().rev().find_map(|e| e.as_ref().ok());
                let said = || json!({"text": last.map_or("", |e| e.text.as_str())});
                let submitted = data.and_then(|d| d.get("submitted")).filter(|s| !s.is_null());
                end["response"] = submitted.cloned().unwrap_or_else(said);
                "agent.call.complete"
            }
        };
        out.push(event(kind, &id, end));
        out
    }
}

/// Tokens and dollars of all runs.
fn meta(ends: &[Result<End, RunFault>]) -> Option<Json> {
    let good: Vec<&End> = ends.iter().flatten().collect();
    let sum = |field: fn(&End) -> u64| good.iter().map(|e| field(e)).fold(0, u64::saturating_add);
    let (input, output) = (sum(|e| e.usage.input), sum(|e| e.usage.output));
    let (read, written) = (sum(|e| e.usage.cache_read), sum(|e| e.usage.cache_write));
    let mut out = serde_json::Map::new();
    if input + output > 0 {
        let usage = json!({"input_tokens": input, "output_tokens": output});
        out.insert("usage".into(), usage);
    }
    if read + written > 0 {
        let cache = json!({"read_tokens": read, "creation_tokens": written, "hit": read > 0});
        out.insert("cache".into(), cache);
    }
    let cost: f64 = good.iter().filter_map(|e| e.cost).sum();
    if cost > 0.0 {
        out.insert("cost_usd".into(), cost.into());
    }
    (!out.is_empty()).then(|| Json::Object(out))
}

/// An event of a call; empty texts and lists are left out.
pub fn event(kind: &str, call: &str, payload: Json) -> Event {
    let Json::Object(mut payload) = payload else {
        return Event::new(kind, Map::new());
    };
    payload.retain(|_, v| !(v.as_str() == Some("") || v.as_array().is_some_and(Vec::is_empty)));
    let mut out = Event::new(kind, value::from_data(&payload));
    out.call_id = call.into();
    out
}

impl AgentBackend for Recorder {
    fn run(&self, request: &Request, desk: &dyn Desk, cancel: &Cancel) -> Result<End, RunFault> {
        let first = || (request.clone(), Instant::now());
        locked(&self.state).first.get_or_insert_with(first);
        let end = self.inner.run(request, desk, cancel);
        locked(&self.state).ends.push(end.clone());
        end
    }
}

impl Listener for Recorder {
    fn says(&self, _: &str, said: &str) {
        let mut payload = Map::new();
        payload.insert("type", text("text"));
        payload.insert("text", text(said));
        locked(&self.state).streamed.push(Event::new("agent.stream", payload));
    }

    fn thinks(&self, _: &str, said: &str) {
        let mut payload = Map::new();
        payload.insert("type", text("thinking"));
        payload.insert("text", text(said));
        locked(&self.state).streamed.push(Event::new("agent.stream", payload));
    }

    fn used(&self, _: &str, tool: &str, input: &Json) {
        let mut payload = Map::new();
        payload.insert("tool", Value::text(tool));
        payload.insert("input", value::from_json(input));
        locked(&self.state).streamed.push(Event::new("agent.tool_call", payload));
    }
}
