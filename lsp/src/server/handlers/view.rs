//! What is shown in and around the text: colours, folds, selections, links, hints, lenses.

use gen_lsp_types::{Position, Range};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::params::{Document, InFile, InRange};
use crate::features::lenses::{self, LensAction};
use crate::features::symbol_at::{Reach, uses};
use crate::features::{At, Place, arcs, hints, links, semantic, structure};
use crate::index::resolve::Symbol;
use crate::index::schema::{Kind, Role};
use crate::server::dispatch::{Cx, Failure};
use crate::server::uri;

/// `textDocument/semanticTokens/full`.
pub fn tokens(cx: &Cx<'_>, params: InFile) -> Result<Json, Failure> {
    coloured(cx, &params.text_document, None)
}

/// `textDocument/semanticTokens/range`.
pub fn tokens_in(cx: &Cx<'_>, params: InRange) -> Result<Json, Failure> {
    coloured(cx, &params.text_document, Some(params.range))
}

fn coloured(cx: &Cx<'_>, document: &Document, range: Option<Range>) -> Result<Json, Failure> {
    let Some(file) = document.file(cx) else {
        return Ok(Json::Null);
    };
    let within = range.map(|r| cx.convert.text_range(file, r));
    let mut data: Vec<u32> = Vec::new();
    let mut last = Position::default();
    for token in semantic::tokens(cx.convert.snapshot, file, within) {
        let range = cx.convert.range(file, token.range);
        let (line, column) = (range.start.line, range.start.character);
        let delta = line.saturating_sub(last.line);
        let start = if delta == 0 {
            column.saturating_sub(last.character)
        } else {
            column
        };
        let length = range.end.character.saturating_sub(column);
        data.extend([delta, start, length, token.class, token.marks]);
        last = range.start;
    }
    Ok(json!({ "data": data }))
}

/// `textDocument/foldingRange`.
pub fn folds(cx: &Cx<'_>, params: InFile) -> Result<Json, Failure> {
    let Some(file) = params.text_document.file(cx) else {
        return Ok(Json::Null);
    };
    let all: Vec<Json> = structure::folds(cx.convert.snapshot, file)
        .into_iter()
        .map(|fold| {
            let range = cx.convert.range(file, fold.range);
            let mut out = json!({ "startLine": range.start.line, "endLine": range.end.line });
            if fold.comment
                && let Some(all) = out.as_object_mut()
            {
                all.insert("kind".to_owned(), json!("comment"));
            }
            out
        })
        .collect();
    Ok(Json::Array(all))
}

/// The parameters of `textDocument/selectionRange`.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Selections {
    text_document: Document,
    positions: Vec<Position>,
}

/// `textDocument/selectionRange`.
pub fn selections(cx: &Cx<'_>, params: Selections) -> Result<Json, Failure> {
    let Some(file) = params.text_document.file(cx) else {
        return Ok(Json::Null);
    };
    let one = |position: Position| {
        let at = At {
            file,
            offset: cx.convert.offset(file, position),
        };
        let mut out = Json::Null;
        for range in structure::selections(cx.convert.snapshot, at).into_iter().rev() {
            let range = cx.convert.range(file, range);
            out = if out.is_null() {
                json!({ "range": range })
            } else {
                json!({ "range": range, "parent": out })
            };
        }
        if out.is_null() {
            json!({ "range": { "start": position, "end": position } })
        } else {
            out
        }
    };
    Ok(Json::Array(params.positions.into_iter().map(one).collect()))
}

/// `textDocument/documentLink`.
pub fn links(cx: &Cx<'_>, params: InFile) -> Result<Json, Failure> {
    let Some(file) = params.text_document.file(cx) else {
        return Ok(Json::Null);
    };
    let all: Vec<Json> = links::links(cx.convert.snapshot, file)
        .into_iter()
        .map(|link| json!({ "range": cx.convert.range(file, link.range), "target": cx.convert.uri(link.target) }))
        .collect();
    Ok(Json::Array(all))
}

/// `textDocument/inlayHint`.
pub fn hints(cx: &Cx<'_>, params: InRange) -> Result<Json, Failure> {
    let Some(file) = params.text_document.file(cx) else {
        return Ok(Json::Null);
    };
    let within = cx.convert.text_range(file, params.range);
    let all: Vec<Json> = hints::hints(cx.convert.snapshot, file, within)
        .into_iter()
        .map(|hint| {
            json!({
                "position": cx.convert.range(file, kitsoki_syntax::TextRange::empty(hint.at)).start,
                "label": hint.label,
                "tooltip": hint.tooltip,
                "paddingLeft": true,
            })
        })
        .collect();
    Ok(Json::Array(all))
}

