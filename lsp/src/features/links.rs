//! Paths that can be followed.

use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::pipeline;
use kitsoki_syntax::{Entry, NodeId, TextRange, Tree};
use smol_str::SmolStr;

use super::Snapshot;
use super::definition::path_target;
use crate::index::form::{roots, start};
use crate::index::names::{Source, pieces};
use crate::index::schema::{Files, Sem, Ty};
use crate::index::walk::{KeyOf, Scope, Visitor, scalar, walk};

/// One path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Its bytes.
    pub range: TextRange,
    /// The file that it names.
    pub target: SourceFile,
}

/// The paths of a file that name a file which is there.
#[must_use]
pub fn links(snapshot: &Snapshot, file: SourceFile) -> Vec<Link> {
    let db = &snapshot.db;
    let mut out = Vec::new();
    for piece in pieces(db, file) {
        let Some(text) = piece.file.shown_text(db) else {
            continue;
        };
        let tree = &pipeline::shown_parse(db, piece.file).tree;
        let mut found = Paths {
            tree,
            text,
            out: Vec::new(),
        };
        for root in roots(db, piece.file, tree) {
            walk(tree, *root, start(db, piece.file), &mut Scope::default(), &mut found);
        }
        for (files, path, range) in found.out {
            if let Some(target) = path_target(snapshot, file, files, &path) {
                out.push(Link {
                    range: range + piece.offset,
                    target,
                });
            }
        }
    }
    out
}

struct Paths<'t> {
    tree: &'t Tree,
    text: &'t str,
    out: Vec<(Files, SmolStr, TextRange)>,
}

impl Visitor for Paths<'_> {
    fn key(&mut self, _entry: Entry, _of: KeyOf, _scope: &Scope) {}

    fn scalar(&mut self, node: NodeId, ty: &Ty, _scope: &Scope) {
        let (Ty::Text(Sem::Path(files)) | Ty::Any(Sem::Path(files))) = ty else {
            return;
        };
        if let Some(text) = scalar(self.tree, node).cloned() {
            let source = Source::of(self.tree, self.text, node);
            let len = u32::try_from(text.len()).unwrap_or(0);
            let range = source.range(TextRange::up_to(len.into()));
            self.out.push((*files, text, range));
        }
    }
}
