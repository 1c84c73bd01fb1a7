//! Host calls: arguments, the gate, the call, its failure, its binds, its cost (`dispatch` 6).

use std::future::Future;
use std::pin::Pin;

use kitsoki_expr::{Env, Map, Value};
use kitsoki_ir::{self as ir, BindFrom, EffectClass, Invoke};
use smol_str::SmolStr;

use super::port::{Answer, Ask, HostAnswer, HostRequest, HostResult};
use super::task::{Task, write};
use crate::event::{Event, event, kind};
use crate::gate::{Gates, SCOPE, Scope, Verdict};
use crate::machine::HostCall;
use crate::replay::GRANTED;
use crate::value;
use crate::verbs::{self, VerbClass};
use crate::world::World;

/// The banner of a failure that the view does not tell by itself.
pub const FAILURE_MARK: &str = "⚠ Action failed: ";

/// What a queue of calls has come to.
#[derive(Debug, Default)]
pub(crate) struct Dispatched {
    pub events: Vec<Event>,
    /// The view after the calls; empty when nothing was rendered.
    pub view: String,
    /// The state that an `on_error` led to.
    pub redirect: Option<SmolStr>,
    /// What broke on the way: the turn goes on with what was done.
    pub error: Option<String>,
}

pub(crate) type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl Task {
    /// Makes the calls of a queue one after the other.
    pub fn dispatch<'a>(
        &'a self,
        calls: Vec<HostCall>,
        state: &'a str,
        world: &'a mut World,
        depth: usize,
    ) -> BoxFuture<'a, Dispatched> {
        Box::pin(self.dispatch_queue(calls, state, world, depth))
    }

    async fn dispatch_queue(&self, calls: Vec<HostCall>, state: &str, world: &mut World, depth: usize) -> Dispatched {
        let mut done = Dispatched::default();
        if calls.is_empty() || !self.calls_hosts() {
            return done;
        }
        let mut applied = false;
        let mut bound = Map::new();
        let mut cost = 0.0;
        let mut redirect = None;
        for call in calls {
            if call.invoke.background {
                // A job's arguments see the world as it is now.
                let (args, _) = self.arguments(&call, world.vars.clone());
                let grant = self.grant(&call, &args, world, &mut done.events).await;
                applied = true;
                let Grant::Refused(effect) = grant else {
                    self.submit_job(&call, args, &grant, state, world, &mut done.events);
                    continue;
                };
                let class = verbs::class(&call.namespace, &args);
                let result = refusal(&call, effect);
                self.take_in(&call, class, result, world, &mut bound, &mut applied, &mut done.events);
                if let Some(target) = &call.invoke.on_error {
                    redirect = Some(target.clone());
                    break;
                }
                continue;
            }
            let mut snapshot = call.snapshot.clone();
            for (key, value) in bound.iter() {
                snapshot.insert(key.clone(), value.clone());
            }
            let (mut args, fell_back) = self.arguments(&call, snapshot);
            if call.namespace == "host.chat.drive" {
                args.insert("__origin_session_id", Value::text(&self.config.session_id));
                args.insert("__origin_state", Value::text(state));
            }
            let class = verbs::class(&call.namespace, &args);
            let mut dispatched = event!(
                kind::DISPATCHED,
                "namespace": call.namespace.clone(),
                "args": args.clone(),
                "rerender_fell_back": fell_back,
                "background": call.invoke.background,
                "effect": class.effect.as_str(),
                "deterministic": class.deterministic,
            );
            dispatched.turn = self.turn;
            let grant = self.grant(&call, &args, world, &mut done.events).await;
            grant.note(&call.declared_in, &mut dispatched);
            self.port.live(&dispatched);
            done.events.push(dispatched);
            let answer = match &grant {
                Grant::Refused(class) => HostAnswer {
                    result: refusal(&call, *class),
                    ..HostAnswer::default()
                },
                Grant::Free | Grant::Given(_) | Grant::Assumed(_) => {
                    let request = self.request(&call, args, &grant, state, world);
                    self.call(request).await
                }
            };
            cost += paid(answer.cost_usd);
            // A handler tells what its agents did, and nothing else: no event of its can move state or world.
            let told = |note: &Event| note.kind.starts_with("agent.") && note.kind != kind::TOOL_CALL;
            for mut note in answer.notes.into_iter().filter(told) {
                note.turn = self.turn;
                if note.state_path.is_empty() {
                    note.state_path = state.into();
                }
                self.port.live(&note);
            }
            let failed = self.take_in(
                &call,
                class,
                answer.result,
                world,
                &mut bound,
                &mut applied,
                &mut done.events,
            );
            if failed && let Some(target) = &call.invoke.on_error {
                redirect = Some(target.clone());
                break;
            }
        }
        applied |= fold_cost(world, cost, &mut done.events);
        if let Some(target) = redirect {
            self.follow(&target, state, world, depth, &mut done).await;
            return done;
        }
        if applied {
            match self.machine().render(state, world) {
                Ok(view) => done.view = view,
                Err(error) => done.error = Some(error.message),
            }
        }
        done
    }

    /// The request of a call that the gate has let through.
    pub fn request(&self, call: &HostCall, args: Map, grant: &Grant, state: &str, world: &World) -> HostRequest {
        let reach = self.program.reach(&call.declared_in, grant.class(), world);
        HostRequest {
            verb: call.namespace.clone(),
            args,
            world: world.vars.clone(),
            turn: self.turn,
            state: state.into(),
            declared_in: call.declared_in.clone(),
            plugin: call.invoke.plugin.clone(),
            may_write: verbs::mutates(reach),
            reach,
        }
    }

    /// A call that no effect of the story declares: the engine asks an agent for an answer beside the story. Nobody is asked
    /// for a grant; the call is held to what its room allows without one.
    pub async fn aside_call(&self, verb: &'static str, args: Map, room: &SmolStr, world: &World) -> HostAnswer {
        let reach = self.program.reach(room, None, world);
        self.call(HostRequest {
            verb: SmolStr::new_static(verb),
            args,
            world: world.vars.clone(),
            turn: self.turn,
            state: room.clone(),
            declared_in: room.clone(),
            plugin: None,
            may_write: verbs::mutates(reach),
            reach,
        })
        .await
    }

    async fn call(&self, request: HostRequest) -> HostAnswer {
        let verb = request.verb.clone();
        match self.port.ask(Ask::Call(request)).await {
            Answer::Host(answer) => bounded(answer),
            Answer::Grant(_) | Answer::Interpreted(_) => HostAnswer {
                result: HostResult::Infra(format!("{verb}: the answer was for another question")),
                ..HostAnswer::default()
            },
        }
    }

    /// Applies a result to the world. `true` when the call failed.
    #[expect(
        clippy::too_many_arguments,
        reason = "one step of the loop above, cut out to be read"
    )]
    fn take_in(
        &self,
        call: &HostCall,
        class: VerbClass,
        result: HostResult,
        world: &mut World,
        bound: &mut Map,
        applied: &mut bool,
        events: &mut Vec<Event>,
    ) -> bool {
        let mut returned = event!(
            kind::RETURNED,
            "namespace": call.namespace.clone(),
            "effect": class.effect.as_str(),
            "deterministic": class.deterministic,
        );
        let (data, error) = match result {
            HostResult::Infra(message) => {
                let about = value::map([
                    ("namespace", Value::Str(call.namespace.clone())),
                    ("message", Value::text(&message)),
                ]);
                write(world, events, "last_error", Value::text(&message));
                write(world, events, "host_error", Value::Map(about));
                returned.payload.insert("error", Value::text(&message));
                events.push(returned);
                *applied = true;
                return true;
            }
            HostResult::Domain { message, data } => (data, message),
            HostResult::Done(data) => (data, String::new()),
        };
        if !error.is_empty() {
            let mut about = value::map([
                ("namespace", Value::Str(call.namespace.clone())),
                ("message", Value::text(&error)),
            ]);
            if let Some(data) = &data {
                about.insert("data", Value::Map(data.clone()));
                for key in ["stderr", "exit_code"] {
                    if let Some(value) = data.get(key) {
                        about.insert(key, value.clone());
                    }
                }
            }
            write(world, events, "last_error", Value::text(&error));
            write(world, events, "host_error", Value::Map(about));
        }
        for bind in &call.invoke.bind {
            let Some(key) = self.machine().writable(bind.key).map(|k| k.name.clone()) else {
                continue;
            };
            let found = match &bind.from {
                BindFrom::Path(path) => data.as_ref().and_then(|data| at_path(data, path)),
                BindFrom::Template(id) => {
                    let mut env = Env::new(world.vars.clone(), call.slots.clone());
                    env.result = data.clone();
                    self.program.value_template(*id, &env).ok()
                }
            };
            if let Some(found) = found {
                bound.insert(key.clone(), found.clone());
                write(world, events, &key, found);
                *applied = true;
            }
        }
        if !error.is_empty() {
            returned.payload.insert("error", Value::text(&error));
        }
        if let Some(data) = data {
            returned.payload.insert("data", Value::Map(data));
        }
        events.push(returned);
        !error.is_empty()
    }

    /// Arguments against the world of the call's place and what earlier calls of the queue have bound. A leaf whose
    /// template fails keeps the value that it had when the call was queued.
    pub fn arguments(&self, call: &HostCall, world: Map) -> (Map, bool) {
        let env = Env::new(world, call.slots.clone());
        let mut fell_back = false;
        let mut args = Map::new();
        for (name, raw) in &call.invoke.with {
            args.insert(name.clone(), self.leaf(raw, call.args.get(name), &env, &mut fell_back));
        }
        if let Some(id) = &call.invoke.id {
            let text = match id {
                ir::Text::Literal(text) => Value::Str(text.clone()),
                ir::Text::Template(id) => self.program.value_template(*id, &env).unwrap_or_else(|_| {
                    fell_back = true;
                    Value::text(self.program.source(*id))
                }),
            };
            args.insert("call", text);
        }
        (args, fell_back)
    }

    fn leaf(&self, raw: &ir::Value, before: Option<&Value>, env: &Env, fell_back: &mut bool) -> Value {
        match raw {
            ir::Value::Template(id) => self.program.value_template(*id, env).unwrap_or_else(|_| {
                *fell_back = true;
                before.cloned().unwrap_or_else(|| Value::text(self.program.source(*id)))
            }),
            ir::Value::List(items) => {
                let old = before.and_then(Value::as_list);
                let item = |(n, raw): (usize, &ir::Value)| self.leaf(raw, old.and_then(|o| o.get(n)), env, fell_back);
                Value::list(items.iter().enumerate().map(item).collect())
            }
            ir::Value::Map(entries) => Value::Map(
                entries
                    .iter()
                    .map(|(key, raw)| {
                        let old = before.and_then(|b| b.get(key));
                        (key.clone(), self.leaf(raw, old, env, fell_back))
                    })
                    .collect(),
            ),
            literal => value::literal(literal),
        }
    }

    /// Lets a call through, asks for it, or stops it.
    async fn grant(&self, call: &HostCall, args: &Map, world: &mut World, events: &mut Vec<Event>) -> Grant {
        let Verdict::Needs(class) = self.program.judge(&call.declared_in, &call.namespace, args, world) else {
            return Grant::Free;
        };
        // The wall is about tools. The scripts of a codeact agent have none: for those it is no wall.
        let walled = self.config.walled_agents && verbs::runs_agent(&call.namespace);
        if walled && call.namespace != "host.agent.codeact" {
            return Grant::Free;
        }
        let mut told = event!(
            kind::WRITE_GRANTED,
            "state": call.declared_in.clone(),
            "action": call.namespace.clone(),
            "effect": class.as_str(),
        );
        told.turn = self.turn;
        let scope = match self.config.gates {
            Gates::Assume => return Grant::Assumed(class),
            Gates::Strict => {
                told.payload.insert("by", Value::text("headless_denied"));
                None
            }
            Gates::Ask => {
                let ask = Ask::Grant {
                    state: call.declared_in.clone(),
                    verb: call.namespace.clone(),
                    args: args.clone(),
                    effect: class,
                };
                told.payload.insert("by", Value::text("operator"));
                match self.port.ask(ask).await {
                    Answer::Grant(scope) => scope,
                    Answer::Host(_) | Answer::Interpreted(_) => None,
                }
            }
        };
        // A grant for what reaches outside never covers more than this call.
        let scope = scope.map(|s| {
            if class == EffectClass::External {
                Scope::Action
            } else {
                s
            }
        });
        told.payload.insert("granted", Value::Bool(scope.is_some()));
        if let Some(scope) = scope {
            told.payload.insert("scope", Value::text(scope.as_str()));
        }
        self.port.live(&told);
        events.push(told);
        match scope {
            None => Grant::Refused(class),
            Some(Scope::Action) => Grant::Given(class),
            Some(scope) => {
                world.set_durable(SCOPE, Value::text(scope.as_str()));
                let mut update = super::task::set_event(SCOPE, Value::text(scope.as_str()));
                update.payload.insert(GRANTED, Value::Bool(true));
                events.push(update);
                Grant::Given(class)
            }
        }
    }
}

