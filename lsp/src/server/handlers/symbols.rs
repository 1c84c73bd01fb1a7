//! Outlines and names of the workspace.

use gen_lsp_types::SymbolKind;
use kitsoki_compiler::db::SourceFile;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::params::InFile;
use crate::features::Place;
use crate::features::symbols::{self, Symbol};
use crate::index::schema::Kind;
use crate::server::dispatch::{Cx, Failure};

/// `textDocument/documentSymbol`.
pub fn of_file(cx: &Cx<'_>, params: InFile) -> Result<Json, Failure> {
    let Some(file) = params.text_document.file(cx) else {
        return Ok(Json::Null);
    };
    let all = symbols::of_file(cx.convert.snapshot, file);
    if cx.client.nested_symbols {
        return Ok(Json::Array(all.iter().map(|s| nested(cx, file, s)).collect()));
    }
    let mut out = Vec::new();
    for symbol in &all {
        flat(cx, file, symbol, "", &mut out);
    }
    Ok(Json::Array(out))
}

fn nested(cx: &Cx<'_>, file: SourceFile, symbol: &Symbol) -> Json {
    let mut out = json!({
        "name": symbol.name,
        "kind": kind(symbol.kind),
        "range": cx.convert.range(file, symbol.full),
        "selectionRange": cx.convert.range(file, symbol.selection),
    });
    if let Some(all) = out.as_object_mut() {
        if let Some(kind) = symbol.kind {
            all.insert("detail".to_owned(), json!(kind.noun()));
        }
        if !symbol.children.is_empty() {
            let children = symbol.children.iter().map(|s| nested(cx, file, s)).collect();
            all.insert("children".to_owned(), Json::Array(children));
        }
    }
    out
}

fn flat(cx: &Cx<'_>, file: SourceFile, symbol: &Symbol, around: &str, out: &mut Vec<Json>) {
    let place = Place {
        file,
        range: symbol.selection,
    };
    out.push(json!({
        "name": symbol.name,
        "kind": kind(symbol.kind),
        "containerName": around,
        "location": cx.convert.location(place),
    }));
    for child in &symbol.children {
        flat(cx, file, child, &symbol.name, out);
    }
}

/// The parameters of `workspace/symbol`.
#[derive(Deserialize, Debug)]
pub struct Query {
    #[serde(default)]
    query: String,
}

/// `workspace/symbol`.
pub fn of_workspace(cx: &Cx<'_>, params: Query) -> Result<Json, Failure> {
    let all: Vec<Json> = symbols::of_workspace(cx.convert.snapshot, &params.query)
        .into_iter()
        .map(|found| {
            json!({
                "name": found.name,
                "kind": kind(Some(found.kind)),
                "containerName": found.container,
                "location": cx.convert.location(found.place),
            })
        })
        .collect();
    Ok(Json::Array(all))
}

/// The nearest thing that the protocol knows.
pub fn kind(kind: Option<Kind>) -> SymbolKind {
    match kind {
        None => SymbolKind::Namespace,
        Some(Kind::State) => SymbolKind::Class,
        Some(Kind::Intent) => SymbolKind::Event,
        Some(Kind::Slot | Kind::Parameter) => SymbolKind::Field,
        Some(Kind::World) => SymbolKind::Variable,
        Some(Kind::Agent | Kind::Mode) => SymbolKind::Object,
        Some(Kind::Toolbox) => SymbolKind::Array,
        Some(Kind::Host) => SymbolKind::Function,
        Some(Kind::Interface) => SymbolKind::Interface,
        Some(Kind::Operation | Kind::Phase | Kind::Call) => SymbolKind::Method,
        Some(Kind::Import) => SymbolKind::Module,
        Some(Kind::Exit) => SymbolKind::Constructor,
        Some(Kind::Provider | Kind::Plugin) => SymbolKind::Package,
        Some(Kind::Template) => SymbolKind::TypeParameter,
        Some(Kind::Proposal) => SymbolKind::Struct,
    }
}
