//! Expressions to a tree: precedence, calls, comprehensions. Statements are in [`super::parser`].

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;
use std::rc::Rc;

use super::ast::{
    BinaryOp, Body, Call, Clause, Comprehension, Conditional, DictEntry, Expr, FunctionDef, Operand, Place, Slice,
    UnaryOp,
};
use super::parser::{Parsed, Parser};
use super::token::{Token, Word};
use super::{MAX_NESTING, SyntaxFault};

/// The level of `not`, between `and` and the comparisons.
const NOT_LEVEL: u8 = 2;
const COMPARISON_LEVEL: u8 = 3;

fn binary(token: &Token) -> Option<(BinaryOp, u8)> {
    Some(match token {
        Token::Word(Word::Or) => (BinaryOp::Or, 0),
        Token::Word(Word::And) => (BinaryOp::And, 1),
        Token::Word(Word::In) => (BinaryOp::In, COMPARISON_LEVEL),
        Token::Sign(sign) => match *sign {
            "==" => (BinaryOp::Eq, COMPARISON_LEVEL),
            "!=" => (BinaryOp::Ne, COMPARISON_LEVEL),
            "<" => (BinaryOp::Lt, COMPARISON_LEVEL),
            ">" => (BinaryOp::Gt, COMPARISON_LEVEL),
            "<=" => (BinaryOp::Le, COMPARISON_LEVEL),
            ">=" => (BinaryOp::Ge, COMPARISON_LEVEL),
            "|" => (BinaryOp::Pipe, 4),
            "^" => (BinaryOp::Caret, 5),
            "&" => (BinaryOp::Amp, 6),
            "<<" => (BinaryOp::ShiftLeft, 7),
            ">>" => (BinaryOp::ShiftRight, 7),
            "+" => (BinaryOp::Plus, 8),
            "-" => (BinaryOp::Minus, 8),
            "*" => (BinaryOp::Star, 9),
            "%" => (BinaryOp::Percent, 9),
            "/" => (BinaryOp::Slash, 9),
            "//" => (BinaryOp::SlashSlash, 9),
            _ => return None,
        },
        _ => return None,
    })
}

impl Parser {
    /// One expression, or several with commas: a tuple.
    pub(super) fn expression(&mut self, in_brackets: bool) -> Parsed<Expr> {
        let at = self.at;
        let first = self.test()?;
        if !self.is(",") {
            return Ok(first);
        }
        let items = self.more(first, in_brackets)?;
        Ok(Expr::Tuple { at, items })
    }

    fn more(&mut self, first: Expr, trailing: bool) -> Parsed<Vec<Expr>> {
        let mut items = vec![first];
        while self.is(",") {
            let comma = self.advance()?.1;
            if self.ends_list() {
                if !trailing {
                    return Err(SyntaxFault::new(comma, "unparenthesized tuple with trailing comma"));
                }
                break;
            }
            items.push(self.test()?);
        }
        Ok(items)
    }

    fn ends_list(&self) -> bool {
        match self.token {
            Token::End | Token::Newline => true,
            Token::Sign(s) => matches!(s, "=" | "}" | "]" | ")" | ";"),
            _ => false,
        }
    }

    pub(super) fn test(&mut self) -> Parsed<Expr> {
        self.deeper(|p| {
            if p.is_word(Word::Lambda) {
                return p.lambda(true);
            }
            let yes = p.operators(0)?;
            if !p.is_word(Word::If) {
                return Ok(yes);
            }
            let at = p.advance()?.1;
            let condition = p.operators(0)?;
            if !p.is_word(Word::Else) {
                return Err(SyntaxFault::new(at, "conditional expression without else clause"));
            }
            p.advance()?;
            let no = p.test()?;
            Ok(Expr::Conditional(Box::new(Conditional { condition, yes, no })))
        })
    }

    fn lambda(&mut self, conditional: bool) -> Parsed<Expr> {
        self.deeper(|p| {
            let at = p.advance()?.1;
            let parameters = if p.is(":") { Vec::new() } else { p.parameters()? };
            p.want(":")?;
            let body = if conditional {
                p.test()?
            } else if p.is_word(Word::Lambda) {
                p.lambda(false)?
            } else {
                p.operators(0)?
            };
            let function = FunctionDef {
                name: "lambda".into(),
                at,
                parameters,
                body: Body::Expr(body),
                layout: OnceCell::new(),
                running: Cell::new(false),
            };
            Ok(Expr::Lambda(Rc::new(function)))
        })
    }

