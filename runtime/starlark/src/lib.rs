//! Runs the deterministic glue scripts of a story: `host.starlark.run` with its sidecars, capabilities, probes and
//! cassettes, inside limits that hold (`starlark` chapter).
//!
//! [`call::run`] is the handler. Everything a script reaches is handed in ([`call::Surface`]); what is not handed in
//! refuses. The interpreter is the package's own: it accounts for every allocation and every step before it happens, so a
//! hostile script ends in an error within seconds, without a process around it.
//!
//! [`sidecar`], [`capabilities`] and [`scan`] know nothing of the interpreter; load checks can use them alone.

pub mod batch;
pub mod call;
pub mod capabilities;
pub mod check;
pub mod coverage;
pub mod data;
pub mod document;
pub mod fault;
pub mod http;
pub mod inspect;
mod interp;
mod language;
mod library;
pub mod pattern;
mod run;
pub mod scan;
pub mod sidecar;
mod surface;

pub use call::{Call, Outcome, Places, Surface};
pub use coverage::Reached;
pub use data::{Data, DataMap};
pub use fault::{Class, Fault};
pub use interp::meter::Limits;
pub use language::{Place, SyntaxFault};
