//! Rules about views and choices.

pub(crate) mod choice_intent_undeclared;
pub(crate) mod choices;

use kitsoki_diagnostics::{Diagnostic, Rule};

use super::StoryCx;

/// The rules of this group.
pub const RULES: &[&Rule] = &[];

/// Everything that this group has to say about a story.
pub fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
    let _ = (cx, out);
}
