//! What answers the host calls of a flow: stubs, a cassette, scripts, the real handlers (`testing` 9.2).

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use kitsoki_expr::{Map, Value};
use kitsoki_ir::EffectClass;
use kitsoki_runtime::event::Event;
use kitsoki_runtime::session::{HostRequest, HostResult};
use kitsoki_runtime::{Program, value, verbs};
use kitsoki_starlark::http::{Cassette as HttpCassette, CassetteClient, HttpClient, RecordMode, Request, Response};
use kitsoki_starlark::inspect::{InspectCassette, Inspector, ReplayInspector};
use kitsoki_starlark::{Call, Data, DataMap, Places, Reached, Surface, call};

use crate::cassette::Cassette;
use crate::doc::{self, Fatal};
use crate::fixture::{Envelope, Flow, Stub};
use crate::strays::Stray;

/// The handlers of the product, for flows that ask for them (`host_bindings`).
pub trait RealHosts: Sync {
    /// Whether there is a handler of exactly this name.
    fn has(&self, verb: &str) -> bool;

    /// Makes a call. `notices` takes what it puts into the inbox: severity, title, body.
    fn call(
        &self,
        verb: &str,
        args: &Map,
        world: &Map,
        story: &Path,
        notices: &mut Vec<(String, String, String)>,
    ) -> HostResult;
}

/// Who answers.
#[derive(Clone, Debug)]
enum Handler {
    Stub(usize),
    Cassette(String),
    Script,
    Bound(PathBuf),
    AnswerJob,
    Real(String),
}

/// An answer, and what stands before it.
#[derive(Debug)]
pub struct Reply {
    /// Time before the answer, in milliseconds of the flow's clock.
    pub delay_ms: i64,
    /// A question to the operator before the answer.
    pub question: Option<String>,
    /// The answer.
    pub result: HostResult,
    /// Events of the call.
    pub notes: Vec<Event>,
    /// The call answers the question of another job.
    pub answers_job: Option<String>,
    /// Files that belong beside the trace.
    pub files: Vec<(String, String)>,
    /// What the call puts into the inbox: severity, title, body.
    pub notices: Vec<(String, String, String)>,
}

impl Reply {
    fn plain(result: HostResult) -> Self {
        Self {
            delay_ms: 0,
            question: None,
            result,
            notes: Vec::new(),
            answers_job: None,
            files: Vec::new(),
            notices: Vec::new(),
        }
    }
}

/// What answers the calls of one flow.
pub struct Rig<'r> {
    program: &'r Program,
    handlers: HashMap<String, Handler>,
    stubs: Vec<(String, Stub)>,
    cassette: Option<Cassette>,
    http: Option<Rc<RefCell<CassetteClient>>>,
    http_file: PathBuf,
    inspector: Option<Rc<RefCell<ReplayInspector>>>,
    real: Option<&'r dyn RealHosts>,
    places: Places,
    /// The state that cassettes see: where the session rested before the turn.
    pub state: String,
    /// The turn of the fixture, from 0.
    pub turn: usize,
    /// Whether it is noted which lines scripts run.
    pub covers: bool,
    /// The scripts that were run, and which of their lines when that is noted.
    pub scripts: BTreeMap<PathBuf, Option<Reached>>,
    /// Calls that the cassette did not know, or answered although they differ from what it recorded.
    pub strays: Vec<Stray>,
    /// How far the call that is being answered may reach.
    reach: EffectClass,
}

