//! Constant folding, as far as it can be seen from outside: what is not evaluated, and what becomes an error at compile time.

use super::super::ast::{Expr, NodeId, NodeKind};
use super::super::lexer::Op;
use crate::eval::arithmetic;
use crate::value::Value;
use crate::{ErrorClass, ExprError};

/// What a node became.
#[derive(Debug, Clone, Default)]
pub(super) enum Folded {
    /// Itself.
    #[default]
    Same,
    /// A constant.
    Constant(Value),
    /// One of its operands: `x && true` is x.
    Alias(NodeId),
}

/// Folds every node, children first.
pub(super) fn fold(expr: &Expr) -> Result<Vec<Folded>, ExprError> {
    let mut pass = Pass {
        expr,
        folded: Vec::with_capacity(expr.nodes.len()),
    };
    for id in expr.ids() {
        let folded = pass.node(id)?;
        pass.folded.push(folded);
    }
    Ok(pass.folded)
}

struct Pass<'a> {
    expr: &'a Expr,
    folded: Vec<Folded>,
}

impl Pass<'_> {
    /// The constant that a node is: a literal, or what was folded to one.
    fn constant(&self, id: NodeId) -> Option<Value> {
        match self.folded.get(id.index()) {
            Some(Folded::Constant(value)) => return Some(value.clone()),
            Some(Folded::Alias(target)) => return self.constant_of_target(*target),
            _ => {}
        }
        literal(self.expr.kind(id))
    }

    /// Aliases point at nodes that are themselves settled, so one more step is enough.
    fn constant_of_target(&self, target: NodeId) -> Option<Value> {
        match self.folded.get(target.index()) {
            Some(Folded::Constant(value)) => Some(value.clone()),
            _ => literal(self.expr.kind(target)),
        }
    }

    /// The node that stands for this one in the end.
    fn settled(&self, id: NodeId) -> NodeId {
        match self.folded.get(id.index()) {
            Some(Folded::Alias(target)) => *target,
            _ => id,
        }
    }

    fn node(&self, id: NodeId) -> Result<Folded, ExprError> {
        match self.expr.kind(id) {
            NodeKind::Unary { op, operand } => Ok(self.unary(*op, *operand)),
            NodeKind::Binary { op, left, right } => self.binary(id, *op, *left, *right),
            NodeKind::List(items) if !items.is_empty() => {
                let values: Option<Vec<Value>> = items.iter().map(|item| self.constant(*item).filter(scalar)).collect();
                Ok(values.map_or(Folded::Same, |values| Folded::Constant(Value::list(values))))
            }
            _ => Ok(Folded::Same),
        }
    }

    fn unary(&self, op: Op, operand: NodeId) -> Folded {
        match (op, self.constant(operand)) {
            (Op::Minus, Some(value @ (Value::Int(_) | Value::Float(_)))) => {
                arithmetic::negate(&value).map_or(Folded::Same, Folded::Constant)
            }
            (Op::Plus, Some(value @ (Value::Int(_) | Value::Float(_)))) => Folded::Constant(value),
            (Op::Bang | Op::Not, Some(Value::Bool(value))) => Folded::Constant(Value::Bool(!value)),
            _ => Folded::Same,
        }
    }

    fn binary(&self, id: NodeId, op: Op, left: NodeId, right: NodeId) -> Result<Folded, ExprError> {
        let (l, r) = (self.constant(left), self.constant(right));
        if matches!(op, Op::And | Op::AndAnd | Op::Or | Op::OrOr) {
            // The neutral value leaves the other side, the absorbing one is the result: whatever the other side is.
            let neutral = Some(Value::Bool(matches!(op, Op::And | Op::AndAnd)));
            let absorbing = Some(Value::Bool(matches!(op, Op::Or | Op::OrOr)));
            return Ok(if l == neutral {
                self.alias(right)
            } else if r == neutral {
                self.alias(left)
            } else if l == absorbing || r == absorbing {
                absorbing.map_or(Folded::Same, Folded::Constant)
            } else {
                Folded::Same
            });
        }
        let (Some(l), Some(r)) = (l, r) else {
            return Ok(Folded::Same);
        };
        let ints = matches!((&l, &r), (Value::Int(_), Value::Int(_)));
        let numbers = matches!(
            (&l, &r),
            (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_))
        );
        let texts = matches!((&l, &r), (Value::Str(_), Value::Str(_)));
        let bools = matches!((&l, &r), (Value::Bool(_), Value::Bool(_)));
        let result = match op {
            Op::Plus if numbers || texts => arithmetic::add(&l, &r),
            Op::Minus if numbers => arithmetic::subtract(&l, &r),
            Op::Star if numbers => arithmetic::multiply(&l, &r),
            Op::Slash if numbers => arithmetic::divide(&l, &r),
            Op::Power | Op::Caret if numbers => arithmetic::power(&l, &r),
            Op::Percent if ints => {
                return arithmetic::remainder(&l, &r)
                    .map(Folded::Constant)
                    .map_err(|fault| ExprError::compile(ErrorClass::DivZero, self.expr.node(id).range, fault.message));
            }
            Op::Equal if ints || texts || bools => Ok(Value::Bool(l == r)),
            _ => return Ok(Folded::Same),
        };
        Ok(result.map_or(Folded::Same, Folded::Constant))
    }

    fn alias(&self, id: NodeId) -> Folded {
        match self.constant(id) {
            Some(value) if !matches!(value, Value::List(_)) => Folded::Constant(value),
            _ => Folded::Alias(self.settled(id)),
        }
    }
}

/// The value of a literal node that folding looks at.
fn literal(kind: &NodeKind) -> Option<Value> {
    match kind {
        NodeKind::Bool(value) => Some(Value::Bool(*value)),
        NodeKind::Int(value) => Some(Value::Int(*value)),
        NodeKind::Float(value) => Some(Value::Float(*value)),
        NodeKind::Str(text) => Some(Value::Str(text.clone())),
        _ => None,
    }
}

fn scalar(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_))
}