/// What a lens carries until it is looked at.
#[derive(Serialize, Deserialize, Debug)]
struct Counted {
    /// Count the rooms that lead here instead of the references.
    arcs: bool,
    manifest: String,
    kind: String,
    name: SmolStr,
    owner: SmolStr,
    uri: String,
    position: Position,
}

/// `textDocument/codeLens`.
pub fn lenses(cx: &Cx<'_>, params: InFile) -> Result<Json, Failure> {
    let Some(file) = params.text_document.file(cx) else {
        return Ok(Json::Null);
    };
    let snapshot = cx.convert.snapshot;
    let uri = cx.convert.uri(file);
    let counted = |symbol: &Symbol, position: Position, arcs: bool| Counted {
        arcs,
        manifest: symbol.manifest.path(&snapshot.db).to_string(),
        kind: format!("{:?}", symbol.kind),
        name: symbol.name.clone(),
        owner: symbol.owner.clone(),
        uri: uri.0.clone(),
        position,
    };
    let all: Vec<Json> = lenses::lenses(snapshot, file)
        .into_iter()
        .map(|lens| {
            let range = cx.convert.range(file, lens.range);
            match lens.action {
                LensAction::References(symbol) => json!({
                    "range": range,
                    "data": counted(&symbol, range.start, false),
                }),
                LensAction::Reached(symbol) => json!({
                    "range": range,
                    "data": counted(&symbol, range.start, true),
                }),
                LensAction::Expand(room) => json!({
                    "range": range,
                    "command": {
                        "title": "show what the macros make",
                        "command": "kitsoki.showExpansion",
                        "arguments": [{ "textDocument": { "uri": uri }, "position": range.start, "room": room }],
                    },
                }),
                LensAction::Run(flows) => {
                    let title = match flows.len() {
                        1 => "run this flow".to_owned(),
                        n => format!("run {n} flows"),
                    };
                    let flows: Vec<_> = flows.iter().map(|f| uri::of_path(f)).collect();
                    json!({
                        "range": range,
                        "command": { "title": title, "command": "kitsoki.runFlow", "arguments": flows },
                    })
                }
            }
        })
        .collect();
    Ok(Json::Array(all))
}

/// `codeLens/resolve`: references and arcs are counted now.
pub fn lens(cx: &Cx<'_>, mut lens: Json) -> Result<Json, Failure> {
    let Some(data) = lens.get("data").cloned() else {
        return Ok(lens);
    };
    let data: Counted = serde_json::from_value(data).map_err(|e| Failure::params(&e))?;
    let kinds = [Kind::State, Kind::Intent, Kind::World, Kind::Agent, Kind::Exit];
    let Some(kind) = kinds.into_iter().find(|k| format!("{k:?}") == data.kind) else {
        return Ok(lens);
    };
    let snapshot = cx.convert.snapshot;
    let symbol = Symbol {
        manifest: snapshot.file(data.manifest.as_str().into()),
        kind,
        name: data.name,
        owner: data.owner,
    };
    let (title, places) = if data.arcs {
        let from = arcs::into_room(snapshot, &symbol);
        let title = match from.len() {
            0 => "no room leads here".to_owned(),
            1 => "from 1 room".to_owned(),
            n => format!("from {n} rooms"),
        };
        (title, from.into_iter().flat_map(|a| a.places).collect())
    } else {
        let places: Vec<Place> = uses(snapshot, &symbol, Reach::Everywhere)
            .into_iter()
            .filter(|u| u.role != Role::Definition)
            .map(|u| u.place)
            .collect();
        let title = match places.len() {
            0 => "no references".to_owned(),
            1 => "1 reference".to_owned(),
            n => format!("{n} references"),
        };
        (title, places)
    };
    let places: Vec<_> = places.into_iter().map(|p| cx.convert.location(p)).collect();
    if let Some(all) = lens.as_object_mut() {
        let command = json!({
            "title": title,
            "command": "kitsoki.showReferences",
            "arguments": [data.uri, data.position, places],
        });
        all.insert("command".to_owned(), command);
    }
    Ok(lens)
}