    /// Operators from a precedence level upwards.
    fn operators(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = if self.is_word(Word::Not) && least <= NOT_LEVEL {
            let at = self.advance()?.1;
            let operand = Box::new(self.deeper(|p| p.operators(NOT_LEVEL))?);
            Expr::Unary {
                op: UnaryOp::Not,
                at,
                operand,
            }
        } else {
            self.primary_with_suffix()?
        };
        // The level of the chain that `left` is, when this loop made it.
        let mut chain: Option<u8> = None;
        loop {
            let (op, level, at) = if self.is_word(Word::Not) {
                let at = self.advance()?.1;
                if !self.is_word(Word::In) {
                    return self.fault(format!("got {}, want in", self.token.shown()));
                }
                (BinaryOp::NotIn, COMPARISON_LEVEL, at)
            } else {
                match binary(&self.token) {
                    Some((op, level)) => (op, level, self.at),
                    None => return Ok(left),
                }
            };
            if level < least {
                return Ok(left);
            }
            if let (Some(COMPARISON_LEVEL), COMPARISON_LEVEL, Expr::Binary { rest, .. }) = (chain, level, &left) {
                let first = rest.first().map_or("", |o| o.op.sign());
                return self.fault(format!("{first} does not associate with {} (use parens)", op.sign()));
            }
            self.advance()?;
            let value = self.deeper(|p| p.operators(level + 1))?;
            let operand = Operand { op, at, value };
            left = match (left, chain) {
                (Expr::Binary { first, mut rest }, Some(same)) if same == level => {
                    rest.push(operand);
                    Expr::Binary { first, rest }
                }
                (other, _) => Expr::Binary {
                    first: Box::new(other),
                    rest: vec![operand],
                },
            };
            chain = Some(level);
        }
    }

    /// What may stand before `in` of a loop.
    pub(super) fn loop_variables(&mut self) -> Parsed<Expr> {
        let at = self.at;
        let first = self.primary_with_suffix()?;
        if !self.is(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.eat(",")? {
            if self.ends_list() {
                break;
            }
            items.push(self.primary_with_suffix()?);
        }
        Ok(Expr::Tuple { at, items })
    }

    fn primary_with_suffix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        let mut suffixes = 0;
        loop {
            suffixes += 1;
            if suffixes > MAX_NESTING {
                return Err(SyntaxFault::deep(self.at));
            }
            expr = match self.token {
                Token::Sign(".") => {
                    let dot = self.advance()?.1;
                    let name = self.name()?.text;
                    Expr::Dot {
                        object: Box::new(expr),
                        dot,
                        name,
                    }
                }
                Token::Sign("[") => self.subscript(expr)?,
                Token::Sign("(") => self.call(expr)?,
                _ => return Ok(expr),
            };
        }
    }

    fn subscript(&mut self, object: Expr) -> Parsed<Expr> {
        let bracket = self.advance()?.1;
        let mut low = None;
        if !self.is(":") {
            let index = self.expression(false)?;
            if self.eat("]")? {
                return Ok(Expr::Index {
                    object: Box::new(object),
                    bracket,
                    index: Box::new(index),
                });
            }
            low = Some(index);
        }
        let (mut high, mut step) = (None, None);
        if self.eat(":")? && !self.is(":") && !self.is("]") {
            high = Some(self.test()?);
        }
        if self.eat(":")? && !self.is("]") {
            step = Some(self.test()?);
        }
        self.want("]")?;
        Ok(Expr::Slice(Box::new(Slice {
            object,
            bracket,
            low,
            high,
            step,
        })))
    }

    fn call(&mut self, function: Expr) -> Parsed<Expr> {
        let bracket = self.advance()?.1;
        let mut call = Call {
            function,
            bracket,
            positional: Vec::new(),
            named: Vec::new(),
            star: None,
            star_star: None,
        };
        let mut any = false;
        let mut seen = HashSet::new();
        while !self.is(")") && !matches!(self.token, Token::End) {
            if any {
                self.want(",")?;
            }
            if self.is(")") {
                break;
            }
            any = true;
            self.argument(&mut call, &mut seen)?;
        }
        self.want(")")?;
        Ok(Expr::Call(Box::new(call)))
    }

