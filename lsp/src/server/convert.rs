//! From places and findings to the protocol's types.

use std::sync::Arc;

use camino::Utf8PathBuf;
use gen_lsp_types::{
    Code, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, Message, Position,
    Range, Uri,
};
use kitsoki_compiler::db::SourceFile;
use kitsoki_diagnostics::{self as model, Level};
use kitsoki_syntax::{Span, TextRange, TextSize};
use rustc_hash::FxHashMap;

use super::position::Encoding;
use super::uri;
use crate::features::{At, Place, Snapshot};

/// What the way to the protocol needs.
pub struct Convert<'a> {
    /// The state.
    pub snapshot: &'a Snapshot,
    /// How the client counts.
    pub encoding: Encoding,
    /// The client's spelling of the open files.
    documents: Arc<FxHashMap<Utf8PathBuf, Uri>>,
}

impl<'a> Convert<'a> {
    /// A converter for one state.
    #[must_use]
    pub fn new(snapshot: &'a Snapshot, encoding: Encoding, documents: Arc<FxHashMap<Utf8PathBuf, Uri>>) -> Self {
        Self {
            snapshot,
            encoding,
            documents,
        }
    }

    /// The URI of a file, as the client spells it.
    #[must_use]
    pub fn uri(&self, file: SourceFile) -> Uri {
        let path = file.path(&self.snapshot.db);
        self.documents.get(path).cloned().unwrap_or_else(|| uri::of_path(path))
    }

    /// The positions of a range.
    #[must_use]
    pub fn range(&self, file: SourceFile, range: TextRange) -> Range {
        self.encoding.range(self.snapshot.lines(file), range)
    }

    /// The location of a place.
    #[must_use]
    pub fn location(&self, place: Place) -> Location {
        Location {
            uri: self.uri(place.file),
            range: self.range(place.file, place.range),
        }
    }

    /// The place of a position of the client.
    #[must_use]
    pub fn at(&self, file: SourceFile, position: Position) -> At {
        At {
            file,
            offset: self.offset(file, position),
        }
    }

    /// The offset of a position of the client.
    #[must_use]
    pub fn offset(&self, file: SourceFile, position: Position) -> TextSize {
        let text = self.snapshot.text(file);
        self.encoding.offset(self.snapshot.lines(file), &text, position)
    }

    /// The range of a range of the client.
    #[must_use]
    pub fn text_range(&self, file: SourceFile, range: Range) -> TextRange {
        let text = self.snapshot.text(file);
        self.encoding.text_range(self.snapshot.lines(file), &text, range)
    }

    fn span(&self, span: Span) -> Option<Place> {
        self.snapshot.place(span)
    }

    /// A finding with its file; one without a place stands at the top of its story.
    #[must_use]
    pub fn diagnostic(&self, finding: &model::Diagnostic, root: SourceFile) -> Option<(SourceFile, Diagnostic)> {
        let primary = finding.primary.as_ref();
        let place = match primary {
            Some(label) => self.span(label.span)?,
            None => Place {
                file: root,
                range: TextRange::empty(TextSize::new(0)),
            },
        };
        // The way to the file stays out: two stories that share a file say the same thing about it once, and the editor
        // leads from a file to its stories anyway.
        let related: Vec<DiagnosticRelatedInformation> = finding
            .labels
            .iter()
            .filter_map(|label| {
                let location = self.location(self.span(label.span)?);
                let message = if label.message.is_empty() {
                    "see here".to_owned()
                } else {
                    label.message.clone()
                };
                Some(DiagnosticRelatedInformation { location, message })
            })
            .collect();
        let diagnostic = Diagnostic {
            range: self.range(place.file, place.range),
            severity: Some(severity(finding.severity)),
            code: Some(Code::String(finding.rule.to_owned())),
            source: Some("kitsoki".to_owned()),
            message: Message::String(text(finding)),
            tags: tag(finding.rule).map(|t| vec![t]),
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        };
        Some((place.file, diagnostic))
    }
}

/// The headline, and below it what the underlined words are and what to do.
fn text(finding: &model::Diagnostic) -> String {
    let mut out = finding.message.clone();
    if let Some(label) = finding.primary.as_ref().filter(|p| !p.message.is_empty()) {
        out.push('\n');
        out.push_str(&label.message);
    }
    for help in &finding.helps {
        out.push_str("\nhelp: ");
        out.push_str(help);
    }
    for note in &finding.notes {
        out.push_str("\nnote: ");
        out.push_str(note);
    }
    out
}

fn severity(level: Level) -> DiagnosticSeverity {
    match level {
        Level::Error => DiagnosticSeverity::Error,
        Level::Warning => DiagnosticSeverity::Warning,
        Level::Hint | Level::Off => DiagnosticSeverity::Hint,
    }
}

/// Rules about what never runs or is never reached are shown faded.
fn tag(rule: &str) -> Option<DiagnosticTag> {
    const FADED: [&str; 9] = [
        "unreachable-state",
        "unreachable-arm",
        "dead-effect-part",
        "effects-never-run",
        "empty-arc",
        "ignored-key",
        "unused-suppression",
        "phase-template-unused",
        "phase-dropped-key",
    ];
    if FADED.contains(&rule) {
        Some(DiagnosticTag::Unnecessary)
    } else if rule.ends_with("-deprecated") {
        Some(DiagnosticTag::Deprecated)
    } else {
        None
    }
}
