//! Breaks inside of brackets: not closed, closed by the wrong one, commas missing or doubled.

use super::super::events::Reason;
use super::super::lines::{Line, char_at};
use super::super::template::quoted;
use super::{Explained, Site};
use crate::TextRange;
use crate::fault::{Fault, FaultKind};
use crate::span::{range, size};

/// The brackets that are open at an offset. `known` are open where reading has come to; from there the text is looked at.
pub(super) fn open_at(text: &str, known: &[usize], from: usize, to: usize) -> Vec<usize> {
    let mut open = known.to_vec();
    let bytes = text.as_bytes();
    let (mut at, mut fresh) = (from, true);
    while at < to {
        let Some(byte) = bytes.get(at) else { break };
        match byte {
            b'"' | b'\'' if fresh => {
                at = close_of(bytes, at).min(to);
                fresh = false;
                continue;
            }
            b'#' if at == 0 || matches!(bytes.get(at - 1), Some(b' ' | b'\t' | b'\n' | b'\r')) => {
                while bytes.get(at).is_some_and(|b| !matches!(b, b'\n' | b'\r')) {
                    at += 1;
                }
                continue;
            }
            b'[' | b'{' if fresh || !open.is_empty() => open.push(at),
            b']' | b'}' if !open.is_empty() => {
                // One that was open before may have been read as closed already.
                open.pop();
            }
            _ => {}
        }
        fresh = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => fresh,
            b'[' | b'{' | b',' | b':' | b'-' => true,
            _ => false,
        };
        at += 1;
    }
    // A bracket that starts before `from` and was read closes there only if the parser said so.
    open.retain(|start| *start < to);
    open
}

/// Behind the closing quote of the quoted text at `at`.
fn close_of(bytes: &[u8], at: usize) -> usize {
    let Some(quote) = bytes.get(at) else { return at + 1 };
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        end += 1;
        if *byte == b'\\' && *quote == b'"' {
            end += 1;
        } else if byte == quote {
            break;
        }
    }
    end
}

/// A break with at least one bracket open.
pub(super) fn inside(site: &Site<'_>, reason: &Reason) -> Option<Explained> {
    let open = *site.brackets.last()?;
    let opening = Line::at(site.text, open);
    if site.at >= site.text.len() || *reason == Reason::UnclosedBracket && !is_comma(site) {
        return unclosed(site, open);
    }
    // A line that looks like a key of a mapping around the bracket: the bracket should have ended before it.
    let outside = site.line.start > opening.start && site.line.indent() <= opening.indent();
    let word = site
        .line
        .key()
        .is_some_and(|(key, _)| is_name(site.part(key.start, key.end)))
        || site.line.is_item();
    if outside && word {
        return unclosed(site, open);
    }
    if is_comma(site) {
        let (from, to) = (comma_before(site).unwrap_or(site.at), site.at + 1);
        let message = if from < site.at {
            "two commas with nothing between them"
        } else {
            "a comma with nothing before it"
        };
        let edit = if from < site.at {
            range(from + 1, to)
        } else {
            range(from, to)
        };
        let fault = Fault::error(
            FaultKind::Syntax,
            range(site.at, to),
            message,
            "an entry is missing before this comma",
        )
        .fix("remove the comma", true, edit, "");
        return skip(site, fault, open);
    }
    match reason {
        Reason::NoComma if site.byte(site.at) != Some(b':') => missing_comma(site, open),
        Reason::Colon | Reason::NoComma => {
            let at = char_at(site.text, site.at);
            let fault = Fault::error(
                FaultKind::Syntax,
                at,
                "a second colon in one entry",
                "this entry has its key and colon already",
            )
            .help("put the value in quotes if the colon belongs to it, or add the comma that is missing before");
            skip(site, fault, open)
        }
        Reason::Dash => {
            let at = char_at(site.text, site.at);
            let fault = Fault::error(
                FaultKind::Syntax,
                at,
                "a list item with a dash inside of brackets",
                "no dash here",
            )
            .related(range(open, open + 1), "the bracket opens here")
            .help("inside of brackets entries are separated by commas");
            skip(site, fault, open)
        }
        _ => None,
    }
}

