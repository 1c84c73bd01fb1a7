//! What a stage changed, as a unified diff of pieces: rooms by path, then what is declared outside of them.
//!
//! Added lines say where they came from when nobody wrote them.

use kitsoki_ir::text::Line;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use super::Parts;

/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// Where notes begin when lines are short.
const NOTE_COLUMN: usize = 64;

/// The pieces that differ; nothing when none does.
pub(super) fn unified(old: &Parts, new: &Parts, old_name: &str, new_name: &str) -> String {
    let mut out = String::new();
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let (before, after) = (piece(old, name), piece(new, name));
        let (a, b): (Vec<&str>, Vec<&str>) = (texts(before), texts(after));
        if a == b {
            continue;
        }
        out.push_str(&format!(
            "--- {} ({old_name})\n+++ {} ({new_name})\n",
            shown(name),
            shown(name)
        ));
        for hunk in group_diff_ops(capture_diff_slices(Algorithm::Myers, &a, &b), CONTEXT) {
            self::hunk(&mut out, &hunk, before, after);
        }
    }
    out
}

fn piece<'p>(parts: &'p Parts, name: &str) -> &'p [Line] {
    parts.get(name).map(Vec::as_slice).unwrap_or_default()
}

fn texts(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|l| l.text.as_str()).collect()
}

fn shown(name: &str) -> String {
    if name.starts_with('(') {
        name.to_owned()
    } else {
        kitsoki_ir::text::word(name)
    }
}

fn hunk(out: &mut String, ops: &[DiffOp], before: &[Line], after: &[Line]) {
    let (Some(first), Some(last)) = (ops.first(), ops.last()) else {
        return;
    };
    let (old, new) = (
        first.old_range().start..last.old_range().end,
        first.new_range().start..last.new_range().end,
    );
    out.push_str(&format!(
        "@@ -{},{} +{},{} @@\n",
        old.start + 1,
        old.len(),
        new.start + 1,
        new.len()
    ));
    for op in ops {
        let (gone, come): (char, char) = ('-', '+');
        match op {
            DiffOp::Equal { new_index, len, .. } => {
                lines(
                    out,
                    ' ',
                    after.get(*new_index..new_index + len).unwrap_or_default(),
                    false,
                );
            }
            other => {
                lines(out, gone, before.get(other.old_range()).unwrap_or_default(), false);
                lines(out, come, after.get(other.new_range()).unwrap_or_default(), true);
            }
        }
    }
}

fn lines(out: &mut String, mark: char, lines: &[Line], noted: bool) {
    for line in lines {
        out.push(mark);
        out.push_str(&line.text);
        if let Some(note) = line.note.as_ref().filter(|_| noted) {
            let width = line.text.chars().count() + 1;
            out.extend(std::iter::repeat_n(' ', NOTE_COLUMN.saturating_sub(width).max(1)));
            out.push_str("; ");
            out.push_str(note);
        }
        out.push('\n');
    }
}
