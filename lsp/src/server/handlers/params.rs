//! The parameters of requests, as far as they are used.

use gen_lsp_types::{Position, Range};
use kitsoki_compiler::db::SourceFile;
use serde::Deserialize;

use crate::features::At;
use crate::server::dispatch::Cx;
use crate::server::uri;

/// `TextDocumentIdentifier`.
#[derive(Deserialize, Debug)]
pub struct Document {
    /// The file.
    pub uri: String,
}

/// A file.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct InFile {
    /// The file.
    pub text_document: Document,
}

/// A place in a file.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct InPlace {
    /// The file.
    pub text_document: Document,
    /// The place.
    pub position: Position,
}

/// A range of a file.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct InRange {
    /// The file.
    pub text_document: Document,
    /// The range.
    pub range: Range,
}

impl Document {
    /// The file, when it is one of the disk.
    pub fn file(&self, cx: &Cx<'_>) -> Option<SourceFile> {
        uri::to_path(&self.uri).map(|path| cx.convert.snapshot.file(&path))
    }
}

impl InPlace {
    /// The place.
    pub fn at(&self, cx: &Cx<'_>) -> Option<At> {
        let file = self.text_document.file(cx)?;
        Some(cx.convert.at(file, self.position))
    }
}
