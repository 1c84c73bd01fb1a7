//! Words left for later: an edit that changes nothing but prose keeps every result, until somebody wants the words.
//!
//! Most keys pressed in an editor change a description or a comment. What the compiler says about the story is then the same,
//! in places that moved. Such an edit sets what is *shown* of a piece and leaves its `contents`, so that no query runs again;
//! [`whole_span`](super::whole_span) leads from the contents to what is shown. Before anything else than findings is asked
//! for, [`Database::settle`] takes the words over.

use std::sync::Arc;

use camino::Utf8Path;
use salsa::{Durability, Setter as _};

use super::chunks::ChunkKey;
use super::files::{Contents, Database, PIECE, SourceFile};
use crate::{pipeline, prose};

/// What becomes of a change that is one of words alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Words {
    /// It is a change like any other.
    Now,
    /// It waits for [`Database::settle`].
    Later,
}

impl Database {
    /// Reads a file again as [`Database::refresh`] does, but leaves words that no rule reads for later: findings are right at
    /// once and cost next to nothing; everything else sees the old words until [`Database::settle`].
    pub fn refresh_for_findings(&mut self, path: &Utf8Path) -> bool {
        self.read_again(path, Words::Later)
    }

    /// Takes over the words that were left for later.
    pub fn settle(&mut self) {
        for piece in std::mem::take(&mut self.unsettled) {
            if let Some(shown) = piece.shown(self).clone() {
                piece.set_shown(self).with_durability(Durability::LOW).to(None);
                piece
                    .set_contents(self)
                    .with_durability(PIECE)
                    .to(Contents::Text(shown));
            }
        }
    }

    /// Whether no words wait for [`Database::settle`].
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.unsettled.is_empty()
    }

    /// Gives a piece its new text.
    pub(super) fn change_piece(&mut self, piece: SourceFile, key: &ChunkKey, body: &str, words: Words) {
        let settled = piece.contents(self).text().cloned();
        if settled.as_deref() == Some(body) {
            self.forget_shown(piece);
            return;
        }
        if words == Words::Later
            && let Some(settled) = settled
            && self.differs_in_words(piece, key, &settled, body)
        {
            if piece.shown(self).as_deref() != Some(body) {
                piece
                    .set_shown(self)
                    .with_durability(Durability::LOW)
                    .to(Some(Arc::from(body)));
            }
            if !self.unsettled.contains(&piece) {
                self.unsettled.push(piece);
            }
            return;
        }
        self.forget_shown(piece);
        piece
            .set_contents(self)
            .with_durability(PIECE)
            .to(Contents::Text(Arc::from(body)));
    }

    fn forget_shown(&mut self, piece: SourceFile) {
        if piece.shown(self).is_some() {
            piece.set_shown(self).with_durability(Durability::LOW).to(None);
            self.unsettled.retain(|p| *p != piece);
        }
    }

    fn differs_in_words(&self, piece: SourceFile, key: &ChunkKey, settled: &str, body: &str) -> bool {
        let before = prose::Version {
            text: settled,
            parse: pipeline::parse(self, piece),
        };
        prose::only(key, before, body, || kitsoki_syntax::parse(body))
    }
}
