//! `kitsoki compile`.
use crate::app::Exit;
use crate::args::CompileArgs;
/// Runs the command.
pub fn run(_args: &CompileArgs) -> miette::Result<Exit> {
    Ok(Exit::Clean)
}
