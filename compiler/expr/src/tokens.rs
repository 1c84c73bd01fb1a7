//! Lexical tokens with ranges and classes, for semantic highlighting.

use text_size::{TextRange, TextSize};

use crate::expr::lexer::{self as e, Op, Tok};
use crate::names;
use crate::template::p::lexer as p;
use crate::template::t::Mark;
use crate::{TemplateP, TemplateT, parse_p, parse_t};

/// What a token is to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// `{{`, `}}`, `{%`, `%}`.
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
    /// An operator, the dots of member access included.
    Operator,
    /// A bracket, comma, colon, semicolon or question mark.
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

fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end()))
        .unwrap_or_default()
}

/// The tokens of a bare expression, in order, whitespace left out.
#[must_use]
pub fn of_expr(text: &str) -> Vec<Token> {
    let tokens = e::lex(text, true);
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut after_dot = false;
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1).map(|next| &next.tok);
        let called = next == Some(&Tok::Open(e::Bracket::Paren));
        let class = match &token.tok {
            Tok::Eof => break,
            Tok::Comment => TokenClass::Comment,
            Tok::Number => TokenClass::Number,
            Tok::Str(_) | Tok::Bytes(_) => TokenClass::Text,
            Tok::Bad(_) => TokenClass::Error,
            Tok::Open(_) | Tok::Close(_) => TokenClass::Punctuation,
            Tok::Ident | Tok::Op(_) if after_dot && is_word(&token.tok) => TokenClass::Member,
            Tok::Ident => name_class(slice(text, token.range), called, names::ROOTS),
            Tok::Op(op) if op.is_word() => TokenClass::Keyword,
            Tok::Op(Op::Comma | Op::Semicolon | Op::Colon | Op::Question) => TokenClass::Punctuation,
            Tok::Op(Op::Other) => TokenClass::Error,
            Tok::Op(_) => TokenClass::Operator,
        };
        after_dot = match &token.tok {
            Tok::Op(Op::Dot | Op::QuestionDot) => true,
            Tok::Comment => after_dot,
            _ => false,
        };
        out.push(Token {
            range: token.range,
            class,
        });
    }
    out
}

fn is_word(tok: &Tok) -> bool {
    match tok {
        Tok::Op(op) => op.is_word(),
        _ => true,
    }
}

fn name_class(name: &str, called: bool, roots: &[names::Named]) -> TokenClass {
    match name {
        "true" | "false" | "nil" => TokenClass::Constant,
        _ if called => TokenClass::Function,
        _ if roots.iter().any(|root| root.name == name) => TokenClass::Root,
        _ => TokenClass::Name,
    }
}

/// The tokens of a T template; literal text has none.
#[must_use]
pub fn of_t(text: &str) -> Vec<Token> {
    in_t(&parse_t(text).0)
}

/// The tokens of a T template that is parsed already.
#[must_use]
pub fn in_t(template: &TemplateT) -> Vec<Token> {
    let text = template.text();
    let mut out = Vec::new();
    let mut inside: Option<TextSize> = None;
    for (mark, range) in template.marks() {
        match mark {
            Mark::Open => {
                out.push(Token {
                    range: *range,
                    class: TokenClass::Delimiter,
                });
                inside = Some(range.end());
            }
            Mark::Word => {
                out.push(Token {
                    range: *range,
                    class: TokenClass::Keyword,
                });
                // What stands behind `else` and `end` is ignored.
                let ignored = matches!(slice(text, *range), "else" | "end");
                inside = (!ignored).then_some(range.end());
            }
            Mark::Close => {
                if let Some(start) = inside.take() {
                    let part = TextRange::new(start.min(range.start()), range.start());
                    let shift = |token: Token| Token {
                        range: token.range + part.start(),
                        ..token
                    };
                    out.extend(of_expr(slice(text, part)).into_iter().map(shift));
                }
                out.push(Token {
                    range: *range,
                    class: TokenClass::Delimiter,
                });
            }
        }
    }
    out
}

/// The tokens of a P template; literal text has none.
#[must_use]
pub fn of_p(text: &str) -> Vec<Token> {
    in_p(&parse_p(text).0)
}

