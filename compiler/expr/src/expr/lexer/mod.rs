//! Text of a bare expression to tokens (language 3.1 of the expression chapter). Never fails: what cannot be read is a token of its own.

mod char_class;
mod escape;
mod token;

use text_size::{TextRange, TextSize};

pub(crate) use char_class::is_name_char;
pub(crate) use token::{Bracket, Fault, Op, Tok, Token};

/// All tokens, the end token last; comments only on request.
pub(crate) fn lex(text: &str, comments: bool) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        pos: 0,
        out: Vec::with_capacity(text.len() / 4 + 2),
    };
    while let Some(token) = lexer.next_token() {
        if comments || token.tok != Tok::Comment {
            lexer.out.push(token);
        }
    }
    let end = TextRange::empty(TextSize::of(text));
    lexer.out.push(Token {
        tok: Tok::Eof,
        range: end,
    });
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    out: Vec<Token>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        match self.text.as_bytes().get(self.pos) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.rest().chars().next(),
        }
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.pos += next.len_utf8();
        Some(next)
    }

    fn accept(&mut self, set: &str) -> bool {
        match self.peek() {
            Some(next) if set.contains(next) => {
                self.pos += next.len_utf8();
                true
            }
            _ => false,
        }
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        while let Some(next) = self.peek().filter(|next| keep(*next)) {
            self.pos += next.len_utf8();
        }
    }

    fn next_token(&mut self) -> Option<Token> {
        self.skip_while(char::is_whitespace);
        let start = self.pos;
        let first = self.bump()?;
        let tok = self.token_from(first, start);
        Some(Token {
            tok,
            range: range(start, self.pos),
        })
    }

    fn token_from(&mut self, first: char, start: usize) -> Tok {
        match first {
            '\'' | '"' => self.string(first, start, false),
            '`' => self.raw_string(start),
            'b' | 'B' if matches!(self.peek(), Some('\'' | '"')) => {
                let quote = self.bump().unwrap_or('"');
                self.string(quote, start + 1, true)
            }
            '0'..='9' => {
                self.pos = start;
                self.number()
            }
            '.' if self.peek().is_some_and(|next| next.is_ascii_digit()) => self.number(),
            '/' if self.accept("/") => {
                self.skip_while(|next| next != '\n');
                Tok::Comment
            }
            '/' if self.accept("*") => self.block_comment(),
            '(' => Tok::Open(Bracket::Paren),
            '[' => Tok::Open(Bracket::Square),
            '{' => Tok::Open(Bracket::Curly),
            ')' => Tok::Close(Bracket::Paren),
            ']' => Tok::Close(Bracket::Square),
            '}' => Tok::Close(Bracket::Curly),
            _ if is_name_char(first) => {
                self.skip_while(is_name_char);
                word(self.text.get(start..self.pos).unwrap_or_default())
            }
            _ => self.operator(first),
        }
    }

    fn operator(&mut self, first: char) -> Tok {
        let op = match first {
            '+' => Op::Plus,
            '-' => Op::Minus,
            '%' => Op::Percent,
            '^' => Op::Caret,
            '/' => Op::Slash,
            ',' => Op::Comma,
            ';' => Op::Semicolon,
            '#' => {
                if self.accept("#") {
                    Op::Other
                } else {
                    Op::Hash
                }
            }
            '|' => {
                if self.accept("|") {
                    Op::OrOr
                } else {
                    Op::Pipe
                }
            }
            ':' => {
                if self.accept(":") {
                    Op::ColonColon
                } else {
                    Op::Colon
                }
            }
            '.' => {
                if self.accept(".") {
                    Op::Range
                } else {
                    Op::Dot
                }
            }
            '?' => {
                if self.accept("?") {
                    Op::Coalesce
                } else if self.accept(".") {
                    Op::QuestionDot
                } else {
                    Op::Question
                }
            }
            '&' | '!' | '=' | '*' | '<' | '>' => self.pair(first),
            _ => return Tok::Bad(Fault::UnknownCharacter),
        };
        Tok::Op(op)
    }

    fn pair(&mut self, first: char) -> Op {
        let second = match self.peek() {
            Some(next @ ('&' | '=' | '*')) => {
                self.bump();
                Some(next)
            }
            _ => None,
        };
        match (first, second) {
            ('&', Some('&')) => Op::AndAnd,
            ('!', None) => Op::Bang,
            ('!', Some('=')) => Op::NotEqual,
            ('=', None) => Op::Assign,
            ('=', Some('=')) => Op::Equal,
            ('*', None) => Op::Star,
            ('*', Some('*')) => Op::Power,
            ('<', None) => Op::Less,
            ('<', Some('=')) => Op::LessEqual,
            ('>', None) => Op::More,
            ('>', Some('=')) => Op::MoreEqual,
            _ => Op::Other,
        }
    }

    fn block_comment(&mut self) -> Tok {
        while let Some(next) = self.bump() {
            if next == '*' && self.accept("/") {
                return Tok::Comment;
            }
        }
        Tok::Bad(Fault::OpenComment)
    }

    /// Reads the longest run that looks like a number; the parser decides whether it is one.
    fn number(&mut self) -> Tok {
        let mut digits = "0123456789_";
        if self.accept("0") {
            if self.accept("xX") {
                digits = "0123456789abcdefABCDEF_";
            } else if self.accept("oO") {
                digits = "01234567_";
            } else if self.accept("bB") {
                digits = "01_";
            }
        }
        self.skip_while(|next| digits.contains(next));
        let before_dot = self.pos;
        if self.accept(".") {
            if self.peek() == Some('.') {
                self.pos = before_dot;
                return Tok::Number;
            }
            self.skip_while(|next| digits.contains(next));
        }
        if self.accept("eE") {
            self.accept("+-");
            self.skip_while(|next| digits.contains(next));
        }
        if self.peek().is_some_and(is_name_char) {
            self.skip_while(is_name_char);
            return Tok::Bad(Fault::Number);
        }
        Tok::Number
    }

    /// Reads to the closing quote. An open string ends with its line, so that what follows can still be read.
    fn string(&mut self, quote: char, quote_at: usize, bytes: bool) -> Tok {
        loop {
            match self.peek() {
                None | Some('\n') => return Tok::Bad(Fault::OpenString),
                Some(next) if next == quote => break,
                Some('\\') => {
                    self.bump();
                    if self.peek() != Some('\n') {
                        self.bump();
                    }
                }
                Some(_) => {
                    self.bump();
                }
            }
        }
        let body = self.text.get(quote_at + 1..self.pos).unwrap_or_default();
        let decoded = if bytes {
            escape::bytes(body, quote).map(Tok::Bytes)
        } else {
            escape::text(body, quote).map(Tok::Str)
        };
        self.bump();
        decoded.unwrap_or(Tok::Bad(Fault::Escape))
    }

    fn raw_string(&mut self, start: usize) -> Tok {
        loop {
            match self.bump() {
                None => return Tok::Bad(Fault::OpenString),
                Some('`') if self.peek() == Some('`') => {
                    self.bump();
                }
                Some('`') => break,
                Some(_) => {}
            }
        }
        let body = self.text.get(start + 1..self.pos - 1).unwrap_or_default();
        Tok::Str(body.replace("``", "`").into())
    }
}

