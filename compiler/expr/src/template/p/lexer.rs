//! Text of a pongo template to tokens (language 10.3). The first fault ends it, as in the reference.

use smol_str::SmolStr;
use text_size::TextRange;

use crate::expr::lexer::range;
use crate::{ErrorClass, ExprError};

/// A token of a pongo template.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) range: TextRange,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tok {
    /// Literal text.
    Html,
    Keyword(Keyword),
    Ident,
    /// A quoted text, decoded.
    Str(SmolStr),
    Number,
    /// A symbol; whether it strips white space beside it.
    Symbol(Symbol, bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyword {
    In,
    And,
    Or,
    Not,
    True,
    False,
    As,
    Export,
}

/// Symbols by their text without white space control.
pub(crate) type Symbol = &'static str;

const SYMBOLS: &[(&str, Symbol)] = &[
    ("{{-", "{{"),
    ("-}}", "}}"),
    ("{%-", "{%"),
    ("-%}", "%}"),
    ("==", "=="),
    (">=", ">="),
    ("<=", "<="),
    ("&&", "&&"),
    ("||", "||"),
    ("{{", "{{"),
    ("}}", "}}"),
    ("{%", "{%"),
    ("%}", "%}"),
    ("!=", "!="),
    ("<>", "<>"),
    ("(", "("),
    (")", ")"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("<", "<"),
    (">", ">"),
    ("/", "/"),
    ("^", "^"),
    (",", ","),
    (".", "."),
    ("!", "!"),
    ("|", "|"),
    (":", ":"),
    ("=", "="),
    ("%", "%"),
    ("[", "["),
    ("]", "]"),
];

/// The end mark of the reference's lexer: the text ends there.
const END: u8 = 1;

const VERBATIM: &str = "{% verbatim %}";
const END_VERBATIM: &str = "{% endverbatim %}";

/// Tokens of a template, and the ranges of its `{# #}` comments and verbatim marks.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<TextRange>,
    pub(crate) verbatim: Vec<TextRange>,
    pub(crate) error: Option<ExprError>,
}

/// Reads all tokens.
pub(crate) fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer {
        text,
        start: 0,
        pos: 0,
        out: Lexed::default(),
    };
    if let Err(error) = lexer.run() {
        lexer.out.error = Some(error);
    }
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    start: usize,
    pos: usize,
    out: Lexed,
}

type Step = Result<(), ExprError>;

fn fault(start: usize, end: usize, message: impl Into<String>) -> ExprError {
    ExprError::compile(ErrorClass::Lex, range(start, end), message)
}

