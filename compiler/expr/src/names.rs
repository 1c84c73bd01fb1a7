//! The names of the languages with a line of help each, for completion, hovers and suggestions.

mod filters;
mod functions;
mod roots;
mod tags;

pub use filters::FILTERS;
pub use functions::{FORBIDDEN_FUNCTIONS, FUNCTIONS, HELPERS};
pub use roots::{ROOTS, ROOTS_P};
pub use tags::{TAGS, TAGS_T};

/// A name and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// How it is used: `trim(text, cutset?)`, `value|default:other`.
    pub signature: &'static str,
    /// What it does, one sentence.
    pub doc: &'static str,
}

const fn named(name: &'static str, signature: &'static str, doc: &'static str) -> Named {
    Named { name, signature, doc }
}

fn find(list: &'static [Named], name: &str) -> Option<&'static Named> {
    list.iter().find(|entry| entry.name == name)
}

/// The function or view helper of a name.
#[must_use]
pub fn function(name: &str) -> Option<&'static Named> {
    find(FUNCTIONS, name).or_else(|| find(HELPERS, name))
}

/// The filter of a name.
#[must_use]
pub fn filter(name: &str) -> Option<&'static Named> {
    find(FILTERS, name)
}

/// The pongo tag of a name.
#[must_use]
pub fn tag(name: &str) -> Option<&'static Named> {
    find(TAGS, name)
}

/// True for a root that member access may start at in guards and values.
#[must_use]
pub fn is_root(name: &str) -> bool {
    find(ROOTS, name).is_some() || matches!(name, "true" | "false" | "nil")
}

/// True for a view helper.
#[must_use]
pub fn is_helper(name: &str) -> bool {
    find(HELPERS, name).is_some()
}

/// True for a function that stories may call.
#[must_use]
pub fn is_allowed_function(name: &str) -> bool {
    find(FUNCTIONS, name).is_some()
}

/// The name of a built-in function, forbidden ones included.
pub(crate) fn builtin(name: &str) -> Option<&'static str> {
    find(FUNCTIONS, name)
        .map(|entry| entry.name)
        .or_else(|| FORBIDDEN_FUNCTIONS.iter().copied().find(|entry| *entry == name))
}

pub(crate) fn is_builtin(name: &str) -> bool {
    builtin(name).is_some()
}

/// True for a function whose second argument is a predicate.
pub(crate) fn takes_predicate(name: &str) -> bool {
    matches!(
        name,
        "all"
            | "none"
            | "any"
            | "one"
            | "filter"
            | "map"
            | "find"
            | "findIndex"
            | "findLast"
            | "findLastIndex"
            | "count"
            | "sum"
            | "groupBy"
            | "sortBy"
            | "reduce"
    )
}
