//! What helps while somebody types: completion, signatures, formatting.

use camino::Utf8PathBuf;
use gen_lsp_types::{CompletionItemKind, Position, Range};
use kitsoki_compiler::db::SourceFile;
use kitsoki_syntax::{LineIndex, TextRange};
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
pub fn completion(cx: &Cx<'_>, params: InPlace) -> Result<Option<Offer>, Failure> {
    let Some(at) = params.at(cx) else { return Ok(None) };
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
    let lines = cx.convert.snapshot.lines(at.file);
    let mut ranges = Ranges { cx, lines, last: None };
    let items = found.into_iter().map(|item| Offered::of(&mut ranges, item)).collect();
    Ok(Some(Offer {
        is_incomplete: incomplete,
        items,
    }))
}

/// Ranges as the client counts. Most items of one answer replace the same text.
struct Ranges<'a> {
    cx: &'a Cx<'a>,
    lines: &'a LineIndex,
    last: Option<(TextRange, Range)>,
}

impl Ranges<'_> {
    fn get(&mut self, range: TextRange) -> Range {
        match self.last {
            Some((last, there)) if last == range => there,
            _ => {
                let there = self.cx.convert.encoding.range(self.lines, range);
                self.last = Some((range, there));
                there
            }
        }
    }
}

/// `CompletionList`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    is_incomplete: bool,
    items: Vec<Offered>,
}

/// `CompletionItem`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Offered {
    label: String,
    kind: CompletionItemKind,
    sort_text: String,
    text_edit: Edit,
    /// The indentation is in the text: a client must not add its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    insert_text_mode: Option<u8>,
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    documentation: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<About>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Edit {
    range: Range,
    new_text: String,
}

impl Offered {
    fn of(ranges: &mut Ranges<'_>, item: Item) -> Self {
        let about = |symbol: Symbol| About {
            manifest: symbol.manifest.path(&ranges.cx.convert.snapshot.db).clone(),
            kind: format!("{:?}", symbol.kind),
            name: symbol.name,
            owner: symbol.owner,
        };
        Self {
            kind: kind(item.kind),
            sort_text: format!("{}{}", item.rank, item.label),
            label: item.label,
            insert_text_mode: item.insert.contains('\n').then_some(1),
            detail: item.detail,
            documentation: item.doc.map(|doc| json!({ "kind": "markdown", "value": doc })),
            data: item.symbol.map(about),
            text_edit: Edit {
                range: ranges.get(item.range),
                new_text: item.insert,
            },
        }
    }
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