impl<'r> Rig<'r> {
    /// Sets up what a flow names.
    ///
    /// # Errors
    /// When a cassette cannot be read, or a flow names both stubs and a cassette.
    pub fn new(program: &'r Program, flow: &Flow, real: Option<&'r dyn RealHosts>) -> Result<Self, Fatal> {
        let folder = flow.file.parent().unwrap_or(Path::new("."));
        let beside = |name: &str| folder.join(name);
        if !flow.host_cassette.is_empty() && flow.has_stubs {
            return Err(Fatal(format!(
                "{}: a flow has either `host_handlers` or `host_cassette`, not both",
                flow.file.display()
            )));
        }
        let story = &program.story;
        let dir = PathBuf::from(story.dir.as_str());
        let mut rig = Self {
            program,
            handlers: HashMap::new(),
            stubs: Vec::new(),
            cassette: None,
            http: None,
            http_file: PathBuf::new(),
            inspector: None,
            real: None,
            places: Places {
                story: vec![dir.clone()],
                app_dir: Some(dir),
                current: PathBuf::new(),
                roots: script_roots(program),
            },
            state: String::new(),
            turn: 0,
            covers: false,
            scripts: BTreeMap::new(),
            strays: Vec::new(),
            reach: EffectClass::External,
        };
        for host in &story.hosts {
            if let Some(script) = &host.script {
                // The verb is the handler's name with the operation behind it; both are reached.
                let name = host.name.as_str();
                let handler = name
                    .strip_prefix("host.starlark_binding.")
                    .and_then(|rest| rest.split('.').next());
                let name = handler.map_or_else(|| name.to_owned(), |h| format!("host.starlark_binding.{h}"));
                rig.handlers.insert(name, Handler::Bound(script.as_str().into()));
            }
        }
        if flow.host_bindings.is_empty() {
            rig.handlers
                .insert("host.jobs.answer_clarification".into(), Handler::AnswerJob);
        } else {
            rig.real = real;
            rig.handlers
                .insert("host.jobs.answer_clarification".into(), Handler::AnswerJob);
            rig.handlers.insert("host.starlark.run".into(), Handler::Script);
        }
        for (name, stub) in &flow.stubs {
            rig.handlers.insert(name.to_string(), Handler::Stub(rig.stubs.len()));
            rig.stubs.push((name.to_string(), stub.clone()));
        }
        let script = "host.starlark.run";
        let listed = story.hosts.iter().any(|h| h.allowed && h.name == script);
        if listed && rig.find(script).is_none() {
            rig.handlers.insert(script.into(), Handler::Script);
        }
        if !flow.host_cassette.is_empty() {
            let cassette = Cassette::load(&beside(&flow.host_cassette))?;
            check_recording(&cassette.record_mode)?;
            for name in cassette.handlers() {
                rig.handlers.insert(name.clone(), Handler::Cassette(name));
            }
            rig.cassette = Some(cassette);
        }
        if !flow.http_cassette.is_empty() {
            rig.http_file = beside(&flow.http_cassette);
            let client = http_client(&rig.http_file).map_err(|e| doc::discreet(&rig.http_file, e))?;
            rig.http = Some(Rc::new(RefCell::new(client)));
            if rig.find(script).is_none() {
                rig.handlers.insert(script.into(), Handler::Script);
            }
        }
        if !flow.inspect_cassette.is_empty() {
            let file = beside(&flow.inspect_cassette);
            let text = doc::read(&file)?;
            let cassette = InspectCassette::parse(&text).map_err(|e| doc::discreet(&file, Fatal(e)))?;
            rig.inspector = Some(Rc::new(RefCell::new(ReplayInspector::new(cassette))));
            if rig.find(script).is_none() {
                rig.handlers.insert(script.into(), Handler::Script);
            }
        }
        Ok(rig)
    }

    /// The handler of a verb: by its name, else by the longest part of it; what is cut off is the operation.
    fn find(&self, verb: &str) -> Option<(Handler, String)> {
        let mut name = verb;
        loop {
            if let Some(handler) = self.handlers.get(name) {
                let op = verb.get(name.len() + 1..).unwrap_or_default();
                return Some((handler.clone(), op.to_owned()));
            }
            if self.real.is_some_and(|real| real.has(name)) {
                let op = verb.get(name.len() + 1..).unwrap_or_default();
                return Some((Handler::Real(name.to_owned()), op.to_owned()));
            }
            name = name.rsplit_once('.')?.0;
        }
    }

