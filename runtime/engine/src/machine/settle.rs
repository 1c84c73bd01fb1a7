//! Emits whose guard or name needed a value that a host call has bound meanwhile (`machine` 14.1).

use kitsoki_expr::Map;
use smol_str::SmolStr;

use super::emits::Chain;
use super::{HostCall, Machine, env};
use crate::event::Event;
use crate::fault::TurnError;
use crate::path;
use crate::world::World;

/// What the pass brought.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Where the session rests now.
    pub state: SmolStr,
    /// Its world.
    pub world: World,
    /// What happened.
    pub events: Vec<Event>,
    /// Calls to make.
    pub calls: Vec<HostCall>,
    /// What was said.
    pub said: String,
}

impl Machine<'_> {
    /// Looks again at the emits of the room that the session rests in. `None`: nothing was emitted.
    ///
    /// # Errors
    /// When a guard, a name or a hop fails; state and world are as before.
    pub fn settle(self, at: &str, world: &World, staged: bool, intercept: bool) -> Result<Option<Settled>, TurnError> {
        if path::is_parallel(at) {
            return Ok(None);
        }
        let Some((_, state)) = self.program.state(at) else {
            return Ok(None);
        };
        let slots = Map::new();
        let mut emits = Vec::new();
        for effect in &state.on_enter {
            let Some(emit) = &effect.emit_intent else { continue };
            if let Some(when) = effect.when
                && !self.program.guard(when, &env(world, &slots))?
            {
                continue;
            }
            emits.extend(self.emitted(emit, world, &slots)?);
        }
        if emits.is_empty() {
            return Ok(None);
        }
        let mut chain = Chain {
            state: at.into(),
            world: world.clone(),
            events: Vec::new(),
            calls: Vec::new(),
            said: Vec::new(),
            intercept,
        };
        self.fire(&mut chain, &emits, 0, staged)?;
        Ok(Some(Settled {
            state: chain.state,
            world: chain.world,
            events: chain.events,
            calls: chain.calls,
            said: super::join_said(&chain.said),
        }))
    }
}
