//! One intent, from validation to view (`machine` 9).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::View;
use smol_str::SmolStr;

use super::emits::{Chain, moved};
use super::overlay::abandoned;
use super::runs::Progress;
use super::select::Found;
use super::targets::{self, Hop};
use super::{Call, EffectRun, HostCall, Machine, Turned, below, env, slots_value};
use crate::event::{Event, event, kind};
use crate::fault::{Code, Rejection, TurnError};
use crate::path;
use crate::world::World;

impl Machine<'_> {
    /// Takes an intent.
    ///
    /// # Errors
    /// When something that the turn needs cannot be evaluated; nothing has happened then.
    pub fn turn(self, at: &str, world: &World, call: &Call) -> Result<Turned, TurnError> {
        self.turn_in(at, world, call, false)
    }

    pub(crate) fn turn_in(self, at: &str, world: &World, call: &Call, intercept: bool) -> Result<Turned, TurnError> {
        if path::is_parallel(at) {
            return self.turn_parallel(at, world, call);
        }
        let mut world = world.clone();
        let mut prelude = Vec::new();
        if world.overlay.as_ref().is_none_or(|o| o.state != at)
            && let Some(id) = self.operation_of(at)
        {
            let hash = super::overlay::hash(world.durable());
            world.open(id.clone(), at.into());
            prelude.push(event!(kind::OP_STARTED, "operation_id": id, "state": at, "parent_world_hash": hash));
        }
        let call = match self.validate(at, call) {
            Ok(call) => call,
            Err(rejection) => return Ok(refused(at, world, &call.intent, call.slots.clone(), rejection, prelude)),
        };
        let slots = call.slots.clone().unwrap_or_default();
        let before = env(&world, &slots);
        let winner = match self.find(at, &call.intent, &before)? {
            Found::Arm(winner) => winner,
            Found::None(hint) => {
                let rejection = no_arm(&call.intent, at, hint);
                return Ok(refused(at, world, &call.intent, call.slots, rejection, prelude));
            }
        };
        let target = self.target(winner, &before, Hop::User)?;
        let to = self.descend(&target.path, &before)?;
        let again = to == at && target.explicit;
        self.open_overlay(&mut world, &to, again, &mut prelude);

        let mut run = EffectRun::new(world, slots.clone());
        self.run_effects(&mut run, &winner.arm.effects, winner.owner)?;
        if again {
            self.enter(&mut run, &[SmolStr::from(at)])?;
        } else if to != at {
            self.enter(&mut run, &targets::entered(at, &to))?;
        }
        let mut events = vec![event!(
            kind::TRANSITION,
            "from": at,
            "to": to.clone(),
            "intent": call.intent.clone(),
            "slots": slots_value(call.slots.as_ref()),
        )];
        self.start_run(
            winner.arm.operation,
            (at, &to),
            &call.intent,
            false,
            &mut run.world,
            &mut events,
        );
        events.append(&mut prelude);
        events.extend(run.events.iter().cloned());
        events.extend(moved(at, &to));

        let mut chain = Chain {
            state: to,
            world: run.world,
            events,
            calls: run.calls,
            said: run.said,
            intercept,
        };
        if !run.emits.is_empty() {
            self.fire(&mut chain, &run.emits, 0, false)?;
        }
        let progress = Progress {
            state: &chain.state.clone(),
            exit: winner.arm.exit.as_ref(),
            effects: &run.events,
        };
        self.advance_run(&progress, &mut chain.world, &mut chain.events);
        if chain.world.overlay.as_ref().is_some_and(|o| o.state != chain.state)
            && let Some(overlay) = chain.world.discard()
        {
            let gone = abandoned(&overlay.id, "exit", overlay.patch);
            chain.events.push(gone.clone());
            self.fail_run(&chain.state.clone(), &[gone], &mut chain.world, &mut chain.events);
        }
        let view = if binds(&chain.calls) {
            String::new()
        } else {
            self.turn_view(
                winner.arm.view.as_ref(),
                &chain.state,
                &chain.world,
                &slots,
                &chain.said,
            )?
        };
        Ok(Turned {
            state: chain.state,
            world: chain.world,
            view,
            events: chain.events,
            calls: chain.calls,
            slots: call.slots,
            rejection: None,
        })
    }

    /// The view of a turn: the arm's own or the room's, below what was said.
    pub(crate) fn turn_view(
        self,
        arm: Option<&View>,
        state: &str,
        world: &World,
        slots: &Map,
        said: &[String],
    ) -> Result<String, TurnError> {
        let view = match arm {
            Some(view) => self.render_view(view, state, world, slots)?,
            None => self.render_with(state, world, slots)?,
        };
        Ok(below(said, view))
    }
}

/// Whether a call will bring values, so that the view has to wait.
pub(crate) fn binds(calls: &[HostCall]) -> bool {
    calls.iter().any(|c| !c.invoke.bind.is_empty())
}

pub(crate) fn no_arm(intent: &str, at: &str, hint: SmolStr) -> Rejection {
    let mut rejection = Rejection::new(
        Code::GuardFailed,
        format!("no transition matched for intent \"{intent}\" in state \"{at}\""),
    );
    rejection.guard_hint = hint;
    rejection
}

pub(crate) fn refused(
    at: &str,
    world: World,
    intent: &str,
    slots: Option<Map>,
    rejection: Rejection,
    mut events: Vec<Event>,
) -> Turned {
    let mut refusal = event!(
        kind::REFUSED,
        "code": rejection.code.as_str(),
        "intent": intent,
        "state": at,
    );
    if rejection.code == Code::GuardFailed {
        refusal.payload.insert("guard_hint", Value::text(&rejection.guard_hint));
    } else {
        refusal.payload.insert("message", Value::text(&rejection.message));
    }
    events.push(refusal);
    Turned {
        state: at.into(),
        world,
        view: String::new(),
        events,
        calls: Vec::new(),
        slots,
        rejection: Some(rejection),
    }
}
