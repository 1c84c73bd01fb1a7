//! Lexical tokens with ranges and classes, for semantic highlighting.

use text_size::TextRange;

/// What a token is to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// `{{`, `}}`, `{%`, `%}`, `{#`, `#}`.
    Delimiter,
    /// A word of the language: `and`, `not`, `in`, `if`, a tag's name.
    Keyword,
    /// A root of the environment.
    Root,
    /// A name behind a dot.
    Member,
    /// Any other name.
    Name,
    /// A called function.
    Function,
    /// A filter.
    Filter,
    /// A text literal.
    Text,
    /// A number literal.
    Number,
    /// `true`, `false`, `nil`.
    Constant,
    /// An operator.
    Operator,
    /// A bracket, comma or semicolon.
    Punctuation,
    /// A comment.
    Comment,
    /// What is no token.
    Error,
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Bytes of the text.
    pub range: TextRange,
    /// What it is.
    pub class: TokenClass,
}

/// The tokens of a bare expression, in order, whitespace left out.
#[must_use]
pub fn of_expr(_text: &str) -> Vec<Token> {
    Vec::new()
}

/// The tokens of a T template; literal text has none.
#[must_use]
pub fn of_t(_text: &str) -> Vec<Token> {
    Vec::new()
}

/// The tokens of a P template; literal text has none.
#[must_use]
pub fn of_p(_text: &str) -> Vec<Token> {
    Vec::new()
}