/// The tokens of a P template that is parsed already.
#[must_use]
pub fn in_p(template: &TemplateP) -> Vec<Token> {
    let text = template.text();
    if template.is_literal() {
        return Vec::new();
    }
    let template = &template.template;
    let written = template.remap.text();
    let lexed = p::lex(written);
    let place = |range| template.remap.source(range);
    let mut out: Vec<Token> = Vec::with_capacity(lexed.tokens.len());
    let mut before: Option<&p::Tok> = None;
    for (index, token) in lexed.tokens.iter().enumerate() {
        let called = matches!(
            lexed.tokens.get(index + 1).map(|next| &next.tok),
            Some(p::Tok::Symbol("(", _))
        );
        let class = match &token.tok {
            p::Tok::Html => {
                before = None;
                continue;
            }
            p::Tok::Str(_) => TokenClass::Text,
            p::Tok::Number => TokenClass::Number,
            p::Tok::Keyword(p::Keyword::True | p::Keyword::False) => TokenClass::Constant,
            p::Tok::Keyword(_) => TokenClass::Keyword,
            p::Tok::Symbol("{{" | "}}" | "{%" | "%}", _) => TokenClass::Delimiter,
            p::Tok::Symbol("(" | ")" | "[" | "]" | "," | ":", _) => TokenClass::Punctuation,
            p::Tok::Symbol(..) => TokenClass::Operator,
            p::Tok::Ident => match before {
                Some(p::Tok::Symbol("{%", _)) => TokenClass::Keyword,
                Some(p::Tok::Symbol("|", _)) => TokenClass::Filter,
                Some(p::Tok::Symbol(".", _)) => TokenClass::Member,
                _ => name_class(slice(written, token.range), called, names::ROOTS_P),
            },
        };
        before = Some(&token.tok);
        let range = place(token.range);
        // What the rewriting of `??` put in has no place of its own.
        if !range.is_empty() {
            out.push(Token { range, class });
        }
    }
    out.extend(coalesces(text, &out));
    let marks = lexed.verbatim.iter().map(|range| (range, TokenClass::Keyword));
    let comments = lexed.comments.iter().map(|range| (range, TokenClass::Comment));
    out.extend(marks.chain(comments).map(|(range, class)| Token {
        range: place(*range),
        class,
    }));
    out.sort_by_key(|token| token.range.start());
    out
}

/// The `??` between two tokens of one tag.
fn coalesces(text: &str, tokens: &[Token]) -> Vec<Token> {
    let mut found = Vec::new();
    for pair in tokens.windows(2) {
        let [left, right] = pair else { continue };
        let gap = TextRange::new(left.range.end(), right.range.start().max(left.range.end()));
        let closed =
            left.class == TokenClass::Delimiter && matches!(slice(text, left.range), "}}" | "%}" | "-}}" | "-%}");
        // A character that is no token ends a tag: what follows is text, with question marks of its own.
        let between = slice(text, gap);
        if let (false, "??", Some(at)) = (closed, between.trim(), between.find("??")) {
            let start = gap.start() + TextSize::try_from(at).unwrap_or_default();
            found.push(Token {
                range: TextRange::at(start, TextSize::new(2)),
                class: TokenClass::Operator,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words<'a>(text: &'a str, tokens: &[Token]) -> Vec<(&'a str, TokenClass)> {
        tokens
            .iter()
            .map(|token| (slice(text, token.range), token.class))
            .collect()
    }

    #[test]
    fn an_expression_by_its_words() {
        let text = "not world.in == len(x) // why";
        assert_eq!(
            words(text, &of_expr(text)),
            [
                ("not", TokenClass::Keyword),
                ("world", TokenClass::Root),
                (".", TokenClass::Operator),
                ("in", TokenClass::Member),
                ("==", TokenClass::Operator),
                ("len", TokenClass::Function),
                ("(", TokenClass::Punctuation),
                ("x", TokenClass::Name),
                (")", TokenClass::Punctuation),
                ("// why", TokenClass::Comment),
            ]
        );
    }

    #[test]
    fn a_brace_template_by_its_words() {
        let text = "a {{ if world.b }}c{{ else }}{{ end }}";
        let found = words(text, &of_t(text));
        assert_eq!(found[1], ("if", TokenClass::Keyword));
        assert_eq!(found[2], ("world", TokenClass::Root));
        assert_eq!(found.len(), 12);
    }

    #[test]
    fn question_marks_behind_a_broken_tag_are_text() {
        for text in [
            "{% s?] %}{# {% + ?? 1 %} #}{% x %}",
            "{{ a $ ?? b }}",
            "{{ a }} ?? {{ b }}",
        ] {
            let found = of_p(text);
            assert!(found.iter().all(|t| slice(text, t.range) != "??"), "{text}: {found:?}");
            assert!(
                found.windows(2).all(|w| w[0].range.end() <= w[1].range.start()),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn a_view_by_its_words() {
        let text = "{% if world.a ?? 1 %}{{ x|upper }}{# c #}";
        let found = words(text, &of_p(text));
        assert!(found.contains(&("??", TokenClass::Operator)));
        assert!(found.contains(&("if", TokenClass::Keyword)));
        assert!(found.contains(&("upper", TokenClass::Filter)));
        assert!(found.contains(&("{# c #}", TokenClass::Comment)));
    }
}
