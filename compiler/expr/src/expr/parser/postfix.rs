//! What follows an operand: members, indexes, slices, method calls, and the end of optional chains.

use smol_str::SmolStr;

use super::super::ast::{Access, NodeId, NodeKind};
use super::super::lexer::{Bracket, Op, Tok};
use super::{Parser, message};

impl Parser<'_> {
    pub(super) fn postfix(&mut self, node: NodeId) -> NodeId {
        let mut node = node;
        loop {
            let optional = self.at(Op::QuestionDot);
            if optional && *self.tok_at(1) == Tok::Open(Bracket::Square) {
                self.advance();
                node = self.index(node, true);
            } else if optional || self.at(Op::Dot) {
                let before = self.errors.len();
                node = self.member(node, optional);
                if self.errors.len() > before && self.at_end() {
                    return node;
                }
            } else if self.at_open(Bracket::Square) {
                node = self.index(node, false);
            } else {
                return node;
            }
        }
    }

    fn member(&mut self, base: NodeId, optional: bool) -> NodeId {
        let dot = self.range();
        self.advance();
        let named = match self.tok() {
            Tok::Ident => true,
            Tok::Op(op) => op.is_word(),
            _ => false,
        };
        if !named {
            if !matches!(self.tok(), Tok::Bad(_)) {
                let error = message::member_name(dot, self.tok(), self.range(), self.word());
                self.report(error);
            }
            let range = self.range_of(base).cover(dot);
            let first = self.first_of(base);
            let property = self.error_node();
            return self.add(
                NodeKind::Member {
                    base,
                    property,
                    optional,
                    access: Access::Dot,
                    method: false,
                },
                range,
                dot,
                Some(first),
            );
        }
        let name_range = self.range();
        let name = SmolStr::new(self.word());
        self.advance();
        self.quiet = false;
        self.count();
        let property = self.add(NodeKind::Str(name), name_range, name_range, None);
        // A step behind an optional chain belongs to it, also through parentheses.
        let (base, chained) = match *self.kind_of(base) {
            NodeKind::Chain(inner) => (inner, true),
            _ => (base, false),
        };
        let method = self.at_open(Bracket::Paren);
        let range = self.range_of(base).cover(name_range);
        let first = self.first_of(base);
        self.count();
        let kind = NodeKind::Member {
            base,
            property,
            optional,
            access: Access::Dot,
            method,
        };
        let mut node = self.add(kind, range, name_range, Some(first));
        if method {
            let (args, end) = self.arguments(None);
            self.count();
            node = self.add(
                NodeKind::Call { callee: node, args },
                range.cover(end),
                name_range,
                Some(first),
            );
        }
        if chained || optional {
            node = self.chain(node);
        }
        node
    }

    fn chain(&mut self, inner: NodeId) -> NodeId {
        let range = self.range_of(inner);
        let first = self.first_of(inner);
        self.count();
        self.add(NodeKind::Chain(inner), range, range, Some(first))
    }

    fn index(&mut self, base: NodeId, optional: bool) -> NodeId {
        let opened = self.range();
        self.advance();
        let first = self.first_of(base);
        let mut from = None;
        if !self.at(Op::Colon) {
            let key = self.expression(0);
            if !self.at(Op::Colon) {
                let closed = self.expect_close(Bracket::Square, opened);
                let range = self.range_of(base).cover(closed);
                self.count();
                let kind = NodeKind::Member {
                    base,
                    property: key,
                    optional,
                    access: Access::Index,
                    method: false,
                };
                let node = self.add(kind, range, opened.cover(closed), Some(first));
                return if optional { self.chain(node) } else { node };
            }
            from = Some(key);
        }
        self.advance();
        let to = if self.at_close(Bracket::Square) {
            None
        } else {
            Some(self.expression(0))
        };
        let closed = self.expect_close(Bracket::Square, opened);
        let range = self.range_of(base).cover(closed);
        self.count();
        self.add(
            NodeKind::Slice { base, from, to },
            range,
            opened.cover(closed),
            Some(first),
        )
    }
}
