//! Phases (`macros` 2).
use crate::db::Db;
use crate::story::Loaded;

/// Expands the phases of one manifest.
pub(crate) fn expand(db: &dyn Db, loaded: &mut Loaded) {
    let _ = (db, loaded);
}
