//! Imports: where children come from, what their names become, how they are entered and left (`imports`).
//!
//! | Module | What it does |
//! |---|---|
//! | `source`, `kits` | from `source:` to a manifest |
//! | `graph` | which manifest imports which; cycles and caps |
//! | `version` | constraints on the child's version |
//! | `child`, `lift` | one import, step by step: source, version, overrides; what depends on the importer's names |
//! | `part` | what depends on the import and its child alone: rooms, wrapper, flat tables |
//! | `advice` | what loads and does not do what its author means |
//! | `tables` | the importer's names, and collisions with them |
//! | `room`, `view`, `notice` | one room under its new names, and what the renaming misses |
//! | `rename` | the names of a layer and what they do to a text |
//! | `arrows` | targets and exits |
//! | `assets` | paths and prompts |
//! | `requires` | keys that an exit requires |
//! | `binding`, `sha1` | host interfaces and their handlers |

mod advice;
mod arrows;
mod assets;
mod binding;
mod child;
mod graph;
mod kits;
mod lift;
mod notice;
mod part;
mod rename;
mod requires;
mod room;
mod sha1;
mod source;
mod tables;
mod version;
mod view;

use std::collections::BTreeMap;

pub(crate) use graph::cycles;
pub use graph::{Edge, Reach, edges, reach};
pub use part::Part;
pub(crate) use part::fold as fold_one;

use crate::db::{Db, SourceFile};
use crate::pipeline;
use crate::story::Loaded;

/// Loads a manifest, folds its imports and expands its phases.
pub fn load(db: &dyn Db, file: SourceFile) -> Loaded {
    let package = pipeline::package(db, file);
    let mut loaded = Loaded {
        file,
        dir: package.dir.clone(),
        manifest: package.manifest.clone(),
        files: package.files.clone(),
        manifests: vec![db.system().canonical(file.path(db))],
        wrappers: Vec::new(),
        scripts: BTreeMap::new(),
        findings: package.findings.clone(),
        incomplete: package.incomplete.clone(),
        folded: 0,
    };
    if let Some(imports) = loaded.manifest.imports.take() {
        child::fold_all(db, &mut loaded, &imports);
    }
    crate::desugar::phases::expand(db, &mut loaded);
    loaded
}
