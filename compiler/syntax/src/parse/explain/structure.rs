//! Breaks of the line structure: tabs, colons, dashes, indentation.

use super::super::checks::shorten;
use super::super::events::Reason;
use super::super::lines::{Line, char_at};
use super::super::template::quoted;
use super::{Explained, Site};
use crate::TextRange;
use crate::fault::{Fault, FaultKind};
use crate::span::{range, size};

/// A tab in the indentation of the line of the break or of the one below it.
pub(super) fn tab(site: &Site<'_>, reason: &Reason) -> Option<Explained> {
    let lines = [Some(site.line.clone()), site.line.below(), site.line.above()];
    let look = if *reason == Reason::Tab { 3 } else { 1 };
    for line in lines.into_iter().take(look).flatten() {
        let indent = site.part(line.start, line.body());
        let Some(first) = indent.find('\t') else { continue };
        let first = line.start + first;
        let tabs = site.part(first, line.body()).trim_end_matches(' ').len();
        let width = wanted_indent(&line);
        let fault = Fault::error(
            FaultKind::TabIndent,
            range(first, first + tabs),
            "a line is indented with a tab",
            "only blanks indent a line",
        )
        .fix(
            format!("indent it with {width} blanks"),
            false,
            range(line.start, line.body()),
            " ".repeat(width),
        );
        return Some(Explained {
            fault,
            skip: Some(line.with_children()),
        });
    }
    if *reason != Reason::Tab {
        return None;
    }
    let at = site
        .part(site.line.start, site.at)
        .rfind('\t')
        .map_or(site.at, |found| site.line.start + found);
    let fault = Fault::error(
        FaultKind::TabIndent,
        char_at(site.text, at),
        "a tab cannot stand here",
        "only blanks may stand here",
    )
    .fix("replace it with a blank", true, char_at(site.text, at), " ");
    site.skip_line(fault)
}