    fn argument(&mut self, call: &mut Call, seen: &mut HashSet<Rc<str>>) -> Parsed<()> {
        let at = self.at;
        if self.is("*") || self.is("**") {
            let double = self.is("**");
            self.advance()?;
            let value = self.test()?;
            if double {
                if call.star_star.replace(value).is_some() {
                    return Err(SyntaxFault::new(at, "multiple **kwargs not allowed"));
                }
            } else if call.star_star.is_some() {
                return Err(SyntaxFault::new(at, "*args may not follow **kwargs"));
            } else if call.star.replace(value).is_some() {
                return Err(SyntaxFault::new(at, "multiple *args not allowed"));
            }
            return Ok(());
        }
        let value = self.test()?;
        if self.is("=") {
            let Expr::Name(name) = value else {
                return self.fault("keyword argument must have form name=expr");
            };
            self.advance()?;
            let value = self.test()?;
            if call.star_star.is_some() {
                return Err(SyntaxFault::new(at, "keyword argument may not follow **kwargs"));
            }
            if !seen.insert(name.text.clone()) {
                return Err(SyntaxFault::new(
                    at,
                    format!("keyword argument \"{}\" is repeated", name.text),
                ));
            }
            call.named.push((name.text, value));
            return Ok(());
        }
        if call.star_star.is_some() {
            return Err(SyntaxFault::new(at, "positional argument may not follow **kwargs"));
        }
        if call.star.is_some() {
            return Err(SyntaxFault::new(at, "positional argument may not follow *args"));
        }
        if !call.named.is_empty() {
            return Err(SyntaxFault::new(at, "positional argument may not follow named"));
        }
        call.positional.push(value);
        Ok(())
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let at = self.at;
        match &self.token {
            Token::Name(_) => Ok(Expr::Name(self.name()?)),
            Token::Int(_) | Token::BigInt(_) | Token::Float(_) | Token::Text(_) | Token::Bytes(_) => {
                Ok(match self.advance()?.0 {
                    Token::Int(i) => Expr::Int(i),
                    Token::BigInt(i) => Expr::BigInt(Rc::new(i)),
                    Token::Float(f) => Expr::Float(f),
                    Token::Bytes(b) => Expr::Bytes(b.into()),
                    Token::Text(t) => Expr::Text(t.into()),
                    _ => Expr::Int(0),
                })
            }
            Token::Sign("[") => self.list(at),
            Token::Sign("{") => self.dict(at),
            Token::Sign("(") => {
                self.advance()?;
                if self.eat(")")? {
                    return Ok(Expr::Tuple { at, items: Vec::new() });
                }
                let inner = self.expression(true)?;
                self.want(")")?;
                Ok(inner)
            }
            Token::Sign(sign @ ("-" | "+" | "~")) => {
                let op = match *sign {
                    "-" => UnaryOp::Minus,
                    "+" => UnaryOp::Plus,
                    _ => UnaryOp::Tilde,
                };
                self.advance()?;
                let operand = Box::new(self.deeper(Self::primary_with_suffix)?);
                Ok(Expr::Unary { op, at, operand })
            }
            other => self.fault(format!("got {}, want primary expression", other.shown())),
        }
    }

    fn list(&mut self, at: Place) -> Parsed<Expr> {
        self.advance()?;
        if self.eat("]")? {
            return Ok(Expr::List { at, items: Vec::new() });
        }
        let first = self.test()?;
        if self.is_word(Word::For) {
            return self.comprehension(at, None, first, "]");
        }
        let items = self.more(first, true)?;
        self.want("]")?;
        Ok(Expr::List { at, items })
    }

    fn dict(&mut self, at: Place) -> Parsed<Expr> {
        self.advance()?;
        let mut entries = Vec::new();
        while !self.is("}") {
            let key = self.test()?;
            let colon = self.want(":")?;
            let value = self.test()?;
            if entries.is_empty() && self.is_word(Word::For) {
                return self.comprehension(at, Some((key, colon)), value, "}");
            }
            entries.push(DictEntry { key, colon, value });
            if !self.eat(",")? {
                break;
            }
        }
        self.want("}")?;
        Ok(Expr::Dict { at, entries })
    }

    fn comprehension(&mut self, at: Place, key: Option<(Expr, Place)>, value: Expr, end: &str) -> Parsed<Expr> {
        let mut clauses = Vec::new();
        while !self.is(end) {
            if clauses.len() >= MAX_NESTING {
                return Err(SyntaxFault::deep(self.at));
            }
            if self.is_word(Word::For) {
                let at = self.advance()?.1;
                let target = self.loop_variables()?;
                self.want_in()?;
                let iterable = self.operators(0)?;
                clauses.push(Clause::For { at, target, iterable });
            } else if self.is_word(Word::If) {
                self.advance()?;
                let condition = if self.is_word(Word::Lambda) {
                    self.lambda(false)?
                } else {
                    self.operators(0)?
                };
                clauses.push(Clause::If { condition });
            } else {
                return self.fault(format!("got {}, want '{end}', for, or if", self.token.shown()));
            }
        }
        self.advance()?;
        Ok(Expr::Comprehension(Box::new(Comprehension {
            at,
            key,
            value,
            clauses,
        })))
    }
}
