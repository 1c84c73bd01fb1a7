//! A finding as data: what is wrong, where, why, and what to do. No renderer's needs show here.

use std::collections::BTreeMap;

use kitsoki_syntax::{FileId, Span};

use crate::rule::{Level, Registry};
use crate::sanitize;
use crate::sources::Sources;

/// A place with a short text that says what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What it is; may be empty.
    pub message: String,
}

/// How a file comes into a story.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// A pattern of an including file matches it.
    Included,
    /// It is the manifest of an imported story.
    Imported,
}

impl Way {
    /// The word in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Way::Included => "included",
            Way::Imported => "imported",
        }
    }
}

/// The place through which a file comes into a story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrance {
    /// The place.
    pub span: Span,
    /// What it does.
    pub way: Way,
}

impl Entrance {
    /// The place with a text for forms that show places only.
    #[must_use]
    pub fn as_label(&self) -> Label {
        Label {
            span: self.span,
            message: format!("{} here", self.way.as_str()),
        }
    }
}

/// Whether a fix may be applied without a look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applicability {
    /// Every reader of the story would agree.
    Safe,
    /// It changes the meaning, or it is a guess.
    Unsafe,
    /// One of several ways of which only the author knows the right one: it is offered, and never applied with others.
    Choice,
}

impl Applicability {
    /// The word in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "unsafe",
            // For whoever applies fixes it is one that needs a look.
            Applicability::Choice => "unsafe",
        }
    }
}

/// A text that replaces the bytes of a span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced; an empty span inserts.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Edits that belong together: all of them are applied, or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What the edits do, as an imperative.
    pub title: String,
    /// Whether it may be applied without a look.
    pub applicability: Applicability,
    /// The edits, in the order of files and places, never overlapping.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Replaces a span. Not safe until [`Self::safe_if`] says so.
    #[must_use]
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self::edits([(span, text.into())])
    }

    /// Inserts a text where an (empty) span stands.
    #[must_use]
    pub fn insert(span: Span, text: impl Into<String>) -> Self {
        Self::replace(span, text)
    }

    /// Removes a span.
    #[must_use]
    pub fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }

    /// Several edits. Edits that overlap an earlier one are left out.
    #[must_use]
    pub fn edits(edits: impl IntoIterator<Item = (Span, String)>) -> Self {
        let mut edits: Vec<Edit> = edits.into_iter().map(|(span, text)| Edit { span, text }).collect();
        edits.sort_by_key(|e| (e.span.file, e.span.range.start(), e.span.range.end()));
        let mut kept: Vec<Edit> = Vec::with_capacity(edits.len());
        for edit in edits {
            let clash = kept
                .last()
                .is_some_and(|k| k.span.file == edit.span.file && k.span.range.end() > edit.span.range.start());
            if !clash {
                kept.push(edit);
            }
        }
        Self {
            title: String::new(),
            applicability: Applicability::Unsafe,
            edits: kept,
        }
    }

    /// Says what the fix does.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Makes the fix safe when `safe` holds.
    #[must_use]
    pub fn safe_if(mut self, safe: bool) -> Self {
        self.applicability = if safe {
            Applicability::Safe
        } else {
            Applicability::Unsafe
        };
        self
    }

    /// Makes the fix one of several, of which the author chooses.
    #[must_use]
    pub fn choice(mut self) -> Self {
        self.applicability = Applicability::Choice;
        self
    }

    /// Whether it may be applied without a look.
    #[must_use]
    pub fn is_safe(&self) -> bool {
        self.applicability == Applicability::Safe
    }
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The rule's name.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Level,
    /// The headline: lower case, no full stop; makes sense in a list.
    pub message: String,
    /// Where; `None` only when there is no place at all.
    pub primary: Option<Label>,
    /// Further places that explain it.
    pub labels: Vec<Label>,
    /// Facts that explain it.
    pub notes: Vec<String>,
    /// What to do.
    pub helps: Vec<String>,
    /// Edits that mend it, the best first.
    pub fixes: Vec<Fix>,
    /// How the file of the primary place comes into the story, outwards; empty in the manifest of the story itself.
    pub entrances: Vec<Entrance>,
}