impl Lexer<'_> {
    fn at(&self, prefix: &str) -> bool {
        self.text
            .as_bytes()
            .get(self.pos..)
            .is_some_and(|rest| rest.starts_with(prefix.as_bytes()))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied().filter(|byte| *byte != END)
    }

    fn emit(&mut self, tok: Tok) {
        self.out.tokens.push(Token {
            tok,
            range: range(self.start, self.pos),
        });
        self.start = self.pos;
    }

    fn emit_html(&mut self) {
        if self.pos > self.start {
            self.emit(Tok::Html);
        }
    }

    fn skip_to(&mut self, pos: usize) {
        self.pos = pos;
        self.start = pos;
    }

    /// Moves over one character; false at the end.
    fn bump(&mut self) -> bool {
        let Some(first) = self.text.as_bytes().get(self.pos) else {
            return false;
        };
        self.pos += 1;
        while !self.text.is_char_boundary(self.pos) {
            self.pos += 1;
        }
        *first != END
    }

    fn run(&mut self) -> Step {
        let mut verbatim: Option<usize> = None;
        loop {
            if verbatim.is_some() {
                if self.at(END_VERBATIM) {
                    self.emit_html();
                    self.out.verbatim.push(range(self.pos, self.pos + END_VERBATIM.len()));
                    self.skip_to(self.pos + END_VERBATIM.len());
                    verbatim = None;
                }
            } else if self.at(VERBATIM) {
                self.emit_html();
                verbatim = Some(self.pos);
                self.out.verbatim.push(range(self.pos, self.pos + VERBATIM.len()));
                self.skip_to(self.pos + VERBATIM.len());
            }
            if verbatim.is_none() {
                if self.at("{#") {
                    self.emit_html();
                    self.comment()?;
                    continue;
                }
                if self.at("{{") || self.at("{%") {
                    self.emit_html();
                    self.delimited()?;
                    continue;
                }
            }
            if !self.bump() {
                break;
            }
            self.skip_text();
        }
        self.emit_html();
        match verbatim {
            Some(open) => Err(fault(
                open,
                open + VERBATIM.len(),
                "this `verbatim` has no `{% endverbatim %}`",
            )),
            None => Ok(()),
        }
    }

    /// Moves on to what may be a delimiter, or the end.
    fn skip_text(&mut self) {
        let rest = self.text.as_bytes().get(self.pos..).unwrap_or_default();
        self.pos += memchr::memchr2(b'{', END, rest).unwrap_or(rest.len());
    }

    fn comment(&mut self) -> Step {
        let open = self.pos;
        self.pos += 2;
        loop {
            match self.peek() {
                None => return Err(fault(open, open + 2, "this comment has no `#}`")),
                Some(b'\n') => {
                    let error = fault(open, self.pos, "a comment in `{# #}` stays on one line");
                    return Err(error.with_help("use `{% comment %}` for more lines"));
                }
                _ => {}
            }
            if self.at("#}") {
                self.out.comments.push(range(open, self.pos + 2));
                self.skip_to(self.pos + 2);
                return Ok(());
            }
            self.bump();
        }
    }

    /// The inside of `{{ }}` or `{% %}`. A character that is no token ends it: the rest is text again.
    fn delimited(&mut self) -> Step {
        loop {
            match self.peek() {
                Some(b'\n') => {
                    let error = fault(self.pos, self.pos + 1, "a line break inside of a tag");
                    return Err(error.with_help("put the whole tag on one line"));
                }
                Some(b' ' | b'\r' | b'\t') => {
                    self.skip_to(self.pos + 1);
                    continue;
                }
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                    self.identifier();
                    continue;
                }
                Some(b'0'..=b'9') => {
                    while matches!(self.peek(), Some(b'0'..=b'9')) {
                        self.pos += 1;
                    }
                    if matches!(self.peek(), Some(b'a'..=b'z' | b'A'..=b'Z' | b'_')) {
                        self.identifier();
                    } else {
                        self.emit(Tok::Number);
                    }
                    continue;
                }
                Some(quote @ (b'"' | b'\'')) => {
                    self.string(quote)?;
                    continue;
                }
                _ => {}
            }
            let Some((written, symbol)) = SYMBOLS.iter().find(|(written, _)| self.at(written)) else {
                return Ok(());
            };
            self.pos += written.len();
            self.emit(Tok::Symbol(symbol, written.len() == 3));
            if matches!(*symbol, "}}" | "%}") {
                return Ok(());
            }
        }
    }

    fn identifier(&mut self) {
        while matches!(self.peek(), Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9')) {
            self.pos += 1;
        }
        let keyword = match self.text.get(self.start..self.pos).unwrap_or_default() {
            "in" => Keyword::In,
            "and" => Keyword::And,
            "or" => Keyword::Or,
            "not" => Keyword::Not,
            "true" => Keyword::True,
            "false" => Keyword::False,
            "as" => Keyword::As,
            "export" => Keyword::Export,
            _ => return self.emit(Tok::Ident),
        };
        self.emit(Tok::Keyword(keyword));
    }

    fn string(&mut self, quote: u8) -> Step {
        let open = self.pos;
        self.pos += 1;
        loop {
            match self.peek() {
                None => {
                    return Err(fault(
                        open,
                        self.pos,
                        format!("this text has no closing {}", char::from(quote)),
                    ));
                }
                Some(byte) if byte == quote => break,
                Some(b'\\') => {
                    self.pos += 1;
                    if !matches!(self.peek(), Some(b'"' | b'\\')) {
                        let at = self.pos - 1;
                        self.bump();
                        let error = fault(at, self.pos, "this escape does not exist here");
                        return Err(error.with_help("only `\\\"` and `\\\\` do; use the other quotes around the text"));
                    }
                    self.pos += 1;
                }
                Some(b'\n') => {
                    return Err(fault(
                        open,
                        self.pos,
                        format!("this text has no closing {}", char::from(quote)),
                    ));
                }
                Some(_) => {
                    self.bump();
                }
            }
        }
        let body = self.text.get(open + 1..self.pos).unwrap_or_default();
        let text = if body.contains('\\') {
            SmolStr::from(body.replace("\\\"", "\"").replace("\\\\", "\\"))
        } else {
            SmolStr::new(body)
        };
        self.pos += 1;
        self.emit(Tok::Str(text));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_control_is_part_of_the_symbol() {
        let lexed = lex("a {{- b -}} c");
        assert_eq!(lexed.tokens[1].tok, Tok::Symbol("{{", true));
        assert_eq!(lexed.tokens[3].tok, Tok::Symbol("}}", true));
    }

    #[test]
    fn an_identifier_may_start_with_a_digit() {
        assert_eq!(lex("{{ 1a }}").tokens[1].tok, Tok::Ident);
    }

    #[test]
    fn a_line_break_in_a_tag_is_a_fault() {
        assert!(lex("{{ a\n}}").error.is_some());
        assert!(lex("{% verbatim %}x").error.is_some());
    }
}
