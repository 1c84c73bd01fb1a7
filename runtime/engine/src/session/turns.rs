//! The turns of a session: an intent, a start, a reload, a timeout (`dispatch` 3).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::{Effect, Redirect};
use smol_str::SmolStr;

use super::dispatch::add_cost;
use super::outcome::Done;
use super::settle::Progress;
use super::task::{Task, set_event};
use super::{Journey, Mode, Outcome, Provenance};
use crate::event::{Event, event, kind};
use crate::fault::Code;
use crate::gate::{SCOPE, is_reserved};
use crate::machine::{Call, slots_value};
use crate::path;
use crate::world::World;

/// Ends the grant for a turn: every turn that follows begins without it, also one that the engine makes itself.
pub(crate) fn expire(journey: &Journey, world: &mut World, events: &mut Vec<Event>) {
    if journey.turn_grant && world.text(SCOPE) == "turn" {
        world.set_durable(SCOPE, Value::text(""));
        events.push(set_event(SCOPE, Value::text("")));
    }
}

/// Where an intent comes from: what its turn writes down at the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A fixture; the turn also writes down that it took the intent.
    Fixture,
    /// A menu or a router.
    Direct,
    /// The interpreter of a text.
    Typed,
    /// The answer to a question for slots.
    Continued,
}

/// How an intent came in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Coming {
    pub call: Call,
    /// What `turn.input` and `turn.start` say.
    pub shown: String,
    pub origin: Origin,
    /// What the router knows of it.
    pub provenance: Provenance,
    /// What it cost to find out, in US dollars.
    pub cost: f64,
}

impl Coming {
    pub fn new(call: Call, shown: String, origin: Origin) -> Self {
        let (routed_by, match_type) = match origin {
            Origin::Fixture | Origin::Direct => ("", ""),
            Origin::Typed => ("llm", "main-turn"),
            Origin::Continued => ("slot-fill", "clarify-continue"),
        };
        let provenance = Provenance {
            routed_by: SmolStr::new_static(routed_by),
            match_type: SmolStr::new_static(match_type),
            ..Provenance::default()
        };
        Self {
            call,
            shown,
            origin,
            provenance,
            cost: 0.0,
        }
    }
}

impl Task {
    fn opening(&self, coming: &Coming) -> Vec<Event> {
        let turn = i64::try_from(self.turn).unwrap_or(i64::MAX);
        let mut start = event!(kind::TURN_START, "turn": turn, "input": coming.shown.as_str());
        let flag = match coming.origin {
            Origin::Fixture | Origin::Direct => Some("direct"),
            Origin::Continued => Some("clarify"),
            Origin::Typed => None,
        };
        if let Some(flag) = flag {
            start.payload.insert(flag, Value::Bool(true));
        }
        coming.provenance.stamp(&mut start.payload);
        let intent = coming.call.intent.clone();
        let input = |intent: SmolStr| event!(kind::TURN_INPUT, "input": coming.shown.as_str(), "intent": intent);
        match coming.origin {
            Origin::Fixture | Origin::Direct => vec![input(intent), start],
            Origin::Continued => vec![start],
            Origin::Typed => vec![
                input(SmolStr::default()),
                start,
                event!(kind::TOOL_CALL, "tool": "transition", "intent": intent),
            ],
        }
    }