/// A bracket that is closed by one of the other kind. The parser points at the opening one.
pub(super) fn wrong(site: &Site<'_>, opened: char, close: char) -> Option<Explained> {
    let fault = Fault::error(
        FaultKind::UnclosedBracket,
        char_at(site.text, site.at),
        format!("this `{opened}` is closed by `{close}`"),
        format!("`{}` is expected to close this", partner(opened)),
    )
    .help("close the brackets in the reverse order of opening them");
    skip(
        site,
        fault,
        site.brackets.first().copied().unwrap_or(site.at).min(site.at),
    )
}

/// A closing bracket that nothing opened, or text behind the last one.
pub(super) fn stray(site: &Site<'_>) -> Option<Explained> {
    let at = char_at(site.text, site.at);
    let found = site.part(site.at, site.at + 1).to_owned();
    let fault = Fault::error(
        FaultKind::Syntax,
        at,
        format!("`{found}` closes nothing"),
        "no bracket is open here",
    );
    let value = site.line.value();
    let fault = if value < site.at {
        fault.help("remove it, or put the value in quotes if it is meant as a text")
    } else {
        let end: usize = site.line.content().end().into();
        fault.fix(
            "put the value in quotes",
            false,
            range(value, end),
            quoted(site.part(value, end)),
        )
    };
    site.skip_rest(fault, value.min(site.at))
}

/// Two entries without a comma between them.
pub(super) fn missing_comma(site: &Site<'_>, open: usize) -> Option<Explained> {
    let before = site.part(0, site.at).trim_end().len();
    let opening = Line::at(site.text, open);
    if site.line.start > opening.start && site.line.indent() <= opening.indent() {
        return unclosed(site, open);
    }
    let end = site
        .part(site.at, site.line.end)
        .find([',', ']', '}', ' ', ':'])
        .map_or(site.line.end, |n| site.at + n);
    let fault = Fault::error(
        FaultKind::Syntax,
        range(site.at, end.max(site.at + 1)),
        "no comma between two entries",
        "a comma or the closing bracket is expected before this",
    )
    .related(range(open, open + 1), "the bracket opens here")
    .fix("insert a comma", false, range(before, before), ",");
    skip(site, fault, open)
}

/// The fault of a bracket without its partner.
pub(super) fn unclosed(site: &Site<'_>, open: usize) -> Option<Explained> {
    let opened = site.part(open, open + 1).chars().next()?;
    let close = partner(opened);
    let line = Line::at(site.text, open);
    let fault = Fault::error(
        FaultKind::UnclosedBracket,
        range(open, open + 1),
        format!("this `{opened}` is never closed"),
        format!("no `{close}` for this bracket"),
    );
    // On one line the end of the line is where it most likely ends; the author decides.
    let end: usize = line.content().end().into();
    let blanks = site.part(end, line.end);
    let (end, pad) = match blanks {
        // A blank at the end of the line stood before the bracket.
        " " => (line.end, ""),
        blanks if blanks.starts_with("  ") => (end + 1, ""),
        _ if opened == '{' && site.byte(open + 1) == Some(b' ') => (end, " "),
        _ => (end, ""),
    };
    let title = format!("close it with `{close}` at the end of the line");
    let fault = fault.fix(title, false, range(end, end), format!("{pad}{close}"));
    skip(site, fault, site.brackets.first().copied().unwrap_or(open))
}

/// Passes over a bracket: from where it opens to the end of its line, and lines below that are deeper than it.
fn skip(site: &Site<'_>, fault: Fault, open: usize) -> Option<Explained> {
    let line = Line::at(site.text, open);
    let mut end = line.end;
    let mut last = line.clone();
    while let Some(below) = last.below() {
        let closes = below.start <= site.at && below.text().trim_start().starts_with([']', '}']);
        if below.indent() <= line.indent() && !closes {
            break;
        }
        end = below.end;
        last = below;
    }
    Some(Explained {
        fault,
        skip: Some(TextRange::new(size(open), size(end))),
    })
}

fn is_comma(site: &Site<'_>) -> bool {
    site.byte(site.at) == Some(b',')
}

/// The comma right before the one of the break, blanks passed over.
fn comma_before(site: &Site<'_>) -> Option<usize> {
    let before = site.part(0, site.at).trim_end();
    before.ends_with(',').then(|| before.len() - 1)
}

fn is_name(text: &str) -> bool {
    let text = text.trim_matches(['"', '\'']);
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' '))
}

fn partner(open: char) -> char {
    if open == '[' { ']' } else { '}' }
}
