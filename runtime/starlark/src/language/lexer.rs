//! Text to tokens, one at a time: indentation, line joining, comments, names and signs. Literals are in
//! [`super::literal`].

use super::ast::Place;
use super::token::{Token, word};
use super::{SyntaxFault, literal};

/// Signs, longest first so that the first match is the right one.
const SIGNS: [&str; 40] = [
    "//=", "<<=", ">>=", "**", "//", "<<", ">>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
    "^=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", "=", "(", ")", "[", "]", "{", "}", ",", ":", ".",
];

pub(crate) struct Lexer {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    place: Place,
    /// How many brackets are open: within them line ends mean nothing.
    depth: usize,
    indents: Vec<usize>,
    /// Outdents still to be delivered.
    outdents: usize,
    line_start: bool,
}

impl Lexer {
    pub(crate) fn new(source: &str) -> Self {
        // A CR LF and a lone CR are line ends like a LF; columns do not see the CR.
        let mut chars = Vec::with_capacity(source.len());
        let mut previous = '\0';
        for c in source.strip_prefix('\u{feff}').unwrap_or(source).chars() {
            match c {
                '\n' if previous == '\r' => {}
                '\r' => chars.push('\n'),
                _ => chars.push(c),
            }
            previous = c;
        }
        Self {
            chars,
            at: 0,
            place: Place { line: 1, column: 1 },
            depth: 0,
            indents: Vec::new(),
            outdents: 0,
            line_start: true,
        }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        if c == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        } else {
            self.place.column += 1;
        }
        Some(c)
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// The next token and where it starts.
    pub(crate) fn next(&mut self) -> Result<(Token, Place), SyntaxFault> {
        if self.line_start && self.depth == 0 {
            self.line_start = false;
            if let Some(found) = self.indentation()? {
                return Ok(found);
            }
        }
        if self.outdents > 0 {
            self.outdents -= 1;
            return Ok((Token::Outdent, self.place));
        }
        self.skip_blanks()?;
        let start = self.place;
        let Some(c) = self.peek() else {
            // The last line ends with the file: the grammar still gets its line end and its outdents.
            self.outdents = self.indents.len();
            self.indents.clear();
            if self.outdents > 0 {
                self.outdents -= 1;
                return Ok((Token::Outdent, start));
            }
            return Ok((Token::End, start));
        };
        if c == '\n' {
            self.bump();
            self.line_start = true;
            return Ok((Token::Newline, start));
        }
        let token = self.solid(c, start)?;
        Ok((token, start))
    }

    fn solid(&mut self, c: char, start: Place) -> Result<Token, SyntaxFault> {
        if let Some(prefix) = literal::text_prefix(self) {
            return literal::text(self, prefix, start);
        }
        if c.is_ascii_digit() || c == '.' && self.peek_at(1).is_some_and(|d| d.is_ascii_digit()) {
            return literal::number(self, start);
        }
        if c == '_' || c.is_alphabetic() {
            let mut name = String::new();
            while let Some(c) = self.peek().filter(|c| *c == '_' || c.is_alphanumeric()) {
                name.push(c);
                self.bump();
            }
            return Ok(word(&name));
        }
        if c == ';' {
            self.bump();
            return Ok(Token::Sign(";"));
        }
        let sign = SIGNS
            .iter()
            .find(|s| s.chars().enumerate().all(|(i, x)| self.peek_at(i) == Some(x)));
        let Some(sign) = sign else {
            return Err(SyntaxFault::new(start, format!("unexpected input character {c:?}")));
        };
        for _ in 0..sign.len() {
            self.bump();
        }
        match *sign {
            "(" | "[" | "{" => self.depth += 1,
            ")" | "]" | "}" => {
                let Some(depth) = self.depth.checked_sub(1) else {
                    return Err(SyntaxFault::new(start, format!("unexpected '{sign}'")));
                };
                self.depth = depth;
            }
            _ => {}
        }
        Ok(Token::Sign(sign))
    }

    /// Skips blanks, comments, joined lines and, within brackets, line ends.
    fn skip_blanks(&mut self) -> Result<(), SyntaxFault> {
        loop {
            match self.peek() {
                Some(' ' | '\t') => {
                    self.bump();
                }
                Some('\n') if self.depth > 0 => {
                    self.bump();
                }
                Some('#') => self.skip_comment(),
                Some('\\') => {
                    let at = self.place;
                    self.bump();
                    if self.peek() != Some('\n') {
                        return Err(SyntaxFault::new(at, "stray backslash in program"));
                    }
                    self.bump();
                }
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.bump();
        }
    }

    /// Reads the blanks that begin a line; lines without tokens do not count.
    fn indentation(&mut self) -> Result<Option<(Token, Place)>, SyntaxFault> {
        let mut width = 0usize;
        loop {
            match self.peek() {
                Some(' ') => {
                    width += 1;
                    self.bump();
                }
                Some('\t') => {
                    width = (width / 8 + 1) * 8;
                    self.bump();
                }
                Some('#') => self.skip_comment(),
                Some('\n') => {
                    width = 0;
                    self.bump();
                }
                Some(_) => break,
                None => {
                    width = 0;
                    break;
                }
            }
        }
        let current = self.indents.last().copied().unwrap_or(0);
        if width > current {
            self.indents.push(width);
            return Ok(Some((Token::Indent, self.place)));
        }
        while self.indents.last().is_some_and(|top| *top > width) {
            self.indents.pop();
            self.outdents += 1;
        }
        if self.indents.last().copied().unwrap_or(0) != width {
            return Err(SyntaxFault::new(
                self.place,
                "unindent does not match any outer indentation level",
            ));
        }
        Ok(None)
    }
}
