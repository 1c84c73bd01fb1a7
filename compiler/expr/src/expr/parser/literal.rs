//! Number, list and map literals.

use smol_str::SmolStr;
use text_size::TextRange;

use super::super::ast::{NodeId, NodeKind};
use super::super::lexer::{Bracket, Op, Tok};
use super::{Parser, message};

impl Parser<'_> {
    pub(super) fn number(&mut self, word: &str, range: TextRange) -> NodeId {
        let kind = number_value(word);
        if kind.is_none() {
            let error = message::number(word, range);
            self.report(error);
        }
        self.count();
        self.add(kind.unwrap_or(NodeKind::Error), range, range, None)
    }

    pub(super) fn list(&mut self) -> NodeId {
        let opened = self.range();
        self.advance();
        let mut items = Vec::new();
        while !self.at_close(Bracket::Square) && !self.at_end() {
            if !items.is_empty() {
                if !self.expect(Op::Comma) {
                    break;
                }
                self.quiet = false;
                if self.at_close(Bracket::Square) {
                    break;
                }
            }
            let before = self.pos;
            items.push(self.expression(0));
            if self.pos == before {
                break;
            }
        }
        let closed = self.expect_close(Bracket::Square, opened);
        let first = items.first().map(|item| self.first_of(*item));
        self.count();
        self.add(NodeKind::List(items), opened.cover(closed), opened, first)
    }

    pub(super) fn map(&mut self) -> NodeId {
        let opened = self.range();
        self.advance();
        let mut pairs = Vec::new();
        while !self.at_close(Bracket::Curly) && !self.at_end() {
            if !pairs.is_empty() {
                if !self.expect(Op::Comma) {
                    break;
                }
                self.quiet = false;
                if self.at_close(Bracket::Curly) {
                    break;
                }
            }
            let before = self.pos;
            let key = self.map_key();
            self.expect(Op::Colon);
            let value = self.expression(0);
            let range = self.range_of(key).cover(self.range_of(value));
            let first = self.first_of(key);
            self.count();
            pairs.push(self.add(NodeKind::Pair { key, value }, range, range, Some(first)));
            if self.pos == before {
                break;
            }
        }
        let closed = self.expect_close(Bracket::Curly, opened);
        let first = pairs.first().map(|pair| self.first_of(*pair));
        self.count();
        self.add(NodeKind::Map(pairs), opened.cover(closed), opened, first)
    }

    fn map_key(&mut self) -> NodeId {
        let range = self.range();
        let text = match self.tok() {
            Tok::Number | Tok::Ident => SmolStr::new(self.word()),
            Tok::Str(text) => text.clone(),
            Tok::Open(Bracket::Paren) => return self.expression(0),
            _ => {
                self.unexpected();
                return self.error_node();
            }
        };
        self.advance();
        self.count();
        self.add(NodeKind::Str(text), range, range, None)
    }
}

/// The value of a number as written; `None` when it is none or does not fit.
fn number_value(word: &str) -> Option<NodeKind> {
    let digits = word.replace('_', "");
    let lower = digits.to_ascii_lowercase();
    let radix = |prefix: &str, radix| {
        lower
            .strip_prefix(prefix)
            .map(|rest| i64::from_str_radix(rest, radix).ok().filter(|_| !rest.starts_with('+')))
    };
    if let Some(hex) = radix("0x", 16) {
        return hex.map(NodeKind::Int);
    }
    if lower.contains(['.', 'e']) {
        let value: f64 = lower.parse().ok()?;
        return value.is_finite().then_some(NodeKind::Float(value));
    }
    if let Some(binary) = radix("0b", 2) {
        return binary.map(NodeKind::Int);
    }
    if let Some(octal) = radix("0o", 8) {
        return octal.map(NodeKind::Int);
    }
    digits.parse().ok().map(NodeKind::Int)
}
