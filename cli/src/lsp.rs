//! `kitsoki lsp`: the language server with the real files and the configuration of each story.

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::rules;
use kitsoki_lsp::server::{self, Setup};

use crate::config;
use crate::machine::Machine;

/// Serves one client over the standard streams. Returns the exit status.
#[must_use]
pub fn run() -> i32 {
    server::run_stdio(Setup {
        system: Arc::new(|here| Arc::new(Machine::new(here))),
        levels: Arc::new(|story: &Utf8Path| {
            // A configuration that cannot be read changes nothing; `check` says what is wrong with it.
            config::levels(story, &rules::registry()).unwrap_or_default()
        }),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}
