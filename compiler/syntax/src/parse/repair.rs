//! What is read although it is not quite YAML, and what is looked for before reading: comments that touch a token, control
//! characters, the marks of a merge conflict, an empty document in front.

use super::events::{Break, Reason};
use super::lines::Line;
use crate::TextRange;
use crate::fault::{Fault, FaultFix, FaultKind};
use crate::span::range;

/// A comment that touches the bracket or quote before it: the warning, and the comment.
pub(super) fn touching_comment(text: &str, broken: &Break) -> Option<(Fault, TextRange)> {
    if broken.reason != Reason::TouchingComment {
        return None;
    }
    let at = text.get(broken.at..)?.find('#')? + broken.at;
    let line = Line::at(text, at);
    if at >= line.end {
        return None;
    }
    let fault = Fault::warning(
        FaultKind::CommentTouchesToken,
        range(at, at + 1),
        "a comment touches the value before it",
        "a blank is missing before this comment",
    )
    .fix("insert a blank before the comment", true, range(at, at), " ");
    Some((fault, range(at, line.end)))
}

/// A merge conflict: its fault, and the parts that are not read: the marks and the second version.
pub(super) struct Conflict {
    /// The fault, at the first mark.
    pub fault: Fault,
    /// What is passed over.
    pub parts: Vec<TextRange>,
}

/// The merge conflicts of a text. Marks stand at the margin, in their order.
pub(super) fn conflicts(text: &str) -> Vec<Conflict> {
    let mut out = Vec::new();
    let mut from = 0;
    while out.len() < 20 {
        let Some(open) = find_mark(text, from, "<<<<<<< ") else {
            break;
        };
        let Some(middle) = find_mark(text, open.end, "=======") else {
            break;
        };
        let Some(close) = find_mark(text, middle.end, ">>>>>>> ") else {
            break;
        };
        from = close.end;
        let mark = |line: &Line<'_>| range(line.start, line.end);
        let fault = Fault::error(
            FaultKind::ConflictMarker,
            mark(&open),
            "the file holds an unresolved merge conflict",
            "the first version starts here",
        )
        .related(mark(&middle), "the second version starts here")
        .related(mark(&close), "the conflict ends here")
        .help("keep one version and remove the three marks");
        let fault = same_versions(text, &open, &middle, &close, fault);
        out.push(Conflict {
            fault,
            parts: vec![mark(&open), range(middle.start, close.end)],
        });
    }
    out
}

/// Two equal versions need no decision.
fn same_versions(text: &str, open: &Line<'_>, middle: &Line<'_>, close: &Line<'_>, fault: Fault) -> Fault {
    let first = text.get(open.end..middle.start).unwrap_or_default();
    let second = text.get(middle.end..close.start).unwrap_or_default();
    if first != second {
        return choices(text, open, middle, close, fault);
    }
    let kept = first.trim_start_matches(['\r', '\n']);
    fault.fix(
        "keep one of the two equal versions",
        true,
        range(open.start, next_line(text, close)),
        kept,
    )
}

/// One version, the other, or both.
fn choices(text: &str, open: &Line<'_>, middle: &Line<'_>, close: &Line<'_>, mut fault: Fault) -> Fault {
    let (first, second, end) = (next_line(text, open), next_line(text, middle), next_line(text, close));
    let choice = |title: &str, cuts: &[(usize, usize)]| FaultFix {
        title: title.to_owned(),
        safe: false,
        edits: cuts.iter().map(|(a, b)| (range(*a, *b), String::new())).collect(),
    };
    fault.choices = vec![
        choice("keep the first version", &[(open.start, first), (middle.start, end)]),
        choice("keep the second version", &[(open.start, second), (close.start, end)]),
        choice(
            "keep both versions",
            &[(open.start, first), (middle.start, second), (close.start, end)],
        ),
    ];
    fault
}

/// Where the line behind a line begins.
fn next_line(text: &str, line: &Line<'_>) -> usize {
    let rest = text.get(line.end..).unwrap_or_default();
    rest.find('\n').map_or(text.len(), |found| line.end + found + 1)
}

/// The next line at the margin that starts with a mark.
fn find_mark<'t>(text: &'t str, from: usize, mark: &str) -> Option<Line<'t>> {
    let mut from = from;
    loop {
        let at = text.get(from..)?.find(mark)? + from;
        let at_margin = at == 0 || matches!(text.as_bytes().get(at - 1), Some(b'\n' | b'\r' | 0xBF));
        if at_margin {
            let line = Line::at(text, at);
            if mark.ends_with(' ') || line.text().trim_end() == mark {
                return Some(line);
            }
        }
        from = at + mark.len();
    }
}

/// Control characters: the first NUL is an error, the first of the others a warning.
pub(super) fn controls(text: &str) -> Vec<Fault> {
    let is_control = |byte: u8| (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r')) || byte == 0x7F;
    if !text.bytes().any(is_control) {
        return Vec::new();
    }
    let first = |wanted: fn(u8) -> bool| text.bytes().position(wanted);
    let nul = first(|byte| byte == 0).map(|at| {
        Fault::error(
            FaultKind::ControlCharacter,
            range(at, at + 1),
            "the file holds a NUL byte",
            "text has no NUL",
        )
        .help("the file may be binary or in another encoding: save it as UTF-8")
    });
    let other = first(|byte| matches!(byte, 1..=8 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F)).map(|at| {
        let byte = text.as_bytes().get(at).copied().unwrap_or_default();
        Fault::warning(
            FaultKind::ControlCharacter,
            range(at, at + 1),
            format!("the control character U+{byte:04X} stands in the text"),
            "an invisible character",
        )
        .help("remove it, or write it as an escape in double quotes")
    });
    nul.into_iter().chain(other).collect()
}

/// An empty document in front of the one with the content.
pub(super) fn empty_document(text: &str, at: usize) -> Fault {
    let line = Line::at(text, at);
    Fault::error(
        FaultKind::EmptyDocument,
        range(at, at + 3),
        "the first document of the file is empty",
        "the content starts only behind this second `---`",
    )
    .help("remove the marker lines before it: only the first document is read")
    .fix("remove this marker", false, range(line.start, line.end), "")
}
