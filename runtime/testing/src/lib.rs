//! A story's own tests: flows with stubs and cassettes, recordings, and the reports about them.
//!
//! | Module | What it holds |
//! |---|---|
//! | [`flows`] | which files; all flows of a story, side by side |
//! | [`run`] | one flow, judged: through a session, or through the machine alone |
//! | [`play`] | one flow through a session |
//! | [`fixture`], [`doc`] | fixtures as data, with places |
//! | [`rig`], [`cassette`], [`recording`] | what answers |
//! | [`convert`] | a trace as a flow |
//! | [`intents`] | what texts are understood as |
//! | [`coverage`], [`scripts`] | what flows reach |
//! | [`expect`] | how a flow is judged |
//! | [`report`], [`strays`], [`tracefile`] | what is said about it |

pub mod cassette;
pub mod convert;
pub mod coverage;
pub mod doc;
pub mod expect;
pub mod fixture;
pub mod flows;
pub mod intents;
pub mod play;
pub mod recording;
pub mod report;
pub mod rig;
pub mod run;
pub mod scripts;
pub mod strays;
pub mod tracefile;

pub use doc::{Fatal, Warning};
pub use report::Report;
pub use rig::RealHosts;
pub use run::Options;
