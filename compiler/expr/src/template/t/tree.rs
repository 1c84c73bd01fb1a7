//! The tree of a brace template.

use std::sync::Arc;

use text_size::TextRange;

use super::super::has_braces;
use super::super::remap::Remap;
use crate::expr::{Expr, Program};
use crate::{ExprError, Value};

/// What a T template yields.
#[derive(Debug, Clone, PartialEq)]
pub enum Rendered {
    /// The template is one expression: its value keeps its type.
    Value(Value),
    /// Anything else: text.
    Text(String),
}

/// A parsed T template. Its expressions are compiled once; one that does not compile fails when rendering reaches it.
#[derive(Debug, Clone)]
pub struct TemplateT {
    pub(super) text: Arc<str>,
    /// The one expression that the template is, without regard to block words.
    pub(super) sole: Option<Arc<Interpolation>>,
    pub(super) body: Vec<Node>,
    /// What is wrong with the block structure: nothing can be rendered then.
    pub(super) structure: Vec<ExprError>,
    /// `{{`, `}}` and block words with their places.
    pub(super) marks: Vec<(Mark, TextRange)>,
}

/// What a mark of a template is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Open,
    Close,
    Word,
}

#[derive(Debug, Clone)]
pub(super) enum Node {
    Text(TextRange),
    Expression(Arc<Interpolation>),
    If {
        condition: Condition,
        then: Vec<Node>,
        otherwise: Vec<Node>,
    },
    Range {
        list: Interpolation,
        body: Vec<Node>,
    },
}

/// An expression with the way back to the template's text.
#[derive(Debug, Clone)]
pub(super) struct Interpolation {
    pub(super) remap: Remap,
    pub(super) parsed: Arc<Expr>,
    /// Why it cannot be read, in places of the template.
    pub(super) syntax: Vec<ExprError>,
    pub(super) program: Result<Program, ExprError>,
    /// Whether `.name` means a member of the element of a range around.
    pub(super) in_range: bool,
}

/// A condition: a guard, or any value by its truth when it certainly yields no bool.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    /// What is written, without the rule about a leading `not`.
    pub(super) written: Remap,
    pub(super) interpolation: Interpolation,
    pub(super) truthy: bool,
}

impl PartialEq for TemplateT {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl TemplateT {
    /// The text that was parsed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True when there is nothing to evaluate: the text stands for itself.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        !has_braces(&self.text)
    }

    /// True when the template is one expression, whose value keeps its type in a value position.
    #[must_use]
    pub fn is_sole_expression(&self) -> bool {
        self.sole.is_some()
    }

    pub(crate) fn marks(&self) -> &[(Mark, TextRange)] {
        &self.marks
    }

    pub(super) fn slice(&self, range: TextRange) -> &str {
        self.text
            .get(usize::from(range.start())..usize::from(range.end()))
            .unwrap_or_default()
    }

    /// All expressions in text order.
    pub(crate) fn expressions(&self) -> Vec<(&Expr, &Remap, bool)> {
        let mut found = Vec::new();
        // The one expression is found in the body too, unless a block word hides it there.
        let mut pending: Vec<&Node> = self.body.iter().rev().collect();
        while let Some(node) = pending.pop() {
            let interpolation = match node {
                Node::Text(_) => continue,
                Node::Expression(interpolation) => interpolation,
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    pending.extend(otherwise.iter().rev());
                    pending.extend(then.iter().rev());
                    &condition.interpolation
                }
                Node::Range { list, body } => {
                    pending.extend(body.iter().rev());
                    list
                }
            };
            found.push((&*interpolation.parsed, &interpolation.remap, interpolation.in_range));
        }
        found
    }
}
