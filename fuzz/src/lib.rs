//! What holds of every text, for the fuzz targets: each of them makes a text of its input and asks here.
//!
//! | Module | What it asks about |
//! |---|---|
//! | [`tree`] | YAML: ranges, order, scalars, faults and their fixes |
//! | [`code`] | guards and templates: ranges, tokens, types, values, limits |
//!
//! What holds of a whole story stands in `tests/mutants` of the workspace, whose tests ask for the same.

pub mod code;
pub mod tree;
