//! The load check of brace templates: stricter than rendering (language 8.6 of the expression chapter).

use super::super::remap::Remap;
use super::parse::{parse_t, placed, sole_text};
use super::tree::{Interpolation, Node};
use crate::ExprError;
use crate::expr::program::{Mode, compile_expr};

/// What the reference's load check makes of a T text. Empty = accepted.
///
/// It compiles what rendering may never reach, takes a leading `not` as the operator that it is elsewhere, and wants a bool in
/// every condition.
#[must_use]
pub fn check_t_load(text: &str) -> Vec<ExprError> {
    if !text.contains("{{") {
        return Vec::new();
    }
    if let Some((at, inner)) = sole_text(text) {
        let keyword = inner.split(' ').next().unwrap_or_default();
        if !matches!(keyword, "if" | "else" | "end" | "range") {
            return compiled(&Remap::copy(inner, at), Mode::Value);
        }
    }
    let (template, _) = parse_t(text);
    if !template.structure.is_empty() {
        return template.structure;
    }
    let mut errors = Vec::new();
    let mut pending: Vec<&Node> = template.body.iter().rev().collect();
    while let Some(node) = pending.pop() {
        match node {
            Node::Text(_) => {}
            Node::Expression(interpolation) => errors.extend(failed(interpolation)),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                errors.extend(compiled(&condition.written, Mode::Guard));
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
