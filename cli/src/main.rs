//! The `kitsoki` command: arguments, files and exit codes; everything else lives in the packages below.

mod app;
mod args;
mod check;
mod compile;
mod config;
mod debug;
mod discover;
mod drive;
mod eval;
mod explain;
mod fix;
mod fmt;
mod graph;
mod lsp;
mod machine;
mod output;
mod outside;
mod real;
mod route;
mod session;
mod sources;
mod test;
mod trace;
mod watch;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    app::run()
}
