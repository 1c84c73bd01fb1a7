//! Where a finding about a text points: at the word that is wrong, not at everything around it.
//!
//! The parser knows where it gave up; a reader looks for the operator without a right side, the block that is not closed,
//! the filter that does not exist here.

use kitsoki_expr::{ErrorClass, ExprError, RefKind};
use kitsoki_syntax::TextRange;

use super::super::walk::Role;
use super::gather::Item;
use kitsoki_syntax::text_range;

/// The range to underline for an error of a text.
pub(super) fn at(item: &Item<'_>, error: &ExprError) -> TextRange {
    let text = item.text().as_str();
    let (start, end) = (usize::from(error.range.start()), usize::from(error.range.end()));
    let found = match error.class {
        ErrorClass::Template => around(text, start),
        ErrorClass::Type | ErrorClass::DivZero => operator(text, error)
            .or_else(|| index(text, start))
            .or_else(|| sliced(text, error)),
        ErrorClass::Lex => escape(text, start, end).or_else(|| opening_braces(item, text)),
        ErrorClass::UnclosedBlock => tag(text, start),
        ErrorClass::Parse if error.message.contains("`item`") => element(text, start),
        ErrorClass::Parse if start >= end => ended(item, text, start),
        ErrorClass::Parse => filter(text, start, end).or_else(|| opening_braces(item, text)),
        ErrorClass::Whitelist => method(item, error),
        _ => None,
    };
    found.unwrap_or(error.range)
}

/// The whole `{{ … }}` around an offset.
fn around(text: &str, at: usize) -> Option<TextRange> {
    let open = text
        .get(..(at + 2).min(text.len()))
        .or_else(|| text.get(..at))?
        .rfind("{{")?;
    let close = text.get(open..)?.find("}}").map(|c| open + c + 2)?;
    (close >= at).then(|| text_range(open, close))
}

/// The whole `{% … %}` around an offset.
fn tag(text: &str, at: usize) -> Option<TextRange> {
    let open = text.get(..(at + 2).min(text.len()))?.rfind("{%")?;
    let close = text.get(open..)?.find("%}").map(|c| open + c + 2)?;
    (close >= at).then(|| text_range(open, close))
}

/// The operator that an error about two operands names first.
fn operator(text: &str, error: &ExprError) -> Option<TextRange> {
    let message = error.message.as_str();
    let operator = if error.class == ErrorClass::DivZero {
        "%"
    } else if message.contains("does not work") || message.contains("looks into") {
        message.strip_prefix('`')?.split('`').next()?
    } else {
        return None;
    };
    let (start, end) = (usize::from(error.range.start()), usize::from(error.range.end()));
    let part = text.get(start..end)?;
    let word = operator.starts_with(|c: char| c.is_alphabetic());
    let mut last = None;
    for (i, _) in outside(part).filter(|(i, _)| part.get(*i..).is_some_and(|p| p.starts_with(operator))) {
        let before = part.get(..i).and_then(|p| p.chars().next_back()).unwrap_or(' ');
        let after = part
            .get(i + operator.len()..)
            .and_then(|p| p.chars().next())
            .unwrap_or(' ');
        let glued = |c: char| {
            if word {
                c.is_alphanumeric() || c == '_' || c == '.'
            } else {
                "=<>&|!*?.".contains(c)
            }
        };
        if !glued(before) && !(glued(after) && !(after == '.' || after == '!')) {
            last = Some(i);
        }
    }
    last.map(|i| text_range(start + i, start + i + operator.len()))
}

/// The characters of an expression that stand outside of brackets and text literals.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    text.char_indices().filter(move |(_, c)| {
        let c = *c;
        if let Some(q) = quote {
            if c == q && !escaped {
                quote = None;
            }
            escaped = c == '\\' && !escaped && q != '`';
            return false;
        }
        match c {
            '\'' | '"' | '`' => {
                quote = Some(c);
                false
            }
            '(' | '[' | '{' => {
                depth += 1;
                false
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                false
            }
            _ => depth == 0,
        }
    })
}

/// What stands inside of an index.
fn index(text: &str, start: usize) -> Option<TextRange> {
    let inside = text.get(start..)?.strip_prefix('[')?;
    let literal = inside.trim_start();
    let from = start + 1 + (inside.len() - literal.len());
    let quote = literal.chars().next().filter(|c| matches!(c, '\'' | '"' | '`'))?;
    let len = literal.get(1..)?.find(quote)? + 2;
    literal
        .get(len..)?
        .trim_start()
        .starts_with(']')
        .then(|| text_range(from, from + len))
}

