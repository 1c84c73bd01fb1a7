//! The engine of stories: pure, sans-IO, deterministic, event-sourced.
//!
//! A [`Program`] is a story made ready to run; a [`Machine`] is the pure function from state, world and intent to the next
//! state; a [`Session`] drives it: it takes inputs, returns events and requests, and is told the answers. Nothing here
//! opens a file, reads a clock, draws a random number or starts a thread.
//!
//! | Module | What it holds |
//! |---|---|
//! | [`program`] | names, compiled expressions and templates |
//! | [`world`], [`path`], [`value`] | what a session is made of |
//! | [`machine`] | one turn |
//! | [`menu`], [`view`] | what a room offers and shows |
//! | [`session`] | turns, host calls, jobs, timeouts; the log |
//! | [`standing`] | where a session stands, for routing |
//! | [`replay`] | the log back into a session |
//! | [`verbs`], [`gate`] | how far a call reaches, and whether it may |
//! | [`event`], [`json`], [`trace`] | what is written down |

pub mod event;
pub mod fault;
pub mod gate;
pub mod json;
pub mod machine;
pub mod menu;
pub mod path;
pub mod program;
pub mod replay;
pub mod session;
pub mod standing;
pub mod trace;
pub mod value;
pub mod verbs;
pub mod view;
pub mod world;

pub use event::Event;
pub use fault::{Code, Rejection, TurnError};
pub use machine::{Call, HostCall, Machine, Turned};
pub use program::{NoFiles, Program, ViewFiles};
pub use session::{Answer, Ask, Config, Input, Session, Step};
pub use standing::Standing;
pub use world::World;
