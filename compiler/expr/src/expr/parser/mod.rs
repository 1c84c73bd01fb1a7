//! Tokens of a bare expression to its tree (language 3.2 and 3.3 of the expression chapter): a Pratt parser that goes on after a fault.
//!
//! The first error is the one that the reference reports, and has its class; later ones are what is left to say about
//! the rest of the text.

mod call;
mod literal;
mod message;
mod postfix;
mod primary;

use std::sync::Arc;

use smol_str::SmolStr;
use text_size::TextRange;

use super::ast::{Expr, Node, NodeId, NodeKind};
use super::lexer::{Bracket, Op, Tok, Token, lex};
use super::limits::{MAX_ERRORS, MAX_NESTING, MAX_NODES};
use crate::{ErrorClass, ExprError};

/// Parses an expression; the errors are those of reading it (`lex`, `parse`, `coalesce_mix`, `limit`).
#[must_use]
pub fn parse_expr(text: &str) -> (Expr, Vec<ExprError>) {
    let mut parser = Parser::new(text);
    let root = parser.sequence();
    if !parser.at_end() {
        parser.unexpected();
    }
    let Parser { nodes, errors, .. } = parser;
    (
        Expr {
            text: Arc::from(text),
            nodes,
            root,
        },
        errors,
    )
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    pos: usize,
    nodes: Vec<Node>,
    errors: Vec<ExprError>,
    /// No further error until something was understood again.
    quiet: bool,
    depth: u32,
    /// Nodes in the reference's way of counting.
    counted: u32,
    /// `let` names in scope with their values.
    scopes: Vec<(SmolStr, NodeId)>,
    /// What the predicates around the current place run over.
    collections: Vec<NodeId>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let tokens = lex(text, false);
        let capacity = tokens.len();
        let mut parser = Self {
            text,
            tokens,
            pos: 0,
            nodes: Vec::with_capacity(capacity),
            errors: Vec::new(),
            quiet: false,
            depth: 0,
            counted: 0,
            scopes: Vec::new(),
            collections: Vec::new(),
        };
        parser.check_lexical();
        parser
    }

    // Tokens.

    fn tok(&self) -> &Tok {
        self.tokens.get(self.pos).map_or(&Tok::Eof, |token| &token.tok)
    }

    fn tok_at(&self, ahead: usize) -> &Tok {
        self.tokens.get(self.pos + ahead).map_or(&Tok::Eof, |token| &token.tok)
    }

    fn range(&self) -> TextRange {
        self.tokens
            .get(self.pos)
            .or(self.tokens.last())
            .map(|token| token.range)
            .unwrap_or_default()
    }

    fn word(&self) -> &'a str {
        let range = self.range();
        self.text
            .get(usize::from(range.start())..usize::from(range.end()))
            .unwrap_or_default()
    }

    fn op(&self) -> Option<Op> {
        match self.tok() {
            Tok::Op(op) => Some(*op),
            _ => None,
        }
    }

    fn at(&self, op: Op) -> bool {
        self.op() == Some(op)
    }

    fn at_open(&self, bracket: Bracket) -> bool {
        *self.tok() == Tok::Open(bracket)
    }

    fn at_close(&self, bracket: Bracket) -> bool {
        *self.tok() == Tok::Close(bracket)
    }

    fn at_end(&self) -> bool {
        *self.tok() == Tok::Eof
    }

    fn advance(&mut self) {
        if !self.at_end() {
            self.pos += 1;
            self.check_lexical();
        }
    }

    /// An unreadable token is reported when the parser arrives at it, not before.
    fn check_lexical(&mut self) {
        if let Tok::Bad(fault) = *self.tok() {
            let error = message::lexical(fault, self.range(), self.word());
            self.push_error(error);
        }
    }

    fn eat(&mut self, op: Op) -> bool {
        let found = self.at(op);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, op: Op) -> bool {
        let found = self.eat(op);
        if !found {
            self.unexpected();
        }
        found
    }

    fn expect_open(&mut self, bracket: Bracket) -> bool {
        let found = self.at_open(bracket);
        if found {
            self.advance();
        } else {
            self.unexpected();
        }
        found
    }

    /// The closing bracket; when it is missing, the parser goes on behind the one that fits.
    fn expect_close(&mut self, bracket: Bracket, opened: TextRange) -> TextRange {
        let range = self.range();
        if self.at_close(bracket) {
            self.advance();
            self.quiet = false;
            return range;
        }
        let error = message::unclosed(bracket, opened, self.tok(), range, self.word());
        self.report(error);
        let mut open = 0usize;
        loop {
            match self.tok() {
                Tok::Eof => return range,
                Tok::Open(_) => open += 1,
                Tok::Close(found) if open == 0 => {
                    if *found == bracket {
                        let range = self.range();
                        self.advance();
                        self.quiet = false;
                        return range;
                    }
                    return range;
                }
                Tok::Close(_) => open -= 1,
                _ => {}
            }
            self.pos += 1;
        }
    }

    // Errors.

    fn unexpected(&mut self) {
        if matches!(self.tok(), Tok::Bad(_)) {
            // Already reported on arrival.
            self.quiet = true;
            return;
        }
        let error = message::unexpected(self.tok(), self.range(), self.word());
        self.report(error);
    }

    fn report(&mut self, error: ExprError) {
        if !self.quiet {
            self.push_error(error);
        }
        self.quiet = true;
    }

    fn push_error(&mut self, error: ExprError) {
        if self.errors.len() < MAX_ERRORS && self.errors.last().is_none_or(|last| last.range != error.range) {
            self.errors.push(error);
        }
    }

    /// Stops reading: what is left is too much.
    fn give_up(&mut self, message: &str, help: &str) {
        let error = ExprError::compile(ErrorClass::Limit, self.range(), message).with_help(help);
        self.report(error);
        self.pos = self.tokens.len();
    }

    // Nodes.

    fn add(&mut self, kind: NodeKind, range: TextRange, focus: TextRange, first: Option<NodeId>) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node {
            kind,
            range,
            focus,
            first: first.unwrap_or(id),
        });
        id
    }

    /// Counts one node as the reference does.
    fn count(&mut self) {
        self.counted += 1;
        if self.counted == MAX_NODES + 1 {
            self.give_up(
                "the expression has more than 10,000 parts",
                "move a part of it to a world key of its own",
            );
        }
    }

    fn error_node(&mut self) -> NodeId {
        let range = TextRange::empty(self.range().start());
        self.add(NodeKind::Error, range, range, None)
    }

    fn range_of(&self, id: NodeId) -> TextRange {
        self.nodes.get(id.index()).map(|node| node.range).unwrap_or_default()
    }

    fn first_of(&self, id: NodeId) -> NodeId {
        self.nodes.get(id.index()).map_or(id, |node| node.first)
    }

    fn kind_of(&self, id: NodeId) -> &NodeKind {
        self.nodes.get(id.index()).map_or(&NodeKind::Error, |node| &node.kind)
    }

    // Grammar.

    fn sequence(&mut self) -> NodeId {
        let first = self.expression(0);
        if !self.at(Op::Semicolon) {
            return first;
        }
        let mut parts = vec![first];
        while self.eat(Op::Semicolon) {
            self.quiet = false;
            if self.at_end() {
                break;
            }
            parts.push(self.expression(0));
        }
        let [_, .., last] = parts.as_slice() else { return first };
        let range = self.range_of(first).cover(self.range_of(*last));
        self.count();
        let start = self.first_of(first);
        self.add(NodeKind::Sequence(parts), range, range, Some(start))
    }

    fn expression(&mut self, power: u16) -> NodeId {
        if self.depth >= MAX_NESTING {
            self.give_up(
                "the expression is nested too deeply",
                "split it, or use fewer parentheses",
            );
            return self.error_node();
        }
        self.depth += 1;
        let node = match self.op() {
            Some(Op::Let) if power == 0 => self.let_expression(),
            Some(Op::If) if power == 0 => self.if_expression(),
            _ => self.binary(power),
        };
        self.depth -= 1;
        node
    }

    fn binary(&mut self, power: u16) -> NodeId {
        let mut left = self.primary();
        let mut previous = None;
        while let Some(mut op) = self.op() {
            let focus = self.range();
            let negated = op == Op::Not;
            if negated {
                let Tok::Op(next) = *self.tok_at(1) else {
                    self.advance();
                    self.unexpected();
                    break;
                };
                if !next.negatable() {
                    self.advance();
                    self.unexpected();
                    break;
                }
                op = next;
            }
            let Some((binds, right_first)) = op.binary().filter(|(binds, _)| *binds >= power) else {
                break;
            };
            if negated {
                self.advance();
            }
            let op_range = self.range();
            self.advance();
            if op == Op::Pipe {
                left = self.pipe(left);
                previous = Some(Op::Pipe);
                continue;
            }
            if previous == Some(Op::Coalesce) && op != Op::Coalesce {
                let error = message::mixed(op, op_range, self.range_of(left), self.text);
                self.report(error);
                self.quiet = false;
            }
            if op.is_order() {
                left = self.comparison(left, op, op_range, binds);
                // The comparison that ended the chain is not remembered: only `??` matters.
                previous = Some(op);
                continue;
            }
            let right = self.expression(if right_first { binds } else { binds + 1 });
            left = self.binary_node(op, op_range, left, right);
            if negated {
                let range = self.range_of(left);
                let first = self.first_of(left);
                self.count();
                left = self.add(
                    NodeKind::Unary {
                        op: Op::Not,
                        operand: left,
                    },
                    range,
                    focus.cover(op_range),
                    Some(first),
                );
            }
            previous = Some(op);
        }
        if power == 0 { self.conditional(left) } else { left }
    }

    fn binary_node(&mut self, op: Op, focus: TextRange, left: NodeId, right: NodeId) -> NodeId {
        let range = self.range_of(left).cover(self.range_of(right)).cover(focus);
        let first = self.first_of(left);
        self.count();
        self.add(NodeKind::Binary { op, left, right }, range, focus, Some(first))
    }

    /// `a < b < c` is `a < b && b < c`, with `b` shared.
    fn comparison(&mut self, left: NodeId, op: Op, op_range: TextRange, binds: u16) -> NodeId {
        let mut left = left;
        let mut op = op;
        let mut op_range = op_range;
        let mut root: Option<NodeId> = None;
        loop {
            let right = self.expression(binds + 1);
            let compared = self.binary_node(op, op_range, left, right);
            root = Some(match root {
                None => compared,
                Some(before) => self.binary_node(Op::AndAnd, op_range, before, compared),
            });
            left = right;
            match self.op() {
                Some(next) if next.is_order() => {
                    op = next;
                    op_range = self.range();
                    self.advance();
                }
                _ => return root.unwrap_or(left),
            }
        }
    }

    fn conditional(&mut self, condition: NodeId) -> NodeId {
        let mut node = condition;
        while self.at(Op::Question) {
            let focus = self.range();
            self.advance();
            let (then, otherwise) = if self.eat(Op::Colon) {
                (node, self.expression(0))
            } else {
                let then = self.expression(0);
                self.expect(Op::Colon);
                (then, self.expression(0))
            };
            let range = self.range_of(node).cover(self.range_of(otherwise));
            let first = self.first_of(node);
            self.count();
            node = self.add(
                NodeKind::Conditional {
                    condition: node,
                    then,
                    otherwise,
                },
                range,
                focus,
                Some(first),
            );
        }
        node
    }

    fn let_expression(&mut self) -> NodeId {
        let focus = self.range();
        self.advance();
        let name = SmolStr::new(self.word());
        let name_range = self.range();
        if *self.tok() == Tok::Ident {
            self.advance();
        } else {
            self.unexpected();
        }
        self.expect(Op::Assign);
        let value = self.expression(0);
        self.expect(Op::Semicolon);
        self.quiet = false;
        self.scopes.push((name.clone(), value));
        let body = self.sequence();
        self.scopes.pop();
        let range = focus.cover(self.range_of(body));
        let first = self.first_of(value);
        self.count();
        self.add(NodeKind::Let { name, value, body }, range, name_range, Some(first))
    }

    fn if_expression(&mut self) -> NodeId {
        let focus = self.range();
        // `else if` chains are read in a loop: their length is no nesting.
        let mut arms = Vec::new();
        let otherwise = loop {
            self.advance();
            let condition = self.expression(0);
            let then = self.braced_sequence();
            arms.push((condition, then));
            self.expect(Op::Else);
            if !self.at(Op::If) {
                break self.braced_sequence();
            }
            if arms.len() >= MAX_NESTING as usize {
                self.give_up("the chain of `else if` is too long", "use a map or a list instead");
                break self.error_node();
            }
        };
        let first = arms.first().map(|(condition, _)| self.first_of(*condition));
        let mut node = otherwise;
        for (condition, then) in arms.into_iter().rev() {
            let range = focus.cover(self.range_of(otherwise));
            node = self.add(
                NodeKind::Conditional {
                    condition,
                    then,
                    otherwise: node,
                },
                range,
                focus,
                first,
            );
        }
        node
    }

    fn braced_sequence(&mut self) -> NodeId {
        let opened = self.range();
        if !self.expect_open(Bracket::Curly) {
            return self.error_node();
        }
        let body = self.sequence();
        self.expect_close(Bracket::Curly, opened);
        body
    }
}

#[cfg(test)]
mod tests;
