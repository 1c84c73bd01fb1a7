//! The requests, each with its lane, and what is advertised of them.

mod actions;
mod diagnostics;
mod navigation;
mod params;
mod symbols;

use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::client::Client;
use super::dispatch::{Cx, Failure};
use super::position::Encoding;

/// One request.
pub struct Handler {
    method: &'static str,
    /// Somebody waits for the answer with a finger on a key.
    pub urgent: bool,
    /// Worked on again when the state changed in between.
    pub again: bool,
    /// Answers it.
    pub run: fn(&Cx<'_>, Json) -> Result<Json, Failure>,
}

macro_rules! handlers {
    ($($method:literal $lane:ident $again:literal $run:path;)*) => {
        const HANDLERS: &[Handler] = &[$(Handler {
            method: $method,
            urgent: stringify!($lane).len() == "urgent".len(),
            again: $again,
            run: |cx, params| answer(cx, params, $run),
        }),*];
    };
}

// The method, its lane, whether it is worked on again after a change, and what answers it.
handlers! {
    "textDocument/diagnostic" urgent true diagnostics::pull;
    "textDocument/hover" urgent false navigation::hover;
    "textDocument/definition" urgent false navigation::definition;
    "textDocument/typeDefinition" urgent false navigation::type_definition;
    "textDocument/implementation" urgent false navigation::implementation;
    "textDocument/references" later false navigation::references;
    "textDocument/documentHighlight" urgent false navigation::highlights;
    "textDocument/prepareRename" urgent false navigation::prepare_rename;
    "textDocument/rename" urgent false navigation::rename;
    "textDocument/documentSymbol" urgent true symbols::of_file;
    "textDocument/codeAction" urgent false actions::actions;
    "workspace/symbol" later true symbols::of_workspace;
}

/// The handler of a method.
#[must_use]
pub fn find(method: &str) -> Option<&'static Handler> {
    HANDLERS.iter().find(|h| h.method == method)
}

fn answer<P: DeserializeOwned, R: Serialize>(
    cx: &Cx<'_>,
    params: Json,
    run: fn(&Cx<'_>, P) -> Result<R, Failure>,
) -> Result<Json, Failure> {
    let params = serde_json::from_value(params).map_err(|e| Failure::params(&e))?;
    let result = run(cx, params)?;
    serde_json::to_value(result).map_err(|error| Failure {
        code: ErrorCode::InternalError,
        message: format!("the answer could not be written: {error}"),
    })
}

/// What is advertised.
#[must_use]
pub fn capabilities(client: &Client) -> Json {
    let mut out = json!({
        "positionEncoding": match client.encoding {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
        },
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "hoverProvider": true,
        "definitionProvider": true,
        "typeDefinitionProvider": true,
        "implementationProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "codeActionProvider": {
            "codeActionKinds": ["quickfix", "source.fixAll.kitsoki", "refactor.rewrite", "refactor.extract"],
        },
        "workspaceSymbolProvider": true,
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    });
    let Some(all) = out.as_object_mut() else { return out };
    if client.pull {
        // Asked for or pushed, never both.
        let pull = json!({ "identifier": "kitsoki", "interFileDependencies": true, "workspaceDiagnostics": false });
        all.insert("diagnosticProvider".to_owned(), pull);
    }
    out
}
