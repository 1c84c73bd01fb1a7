//! Dashes of list items: on the line of a key, without a blank, lost, or in the wrong column.

use super::super::lines::Line;
use super::{Explained, Site, colons, indentation};
use crate::fault::{Fault, FaultKind};
use crate::span::range;

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

/// A list item with a key behind a plain text that goes on over lines.
pub(super) fn item_after_text(site: &Site<'_>) -> Option<Explained> {
    let above = site.line.above()?;
    if above.key().is_none() && !above.is_item() {
        return colons::no_colon(site, &above);
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

/// The first item of a list without its dash: the lines above are indented like what stands behind this dash.
pub(super) fn lost_dash(site: &Site<'_>) -> Option<Explained> {
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
pub(super) fn stray_item(site: &Site<'_>, levels: &[(Line<'_>, usize)]) -> Option<Explained> {
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

/// A key in the column of the dashes of a list.
pub(super) fn key_among_items(site: &Site<'_>, dash: &Line<'_>, key: std::ops::Range<usize>) -> Option<Explained> {
    let line = &site.line;
    let fault = Fault::error(
        FaultKind::Indentation,
        range(key.start, key.end.max(key.start + 1)),
        "a key among the items of a list",
        "a dash is expected here",
    )
    .related(range(dash.body(), dash.body() + 1), "an item of the list");
    let column = dash.item() - dash.start;
    // What an earlier item holds stands between its dash and this one.
    let mut above = std::iter::successors(dash.above(), Line::above).take(2_000);
    let around = above.find(|above| above.indent() <= dash.indent());
    let only = around.is_none_or(|above| !above.is_item() || above.indent() != dash.indent());
    // Below a key that was indented with the others they go on in their column.
    let back = match line.below().map(|below| below.indent()) {
        Some(indent) if line.has_value() => indent == column,
        Some(indent) => {
            indent > column && indentation::any_line(line.below(), |below| below.indent() == column, dash.indent())
        }
        None => false,
    };
    let inner = dash.below().filter(|inner| inner.start < line.start);
    let more_keys = dash.has_value() && indentation::any_line(inner, |inner| inner.indent() == column, dash.indent());
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
