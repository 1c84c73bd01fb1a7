//! Story text becomes a span-exact YAML tree: it never fails, it returns a tree and a list of faults.

mod span;

pub use span::{FileId, Span, TextRange, TextSize};
