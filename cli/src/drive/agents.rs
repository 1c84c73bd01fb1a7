//! The agents of a compiled story as the handlers want them, and what is written down about their calls.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use kitsoki_expr::{Env, Map, Value, parse_p_file};
use kitsoki_hosts::agents::shell::Profile;
use kitsoki_hosts::agents::{
    Agent, AgentBackend, Desk, End, Layer, Listener, Offered, Request, RunFault, ToolResult, Verb,
};
use kitsoki_hosts::cancel::Cancel;
use kitsoki_hosts::{Effect, Environment, value};
use kitsoki_ir::agent::{BashProfile, Provider};
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
        let provider = provider(program, &a.provider);
        let or = |own: &str, other: Option<&str>| {
            let text = if own.is_empty() { other.unwrap_or_default() } else { own };
            text.to_owned()
        };
        let agent = Agent {
            name: a.name.to_string(),
            system_prompt: persona(&a.system_prompt, &a.prompt_file, args, world),
            tools: owned(&a.tools),
            denied: owned(&a.disallowed_tools),
            effect: Some(effect(a.effect)),
            model: or(&a.model, provider.map(|p| p.model.as_str())),
            effort: or(&a.effort, provider.map(|p| p.effort.as_str())),
            cwd: expanded(&a.cwd, environment),
            shell,
            inherit: a.inherit_claude_default,
        };
        (a.name.to_string(), agent)
    })
    .collect()
}

/// A provider of the story by its name.
fn provider<'p>(program: &'p Program, name: &str) -> Option<&'p Provider> {
    program
        .story
        .providers
        .iter()
        .find(|p| !name.is_empty() && p.name == name)
}

/// The variables that the provider of a call's agent adds.
pub fn variables(program: &Program, args: &Map, environment: Environment) -> Environment {
    let name = args.get("agent").and_then(Value::as_str).unwrap_or_default();
    let agent = program.names.agent(name).and_then(|id| program.story.agents.get(id));
    let Some(provider) = agent.and_then(|a| provider(program, &a.provider)) else {
        return environment;
    };
    let add = |env: Environment, (name, given): &(smol_str::SmolStr, smol_str::SmolStr)| {
        let given = expanded(given, &env);
        env.with(name.as_str(), given)
    };
    provider.env.iter().fold(environment, add)
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
    budget: Budget,
    state: Mutex<Recorded>,
}

/// How large a call may be, in tokens, and how large it is.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Worth a warning above.
    pub warn: i64,
    /// Refused above.
    pub refuse: i64,
    /// The size of the arguments, in bytes.
    pub args: usize,
}

impl Budget {
    /// Of an agent of the story; without one, or without limits of its own, what the verbs have.
    pub fn of(program: &Program, args: &Map) -> Self {
        let name = args.get("agent").and_then(Value::as_str).unwrap_or_default();
        let agent = program.names.agent(name).and_then(|id| program.story.agents.get(id));
        Self {
            warn: agent.and_then(|a| a.warn_tokens).unwrap_or(300_000),
            refuse: agent.and_then(|a| a.refuse_tokens).unwrap_or(1_000_000),
            args: value::compact(&Json::Object(value::to_data(args))).len(),
        }
    }

    /// The estimate for a request, the decision, and why.
    fn check(&self, request: &Request) -> (i64, &'static str, String) {
        let bytes: usize = self.args + request.system.iter().map(|l| l.text.len()).sum::<usize>();
        let tokens = i64::try_from(bytes / 4).unwrap_or(i64::MAX);
        if self.warn <= 0 || self.refuse < self.warn {
            let why = format!("the limits warn {} and refuse {} are none", self.warn, self.refuse);
            return (tokens, "refuse", why);
        }
        if tokens > self.refuse {
            let why = format!(
                "about {tokens} tokens are more than the {} that are allowed",
                self.refuse
            );
            return (tokens, "refuse", why);
        }
        if tokens > self.warn {
            let why = format!("about {tokens} tokens are more than {}", self.warn);
            return (tokens, "escalate", why);
        }
        (tokens, "proceed", String::new())
    }
}

#[derive(Default)]
struct Recorded {
    checked: Option<Event>,
    submitted: bool,
    first: Option<(Request, Instant)>,
    ends: Vec<Result<End, RunFault>>,
    streamed: Vec<Event>,
}

