//! Breaks around quoted texts: not closed, text behind them, escapes that are none.

use super::super::checks::shorten;
use super::super::lines::Line;
use super::super::template::{quoted, value_end};
use super::{Explained, Site, brackets, colons};
use crate::fault::{Fault, FaultKind};
use crate::span::range;

/// The fault of a quote that is never closed. `open` is the quote.
pub(super) fn unclosed(site: &Site<'_>, open: usize) -> Option<Explained> {
    let quote = site
        .text
        .get(open..)?
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\''))?;
    let fault = Fault::error(
        FaultKind::UnclosedQuote,
        range(open, open + 1),
        format!("this `{quote}` is never closed"),
        "the quoted text starts here",
    );
    let line = Line::at(site.text, open);
    let end = open + site.part(open, line.end).trim_end().len();
    let help = "write the closing quote; a text that goes on over lines is better written with `|`";
    let fault = fault.help(help).fix(
        "close the quote at the end of the line",
        false,
        range(end, end),
        quote.to_string(),
    );
    site.skip_rest(fault, open)
}

/// Something behind the closing quote on its line. When the text began on an earlier line its quote was not closed there.
pub(super) fn text_behind(site: &Site<'_>) -> Option<Explained> {
    let (open, close) = quoted_before(site)?;
    let line = Line::at(site.text, open);
    let quote = site.text.get(open..)?.chars().next()?;
    if open < site.line.start {
        let close_line = site.line.number();
        let end = open + site.part(open, line.end).trim_end().len();
        let fault = Fault::error(
            FaultKind::UnclosedQuote,
            range(open, open + 1),
            format!("this `{quote}` is not closed on its line"),
            "the quoted text starts here",
        )
        .related(
            range(close, close + 1),
            format!("so it ends only here, in line {close_line}"),
        )
        .fix(
            "close the quote at the end of the line",
            false,
            range(end, end),
            quote.to_string(),
        );
        return site.skip_rest(fault, open);
    }
    if let Some(found) = site
        .line
        .key()
        .and_then(|(key, _)| colons::no_colon_before_bracket(site, &key))
    {
        return Some(found);
    }
    if let Some(bracket) = site
        .brackets
        .last()
        .filter(|_| matches!(site.byte(site.at), Some(b'"' | b'\'')))
    {
        return brackets::missing_comma(site, *bracket);
    }
    let end = value_end(site.text, site.at, !site.brackets.is_empty())
        .max(site.at + 1)
        .min(site.line.end.max(site.at));
    let fault = Fault::error(
        FaultKind::Syntax,
        range(site.at, end),
        "a value goes on behind its closing quote",
        "the value has ended with the quote before this",
    )
    .related(range(close, close + 1), "the closing quote");
    let touches = close + 1 == site.at;
    let fault = if let Some(text) = site.part(open, end).strip_suffix(quote).filter(|_| touches) {
        // `'it's'`: the quotes inside of the text are the author's.
        let inner = text.get(1..).unwrap_or_default();
        let new = if quote == '"' {
            escaped(inner)
        } else {
            inner.replace('\'', "''")
        };
        fault.fix(
            "write the quotes inside of the text as a part of it",
            false,
            range(open, end),
            format!("{quote}{new}{quote}"),
        )
    } else if site.brackets.is_empty() {
        fault.fix(
            "put the whole value in quotes",
            false,
            range(open, end),
            quoted(site.part(open, end)),
        )
    } else {
        fault.help("put the whole value in quotes of the other kind, or add the comma that is missing")
    };
    site.skip_rest(fault, open)
}

/// A text for double quotes, its own quotes escaped.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in text.chars() {
        if c == '"' && before != '\\' {
            out.push('\\');
        }
        out.push(c);
        before = if before == '\\' { ' ' } else { c };
    }
    out
}

