//! Turns in a state with regions: one region takes the intent, the others may react (`machine` 20).

use kitsoki_expr::Map;
use kitsoki_ir::Arc as Arm;
use smol_str::SmolStr;

use super::emits::moved;
use super::select::Found;
use super::targets::{self, Hop};
use super::turn::{binds, no_arm, refused};
use super::{Call, EffectRun, Machine, Turned, Winner, env, slots_value};
use crate::event::{event, kind};
use crate::fault::TurnError;
use crate::path;
use crate::world::World;

/// Events between regions may chain this deep.
const MAX_PROPAGATION: usize = 24;

/// The leaf of each region, in order of the regions' names.
type Leaves = Vec<(SmolStr, SmolStr)>;

impl<'p> Machine<'p> {
    pub(crate) fn turn_parallel(self, at: &str, world: &World, call: &Call) -> Result<Turned, TurnError> {
        let root = path::structural(at);
        let Some((root_id, _)) = self.program.state(root) else {
            return Err(TurnError::new(format!("state \"{root}\" is not a state with regions")));
        };
        let call = match self.validate(at, call) {
            Ok(call) => call,
            Err(no) => {
                let mut turned = refused(at, world.clone(), &call.intent, call.slots.clone(), no, Vec::new());
                say_root(&mut turned, root);
                return Ok(turned);
            }
        };
        let leaves: Leaves = self
            .program
            .story
            .regions(root_id)
            .into_iter()
            .filter_map(|id| {
                let region = self.program.story.states.get(id)?.name();
                let leaf = path::leaves(at)
                    .into_iter()
                    .find(|leaf| path::region(root, leaf) == region)?;
                Some((region.into(), leaf.into()))
            })
            .collect();
        let slots = call.slots.clone().unwrap_or_default();
        let before = env(world, &slots);
        let mut hint = SmolStr::default();
        let mut found: Option<(usize, Winner<'p>)> = None;
        for (index, (_, leaf)) in leaves.iter().enumerate() {
            match self.find(leaf, &call.intent, &before)? {
                Found::Arm(winner) => {
                    found = Some((index, winner));
                    break;
                }
                Found::None(own) if hint.is_empty() => hint = own,
                Found::None(_) => {}
            }
        }
        let Some((index, winner)) = found else {
            let mut turned = refused(
                at,
                world.clone(),
                &call.intent,
                call.slots,
                no_arm(&call.intent, root, hint),
                Vec::new(),
            );
            say_root(&mut turned, root);
            return Ok(turned);
        };
        let target = self.target(winner, &before, Hop::User)?;
        let to = self.descend(&target.path, &before)?;
        let leaves_root = !to
            .strip_prefix(root)
            .is_some_and(|rest| rest.starts_with('.') || rest.is_empty());
        let mut run = EffectRun::new(world.clone(), slots.clone());
        self.run_effects(&mut run, &winner.arm.effects, winner.owner)?;

        let old = leaves.get(index).map(|(_, leaf)| leaf.clone()).unwrap_or_default();
        let mut now = leaves;
        let state = if leaves_root {
            to.clone()
        } else {
            if to != old {
                self.enter(&mut run, &targets::entered(&old, &to))?;
            }
            if let Some(own) = now.get_mut(index) {
                own.1 = to.clone();
            }
            let names = emitted_names(winner.arm);
            if !names.is_empty() {
                let origin = now.get(index).map(|(region, _)| region.clone()).unwrap_or_default();
                self.propagate(&mut run, &mut now, &origin, &names, 0)?;
            }
            path::encode(root, now.iter().map(|(_, leaf)| leaf.to_string()).collect())
        };
        let view = if binds(&run.calls) {
            String::new()
        } else {
            self.parallel_view(
                winner.arm.view.as_ref(),
                root,
                &state,
                &to,
                &run.world,
                &slots,
                &run.said,
            )?
        };
        let mut events = vec![event!(
            kind::TRANSITION,
            "from": at,
            "to": state.clone(),
            "intent": call.intent.clone(),
            "slots": slots_value(call.slots.as_ref()),
        )];
        events.append(&mut run.events);
        if leaves_root {
            events.push(event!(kind::EXITED, "state": root));
            events.extend(
                targets::entered(root, path::structural(&to))
                    .into_iter()
                    .map(|p| event!(kind::ENTERED, "state": p)),
            );
        } else if old != to {
            events.extend(moved(&old, &to));
        }
        Ok(Turned {
            state,
            world: run.world,
            view,
            events,
            calls: run.calls,
            slots: call.slots,
            rejection: None,
        })
    }

    /// Tells events of one region to the others.
    fn propagate(
        self,
        run: &mut EffectRun,
        leaves: &mut Leaves,
        origin: &str,
        names: &[SmolStr],
        depth: usize,
    ) -> Result<(), TurnError> {
        if depth >= MAX_PROPAGATION {
            return Err(TurnError::new(format!(
                "events between regions chain deeper than {MAX_PROPAGATION}: two regions probably answer each other"
            )));
        }
        for name in names {
            let mut next: Vec<(SmolStr, SmolStr)> = Vec::new();
            for index in 0..leaves.len() {
                let Some((region, leaf)) = leaves.get(index).cloned() else {
                    continue;
                };
                if region == origin {
                    continue;
                }
                let env = env(&run.world, &run.slots);
                let Found::Arm(winner) = self.find(&leaf, name, &env)? else {
                    continue;
                };
                let target = self.target(winner, &env, Hop::User)?;
                let to = self.descend(&target.path, &env)?;
                self.run_effects(run, &winner.arm.effects, winner.owner)?;
                if leaf != to {
                    self.enter(run, &targets::entered(&leaf, &to))?;
                    run.events.extend(moved(&leaf, &to));
                }
                if let Some(own) = leaves.get_mut(index) {
                    own.1 = to;
                }
                next.extend(emitted_names(winner.arm).into_iter().map(|n| (n, region.clone())));
            }
            for (name, origin) in next {
                self.propagate(run, leaves, &origin, &[name], depth + 1)?;
            }
        }
        Ok(())
    }

    /// The view of a turn in a state with regions: the arm's own, or the root's and the leaves' below each other.
    #[expect(clippy::too_many_arguments, reason = "one use; a struct would only name them again")]
    fn parallel_view(
        self,
        arm: Option<&kitsoki_ir::View>,
        root: &str,
        state: &str,
        to: &str,
        world: &World,
        slots: &Map,
        said: &[String],
    ) -> Result<String, TurnError> {
        if !path::is_parallel(state) || path::structural(state) != root {
            return self.turn_view(arm, to, world, slots, said);
        }
        let view = match arm {
            Some(view) => self.render_view(view, state, world, slots)?,
            None => self.render_regions(state, world, slots)?,
        };
        Ok(super::below(said, view))
    }
}

/// The names that an arm tells to other regions: those of its effects, whatever their guards say, then its own list.
fn emitted_names(arm: &Arm) -> Vec<SmolStr> {
    let of_effects = arm.effects.iter().filter_map(|e| e.emit.clone());
    of_effects
        .chain(arm.emit.iter().cloned())
        .filter(|n| !n.is_empty())
        .collect()
}

/// A refusal in a state with regions names the root.
fn say_root(turned: &mut Turned, root: &str) {
    if let Some(last) = turned.events.last_mut() {
        last.payload.insert("state", kitsoki_expr::Value::text(root));
    }
}
