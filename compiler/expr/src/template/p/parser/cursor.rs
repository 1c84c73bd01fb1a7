//! A walk over tokens: those of the document for `{{ }}`, those of a tag for its arguments.

use smol_str::SmolStr;
use text_size::TextRange;

use super::super::lexer::{Keyword, Tok, Token};
use super::super::tree::Name;
use super::parse_error;
use crate::ExprError;

pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    tokens: &'a [Token],
    pos: usize,
    /// Where to point when there is nothing left.
    end: TextRange,
    /// Parentheses, brackets and arguments around.
    pub(super) depth: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Token], pos: usize, end: TextRange) -> Self {
        Self {
            text,
            tokens,
            pos,
            end,
            depth: 0,
        }
    }

    pub(super) fn position(&self) -> usize {
        self.pos
    }

    pub(super) fn current(&self) -> Option<&'a Token> {
        self.tokens.get(self.pos)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pos >= self.tokens.len()
    }

    /// How many tokens there are, read or not.
    pub(super) fn count(&self) -> usize {
        self.tokens.len()
    }

    /// Where the next token is, or the last one when there is none.
    pub(super) fn range(&self) -> TextRange {
        self.current()
            .or(self.tokens.last())
            .map_or(self.end, |token| token.range)
    }

    pub(super) fn word(&self, token: &Token) -> &'a str {
        self.text
            .get(usize::from(token.range.start())..usize::from(token.range.end()))
            .unwrap_or_default()
    }

    pub(super) fn advance(&mut self) {
        self.pos += 1;
    }

    pub(super) fn at_symbol(&self, symbol: &str) -> bool {
        matches!(self.current(), Some(Token { tok: Tok::Symbol(found, _), .. }) if *found == symbol)
    }

    pub(super) fn symbol(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.pos += 1;
        }
        found
    }

    pub(super) fn keyword(&mut self, keyword: Keyword) -> bool {
        let found = matches!(self.current(), Some(Token { tok: Tok::Keyword(found), .. }) if *found == keyword);
        if found {
            self.pos += 1;
        }
        found
    }

    /// The identifier that comes next.
    pub(super) fn ident(&mut self) -> Option<Name> {
        let token = self.current().filter(|token| token.tok == Tok::Ident)?;
        self.pos += 1;
        Some(Name {
            text: SmolStr::new(self.word(token)),
            range: token.range,
        })
    }

    /// A certain identifier.
    pub(super) fn ident_is(&mut self, word: &str) -> bool {
        let found = self
            .current()
            .is_some_and(|token| token.tok == Tok::Ident && self.word(token) == word);
        if found {
            self.pos += 1;
        }
        found
    }

    /// The text literal that comes next.
    pub(super) fn string(&mut self) -> Option<Name> {
        let token = self.current()?;
        let Tok::Str(text) = &token.tok else { return None };
        self.pos += 1;
        Some(Name {
            text: text.clone(),
            range: token.range,
        })
    }

    pub(super) fn number(&mut self) -> Option<&'a str> {
        let token = self.current().filter(|token| token.tok == Tok::Number)?;
        self.pos += 1;
        Some(self.word(token))
    }

    pub(super) fn has_keyword(&self, keyword: Keyword) -> bool {
        self.tokens.iter().any(|token| token.tok == Tok::Keyword(keyword))
    }

    /// An error at the next token.
    pub(super) fn error(&self, message: impl Into<String>) -> ExprError {
        parse_error(self.range(), message)
    }

    /// Nothing may be left.
    pub(super) fn finished(&self, tag: &str) -> Result<(), ExprError> {
        if self.is_empty() {
            return Ok(());
        }
        let word = self.current().map(|token| self.word(token)).unwrap_or_default();
        Err(self.error(format!("`{word}` is not expected in `{tag}`")))
    }

    /// There may be nothing at all.
    pub(super) fn nothing(&self, tag: &str) -> Result<(), ExprError> {
        if self.count() == 0 {
            Ok(())
        } else {
            Err(self.error(format!("`{tag}` takes no arguments")))
        }
    }
}
