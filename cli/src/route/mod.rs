//! What becomes of free text in a story: the batch form of `debug route`.

pub mod batch;
mod clock;
pub mod ground;