    /// Answers a call. `in_job`: it runs in the background.
    pub fn answer(&mut self, request: &HostRequest, in_job: bool) -> Reply {
        self.reach = request.reach;
        self.answer_call(&request.verb, &request.args, &request.world, in_job, 0)
    }

    fn answer_call(&mut self, verb: &str, args: &Map, world: &Map, in_job: bool, depth: usize) -> Reply {
        let Some((handler, op)) = self.find(verb) else {
            return Reply::plain(HostResult::Infra(format!("host: no handler registered for \"{verb}\"")));
        };
        let mut args = args.clone();
        let has_op = args.get("op").and_then(Value::as_str).is_some_and(|o| !o.is_empty());
        if !op.is_empty() && !has_op {
            args.insert("op", Value::text(op));
        }
        match handler {
            Handler::Stub(index) => match self.stubs.get(index) {
                Some((name, stub)) => stubbed(name, stub, &args, in_job),
                None => Reply::plain(HostResult::Done(None)),
            },
            Handler::Cassette(name) => self.played(&name, &args),
            Handler::Script => Reply::plain(self.script(&args, if in_job { None } else { Some(world) }, depth)),
            Handler::Bound(script) => {
                let mut inputs = args;
                let given = inputs.remove("world");
                let mut with = value::map([
                    ("script", Value::text(script.to_string_lossy())),
                    ("inputs", Value::Map(inputs)),
                ]);
                if let Some(given) = given {
                    with.insert("world", given);
                }
                Reply::plain(self.script(&with, Some(world), depth))
            }
            Handler::AnswerJob => {
                let job = args
                    .get("job_id")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned();
                if job.trim().is_empty() {
                    return Reply::plain(HostResult::Domain {
                        message: "host.jobs.answer_clarification: job_id argument is required".into(),
                        data: None,
                    });
                }
                let mut reply = Reply::plain(HostResult::Done(Some(value::map([("ok", Value::Bool(true))]))));
                reply.answers_job = Some(job);
                reply
            }
            Handler::Real(name) => {
                let dir = PathBuf::from(self.program.story.dir.as_str());
                let mut notices = Vec::new();
                let result = match self.real {
                    Some(real) => real.call(&name, &args, world, &dir, &mut notices),
                    None => HostResult::Infra(format!("host: no handler registered for \"{verb}\"")),
                };
                let mut reply = Reply::plain(result);
                reply.notices = notices;
                reply
            }
        }
    }

    fn played(&mut self, name: &str, args: &Map) -> Reply {
        let state = self.state.clone();
        let Some(cassette) = &mut self.cassette else {
            return Reply::plain(HostResult::Done(None));
        };
        let file = cassette.file.clone();
        let (reply, answered, episode) = match cassette.play(name, args, &state) {
            Ok(played) => {
                let reply = Reply {
                    delay_ms: played.delay_ms,
                    question: None,
                    result: result_of(played.response),
                    notes: played.notes,
                    answers_job: None,
                    files: played.files,
                    notices: Vec::new(),
                };
                if played.loose.is_none() {
                    return reply;
                }
                (reply, true, played.loose)
            }
            Err(miss) => (Reply::plain(HostResult::Infra(miss.message)), false, miss.nearest),
        };
        self.strays.push(Stray {
            turn: self.turn,
            handler: name.to_owned(),
            state,
            answered,
            ours: doc::is_ours(&file),
            file,
            episode,
        });
        reply
    }