/// An escape that double quotes do not have.
pub(super) fn escape(site: &Site<'_>) -> Option<Explained> {
    let open = site.at;
    let rest = site.text.get(open..)?;
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return None,
            '\\' => {
                let (_, kind) = chars.next()?;
                let len = match kind {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    '0' | 'a' | 'b' | 't' | '\t' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/' | '\\' | 'N' | '_'
                    | 'L' | 'P' | '\n' | '\r' => continue,
                    _ => return bad_escape(site, open, open + at, kind),
                };
                let digits: String = rest.chars_after(at + 2).take(len).collect();
                let value = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == len);
                match value.map(char::from_u32) {
                    Some(Some(_)) => {}
                    Some(None) if is_pair(rest, at, value) => {
                        // The second half of a pair of surrogates.
                        chars.nth(len + 5);
                    }
                    _ => return bad_number(site, open, open + at, kind, len),
                }
            }
            _ => {}
        }
    }
    None
}

trait CharsAfter {
    /// The characters from a byte offset on.
    fn chars_after(&self, at: usize) -> std::str::Chars<'_>;
}

impl CharsAfter for str {
    fn chars_after(&self, at: usize) -> std::str::Chars<'_> {
        self.get(at..).unwrap_or_default().chars()
    }
}

/// Whether the surrogate at `at` is the first of a pair written as two escapes.
fn is_pair(text: &str, at: usize, first: Option<u32>) -> bool {
    let high = first.is_some_and(|code| (0xD800..0xDC00).contains(&code));
    let low = text.get(at + 6..at + 12).and_then(|next| next.strip_prefix("\\u"));
    let low = low.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    high && low.is_some_and(|code| (0xDC00..0xE000).contains(&code))
}

fn bad_escape(site: &Site<'_>, open: usize, at: usize, kind: char) -> Option<Explained> {
    let fault = Fault::error(
        FaultKind::Syntax,
        range(at, at + 1 + kind.len_utf8()),
        format!("`\\{}` is no escape", shorten(&kind.to_string())),
        "a backslash in double quotes starts an escape",
    )
    .related(range(open, open + 1), "the quoted text starts here")
    .help("write `\\\\` for a backslash, or use single quotes, which have no escapes");
    let fault = match kind {
        '\'' | '$' | '{' | '}' | '[' | ']' | '(' | ')' | '#' | '%' | '&' | '*' | '`' => {
            fault.fix("remove the backslash", false, range(at, at + 1), "")
        }
        _ => fault.fix("double the backslash", false, range(at, at + 1), "\\\\"),
    };
    site.skip_rest(fault, open)
}

fn bad_number(site: &Site<'_>, open: usize, at: usize, kind: char, len: usize) -> Option<Explained> {
    let end = at
        + 2
        + site
            .text
            .chars_after(at + 2)
            .take(len)
            .take_while(char::is_ascii_hexdigit)
            .count();
    let fault = Fault::error(
        FaultKind::Syntax,
        range(at, end),
        format!("`\\{kind}` needs {len} hexadecimal digits of a character"),
        "no character has this number",
    )
    .related(range(open, open + 1), "the quoted text starts here");
    site.skip_rest(fault, open)
}

/// The quoted text that ends before the break: its quotes.
fn quoted_before(site: &Site<'_>) -> Option<(usize, usize)> {
    let before = site.part(0, site.at);
    let close = before.rfind(['"', '\''])?;
    let quote = before.get(close..)?.chars().next()?;
    // The line on which a quoted text is open at the end, or which holds both quotes.
    let mut line = Line::at(site.text, close);
    let mut on_line = true;
    loop {
        let upto = if on_line { close + 1 } else { line.end };
        if let Some((open, closed)) = last_quoted(site.part(line.start, upto), quote)
            && closed == on_line
        {
            return Some((line.start + open, close));
        }
        on_line = false;
        line = line.above()?;
    }
}

/// The last text in quotes of a kind that starts on a line, and whether it ends there.
fn last_quoted(line: &str, quote: char) -> Option<(usize, bool)> {
    let (mut found, mut fresh) = (None, true);
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if matches!(c, '"' | '\'') && fresh {
            let mut closed = false;
            while let Some((_, inner)) = chars.next() {
                if inner == '\\' && c == '"' {
                    chars.next();
                } else if inner == c {
                    if c == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'') {
                        chars.next();
                        continue;
                    }
                    closed = true;
                    break;
                }
            }
            if c == quote {
                found = Some((at, closed));
            }
            fresh = false;
            continue;
        }
        fresh = match c {
            ' ' | '\t' => fresh,
            '[' | '{' | ',' | ':' | '-' => true,
            _ => false,
        };
    }
    found
}
