//! Rules about synonyms and semantic routing.
//!
//! Those about the free-form fallback (`fallback-*`) and meta modes (`meta-*`) speak while these are expanded: see `macros`.

use kitsoki_diagnostics::{Diagnostic, Rule};

use super::StoryCx;

/// The rules of this group.
pub const RULES: &[&Rule] = &[];

/// Everything that this group has to say about a story.
pub fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
    let _ = (cx, out);
}
