//! The `kitsoki` command: arguments, files and exit codes; everything else lives in the packages below.

mod app;
mod args;
mod check;
mod compile;
mod debug;
mod discover;
mod explain;
mod output;
mod session;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    app::run()
}
