//! How much an expression may be and use. The first group is the reference's, the second ours: it has no bound there.

/// Nodes of one expression, counted as the reference does.
pub(crate) const MAX_NODES: u32 = 10_000;
/// List elements that one evaluation may make (ranges and list literals).
pub(crate) const MEMORY_BUDGET: u64 = 1_000_000;

/// Nesting of parentheses, calls, prefix operators and conditionals.
pub(crate) const MAX_NESTING: u32 = 256;
/// Errors reported for one text.
pub(crate) const MAX_ERRORS: usize = 16;
/// Operations of a compiled expression: operands that are used twice count twice.
pub(crate) const MAX_CODE: usize = 100_000;
/// Bytes of text that one evaluation may make.
pub(crate) const TEXT_BUDGET: u64 = 64 << 20;
/// Bytes that a compiled pattern may take.
pub(crate) const REGEX_SIZE: usize = 1 << 20;
