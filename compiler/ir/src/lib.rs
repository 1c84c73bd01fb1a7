//! The typed intermediate representation of a story: plain data, versioned, serialisable.