/// What the gate decided about a call, and the class of a call that needed a grant.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Grant {
    Free,
    Given(EffectClass),
    Assumed(EffectClass),
    Refused(EffectClass),
}

impl Grant {
    /// The class that the call may use up.
    fn class(self) -> Option<EffectClass> {
        match self {
            Grant::Free | Grant::Refused(_) => None,
            Grant::Given(class) => Some(class),
            // Whoever assumes grants assumes them for all that the call sets off.
            Grant::Assumed(_) => Some(EffectClass::External),
        }
    }

    /// Says in an event that a call was let through without anybody having been asked.
    pub fn note(self, declared_in: &str, event: &mut Event) {
        if let Grant::Assumed(class) = self {
            let gate = value::map([
                ("granted", Value::text("assumed")),
                ("effect", Value::text(class.as_str())),
                ("state", Value::text(declared_in)),
            ]);
            event.payload.insert("gate", Value::Map(gate));
        }
    }
}

/// What a call without a grant brings.
fn refusal(call: &HostCall, class: EffectClass) -> HostResult {
    HostResult::Domain {
        message: format!(
            "{}: not granted: state \"{}\" is read-only and the call may {}",
            call.namespace,
            call.declared_in,
            if class == EffectClass::External {
                "reach outside"
            } else {
                "change files"
            }
        ),
        data: None,
    }
}

