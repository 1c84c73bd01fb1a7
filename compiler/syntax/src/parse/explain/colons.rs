//! Colons: missing, doubled, or without a blank behind them.

use super::super::checks::shorten;
use super::super::lines::Line;
use super::super::template::quoted;
use super::{Explained, Site, block_text, dashes, indentation};
use crate::TextRange;
use crate::fault::{Fault, FaultKind};
use crate::span::{range, size};

/// A colon where no key may stand: a second one on a line, or one whose key is part of a text that began above.
pub(super) fn colon(site: &Site<'_>) -> Option<Explained> {
    // The break may stand behind the colon.
    let at = if site.byte(site.at) == Some(b':') {
        site.at
    } else {
        site.part(site.line.start, site.at)
            .rfind(':')
            .map_or(site.at, |found| site.line.start + found)
    };
    if site.line.key().is_none() && site.byte(at) != Some(b':') {
        return no_colon(site, &site.line);
    }
    let (key, first) = site.line.key().unwrap_or((site.line.item()..at, at));
    if first < at {
        return no_colon_before_bracket(site, &key).or_else(|| second_colon(site, first, at));
    }
    let Some(above) = site.line.above().filter(|_| !site.line.is_item()) else {
        return if site.line.is_item() {
            dashes::item_after_text(site)
        } else {
            odd_key(site, key.start, at)
        };
    };
    match above.key() {
        None if !above.is_item() || above.key().is_none() => no_colon(site, &above),
        Some((_, colon)) => indentation::too_deep(site, &above, colon),
        None => odd_key(site, key.start, at),
    }
}

/// `key { a: 1, b: 2 }`: the colon that was found first belongs to the mapping in the braces.
pub(super) fn no_colon_before_bracket(site: &Site<'_>, key: &std::ops::Range<usize>) -> Option<Explained> {
    let text = site.part(key.start, key.end);
    let (word, rest) = text.split_once([' ', '\t'])?;
    if !is_word(word) || !rest.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let end: usize = site.line.content().end().into();
    let at = key.start + word.len();
    let fault = Fault::error(
        FaultKind::MissingColon,
        range(key.start, end),
        format!("`{}` has no colon", shorten(word)),
        "a key with its colon is expected here",
    )
    .fix(format!("write `{}:`", shorten(word)), false, range(at, at), ":");
    Some(Explained {
        fault,
        skip: Some(range(key.start, site.line.end)),
    })
}

fn second_colon(site: &Site<'_>, first: usize, at: usize) -> Option<Explained> {
    let value = site.line.value();
    let end: usize = site.line.content().end().into();
    let text = site.part(value, end);
    let fault = Fault::error(
        FaultKind::Syntax,
        range(at, at + 1),
        "a second colon on one line",
        "a text without quotes ends before this colon",
    )
    .related(range(first, first + 1), "the colon of the key");
    let quotes = matches!(
        text.chars().next(),
        Some('"' | '\'' | '[' | '{' | '&' | '*' | '!' | '|' | '>')
    );
    let fault = if text.trim_end().ends_with(':') {
        fault.help("write the inner key on a line of its own, indented deeper")
    } else if quotes {
        fault.help("put the whole value in quotes")
    } else {
        fault.fix("put the value in quotes", true, range(value, end), quoted(text))
    };
    site.skip_rest(fault, value)
}

/// The line above the break holds no colon, so that it and this line are one text.
pub(super) fn no_colon(site: &Site<'_>, above: &Line<'_>) -> Option<Explained> {
    if let Some(found) = block_text::flat_text(site, above) {
        return Some(found);
    }
    let above = &first_of_text(above);
    let content = above.content();
    let start = above.item().max(content.start().into());
    let text = site.part(start, content.end().into());
    // `key:value`
    if let Some(colon) = text
        .find(':')
        .filter(|colon| !text.get(colon + 1..).is_some_and(|rest| rest.starts_with('/')))
        && text.get(..colon).is_some_and(is_word)
    {
        let at = start + colon + 1;
        let fault = Fault::error(
            FaultKind::MissingColon,
            range(start, usize::from(content.end())),
            format!(
                "no blank behind the colon of `{}`",
                shorten(text.get(..colon).unwrap_or_default())
            ),
            "without a blank this is one word",
        )
        .fix("insert a blank behind the colon", true, range(at, at), " ");
        return skip(fault, above);
    }
    let word = text.split([' ', '\t']).next().unwrap_or_default();
    let fault = Fault::error(
        FaultKind::MissingColon,
        range(start, usize::from(content.end())),
        format!("`{}` has no colon", shorten(if is_word(word) { word } else { text })),
        "a key with its colon is expected here",
    );
    // A word alone may be a key whose value stands below.
    let fault = if is_word(word) && above.indent() <= site.line.indent() {
        let at = start + word.len();
        fault.fix(format!("write `{}:`", shorten(word)), false, range(at, at), ":")
    } else if above.indent() < site.line.indent() {
        fault.help("write `key: value`")
    } else {
        fault.help("write `key: value`, or indent a text that goes on deeper than its key")
    };
    skip(fault, above)
}

/// The line of a text without a colon that lacks it: the first of the text, unless the text belongs to a key above.
pub(super) fn first_of_text<'t>(line: &Line<'t>) -> Line<'t> {
    let mut first = line.clone();
    let mut looked = 0;
    while let Some(above) = first.above().filter(|_| !first.is_item() && looked < 2_000) {
        looked += 1;
        if above.key().is_some() {
            let goes_on = above.value() < above.end && above.indent() < first.indent();
            return if goes_on { line.clone() } else { first };
        }
        if above.indent() > first.indent() {
            break;
        }
        first = above;
    }
    first
}

pub(super) fn odd_key(site: &Site<'_>, start: usize, at: usize) -> Option<Explained> {
    let (start, end) = (start.min(at), at.max(start + 1));
    let text = site.part(start, end);
    if text.contains('\n') || text.trim().is_empty() {
        return None;
    }
    let fault = Fault::error(
        FaultKind::Syntax,
        range(start, end),
        format!("`{}` cannot be a key here", shorten(text)),
        "no key may start here",
    )
    .help("compare the indentation with the lines above, and close quotes and brackets before this line");
    site.skip_line(fault)
}

fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '$'))
}

fn skip(fault: Fault, line: &Line<'_>) -> Option<Explained> {
    let body = line.item();
    Some(Explained {
        fault,
        skip: Some(TextRange::new(size(body.min(line.end)), size(line.end))),
    })
}
