//! Which arm an intent takes (`machine` 7).

use kitsoki_expr::{Env, Map};
use kitsoki_ir::{Arc as Arm, ArcId, Guard, Handler};
use smol_str::SmolStr;

use super::turn::no_arm;
use super::{Call, Machine, env};
use crate::fault::{Rejection, TurnError};
use crate::path;
use crate::world::World;

/// The arm that won, and the path of the state that owns it.
#[derive(Clone, Copy, Debug)]
pub struct Winner<'p> {
    /// The arm.
    pub arm: &'p Arm,
    /// The path of its state.
    pub owner: &'p str,
}

/// What came of a search.
pub(crate) enum Found<'p> {
    /// An arm.
    Arm(Winner<'p>),
    /// None; the hint of the first failing arm that has one.
    None(SmolStr),
}

/// What a look at the guards says without running anything (`machine` 17).
#[derive(Clone, Debug, PartialEq)]
pub enum DryRun {
    /// An arm would be taken; where it leads, as written.
    Taken(SmolStr),
    /// Only the arm of last resort is left; why, when somebody gave a reason.
    Default(Option<SmolStr>),
    /// No arm would be taken; the hint.
    Blocked(SmolStr),
    /// Nobody can say: a guard fails, or nothing binds the intent.
    Unresolved,
}

impl<'p> Machine<'p> {
    /// Looks for the arm of an intent from a leaf outwards. The first state that binds it, or anything, decides.
    pub(crate) fn find(self, leaf: &str, intent: &str, env: &Env) -> Result<Found<'p>, TurnError> {
        for segment in path::outwards(leaf) {
            let Some((_, state)) = self.program.state(segment) else {
                continue;
            };
            for name in [intent, "*"] {
                let bound = state.handler(name).filter(|h| !h.arcs.is_empty());
                if let Some(handler) = bound {
                    return self.evaluate(handler, &state.path, intent, env);
                }
            }
        }
        Ok(Found::None(SmolStr::default()))
    }

    /// Whether an arm takes a call: its intent and slots are checked, then the guards; nothing is run. The call comes back
    /// as the machine takes it, or else the refusal.
    ///
    /// # Errors
    /// When a guard cannot be evaluated.
    pub fn takes(self, at: &str, world: &World, call: &Call) -> Result<Result<Call, Rejection>, TurnError> {
        let call = match self.validate(at, call) {
            Ok(call) => call,
            Err(no) => return Ok(Err(no)),
        };
        let env = env(world, call.slots.as_ref().unwrap_or(&Map::new()));
        let mut hint = SmolStr::default();
        for leaf in path::leaves(at) {
            match self.find(leaf, &call.intent, &env)? {
                Found::Arm(_) => return Ok(Ok(call)),
                Found::None(own) if hint.is_empty() => hint = own,
                Found::None(_) => {}
            }
        }
        Ok(Err(no_arm(&call.intent, path::structural(at), hint)))
    }

    fn arms(self, handler: &'p Handler) -> impl Iterator<Item = &'p Arm> {
        let arm = move |id: &ArcId| self.program.story.arcs.get(*id);
        handler.arcs.iter().filter_map(arm)
    }

    fn evaluate(self, handler: &'p Handler, owner: &'p str, intent: &str, env: &Env) -> Result<Found<'p>, TurnError> {
        let mut hint = SmolStr::default();
        for arm in self.arms(handler) {
            let taken = match arm.guard {
                Guard::Always | Guard::Default => true,
                Guard::When(id) => self
                    .program
                    .guard(id, env)
                    .map_err(|e| e.at(format_args!("guard of \"{intent}\" in state \"{owner}\"")))?,
            };
            if taken {
                return Ok(Found::Arm(Winner { arm, owner }));
            }
            if hint.is_empty() {
                hint = arm.guard_hint.clone();
            }
        }
        Ok(Found::None(hint))
    }

    /// Looks at the guards of an intent without running anything: named bindings only, from the leaf outwards.
    #[must_use]
    pub fn dry_run(self, at: &str, world: &World, intent: &str, slots: &Map) -> DryRun {
        if path::is_parallel(at) {
            return DryRun::Unresolved;
        }
        let env = env(world, slots);
        for segment in path::outwards(at) {
            let Some((_, state)) = self.program.state(segment) else {
                continue;
            };
            if let Some(handler) = state.handler(intent).filter(|h| !h.arcs.is_empty()) {
                return self.try_arms(handler, &state.path, &env);
            }
        }
        DryRun::Unresolved
    }

    fn try_arms(self, handler: &'p Handler, owner: &str, env: &Env) -> DryRun {
        let mut hint = SmolStr::default();
        let mut failed = false;
        for arm in self.arms(handler) {
            match arm.guard {
                Guard::Always => return DryRun::Taken(self.written_target(arm, owner)),
                Guard::Default => {
                    let reason = if arm.guard_hint.is_empty() {
                        hint
                    } else {
                        arm.guard_hint.clone()
                    };
                    return DryRun::Default((failed && !reason.is_empty()).then_some(reason));
                }
                Guard::When(id) => match self.program.guard(id, env) {
                    Ok(true) => return DryRun::Taken(self.written_target(arm, owner)),
                    Ok(false) => {
                        failed = true;
                        if hint.is_empty() {
                            hint = arm.guard_hint.clone();
                        }
                    }
                    Err(_) => return DryRun::Unresolved,
                },
            }
        }
        DryRun::Blocked(hint)
    }
}
