//! The surface story: what the author wrote, typed, with the place of every word.
//!
//! One type per kind of declaration, one module per family. Nothing is resolved here: names are the author's texts,
//! targets are texts, macros are blocks. Later stages (`fold`, `desugar`) work on the same types, so that what they make
//! can be printed as ordinary declarations.

#[macro_use]
mod decl;
mod agent;
mod choice;
pub(crate) mod damage;
mod decode;
mod effect;
mod field;
mod import;
mod intent;
mod items;
mod manifest;
mod pieces;
mod policy;
mod room;
mod schema;
mod text;
mod value;
mod view;

pub use agent::{Agent, BashProfile, Mcp, Permissions, Plugin, Provider, TokenBudget, Toolbox};
pub use choice::{Choice, ChoiceBody, ChoiceField, ChoiceItem, ChoiceMode, ChoiceParam};
pub use decl::Surface;
pub use decode::{Decoded, Decoder, KeyEntry, NamedEntry, Shape, decode_effects, decode_manifest};
pub use effect::{Arc, CommitOperation, DiscardOperation, Effect, ImportExit, PersistDraft, Selection};
pub use field::{Field, Keyed, Optional};
pub use import::{
    Binding, Exit, ExitMapping, Exports, Import, ImportIntents, Interface, InterfaceOperation, Overrides, PhaseEntry,
    PhaseParameter, PhaseTemplate, Phases,
};
pub use intent::{Intent, Slot, WorldVar};
pub use items::Items;
pub use manifest::{App, Manifest, Root};
pub use pieces::{Extent, PieceOf, assemble, decode_piece};
pub use policy::{
    Decider, Embedding, Execute, FreeFormFallback, MetaMode, MetaReturn, OffPath, Operation, PhaseSummary, Policy,
    PromptRef, Prompts, Proposal, Routing,
};
pub use room::{
    Assignment, ContextualRouting, OffRamp, OperationScope, Prerequisite, PrerequisiteAction, Room, Timeout, Workbench,
};
pub use schema::{Schema, json_schema};
#[cfg(test)]
pub(crate) use text::nowhere;
pub use text::{Edit, Flag, Float, Int, List, Made, Map, MapEntry, Origin, Text};
pub use value::{Any, AnyEntry, AnyKind};
pub use view::{Banner, Element, ElementKind, Kv, ListBody, ListItem, Media, View, ViewForm};