impl Recorder {
    /// Before a back end, for one call.
    pub fn new(inner: Arc<dyn AgentBackend>, budget: Budget) -> Self {
        Self {
            inner,
            budget,
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
        let mut out: Vec<Event> = state.checked.iter().cloned().collect();
        let Some((request, since)) = &state.first else {
            return out;
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
        out.push(event("agent.call.start", &id, start));
        out.extend(state.streamed.iter().cloned().map(|mut e| {
            e.call_id = id.as_str().into();
            e
        }));
        let end = json!({
            "verb": verb, "agent": request.agent, "model": request.model,
            "duration_ms": u64::try_from(since.elapsed().as_millis()).unwrap_or(0),
        });
        let submitted = data.and_then(|d| d.get("submitted")).filter(|s| !s.is_null());
        let mut about = meta(&state.ends);
        if submitted.is_some() && !state.submitted {
            // The value came out of the text, not through the tool.
            about.insert("tool_bypassed".into(), true.into());
        }
        let mut more = serde_json::Map::new();
        more.insert("meta".into(), Json::Object(about));
        // A question whose program failed has an empty answer; its failure is in `harness.returned`.
        let kind = match error {
            Some(error) if verb != "ask" => {
                more.insert("error".into(), error.into());
                "agent.call.error"
            }
            _ => {
                let last = state.ends.iter().rev().find_map(|e| e.as_ref().ok());
                let said = || json!({"text": last.map_or("", |e| e.text.as_str())});
                more.insert("response".into(), submitted.cloned().unwrap_or_else(said));
                "agent.call.complete"
            }
        };
        let mut end = event(kind, &id, end);
        for (key, own) in event(kind, &id, Json::Object(more)).payload.iter() {
            end.payload.insert(key.clone(), own.clone());
        }
        out.push(end);
        out
    }
}

/// As much of a text as a trace takes.
fn shortened(text: &str) -> String {
    text.chars().take(700).collect()
}

/// Tokens and dollars of all runs.
fn meta(ends: &[Result<End, RunFault>]) -> serde_json::Map<String, Json> {
    let good: Vec<&End> = ends.iter().flatten().collect();
    let sum = |field: fn(&End) -> u64| good.iter().map(|e| field(e)).fold(0, u64::saturating_add);
    let (input, output) = (sum(|e| e.usage.input), sum(|e| e.usage.output));
    let (read, written) = (sum(|e| e.usage.cache_read), sum(|e| e.usage.cache_write));
    let mut out = serde_json::Map::new();
    if input + output > 0 {
        let usage = json!({
            "input_tokens": input, "output_tokens": output,
            "cache_read_input_tokens": read, "cache_creation_input_tokens": written,
        });
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
    out
}

/// An event of a call; empty texts and lists are left out.
pub fn event(kind: &str, call: &str, payload: Json) -> Event {
    let Json::Object(mut payload) = payload else {
        return Event::new(kind, Map::new());
    };
    let empty = |v: &Json| match v {
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(entries) => entries.is_empty(),
        _ => false,
    };
    payload.retain(|_, v| !empty(v));
    let mut out = Event::new(kind, value::from_data(&payload));
    out.call_id = call.into();
    out
}

impl AgentBackend for Recorder {
    fn run(&self, request: &Request, desk: &dyn Desk, cancel: &Cancel) -> Result<End, RunFault> {
        if request.attempt == 1 && matches!(request.verb, Verb::Decide | Verb::Task) {
            let (tokens, decision, reason) = self.budget.check(request);
            let checked = json!({
                "verb": request.verb.name(), "estimated_tokens": tokens, "decision": decision, "reason": reason,
                "budget_warn_tokens": self.budget.warn, "budget_refuse_tokens": self.budget.refuse,
            });
            locked(&self.state).checked = Some(event("agent.dispatch.budget_checked", "", checked));
            if decision == "refuse" {
                return Err(RunFault::Refused(format!("the dispatch was refused: {reason}")));
            }
        }
        let first = || (request.clone(), Instant::now());
        locked(&self.state).first.get_or_insert_with(first);
        let watched = Watched { desk, recorder: self };
        let end = self.inner.run(request, &watched, cancel);
        locked(&self.state).ends.push(end.clone());
        end
    }
}

/// The desk of a call, seen on the way: whether a value was taken through the tool.
struct Watched<'a> {
    desk: &'a dyn Desk,
    recorder: &'a Recorder,
}

impl Desk for Watched<'_> {
    fn say(&self, text: &str) {
        self.desk.say(text);
    }

    fn thinks(&self, text: &str) {
        self.desk.thinks(text);
    }

    fn used(&self, tool: &str, input: &Json) {
        self.desk.used(tool, input);
    }

    fn call(&self, tool: &str, input: &Json) -> ToolResult {
        let result = self.desk.call(tool, input);
        if tool == "submit" && result.ok {
            locked(&self.recorder.state).submitted = true;
        }
        result
    }
}

impl Listener for Recorder {
    fn says(&self, _: &str, said: &str) {
        let mut payload = Map::new();
        payload.insert("type", text("text"));
        payload.insert("text", text(&shortened(said)));
        locked(&self.state).streamed.push(Event::new("agent.stream", payload));
    }

    fn thinks(&self, _: &str, said: &str) {
        let mut payload = Map::new();
        payload.insert("type", text("thinking"));
        payload.insert("thinking", text(&shortened(said)));
        locked(&self.state).streamed.push(Event::new("agent.stream", payload));
    }

    fn used(&self, _: &str, tool: &str, input: &Json) {
        let mut payload = Map::new();
        payload.insert("type", text("tool_use"));
        payload.insert("tool", text(tool));
        payload.insert("preview", text(&shortened(&value::compact(input))));
        locked(&self.state).streamed.push(Event::new("agent.stream", payload));
    }
}
