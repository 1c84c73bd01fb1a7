//! The load check of an expression: static types, then what the story language does not admit (language 4 of the expression chapter).

mod access;
mod functions;
mod nature;
mod operators;
mod types;
mod whitelist;

pub(crate) use nature::Nature;
pub(crate) use types::natures;
pub(crate) use whitelist::violations;
