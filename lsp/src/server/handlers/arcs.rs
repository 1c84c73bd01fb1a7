//! Call hierarchy: arcs into a room and out of it.

use serde::Deserialize;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::params::InPlace;
use super::symbols::kind;
use crate::features::arcs::{self, Arcs};
use crate::index::resolve::Symbol;
use crate::index::schema::Kind;
use crate::server::dispatch::{Cx, Failure};

/// `textDocument/prepareCallHierarchy`.
pub fn prepare(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    let Some(at) = params.at(cx) else { return Ok(Json::Null) };
    let rooms = arcs::room_at(cx.convert.snapshot, at);
    let items: Vec<Json> = rooms.iter().filter_map(|r| item(cx, r)).collect();
    Ok(if items.is_empty() {
        Json::Null
    } else {
        Json::Array(items)
    })
}

fn item(cx: &Cx<'_>, room: &Symbol) -> Option<Json> {
    let snapshot = cx.convert.snapshot;
    let (place, full) = arcs::declaration(snapshot, room)?;
    Some(json!({
        "name": room.name,
        "kind": kind(Some(Kind::State)),
        "detail": crate::features::hover::short_path(snapshot, room.manifest),
        "uri": cx.convert.uri(place.file),
        "range": cx.convert.range(place.file, full),
        "selectionRange": cx.convert.range(place.file, place.range),
        "data": { "manifest": room.manifest.path(&snapshot.db), "name": room.name },
    }))
}

/// The parameters of the two directions.
#[derive(Deserialize, Debug)]
pub struct OfItem {
    item: Item,
}

#[derive(Deserialize, Debug)]
struct Item {
    data: Data,
}

#[derive(Deserialize, Debug)]
struct Data {
    manifest: String,
    name: SmolStr,
}

fn room(cx: &Cx<'_>, params: OfItem) -> Symbol {
    Symbol {
        manifest: cx.convert.snapshot.file(params.item.data.manifest.as_str().into()),
        kind: Kind::State,
        name: params.item.data.name,
        owner: SmolStr::default(),
    }
}

fn all(cx: &Cx<'_>, found: Vec<Arcs>, end: &str) -> Json {
    let calls = found.into_iter().filter_map(|arcs| {
        let ranges: Vec<_> = arcs.places.iter().map(|p| cx.convert.range(p.file, p.range)).collect();
        Some(json!({ end: item(cx, &arcs.room)?, "fromRanges": ranges }))
    });
    Json::Array(calls.collect())
}

/// `callHierarchy/incomingCalls`.
pub fn incoming(cx: &Cx<'_>, params: OfItem) -> Result<Json, Failure> {
    let room = room(cx, params);
    Ok(all(cx, arcs::into_room(cx.convert.snapshot, &room), "from"))
}

/// `callHierarchy/outgoingCalls`.
pub fn outgoing(cx: &Cx<'_>, params: OfItem) -> Result<Json, Failure> {
    let room = room(cx, params);
    Ok(all(cx, arcs::out_of_room(cx.convert.snapshot, &room), "to"))
}
