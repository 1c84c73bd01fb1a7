//! The script language: text to tokens to a tree whose names are resolved. Nothing is run here.
//!
//! The dialect is the Bazel one with every option off (`starlark` chapter, section 13): no `while`, no `set`, no
//! control flow at the top level, no second binding of a global. All of that is refused before a script runs.

pub(crate) mod ast;
mod expression;
mod lexer;
mod literal;
mod parser;
mod resolve;
mod scope;
mod token;

pub use ast::Place;
pub(crate) use parser::parse;
pub(crate) use resolve::resolve;

/// How deep expressions and blocks may stand within each other. Far above what people write; it bounds the stack
/// that parsing, resolving and running need.
pub(crate) const MAX_NESTING: usize = 200;

/// Why a source text is no script: the first fault, in the words of the reference's interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxFault {
    /// Where: line and column from 1, columns in characters.
    pub at: Place,
    /// What is wrong.
    pub text: String,
    /// The text is well-formed but nested beyond [`MAX_NESTING`].
    pub too_deep: bool,
}

impl SyntaxFault {
    pub(crate) fn new(at: Place, text: impl Into<String>) -> Self {
        Self {
            at,
            text: text.into(),
            too_deep: false,
        }
    }

    pub(crate) fn deep(at: Place) -> Self {
        Self {
            at,
            text: format!("nested more than {MAX_NESTING} levels deep"),
            too_deep: true,
        }
    }
}
