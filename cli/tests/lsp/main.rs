//! The language server as editors start it: the real binary over its standard streams.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

mod client;
mod complaints;
mod docs;
mod life;
mod protocol;
mod renaming;
mod verdict;
mod words;
