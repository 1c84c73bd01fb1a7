//! Checked expressions, ready to run.

use std::sync::Arc;

use text_size::TextRange;

use super::ast::{Expr, NodeKind};
use super::check::{self, Nature};
use super::code::{self, Code};
use super::parser::parse_expr;
use crate::eval::{describe, machine};
use crate::{Env, ErrorClass, ExprError, Value};

/// What an expression must yield.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A bool: `when` and its kin.
    Guard,
    /// Anything.
    Value,
}

/// A checked expression, ready to be evaluated many times.
#[derive(Debug, Clone)]
pub struct Program {
    expr: Arc<Expr>,
    code: Arc<Code>,
}

impl Program {
    /// The expression as parsed.
    #[must_use]
    pub fn expr(&self) -> &Arc<Expr> {
        &self.expr
    }

    /// The text that was compiled.
    #[must_use]
    pub fn text(&self) -> &str {
        self.expr.text()
    }

    /// Evaluates to a value.
    ///
    /// # Errors
    /// What the values do not allow, with the range of the part that failed.
    pub fn eval(&self, env: &Env) -> Result<Value, ExprError> {
        machine::run(&self.expr, &self.code, env)
    }

    /// Evaluates as a guard: nil is false, other kinds than bool are an error.
    ///
    /// # Errors
    /// As [`Program::eval`], and `not_bool`.
    pub fn eval_guard(&self, env: &Env) -> Result<bool, ExprError> {
        match self.eval(env)? {
            Value::Bool(value) => Ok(value),
            Value::Nil => Ok(false),
            other => {
                let message = format!("a guard yields a bool, not {}", describe(&other));
                Err(ExprError::run(ErrorClass::NotBool, self.range(), message))
            }
        }
    }

    fn range(&self) -> TextRange {
        self.expr.node(self.expr.root).range
    }
}

/// Parses and checks an expression as the reference's loader does.
///
/// # Errors
/// All errors of the first kind that occurs: syntax, then types, then folding, then what a story may not use.
pub fn compile_expr(text: &str, mode: Mode) -> Result<Program, Vec<ExprError>> {
    let (expr, errors) = parse_expr(text);
    if !errors.is_empty() {
        return Err(errors);
    }
    compile_parsed(Arc::new(expr), mode)
}

/// The same for an expression that was parsed without errors.
pub(crate) fn compile_parsed(expr: Arc<Expr>, mode: Mode) -> Result<Program, Vec<ExprError>> {
    let (natures, errors) = check::natures(&expr);
    if !errors.is_empty() {
        return Err(errors);
    }
    if mode == Mode::Guard {
        let yields = natures.get(expr.root.index()).unwrap_or(&Nature::Unknown);
        if *yields != Nature::Bool && !yields.is_unknown() {
            return Err(vec![not_a_guard(&expr, yields)]);
        }
    }
    let code = code::generate(&expr, &natures).map_err(|error| vec![error])?;
    let violations = check::violations(&expr);
    if !violations.is_empty() {
        return Err(violations);
    }
    Ok(Program {
        expr,
        code: Arc::new(code),
    })
}

fn not_a_guard(expr: &Expr, yields: &Nature) -> ExprError {
    let range = expr.node(expr.root).range;
    let message = format!("a guard yields a bool, and this is {}", yields.describe());
    let error = ExprError::compile(ErrorClass::NotBool, range, message);
    match expr.kind(expr.root) {
        NodeKind::Builtin { name, .. } if name == "len" => error
            .with_help("compare it with a number")
            .with_fix(TextRange::empty(range.end()), " > 0"),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::MAX_ERRORS;
    use super::*;

    #[test]
    fn one_text_has_no_more_errors_than_a_reader_wants() {
        let many = |part: &dyn Fn(usize) -> String, between: &str| (0..40).map(part).collect::<Vec<_>>().join(between);
        for text in [
            many(&|n| format!("r{n}.x"), " + "),
            many(&|n| format!("({n} + true)"), " == "),
            many(&|n| format!("[{n}"), " ] ] "),
        ] {
            let errors = compile_expr(&text, Mode::Value).unwrap_err();
            assert!((1..=MAX_ERRORS).contains(&errors.len()), "{text}: {}", errors.len());
        }
        let errors = compile_expr(&many(&|n| format!("r{n}.x"), " + "), Mode::Value).unwrap_err();
        assert_eq!(errors.len(), MAX_ERRORS);
    }
}
