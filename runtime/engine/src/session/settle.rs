//! After the calls: emits that waited for a value, and the decider of gates (`dispatch` 7).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::EffectClass;
use kitsoki_ir::state::GateDecider;
use smol_str::SmolStr;

use super::dispatch::Dispatched;
use super::dispatch::{BoxFuture, at_path};
use super::port::{Answer, Ask, HostRequest, HostResult};
use super::task::{Task, write};
use crate::event::{Event, event, kind};
use crate::machine::Call;
use crate::value;
use crate::verbs;
use crate::world::World;

/// Passes may follow each other this deep.
const MAX_PASSES: usize = 4;
/// A decider may be asked this often in one turn.
const MAX_DECISIONS: usize = 8;
/// The decider's confidence that is enough when the story says nothing.
const THRESHOLD: f64 = 0.8;

/// A turn on its way: where it is and what it has brought.
#[derive(Debug)]
pub(crate) struct Progress {
    pub state: SmolStr,
    pub world: World,
    pub view: String,
    pub events: Vec<Event>,
}

impl Progress {
    /// Takes what dispatched calls have said and shown; the room that a failed one leads to, when there is one.
    pub fn take(&mut self, done: Dispatched) -> Option<SmolStr> {
        self.events.extend(done.events);
        if !done.view.is_empty() {
            self.view = done.view;
        }
        done.redirect
    }
}

impl Task {
    /// Fires the emits of the room that the turn rests in, and those of the rooms that they lead to. The text of a
    /// failure, when there is one: it is in the log, and the turn goes on.
    pub fn settle<'a>(&'a self, progress: &'a mut Progress, depth: usize) -> BoxFuture<'a, Option<String>> {
        Box::pin(async move {
            if depth > MAX_PASSES {
                let message = format!(
                    "the room's emits were looked at {depth} times in one turn: a bound value probably leads back to the same room"
                );
                progress.events.push(event!(
                    kind::HARNESS_ERROR,
                    "phase": "settle_post_bind_emits",
                    "depth": i64::try_from(depth).unwrap_or(i64::MAX),
                    "max_depth": i64::try_from(MAX_PASSES).unwrap_or(i64::MAX),
                    "error": message.as_str(),
                ));
                return Some(message);
            }
            let staged = self.config.staged;
            let settled = match self
                .machine()
                .settle(&progress.state, &progress.world, staged, self.config.intercept)
            {
                Ok(Some(settled)) if !settled.events.is_empty() => settled,
                Ok(_) => return None,
                Err(error) => {
                    progress.events.push(event!(
                        kind::HARNESS_ERROR,
                        "phase": "dispatch_post_bind_emits",
                        "error": error.message.as_str(),
                    ));
                    return Some(error.message);
                }
            };
            progress.state = settled.state;
            progress.world = settled.world;
            progress.events.extend(settled.events);
            let mut failure = None;
            if !settled.calls.is_empty() {
                let state = progress.state.clone();
                let done = self.dispatch(settled.calls, &state, &mut progress.world, 0).await;
                if let Some(to) = progress.take(done) {
                    progress.state = to;
                }
                failure = self.settle(progress, depth + 1).await;
            }
            if let Ok(view) = self.machine().render(&progress.state, &progress.world)
                && !view.is_empty()
            {
                progress.view = if settled.said.is_empty() {
                    view
                } else {
                    format!("{}\n\n{view}", settled.said)
                };
            }
            failure
        })
    }

