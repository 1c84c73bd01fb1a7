//! The typed intermediate representation of a story: plain data, versioned, serialisable.
/// A story.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Story {}