fn word(text: &str) -> Tok {
    let op = match text {
        "not" => Op::Not,
        "in" => Op::In,
        "or" => Op::Or,
        "and" => Op::And,
        "matches" => Op::Matches,
        "contains" => Op::Contains,
        "startsWith" => Op::StartsWith,
        "endsWith" => Op::EndsWith,
        "let" => Op::Let,
        "if" => Op::If,
        "else" => Op::Else,
        _ => return Tok::Ident,
    };
    Tok::Op(op)
}

/// A range of byte offsets. Texts longer than 4 GB do not reach the lexer.
pub(crate) fn range(start: usize, end: usize) -> TextRange {
    let start = TextSize::try_from(start).unwrap_or(TextSize::new(u32::MAX));
    let end = TextSize::try_from(end).unwrap_or(TextSize::new(u32::MAX));
    TextRange::new(start.min(end), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toks(text: &str) -> Vec<Tok> {
        lex(text, false).into_iter().map(|token| token.tok).collect()
    }

    #[test]
    fn a_range_of_integers_is_three_tokens() {
        assert_eq!(toks("1..3"), [Tok::Number, Tok::Op(Op::Range), Tok::Number, Tok::Eof]);
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(toks(r#""a\n\x41\u{e9}\101""#)[0], Tok::Str("a\nA\u{e9}A".into()));
        assert_eq!(toks(r#"'\q'"#)[0], Tok::Bad(Fault::Escape));
        assert_eq!(toks("`a``b`")[0], Tok::Str("a`b".into()));
    }

    #[test]
    fn an_open_string_ends_with_its_line() {
        let tokens = lex("'a\n+ 1", false);
        assert_eq!(tokens[0].tok, Tok::Bad(Fault::OpenString));
        assert_eq!(tokens[1].tok, Tok::Op(Op::Plus));
    }

    #[test]
    fn ranges_are_bytes() {
        let tokens = lex("é == 'ü'", false);
        assert_eq!(tokens[2].range, range(6, 10));
    }
}
