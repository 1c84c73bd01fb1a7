//! `kitsoki debug`.
use crate::app::Exit;
use crate::args::DebugArgs;
/// Runs the command.
pub fn run(_args: &DebugArgs) -> miette::Result<Exit> {
    Ok(Exit::Clean)
}
