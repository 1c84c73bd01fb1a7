//! What the engine promises, tried on stories as a compiler makes them: gates, logs, faults of drivers, sessions side by
//! side.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod cassettes;
mod faultplan;
mod faults;
mod fields;
mod gates;
mod holes;
mod journeys;
mod mutations;
mod sessions;
mod support;
mod texts;
