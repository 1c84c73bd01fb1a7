//! The load check of brace templates: stricter than rendering (language 8.6 of the expression chapter).

use super::super::remap::Remap;
use super::parse::{parse_t, placed, sole_text};
use super::tree::{Condition, Interpolation, Node, TemplateT};
use crate::ExprError;
use crate::expr::program::{Mode, compile_expr};

/// What the reference's load check makes of a T text. Empty = accepted.
#[must_use]
pub fn check_t_load(text: &str) -> Vec<ExprError> {
    parse_t(text).0.load_errors()
}

impl TemplateT {
    /// What the reference's load check makes of the template. Empty = accepted.
    ///
    /// It compiles what rendering may never reach, takes a leading `not` as the operator that it is elsewhere, and wants a bool
    /// in every condition.
    #[must_use]
    pub fn load_errors(&self) -> Vec<ExprError> {
        if let Some(sole) = self.sole.as_ref().filter(|_| !self.is_range()) {
            return failed(sole);
        }
        if !self.structure.is_empty() {
            return self.structure.clone();
        }
        let mut errors = Vec::new();
        let mut pending: Vec<&Node> = self.body.iter().rev().collect();
        while let Some(node) = pending.pop() {
            match node {
                Node::Text(_) => {}
                Node::Expression(interpolation) => errors.extend(failed(interpolation)),
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    errors.extend(refused(condition));
                    pending.extend(otherwise.iter().rev());
                    pending.extend(then.iter().rev());
                }
                Node::Range { list, body } => {
                    errors.extend(failed(list));
                    pending.extend(body.iter().rev());
                }
            }
        }
        errors
    }

    /// Whether the block word of a loop stands where its one expression would be.
    fn is_range(&self) -> bool {
        sole_text(&self.text).is_some_and(|(_, inner)| inner.split(' ').next() == Some("range"))
    }
}

fn refused(condition: &Condition) -> Vec<ExprError> {
    let compiled_as_written = condition.written == condition.interpolation.remap && !condition.truthy;
    if compiled_as_written && condition.interpolation.program.is_ok() {
        return Vec::new();
    }
    compiled(&condition.written, Mode::Guard)
}

fn failed(interpolation: &Interpolation) -> Vec<ExprError> {
    match &interpolation.program {
        Ok(_) => Vec::new(),
        Err(_) => compiled(&interpolation.remap, Mode::Value),
    }
}

fn compiled(remap: &Remap, mode: Mode) -> Vec<ExprError> {
    match compile_expr(remap.text(), mode) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| placed(error, remap)).collect(),
    }
}
