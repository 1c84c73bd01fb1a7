//! What may be said of files outside of the current directory: that they are at fault and where they come in, never what
//! they hold. A story of a stranger must not make a report that shows somebody's keys.

use kitsoki_compiler::db::{Db as _, SourceFile};
use kitsoki_compiler::{package, pipeline, rules};
use kitsoki_diagnostics::{Diagnostic, Level, Sources as _, render};

use crate::output;
use crate::session::Session;
use crate::sources::SessionSources;

/// Findings that quote nothing of a file that may not be shown: place, rule and the way in are enough there. A headline or
/// a label may hold names and values of such a file, also when its own place lies elsewhere.
#[must_use]
pub fn discreet(
    session: &Session,
    findings: Vec<Diagnostic>,
    files: &[SourceFile],
    sources: &SessionSources,
) -> Vec<Diagnostic> {
    findings.into_iter().map(|f| one(session, f, files, sources)).collect()
}

fn one(session: &Session, mut finding: Diagnostic, files: &[SourceFile], sources: &SessionSources) -> Diagnostic {
    let hidden = |span: kitsoki_syntax::Span| !sources.quotable(span.file);
    let primary = finding.primary.as_ref().map(|p| p.span).filter(|s| hidden(*s));
    if primary.is_none() && !finding.labels.iter().any(|l| hidden(l.span)) {
        return finding;
    }
    for label in finding.labels.iter_mut().filter(|l| hidden(l.span)) {
        label.message.clear();
    }
    finding.helps.clear();
    finding.notes.clear();
    finding.fixes.clear();
    let Some(place) = primary else { return finding };
    let summary = rules::registry()
        .get(finding.rule)
        .map_or("something is wrong", |r| r.summary);
    finding.message = format!("in a file outside of the current directory: {summary}");
    if let Some(primary) = &mut finding.primary {
        primary.message.clear();
    }
    let db = &session.db;
    let way = db.file_by_id(place.file).and_then(|f| package::entrance(db, files, f));
    match way.filter(|way| !hidden(*way)) {
        Some(way) => finding.label(way, "the file comes in here"),
        None => finding,
    }
}

/// Prints the errors that refuse a story, for people, with a summary line on demand, and says how many there are.
/// `None` when the story is not refused.
pub fn refusal(session: &Session, root: SourceFile, summary: bool) -> Option<usize> {
    let mut errors = pipeline::findings(&session.db, root);
    errors.retain(|f| f.severity == Level::Error);
    if errors.is_empty() {
        return None;
    }
    let files = &pipeline::story(&session.db, root).files;
    let sources = SessionSources::new(session, &errors, files, &[root]);
    let errors = discreet(session, errors, files, &sources);
    let sources = SessionSources::new(session, &errors, files, &[root]);
    let options = render::FullOptions {
        color: false,
        width: output::width(),
    };
    output::error(render::full(&errors, &sources, options).trim_end());
    if summary {
        output::error(&render::summary(&errors, files.len()));
    }
    Some(errors.len())
}
