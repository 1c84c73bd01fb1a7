//! What an expression names.

use smol_str::SmolStr;
use text_size::TextRange;

use super::ast::{Access, Expr, Node, NodeId, NodeKind};
use super::lexer::Op;
use crate::reference::{Argument, LiteralComparison, RefKind, Reference, Segment, Step};
use crate::value::Value;

impl Expr {
    /// Every name that the expression uses, in text order: chains of members from their root, calls, `let` names.
    #[must_use]
    pub fn references(&self) -> Vec<Reference> {
        let mut found = Vec::new();
        // The member that a chain of members goes on with; a node without one ends its chain.
        let mut continued = vec![false; self.nodes.len()];
        let mut callees = vec![false; self.nodes.len()];
        for node in &self.nodes {
            match &node.kind {
                NodeKind::Member { base, .. } => mark(&mut continued, self.skip_chain(*base)),
                NodeKind::Call { callee, .. } => mark(&mut callees, *callee),
                _ => {}
            }
        }
        for id in self.ids() {
            let node = self.node(id);
            match &node.kind {
                NodeKind::Ident { .. } | NodeKind::Member { .. } => {
                    if continued.get(id.index()) == Some(&true) || callees.get(id.index()) == Some(&true) {
                        continue;
                    }
                    found.extend(self.chain_at(id));
                }
                NodeKind::Builtin { name, args } => found.push(self.call(node, name, args, false)),
                NodeKind::Call { callee, args } => match self.kind(*callee) {
                    NodeKind::Ident { name, binding } => {
                        found.push(self.call(node, name, args, binding.is_some()));
                    }
                    _ => {
                        if let Some(mut chain) = self.chain_at(*callee) {
                            chain.kind = RefKind::Call(self.arguments(args));
                            found.push(chain);
                        }
                    }
                },
                NodeKind::Let { name, .. } => found.push(Reference {
                    root: name.clone(),
                    root_range: node.focus,
                    path: Vec::new(),
                    range: node.focus,
                    kind: RefKind::Bind,
                    local: true,
                }),
                NodeKind::Pointer { name, .. } => found.push(Reference {
                    root: if name.is_empty() {
                        SmolStr::new_static("#")
                    } else {
                        name.clone()
                    },
                    root_range: node.range,
                    path: Vec::new(),
                    range: node.range,
                    kind: RefKind::Read,
                    local: true,
                }),
                _ => {}
            }
        }
        found.sort_by_key(|reference| (reference.range.start(), reference.range.end()));
        found
    }

    /// Every comparison of a chain with literals, in text order.
    #[must_use]
    pub fn literal_comparisons(&self) -> Vec<LiteralComparison> {
        let mut negated = vec![false; self.nodes.len()];
        for node in &self.nodes {
            if let NodeKind::Unary { op: Op::Not, operand } = &node.kind
                && node.range == self.node(*operand).range
            {
                mark(&mut negated, *operand);
            }
        }
        let mut found = Vec::new();
        for id in self.ids() {
            let node = self.node(id);
            let NodeKind::Binary { op, left, right } = node.kind else {
                continue;
            };
            let comparison = match op {
                Op::In => self
                    .chain_at(left)
                    .zip(self.literal_list(right))
                    .map(|(subject, literals)| {
                        let word = if negated.get(id.index()) == Some(&true) {
                            "not in"
                        } else {
                            "in"
                        };
                        (subject, word, literals)
                    }),
                Op::Equal
                | Op::NotEqual
                | Op::Less
                | Op::LessEqual
                | Op::More
                | Op::MoreEqual
                | Op::Contains
                | Op::StartsWith
                | Op::EndsWith
                | Op::Matches => {
                    let straight = self.chain_at(left).zip(self.literal(right));
                    straight
                        .map(|(subject, literal)| (subject, op.as_str(), vec![literal]))
                        .or_else(|| {
                            let mirrored = mirror(op)?;
                            let (subject, literal) = self.chain_at(right).zip(self.literal(left))?;
                            Some((subject, mirrored, vec![literal]))
                        })
                }
                _ => None,
            };
            if let Some((subject, operator, literals)) = comparison {
                let operator = SmolStr::new_static(operator);
                found.push(LiteralComparison {
                    subject,
                    operator,
                    literals,
                    range: node.range,
                });
            }
        }
        found.sort_by_key(|comparison| (comparison.range.start(), comparison.range.end()));
        found
    }

