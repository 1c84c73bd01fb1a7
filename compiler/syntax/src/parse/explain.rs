//! A break of the syntax in the author's words: what was found, where a person would point, what to do, and what to pass
//! over so that the rest can be read.

/// Texts behind `|` and `>`.
mod block_text;
/// Lists and mappings in brackets.
mod brackets;
/// Colons of keys.
mod colons;
/// Dashes of list items.
mod dashes;
/// Lines in the wrong column.
mod indentation;
/// Quoted texts.
mod quotes;
/// Tabs.
mod tabs;
/// Something behind a value.
mod trailing;
/// Single values: characters, escapes, tags, block headers.
mod values;

use super::events::{Break, Reason};
use super::lines::{Line, char_at, floor};
use super::template;
use crate::fault::{Fault, FaultKind};
use crate::span::{range, size, slice};
use crate::{Limits, TextRange};

/// A break and what to pass over.
pub(super) struct Explained {
    /// The fault.
    pub fault: Fault,
    /// The part of the text that is blanked before it is read again; `None` when that would not help.
    pub skip: Option<TextRange>,
}

/// What is known where the text breaks.
pub(super) struct Site<'t> {
    /// The text, earlier breaks blanked.
    pub text: &'t str,
    /// Where the parser gave up.
    pub at: usize,
    /// The line of it.
    pub line: Line<'t>,
    /// Open brackets, innermost last.
    pub brackets: Vec<usize>,
}

/// Finds the words for a break. `open` are the brackets of the nodes that were read, `read_to` is how far that was.
pub(super) fn explain(text: &str, broken: &Break, open: &[usize], read_to: usize, limits: &Limits) -> Explained {
    let mut explained = words(text, broken, open, read_to, limits);
    let fault = &mut explained.fault;
    let places = fault.related.iter_mut().map(|(at, _)| at);
    let edits = fault.fix.iter_mut().flat_map(|fix| &mut fix.edits).map(|(at, _)| at);
    for at in places
        .chain(edits)
        .chain(explained.skip.as_mut())
        .chain([&mut fault.range])
    {
        *at = whole_characters(text, *at);
    }
    // An edit that changes nothing is no fix.
    let idle = |(at, new): &(TextRange, String)| slice(text, *at) == new;
    if fault.fix.as_ref().is_some_and(|fix| fix.edits.iter().all(idle)) {
        fault.fix = None;
    }
    explained
}

/// The range with every character that it touches.
fn whole_characters(text: &str, at: TextRange) -> TextRange {
    let (start, end) = (usize::from(at.start()), usize::from(at.end()).min(text.len()));
    let last = char_at(text, end);
    let end = if usize::from(last.start()) < end {
        last.end().into()
    } else {
        end
    };
    range(floor(text, start), end)
}

fn words(text: &str, broken: &Break, open: &[usize], read_to: usize, limits: &Limits) -> Explained {
    let at = floor(text, broken.at);
    let brackets = brackets::open_at(text, open, read_to.min(at), at);
    let site = Site {
        text,
        at,
        line: Line::at(text, at),
        brackets,
    };
    if broken.reason == Reason::Depth {
        return too_deep(&site, limits);
    }
    if let Some(found) = tabs::tab(&site, &broken.reason) {
        return found;
    }
    if let Some(found) = dashes::touching_dash(&site).filter(|_| site.brackets.is_empty()) {
        return found;
    }
    if let Some(found) = site.template() {
        return found;
    }
    let found = match &broken.reason {
        Reason::UnclosedQuote => quotes::unclosed(&site, at),
        Reason::AfterQuote => quotes::text_behind(&site),
        Reason::Escape => quotes::escape(&site),
        // The parser points at the bracket itself.
        Reason::WrongBracket { open, close } => brackets::wrong(&site, *open, *close),
        Reason::UnclosedBracket if matches!(site.byte(at), Some(b'[' | b'{')) => brackets::unclosed(&site, at),
        _ => None,
    };
    let found = found.or_else(|| {
        if site.brackets.is_empty() {
            None
        } else {
            brackets::inside(&site, &broken.reason)
        }
    });
    let found = found.or_else(|| match &broken.reason {
        Reason::StrayBracket => brackets::stray(&site),
        Reason::Colon | Reason::NoColon => colons::colon(&site),
        Reason::Dash => dashes::dash(&site),
        Reason::Indentation | Reason::NoValue | Reason::End | Reason::Other => indentation::misfit(&site),
        reason => values::explain(&site, reason),
    });
    found.unwrap_or_else(|| site.plain())
}

fn too_deep(site: &Site<'_>, limits: &Limits) -> Explained {
    let fault = Fault::error(
        FaultKind::Depth,
        char_at(site.text, site.at),
        format!("nested deeper than {} levels", limits.max_depth),
        "one level too many starts here",
    )
    .help("write the value flatter; from here on nothing is read");
    Explained { fault, skip: None }
}

impl Site<'_> {
    /// A fault and the line of its range with all that belongs to the line.
    fn skip_line(&self, fault: Fault) -> Option<Explained> {
        let line = Line::at(self.text, fault.range.start().into());
        Some(Explained {
            fault,
            skip: Some(line.with_children()),
        })
    }

    /// A fault and a part of the text from an offset to the end of its line.
    fn skip_rest(&self, fault: Fault, from: usize) -> Option<Explained> {
        let end = Line::at(self.text, from).end;
        Some(Explained {
            fault,
            skip: Some(TextRange::new(size(from), size(end))),
        })
    }

    /// The byte at an offset.
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The text between two offsets.
    fn part(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// An unquoted template at or before the break, on its line.
    fn template(&self) -> Option<Explained> {
        let upto = (self.at + 2).min(self.line.end);
        if let Some(found) = block_text::flat_text(self, &self.line) {
            return Some(found);
        }
        let start = template::unquoted(self.part(self.line.start, floor(self.text, upto)))? + self.line.start;
        let in_flow = self.brackets.iter().any(|open| *open < start);
        let fault = template::fault(self.text, range(start, start), in_flow);
        let end = fault.range.end();
        Some(Explained {
            fault,
            skip: Some(TextRange::new(size(start), end)),
        })
    }

    /// The last resort.
    fn plain(&self) -> Explained {
        let at = if self.at >= self.text.len() {
            self.line.content()
        } else {
            char_at(self.text, self.at)
        };
        let fault = Fault::error(
            FaultKind::Syntax,
            at,
            "the text cannot be read here",
            "YAML ends to make sense here",
        )
        .help("check the quotes, brackets and colons of this line and the one above");
        Explained {
            fault,
            skip: Some(self.line.with_children()),
        }
    }
}
