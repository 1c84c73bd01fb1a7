//! Rules about phases; the macro calls them (`macros` 2).

use kitsoki_diagnostics::Rule;

/// The rules of this group.
pub const RULES: &[&Rule] = &[];
