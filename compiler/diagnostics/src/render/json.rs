//! The machine form: one JSON document, or one object per line. The shape is documented in `docs/reference/json.md`.

use serde_json::{Map, Value as Json, json};

use super::counts;
use crate::model::{Applicability, Diagnostic, Fix, Label};
use crate::sources::{Sources, place};

/// One document with every finding and a summary.
#[must_use]
pub fn json(findings: &[Diagnostic], sources: &dyn Sources, files: usize) -> String {
    let counts = counts(findings);
    let document = json!({
        "schema": 1,
        "diagnostics": findings.iter().map(|f| to_json(f, sources)).collect::<Vec<_>>(),
        "summary": {
            "errors": counts.errors,
            "warnings": counts.warnings,
            "hints": counts.hints,
            "files": files,
        },
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// One object per line, without a summary.
#[must_use]
pub fn jsonl(findings: &[Diagnostic], sources: &dyn Sources) -> String {
    let mut out = String::new();
    for finding in findings {
        out.push_str(&to_json(finding, sources).to_string());
        out.push('\n');
    }
    out
}

/// One finding as JSON.
#[must_use]
pub fn to_json(finding: &Diagnostic, sources: &dyn Sources) -> Json {
    json!({
        "rule": finding.rule,
        "severity": finding.severity.as_str(),
        "message": finding.message,
        "primary": finding.primary.as_ref().map(|l| labelled(l, sources)),
        "labels": finding.labels.iter().map(|l| labelled(l, sources)).collect::<Vec<_>>(),
        "notes": finding.helps.iter().chain(&finding.notes).collect::<Vec<_>>(),
        "fixes": finding.fixes.iter().map(|f| fix(f, sources)).collect::<Vec<_>>(),
        "entrances": finding.entrances.iter().map(|e| labelled(&e.as_label(), sources)).collect::<Vec<_>>(),
    })
}

fn labelled(label: &Label, sources: &dyn Sources) -> Json {
    let at = place(sources, label.span);
    let mut out = Map::new();
    out.insert("file".into(), Json::String(at.path));
    out.insert(
        "range".into(),
        json!({
            "start": { "line": at.line, "column": at.column, "offset": at.offset },
            "end": { "line": at.end_line, "column": at.end_column, "offset": at.end_offset },
        }),
    );
    if !label.message.is_empty() {
        out.insert("message".into(), Json::String(label.message.clone()));
    }
    Json::Object(out)
}

fn fix(fix: &Fix, sources: &dyn Sources) -> Json {
    let edits: Vec<Json> = fix
        .edits
        .iter()
        .map(|e| {
            let at = place(sources, e.span);
            json!({ "file": at.path, "start": at.offset, "end": at.end_offset, "text": e.text })
        })
        .collect();
    let mut out = json!({ "title": fix.title, "applicability": fix.applicability.as_str(), "edits": edits });
    if let (Applicability::Choice, Some(object)) = (fix.applicability, out.as_object_mut()) {
        object.insert("choice".into(), Json::Bool(true));
    }
    out
}
