//! `precedence`: an expression whose parts belong together otherwise than it reads (`expressions` 3.2, 10.4).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "precedence",
    level: Level::Warning,
    summary: "an expression whose grouping surprises",
    fixable: Fixable::Never,
};

use kitsoki_expr::tokens::{self, Token, TokenClass};
use kitsoki_syntax::TextRange;

use super::gather::{Item, Parsed};

/// A surprising part, and what it means.
struct Surprise {
    range: TextRange,
    message: &'static str,
    help: &'static str,
}

const NOT_FIRST: &str = "`not` applies to what stands right behind it, before the comparison";
const PARENTHESES: &str = "put the comparison in parentheses, or write the opposite operator";

/// Checks one text. Only what the words alone decide is reported.
pub(super) fn check(cx: &StoryCx<'_>, item: &Item<'_>, out: &mut Vec<Diagnostic>) {
    if matches!(item.parsed, Parsed::Literal) || !item.is_written() {
        return;
    }
    let text = item.text().as_str();
    if !may_surprise(&item.parsed, text) {
        return;
    }
    let found = match &item.parsed {
        Parsed::Expr(_) => in_e(text, &tokens::of_expr(text)),
        Parsed::T(template) => {
            let all = tokens::in_t(template);
            tags(&all).into_iter().find_map(|t| in_e(text, t))
        }
        Parsed::P(template) => {
            let all = tokens::in_p(template);
            tags(&all).into_iter().find_map(|t| in_p(text, t))
        }
        Parsed::Literal => None,
    };
    if let Some(found) = found {
        out.push(
            RULE.at(item.place(cx, found.range), "groups otherwise than it reads")
                .message(found.message)
                .help(found.help),
        );
    }
}

/// Whether the words are there that group in an odd way: the texts are many, and reading their tokens costs most.
fn may_surprise(parsed: &Parsed, text: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|w| text.contains(w));
    has(&["not ", "not("])
        || match parsed {
            Parsed::Literal => false,
            Parsed::Expr(_) | Parsed::T(_) => text.contains(['!', '-']) && has(&["??"]),
            Parsed::P(_) => has(&[" or ", "||"]) && has(&["and", "&&"]),
        }
}

/// The tokens of each pair of braces.
fn tags(all: &[Token]) -> Vec<&[Token]> {
    all.split(|t| t.class == TokenClass::Delimiter || t.class == TokenClass::Comment)
        .filter(|t| !t.is_empty())
        .collect()
}

fn word<'t>(text: &'t str, token: &Token) -> &'t str {
    text.get(std::ops::Range::<usize>::from(token.range))
        .unwrap_or_default()
}

/// Value expressions: a prefix before `??`, and `not` before a comparison.
fn in_e(text: &str, tokens: &[Token]) -> Option<Surprise> {
    for i in 0..tokens.len() {
        let prefix = word(text, tokens.get(i)?);
        if !matches!(prefix, "!" | "not" | "-") || !begins_operand(text, tokens, i) {
            continue;
        }
        let Some((at, operator)) = next_operator(text, tokens, i + 1) else {
            continue;
        };
        let end = operand_end(text, tokens, at + 1)?;
        let range = TextRange::new(tokens.get(i)?.range.start(), end);
        if operator == "??" {
            let message = "`??` binds tighter than the sign before it";
            return Some(Surprise {
                range,
                message,
                help: "put the `??` or the sign with its operand in parentheses",
            });
        }
        if prefix == "not" && is_comparison(operator) {
            return Some(Surprise {
                range,
                message: NOT_FIRST,
                help: PARENTHESES,
            });
        }
    }
    None
}

/// View expressions: `not` before a comparison, and `or` behind `and`.
fn in_p(text: &str, tokens: &[Token]) -> Option<Surprise> {
    for i in 0..tokens.len() {
        if word(text, tokens.get(i)?) == "not"
            && let Some((at, operator)) = next_operator(text, tokens, i + 1)
            && is_comparison(operator)
        {
            let range = TextRange::new(tokens.get(i)?.range.start(), operand_end(text, tokens, at + 1)?);
            return Some(Surprise {
                range,
                message: NOT_FIRST,
                help: PARENTHESES,
            });
        }
    }
    let mut depth = 0usize;
    // Per depth: whether an `and` stands open.
    let mut open_and = vec![false];
    for token in tokens {
        match word(text, token) {
            "(" | "[" => {
                depth += 1;
                open_and.push(false);
            }
            ")" | "]" => {
                depth = depth.saturating_sub(1);
                if open_and.len() > 1 {
                    open_and.pop();
                }
            }
            "and" | "&&" => *open_and.last_mut()? = true,
            "or" | "||" if open_and.last() == Some(&true) && depth == 0 => {
                let first = tokens
                    .iter()
                    .position(|t| !matches!(word(text, t), "if" | "elif" | "-"))?;
                let range = TextRange::new(tokens.get(first)?.range.start(), tokens.last()?.range.end());
                return Some(Surprise {
                    range,
                    message: "`and` and `or` have no precedence in views: `a and b or c` is `a and (b or c)`",
                    help: "put parentheses around what belongs together",
                });
            }
            _ => {}
        }
    }
    None
}

fn is_comparison(operator: &str) -> bool {
    matches!(
        operator,
        "==" | "!=" | "<>" | "<" | "<=" | ">" | ">=" | "in" | "matches" | "contains" | "startsWith" | "endsWith"
    )
}

/// Whether the token at `i` stands where an operand begins.
fn begins_operand(text: &str, tokens: &[Token], i: usize) -> bool {
    let Some(before) = i.checked_sub(1).and_then(|b| tokens.get(b)) else {
        return true;
    };
    match before.class {
        TokenClass::Operator => !matches!(word(text, before), "." | "?."),
        TokenClass::Keyword => true,
        TokenClass::Punctuation => matches!(word(text, before), "(" | "[" | "," | ";" | "{" | "?" | ":"),
        _ => false,
    }
}

/// The first operator behind the operand at `from`, brackets skipped.
fn next_operator<'t>(text: &'t str, tokens: &[Token], from: usize) -> Option<(usize, &'t str)> {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(from) {
        let this = word(text, token);
        match this {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            "." | "?." => {}
            _ if depth > 0 => {}
            // A second prefix belongs to the operand.
            "!" | "not" | "-" if i == from => {}
            _ if matches!(token.class, TokenClass::Operator | TokenClass::Keyword) => return Some((i, this)),
            "," | ";" | "?" | ":" => return None,
            _ => {}
        }
    }
    None
}

/// Where the operand that begins at `from` ends.
fn operand_end(text: &str, tokens: &[Token], from: usize) -> Option<kitsoki_syntax::TextSize> {
    let mut depth = 0usize;
    let mut end = tokens.get(from)?.range.end();
    for (i, token) in tokens.iter().enumerate().skip(from) {
        let this = word(text, token);
        match this {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => break,
            ")" | "]" | "}" => depth -= 1,
            "." | "?." => {}
            _ if depth > 0 || i == from => {}
            _ if matches!(token.class, TokenClass::Operator | TokenClass::Keyword) => break,
            "," | ";" | "?" | ":" => break,
            _ => {}
        }
        end = token.range.end();
    }
    Some(end)
}
