//! What helps while somebody types: completion, signatures, formatting.

use camino::Utf8PathBuf;
use gen_lsp_types::{CompletionItemKind, Position, Range};
use kitsoki_compiler::db::SourceFile;
use kitsoki_syntax::TextRange;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::params::{Document, InFile, InPlace, InRange};
use crate::features::completion::{self, Item, ItemKind};
use crate::features::symbol_at::is_ours;
use crate::features::{hover, signature};
use crate::index::form::form;
use crate::index::resolve::Symbol;
use crate::index::schema::Kind;
use crate::server::dispatch::{Cx, Failure};

/// What an item carries until somebody looks at it.
#[derive(Serialize, Deserialize, Debug)]
struct About {
    manifest: Utf8PathBuf,
    kind: String,
    name: SmolStr,
    owner: SmolStr,
}

/// Most items of one answer: beyond it the client asks again with more letters.
const MOST: usize = 600;

/// `textDocument/completion`.
pub fn completion(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    let Some(at) = params.at(cx) else { return Ok(Json::Null) };
    let mut found = completion::completion(cx.convert.snapshot, at);
    found.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    let incomplete = found.len() > MOST;
    if incomplete {
        // What begins like the word at the cursor must not be cut off.
        let text = cx.convert.snapshot.text(at.file);
        let word = found.first().and_then(|i| {
            let start = usize::from(i.range.start());
            text.get(start..at.offset.into()).map(str::to_lowercase)
        });
        if let Some(word) = word.filter(|w| !w.is_empty()) {
            found.retain(|i| i.label.to_lowercase().contains(&word));
        }
        found.truncate(MOST);
    }
    let items: Vec<Json> = found
        .into_iter()
        .map(|item| to_json(cx, cx.convert.range(at.file, item.range), item))
        .collect();
    Ok(json!({ "isIncomplete": incomplete, "items": items }))
}

fn to_json(cx: &Cx<'_>, range: Range, item: Item) -> Json {
    let mut out = json!({
        "label": item.label,
        "kind": kind(item.kind),
        "sortText": format!("{}{}", item.rank, item.label),
        "textEdit": { "range": range, "newText": item.insert },
    });
    let Some(all) = out.as_object_mut() else { return out };
    if item.insert.contains('\n') {
        // The indentation is in the text: a client must not add its own.
        all.insert("insertTextMode".to_owned(), json!(1));
    }
    if !item.detail.is_empty() {
        all.insert("detail".to_owned(), json!(item.detail));
    }
    if let Some(doc) = item.doc {
        all.insert("documentation".to_owned(), json!({ "kind": "markdown", "value": doc }));
    }
    if let Some(symbol) = item.symbol {
        let about = About {
            manifest: symbol.manifest.path(&cx.convert.snapshot.db).clone(),
            kind: format!("{:?}", symbol.kind),
            name: symbol.name,
            owner: symbol.owner,
        };
        all.insert("data".to_owned(), json!(about));
    }
    out
}

const KINDS: &[Kind] = &[
    Kind::State,
    Kind::Intent,
    Kind::Slot,
    Kind::World,
    Kind::Agent,
    Kind::Toolbox,
    Kind::Host,
    Kind::Interface,
    Kind::Operation,
    Kind::Import,
    Kind::Exit,
    Kind::Provider,
    Kind::Plugin,
    Kind::Template,
    Kind::Phase,
    Kind::Parameter,
    Kind::Mode,
    Kind::Proposal,
    Kind::Call,
];

/// `completionItem/resolve`: what a hover would say.
pub fn resolve(cx: &Cx<'_>, mut item: Json) -> Result<Json, Failure> {
    let about = item
        .get("data")
        .cloned()
        .and_then(|d| serde_json::from_value::<About>(d).ok());
    let Some(about) = about else { return Ok(item) };
    let Some(kind) = KINDS.iter().find(|k| format!("{k:?}") == about.kind) else {
        return Ok(item);
    };
    let snapshot = cx.convert.snapshot;
    let symbol = Symbol {
        manifest: snapshot.file(&about.manifest),
        kind: *kind,
        name: about.name,
        owner: about.owner,
    };
    let text = hover::symbol(snapshot, &symbol, symbol.manifest);
    if let Some(all) = item.as_object_mut() {
        all.insert("documentation".to_owned(), json!({ "kind": "markdown", "value": text }));
    }
    Ok(item)
}

