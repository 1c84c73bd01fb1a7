//! A flow in place of lines and real handlers: the same player as that of `kitsoki test flows`, with what it does shown.
//!
//! Nothing of the flow is judged here, and no real handler is reached but those that the flow asks for.

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_runtime::Program;
use kitsoki_testing::play::Player;
use kitsoki_testing::{Fatal, fixture};

use super::{gates, print, told};
use crate::app::Exit;
use crate::args::{DriveArgs, DriveGates};
use crate::{real, test};

/// Plays the one flow of a file.
pub fn run(args: &DriveArgs, program: &Arc<Program>, file: &Utf8Path) -> Result<Exit, Fatal> {
    let loaded = fixture::load(file.as_std_path())?;
    let [flow] = loaded.flows.as_slice() else {
        let count = loaded.flows.len();
        return Err(Fatal(format!("{file}: {count} flows: --replay plays a file with one")));
    };
    let bound = test::rebound(program, flow);
    let program = bound.as_ref().unwrap_or(program);
    let builtins = real::Builtins::new();
    // Flows are written without an operator: as when they are tested, changes are let through unless it is said otherwise.
    let wanted = args.gates.unwrap_or(DriveGates::Assume);
    let trace = args.trace.as_deref().map(Utf8Path::as_std_path);
    let mut player = Player::new(program, flow, gates(wanted, false), Some(&builtins), trace)?;
    print(told(&player.session, None))?;
    for (index, turn) in flow.turns.iter().enumerate() {
        player.rig.turn = index;
        let outcome = player
            .turn(turn)
            .map_err(|e| Fatal(format!("{file}: turn {}: {e}", index + 1)))?;
        print(told(&player.session, Some(&outcome)))?;
    }
    player.finish()?;
    Ok(Exit::Clean)
}