    fn script(&mut self, args: &Map, world: Option<&Map>, depth: usize) -> HostResult {
        if depth > 8 {
            return HostResult::Domain {
                message: "host.starlark.run: scripts call each other deeper than 8 levels".into(),
                data: None,
            };
        }
        let call = Call {
            with: to_data(args),
            world: world.map(to_data).unwrap_or_default(),
            places: self.places.clone(),
            covers: self.covers,
            ..Call::default()
        };
        let http = self.http.clone();
        let inspector = self.inspector.clone();
        let mut client = http.as_ref().map(|h| h.borrow_mut());
        let mut replay = inspector.as_ref().map(|i| i.borrow_mut());
        let none = Map::new();
        let mut hosts = Nested {
            rig: self,
            world: world.unwrap_or(&none),
            depth: depth + 1,
        };
        let surface = Surface {
            inspector: replay.as_deref_mut().map(|i| i as &mut dyn Inspector),
            http: client.as_deref_mut().map(|c| c as &mut dyn HttpClient),
            hosts: Some(&mut hosts),
        };
        let outcome = call::run(call, surface);
        if let Some(script) = &outcome.script {
            match (self.scripts.entry(script.clone()).or_default(), &outcome.reached) {
                (Some(all), Some(own)) => all.merge(own),
                (none, Some(own)) => *none = Some(own.clone()),
                (_, None) => {}
            }
        }
        match outcome.data() {
            Ok(data) => HostResult::Done(Some(from_data(&data))),
            Err(fault) if fault.class.is_infra() => HostResult::Infra(fault.text.clone()),
            Err(fault) => HostResult::Domain {
                message: fault.text.clone(),
                data: None,
            },
        }
    }

    /// The host cassette of the flow.
    #[must_use]
    pub fn cassette(&self) -> Option<&Cassette> {
        self.cassette.as_ref()
    }

    /// Writes an HTTP cassette back when something was recorded.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self) -> Result<(), Fatal> {
        let Some(http) = &self.http else { return Ok(()) };
        let Some(text) = http.borrow().rewritten().map_err(Fatal)? else {
            return Ok(());
        };
        std::fs::write(&self.http_file, text).map_err(|e| Fatal(format!("{}: {e}", self.http_file.display())))
    }
}

/// `ctx.host` of a script: the same handlers.
struct Nested<'n, 'r> {
    rig: &'n mut Rig<'r>,
    world: &'n Map,
    depth: usize,
}

impl call::HostCaller for Nested<'_, '_> {
    fn call(&mut self, verb: &str, args: &DataMap) -> Result<DataMap, String> {
        // A script reaches no further than the call that runs it was let through for.
        if verbs::gate_class(verb, &from_data(args)) > self.rig.reach {
            return Err(format!(
                "{verb}: not granted: the script runs for a read-only room, and the call reaches further than its grant"
            ));
        }
        let reply = self
            .rig
            .answer_call(verb, &from_data(args), self.world, false, self.depth);
        match reply.result {
            HostResult::Done(data) => Ok(data.as_ref().map(to_data).unwrap_or_default()),
            HostResult::Domain { message, .. } | HostResult::Infra(message) => Err(message),
        }
    }
}

fn stubbed(name: &str, stub: &Stub, args: &Map, in_job: bool) -> Reply {
    let Some(delay_ms) = doc::duration_ms(&stub.delay) else {
        let why = format!("stub {name}: parse delay: \"{}\" is no duration", stub.delay);
        return Reply::plain(HostResult::Infra(why));
    };
    let chosen = |list: &[(smol_str::SmolStr, Envelope)], key: &str| {
        let id = args.get(key).and_then(Value::as_str).unwrap_or_default();
        list.iter().find(|(own, _)| own == id).map(|(_, e)| result_of(e))
    };
    let result = chosen(&stub.by_call, "call")
        .or_else(|| chosen(&stub.by_op, "op"))
        .unwrap_or_else(|| result_of(&stub.any));
    let mut reply = Reply::plain(result);
    reply.delay_ms = delay_ms;
    if !stub.question.is_empty() {
        if in_job {
            reply.question = Some(stub.question.clone());
        } else {
            reply.result = HostResult::Domain {
                message: "request_clarification: not running as a background job".into(),
                data: None,
            };
        }
    }
    reply
}

