//! The interpreter: walks the resolved tree of a script. Built for scripts of a story: exact in what it prints and in
//! the order of things, metered in everything it does ([`meter`]), without any way out but what [`crate::surface`] hands in.

pub(crate) mod arguments;
mod assign;
pub(crate) mod attribute;
pub(crate) mod call;
pub(crate) mod compare;
pub(crate) mod convert;
mod eval;
pub(crate) mod format;
mod freeze;
pub(crate) mod grave;
pub(crate) mod index;
pub(crate) mod iterate;
pub(crate) mod machine;
pub(crate) mod meter;
pub(crate) mod number;
mod operate;
pub(crate) mod show;
mod statement;
pub(crate) mod table;
pub(crate) mod value;

/// How deep a value may be nested to be written, converted or hashed: what recursion over values costs in stack.
pub(crate) const MAX_VALUE_NESTING: usize = 500;
