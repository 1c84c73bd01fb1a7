//! One manifest with the files it includes (`language` 1.5) and its agents resolved (`language` 5).
//!
//! | Module | What it does |
//! |---|---|
//! | `glob` | patterns of `include:` |
//! | `include` | reads the files and merges them |
//! | `agents` | toolboxes, prompts, tools and effect classes, file by file |
//! | `effect_class` | what a tool can do to the world |
//! | `entrance` | how each file of a story comes into it |
//! | `variables` | `$NAME` in a working directory |

mod agents;
mod effect_class;
mod entrance;
mod glob;
mod include;
mod variables;

use camino::Utf8PathBuf;
use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;

pub(crate) use agents::{EFFORTS, Joined};
pub use effect_class::EffectClass;
pub(crate) use entrance::add_entrances;

use crate::db::{Db, SourceFile};
use crate::pipeline::decoded;
use crate::story::Incomplete;
use crate::surface::Manifest;

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

/// The files that a manifest includes, none of them read: for whoever wants to read them side by side.
#[must_use]
pub fn included(db: &dyn Db, file: SourceFile) -> Vec<SourceFile> {
    let manifest = decoded(db, file).manifest.as_ref();
    let patterns = manifest
        .and_then(|m| m.include.as_ref())
        .into_iter()
        .flat_map(|i| i.value.iter());
    let files = patterns.filter_map(|p| glob::expand(db, file.dir(db), p.as_str()).ok());
    files.flatten().collect()
}

/// Reads a manifest and what it includes.
pub fn build(db: &dyn Db, file: SourceFile) -> Package {
    let decoded = decoded(db, file);
    let start = Span::start_of(file.file_id(db));
    let mut package = Package {
        file,
        dir: file.dir(db).to_owned(),
        manifest: decoded
            .manifest
            .as_ref()
            .map_or_else(|| Manifest::blank(start, start), |m| Manifest::clone(m)),
        files: vec![file],
        findings: decoded.findings.to_vec(),
        incomplete: decoded.missing(),
    };
    let included = include::find(db, &mut package);
    let boxes = agents::toolbox_places(db, &package.manifest, &included);
    let mut findings = std::mem::take(&mut package.findings);
    agents::resolve(db, file.dir(db), &mut package.manifest, &boxes, &mut findings);
    package.findings = findings;
    include::merge_all(db, &mut package, &included, &boxes);
    package
}