    /// Lets the story's decider choose at a gate, as long as there is one.
    pub async fn decide(&self, progress: &mut Progress) {
        for _ in 0..=MAX_DECISIONS {
            let Some(decider) = &self.program.story.decider else {
                return;
            };
            if !self.config.decides {
                return;
            }
            let state = progress.state.clone();
            let pinned = self
                .program
                .state(&state)
                .map_or(GateDecider::Unset, |(_, s)| s.decider);
            let wanted = match pinned {
                GateDecider::Llm => true,
                GateDecider::Human => false,
                GateDecider::Unset => !self.config.staged,
            };
            if !wanted || !self.machine().is_gate(&state, &progress.world) {
                return;
            }
            let candidates = self.machine().candidates(&state, &progress.world);
            if candidates.len() < 2 {
                return;
            }
            let list = candidates.iter().map(|c| {
                Value::Map(value::map([
                    ("intent", Value::text(&c.name)),
                    ("title", Value::text(&c.title)),
                    ("description", Value::text(&c.description)),
                ]))
            });
            let with = value::map([
                ("state", Value::text(&state)),
                ("candidates", Value::list(list.collect())),
            ]);
            let mut args = value::map([
                ("schema", Value::text(&decider.schema)),
                ("agent", Value::text(&decider.agent.name)),
                ("with", Value::Map(with)),
            ]);
            if decider.prompt.is_empty() {
                let mut prompt = format!("The conversation rests in `{state}`. Choose the next intent:\n");
                for candidate in &candidates {
                    prompt.push_str(&format!("- {}: {}\n", candidate.name, candidate.description));
                }
                args.insert("prompt", Value::from(prompt));
            } else {
                args.insert("prompt_path", Value::text(&decider.prompt));
            }
            let threshold = if decider.threshold > 0.0 {
                decider.threshold
            } else {
                THRESHOLD
            };
            let verdict = self.verdict(args, progress).await;
            let chosen = verdict
                .as_ref()
                .map(|v| super::task::text_of(v, "intent").to_owned())
                .unwrap_or_default();
            let confidence = verdict
                .as_ref()
                .and_then(|v| v.get("confidence"))
                .and_then(Value::as_float)
                .unwrap_or(0.0);
            let known = candidates.iter().any(|c| c.name == chosen);
            let bailed = !known || confidence < threshold;
            let mut told = self.machine().gate_event(&state, "llm", &chosen, bailed);
            told.payload.insert("confidence", Value::Float(confidence));
            told.payload.insert("threshold", Value::Float(threshold));
            if bailed {
                let why = match (&verdict, known) {
                    (None, _) => "the decider gave no verdict",
                    (Some(_), false) => "the verdict names no intent that can be chosen",
                    (Some(_), true) => "the verdict is less sure than the threshold",
                };
                told.payload.insert("reason", Value::text(why));
            }
            if let Some(others) = verdict.as_ref().and_then(|v| v.get("alternatives")) {
                told.payload.insert("alternatives", others.clone());
            }
            progress.events.push(told);
            if bailed {
                return;
            }
            let call = Call {
                intent: chosen.into(),
                slots: Some(Map::new()),
            };
            let Ok(turned) = self.machine().turn(&state, &progress.world, &call) else {
                return;
            };
            progress.events.extend(turned.events);
            if turned.rejection.is_some() {
                return;
            }
            progress.state = turned.state;
            progress.world = turned.world;
            progress.view = turned.view;
            let resting = progress.state.clone();
            let done = self.dispatch(turned.calls, &resting, &mut progress.world, 0).await;
            if let Some(to) = progress.take(done) {
                progress.state = to;
                return;
            }
            if self.settle(progress, 0).await.is_some() {
                return;
            }
        }
    }

    /// Asks the decider; its events stand in the log as those of any call, without the queueing.
    async fn verdict(&self, args: Map, progress: &mut Progress) -> Option<Map> {
        let verb = "host.agent.decide";
        let class = verbs::class(verb, &args);
        let mut dispatched = event!(
            kind::DISPATCHED,
            "namespace": verb,
            "args": args.clone(),
            "rerender_fell_back": false,
            "background": false,
            "effect": class.effect.as_str(),
            "deterministic": class.deterministic,
        );
        dispatched.turn = self.turn;
        self.port.live(&dispatched);
        progress.events.push(dispatched);
        let request = HostRequest {
            verb: verb.into(),
            args,
            world: progress.world.vars.clone(),
            turn: self.turn,
            state: progress.state.clone(),
            declared_in: progress.state.clone(),
            plugin: None,
            may_write: false,
            reach: EffectClass::Read,
        };
        let Answer::Host(answer) = self.port.ask(Ask::Call(request)).await else {
            return None;
        };
        for mut note in answer.notes {
            note.turn = self.turn;
            self.port.live(&note);
        }
        super::dispatch::add_cost(&mut progress.world, answer.cost_usd, &mut progress.events);
        let mut returned = event!(
            kind::RETURNED,
            "namespace": verb,
            "effect": class.effect.as_str(),
            "deterministic": class.deterministic,
        );
        let (data, error) = match answer.result {
            HostResult::Done(data) => (data, String::new()),
            HostResult::Domain { message, data } => (data, message),
            HostResult::Infra(message) => (None, message),
        };
        if !error.is_empty() {
            write(
                &mut progress.world,
                &mut progress.events,
                "last_error",
                Value::text(&error),
            );
            returned.payload.insert("error", Value::text(&error));
        }
        if let Some(data) = &data {
            returned.payload.insert("data", Value::Map(data.clone()));
        }
        progress.events.push(returned);
        if !error.is_empty() {
            return None;
        }
        at_path(&data?, "submitted")?.as_map().cloned()
    }
}
