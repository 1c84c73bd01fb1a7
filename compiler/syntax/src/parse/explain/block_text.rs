//! Texts behind `|` and `>`: their heads and the indentation of their lines.

use super::super::checks::shorten;
use super::super::lines::Line;
use super::super::template::quoted;
use super::{Explained, Site};
use crate::fault::{Fault, FaultKind};
use crate::span::range;

/// A text behind `|` or `>` whose lines are indented no deeper than its key. `line` is one of them.
pub(super) fn flat_text(site: &Site<'_>, line: &Line<'_>) -> Option<Explained> {
    let indent = line.indent();
    let mut head = line.above()?;
    let mut looked = 0;
    while head.indent() == indent && head.key().is_none() && !head.is_item() && looked < 2_000 {
        head = head.above()?;
        looked += 1;
    }
    let marks = head.value_text();
    let is_head = marks.starts_with(['|', '>']) && marks.len() <= 3;
    let (key, _) = head.key()?;
    if !is_head || indent > head.item() - head.start {
        return None;
    }
    let mut last = line.clone();
    while let Some(below) = last.below().filter(|below| below.indent() >= indent) {
        last = below;
    }
    let first = Line::at(site.text, head.start).below()?;
    let fault = Fault::error(
        FaultKind::Indentation,
        range(head.body(), key.end),
        format!(
            "the text of `{}` is indented no deeper than its key",
            shorten(site.part(key.start, key.end))
        ),
        format!("this key stands in column {}", head.item() - head.start + 1),
    )
    .related(first.content(), "the text starts here");
    let fault = if head.is_item() && indent > head.indent() {
        fault.fix("remove the dash", false, range(head.body(), head.item()), "")
    } else {
        fault.help("indent every line of the text deeper than its key")
    };
    Some(Explained {
        fault,
        skip: Some(range(head.value(), last.end)),
    })
}

/// A line of a text behind `|` or `>` that is indented deeper than its key, but less than the first line of the text.
pub(super) fn shallow_text(site: &Site<'_>) -> Option<Explained> {
    let line = &site.line;
    let mut head = line.above().filter(|above| above.indent() > line.indent())?;
    let mut column = head.indent();
    for _ in 0..2_000 {
        if head.indent() < line.indent() {
            break;
        }
        column = head.indent();
        head = head.above()?;
    }
    let marks = head.value_text();
    let (key, _) = head
        .key()
        .filter(|_| marks.starts_with(['|', '>']) && marks.len() <= 3)?;
    if head.indent() >= line.indent() {
        return None;
    }
    let name = shorten(site.part(key.start, key.end));
    let fault = Fault::error(
        FaultKind::Indentation,
        line.content(),
        format!("a line of the text of `{name}` is indented less than its first line"),
        format!("indented by {} here, by {column} above", line.indent()),
    )
    .related(range(key.start, key.end), "the key of the text")
    .fix(
        format!("indent it by {column}"),
        false,
        range(line.start, line.body()),
        " ".repeat(column),
    );
    site.skip_line(fault)
}

/// `|` or `>` with something other than its signs behind it.
pub(super) fn head(site: &Site<'_>) -> Option<Explained> {
    let start = site
        .part(site.line.start, site.at)
        .rfind(['|', '>'])
        .map_or(site.at, |found| site.line.start + found);
    let start = if matches!(site.byte(site.at), Some(b'|' | b'>')) {
        site.at
    } else {
        start
    };
    let end: usize = site.line.content().end().into();
    let header = site.part(start, end);
    let mark = header.chars().next().unwrap_or('|');
    let rest = header
        .get(1..)
        .unwrap_or_default()
        .trim_start_matches(['-', '+'])
        .trim_start();
    let fault = if rest.starts_with(|c: char| c.is_ascii_digit()) {
        Fault::error(
            FaultKind::Syntax,
            range(start, end),
            format!("the indentation behind `{mark}` is one digit from 1 to 9"),
            "the head of a text of several lines",
        )
        .help("leave the number away: the first line of the text decides")
    } else {
        let fault = Fault::error(
            FaultKind::Syntax,
            range(end - rest.len().min(end - start), end),
            format!("text behind `{mark}` on its line"),
            "the text starts on the next line",
        )
        .related(range(start, start + 1), "starts a text of several lines");
        fault.fix(
            "put the whole value in quotes",
            false,
            range(start, end),
            quoted(header),
        )
    };
    let line = site.line.with_children();
    Some(Explained {
        fault,
        skip: Some(range(start, line.end().into())),
    })
}

/// A blank line with more blanks than the text behind it, or a line of text with fewer than its head says.
pub(super) fn indent(site: &Site<'_>) -> Option<Explained> {
    let is_blank = |line: &Line<'_>| line.text().trim_matches([' ', '\t']).is_empty();
    let mut line = site.line.clone();
    while !is_blank(&line) || line.text().len() <= site.line.indent() {
        line = Line::at(site.text, line.start.checked_sub(1)?);
        if !is_blank(&line) {
            let fault = Fault::error(
                FaultKind::Indentation,
                site.line.content(),
                "a line of a text is indented less than the text",
                "indented less than its head or its first line says",
            )
            .help("indent every line of the text alike, deeper than its key");
            return site.skip_line(fault);
        }
    }
    let at = range(line.start, line.end);
    let fault = Fault::error(
        FaultKind::Indentation,
        at,
        "an empty line of a text has more blanks than the text",
        "these blanks are indentation or text, and nobody can tell",
    )
    .fix("remove the blanks", true, at, "");
    Some(Explained { fault, skip: Some(at) })
}