impl Diagnostic {
    /// Sets the headline. It stays one line: an author's text that it quotes may have several.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        if self.message.contains(char::is_control) {
            self.message = sanitize::one_line(&self.message);
        }
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            message: message.into(),
        });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.helps.push(help.into());
        self
    }

    /// Adds a fix.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Sets how bad it is.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.severity = level;
        self
    }

    /// Every place that it names: its own, those of its labels, those that its fixes change, the way to its file.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        let labels = self.primary.iter().chain(&self.labels).map(|l| l.span);
        let edits = self.fixes.iter().flat_map(|f| f.edits.iter().map(|e| e.span));
        labels.chain(edits).chain(self.entrances.iter().map(|e| e.span))
    }

    /// The same finding with every place moved.
    #[must_use]
    pub fn map_spans(mut self, moved: impl Fn(Span) -> Span) -> Self {
        for label in self.primary.iter_mut().chain(&mut self.labels) {
            label.span = moved(label.span);
        }
        for edit in self.fixes.iter_mut().flat_map(|f| &mut f.edits) {
            edit.span = moved(edit.span);
        }
        for entrance in &mut self.entrances {
            entrance.span = moved(entrance.span);
        }
        self
    }

    /// The same finding with nothing quoted of files that may not be shown: place and rule are enough there. A headline or
    /// a label may hold names and values of such a file, also when its own place lies elsewhere. `whose` says outside of
    /// what the file lies.
    #[must_use]
    pub fn discreet(mut self, sources: &dyn Sources, registry: &Registry, whose: &str) -> Self {
        let hidden = |label: &Label| !sources.quotable(label.span.file);
        let primary = self.primary.as_ref().is_some_and(hidden);
        if !primary && !self.labels.iter().any(hidden) {
            return self;
        }
        if primary {
            let summary = registry.get(self.rule).map_or("something is wrong", |r| r.summary);
            self.message = format!("in a file outside of {whose}: {summary}");
        }
        let labels = self.primary.iter_mut().chain(&mut self.labels);
        labels.filter(|l| hidden(l)).for_each(|l| l.message.clear());
        self.helps.clear();
        self.notes.clear();
        self.fixes.clear();
        self
    }

    /// The best fix of which nobody has to choose.
    #[must_use]
    pub fn best_fix(&self) -> Option<&Fix> {
        self.fixes.iter().find(|f| f.applicability != Applicability::Choice)
    }

    /// The best safe fix.
    #[must_use]
    pub fn safe_fix(&self) -> Option<&Fix> {
        self.fixes.iter().find(|f| f.is_safe())
    }
}

/// Sorts findings by file in the order of `files`, then by place, then by rule: the order in which people read them.
/// Findings without a place come first, files that are not among `files` last.
pub fn sort(findings: &mut [Diagnostic], files: impl IntoIterator<Item = FileId>) {
    let order: BTreeMap<FileId, usize> = files.into_iter().enumerate().map(|(i, f)| (f, i)).collect();
    findings.sort_by_key(|f| {
        let span = f.primary.as_ref().map(|p| p.span);
        let file = span.map_or(0, |s| order.get(&s.file).copied().unwrap_or(usize::MAX));
        (file, span.map(|s| s.range.start()), f.rule)
    });
}

/// Makes one finding of those that say the same of the same place, as when a text is used several times; a note tells how
/// often. The findings are in the order of [`sort`].
pub fn merge_repeats(findings: &mut Vec<Diagnostic>) {
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(findings.len());
    let mut counts: Vec<usize> = Vec::with_capacity(findings.len());
    for finding in findings.drain(..) {
        let same = |k: &&mut Diagnostic| {
            k.rule == finding.rule && k.primary == finding.primary && k.message == finding.message
        };
        match (kept.last_mut().filter(same), counts.last_mut()) {
            (Some(_), Some(count)) => *count += 1,
            _ => {
                kept.push(finding);
                counts.push(1);
            }
        }
    }
    for (finding, count) in kept.iter_mut().zip(counts).filter(|(_, count)| *count > 1) {
        finding
            .notes
            .push(format!("the same in {count} uses of this text, by phases or imports"));
    }
    *findings = kept;
}

/// The longest name that a message shows whole, in characters.
const LONGEST_NAME: usize = 60;

/// A name in backticks: control characters visible, a very long name shortened.
#[must_use]
pub fn code(name: &str) -> String {
    let visible = sanitize::one_line(name);
    if visible.chars().count() <= LONGEST_NAME {
        return format!("`{visible}`");
    }
    let head: String = visible.chars().take(LONGEST_NAME - 1).collect();
    format!("`{head}…`")
}

#[cfg(test)]
mod tests {
    use kitsoki_syntax::TextRange;

    use super::*;

    fn span(a: u32, b: u32) -> Span {
        Span::new(FileId(0), TextRange::new(a.into(), b.into()))
    }

    #[test]
    fn edits_of_one_fix_never_overlap() {
        let fix = Fix::edits([
            (span(4, 8), "x".into()),
            (span(0, 2), "y".into()),
            (span(6, 9), "z".into()),
        ]);
        let kept: Vec<_> = fix.edits.iter().map(|e| e.text.as_str()).collect();
        assert_eq!(kept, ["y", "x"]);
    }

    #[test]
    fn names_in_messages_are_visible_and_short() {
        assert_eq!(code("a\u{1b}[31m"), "`a\u{241b}[31m`");
        assert!(code(&"x".repeat(500)).chars().count() < 70);
    }
}
