//! One manifest with the files it includes (`language` 1.5) and its agents resolved (`language` 5).

use camino::Utf8PathBuf;
use kitsoki_diagnostics::Diagnostic;

use crate::db::{Db, SourceFile};
use crate::pipeline::decoded;
use crate::story::Incomplete;
use crate::surface::Manifest;
use kitsoki_syntax::Span;

/// A manifest after its includes were merged in.
#[derive(Clone, PartialEq, Debug)]
pub struct Package {
    /// The manifest's file.
    pub file: SourceFile,
    /// Its folder.
    pub dir: Utf8PathBuf,
    /// The merged declarations; `include` stays as written.
    pub manifest: Manifest,
    /// The manifest and the included files in the order of loading.
    pub files: Vec<SourceFile>,
    /// Shapes, includes, agents.
    pub findings: Vec<Diagnostic>,
    /// What is missing because of a reported fault.
    pub incomplete: Incomplete,
}

/// Reads a manifest and what it includes.
pub fn build(db: &dyn Db, file: SourceFile) -> Package {
    let decoded = decoded(db, file);
    let blank = || Manifest::blank(Span::start_of(file.file_id(db)), Span::start_of(file.file_id(db)));
    Package {
        file,
        dir: file.dir(db).to_owned(),
        manifest: decoded.manifest.as_ref().map_or_else(blank, |m| Manifest::clone(m)),
        files: vec![file],
        findings: decoded.findings.to_vec(),
        incomplete: if decoded.broken || decoded.manifest.is_none() {
            Incomplete::all()
        } else {
            Incomplete::default()
        },
    }
}