/// What a call says that it cost, as far as that is a number.
pub(super) fn paid(cost: f64) -> f64 {
    if cost.is_finite() { cost } else { 0.0 }
}

/// The cost of a call that belongs to no queue, on top of what the turn has cost so far.
pub(super) fn add_cost(world: &mut World, cost: f64, events: &mut Vec<Event>) {
    if !cost.is_finite() || cost <= 0.0 {
        return;
    }
    for key in ["turn_cost_usd", "session_cost_usd"] {
        let before = match world.get(key) {
            Some(Value::Float(n)) => *n,
            Some(Value::Int(n)) => *n as f64,
            _ => 0.0,
        };
        write(world, events, key, Value::Float(before + cost));
    }
}

/// The cost of a queue, into the two keys of the world. `true` when one was written.
fn fold_cost(world: &mut World, cost: f64, events: &mut Vec<Event>) -> bool {
    let number = |value: Option<&Value>| match value {
        Some(Value::Float(n)) => *n,
        Some(Value::Int(n)) => *n as f64,
        _ => 0.0,
    };
    let mut wrote = false;
    if (cost - number(world.get("turn_cost_usd"))).abs() > 0.0 {
        write(world, events, "turn_cost_usd", Value::Float(cost));
        wrote = true;
    }
    if cost > 0.0 {
        let sum = number(world.get("session_cost_usd")) + cost;
        write(world, events, "session_cost_usd", Value::Float(sum));
        wrote = true;
    }
    wrote
}

