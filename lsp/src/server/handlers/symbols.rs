//! Outlines and names of the workspace.

use gen_lsp_types::{Range, SymbolKind};
use kitsoki_compiler::db::SourceFile;
use kitsoki_syntax::TextRange;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::params::InFile;
use crate::features::Place;
use crate::features::symbols::{self, Symbol};
use crate::index::schema::Kind;
use crate::server::dispatch::{Cx, Failure};

/// `textDocument/documentSymbol`.
pub fn of_file(cx: &Cx<'_>, params: InFile) -> Result<Option<Outline>, Failure> {
    let Some(file) = params.text_document.file(cx) else {
        return Ok(None);
    };
    let all = symbols::of_file(cx.convert.snapshot, file);
    if cx.client.nested_symbols {
        let lines = cx.convert.snapshot.lines(file);
        let range = |range| cx.convert.encoding.range(lines, range);
        let all = all.into_iter().map(|s| Nested::of(s, &range));
        return Ok(Some(Outline::Nested(all.collect())));
    }
    let mut out = Vec::new();
    for symbol in &all {
        flat(cx, file, symbol, "", &mut out);
    }
    Ok(Some(Outline::Flat(out)))
}

/// The symbols of a file in the form that the client takes.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Outline {
    /// Each with those inside of it.
    Nested(Vec<Nested>),
    /// Each with the name of the one around it.
    Flat(Vec<Json>),
}

/// `DocumentSymbol`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Nested {
    name: SmolStr,
    kind: SymbolKind,
    range: Range,
    selection_range: Range,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Nested>,
}

impl Nested {
    fn of(symbol: Symbol, range: &impl Fn(TextRange) -> Range) -> Self {
        Self {
            name: symbol.name,
            kind: kind(symbol.kind),
            range: range(symbol.full),
            selection_range: range(symbol.selection),
            detail: symbol.kind.map(Kind::noun),
            children: symbol.children.into_iter().map(|s| Self::of(s, range)).collect(),
        }
    }
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
