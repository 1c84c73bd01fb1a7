//! What may be said of files outside of the current directory: that they are at fault and where they come in, never what
//! they hold. A story of a stranger must not make a report that shows somebody's keys.

use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::{pipeline, rules};
use kitsoki_diagnostics::{Diagnostic, Level, Registry, Sources as _, render};

use crate::output;
use crate::session::Session;
use crate::sources::SessionSources;

/// Findings that quote nothing of a file that may not be shown, and say where it comes in.
#[must_use]
pub fn discreet(findings: Vec<Diagnostic>, sources: &SessionSources, registry: &Registry) -> Vec<Diagnostic> {
    let one = |finding: Diagnostic| {
        let hidden = finding.primary.as_ref().is_some_and(|p| !sources.quotable(p.span.file));
        let shown = finding.entrances.iter().position(|e| sources.quotable(e.span.file));
        let mut finding = finding.discreet(sources, registry, "the current directory");
        match shown.filter(|_| hidden) {
            Some(at) => {
                // Nothing else can be shown: the nearest place on the way stands for it.
                let way = finding.entrances.remove(at);
                finding.label(way.span, "the file comes in here")
            }
            None => finding,
        }
    };
    findings.into_iter().map(one).collect()
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
    let errors = discreet(errors, &sources, &rules::registry());
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
