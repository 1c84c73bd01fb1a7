//! What the client can do, read leniently: a client that says something odd is served all the same.

use camino::Utf8PathBuf;
use serde_json::Value as Json;

use super::position::Encoding;
use super::uri;

/// What the client said in `initialize`.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "the protocol has a flag for each of them")]
pub struct Client {
    /// How it counts columns.
    pub encoding: Encoding,
    /// It asks for diagnostics; then none are pushed.
    pub pull: bool,
    /// It takes diagnostics of other files with those it asked for.
    pub related: bool,
    /// It can be told to ask for diagnostics again.
    pub refresh_diagnostics: bool,
    /// It can be told to ask for inlay hints and lenses again.
    pub refresh_hints: bool,
    /// It watches files when it is asked to.
    pub watches: bool,
    /// Symbols may have children.
    pub nested_symbols: bool,
    /// Completions may hold places to fill in.
    pub snippets: bool,
    /// Definitions may say where they come from.
    pub links: bool,
    /// Edits may carry versions and file operations.
    pub document_changes: bool,
    /// It opens documents that the server makes.
    pub content: bool,
    /// It accepts dynamic registration of pulled diagnostics; known only for completeness of the log.
    pub name: String,
    /// The folders that it opened.
    pub folders: Vec<Utf8PathBuf>,
    /// The process that started the server.
    pub process: Option<i32>,
    /// `initializationOptions`.
    pub options: Json,
}

impl Client {
    /// Reads the parameters of `initialize`.
    #[must_use]
    pub fn read(params: &Json) -> Self {
        let has = |pointer: &str| params.pointer(pointer).is_some_and(|v| !v.is_null());
        let yes = |pointer: &str| params.pointer(pointer).and_then(Json::as_bool) == Some(true);
        let encodings = params.pointer("/capabilities/general/positionEncodings");
        let utf8 = encodings
            .and_then(Json::as_array)
            .is_some_and(|all| all.iter().any(|e| e == "utf-8"));
        let path = |value: &Json| value.as_str().and_then(uri::to_path);
        let mut folders: Vec<Utf8PathBuf> = params
            .get("workspaceFolders")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .filter_map(|f| f.get("uri").and_then(path))
            .collect();
        if folders.is_empty() {
            folders.extend(params.get("rootUri").and_then(path));
        }
        if folders.is_empty() {
            let root = params.get("rootPath").and_then(Json::as_str).map(Utf8PathBuf::from);
            folders.extend(root.filter(|r| r.is_absolute()));
        }
        Self {
            encoding: if utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            pull: has("/capabilities/textDocument/diagnostic"),
            related: yes("/capabilities/textDocument/diagnostic/relatedDocumentSupport"),
            refresh_diagnostics: yes("/capabilities/workspace/diagnostics/refreshSupport"),
            refresh_hints: yes("/capabilities/workspace/inlayHint/refreshSupport"),
            watches: yes("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            nested_symbols: yes("/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"),
            snippets: yes("/capabilities/textDocument/completion/completionItem/snippetSupport"),
            links: yes("/capabilities/textDocument/definition/linkSupport"),
            document_changes: yes("/capabilities/workspace/workspaceEdit/documentChanges"),
            content: has("/capabilities/workspace/textDocumentContent"),
            name: params
                .pointer("/clientInfo/name")
                .and_then(Json::as_str)
                .unwrap_or_default()
                .to_owned(),
            folders,
            process: params
                .get("processId")
                .and_then(Json::as_i64)
                .and_then(|id| i32::try_from(id).ok()),
            options: params.get("initializationOptions").cloned().unwrap_or_default(),
        }
    }
}
