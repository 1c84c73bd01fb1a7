//! A guard as a formula over the values that it looks at.
//!
//! A part that is no comparison with a literal, no bare value and no `&&`, `||`, `!` is a condition of its own: two parts
//! with the same text are the same condition.

use std::collections::BTreeSet;

use super::cases::{Case, Variables};
use crate::Value;
use crate::expr::ast::{Expr, NodeId, NodeKind};
use crate::expr::lexer::Op;

/// The deepest nesting that is looked into.
const MAX_DEPTH: usize = 32;
/// Numbers up to here have numbers on both sides that floats can tell apart.
const EXACT: f64 = 4_503_599_627_370_496.0;

#[derive(Debug, Clone)]
pub(super) enum Formula {
    Known(bool),
    Not(Box<Formula>),
    And(Box<(Formula, Formula)>),
    Or(Box<(Formula, Formula)>),
    /// A value compared with a literal; the value stands on the left.
    Compare(usize, Op, Value),
    /// A value among literals.
    Among(usize, Vec<Value>),
    /// A value that is a bool itself.
    Bare(usize),
    /// A condition into which nobody looks.
    Condition(usize),
    /// A guard of which nothing is known.
    Unknown(usize),
}

impl Formula {
    /// A guard as a formula.
    pub(super) fn of(expr: &Expr, variables: &mut Variables) -> Self {
        if expr.ids().all(|id| is_plain(expr.kind(id))) {
            read(expr, expr.root, 0, variables)
        } else {
            Self::unknown(variables)
        }
    }

    /// A guard of which nothing is known.
    pub(super) fn unknown(variables: &mut Variables) -> Self {
        Self::Unknown(variables.fresh())
    }

    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_))
    }

    /// The variables that it looks at.
    pub(super) fn variables(&self, out: &mut BTreeSet<usize>) {
        match self {
            Self::Known(_) => {}
            Self::Not(of) => of.variables(out),
            Self::And(of) | Self::Or(of) => {
                of.0.variables(out);
                of.1.variables(out);
            }
            Self::Compare(v, ..) | Self::Among(v, _) | Self::Bare(v) | Self::Condition(v) | Self::Unknown(v) => {
                out.insert(*v);
            }
        }
    }

    /// Whether it holds in a case; `None` when it fails or yields no bool.
    pub(super) fn holds(&self, cases: &[Option<&Case>]) -> Option<bool> {
        let case = |v: &usize| cases.get(*v).copied().flatten();
        match self {
            Self::Known(value) => Some(*value),
            Self::Not(of) => of.holds(cases).map(|v| !v),
            Self::And(of) => match of.0.holds(cases)? {
                true => of.1.holds(cases),
                false => Some(false),
            },
            Self::Or(of) => match of.0.holds(cases)? {
                true => Some(true),
                false => of.1.holds(cases),
            },
            Self::Compare(v, op, literal) => compare(case(v)?, *op, literal),
            Self::Among(v, literals) => match case(v)? {
                Case::Fails => None,
                value => Some(literals.iter().any(|l| equal(value, l))),
            },
            Self::Bare(v) | Self::Condition(v) | Self::Unknown(v) => match case(v)? {
                Case::Bool(value) => Some(*value),
                _ => None,
            },
        }
    }
}

/// Whether a node means the same wherever its text stands: no local names, no clock, nothing that may be unset.
fn is_plain(kind: &NodeKind) -> bool {
    match kind {
        NodeKind::Ident { binding, .. } => binding.is_none(),
        NodeKind::Builtin { name, .. } => name != "now",
        NodeKind::Error
        | NodeKind::Call { .. }
        | NodeKind::Predicate(_)
        | NodeKind::Pointer { .. }
        | NodeKind::Let { .. }
        | NodeKind::Sequence(_) => false,
        _ => true,
    }
}

