//! Tokens of a script and how an error message calls them.

use num_bigint::BigInt;

/// One lexical unit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    End,
    Newline,
    Indent,
    Outdent,
    Name(String),
    Int(i64),
    BigInt(BigInt),
    Float(f64),
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    /// A keyword of the language.
    Word(Word),
    /// A word that is reserved and means nothing.
    Reserved(&'static str),
    /// Punctuation and operators, spelt as in the source.
    Sign(&'static str),
}

/// The keywords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    And,
    Break,
    Continue,
    Def,
    Elif,
    Else,
    For,
    If,
    In,
    Lambda,
    Load,
    Not,
    Or,
    Pass,
    Return,
    While,
}

const WORDS: [(&str, Word); 16] = [
    ("and", Word::And),
    ("break", Word::Break),
    ("continue", Word::Continue),
    ("def", Word::Def),
    ("elif", Word::Elif),
    ("else", Word::Else),
    ("for", Word::For),
    ("if", Word::If),
    ("in", Word::In),
    ("lambda", Word::Lambda),
    ("load", Word::Load),
    ("not", Word::Not),
    ("or", Word::Or),
    ("pass", Word::Pass),
    ("return", Word::Return),
    ("while", Word::While),
];

const RESERVED: [&str; 17] = [
    "as", "assert", "async", "await", "class", "del", "except", "finally", "from", "global", "import", "is",
    "nonlocal", "raise", "try", "with", "yield",
];

/// What a run of letters is.
pub(crate) fn word(text: &str) -> Token {
    if let Some((_, w)) = WORDS.iter().find(|(name, _)| *name == text) {
        return Token::Word(*w);
    }
    match RESERVED.iter().find(|name| **name == text) {
        Some(name) => Token::Reserved(name),
        None => Token::Name(text.to_owned()),
    }
}

impl Token {
    /// The token as messages call it: `got newline, want ':'`.
    pub(crate) fn shown(&self) -> String {
        match self {
            Token::End => "end of file".to_owned(),
            Token::Newline => "newline".to_owned(),
            Token::Indent => "indent".to_owned(),
            Token::Outdent => "outdent".to_owned(),
            Token::Name(_) => "identifier".to_owned(),
            Token::Int(_) | Token::BigInt(_) => "int literal".to_owned(),
            Token::Float(_) => "float literal".to_owned(),
            Token::Text(_) => "string literal".to_owned(),
            Token::Bytes(_) => "bytes literal".to_owned(),
            Token::Word(w) => WORDS
                .iter()
                .find(|(_, x)| x == w)
                .map_or_else(String::new, |(name, _)| (*name).to_owned()),
            Token::Reserved(name) => (*name).to_owned(),
            Token::Sign(s) => format!("'{s}'"),
        }
    }
}
