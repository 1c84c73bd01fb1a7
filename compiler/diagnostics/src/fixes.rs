//! Applying fixes to texts. Nothing here reads or writes a file: texts in, texts out.

use std::collections::BTreeMap;

use kitsoki_syntax::FileId;

use crate::model::{Applicability, Diagnostic, Edit, Fix};
use crate::sources::Sources;

/// Which fixes may be applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Only those on which every reader would agree.
    Safe,
    /// Also those that need a look; never one of several of which the author chooses.
    Unsafe,
}

/// What one pass made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Applied {
    /// The new text of each changed file.
    pub texts: BTreeMap<FileId, String>,
    /// Titles of the fixes that were applied, in order, with the rule.
    pub titles: Vec<(&'static str, String)>,
}

/// Applies at most one fix per finding, in the order of findings. A fix that touches what an earlier one touches waits for
/// the next pass; a fix whose edits do not fit their file is left out.
#[must_use]
pub fn apply(findings: &[Diagnostic], sources: &dyn Sources, which: Which) -> Applied {
    let mut taken: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    let mut titles = Vec::new();
    for finding in findings {
        let usable = |f: &&Fix| match f.applicability {
            Applicability::Safe => true,
            Applicability::Unsafe => which == Which::Unsafe,
            Applicability::Choice => false,
        };
        let Some(fix) = finding.fixes.iter().find(usable) else {
            continue;
        };
        let fits = |e: &Edit| {
            let text = sources.text(e.span.file);
            sources.quotable(e.span.file) && text.get(std::ops::Range::<usize>::from(e.span.range)).is_some()
        };
        let free = |e: &Edit| {
            taken
                .get(&e.span.file)
                .is_none_or(|done| done.iter().all(|d| apart(d, e)))
        };
        if fix.edits.is_empty() || !fix.edits.iter().all(|e| fits(e) && free(e)) {
            continue;
        }
        for edit in &fix.edits {
            taken.entry(edit.span.file).or_default().push(edit);
        }
        titles.push((finding.rule, fix.title.clone()));
    }
    let texts = taken
        .into_iter()
        .map(|(file, edits)| (file, edited(sources.text(file), edits)))
        .collect();
    Applied { texts, titles }
}

/// Whether two edits can be made together: they do not touch, not even at their ends.
fn apart(a: &Edit, b: &Edit) -> bool {
    let (a, b) = (a.span.range, b.span.range);
    a.end() < b.start() || b.end() < a.start()
}

/// The text after edits that do not overlap.
fn edited(text: &str, mut edits: Vec<&Edit>) -> String {
    edits.sort_by_key(|e| e.span.range.start());
    let mut out = String::with_capacity(text.len() + 64);
    let mut done = 0usize;
    for edit in edits {
        let (start, end) = (usize::from(edit.span.range.start()), usize::from(edit.span.range.end()));
        out.push_str(text.get(done..start).unwrap_or_default());
        out.push_str(&edit.text);
        done = end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// A unified diff of one file, empty when nothing changed.
#[must_use]
pub fn unified(path: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let diff = similar::TextDiff::from_lines(before, after);
    diff.unified_diff()
        .context_radius(3)
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}

#[cfg(test)]
mod tests {
    use kitsoki_syntax::{Span, TextRange};

    use super::*;
    use crate::{Fixable, Level, MemorySources, Rule};

    const RULE: Rule = Rule {
        id: "r",
        level: Level::Error,
        summary: "s",
        fixable: Fixable::Always,
    };

    fn span(file: FileId, a: u32, b: u32) -> Span {
        Span::new(file, TextRange::new(a.into(), b.into()))
    }

    #[test]
    fn fixes_that_touch_wait_for_the_next_pass() {
        let mut sources = MemorySources::new();
        let file = sources.add("a", "one two three", true);
        let fix = |a, b, text: &str| {
            RULE.at(span(file, a, b), "")
                .fix(Fix::replace(span(file, a, b), text).safe_if(true))
        };
        let findings = [fix(0, 3, "1"), fix(3, 7, "2"), fix(8, 13, "3")];
        let applied = apply(&findings, &sources, Which::Safe);
        assert_eq!(applied.texts[&file], "1 two 3");
        assert_eq!(applied.titles.len(), 2);
    }

    #[test]
    fn an_unsafe_fix_needs_the_word() {
        let mut sources = MemorySources::new();
        let file = sources.add("a", "x", true);
        let finding = [RULE.at(span(file, 0, 1), "").fix(Fix::replace(span(file, 0, 1), "y"))];
        assert!(apply(&finding, &sources, Which::Safe).texts.is_empty());
        assert_eq!(apply(&finding, &sources, Which::Unsafe).texts[&file], "y");
    }

    #[test]
    fn a_fix_that_does_not_fit_its_file_changes_nothing() {
        let mut sources = MemorySources::new();
        let file = sources.add("a", "é", true);
        let outside = RULE
            .at(span(file, 0, 1), "")
            .fix(Fix::replace(span(file, 1, 9), "y").safe_if(true));
        let hidden = sources.add("/etc/x", "x", false);
        let foreign = RULE
            .at(span(hidden, 0, 1), "")
            .fix(Fix::replace(span(hidden, 0, 1), "y").safe_if(true));
        assert!(apply(&[outside, foreign], &sources, Which::Safe).texts.is_empty());
    }
}
