//! The words of syntax errors, and the habits of other languages that can be named.

use text_size::TextRange;

use super::super::lexer::{Bracket, Fault, Op, Tok};
use crate::{ErrorClass, ExprError};

pub(super) fn lexical(fault: Fault, range: TextRange, word: &str) -> ExprError {
    let first = word.chars().next().unwrap_or(' ');
    match fault {
        Fault::UnknownCharacter => {
            let error = ExprError::compile(
                fault.class(),
                range,
                format!("`{first}` has no meaning in an expression"),
            );
            match first {
                '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' => error.with_help("use a straight quote").with_fix(
                    range,
                    if matches!(first, '\u{2018}' | '\u{2019}') {
                        "'"
                    } else {
                        "\""
                    },
                ),
                _ => error,
            }
        }
        Fault::OpenString => {
            let end = TextRange::empty(range.end());
            ExprError::compile(fault.class(), range, format!("this text has no closing {first}"))
                .with_fix(end, first.to_string())
        }
        Fault::OpenComment => ExprError::compile(fault.class(), range, "this comment has no end")
            .with_fix(TextRange::empty(range.end()), " */"),
        Fault::Escape => ExprError::compile(fault.class(), range, "this text has an escape that does not exist")
            .with_help(
                "a backslash stands before `\\`, the quote, n, r, t or a code as \\u00e9; write `\\\\` for a backslash",
            ),
        Fault::Number => ExprError::compile(fault.class(), range, format!("`{word}` is no number"))
            .with_help("a name starts with a letter; a number ends before one"),
    }
}

pub(super) fn number(word: &str, range: TextRange) -> ExprError {
    ExprError::compile(
        ErrorClass::Parse,
        range,
        format!("`{word}` is no number, or too large for one"),
    )
}

fn described(tok: &Tok, word: &str) -> String {
    match tok {
        Tok::Eof => "the expression ends too early".to_owned(),
        Tok::Str(_) => format!("the text {} is not expected here", short(word)),
        Tok::Number => format!("the number `{}` is not expected here", short(word)),
        Tok::Ident => format!("the name `{}` is not expected here", short(word)),
        _ => format!("`{}` is not expected here", short(word)),
    }
}

fn short(word: &str) -> String {
    if word.chars().count() <= 40 {
        return word.to_owned();
    }
    word.chars().take(39).chain(['…']).collect()
}

pub(super) fn unexpected(tok: &Tok, range: TextRange, word: &str) -> ExprError {
    let error = ExprError::compile(ErrorClass::Parse, range, described(tok, word));
    match tok {
        Tok::Op(Op::Assign) => error
            .with_help("`=` gives a value; compare with `==`")
            .with_fix(range, "=="),
        Tok::Op(Op::Other) if word == "&" => error.with_help("both must hold: `&&`").with_fix(range, "&&"),
        Tok::Op(Op::Let | Op::If) => {
            error.with_help("`let` and `if` may only start an expression or stand in parentheses")
        }
        Tok::Op(Op::Not) => error.with_help(
            "`not` stands before an operand, or before `in`, `matches`, `contains`, `startsWith`, `endsWith`",
        ),
        Tok::Op(Op::Colon) => error.with_help("filters with `:` exist in views and prompts only"),
        Tok::Str(_) | Tok::Number | Tok::Ident => error.with_help("an operator is missing before it"),
        _ => error,
    }
}

pub(super) fn unclosed(bracket: Bracket, opened: TextRange, tok: &Tok, range: TextRange, word: &str) -> ExprError {
    if *tok == Tok::Eof {
        let error = ExprError::compile(
            ErrorClass::Parse,
            opened,
            format!("`{}` is never closed", bracket.open()),
        );
        return error.with_fix(TextRange::empty(range.end()), bracket.close().to_string());
    }
    let mut error = unexpected(tok, range, word);
    if error.help.is_none() {
        error = error.with_help(format!("`{}` or an operator was expected", bracket.close()));
    }
    error
}

pub(super) fn member_name(dot: TextRange, tok: &Tok, range: TextRange, word: &str) -> ExprError {
    match tok {
        Tok::Eof => ExprError::compile(ErrorClass::Parse, dot, "a name is missing behind the dot"),
        Tok::Number => ExprError::compile(ErrorClass::Parse, range, "a list is indexed with brackets here")
            .with_fix(dot.cover(range), format!("[{word}]")),
        _ => ExprError::compile(ErrorClass::Parse, range, format!("`{}` is no member name", short(word))),
    }
}

pub(super) fn mixed(op: Op, range: TextRange, left: TextRange, text: &str) -> ExprError {
    let inner = text
        .get(usize::from(left.start())..usize::from(left.end()))
        .unwrap_or_default();
    ExprError::compile(
        ErrorClass::CoalesceMix,
        range,
        format!("`??` and `{}` need parentheses beside each other", op.as_str()),
    )
    .with_help("`??` binds tightest; say which part it belongs to")
    .with_fix(left, format!("({inner})"))
}