    /// A turn that takes an intent.
    pub async fn intent(&self, coming: Coming, journey: &Journey) -> Done {
        let from = journey.state.clone();
        let mut before = journey.world.clone();
        let mut opening = self.opening(&coming);
        expire(journey, &mut before, &mut opening);
        let turned = match self
            .machine()
            .turn_in(&from, &before, &coming.call, self.config.intercept)
        {
            Ok(turned) => turned,
            Err(error) => return self.failed(&coming, journey, error.message),
        };
        if let Some(rejection) = turned.rejection {
            let mut outcome = Outcome::of(Mode::Rejected, from.clone(), self.turn);
            outcome.error = Some(rejection.code);
            outcome.message = rejection.message.clone();
            outcome.guard_hint = rejection.guard_hint.clone();
            outcome.missing_slots = rejection.missing_slots.clone();
            outcome.allowed_intents = if rejection.allowed_intents.is_empty() {
                self.machine().allowed_names(&from)
            } else {
                rejection.allowed_intents.clone()
            };
            let spent = super::interpret::spent(&before, coming.cost);
            if rejection.code == Code::MissingSlots {
                outcome.mode = Mode::Clarify;
                outcome.intent = Some(coming.call.intent.clone());
                if coming.origin != Origin::Fixture {
                    // What is known already, for whoever asks for the rest.
                    outcome.slots = coming.call.slots;
                }
                return Done::refused(spent, outcome);
            }
            let mut events = opening;
            events.extend(turned.events);
            events.extend(spent);
            events.push(event!(kind::TURN_END, "outcome": "rejected", "code": rejection.code.as_str()));
            return Done::refused(events, outcome);
        }
        let target = turned.state.clone();
        let mut progress = Progress {
            state: turned.state,
            world: turned.world,
            view: turned.view,
            events: turned.events,
        };
        let done = self.dispatch(turned.calls, &target, &mut progress.world, 0).await;
        let redirect = progress.take(done);
        let failed = redirect.is_some();
        let mut harness_error = None;
        match redirect {
            Some(to) => progress.state = to,
            None => {
                harness_error = self.settle(&mut progress, 0).await;
                if harness_error.is_none() {
                    self.decide(&mut progress).await;
                }
            }
        }
        add_cost(&mut progress.world, coming.cost, &mut progress.events);
        let mut events = opening;
        if coming.origin == Origin::Fixture {
            events.push(event!(
                kind::ACCEPTED,
                "intent": coming.call.intent.clone(),
                "slots": slots_value(turned.slots.as_ref()),
            ));
        }
        events.append(&mut progress.events);
        let mut end = event!(kind::TURN_END, "outcome": "transitioned", "to": progress.state.clone());
        if !progress.view.is_empty() {
            end.payload.insert("view", Value::text(&progress.view));
        }
        if let Some(signal) = super::workbench::signal(self, &target, failed, &progress) {
            end.payload.insert("usable_kitsoki_gate", Value::Map(signal));
        }
        events.push(end);
        let over = self.machine().is_terminal(&progress.state);
        let mut outcome = Outcome::of(
            if over { Mode::Completed } else { Mode::Transitioned },
            progress.state.clone(),
            self.turn,
        );
        outcome.view = progress.view;
        outcome.slots = turned.slots;
        outcome.harness_error = harness_error;
        outcome.allowed_intents = self.machine().allowed_names(&progress.state);
        Done::committed(events, outcome)
    }

    fn failed(&self, coming: &Coming, journey: &Journey, message: String) -> Done {
        let from = &journey.state;
        let turn = i64::try_from(self.turn).unwrap_or(i64::MAX);
        let shown = format!("[intent] {}", coming.call.intent);
        let mut events = vec![event!(kind::TURN_START, "turn": turn, "input": shown)];
        expire(journey, &mut journey.world.clone(), &mut events);
        events.extend([
            event!(
                kind::ERROR,
                "intent": coming.call.intent.clone(),
                "slots": slots_value(coming.call.slots.as_ref()),
                "state": from.clone(),
                "error": message.as_str(),
            ),
            event!(kind::TURN_END, "outcome": "error", "error": message.as_str()),
        ]);
        Done::refused(events, Outcome::failed(from.clone(), self.turn, message))
    }

    /// The turn of a timeout. `None` when it leads nowhere.
    pub async fn time_out(&self, journey: &Journey, target: &Redirect) -> Option<Done> {
        let from = journey.state.clone();
        let to = match target {
            Redirect::State(id) => SmolStr::from(self.program.story.path(*id)),
            Redirect::Relative(name) | Redirect::Nowhere(name) => name.clone(),
            Redirect::Template(id) => self.program.source(*id).into(),
        };
        let (_, room) = self.program.state(&to)?;
        let turn = i64::try_from(self.turn).unwrap_or(i64::MAX);
        let mut before = journey.world.clone();
        let mut events = vec![event!(kind::TURN_START, "turn": turn, "kind": "timeout", "source": from.clone())];
        expire(journey, &mut before, &mut events);
        events.extend([
            event!(kind::TIMEOUT, "from": from.clone(), "to": to.clone()),
            event!(kind::TRANSITION, "from": from.clone(), "to": to.clone(), "intent": "__timeout__"),
            event!(kind::EXITED, "state": from),
            event!(kind::ENTERED, "state": to.clone()),
        ]);
        let mut state = to.clone();
        if !room.on_enter.is_empty() {
            let lists = [(room.path.as_str(), room.on_enter.as_slice())];
            let chain = self.machine().run_lists(&to, before, &lists, false).ok()?;
            let mut world = chain.world;
            events.extend(chain.events);
            state = chain.state;
            if !chain.calls.is_empty() {
                let done = self.dispatch(chain.calls, &state, &mut world, 0).await;
                if done.error.is_none() {
                    events.extend(done.events);
                    if let Some(to) = done.redirect {
                        state = to;
                    }
                }
            }
        }
        events.push(event!(kind::TURN_END, "outcome": "timeout", "to": state.clone()));
        let mut done = Done::synthetic(events, state);
        done.stamps = true;
        Some(done)
    }

