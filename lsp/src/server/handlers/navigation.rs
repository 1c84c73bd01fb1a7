//! Hover, going to places, references, highlights, renaming.

use std::collections::BTreeMap;

use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, Position};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::params::{Document, InPlace};
use crate::features::definition::{self, Target};
use crate::features::symbol_at::{Reach, hits, uses};
use crate::features::{At, Place, Snapshot, hover, rename};
use crate::index::schema::Role;
use crate::server::dispatch::{Cx, Failure};

/// `textDocument/hover`.
pub fn hover(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    let Some(at) = params.at(cx) else { return Ok(Json::Null) };
    let Some(found) = hover::hover(cx.convert.snapshot, at) else {
        return Ok(Json::Null);
    };
    Ok(json!({
        "contents": { "kind": "markdown", "value": found.text },
        "range": cx.convert.range(at.file, found.range),
    }))
}

fn targets(cx: &Cx<'_>, params: &InPlace, find: fn(&Snapshot, At) -> Vec<Target>) -> Json {
    let Some(at) = params.at(cx) else { return Json::Null };
    let found = find(cx.convert.snapshot, at);
    let all: Vec<Json> = found
        .into_iter()
        .map(|t| {
            let location = cx.convert.location(t.place);
            if cx.client.links {
                json!({
                    "originSelectionRange": cx.convert.range(at.file, t.origin),
                    "targetUri": location.uri,
                    "targetRange": cx.convert.range(t.place.file, t.full),
                    "targetSelectionRange": location.range,
                })
            } else {
                json!(location)
            }
        })
        .collect();
    Json::Array(all)
}

/// `textDocument/definition`.
pub fn definition(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    Ok(targets(cx, &params, definition::definition))
}

/// `textDocument/typeDefinition`.
pub fn type_definition(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    Ok(targets(cx, &params, definition::type_definition))
}

/// `textDocument/implementation`.
pub fn implementation(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    Ok(targets(cx, &params, definition::implementation))
}

/// The parameters of `textDocument/references`.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct References {
    text_document: Document,
    position: Position,
    #[serde(default)]
    context: Context,
}

#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "camelCase")]
struct Context {
    #[serde(default)]
    include_declaration: bool,
}

/// `textDocument/references`.
pub fn references(cx: &Cx<'_>, params: References) -> Result<Json, Failure> {
    let place = InPlace {
        text_document: params.text_document,
        position: params.position,
    };
    let Some(at) = place.at(cx) else { return Ok(Json::Null) };
    let snapshot = cx.convert.snapshot;
    let mut found: Vec<Place> = Vec::new();
    for hit in hits(snapshot, at) {
        for used in uses(snapshot, &hit.symbol, Reach::Everywhere) {
            let wanted = params.context.include_declaration || used.role != Role::Definition;
            if wanted && !found.contains(&used.place) {
                found.push(used.place);
            }
        }
    }
    let locations: Vec<_> = found.into_iter().map(|p| cx.convert.location(p)).collect();
    Ok(json!(locations))
}

/// `textDocument/documentHighlight`.
pub fn highlights(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    let Some(at) = params.at(cx) else { return Ok(Json::Null) };
    let found: Vec<DocumentHighlight> = rename::highlights(cx.convert.snapshot, at)
        .into_iter()
        .map(|(range, role)| DocumentHighlight {
            range: cx.convert.range(at.file, range),
            kind: Some(match role {
                Role::Definition | Role::Write => DocumentHighlightKind::Write,
                Role::Read => DocumentHighlightKind::Read,
                Role::Call => DocumentHighlightKind::Text,
            }),
        })
        .collect();
    Ok(json!(found))
}

/// `textDocument/prepareRename`.
pub fn prepare_rename(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    let Some(at) = params.at(cx) else { return Ok(Json::Null) };
    let prepared = rename::prepare(cx.convert.snapshot, at).map_err(Failure::request)?;
    Ok(json!({
        "range": cx.convert.range(at.file, prepared.range),
        "placeholder": prepared.name,
    }))
}

/// The parameters of `textDocument/rename`.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Rename {
    text_document: Document,
    position: Position,
    new_name: String,
}

/// `textDocument/rename`.
pub fn rename(cx: &Cx<'_>, params: Rename) -> Result<Json, Failure> {
    let place = InPlace {
        text_document: params.text_document,
        position: params.position,
    };
    let Some(at) = place.at(cx) else { return Ok(Json::Null) };
    let edits = rename::rename(cx.convert.snapshot, at, &params.new_name).map_err(Failure::request)?;
    Ok(workspace_edit(cx, edits))
}

/// Edits of several files, in the form that the client takes.
pub fn workspace_edit(cx: &Cx<'_>, edits: Vec<(Place, String)>) -> Json {
    let db = &cx.convert.snapshot.db;
    let mut files: BTreeMap<String, (Place, Vec<Json>)> = BTreeMap::new();
    for (place, text) in edits {
        let edit = json!({ "range": cx.convert.range(place.file, place.range), "newText": text });
        files
            .entry(place.file.path(db).to_string())
            .or_insert_with(|| (place, Vec::new()))
            .1
            .push(edit);
    }
    if cx.client.document_changes {
        let changes: Vec<Json> = files
            .into_values()
            .map(|(place, edits)| {
                let version = cx.versions.get(place.file.path(db));
                json!({
                    "textDocument": { "uri": cx.convert.uri(place.file), "version": version },
                    "edits": edits,
                })
            })
            .collect();
        return json!({ "documentChanges": changes });
    }
    let changes: serde_json::Map<String, Json> = files
        .into_values()
        .map(|(place, edits)| (cx.convert.uri(place.file).0, Json::Array(edits)))
        .collect();
    json!({ "changes": changes })
}
