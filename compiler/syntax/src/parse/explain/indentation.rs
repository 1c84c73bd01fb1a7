//! Lines that fit to nothing around them: who is the odd one.

use super::super::checks::shorten;
use super::super::lines::Line;
use super::{Explained, Site, block_text, colons, dashes, trailing};
use crate::fault::{Fault, FaultKind};
use crate::span::range;

/// A line that fits to no collection around it.
pub(super) fn misfit(site: &Site<'_>) -> Option<Explained> {
    let line = &site.line;
    if line.is_blank() {
        return None;
    }
    let before = site.part(line.start, site.at).trim_end();
    if let Some(close) = before.chars().next_back().filter(|c| matches!(c, ']' | '}')) {
        return trailing::behind_bracket(site, line.start + before.len() - 1, close);
    }
    if let Some(found) = trailing::second_mark(site) {
        return Some(found);
    }
    if let Some(found) = block_text::shallow_text(site) {
        return Some(found);
    }
    let text_above = line.above().filter(|above| above.key().is_none() && !above.is_item());
    if let Some(above) = text_above
        && (above.indent() == line.indent() || above.indent() < line.indent() && line.is_item())
    {
        return colons::no_colon(site, &above);
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
        return dashes::lost_dash(site).or_else(|| dashes::stray_item(site, &levels));
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
            dashes::key_among_items(site, item, key.start..key.end)
        } else if item.key().is_none() {
            colons::no_colon(site, item)
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

/// A key below a line that has its value already, indented deeper than it.
pub(super) fn too_deep(site: &Site<'_>, above: &Line<'_>, colon: usize) -> Option<Explained> {
    let line = &site.line;
    let (key, _) = line.key()?;
    let above_key = above.key().map(|(key, _)| key)?;
    if let Some(found) = dedented_above(site, above) {
        return Some(found);
    }
    if line.indent() <= above.indent() && !above.is_item() {
        return colons::odd_key(site, key.start, line.end.min(site.at));
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
        let open = |line: &Line<'_>| line.key().is_some() && !line.has_value();
        let mut parents = std::iter::successors(before.above(), Line::above).take(2_000);
        let parent = parents.find(|line| line.indent() <= above.indent());
        if !(above.has_value() && open(&next) && parent.is_some_and(|parent| open(&parent))) {
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
    // Behind a dash the first key stands in the line of the item, and this one is right below it.
    if parent.is_item() && parent.key().is_some() && parent.item() - parent.start == above.indent() {
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

/// Whether one of the lines from `first` on, as long as they are indented deeper than `least`, is of a kind.
pub(super) fn any_line(first: Option<Line<'_>>, kind: impl Fn(&Line<'_>) -> bool, least: usize) -> bool {
    std::iter::successors(first, Line::below)
        .take(2_000)
        .take_while(|line| line.indent() > least)
        .any(|line| kind(&line))
}