fn result_of(envelope: &Envelope) -> HostResult {
    if !envelope.infra_error.is_empty() {
        return HostResult::Infra(envelope.infra_error.clone());
    }
    if envelope.error.is_empty() {
        return HostResult::Done(envelope.data.clone());
    }
    HostResult::Domain {
        message: envelope.error.clone(),
        data: envelope.data.clone(),
    }
}

/// The folders that scripts may lie in: those of the story and of its imports, and the current one.
fn script_roots(program: &Program) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = program
        .story
        .manifests
        .iter()
        .filter_map(|m| Path::new(m.as_str()).parent().map(Path::to_owned))
        .collect();
    roots.push(program.story.dir.as_str().into());
    if let Ok(here) = std::env::current_dir() {
        roots.push(here);
    }
    roots.sort();
    roots.dedup();
    roots
}

fn check_recording(of_file: &str) -> Result<(), Fatal> {
    let mode = std::env::var("KITSOKI_CASSETTE_RECORD").unwrap_or_default();
    let mode = if mode.is_empty() { of_file } else { &mode };
    if !matches!(mode, "" | "none" | "new_episodes") {
        return Err(Fatal(format!(
            "cassette record mode `{mode}` is not known: use none or new_episodes"
        )));
    }
    let strict = std::env::var("KITSOKI_CASSETTE_STRICT").is_ok_and(|v| v == "1" || v == "true");
    if strict && mode == "new_episodes" {
        return Err(Fatal(
            "KITSOKI_CASSETTE_STRICT forbids recording: unset it, or use record mode none".into(),
        ));
    }
    Ok(())
}

fn http_client(file: &Path) -> Result<CassetteClient, Fatal> {
    let text = doc::read(file)?;
    let cassette = HttpCassette::parse(&text).map_err(Fatal)?;
    let mode = std::env::var("KITSOKI_CASSETTE_RECORD").unwrap_or_default();
    let mode = if mode.is_empty() {
        None
    } else {
        Some(RecordMode::from_name(&mode).map_err(Fatal)?)
    };
    let client = CassetteClient::new(cassette, mode, Some(Box::new(NoNetwork)));
    let strict = std::env::var("KITSOKI_CASSETTE_STRICT").is_ok_and(|v| v == "1" || v == "true");
    if strict && client.mode() != RecordMode::None {
        return Err(Fatal(
            "KITSOKI_CASSETTE_STRICT forbids recording: unset it, or use record mode none".into(),
        ));
    }
    Ok(client)
}

/// Flows reach no network.
struct NoNetwork;

impl kitsoki_starlark::http::Transport for NoNetwork {
    fn send(&mut self, request: &Request) -> Result<Response, String> {
        Err(format!("flows reach no network ({} {})", request.method, request.url))
    }
}

/// A value on its way into a script.
fn to_data(map: &Map) -> DataMap {
    map.iter().map(|(k, v)| (k.to_string(), data(v))).collect()
}

fn data(value: &Value) -> Data {
    match value {
        Value::Nil | Value::Native(_) => Data::Null,
        Value::Bool(b) => Data::Bool(*b),
        Value::Int(n) => Data::Int(*n),
        Value::Uint(n) => i64::try_from(*n).map_or(Data::Float(*n as f64), Data::Int),
        Value::Float(n) => Data::Float(*n),
        Value::Str(text) => Data::Text(text.to_string()),
        Value::List(list) => Data::List(list.iter().map(data).collect()),
        Value::Map(map) => Data::Map(to_data(map)),
    }
}

/// A value on its way out of a script.
fn from_data(map: &DataMap) -> Map {
    map.iter().map(|(k, v)| (k.as_str(), undata(v))).collect()
}

fn undata(data: &Data) -> Value {
    match data {
        Data::Null => Value::Nil,
        Data::Bool(b) => Value::Bool(*b),
        Data::Int(n) => Value::Int(*n),
        Data::Float(n) => Value::Float(*n),
        Data::Text(text) => Value::text(text),
        Data::List(items) => Value::list(items.iter().map(undata).collect()),
        Data::Map(map) => Value::Map(from_data(map)),
    }
}
