//! What people stumble over with tools like this one, as small stories: every finding with its place, its labels and what
//! mends it. Not only that something is said counts, but that nothing else is.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod expressions;
mod files;
mod names;
mod places;
#[path = "../story/mod.rs"]
mod story;
mod support;
mod yaml;
