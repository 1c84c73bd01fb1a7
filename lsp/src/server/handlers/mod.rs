//! The requests, each with its lane, and what is advertised of them.

mod actions;
mod arcs;
mod commands;
mod diagnostics;
mod navigation;
mod params;
mod symbols;
mod typing;
mod view;

use lsp_server::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::client::Client;
use super::dispatch::{Cx, Failure};
use super::position::Encoding;
use crate::features::semantic;

/// One request.
pub struct Handler {
    method: &'static str,
    /// Somebody waits for the answer with a finger on a key.
    pub urgent: bool,
    /// Worked on again when the state changed in between.
    pub again: bool,
    /// It asks the compiler about whole stories: words that wait are taken over first.
    pub settled: bool,
    /// Answers it, with the result as it is written.
    pub run: fn(&Cx<'_>, Json) -> Result<String, Failure>,
}

macro_rules! handlers {
    ($($method:literal $lane:ident $again:literal $words:ident $run:path;)*) => {
        const HANDLERS: &[Handler] = &[$(Handler {
            method: $method,
            urgent: stringify!($lane).len() == "urgent".len(),
            again: $again,
            settled: stringify!($words).len() == "settled".len(),
            run: |cx, params| answer(cx, params, $run),
        }),*];
    };
}

// The method, its lane, whether it is worked on again after a change, whether words that wait matter to the compiler for it,
// and what answers it.
handlers! {
    "textDocument/diagnostic" urgent true shown diagnostics::pull;
    "textDocument/hover" urgent false shown navigation::hover;
    "textDocument/definition" urgent false shown navigation::definition;
    "textDocument/typeDefinition" urgent false shown navigation::type_definition;
    "textDocument/implementation" urgent false shown navigation::implementation;
    "textDocument/references" later false shown navigation::references;
    "textDocument/documentHighlight" urgent false shown navigation::highlights;
    "textDocument/prepareRename" urgent false shown navigation::prepare_rename;
    "textDocument/rename" urgent false settled navigation::rename;
    "textDocument/documentSymbol" urgent true shown symbols::of_file;
    "textDocument/codeAction" urgent false settled actions::actions;
    "workspace/symbol" later true shown symbols::of_workspace;
    "textDocument/completion" urgent true shown typing::completion;
    "completionItem/resolve" urgent false shown typing::resolve;
    "textDocument/signatureHelp" urgent true shown typing::signature;
    "textDocument/formatting" urgent false shown typing::formatting;
    "textDocument/rangeFormatting" urgent false shown typing::formatting_of_part;
    "textDocument/onTypeFormatting" urgent false shown typing::formatting_of_line;
    "textDocument/semanticTokens/full" later true shown view::tokens;
    "textDocument/semanticTokens/range" later true shown view::tokens_in;
    "textDocument/foldingRange" later true shown view::folds;
    "textDocument/selectionRange" urgent false shown view::selections;
    "textDocument/documentLink" later true shown view::links;
    "textDocument/inlayHint" later true settled view::hints;
    "textDocument/codeLens" later true settled view::lenses;
    "codeLens/resolve" later false settled view::lens;
    "textDocument/prepareCallHierarchy" urgent false shown arcs::prepare;
    "callHierarchy/incomingCalls" later false shown arcs::incoming;
    "callHierarchy/outgoingCalls" later false shown arcs::outgoing;
    "workspace/executeCommand" later true settled commands::execute;
    "workspace/textDocumentContent" later true settled commands::content;
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
) -> Result<String, Failure> {
    let params = serde_json::from_value(params).map_err(|e| Failure::params(&e))?;
    let result = run(cx, params)?;
    serde_json::to_string(&result).map_err(|error| Failure {
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
            "codeActionKinds": [
                "quickfix", "source.fixAll.kitsoki", "refactor.rewrite", "refactor.extract", "refactor.inline",
            ],
        },
        "workspaceSymbolProvider": true,
        "completionProvider": {
            "triggerCharacters": [".", ":", " ", "{", "%", "|", "/", "@", "'", "\""],
            "resolveProvider": true,
        },
        "signatureHelpProvider": { "triggerCharacters": ["(", ",", ":"] },
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "documentOnTypeFormattingProvider": { "firstTriggerCharacter": "\n" },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": semantic::TYPES, "tokenModifiers": semantic::MODIFIERS },
            "full": true,
            "range": true,
        },
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "documentLinkProvider": { "resolveProvider": false },
        "inlayHintProvider": true,
        "codeLensProvider": { "resolveProvider": true },
        "callHierarchyProvider": true,
        "executeCommandProvider": { "commands": ["kitsoki.expand"] },
        "workspace": {
            "workspaceFolders": { "supported": true, "changeNotifications": true },
            "textDocumentContent": { "schemes": [commands::SCHEME] },
        },
    });
    let Some(all) = out.as_object_mut() else { return out };
    if client.pull {
        // Asked for or pushed, never both.
        let pull = json!({ "identifier": "kitsoki", "interFileDependencies": true, "workspaceDiagnostics": false });
        all.insert("diagnosticProvider".to_owned(), pull);
    }
    out
}
