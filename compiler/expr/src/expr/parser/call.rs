//! Calls: built-in functions, other names, pipes, and the arguments with a predicate that some built-ins take.

use smol_str::SmolStr;
use text_size::TextRange;

use super::super::ast::{NodeId, NodeKind};
use super::super::lexer::{Bracket, Op, Tok};
use super::Parser;
use crate::names;

/// How an argument of a predicate function is read.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Value,
    Predicate,
}

/// The arguments of functions that take a predicate, and how many of them must be there.
fn predicate_shape(name: &str) -> Option<(&'static [Shape], usize)> {
    use Shape::{Predicate, Value};
    Some(match name {
        "all" | "none" | "any" | "one" | "filter" | "map" | "find" | "findIndex" | "findLast" | "findLastIndex"
        | "groupBy" => (&[Value, Predicate], 2),
        "count" | "sum" => (&[Value, Predicate], 1),
        "sortBy" | "reduce" => (&[Value, Predicate, Value], 2),
        _ => return None,
    })
}

impl Parser<'_> {
    /// `left | name(...)`.
    pub(super) fn pipe(&mut self, left: NodeId) -> NodeId {
        if *self.tok() != Tok::Ident {
            self.unexpected();
            return left;
        }
        let name = self.word();
        let range = self.range();
        self.advance();
        self.call(name, range, Some(left))
    }

    /// A call whose name has been read; `piped` is its first argument.
    pub(super) fn call(&mut self, name: &str, name_range: TextRange, piped: Option<NodeId>) -> NodeId {
        let start = piped.map_or(name_range, |left| self.range_of(left));
        let first = piped.map(|left| self.first_of(left));
        if let Some((shape, required)) = predicate_shape(name) {
            let (args, end) = self.predicate_arguments(shape, required, piped);
            let first = first.or_else(|| args.first().map(|arg| self.first_of(*arg)));
            self.count();
            let kind = NodeKind::Builtin {
                name: SmolStr::new(name),
                args,
            };
            return self.add(kind, start.cover(end), name_range, first);
        }
        if names::is_builtin(name) {
            let (args, end) = self.arguments(piped);
            let first = first.or_else(|| args.first().map(|arg| self.first_of(*arg)));
            self.count();
            let kind = NodeKind::Builtin {
                name: SmolStr::new(name),
                args,
            };
            return self.add(kind, start.cover(end), name_range, first);
        }
        let callee = self.identifier(name, name_range);
        let (args, end) = self.arguments(piped);
        self.count();
        let first = first.unwrap_or(callee);
        self.add(
            NodeKind::Call { callee, args },
            start.cover(end),
            name_range,
            Some(first),
        )
    }

    /// The arguments in parentheses and where the call ends.
    pub(super) fn arguments(&mut self, piped: Option<NodeId>) -> (Vec<NodeId>, TextRange) {
        let mut args: Vec<NodeId> = piped.into_iter().collect();
        let offset = args.len();
        let opened = self.range();
        if !self.expect_open(Bracket::Paren) {
            return (args, TextRange::empty(opened.start()));
        }
        while !self.at_close(Bracket::Paren) && !self.at_end() {
            if args.len() > offset {
                if !self.expect(Op::Comma) {
                    break;
                }
                self.quiet = false;
                if self.at_close(Bracket::Paren) {
                    break;
                }
            }
            let before = self.pos;
            args.push(self.expression(0));
            if self.pos == before {
                break;
            }
        }
        let closed = self.expect_close(Bracket::Paren, opened);
        (args, closed)
    }

    fn predicate_arguments(
        &mut self,
        shape: &'static [Shape],
        required: usize,
        piped: Option<NodeId>,
    ) -> (Vec<NodeId>, TextRange) {
        let mut args: Vec<NodeId> = piped.into_iter().collect();
        let offset = args.len();
        let opened = self.range();
        if !self.expect_open(Bracket::Paren) {
            return (args, TextRange::empty(opened.start()));
        }
        for (index, part) in shape.iter().enumerate().skip(offset) {
            if self.at_close(Bracket::Paren) {
                if index < required {
                    self.unexpected();
                }
                break;
            }
            if index > offset && !self.expect(Op::Comma) {
                break;
            }
            match part {
                Shape::Value => args.push(self.expression(0)),
                Shape::Predicate => {
                    let collection = args.first().copied();
                    args.push(self.predicate(collection));
                }
            }
        }
        self.eat(Op::Comma);
        let closed = self.expect_close(Bracket::Paren, opened);
        (args, closed)
    }

    fn predicate(&mut self, collection: Option<NodeId>) -> NodeId {
        let opened = self.range();
        let braced = self.at_open(Bracket::Curly);
        if braced {
            self.advance();
        }
        let depth = self.collections.len();
        self.collections.extend(collection);
        let body = if braced { self.sequence() } else { self.expression(0) };
        if !braced && self.at(Op::Semicolon) {
            self.unexpected();
        }
        self.collections.truncate(depth);
        if braced {
            self.expect_close(Bracket::Curly, opened);
        }
        let range = self.range_of(body);
        let first = self.first_of(body);
        self.count();
        self.add(NodeKind::Predicate(body), range, range, Some(first))
    }
}
