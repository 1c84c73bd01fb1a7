//! The features on workspaces in memory, without protocol.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

mod actions;
mod calls;
mod completion;
mod fixture;
mod hover;
mod navigation;
mod rename;
mod rewrite;
mod symbols;
mod view;