/// What is sliced, with the slice.
fn sliced(text: &str, error: &ExprError) -> Option<TextRange> {
    error.message.contains("parts to take").then_some(())?;
    let (start, end) = (usize::from(error.range.start()), usize::from(error.range.end()));
    Some(text_range(chain_start(text, start)?, end))
}

/// Where the chain of names, calls and indices before `end` begins.
fn chain_start(text: &str, end: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut start = end;
    for (i, c) in text.get(..end)?.char_indices().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            _ if depth > 0 || c.is_alphanumeric() || matches!(c, '_' | '.' | '$') => {}
            _ => break,
        }
        start = i;
    }
    Some(start)
}

/// An escape that does not exist, in the text literal at `start..end`.
fn escape(text: &str, start: usize, end: usize) -> Option<TextRange> {
    let literal = text.get(start..end)?;
    let mut escaped = false;
    for (i, c) in literal.char_indices() {
        if escaped && !"abfnrtv\\'\"01234567xuU".contains(c) {
            return Some(text_range(start + i - 1, start + i + c.len_utf8()));
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// The braces at the head of a guard.
fn opening_braces(item: &Item<'_>, text: &str) -> Option<TextRange> {
    let guard = matches!(item.site.role, Role::Guard | Role::Truthy | Role::Expr | Role::LateExpr);
    let blank = text.len() - text.trim_start().len();
    (guard && text.trim_start().starts_with("{{")).then(|| text_range(blank, blank + 2))
}

/// An expression that ends too early: the word before its end, the `if` without `else`, or the empty whole.
fn ended(item: &Item<'_>, text: &str, at: usize) -> Option<TextRange> {
    let template = !matches!(item.site.role, Role::Guard | Role::Truthy | Role::Expr | Role::LateExpr);
    let from = if template {
        text.get(..at)?.rfind("{{").map_or(0, |o| o + 2)
    } else {
        0
    };
    let before = text.get(from..at)?;
    let word = before.trim();
    if word.is_empty() {
        return if template {
            around(text, from)
        } else {
            Some(text_range(0, text.len()))
        };
    }
    let first = from + (before.len() - before.trim_start().len());
    if word.starts_with("if ") && word.ends_with('}') {
        return Some(text_range(first, first + 2));
    }
    let end = first + word.len();
    let last = word.chars().next_back()?;
    let same = |c: char| {
        if last.is_alphanumeric() || last == '_' {
            c.is_alphanumeric() || c == '_'
        } else {
            "=<>&|!*?+-/%.".contains(c)
        }
    };
    let len: usize = word.chars().rev().take_while(|c| same(*c)).map(char::len_utf8).sum();
    let len = len.max(last.len_utf8());
    Some(text_range(end - len, end))
}

/// `.name` of a range body where no element can stand.
fn element(text: &str, start: usize) -> Option<TextRange> {
    let dot = start + text.get(start..)?.find('.').filter(|d| *d <= 1)?;
    let name = text.get(dot + 1..)?;
    let len = name
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(name.len());
    Some(text_range(dot, dot + 1 + len))
}

/// The name of a view filter in a value: `world.note|default:'x'`.
fn filter(text: &str, start: usize, end: usize) -> Option<TextRange> {
    if text.get(start..end)? != ":" {
        return None;
    }
    let before = text.get(..start)?.trim_end();
    let name_len: usize = before
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .map(char::len_utf8)
        .sum();
    let name = before.len() - name_len;
    before
        .get(..name)?
        .trim_end()
        .ends_with('|')
        .then(|| text_range(name, before.len()))
}

/// A call through a member: the whole chain.
fn method(item: &Item<'_>, error: &ExprError) -> Option<TextRange> {
    let reference = item
        .references
        .iter()
        .find(|r| matches!(r.kind, RefKind::Call(_)) && r.path.last().is_some_and(|s| s.range == error.range));
    let start = match reference {
        Some(reference) => usize::from(reference.range.start()),
        None if error.message.contains("no functions of its own") => {
            chain_start(item.text().as_str(), usize::from(error.range.start()))?
        }
        None => return None,
    };
    let text = item.text().as_str();
    let end = usize::from(error.range.end());
    let close = text
        .get(end..)
        .filter(|t| t.starts_with('('))
        .and_then(|t| t.find(')'))
        .map_or(end, |c| end + c + 1);
    Some(text_range(start, close))
}
