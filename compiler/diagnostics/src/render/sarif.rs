//! SARIF 2.1.0, for code scanning.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::baseline::fingerprints;
use crate::model::{Diagnostic, Entrance, Fix, Label};
use crate::rule::{Level, Registry};
use crate::sources::{Sources, place};

/// One run with every finding and the rules that speak in it.
#[must_use]
pub fn sarif(findings: &[Diagnostic], sources: &dyn Sources, registry: &Registry, version: &str) -> String {
    let mut used: Vec<&'static str> = findings.iter().map(|f| f.rule).collect();
    used.sort_unstable();
    used.dedup();
    let index: BTreeMap<&str, usize> = used.iter().enumerate().map(|(i, id)| (*id, i)).collect();
    let rules: Vec<Json> = used
        .iter()
        .map(|id| {
            let rule = registry.get(id);
            json!({
                "id": id,
                "shortDescription": { "text": rule.map_or(*id, |r| r.summary) },
                "help": { "text": format!("kitsoki explain {id}") },
                "defaultConfiguration": { "level": level(rule.map_or(Level::Warning, |r| r.level)) },
            })
        })
        .collect();
    let results: Vec<Json> = findings
        .iter()
        .zip(fingerprints(findings, sources))
        .map(|(finding, print)| {
            let mut result = json!({
                "ruleId": finding.rule,
                "ruleIndex": index.get(finding.rule),
                "level": level(finding.severity),
                "message": { "text": message(finding) },
                "locations": finding.primary.iter().map(|l| location(l, sources, None)).collect::<Vec<_>>(),
                "partialFingerprints": { "kitsoki/v1": print },
            });
            let ways: Vec<Label> = finding.entrances.iter().map(Entrance::as_label).collect();
            let related = finding.labels.iter().chain(&ways).enumerate();
            let related: Vec<Json> = related.map(|(i, l)| location(l, sources, Some(i + 1))).collect();
            let fixes: Vec<Json> = finding.fixes.iter().map(|f| fix(f, sources)).collect();
            if let Some(object) = result.as_object_mut() {
                if !related.is_empty() {
                    object.insert("relatedLocations".into(), Json::Array(related));
                }
                if !fixes.is_empty() {
                    object.insert("fixes".into(), Json::Array(fixes));
                }
            }
            result
        })
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "kitsoki", "version": version, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Hint => "note",
        Level::Off => "none",
    }
}

fn message(finding: &Diagnostic) -> String {
    let mut text = finding.message.clone();
    for help in &finding.helps {
        text.push_str("; ");
        text.push_str(help);
    }
    text
}

fn region(label_span: kitsoki_syntax::Span, sources: &dyn Sources) -> (String, Json) {
    let at = place(sources, label_span);
    let region = json!({
        "startLine": at.line,
        "startColumn": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
    });
    (uri(&at.path), region)
}

fn location(label: &Label, sources: &dyn Sources, id: Option<usize>) -> Json {
    let (uri, region) = region(label.span, sources);
    let mut location = json!({ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region } });
    if let Some(object) = location.as_object_mut() {
        if let Some(id) = id {
            object.insert("id".into(), json!(id));
        }
        if !label.message.is_empty() {
            object.insert("message".into(), json!({ "text": label.message }));
        }
    }
    location
}

fn fix(fix: &Fix, sources: &dyn Sources) -> Json {
    let mut files: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for edit in &fix.edits {
        let (uri, region) = region(edit.span, sources);
        files
            .entry(uri)
            .or_default()
            .push(json!({ "deletedRegion": region, "insertedContent": { "text": edit.text } }));
    }
    let changes: Vec<Json> = files
        .into_iter()
        .map(|(uri, replacements)| json!({ "artifactLocation": { "uri": uri }, "replacements": replacements }))
        .collect();
    json!({ "description": { "text": fix.title }, "artifactChanges": changes })
}

/// A path as a URI reference: everything but unreserved characters and `/` in percent form.
fn uri(path: &str) -> String {
    let mut out = String::new();
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
