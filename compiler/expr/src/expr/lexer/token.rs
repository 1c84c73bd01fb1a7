//! The tokens of bare expressions.

use std::sync::Arc;

use smol_str::SmolStr;
use text_size::TextRange;

use crate::ErrorClass;

/// A token with its bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) range: TextRange,
}

/// What a token is. Literals carry their decoded value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tok {
    Ident,
    Number,
    Str(SmolStr),
    Bytes(Arc<[u8]>),
    Op(Op),
    Open(Bracket),
    Close(Bracket),
    Comment,
    Bad(Fault),
    Eof,
}

/// Why a token cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    UnknownCharacter,
    OpenString,
    OpenComment,
    Escape,
    Number,
}

impl Fault {
    pub(crate) fn class(self) -> ErrorClass {
        ErrorClass::Lex
    }
}

/// Brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bracket {
    Paren,
    Square,
    Curly,
}

impl Bracket {
    pub(crate) fn open(self) -> char {
        match self {
            Self::Paren => '(',
            Self::Square => '[',
            Self::Curly => '{',
        }
    }

    pub(crate) fn close(self) -> char {
        match self {
            Self::Paren => ')',
            Self::Square => ']',
            Self::Curly => '}',
        }
    }
}

/// Operators, keyword operators included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Power,
    Caret,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    More,
    MoreEqual,
    AndAnd,
    And,
    OrOr,
    Or,
    Bang,
    Not,
    In,
    Matches,
    Contains,
    StartsWith,
    EndsWith,
    Coalesce,
    Range,
    Question,
    QuestionDot,
    Dot,
    Pipe,
    Comma,
    Semicolon,
    Colon,
    ColonColon,
    Assign,
    Hash,
    Let,
    If,
    Else,
    /// Two characters that lex together and mean nothing: `=&`, `<*`, a lone `&`.
    Other,
}

impl Op {
    /// Binding power and whether the right side binds first; `None` when it is no binary operator.
    pub(crate) fn binary(self) -> Option<(u16, bool)> {
        Some(match self {
            Self::Pipe => (0, false),
            Self::Or | Self::OrOr => (10, false),
            Self::And | Self::AndAnd => (15, false),
            Self::Equal
            | Self::NotEqual
            | Self::Less
            | Self::LessEqual
            | Self::More
            | Self::MoreEqual
            | Self::In
            | Self::Matches
            | Self::Contains
            | Self::StartsWith
            | Self::EndsWith => (20, false),
            Self::Range => (25, false),
            Self::Plus | Self::Minus => (30, false),
            Self::Star | Self::Slash | Self::Percent => (60, false),
            Self::Power | Self::Caret => (100, true),
            Self::Coalesce => (500, false),
            _ => return None,
        })
    }

    /// Binding power of a prefix operator.
    pub(crate) fn unary(self) -> Option<u16> {
        match self {
            Self::Not | Self::Bang => Some(50),
            Self::Minus | Self::Plus => Some(90),
            _ => None,
        }
    }

    pub(crate) fn is_order(self) -> bool {
        matches!(self, Self::Less | Self::LessEqual | Self::More | Self::MoreEqual)
    }

    /// Operators that `not` may stand before.
    pub(crate) fn negatable(self) -> bool {
        matches!(
            self,
            Self::In | Self::Matches | Self::Contains | Self::StartsWith | Self::EndsWith
        )
    }

    /// True for operators spelt as words: they may be member names.
    pub(crate) fn is_word(self) -> bool {
        matches!(
            self,
            Self::And
                | Self::Or
                | Self::Not
                | Self::In
                | Self::Matches
                | Self::Contains
                | Self::StartsWith
                | Self::EndsWith
                | Self::Let
                | Self::If
                | Self::Else
        )
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Star => "*",
            Self::Slash => "/",
            Self::Percent => "%",
            Self::Power => "**",
            Self::Caret => "^",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::More => ">",
            Self::MoreEqual => ">=",
            Self::AndAnd => "&&",
            Self::And => "and",
            Self::OrOr => "||",
            Self::Or => "or",
            Self::Bang => "!",
            Self::Not => "not",
            Self::In => "in",
            Self::Matches => "matches",
            Self::Contains => "contains",
            Self::StartsWith => "startsWith",
            Self::EndsWith => "endsWith",
            Self::Coalesce => "??",
            Self::Range => "..",
            Self::Question => "?",
            Self::QuestionDot => "?.",
            Self::Dot => ".",
            Self::Pipe => "|",
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Colon => ":",
            Self::ColonColon => "::",
            Self::Assign => "=",
            Self::Hash => "#",
            Self::Let => "let",
            Self::If => "if",
            Self::Else => "else",
            Self::Other => "&",
        }
    }
}
