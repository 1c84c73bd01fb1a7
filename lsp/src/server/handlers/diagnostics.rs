//! Pulled diagnostics.

use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash as _, Hasher as _};

use gen_lsp_types::{
    Diagnostic, DocumentDiagnosticParams, FullDocumentDiagnosticReport, RelatedDocument,
    RelatedFullDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, Uri,
};
use kitsoki_compiler::db::SourceFile;
use serde::Serialize;

use crate::features::{diagnostics, stories};
use crate::server::dispatch::{Cx, Failure};
use crate::server::uri;

/// `textDocument/diagnostic`: what every story says about the file, and about other files that are not open when the client
/// takes it.
pub fn pull(cx: &Cx<'_>, params: DocumentDiagnosticParams) -> Result<Report, Failure> {
    let snapshot = cx.convert.snapshot;
    let mut by_file: BTreeMap<Utf8, (SourceFile, Vec<Diagnostic>)> = BTreeMap::new();
    let mut own: Vec<Diagnostic> = Vec::new();
    if let Some(path) = uri::to_path(&params.text_document.uri.0) {
        let file = snapshot.file(&path);
        for root in stories::roots(snapshot, file) {
            for finding in &diagnostics::of_story(snapshot, root).findings {
                let Some((at, diagnostic)) = cx.convert.diagnostic(finding, root) else {
                    continue;
                };
                let list = if at == file {
                    &mut own
                } else {
                    &mut by_file
                        .entry(at.path(&snapshot.db).to_string())
                        .or_insert_with(|| (at, Vec::new()))
                        .1
                };
                if !list.contains(&diagnostic) {
                    list.push(diagnostic);
                }
            }
        }
    }
    let related: HashMap<Uri, RelatedDocument> = by_file
        .into_values()
        .filter(|(file, _)| cx.client.related && !snapshot.workspace.open.contains(file.path(&snapshot.db)))
        .map(|(file, items)| {
            let report = FullDocumentDiagnosticReport { result_id: None, items };
            (cx.convert.uri(file), report.into())
        })
        .collect();
    let id = fingerprint(&own);
    if related.is_empty() && params.previous_result_id.as_deref() == Some(id.as_str()) {
        return Ok(Report::Same(UnchangedDocumentDiagnosticReport { result_id: id }));
    }
    Ok(Report::Full(RelatedFullDocumentDiagnosticReport {
        related_documents: (!related.is_empty()).then_some(related),
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: Some(id),
            items: own,
        },
    }))
}

/// The answer.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Nothing is different from what the client was told.
    Same(UnchangedDocumentDiagnosticReport),
    /// Everything.
    Full(RelatedFullDocumentDiagnosticReport),
}

type Utf8 = String;

fn fingerprint(items: &[Diagnostic]) -> String {
    let mut hasher = rustc_hash::FxHasher::default();
    serde_json::to_string(items).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
