//! From story text to typed IR: queries, surface story, folding, macros, lowering and rules.
//!
//! | Module | What it holds |
//! |---|---|
//! | `db` | inputs and the [`System`](db::System) behind them |
//! | `surface` | what the author wrote, typed |
//! | `package` | one manifest with its includes; agents and toolboxes |
//! | `fold` | imports: sources, names, targets, exits |
//! | `desugar` | one module per macro |
//! | `lower` | ordinary declarations to `kitsoki_ir` |
//! | `emit` | what `compile --emit` prints |
//! | `rules` | one rule per file |
//! | `recognize` | what is a manifest among the files of a folder |
//! | `prose` | words that no rule reads: edits of them are left for later |

pub mod db;
pub mod desugar;
pub mod emit;
pub mod fold;
pub mod lower;
pub mod package;
pub mod pipeline;
mod prose;
pub mod reading;
mod recognize;
pub mod rules;
mod story;
pub mod surface;

pub use recognize::looks_like_story;
pub use story::{BUILTIN_AGENTS, ENGINE_WORLD_KEYS, Incomplete, Loaded, RESERVED_WORLD_KEYS, Wrapper};