    /// The start of a session: the `on_enter` lists of all rooms around the first one.
    pub async fn boot(&self, journey: &Journey) -> Result<Done, String> {
        let mut lists: Vec<(&str, &[Effect])> = Vec::new();
        let mut paths: Vec<&str> = path::prefixes(path::structural(&journey.state));
        if path::is_parallel(&journey.state) {
            let root = path::structural(&journey.state);
            for leaf in path::leaves(&journey.state) {
                paths.extend(path::prefixes(leaf).into_iter().filter(|p| p.len() > root.len()));
            }
        }
        for at in paths {
            if let Some((_, state)) = self.program.state(at) {
                lists.push((state.path.as_str(), state.on_enter.as_slice()));
            }
        }
        let chain = self
            .machine()
            .run_lists(&journey.state, journey.world.clone(), &lists, false)
            .map_err(|e| e.message)?;
        let mut progress = Progress {
            state: chain.state.clone(),
            world: chain.world,
            view: String::new(),
            events: chain.events,
        };
        let done = self.dispatch(chain.calls, &chain.state, &mut progress.world, 0).await;
        progress.events.extend(done.events);
        if let Some(error) = done.error {
            return Err(error);
        }
        if let Some(to) = done.redirect {
            progress.state = to;
        }
        self.settle(&mut progress, 0).await;
        let mut done = Done::synthetic(progress.events, progress.state);
        done.stamps = true;
        Ok(done)
    }

    /// The `on_enter` list of the resting room once more.
    pub async fn reload(&self, journey: &Journey, force: bool) -> Result<Done, String> {
        let from = journey.state.clone();
        let turn = i64::try_from(self.turn).unwrap_or(i64::MAX);
        let mut events = vec![event!(
            kind::TURN_START,
            "turn": turn,
            "kind": "reload",
            "state": from.clone(),
            "force_once": Value::Bool(force),
        )];
        let mut before = journey.world.clone();
        expire(journey, &mut before, &mut events);
        let mut state = from.clone();
        if let Some((_, room)) = self.program.state(&from) {
            let lists = [(room.path.as_str(), room.on_enter.as_slice())];
            let chain = self
                .machine()
                .run_lists(&from, before, &lists, force)
                .map_err(|e| e.message)?;
            let mut world = chain.world;
            events.extend(chain.events);
            state = chain.state;
            let done = self.dispatch(chain.calls, &state, &mut world, 0).await;
            events.extend(done.events);
            if let Some(to) = done.redirect {
                state = to;
            }
        }
        events.push(event!(
            kind::TURN_END,
            "outcome": "reloaded",
            "to": state.clone(),
            "force_once": Value::Bool(force),
        ));
        let mut done = Done::synthetic(events, state);
        done.stamps = false;
        Ok(done)
    }

    /// A jump: state and slots are set, and nothing is run.
    pub fn teleport(
        &self,
        journey: &Journey,
        to: &str,
        slots: &Map,
        job: &str,
        proposal: &str,
    ) -> Result<Done, String> {
        let turn = i64::try_from(self.turn).unwrap_or(i64::MAX);
        let mut world = journey.world.clone();
        let mut events = vec![
            event!(
                kind::TURN_START,
                "turn": turn,
                "kind": "teleport",
                "from": journey.state.clone(),
                "to": to,
                "job_id": job,
                "proposal_id": proposal,
            ),
            event!(kind::TRANSITION, "from": journey.state.clone(), "to": to, "intent": "teleport"),
        ];
        expire(journey, &mut world, &mut events);
        let mut all: Vec<(&str, Value)> = slots
            .sorted()
            .into_iter()
            .filter(|(k, _)| !is_reserved(k))
            .map(|(k, v)| (k.as_str(), v.clone()))
            .collect();
        for (key, id) in [("teleport_job_id", job), ("teleport_proposal_id", proposal)] {
            if !id.is_empty() {
                all.push((key, Value::text(id)));
            }
        }
        for (key, value) in all {
            world.set(key, value.clone());
            events.push(set_event(key, value));
        }
        let view = self.machine().render(to, &world).map_err(|e| e.message)?;
        events.push(event!(kind::TURN_END, "outcome": "transitioned", "to": to));
        let mut done = Done::synthetic(events, to.into());
        done.outcome.view = view;
        done.rearms = true;
        Ok(done)
    }
}
