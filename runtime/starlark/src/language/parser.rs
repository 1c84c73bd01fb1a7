//! Tokens to a tree. Names are not looked at here ([`super::resolve`] does that); the words of the faults are those of
//! the reference's parser.

use std::cell::{Cell, OnceCell};
use std::collections::HashSet;
use std::rc::Rc;

use super::ast::{
    BinaryOp, Body, Call, Clause, Comprehension, Conditional, DictEntry, Expr, File, FunctionDef, Name, Operand,
    Parameter, ParameterKind, Place, Slice, Stmt, UnaryOp,
};
use super::lexer::Lexer;
use super::token::{Token, Word};
use super::{MAX_NESTING, SyntaxFault};

type Parsed<T> = Result<T, SyntaxFault>;

/// Parses a whole file.
pub(crate) fn parse(source: &str) -> Parsed<File> {
    let mut lexer = Lexer::new(source);
    let (token, at) = lexer.next()?;
    let mut parser = Parser {
        lexer,
        token,
        at,
        depth: 0,
    };
    let mut statements = Vec::new();
    loop {
        match parser.token {
            Token::End => break,
            Token::Newline => {
                parser.advance()?;
            }
            _ => parser.statement(&mut statements)?,
        }
    }
    Ok(File {
        statements,
        layout: OnceCell::new(),
        globals: OnceCell::new(),
    })
}

struct Parser {
    lexer: Lexer,
    token: Token,
    at: Place,
    depth: usize,
}

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

fn augmented(sign: &str) -> Option<BinaryOp> {
    Some(match sign {
        "+=" => BinaryOp::Plus,
        "-=" => BinaryOp::Minus,
        "*=" => BinaryOp::Star,
        "/=" => BinaryOp::Slash,
        "//=" => BinaryOp::SlashSlash,
        "%=" => BinaryOp::Percent,
        "&=" => BinaryOp::Amp,
        "|=" => BinaryOp::Pipe,
        "^=" => BinaryOp::Caret,
        "<<=" => BinaryOp::ShiftLeft,
        ">>=" => BinaryOp::ShiftRight,
        _ => return None,
    })
}

impl Parser {
    fn advance(&mut self) -> Parsed<(Token, Place)> {
        let (token, at) = self.lexer.next()?;
        let old = std::mem::replace(&mut self.token, token);
        let old_at = std::mem::replace(&mut self.at, at);
        Ok((old, old_at))
    }