/// The deepest nesting that an answer may have: with what an event puts around it, a reader of the trace takes it.
pub(super) const MAX_DEPTH: u16 = 100;

/// An answer that a session can hold: what is nested too deep is told as a failure.
fn bounded(mut answer: HostAnswer) -> HostAnswer {
    let deep = match &answer.result {
        HostResult::Done(Some(data)) | HostResult::Domain { data: Some(data), .. } => data.depth() > MAX_DEPTH,
        _ => false,
    };
    if deep {
        answer.result = HostResult::Infra(format!("the answer is nested deeper than {MAX_DEPTH} levels"));
    }
    answer
}

/// A part of a result: names with dots, indexes in brackets. A miss is nothing.
#[must_use]
pub fn at_path(data: &Map, path: &str) -> Option<Value> {
    let mut now = Value::Map(data.clone());
    for segment in path.split('.') {
        let (name, mut indexes) = match segment.find('[') {
            Some(at) => segment.split_at(at),
            None => (segment, ""),
        };
        if segment.is_empty() {
            return None;
        }
        if !name.is_empty() {
            now = now.get(name)?.clone();
        }
        while !indexes.is_empty() {
            let (index, rest) = indexes.strip_prefix('[')?.split_once(']')?;
            now = now.as_list()?.get(index.parse().ok()?)?.clone();
            indexes = rest;
        }
    }
    Some(now)
}

/// The key that the id of a job is bound to.
pub(crate) fn job_key(task: &Task, invoke: &Invoke) -> SmolStr {
    let binds_id = |b: &&ir::Bind| matches!(&b.from, BindFrom::Path(path) if path == "job_id");
    let key = invoke
        .bind
        .iter()
        .find(binds_id)
        .and_then(|b| task.machine().writable(b.key));
    key.map_or_else(|| "last_job_id".into(), |k| k.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_through_maps_and_lists_and_miss_quietly() {
        let inner = value::map([("id", Value::Int(7))]);
        let items = Value::list(vec![Value::Map(inner)]);
        let data = value::map([(
            "submitted",
            Value::Map(value::map([("items", items), ("note", Value::Nil)])),
        )]);
        assert_eq!(at_path(&data, "submitted.items[0].id"), Some(Value::Int(7)));
        assert_eq!(at_path(&data, "submitted.items[3].id"), None);
        assert_eq!(at_path(&data, "submitted.note"), Some(Value::Nil));
        assert_eq!(at_path(&data, "submitted..note"), None);
        assert_eq!(at_path(&data, ""), None);
    }
}
