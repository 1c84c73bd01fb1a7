//! The typed intermediate representation of a story: plain data, versioned, serialisable.
//!
//! What an engine needs and nothing else: names are resolved to ids, imports are folded, macros are gone, and every node
//! can say which line of which file it came from and through which macro or import ([`Provenance`]). No source text, no
//! YAML tree, no query engine: a [`Story`] can be written to a file, read back and run without the compiler.
//!
//! | Module | What it holds |
//! |---|---|
//! | [`arena`] | typed ids and the tables they lead into |
//! | [`story`] | the story as a whole, its version, name look-up |
//! | [`state`] | rooms |
//! | [`arc`] | what an intent does in a room |
//! | [`effect`] | effects: one guarded action each |
//! | [`value`], [`code`] | values with templates inside; expressions and templates |
//! | [`view`] | views and choices |
//! | [`intent`], [`world`] | intents and slots, world keys |
//! | [`agent`], [`policy`] | agents and their back ends; story-wide policies |
//! | [`provenance`] | where every node came from |
//! | [`read`] | reading and writing JSON and YAML, with version and id checks |
//! | [`text`] | the compact form for people |
//! | [`graph`] | rooms and what leads from one to another, for pictures |

pub mod agent;
pub mod arc;
pub mod arena;
pub mod code;
pub mod effect;
pub mod graph;
pub mod intent;
pub mod policy;
pub mod provenance;
pub mod read;
pub mod state;
pub mod story;
pub mod text;
pub mod value;
pub mod verbs;
pub mod view;
pub mod world;

pub use agent::{Agent, AgentRef, BashProfile, EffectClass, Plugin, Provider};
pub use arc::{Arc, Guard, Handler, ImportExit, Target};
pub use arena::{
    AgentId, ArcId, Arena, ExprId, HostId, Id, IntentId, OperationId, OriginId, StateId, TemplateId, WorldKeyId,
};
pub use code::{Dialect, Expr, ExprKind, Template, TemplateShape, Text};
pub use effect::{Action, Assign, Bind, BindFrom, Effect, Emit, Increment, Invoke, Redirect};
pub use intent::{Intent, Slot};
pub use provenance::{Made, Origin, Provenance};
pub use read::ReadError;
pub use state::{State, StateKind, WriteMode};
pub use story::{Names, Story, VERSION};
pub use value::Value;
pub use verbs::BUILTIN_VERBS;
pub use view::{Choice, Element, ElementKind, View};
pub use world::WorldKey;

/// For serde: a field that says nothing is not written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
