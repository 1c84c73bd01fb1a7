//! How much a template may be and use. The reference has no such bounds; these are ours.

/// Blocks inside blocks.
pub(crate) const MAX_BLOCKS: usize = 100;
/// Nodes that one rendering may visit.
pub(crate) const MAX_STEPS: u32 = 1_000_000;
/// Bytes that one rendering may make.
pub(crate) const MAX_OUTPUT: usize = 16 << 20;
/// Parentheses, brackets and arguments inside each other in a pongo expression.
pub(crate) const MAX_EXPRESSION: usize = 60;
/// Bodies, calls and expressions inside each other while a pongo template runs.
pub(crate) const MAX_RUN_DEPTH: u32 = 100;
/// Files that include each other.
pub(crate) const MAX_INCLUDES: usize = 30;
/// Bytes of text that one rendering may make, shown or not.
pub(crate) const MAX_WORK: usize = 64 << 20;
