//! The host handlers of stories: every effect that touches the outside world ends here (`hosts` chapter).
//!
//! [`Registry`] finds a handler by name and calls it with a [`Call`]; a handler is an ordinary blocking function. [`live`]
//! runs calls beside the engine, with deadlines and cancellation, and is the only asynchronous code.
//! What a handler may reach beyond its arguments is handed in with the [`Context`]; what is not handed in is absent, and
//! the handler says so.

pub mod agents;
pub mod arguments;
pub mod batch;
pub mod builtin;
pub mod call;
pub mod cancel;
pub mod confined;
pub mod context;
pub mod duration;
pub mod effects;
pub mod environment;
pub mod live;
pub mod network;
pub mod place;
pub mod process;
pub mod registry;
pub mod services;
pub mod value;

mod handlers;
mod plain;
mod time;

pub use builtin::builtins;
pub use call::{Answer, Call, Class, Data, Failure, Handler, Kind};
pub use cancel::Cancel;
pub use context::Context;
pub use effects::{Classified, Effect, classify};
pub use environment::Environment;
pub use handlers::agent::route::{Interpreter, Meant, Unclear};
pub use handlers::starlark::ScriptBinding;
pub use registry::Registry;
pub use services::Services;
