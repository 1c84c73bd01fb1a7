//! Imports: where children come from, what their names become, how they are entered and left (`imports`).

use std::collections::{BTreeMap, BTreeSet};

use crate::db::{Db, SourceFile};
use crate::pipeline;
use crate::story::Loaded;

/// The manifests below `file`; found without recursion, so that cycles end.
pub fn reachable(db: &dyn Db, file: SourceFile) -> BTreeSet<SourceFile> {
    let _ = (db, file);
    BTreeSet::new()
}

/// Loads a manifest, folds its imports and expands its phases.
pub fn load(db: &dyn Db, file: SourceFile) -> Loaded {
    let package = pipeline::package(db, file);
    Loaded {
        file,
        dir: package.dir.clone(),
        manifest: package.manifest.clone(),
        files: package.files.clone(),
        manifests: vec![db.system().canonical(file.path(db))],
        wrappers: Vec::new(),
        scripts: BTreeMap::new(),
        findings: package.findings.clone(),
        incomplete: package.incomplete.clone(),
    }
}
