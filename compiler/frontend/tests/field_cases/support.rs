//! A story in one text, and what is said about it in one text.

use std::fmt::Write as _;

use kitsoki_compiler::rules;
use kitsoki_diagnostics::fixes::Which;
use kitsoki_diagnostics::{Applicability, Label, place};
use kitsoki_syntax::Span;

use crate::story::{Files, Story};

/// The beginning of a manifest whose story begins in room `a`.
pub const HEAD: &str = "app: { id: t, version: 0.1.0, title: T }
root: a
intents: { go: { examples: [go] }, back: { examples: [back] } }
";

/// The files of a text: `//- path` begins one, what stands before belongs to `app.yaml`.
pub fn files(text: &str) -> Files {
    let mut out = vec![("app.yaml".to_owned(), String::new())];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("//- ") {
            Some(path) => out.push((path.trim_end().to_owned(), String::new())),
            None => out.last_mut().unwrap().1.push_str(line),
        }
    }
    out
}

fn at(story: &Story, span: Span) -> String {
    let p = place(story, span);
    let end = if p.line == p.end_line {
        p.end_column.to_string()
    } else {
        format!("{}:{}", p.end_line, p.end_column)
    };
    format!("{}:{}:{}-{end}", p.path, p.line, p.column)
}

/// Everything that is said of some files, as one text.
pub fn said_of_files(files: &[(String, String)]) -> String {
    let story = Story::check(files);
    let mut out = String::new();
    for finding in &story.findings {
        let rule = rules::registry().get(finding.rule).unwrap().id;
        let place = finding.primary.as_ref().map(|p| at(&story, p.span)).unwrap_or_default();
        let _ = writeln!(out, "{} {rule} {place} {}", finding.severity.as_str(), finding.message);
        if let Some(Label { message, .. }) = finding.primary.as_ref().filter(|p| !p.message.is_empty()) {
            let _ = writeln!(out, "  here: {message}");
        }
        for label in &finding.labels {
            let _ = writeln!(out, "  also {}: {}", at(&story, label.span), label.message);
        }
        for help in &finding.helps {
            let _ = writeln!(out, "  help: {help}");
        }
        for note in &finding.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        for entrance in &finding.entrances {
            let _ = writeln!(out, "  {} from {}", entrance.way.as_str(), at(&story, entrance.span));
        }
        for fix in &finding.fixes {
            let how = match fix.applicability {
                Applicability::Choice => "choice",
                other => other.as_str(),
            };
            let _ = write!(out, "  fix ({how}): {}", fix.title);
            for edit in &fix.edits {
                let _ = write!(out, "; {} becomes {:?}", at(&story, edit.span), edit.text);
            }
            out.push('\n');
        }
    }
    out
}

/// What is said of a story.
pub fn said(text: &str) -> String {
    said_of_files(&files(text))
}

/// What is said of a story whose manifest begins with [`HEAD`]; lines are those of the whole file.
pub fn said_of(body: &str) -> String {
    said(&format!("{HEAD}{body}"))
}

/// The files after fixes were applied until nothing changes.
pub fn fixed(text: &str, which: Which) -> Files {
    let mut now = files(text);
    for _ in 0..10 {
        let next = Story::check(&now).fixed(which);
        if next == now {
            break;
        }
        now = next;
    }
    now
}
