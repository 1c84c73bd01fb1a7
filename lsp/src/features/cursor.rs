//! What stands at a place by the table of the language: a key, a text with its meaning, a word of an expression.

use kitsoki_compiler::pipeline;
use kitsoki_syntax::{Entry, NodeId, TextRange, TextSize, Tree};
use smol_str::SmolStr;

use super::{At, Snapshot};
use crate::index::form::{roots, start};
use crate::index::names::{Source, piece_at};
use crate::index::schema::{Decl, Keys, Sem, Ty};
use crate::index::walk::{KeyOf, Scope, Visitor, scalar, walk};

/// What stands at a place.
#[derive(Clone, Debug)]
pub enum Spot {
    /// A key of a declaration.
    Key {
        /// The declaration.
        decl: &'static Decl,
        /// The key.
        key: SmolStr,
        /// Its bytes in the whole file.
        range: TextRange,
        /// What stands around it.
        scope: Scope,
    },
    /// An argument of a verb.
    Argument {
        /// The argument.
        key: SmolStr,
        /// Its bytes in the whole file.
        range: TextRange,
        /// What stands around it.
        scope: Scope,
    },
    /// A text.
    Value {
        /// What it means.
        sem: Sem,
        /// The text, decoded.
        text: SmolStr,
        /// Its bytes in the whole file, quotes included.
        range: TextRange,
        /// Where the cursor is in the decoded text.
        offset: usize,
        /// What stands around it.
        scope: Scope,
    },
}

/// What stands at a place; `None` between things.
#[must_use]
pub fn spot(snapshot: &Snapshot, at: At) -> Option<Spot> {
    let db = &snapshot.db;
    let piece = piece_at(db, at.file, at.offset);
    let offset = at.offset.checked_sub(piece.offset)?;
    let text = piece.file.shown_text(db)?;
    let tree = &pipeline::shown_parse(db, piece.file).tree;
    let mut finder = Finder {
        tree,
        text,
        at: offset,
        base: piece.offset,
        found: None,
    };
    for root in roots(db, piece.file, tree) {
        walk(tree, *root, start(db, piece.file), &mut Scope::default(), &mut finder);
    }
    finder.found
}

struct Finder<'t> {
    tree: &'t Tree,
    text: &'t str,
    at: TextSize,
    base: TextSize,
    found: Option<Spot>,
}

impl Visitor for Finder<'_> {
    fn enter(&mut self, node: NodeId) -> bool {
        self.found.is_none() && self.tree.node(node).range.contains_inclusive(self.at)
    }

    fn key(&mut self, entry: Entry, of: KeyOf, scope: &Scope) {
        let range = self.tree.node(entry.key).range;
        if self.found.is_some() || !range.contains_inclusive(self.at) {
            return;
        }
        let Some(key) = scalar(self.tree, entry.key).cloned() else {
            return;
        };
        let range = range + self.base;
        let scope = scope.clone();
        self.found = match of {
            KeyOf::Fixed(decl) => Some(Spot::Key {
                decl,
                key,
                range,
                scope,
            }),
            KeyOf::Chosen(Keys::Arguments | Keys::Recorded) => Some(Spot::Argument { key, range, scope }),
            KeyOf::Chosen(_) => None,
        };
    }

    fn scalar(&mut self, node: NodeId, ty: &Ty, scope: &Scope) {
        let (Ty::Text(sem) | Ty::Any(sem)) = ty else { return };
        let Some(text) = scalar(self.tree, node).cloned() else {
            return;
        };
        let range = self.tree.node(node).range;
        let source = Source::of(self.tree, self.text, node);
        let offset = source.decoded(self.at, text.len());
        self.found = Some(Spot::Value {
            sem: *sem,
            offset,
            text,
            range: range + self.base,
            scope: scope.clone(),
        });
    }
}
