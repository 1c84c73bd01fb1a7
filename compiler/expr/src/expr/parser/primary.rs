//! What an expression starts with: prefix operators, parentheses, names, literals, predicates' elements.

use smol_str::SmolStr;

use super::super::ast::{NodeId, NodeKind};
use super::super::lexer::{Bracket, Op, Tok};
use super::Parser;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> NodeId {
        let focus = self.range();
        if let Some(op) = self.op() {
            if let Some(power) = op.unary() {
                self.advance();
                let operand = self.expression(power);
                let range = focus.cover(self.range_of(operand));
                let first = self.first_of(operand);
                self.count();
                let node = self.add(NodeKind::Unary { op, operand }, range, focus, Some(first));
                return self.postfix(node);
            }
            if let (Op::Hash | Op::Dot, Some(collection)) = (op, self.collections.last().copied()) {
                return self.pointer(op, collection);
            }
            if op == Op::ColonColon {
                self.advance();
                if *self.tok() != Tok::Ident {
                    self.unexpected();
                    return self.error_node();
                }
                let name = self.word();
                let range = self.range();
                self.advance();
                let node = self.call(name, range, None);
                return self.postfix(node);
            }
        }
        if self.at_open(Bracket::Paren) {
            self.advance();
            let inner = self.sequence();
            self.expect_close(Bracket::Paren, focus);
            return self.postfix(inner);
        }
        self.secondary()
    }

    fn pointer(&mut self, op: Op, collection: NodeId) -> NodeId {
        let mut range = self.range();
        let focus = range;
        let mut name = SmolStr::default();
        if op == Op::Hash {
            self.advance();
            if *self.tok() == Tok::Ident {
                name = SmolStr::new(self.word());
                range = range.cover(self.range());
                self.advance();
            }
        } else {
            // The dot stays: it starts the member access of the element.
            range = text_size::TextRange::empty(range.start());
        }
        self.count();
        let node = self.add(
            NodeKind::Pointer {
                name,
                collection: Some(collection),
            },
            range,
            focus,
            None,
        );
        self.postfix(node)
    }

    fn secondary(&mut self) -> NodeId {
        let range = self.range();
        match self.tok().clone() {
            Tok::Ident => {
                let word = self.word();
                self.advance();
                self.quiet = false;
                let literal = match word {
                    "true" => Some(NodeKind::Bool(true)),
                    "false" => Some(NodeKind::Bool(false)),
                    "nil" => Some(NodeKind::Nil),
                    _ => None,
                };
                if let Some(kind) = literal {
                    self.count();
                    return self.add(kind, range, range, None);
                }
                if self.at_open(Bracket::Paren) {
                    let node = self.call(word, range, None);
                    return self.postfix(node);
                }
                let node = self.identifier(word, range);
                self.postfix(node)
            }
            Tok::Number => {
                let word = self.word();
                self.advance();
                self.quiet = false;
                self.number(word, range)
            }
            Tok::Str(text) => {
                self.advance();
                self.quiet = false;
                self.count();
                let node = self.add(NodeKind::Str(text), range, range, None);
                self.postfix(node)
            }
            Tok::Bytes(bytes) => {
                self.advance();
                self.quiet = false;
                self.count();
                let node = self.add(NodeKind::Bytes(bytes), range, range, None);
                self.postfix(node)
            }
            Tok::Open(Bracket::Square) => {
                let node = self.list();
                self.postfix(node)
            }
            Tok::Open(Bracket::Curly) => {
                let node = self.map();
                self.postfix(node)
            }
            _ => {
                self.unexpected();
                self.skip_bad_operand();
                self.error_node()
            }
        }
    }

    /// Steps over a token that nothing else will take, so that the rest of the text is still read.
    fn skip_bad_operand(&mut self) {
        match self.tok() {
            Tok::Bad(_) => self.advance(),
            Tok::Op(op)
                if op.binary().is_none() && !matches!(op, Op::Comma | Op::Colon | Op::Semicolon | Op::Question) =>
            {
                self.advance();
            }
            _ => {}
        }
    }

    pub(super) fn identifier(&mut self, word: &str, range: text_size::TextRange) -> NodeId {
        let binding = self
            .scopes
            .iter()
            .rev()
            .find(|(name, _)| name == word)
            .map(|(_, value)| *value);
        self.count();
        self.add(
            NodeKind::Ident {
                name: SmolStr::new(word),
                binding,
            },
            range,
            range,
            None,
        )
    }
}