fn read(expr: &Expr, id: NodeId, depth: usize, variables: &mut Variables) -> Formula {
    let node = expr.node(id);
    let text = expr.slice(node.range);
    if depth > MAX_DEPTH {
        return Formula::Condition(variables.condition(text));
    }
    match &node.kind {
        NodeKind::Bool(value) => Formula::Known(*value),
        NodeKind::Unary {
            op: Op::Not | Op::Bang,
            operand,
        } => Formula::Not(Box::new(read(expr, *operand, depth + 1, variables))),
        NodeKind::Binary { op, left, right } => match op {
            Op::And | Op::AndAnd => Formula::And(both(expr, *left, *right, depth, variables)),
            Op::Or | Op::OrOr => Formula::Or(both(expr, *left, *right, depth, variables)),
            _ => comparison(expr, *op, *left, *right, variables)
                .unwrap_or_else(|| Formula::Condition(variables.condition(text))),
        },
        NodeKind::Ident { .. } | NodeKind::Member { .. } | NodeKind::Chain(_) => {
            Formula::Bare(variables.value(text, []))
        }
        _ => Formula::Condition(variables.condition(text)),
    }
}

fn both(expr: &Expr, left: NodeId, right: NodeId, depth: usize, variables: &mut Variables) -> Box<(Formula, Formula)> {
    let left = read(expr, left, depth + 1, variables);
    Box::new((left, read(expr, right, depth + 1, variables)))
}

fn comparison(expr: &Expr, op: Op, left: NodeId, right: NodeId, variables: &mut Variables) -> Option<Formula> {
    if op == Op::In {
        let literals: Vec<Value> = expr.literal_list(right)?.into_iter().map(|(value, _)| value).collect();
        if expr.literal(left).is_some() || !literals.iter().all(|l| is_usable(l, Op::Equal)) {
            return None;
        }
        let value = variables.value(expr.slice(expr.node(left).range), literals.iter().cloned());
        return Some(Formula::Among(value, literals));
    }
    let (subject, op, literal) = match (expr.literal(left), expr.literal(right)) {
        (None, Some((literal, _))) => (left, op, literal),
        (Some((literal, _)), None) => (right, swapped(op), literal),
        _ => return None,
    };
    if !is_usable(&literal, op) {
        return None;
    }
    let value = variables.value(expr.slice(expr.node(subject).range), [literal.clone()]);
    Some(Formula::Compare(value, op, literal))
}

/// Whether a comparison with a literal can be told from the case alone. Texts are ordered by their bytes, which no case knows.
fn is_usable(literal: &Value, op: Op) -> bool {
    literal.as_float().is_none_or(|n| n.abs() <= EXACT)
        && match op {
            Op::Equal | Op::NotEqual => true,
            Op::Less | Op::LessEqual | Op::More | Op::MoreEqual => literal.as_float().is_some(),
            _ => false,
        }
}

/// The operator with its sides changed.
fn swapped(op: Op) -> Op {
    match op {
        Op::Less => Op::More,
        Op::LessEqual => Op::MoreEqual,
        Op::More => Op::Less,
        Op::MoreEqual => Op::LessEqual,
        Op::Equal | Op::NotEqual => op,
        // No comparison.
        _ => Op::Other,
    }
}

fn compare(case: &Case, op: Op, literal: &Value) -> Option<bool> {
    if *case == Case::Fails {
        return None;
    }
    match op {
        Op::Equal => return Some(equal(case, literal)),
        Op::NotEqual => return Some(!equal(case, literal)),
        _ => {}
    }
    let literal = literal.as_float()?;
    match (case, op) {
        (Case::NaN, _) => Some(false),
        (Case::Number(value), Op::Less) => Some(*value < literal),
        (Case::Number(value), Op::LessEqual) => Some(*value <= literal),
        (Case::Number(value), Op::More) => Some(*value > literal),
        (Case::Number(value), Op::MoreEqual) => Some(*value >= literal),
        _ => None,
    }
}

fn equal(case: &Case, literal: &Value) -> bool {
    match (case, literal) {
        (Case::Nil, Value::Nil) => true,
        (Case::Bool(a), Value::Bool(b)) => a == b,
        (Case::Text(a), Value::Str(b)) => a == b,
        (Case::Number(a), Value::Int(_) | Value::Uint(_) | Value::Float(_)) => literal.as_float() == Some(*a),
        _ => false,
    }
}
