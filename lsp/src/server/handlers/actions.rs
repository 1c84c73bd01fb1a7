//! Code actions.

use camino::Utf8Path;
use gen_lsp_types::Range;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::navigation::workspace_edit;
use super::params::Document;
use crate::features::actions::{self, ActionKind};
use crate::server::dispatch::{Cx, Failure};
use crate::server::uri;

/// The parameters of `textDocument/codeAction`.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Params {
    text_document: Document,
    range: Range,
    #[serde(default)]
    context: Context,
}

#[derive(Deserialize, Debug, Default)]
struct Context {
    only: Option<Vec<String>>,
}

fn kind(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::Fix => "quickfix",
        ActionKind::FixAll => "source.fixAll.kitsoki",
        ActionKind::Rewrite => "refactor.rewrite",
        ActionKind::Extract => "refactor.extract",
        ActionKind::Inline => "refactor.inline",
    }
}

/// `textDocument/codeAction`.
pub fn actions(cx: &Cx<'_>, params: Params) -> Result<Json, Failure> {
    let Some(file) = params.text_document.file(cx) else {
        return Ok(Json::Null);
    };
    let range = cx.convert.text_range(file, params.range);
    let mut out = Vec::new();
    for action in actions::actions(cx.convert.snapshot, file, range) {
        let kind = kind(action.kind);
        let wanted = |only: &Vec<String>| {
            only.iter()
                .any(|o| kind == o || kind.strip_prefix(o.as_str()).is_some_and(|rest| rest.starts_with('.')))
        };
        let wanted = params
            .context
            .only
            .as_ref()
            .map_or(action.kind != ActionKind::FixAll, wanted);
        if !wanted {
            continue;
        }
        let edit = match action.creates {
            // A client that knows no file operations cannot be asked for a new file.
            Some(_) if !cx.client.document_changes => continue,
            Some((path, text)) => new_file(&path, &text),
            None => workspace_edit(cx, action.edits),
        };
        let mut item = json!({ "title": action.title, "kind": kind, "edit": edit });
        if let Some(all) = item.as_object_mut() {
            if let Some((finding, root)) = &action.mends
                && let Some((_, diagnostic)) = cx.convert.diagnostic(finding, *root)
            {
                all.insert("diagnostics".to_owned(), json!([diagnostic]));
            }
            if action.safe && action.kind == ActionKind::Fix {
                all.insert("isPreferred".to_owned(), json!(true));
            }
        }
        out.push(item);
    }
    Ok(Json::Array(out))
}

fn new_file(path: &Utf8Path, text: &str) -> Json {
    let uri = uri::of_path(path);
    let start = json!({ "line": 0, "character": 0 });
    json!({
        "documentChanges": [
            { "kind": "create", "uri": uri, "options": { "ignoreIfExists": true } },
            {
                "textDocument": { "uri": uri, "version": null },
                "edits": [{ "range": { "start": start, "end": start }, "newText": text }],
            },
        ],
    })
}
