//! Rules about imports; [`crate::fold`] calls them while it folds, the rest runs over the finished story (`imports`).

use kitsoki_diagnostics::Rule;

/// The rules of this group.
pub const RULES: &[&Rule] = &[];
