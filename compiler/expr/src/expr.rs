//! Bare expressions (E): parse, compile, evaluate.

use crate::{Env, ExprError, LiteralComparison, Reference, Value};

/// What an expression must yield.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A bool: `when` and its kin.
    Guard,
    /// Anything.
    Value,
}

/// A parsed expression: an arena of nodes with byte ranges. Parsing never fails; what could not be read is an error node.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {}

impl Expr {
    /// Every name that the expression uses, in text order.
    #[must_use]
    pub fn references(&self) -> Vec<Reference> {
        Vec::new()
    }

    /// Every comparison of a chain with literals, in text order.
    #[must_use]
    pub fn literal_comparisons(&self) -> Vec<LiteralComparison> {
        Vec::new()
    }
}

/// Parses an expression; the errors are those of reading it (`lex`, `parse`, `coalesce_mix`, `limit`).
#[must_use]
pub fn parse_expr(_text: &str) -> (Expr, Vec<ExprError>) {
    (Expr {}, Vec::new())
}

/// A checked expression, ready to be evaluated many times.
#[derive(Debug, Clone)]
pub struct Program {
    expr: Expr,
}

impl Program {
    /// The expression as parsed.
    #[must_use]
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// Evaluates to a value.
    ///
    /// # Errors
    /// What the values do not allow, with the range of the part that failed.
    pub fn eval(&self, _env: &Env) -> Result<Value, ExprError> {
        Ok(Value::Nil)
    }

    /// Evaluates as a guard: nil is false, other kinds than bool are an error.
    ///
    /// # Errors
    /// As [`Program::eval`], and `not_bool`.
    pub fn eval_guard(&self, _env: &Env) -> Result<bool, ExprError> {
        Ok(false)
    }
}

/// Parses and checks an expression as the reference's loader does.
///
/// # Errors
/// All errors of the first kind that occurs: syntax, then types, then folding, then the whitelist.
pub fn compile_expr(text: &str, _mode: Mode) -> Result<Program, Vec<ExprError>> {
    let (expr, errors) = parse_expr(text);
    if errors.is_empty() {
        Ok(Program { expr })
    } else {
        Err(errors)
    }
}
