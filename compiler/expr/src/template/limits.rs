//! How much a template may be and use. The reference has no such bounds; these are ours.

/// Blocks inside blocks.
pub(crate) const MAX_BLOCKS: usize = 100;
/// Nodes that one rendering may visit.
pub(crate) const MAX_STEPS: u32 = 1_000_000;
/// Bytes that one rendering may make.
pub(crate) const MAX_OUTPUT: usize = 64 << 20;
