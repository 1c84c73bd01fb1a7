//! Commands, and the read-only documents that they show.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::params::InPlace;
use crate::features::expand::{self, Expanded};
use crate::server::dispatch::{Cx, Failure};
use crate::server::uri;

/// The scheme of documents that show an expansion: `kitsoki-expanded:/path/app.yaml?room`.
pub const SCHEME: &str = "kitsoki-expanded";

/// The parameters of `workspace/executeCommand`.
#[derive(Deserialize, Debug)]
pub struct Execute {
    command: String,
    #[serde(default)]
    arguments: Vec<Json>,
}

/// `workspace/executeCommand`.
pub fn execute(cx: &Cx<'_>, params: Execute) -> Result<Json, Failure> {
    match params.command.as_str() {
        "kitsoki.expand" => {
            let Some(place) = params.arguments.into_iter().next() else {
                return Err(Failure::request("`kitsoki.expand` needs the place in a file"));
            };
            let place: InPlace = serde_json::from_value(place).map_err(|e| Failure::params(&e))?;
            let Some(at) = place.at(cx) else {
                return Err(Failure::request("the file is none of the disk"));
            };
            let expanded = expand::at(cx.convert.snapshot, at).map_err(Failure::request)?;
            Ok(to_json(cx, &expanded, Some(at)))
        }
        other => Err(Failure::request(format!("there is no command `{other}`"))),
    }
}

fn to_json(cx: &Cx<'_>, expanded: &Expanded, at: Option<crate::features::At>) -> Json {
    let snapshot = cx.convert.snapshot;
    let origins: Vec<Json> = expanded
        .origins
        .iter()
        .map(|(line, place)| json!({ "line": line, "location": cx.convert.location(*place) }))
        .collect();
    // The line that the place at hand caused.
    let line = at.and_then(|at| {
        let lines = snapshot.lines(at.file);
        let here = lines.line_col(at.offset).line;
        let same =
            |place: &crate::features::Place| place.file == at.file && lines.line_col(place.range.start()).line == here;
        expanded
            .origins
            .iter()
            .find(|(_, place)| same(place))
            .map(|(line, _)| *line)
    });
    let path = uri::of_path(expanded.manifest.path(&snapshot.db)).0;
    let path = path.strip_prefix("file://").unwrap_or(&path);
    let room = expanded.room.as_deref().unwrap_or_default();
    json!({
        "uri": format!("{SCHEME}:{path}?{room}"),
        "languageId": "kitsoki-expanded",
        "text": expanded.text,
        "line": line,
        "origins": origins,
    })
}

/// The parameters of `workspace/textDocumentContent`.
#[derive(Deserialize, Debug)]
pub struct Content {
    uri: String,
}

/// `workspace/textDocumentContent`: the text of a document that the server makes.
pub fn content(cx: &Cx<'_>, params: Content) -> Result<Json, Failure> {
    let rest = params.uri.strip_prefix(SCHEME).and_then(|r| r.strip_prefix(':'));
    let Some((path, room)) = rest.and_then(|r| r.split_once('?')) else {
        return Err(Failure::request("the server makes no such document"));
    };
    let Some(path) = uri::to_path(&format!("file://{}", path.trim_start_matches("//"))) else {
        return Err(Failure::request("the document names no story"));
    };
    let snapshot = cx.convert.snapshot;
    let room = (!room.is_empty()).then(|| room.to_owned());
    let expanded = expand::of_room(snapshot, snapshot.file(&path), room).map_err(Failure::request)?;
    Ok(json!({ "text": expanded.text }))
}