/// How far a line should be indented by the lines around it.
fn wanted_indent(line: &Line<'_>) -> usize {
    let Some(above) = line.above() else { return 0 };
    let column = above.item() - above.start;
    if above.key().is_none() || has_value(&above) {
        return column;
    }
    match line.below().map(|below| below.indent()) {
        Some(below) if below > column => below,
        _ => column + 2,
    }
}

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
            item_after_text(site)
        } else {
            odd_key(site, key.start, at)
        };
    };
    match above.key() {
        None if !above.is_item() || above.key().is_none() => no_colon(site, &above),
        Some((_, colon)) => too_deep(site, &above, colon),
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
fn no_colon(site: &Site<'_>, above: &Line<'_>) -> Option<Explained> {
    if let Some(found) = flat_text(site, above) {
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

/// A key below a line that has its value already, indented deeper than it.
fn too_deep(site: &Site<'_>, above: &Line<'_>, colon: usize) -> Option<Explained> {
    let line = &site.line;
    let (key, _) = line.key()?;
    let above_key = above.key().map(|(key, _)| key)?;
    if let Some(found) = dedented_above(site, above) {
        return Some(found);
    }
    if line.indent() <= above.indent() && !above.is_item() {
        return odd_key(site, key.start, line.end.min(site.at));
    }
    let name = shorten(site.part(above_key.start, above_key.end));
    let column = above.item() - above.start;
    let value = above.value();
    let fault = Fault::error(
        FaultKind::Indentation,
        range(line.body(), key.end),
        format!("a key below `{name}`, which has a value already"),
        format!("indented by {} here, by {column} above", line.indent()),
    )
    .related(
        range(value.max(colon + 1), usize::from(above.content().end())),
        "the value of the line above",
    );
    let fault = fault.fix(
        format!("indent it like `{name}`"),
        false,
        range(line.start, line.body()),
        " ".repeat(column),
    );
    Some(Explained {
        fault,
        skip: Some(line.with_children()),
    })
}

/// A line that is indented less than the lines above and below it, which are indented alike: it is the odd one.
fn dedented_above(site: &Site<'_>, above: &Line<'_>) -> Option<Explained> {
    let before = above.above()?;
    let indent = site.line.indent();
    let alike = before.key().is_some() && (before.indent() == indent || before.item() - before.start == indent);
    if !alike || above.indent() >= indent || above.is_item() {
        return None;
    }
    // `c` of `a:`, `b` deeper, `c`, `d` deeper, `e` may be right and `d` wrong; an empty line speaks for `d`.
    let next = site.line.below().filter(|below| below.indent() == above.indent());
    if let Some(next) = next
        && site.part(site.line.end, next.start).trim_matches(['\r', ' ']).len() < 2
    {
        // Unless the keys of that column all open mappings, and only this one has a value.
        let open = |line: &Line<'_>| line.key().is_some() && !has_value(line);
        let mut parents = std::iter::successors(before.above(), Line::above).take(2_000);
        let parent = parents.find(|line| line.indent() <= above.indent());
        if !(has_value(above) && open(&next) && parent.is_some_and(|parent| open(&parent))) {
            return None;
        }
    }
    let (key, _) = above.key()?;
    let fault = Fault::error(
        FaultKind::Indentation,
        range(above.body(), key.end),
        format!(
            "`{}` is indented less than the lines around it",
            shorten(site.part(key.start, key.end))
        ),
        format!("indented by {} here, by {indent} above and below", above.indent()),
    )
    .fix(
        format!("indent it by {indent}"),
        false,
        range(above.start, above.body()),
        " ".repeat(indent),
    );
    Some(Explained {
        fault,
        skip: Some(range(above.body(), above.end)),
    })
}

/// The first key of a mapping, indented deeper than the keys below it.
fn first_too_deep(site: &Site<'_>, above: &Line<'_>) -> Option<Explained> {
    let parent = above.above()?;
    let indent = site.line.indent();
    let opens = parent.text().trim_end().ends_with(':') || parent.is_item();
    if !opens || parent.indent() >= indent || above.indent() <= indent || above.is_item() {
        return None;
    }
    let (key, _) = above.key()?;
    let fault = Fault::error(
        FaultKind::Indentation,
        range(above.body(), key.end),
        format!(
            "`{}` is indented deeper than the keys below it",
            shorten(site.part(key.start, key.end))
        ),
        format!("indented by {} here, by {indent} below", above.indent()),
    )
    .fix(
        format!("indent it by {indent}"),
        false,
        range(above.start, above.body()),
        " ".repeat(indent),
    );
    let fault = match site.line.key() {
        Some((key, _)) => fault.related(range(key.start, key.end), "the next key of the mapping"),
        None => fault,
    };
    Some(Explained {
        fault,
        skip: Some(range(above.body(), above.end)),
    })
}

/// A key in the column of the dashes of a list.
fn key_among_items(site: &Site<'_>, dash: &Line<'_>, key: std::ops::Range<usize>) -> Option<Explained> {
    let line = &site.line;
    let fault = Fault::error(
        FaultKind::Indentation,
        range(key.start, key.end.max(key.start + 1)),
        "a key among the items of a list",
        "a dash is expected here",
    )
    .related(range(dash.body(), dash.body() + 1), "an item of the list");
    let column = dash.item() - dash.start;
    let only = dash
        .above()
        .is_none_or(|above| !above.is_item() || above.indent() != dash.indent());
    // Below a key that was indented with the others they go on in their column.
    let back = match line.below().map(|below| below.indent()) {
        Some(indent) if has_value(line) => indent == column,
        Some(indent) => indent > column && any_line(line.below(), |below| below.indent() == column, dash.indent()),
        None => false,
    };
    let inner = dash.below().filter(|inner| inner.start < line.start);
    let more_keys = has_value(dash) && any_line(inner, |inner| inner.indent() == column, dash.indent());
    let fault = if only && dash.key().is_some() && !back && !more_keys {
        // One item of one key and then only keys: the dash is the odd one.
        fault.fix("remove the dash above", false, range(dash.body(), dash.item()), "")
    } else {
        let blanks = " ".repeat(column);
        fault.fix(
            "indent it like the keys of the item",
            false,
            range(line.start, line.body()),
            blanks,
        )
    };
    site.skip_line(fault)
}

/// Whether the value of a line stands on it.
fn has_value(line: &Line<'_>) -> bool {
    let value = line.value_text();
    !(value.is_empty() || value.starts_with(['|', '>']) && value.len() <= 3)
}

/// Whether one of the lines from `first` on, as long as they are indented deeper than `least`, is of a kind.
fn any_line(first: Option<Line<'_>>, kind: impl Fn(&Line<'_>) -> bool, least: usize) -> bool {
    std::iter::successors(first, Line::below)
        .take(2_000)
        .take_while(|line| line.indent() > least)
        .any(|line| kind(&line))
}

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
fn shallow_text(site: &Site<'_>) -> Option<Explained> {
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

/// `-item`: no blank behind the dash of a list item.
pub(super) fn touching_dash(site: &Site<'_>) -> Option<Explained> {
    let body = site.line.body();
    let dash = site
        .part(body, body + 2)
        .strip_prefix('-')
        .is_some_and(|next| !next.starts_with(['-', ' ']));
    let above = site
        .line
        .above()
        .filter(|above| dash && above.indent() >= site.line.indent())?;
    let mut items = std::iter::successors(Some(above), Line::above).take(2_000);
    let item = items.find(|above| above.indent() <= site.line.indent())?;
    if !item.is_item() || item.indent() != site.line.indent() {
        return None;
    }
    let fault = Fault::error(
        FaultKind::Syntax,
        site.line.content(),
        "no blank behind the dash of a list item",
        "without a blank this is one word",
    )
    .fix("insert a blank behind the dash", true, range(body + 1, body + 1), " ");
    site.skip_line(fault)
}

/// The line of a text without a colon that lacks it: the first of the text, unless the text belongs to a key above.
fn first_of_text<'t>(line: &Line<'t>) -> Line<'t> {
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

/// A list item with a key behind a plain text that goes on over lines.
fn item_after_text(site: &Site<'_>) -> Option<Explained> {
    let above = site.line.above()?;
    if above.key().is_none() && !above.is_item() {
        return no_colon(site, &above);
    }
    let body = site.line.body();
    let fault = Fault::error(
        FaultKind::Indentation,
        range(body, body + 1),
        "a list item below a line that has a value already",
        format!("indented by {} here, by {} above", site.line.indent(), above.indent()),
    )
    .help("indent the dash like the dashes above, or remove the value above it");
    site.skip_line(fault)
}

fn odd_key(site: &Site<'_>, start: usize, at: usize) -> Option<Explained> {
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

/// A dash where no list item may stand.
pub(super) fn dash(site: &Site<'_>) -> Option<Explained> {
    let line = &site.line;
    let at = if site.byte(site.at) == Some(b'-') {
        site.at
    } else {
        site.part(line.start, site.at)
            .rfind('-')
            .map_or(site.at, |found| line.start + found)
    };
    if let Some((key, colon)) = line.key().filter(|(_, colon)| *colon < at) {
        let value = line.value();
        let end: usize = line.content().end().into();
        let text = site.part(value, end);
        let fault = Fault::error(
            FaultKind::Syntax,
            range(at, at + 1),
            "a list cannot start on the line of its key",
            "a dash here is no list item",
        )
        .related(range(key.start, colon), "the key");
        let fault = match text.strip_prefix("- ") {
            Some(item) if !item.contains(['-', ':']) => fault.fix(
                "write a list of one item in brackets",
                true,
                range(value, end),
                format!("[{}]", item.trim()),
            ),
            _ => fault.help("start the list on the next line, indented; quote the value if it is meant as a text"),
        };
        return site.skip_rest(fault, value);
    }
    let fault = Fault::error(
        FaultKind::Indentation,
        range(at, at + 1),
        "a list item where none may stand",
        "this dash belongs to no list",
    )
    .help("indent it like the other items of its list");
    site.skip_line(fault)
}

/// A line that fits to no collection around it.
pub(super) fn misfit(site: &Site<'_>) -> Option<Explained> {
    let line = &site.line;
    if line.is_blank() {
        return None;
    }
    let before = site.part(line.start, site.at).trim_end();
    if let Some(close) = before.chars().next_back().filter(|c| matches!(c, ']' | '}')) {
        return behind_bracket(site, line.start + before.len() - 1, close);
    }
    if let Some(found) = second_mark(site) {
        return Some(found);
    }
    if let Some(found) = shallow_text(site) {
        return Some(found);
    }
    let text_above = line.above().filter(|above| above.key().is_none() && !above.is_item());
    if let Some(above) = text_above
        && (above.indent() == line.indent() || above.indent() < line.indent() && line.is_item())
    {
        return no_colon(site, &above);
    }
    let body = line.body();
    let levels = levels(line);
    let fits = levels.iter().any(|level| level.1 == line.indent());
    if site.at > line.item() && fits && !line.is_item() {
        let end: usize = line.content().end().into();
        let fault = Fault::error(
            FaultKind::Syntax,
            range(site.at, end.max(site.at + 1)),
            "a value goes on where it has ended",
            "no more text is expected on this line",
        )
        .help("put the whole value in quotes");
        return site.skip_rest(fault, line.value().min(site.at));
    }
    if line.is_item() {
        return lost_dash(site).or_else(|| stray_item(site, &levels));
    }
    let odd = line
        .above()
        .and_then(|above| dedented_above(site, &above).or_else(|| first_too_deep(site, &above)));
    if odd.is_some() {
        return odd;
    }
    let (key, colon) = line.key().unwrap_or((
        line.item()..line.content().end().into(),
        usize::from(line.content().end()),
    ));
    if let Some((item, column)) = levels
        .iter()
        .find(|level| level.1 == line.indent() && level.0.is_item())
    {
        return if item.indent() == *column {
            key_among_items(site, item, key.start..key.end)
        } else if item.key().is_none() {
            no_colon(site, item)
        } else {
            None
        };
    }
    if line.key().is_none() {
        let fault = Fault::error(
            FaultKind::MissingColon,
            line.content(),
            format!("`{}` has no colon", shorten(site.part(key.start, key.end))),
            "a key with its colon is expected here",
        )
        .help("write `key: value`, or indent a text that goes on deeper than its key");
        return site.skip_line(fault);
    }
    let shown = shorten(site.part(key.start, colon));
    let fault = Fault::error(
        FaultKind::Indentation,
        range(body, key.end.max(body + 1)),
        format!("the indentation of `{shown}` fits to no line above"),
        format!("indented by {}", line.indent()),
    );
    let fault = match levels.iter().find(|level| level.1 != line.indent()) {
        Some((above, column)) if line.indent() > *column => {
            let start = above.body();
            fault.related(range(start, start + 1), format!("indented by {column}"))
        }
        _ => fault,
    };
    let near = levels
        .iter()
        .map(|level| level.1)
        .min_by_key(|column| column.abs_diff(line.indent()));
    let fault = match near.filter(|column| *column != line.indent()) {
        Some(column) => fault.fix(
            format!("indent it by {column}"),
            false,
            range(line.start, body),
            " ".repeat(column),
        ),
        None => fault.help("compare it with the lines above"),
    };
    site.skip_line(fault)
}

/// The first item of a list without its dash: the lines above are indented like what stands behind this dash.
fn lost_dash(site: &Site<'_>) -> Option<Explained> {
    let column = site.line.item() - site.line.start;
    let mut first = site.line.above().filter(|above| above.indent() >= column)?;
    let mut looked = 0;
    while let Some(above) = first.above().filter(|above| above.indent() >= column && looked < 2_000) {
        first = above;
        looked += 1;
    }
    let parent = first.above().filter(|parent| parent.text().trim_end().ends_with(':'))?;
    if first.indent() != column || first.is_item() || parent.indent() > site.line.indent() {
        return None;
    }
    let (dash, body) = (first.start + site.line.indent(), first.body());
    let end = first
        .key()
        .map_or(usize::from(first.content().end()), |(key, _)| key.end);
    let fault = Fault::error(
        FaultKind::Indentation,
        range(dash, end),
        "the first item of a list has no dash",
        "a dash is expected here",
    )
    .related(
        range(site.line.body(), site.line.body() + 1),
        "the next item of the list",
    )
    .fix(
        "insert the dash",
        false,
        range(dash, body),
        format!("-{}", " ".repeat((body - dash).saturating_sub(1))),
    );
    site.skip_line(fault)
}

/// A list item between the keys of a mapping, or one that is indented like no other.
fn stray_item(site: &Site<'_>, levels: &[(Line<'_>, usize)]) -> Option<Explained> {
    let body = site.line.body();
    let among = levels
        .iter()
        .find(|level| level.1 == site.line.indent() && !level.0.is_item());
    let fault = match among {
        Some((above, _)) => {
            let content = above.content();
            let key = above.key().map_or(content, |(key, _)| range(key.start, key.end));
            Fault::error(
                FaultKind::Indentation,
                range(body, body + 1),
                "a list item among the keys of a mapping",
                "a key is expected here",
            )
            .related(key, "a key of the mapping")
            .help("remove the dash, or indent the item below the key that it belongs to")
        }
        None => Fault::error(
            FaultKind::Indentation,
            range(body, body + 1),
            "the indentation of this list item fits to no line above",
            format!("indented by {}", site.line.indent()),
        )
        .help("indent it like the other items of its list"),
    };
    site.skip_line(fault)
}

/// Text behind a closing bracket.
fn behind_bracket(site: &Site<'_>, at: usize, close: char) -> Option<Explained> {
    let end: usize = site.line.content().end().into();
    let value = site.line.value();
    let rest = site.part(site.at, end);
    let fault = Fault::error(
        FaultKind::Syntax,
        range(site.at, end.max(site.at + 1)),
        format!("text behind the closing `{close}`"),
        "the value has ended with the bracket",
    )
    .related(range(at, at + 1), "the closing bracket");
    let fault = if value < at && !rest.is_empty() {
        fault.fix(
            "put the whole value in quotes",
            false,
            range(value, end),
            quoted(site.part(value, end)),
        )
    } else {
        fault.help("remove it, or write `#` before a comment")
    };
    site.skip_rest(fault, value.min(site.at))
}

/// A second anchor, or text behind an alias.
fn second_mark(site: &Site<'_>) -> Option<Explained> {
    let value = site.line.value();
    let first = site.byte(value).filter(|b| matches!(b, b'&' | b'*' | b'!'))?;
    if site.at <= value {
        return None;
    }
    let end: usize = site.line.content().end().into();
    let text = site.part(value, end);
    let message = match first {
        b'&' => "a second anchor or alias behind an anchor",
        b'*' => "text behind an alias",
        _ => "a second mark behind a tag",
    };
    let fault = Fault::error(
        FaultKind::Syntax,
        range(
            site.at,
            site.at + site.part(site.at, end).split(' ').next().map_or(1, str::len).max(1),
        ),
        message,
        "nothing of this kind may follow here",
    )
    .fix("put the value in quotes", false, range(value, end), quoted(text));
    site.skip_rest(fault, value)
}

/// The lines above that a line may belong to, each with the column of its content: those that are less and less indented.
fn levels<'t>(line: &Line<'t>) -> Vec<(Line<'t>, usize)> {
    let mut out: Vec<(Line<'t>, usize)> = Vec::new();
    let mut least = usize::MAX;
    let mut above = line.above();
    let mut looked = 0;
    while let Some(next) = above {
        let item = next.item() - next.start;
        if next.is_item() && item < least && item > next.indent() {
            out.push((next.clone(), item));
            least = item;
        }
        if next.indent() < least {
            least = next.indent();
            out.push((next.clone(), least));
        }
        looked += 1;
        if least == 0 || looked > 2_000 {
            break;
        }
        above = next.above();
    }
    out
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
