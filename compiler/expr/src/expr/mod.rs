//! Bare expressions (E): text to tree to checked program.

pub(crate) mod ast;
mod check;
pub(crate) mod code;
pub(crate) mod lexer;
pub(crate) mod limits;
pub(crate) mod parser;
pub(crate) mod program;
mod references;

pub use ast::Expr;
pub use parser::parse_expr;
pub use program::{Mode, Program, compile_expr};
