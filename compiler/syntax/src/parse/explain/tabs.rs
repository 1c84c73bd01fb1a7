//! Tabs where a line is indented, and anywhere else where only blanks may stand.

use super::super::events::Reason;
use super::super::lines::{Line, char_at};
use super::{Explained, Site};
use crate::fault::{Fault, FaultKind};
use crate::span::range;

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
    if above.key().is_none() || above.has_value() {
        return column;
    }
    match line.below().map(|below| below.indent()) {
        Some(below) if below > column => below,
        _ => column + 2,
    }
}
