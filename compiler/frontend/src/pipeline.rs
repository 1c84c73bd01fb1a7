//! The stages as queries, in the order of `language` 1.2.
//!
//! `parse` and `decoded` look at one file, `package` at one manifest with its includes, `loaded` at one manifest with
//! everything below it (imports folded, phases expanded), `story` at a root after every macro, `check` at what rules say.

use std::sync::Arc;

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Parse;

use crate::db::{Contents, Db, SourceFile};
use crate::package::Package;
use crate::rules;
use crate::story::Loaded;
use crate::surface::{Decoded, decode_manifest};

/// The tree of one file. Depends on nothing but its text.
#[salsa::tracked(returns(ref), no_eq, lru = 4096)]
pub fn parse(db: &dyn Db, file: SourceFile) -> Arc<Parse> {
    match file.contents(db) {
        Contents::Text(text) => Arc::new(kitsoki_syntax::parse(text)),
        Contents::NotText(_) | Contents::Failed(_) => Arc::new(kitsoki_syntax::parse("")),
    }
}

/// The declarations of one file with the findings about their shapes, syntax faults included.
#[salsa::tracked(returns(ref))]
pub fn decoded(db: &dyn Db, file: SourceFile) -> Decoded {
    let id = file.file_id(db);
    let parsed = parse(db, file);
    let (manifest, mut findings) = decode_manifest(&parsed.tree, id);
    let mut faults = rules::syntax::findings(db, file, parsed);
    let broken = faults.iter().any(|f| f.severity == kitsoki_diagnostics::Level::Error);
    faults.append(&mut findings);
    Decoded {
        manifest: manifest.map(Arc::new),
        findings: faults.into(),
        broken,
    }
}

/// One manifest with the files it includes, agents and toolboxes resolved per file.
#[salsa::tracked(returns(ref))]
pub fn package(db: &dyn Db, file: SourceFile) -> Arc<Package> {
    Arc::new(crate::package::build(db, file))
}

/// Every manifest that can be reached from `file` through imports, `file` itself only when it is part of a cycle.
#[salsa::tracked(returns(ref))]
pub fn reachable(db: &dyn Db, file: SourceFile) -> Arc<std::collections::BTreeSet<SourceFile>> {
    Arc::new(crate::fold::reachable(db, file))
}

/// One manifest with its imports folded and its phases expanded, in its own names.
///
/// The border that lets stories share children: every importer folds the same loaded child.
#[salsa::tracked(returns(ref))]
pub fn loaded(db: &dyn Db, file: SourceFile) -> Arc<Loaded> {
    Arc::new(crate::fold::load(db, file))
}

/// The root story after every macro: ordinary declarations only.
#[salsa::tracked(returns(ref))]
pub fn story(db: &dyn Db, root: SourceFile) -> Arc<Loaded> {
    Arc::new(crate::desugar::expand(db, loaded(db, root)))
}

/// Everything that is wrong with a story, in the order of loading.
#[salsa::tracked(returns(ref))]
pub fn check(db: &dyn Db, root: SourceFile) -> Arc<[Diagnostic]> {
    rules::check(db, story(db, root)).into()
}

/// The typed IR of a story.
#[salsa::tracked(returns(ref), no_eq)]
pub fn lowered(db: &dyn Db, root: SourceFile) -> Arc<kitsoki_ir::Story> {
    Arc::new(crate::lower::lower(db, story(db, root)))
}