    /// The chain of members that ends at a node; none when it does not start with a name.
    pub(crate) fn chain_at(&self, id: NodeId) -> Option<Reference> {
        let mut path = Vec::new();
        let id = self.skip_chain(id);
        let range = self.node(id).range;
        let mut at = id;
        loop {
            match self.kind(at) {
                NodeKind::Member {
                    base, property, access, ..
                } => {
                    path.push(self.segment(*property, *access));
                    at = self.skip_chain(*base);
                }
                NodeKind::Ident { name, binding } => {
                    path.reverse();
                    return Some(Reference {
                        root: name.clone(),
                        root_range: self.node(at).range,
                        path,
                        range,
                        kind: RefKind::Read,
                        local: binding.is_some(),
                    });
                }
                _ => return None,
            }
        }
    }

    fn skip_chain(&self, id: NodeId) -> NodeId {
        let mut id = id;
        while let NodeKind::Chain(inner) = self.kind(id) {
            id = *inner;
        }
        id
    }

    fn segment(&self, property: NodeId, access: Access) -> Segment {
        let range = self.node(property).range;
        let step = match self.kind(property) {
            NodeKind::Str(name) => Step::Name(name.clone()),
            NodeKind::Int(index) => Step::Index(*index),
            NodeKind::Error if access == Access::Dot => Step::Name(SmolStr::default()),
            _ => Step::Computed,
        };
        Segment { step, range }
    }

    fn call(&self, node: &Node, name: &SmolStr, args: &[NodeId], local: bool) -> Reference {
        Reference {
            root: name.clone(),
            root_range: node.focus,
            path: Vec::new(),
            range: node.focus,
            kind: RefKind::Call(self.arguments(args)),
            local,
        }
    }

    fn arguments(&self, args: &[NodeId]) -> Vec<Argument> {
        args.iter()
            .map(|arg| Argument {
                literal: self.literal(*arg).map(|(value, _)| value),
                range: self.node(*arg).range,
            })
            .collect()
    }

    pub(crate) fn literal(&self, id: NodeId) -> Option<(Value, TextRange)> {
        let node = self.node(id);
        let value = match &node.kind {
            NodeKind::Nil => Value::Nil,
            NodeKind::Bool(value) => Value::Bool(*value),
            NodeKind::Int(value) => Value::Int(*value),
            NodeKind::Float(value) => Value::Float(*value),
            NodeKind::Str(text) => Value::Str(text.clone()),
            NodeKind::Unary { op: Op::Minus, operand } => match self.kind(*operand) {
                NodeKind::Int(value) => Value::Int(value.wrapping_neg()),
                NodeKind::Float(value) => Value::Float(-value),
                _ => return None,
            },
            _ => return None,
        };
        Some((value, node.range))
    }

    pub(crate) fn literal_list(&self, id: NodeId) -> Option<Vec<(Value, TextRange)>> {
        match self.kind(id) {
            NodeKind::List(items) => items.iter().map(|item| self.literal(*item)).collect(),
            _ => None,
        }
    }
}

fn mark(flags: &mut [bool], id: NodeId) {
    if let Some(flag) = flags.get_mut(id.index()) {
        *flag = true;
    }
}

/// The operator as if its operands were swapped.
fn mirror(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Equal => "==",
        Op::NotEqual => "!=",
        Op::Less => ">",
        Op::LessEqual => ">=",
        Op::More => "<",
        Op::MoreEqual => "<=",
        _ => return None,
    })
}
