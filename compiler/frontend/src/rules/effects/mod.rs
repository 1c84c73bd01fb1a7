//! Rules about effects: calls, writes, emitted intents, and parts that never run.

mod undeclared_world_key;

use kitsoki_diagnostics::{Diagnostic, Rule};

use super::StoryCx;

/// The rules of this group.
pub const RULES: &[&Rule] = &[&undeclared_world_key::RULE];

pub(crate) use undeclared_world_key::{MissingKeys, RULE as UNDECLARED_WORLD_KEY, is_engine_key};

/// Everything that this group has to say about a story.
pub fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
    let _ = (cx, out);
}