fn kind(kind: ItemKind) -> CompletionItemKind {
    match kind {
        ItemKind::Key | ItemKind::Member => CompletionItemKind::Property,
        ItemKind::Word => CompletionItemKind::EnumMember,
        ItemKind::Function => CompletionItemKind::Function,
        ItemKind::Filter => CompletionItemKind::Method,
        ItemKind::Tag => CompletionItemKind::Keyword,
        ItemKind::File => CompletionItemKind::File,
        ItemKind::Folder => CompletionItemKind::Folder,
        ItemKind::Name(Kind::State) => CompletionItemKind::Class,
        ItemKind::Name(Kind::Intent) => CompletionItemKind::Event,
        ItemKind::Name(Kind::World) => CompletionItemKind::Variable,
        ItemKind::Name(Kind::Slot | Kind::Parameter) => CompletionItemKind::Field,
        ItemKind::Name(Kind::Host) => CompletionItemKind::Function,
        ItemKind::Name(Kind::Interface) => CompletionItemKind::Interface,
        ItemKind::Name(Kind::Import) => CompletionItemKind::Module,
        ItemKind::Name(_) => CompletionItemKind::Constant,
    }
}

/// `textDocument/signatureHelp`.
pub fn signature(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    let Some(at) = params.at(cx) else { return Ok(Json::Null) };
    let Some(found) = signature::signature(cx.convert.snapshot, at) else {
        return Ok(Json::Null);
    };
    let parameters: Vec<Json> = found.arguments.iter().map(|a| json!({ "label": a })).collect();
    Ok(json!({
        "signatures": [{
            "label": found.label,
            "documentation": { "kind": "markdown", "value": found.doc },
            "parameters": parameters,
        }],
        "activeSignature": 0,
        "activeParameter": found.active.unwrap_or(parameters.len()),
    }))
}

/// `textDocument/formatting`.
pub fn formatting(cx: &Cx<'_>, params: InFile) -> Result<Json, Failure> {
    Ok(formatted(cx, &params.text_document, |_| None))
}

/// `textDocument/rangeFormatting`.
pub fn formatting_of_part(cx: &Cx<'_>, params: InRange) -> Result<Json, Failure> {
    let part = |file| Some(cx.convert.text_range(file, params.range));
    Ok(formatted(cx, &params.text_document, part))
}

/// `textDocument/onTypeFormatting`: the line that was left by the key.
pub fn formatting_of_line(cx: &Cx<'_>, params: InPlace) -> Result<Json, Failure> {
    let above = Position {
        line: params.position.line.saturating_sub(1),
        character: 0,
    };
    let line = |file| Some(TextRange::empty(cx.convert.offset(file, above)));
    Ok(formatted(cx, &params.text_document, line))
}

/// The edits that format a file, or the lines of it that touch a part.
fn formatted(cx: &Cx<'_>, document: &Document, part: impl Fn(SourceFile) -> Option<TextRange>) -> Json {
    let Some(file) = document.file(cx) else {
        return Json::Null;
    };
    let snapshot = cx.convert.snapshot;
    if !form(&snapshot.db, file).is_yaml() || !is_ours(snapshot, file) {
        return Json::Null;
    }
    let text = snapshot.text(file);
    // A text that cannot be read is left as it is; its diagnostics say why.
    let formatted = match part(file) {
        None => kitsoki_fmt::format(&text),
        Some(part) => kitsoki_fmt::format_part(&text, part),
    };
    let Ok(formatted) = formatted else { return json!([]) };
    let edits: Vec<Json> = kitsoki_fmt::edits(&text, &formatted)
        .into_iter()
        .map(|e| json!({ "range": cx.convert.range(file, e.range), "newText": e.text }))
        .collect();
    Json::Array(edits)
}