    fn fault<T>(&self, text: impl Into<String>) -> Parsed<T> {
        Err(SyntaxFault::new(self.at, text))
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(s) if s == sign)
    }

    fn is_word(&self, word: Word) -> bool {
        matches!(self.token, Token::Word(w) if w == word)
    }

    fn eat(&mut self, sign: &str) -> Parsed<bool> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn want(&mut self, sign: &str) -> Parsed<Place> {
        if !self.is(sign) {
            return self.fault(format!("got {}, want '{sign}'", self.token.shown()));
        }
        Ok(self.advance()?.1)
    }

    fn name(&mut self) -> Parsed<Name> {
        match self.advance()? {
            (Token::Name(text), at) => Ok(Name {
                text: text.into(),
                at,
                binding: OnceCell::new(),
            }),
            (other, at) => Err(SyntaxFault::new(at, format!("got {}, want identifier", other.shown()))),
        }
    }

    /// Runs `f` one level deeper: the only guard of the stack while parsing, and by the tree's depth while running.
    fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(SyntaxFault::deep(self.at));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    // ---------------------------------------------------------------- statements

    fn statement(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        match self.token {
            Token::Word(Word::Def) => out.push(self.def()?),
            Token::Word(Word::If) => out.push(self.if_statement()?),
            Token::Word(Word::For) => out.push(self.for_statement()?),
            Token::Word(Word::While) => {
                let at = self.advance()?.1;
                let condition = self.test()?;
                self.want(":")?;
                let body = self.suite()?;
                out.push(Stmt::While { at, condition, body });
            }
            _ => self.simple(out)?,
        }
        Ok(())
    }

    fn def(&mut self) -> Parsed<Stmt> {
        let at = self.advance()?.1;
        let name = self.name()?;
        self.want("(")?;
        let parameters = self.parameters()?;
        self.want(")")?;
        self.want(":")?;
        let body = self.suite()?;
        let function = FunctionDef {
            name: name.text.clone(),
            at,
            parameters,
            body: Body::Block(body),
            layout: OnceCell::new(),
            running: Cell::new(false),
        };
        Ok(Stmt::Def {
            name,
            function: Rc::new(function),
        })
    }

    fn if_statement(&mut self) -> Parsed<Stmt> {
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        loop {
            let at = self.advance()?.1;
            let condition = self.test()?;
            self.want(":")?;
            branches.push((at, condition, self.suite()?));
            if self.is_word(Word::Elif) {
                continue;
            }
            if self.is_word(Word::Else) {
                self.advance()?;
                self.want(":")?;
                otherwise = self.suite()?;
            }
            return Ok(Stmt::If { branches, otherwise });
        }
    }

    fn for_statement(&mut self) -> Parsed<Stmt> {
        let at = self.advance()?.1;
        let target = self.loop_variables()?;
        self.want_in()?;
        let iterable = self.expression(false)?;
        self.want(":")?;
        let body = self.suite()?;
        Ok(Stmt::For {
            at,
            target,
            iterable,
            body,
        })
    }

    fn want_in(&mut self) -> Parsed<()> {
        if !self.is_word(Word::In) {
            return self.fault(format!("got {}, want in", self.token.shown()));
        }
        self.advance()?;
        Ok(())
    }

    fn suite(&mut self) -> Parsed<Vec<Stmt>> {
        self.deeper(|p| {
            let mut out = Vec::new();
            if !matches!(p.token, Token::Newline) {
                p.simple(&mut out)?;
                return Ok(out);
            }
            p.advance()?;
            if !matches!(p.token, Token::Indent) {
                return p.fault(format!("got {}, want indent", p.token.shown()));
            }
            p.advance()?;
            while !matches!(p.token, Token::Outdent | Token::End) {
                p.statement(&mut out)?;
            }
            if matches!(p.token, Token::Outdent) {
                p.advance()?;
            }
            Ok(out)
        })
    }

    fn simple(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
        loop {
            out.push(self.small()?);
            if !self.eat(";")? || matches!(self.token, Token::Newline | Token::End) {
                break;
            }
        }
        match self.token {
            Token::Newline => {
                self.advance()?;
                Ok(())
            }
            // The end of the file closes a line, and the blocks that it stands in.
            Token::End | Token::Outdent => Ok(()),
            _ => self.fault(format!("got {}, want newline", self.token.shown())),
        }
    }

    fn small(&mut self) -> Parsed<Stmt> {
        let at = self.at;
        match self.token {
            Token::Word(Word::Return) => {
                self.advance()?;
                let bare = matches!(self.token, Token::End | Token::Newline | Token::Outdent) || self.is(";");
                let value = if bare { None } else { Some(self.expression(false)?) };
                return Ok(Stmt::Return { at, value });
            }
            Token::Word(Word::Break) => {
                self.advance()?;
                return Ok(Stmt::Break { at });
            }
            Token::Word(Word::Continue) => {
                self.advance()?;
                return Ok(Stmt::Continue { at });
            }
            Token::Word(Word::Pass) => {
                self.advance()?;
                return Ok(Stmt::Pass);
            }
            Token::Word(Word::Load) => return self.load(),
            _ => {}
        }
        let target = self.expression(false)?;
        let op = match self.token {
            Token::Sign("=") => None,
            Token::Sign(sign) => match augmented(sign) {
                Some(op) => Some(op),
                None => return Ok(Stmt::Expr(target)),
            },
            _ => return Ok(Stmt::Expr(target)),
        };
        let at = self.advance()?.1;
        let value = self.expression(false)?;
        Ok(Stmt::Assign { target, op, at, value })
    }

    fn load(&mut self) -> Parsed<Stmt> {
        let at = self.advance()?.1;
        let bracket = self.want("(")?;
        if !matches!(self.token, Token::Text(_)) {
            return self.fault("first operand of load statement must be a string literal");
        }
        self.advance()?;
        let mut bound = Vec::new();
        while !self.is(")") && !matches!(self.token, Token::End) {
            self.want(",")?;
            if self.is(")") {
                break;
            }
            match self.advance()? {
                (Token::Text(name), at) => {
                    let text: Rc<str> = String::from_utf8_lossy(&name).into();
                    bound.push(Name {
                        text,
                        at,
                        binding: OnceCell::new(),
                    });
                }
                (Token::Name(name), at) => {
                    self.want("=")?;
                    if !matches!(self.token, Token::Text(_)) {
                        return self.fault(format!(
                            "original name of loaded symbol must be quoted: {name}=\"originalname\""
                        ));
                    }
                    self.advance()?;
                    bound.push(Name {
                        text: name.into(),
                        at,
                        binding: OnceCell::new(),
                    });
                }
                (other, at) => {
                    let text = format!(
                        "load operand must be \"name\" or localname=\"name\" (got {})",
                        other.shown()
                    );
                    return Err(SyntaxFault::new(at, text));
                }
            }
        }
        self.want(")")?;
        if bound.is_empty() {
            return Err(SyntaxFault::new(
                bracket,
                "load statement must import at least 1 symbol",
            ));
        }
        Ok(Stmt::Load { at, bound })
    }

    fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        let mut out: Vec<Parameter> = Vec::new();
        while !self.is(")") && !self.is(":") && !matches!(self.token, Token::End) {
            if !out.is_empty() {
                self.want(",")?;
            }
            if self.is(")") {
                break;
            }
            if self.is("*") || self.is("**") {
                let double = self.is("**");
                let at = self.advance()?.1;
                let name = if double || matches!(self.token, Token::Name(_)) {
                    self.name()?
                } else {
                    Name {
                        text: "".into(),
                        at,
                        binding: OnceCell::new(),
                    }
                };
                out.push(Parameter {
                    name,
                    kind: if double {
                        ParameterKind::StarStar
                    } else {
                        ParameterKind::Star
                    },
                });
                continue;
            }
            let name = self.name()?;
            let kind = if self.eat("=")? {
                ParameterKind::Default(self.test()?)
            } else {
                ParameterKind::Plain
            };
            out.push(Parameter { name, kind });
        }
        Ok(out)
    }

    // ---------------------------------------------------------------- expressions

    /// One expression, or several with commas: a tuple.
    fn expression(&mut self, in_brackets: bool) -> Parsed<Expr> {
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

    fn test(&mut self) -> Parsed<Expr> {
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
    fn loop_variables(&mut self) -> Parsed<Expr> {
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
