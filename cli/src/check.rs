//! `kitsoki check`.
use crate::app::Exit;
use crate::args::CheckArgs;
/// Runs the command.
pub fn run(_args: &CheckArgs) -> miette::Result<Exit> {
    Ok(Exit::Clean)
}
