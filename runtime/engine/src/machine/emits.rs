//! Emitted intents: hops of the machine inside of one turn (`machine` 12).

use kitsoki_expr::{Map, Value};
use smol_str::SmolStr;

use super::runs::Progress;
use super::select::Found;
use super::targets::{self, Hop};
use super::{EffectRun, Emitted, HostCall, MAX_EMIT_DEPTH, Machine, env};
use crate::event::{Event, event, kind};
use crate::fault::TurnError;
use crate::path;
use crate::world::World;

/// Where a chain of hops has come to.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub state: SmolStr,
    pub world: World,
    pub events: Vec<Event>,
    pub calls: Vec<HostCall>,
    pub said: Vec<String>,
    /// An overriding intercept: a self arc with effects enters its room again, without its emits.
    pub intercept: bool,
}

impl Machine<'_> {
    /// Fires emitted intents one after the other, each against the state that the one before led to.
    pub(crate) fn fire(
        self,
        chain: &mut Chain,
        emits: &[Emitted],
        depth: usize,
        staged: bool,
    ) -> Result<(), TurnError> {
        if depth >= MAX_EMIT_DEPTH {
            return Err(TurnError::new(format!(
                "emit_intent: dispatch exceeded max depth ({MAX_EMIT_DEPTH}) at state \"{}\" — likely a cyclic emit chain",
                chain.state
            )));
        }
        let asks = depth > 0 || !self.all_hidden(&chain.state, emits);
        if asks && self.waits(&chain.state, &chain.world, staged) {
            chain.events.push(self.gate_event(&chain.state, "human", "", true));
            return Ok(());
        }
        if let Some(first) = emits.first()
            && self.is_gate(&chain.state, &chain.world)
        {
            chain
                .events
                .push(self.gate_event(&chain.state, "default", &first.name, false));
        }
        for emit in emits {
            self.hop(chain, emit, depth, staged).map_err(|e| {
                if depth == 0 {
                    e.at(format_args!("emit_intent \"{}\"", emit.name))
                } else {
                    e
                }
            })?;
        }
        Ok(())
    }

    fn hop(self, chain: &mut Chain, emit: &Emitted, depth: usize, staged: bool) -> Result<(), TurnError> {
        let from = chain.state.clone();
        let search = if path::is_parallel(&from) {
            let root = path::structural(&from);
            let takes = |name: &str| {
                self.program
                    .chain(root)
                    .any(|(_, s)| s.handler(name).is_some_and(|h| !h.arcs.is_empty()))
            };
            if !takes(&emit.name) && !takes("*") {
                return Ok(());
            }
            SmolStr::from(root)
        } else {
            from.clone()
        };
        let intent = self.resolve_alias(&search, &emit.name);
        let env = env(&chain.world, &emit.slots);
        let Found::Arm(winner) = self.find(&search, &intent, &env)? else {
            return Err(TurnError::new(format!(
                "no transition arm matched at \"{from}\": the intent is not bound there, or all guards failed"
            )));
        };
        let target = self.target(winner, &env, Hop::Synthetic)?;
        let to = self.descend(&target.path, &env)?;

        let mut run = EffectRun::new(std::mem::take(&mut chain.world), emit.slots.clone());
        self.run_effects(&mut run, &winner.arm.effects, winner.owner)?;
        let again = to == from && chain.intercept && !winner.arm.effects.is_empty();
        if to != from || again {
            let entered = if again {
                vec![to.clone()]
            } else {
                targets::entered(&from, &to)
            };
            let emitted = run.emits.len();
            self.enter(&mut run, &entered)?;
            if again {
                // They are looked at again once the calls have brought their results.
                run.emits.truncate(emitted);
            }
        }
        chain.world = run.world;
        chain.calls.append(&mut run.calls);
        chain.said.append(&mut run.said);

        chain.events.push(event!(
            kind::TRANSITION,
            "from": from.clone(),
            "to": to.clone(),
            "intent": intent.clone(),
            "slots": emit.slots.clone(),
            "synthetic": Value::Bool(true),
        ));
        self.start_run(
            winner.arm.operation,
            (&from, &to),
            &intent,
            true,
            &mut chain.world,
            &mut chain.events,
        );
        chain.events.extend(run.events.iter().cloned());
        chain.events.extend(moved(&from, &to));
        chain.state = to;
        if !run.emits.is_empty() {
            self.fire(chain, &run.emits, depth + 1, staged)?;
        }
        let progress = Progress {
            state: &chain.state.clone(),
            exit: winner.arm.exit.as_ref(),
            effects: &run.events,
        };
        self.advance_run(&progress, &mut chain.world, &mut chain.events);
        Ok(())
    }

    /// Runs the `on_enter` lists of states from the outside in.
    pub(crate) fn enter(self, run: &mut EffectRun, entered: &[SmolStr]) -> Result<(), TurnError> {
        for at in entered {
            if let Some((_, state)) = self.program.state(at) {
                self.run_effects(run, &state.on_enter, &state.path)
                    .map_err(|e| e.at(format_args!("on_enter of state \"{at}\"")))?;
            }
        }
        Ok(())
    }

    /// Runs effect lists outside of an intent (boot, reload, redirects, job ends), with the intents that they emit.
    ///
    /// # Errors
    /// When an effect or a hop fails; the world is lost then.
    pub(crate) fn run_lists(
        self,
        state: &str,
        world: World,
        lists: &[(&str, &[kitsoki_ir::Effect])],
        force: bool,
    ) -> Result<Chain, TurnError> {
        let mut run = EffectRun::new(world, Map::new());
        run.force = force;
        for (declared_in, effects) in lists {
            self.run_effects(&mut run, effects, declared_in)?;
        }
        let mut chain = Chain {
            state: state.into(),
            world: run.world,
            events: run.events,
            calls: run.calls,
            said: run.said,
            intercept: false,
        };
        if !run.emits.is_empty() {
            self.fire(&mut chain, &run.emits, 0, false)?;
        }
        Ok(chain)
    }
}

/// The events of leaving and entering.
pub(crate) fn moved(from: &str, to: &str) -> Vec<Event> {
    let left = targets::exited(from, to)
        .into_iter()
        .map(|p| event!(kind::EXITED, "state": p));
    let entered = targets::entered(from, to)
        .into_iter()
        .map(|p| event!(kind::ENTERED, "state": p));
    left.chain(entered).collect()
}
