//! Tokens to a tree. Names are not looked at here ([`super::resolve`] does that); the words of the faults are those of
//! the reference's parser.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::ast::{BinaryOp, Body, Expr, File, FunctionDef, INSIDE, Name, Parameter, ParameterKind, Place, Stmt};
use super::lexer::Lexer;
use super::token::{Token, Word};
use super::{MAX_NESTING, SyntaxFault};

pub(super) type Parsed<T> = Result<T, SyntaxFault>;

/// Parses a whole file. `marks`: every statement is preceded by the mark of its line.
pub(crate) fn parse(source: &str, marks: bool) -> Parsed<File> {
    let mut lexer = Lexer::new(source);
    let (token, at) = lexer.next()?;
    let mut parser = Parser {
        lexer,
        token,
        at,
        depth: 0,
        marks,
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

pub(super) struct Parser {
    lexer: Lexer,
    pub(super) token: Token,
    pub(super) at: Place,
    depth: usize,
    marks: bool,
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
    pub(super) fn advance(&mut self) -> Parsed<(Token, Place)> {
        let (token, at) = self.lexer.next()?;
        let old = std::mem::replace(&mut self.token, token);
        let old_at = std::mem::replace(&mut self.at, at);
        Ok((old, old_at))
    }

    pub(super) fn fault<T>(&self, text: impl Into<String>) -> Parsed<T> {
        Err(SyntaxFault::new(self.at, text))
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(s) if s == sign)
    }

    pub(super) fn is_word(&self, word: Word) -> bool {
        matches!(self.token, Token::Word(w) if w == word)
    }

    pub(super) fn eat(&mut self, sign: &str) -> Parsed<bool> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn want(&mut self, sign: &str) -> Parsed<Place> {
        if !self.is(sign) {
            return self.fault(format!("got {}, want '{sign}'", self.token.shown()));
        }
        Ok(self.advance()?.1)
    }

    pub(super) fn name(&mut self) -> Parsed<Name> {
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
    pub(super) fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
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
        let (first, line) = (out.len(), self.at.line);
        self.unmarked(out)?;
        // A text alone is a comment: nothing is run there.
        if self.marks && !matches!(out.get(first), None | Some(Stmt::Expr(Expr::Text(_)))) {
            out.insert(first, Stmt::Mark(line));
        }
        Ok(())
    }

    fn unmarked(&mut self, out: &mut Vec<Stmt>) -> Parsed<()> {
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
        let mut body = self.suite()?;
        // A body on the line of its head: that the head was run does not mean that the body was.
        if self.marks && !matches!(body.first(), None | Some(Stmt::Mark(_) | Stmt::Expr(Expr::Text(_)))) {
            body.insert(0, Stmt::Mark(at.line | INSIDE));
        }
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

    pub(super) fn want_in(&mut self) -> Parsed<()> {
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

    pub(super) fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
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
}
