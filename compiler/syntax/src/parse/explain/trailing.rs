//! Something behind a value that has ended: behind a bracket, an anchor, an alias or a tag.

use super::super::template::quoted;
use super::{Explained, Site};
use crate::fault::{Fault, FaultKind};
use crate::span::range;

/// Text behind a closing bracket.
pub(super) fn behind_bracket(site: &Site<'_>, at: usize, close: char) -> Option<Explained> {
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
pub(super) fn second_mark(site: &Site<'_>) -> Option<Explained> {
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
