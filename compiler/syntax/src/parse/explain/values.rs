//! Breaks in single values: characters that cannot start one, tags, anchors, block headers, comments.

use super::super::checks::shorten;
use super::super::events::Reason;
use super::super::lines::{Line, char_at};
use super::super::template::{quoted, value_end};
use super::{Explained, Site, block_text, colons, indentation};
use crate::fault::{Fault, FaultKind};
use crate::span::range;

/// The words for a break in a value.
pub(super) fn explain(site: &Site<'_>, reason: &Reason) -> Option<Explained> {
    match reason {
        Reason::Character(c) => character(site, *c),
        Reason::BlockHeader => block_text::head(site),
        Reason::BlockIndent => block_text::indent(site),
        Reason::CommentInText | Reason::TouchingComment => comment(site),
        Reason::NoName => no_name(site),
        Reason::Tag => tag(site),
        Reason::Directive => directive(site),
        Reason::AfterEnd => after_end(site),
        _ => None,
    }
}

/// A value that starts with a character which YAML keeps for itself.
fn character(site: &Site<'_>, found: char) -> Option<Explained> {
    let in_flow = !site.brackets.is_empty();
    let end = value_end(site.text, site.at, in_flow).max(site.at + 1);
    if found == '\0' || found.is_control() {
        let at = char_at(site.text, site.at);
        let fault = Fault::error(
            FaultKind::ControlCharacter,
            at,
            format!("the control character U+{:04X} stands in the text", u32::from(found)),
            "an invisible character",
        )
        .fix("remove it", false, at, "");
        return site.skip_line(fault);
    }
    let value = range(site.at, end);
    let fault = Fault::error(
        FaultKind::ReservedCharacter,
        value,
        format!("a text without quotes cannot start with `{found}`"),
        "put this in quotes",
    )
    .fix("put it in quotes", true, value, quoted(site.part(site.at, end)));
    site.skip_rest(fault, site.at)
}

/// A comment inside of a text without quotes that goes on over lines.
fn comment(site: &Site<'_>) -> Option<Explained> {
    let at = site
        .part(site.at, site.line.end)
        .find('#')
        .map_or(site.at, |found| site.at + found);
    let below = site.line.below();
    let mut fault = Fault::error(
        FaultKind::Syntax,
        range(at, site.line.end.max(at + 1)),
        "a comment in the middle of a text",
        "the text ends before this comment",
    )
    .help("put a text that goes on over lines in quotes or behind `|`, and the comment above it");
    if let Some(below) = below {
        fault = fault.related(below.content(), "this line goes on with the text");
        let skip = range(below.body(), below.with_children().end().into());
        return Some(Explained {
            fault,
            skip: Some(skip),
        });
    }
    site.skip_line(fault)
}

fn no_name(site: &Site<'_>) -> Option<Explained> {
    let start = site
        .part(site.line.start, site.at + 1)
        .rfind(['*', '&'])
        .map_or(site.at, |n| site.line.start + n);
    let end = value_end(site.text, start, !site.brackets.is_empty()).max(start + 1);
    let (mark, what) = if site.byte(start) == Some(b'*') {
        ('*', "an alias")
    } else {
        ('&', "an anchor")
    };
    let fault = Fault::error(
        FaultKind::Syntax,
        range(start, start + 1),
        format!("{what} without a name"),
        format!("`{mark}` starts {what}"),
    )
    .fix(
        "put the value in quotes",
        true,
        range(start, end),
        quoted(site.part(start, end)),
    );
    site.skip_rest(fault, start)
}

fn tag(site: &Site<'_>) -> Option<Explained> {
    let start = site
        .part(site.line.start, site.at + 1)
        .rfind('!')
        .map_or(site.at, |n| site.line.start + n);
    let end = value_end(site.text, start, false).max(start + 1);
    let word = site.part(start, end).split(' ').next().map_or(1, str::len).max(1);
    let fault = Fault::error(
        FaultKind::Syntax,
        range(start, start + word),
        format!("`{}` is no tag", shorten(site.part(start, start + word))),
        "a value that starts with `!` is a tag",
    )
    .fix(
        "put the value in quotes",
        true,
        range(start, end),
        quoted(site.part(start, end)),
    );
    site.skip_rest(fault, start)
}

fn directive(site: &Site<'_>) -> Option<Explained> {
    directive_line(site, &site.line)
}

fn directive_line(site: &Site<'_>, line: &Line<'_>) -> Option<Explained> {
    let line = line.content();
    let fault = Fault::error(
        FaultKind::Syntax,
        line,
        "a line that starts with `%` is a directive",
        "no directive that is known may stand here",
    )
    .help("stories need no directives: remove the line, or quote it if it is a text");
    site.skip_line(fault)
}

/// A text in front of the first key of a file, often a comment that has lost its `#`.
fn text_before(site: &Site<'_>, above: &Line<'_>) -> Option<Explained> {
    if above.key().is_some() || above.is_item() || site.line.key().is_none() {
        return None;
    }
    let line = colons::first_of_text(above);
    let raw_above = line.start.checked_sub(1).map(|at| Line::at(site.text, at));
    let raw_below = Line::at(site.text, (line.end + 1).min(site.text.len()));
    let is_comment = |line: &Line<'_>| line.text().trim_start().starts_with('#');
    if !raw_above.as_ref().is_some_and(is_comment) && !is_comment(&raw_below) {
        return None;
    }
    let fault = Fault::error(
        FaultKind::MissingColon,
        line.content(),
        "a text among comments is neither a comment nor a key",
        "a `#` or a key with its colon is expected here",
    )
    .fix("make it a comment", false, range(line.start, line.start), "#");
    site.skip_line(fault)
}

fn after_end(site: &Site<'_>) -> Option<Explained> {
    let ended = |line: &Line<'_>| line.text().starts_with("...");
    let above = site.line.above();
    if site.line.is_blank() && above.as_ref().is_some_and(|above| above.text().starts_with('%')) {
        return directive_line(site, &above?);
    }
    if !ended(&site.line) && !above.as_ref().is_some_and(ended) {
        return above
            .and_then(|above| text_before(site, &above))
            .or_else(|| indentation::misfit(site));
    }
    let fault = Fault::error(
        FaultKind::Syntax,
        site.line.content(),
        "something stands behind the end of the document",
        "`...` ends a document and stands alone",
    )
    .help("a further document starts with `---`");
    site.skip_line(fault)
}
