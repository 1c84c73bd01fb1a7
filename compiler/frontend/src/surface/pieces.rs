//! A manifest put together from the pieces of its file ([`crate::db::chunks`]).

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{FileId, Span, TextRange, TextSize, Tree};
use smol_str::SmolStr;

use super::decode::{Decoder, KeyEntry};
use super::field::Field;
use super::items::Items;
use super::manifest::Manifest;
use super::text::Map;
use crate::db::chunks::ChunkKey;

/// What one piece holds: a manifest with one key, of which one entry.
#[must_use]
pub fn decode_piece(tree: &Tree, file: FileId, key: &ChunkKey) -> (Option<Manifest>, Vec<Diagnostic>) {
    let mut cx = Decoder::new(tree, file);
    let Some(root) = tree.root() else {
        return (None, cx.findings);
    };
    if key.entry.is_none() {
        return super::decode_manifest(tree, file);
    }
    let span = Span::new(file, tree.node(root).range);
    let mut manifest = Manifest::blank(span, span);
    let entry = KeyEntry {
        key: SmolStr::clone(&key.section),
        key_span: span,
        value: root,
        written: root,
    };
    let known = manifest.set_key(&mut cx, &entry);
    (known.then_some(manifest), cx.findings)
}

/// Where the text of a piece stands in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// All of it; `None` of an empty one.
    root: Option<TextRange>,
    /// Its first key.
    key: TextRange,
}

impl Extent {
    /// The extent of the text of a tree.
    #[must_use]
    pub fn of(tree: &Tree) -> Self {
        let root = tree.root();
        let entries = root.map(|root| tree.entries(root)).unwrap_or_default();
        Self {
            root: root.map(|root| tree.node(root).range),
            key: entries
                .first()
                .map_or(TextRange::empty(TextSize::new(0)), |e| tree.node(e.key).range),
        }
    }
}

/// A piece that was read, with what is needed to place it in its section.
pub struct PieceOf<'a> {
    /// What it holds.
    pub key: &'a ChunkKey,
    /// Its declarations.
    pub manifest: &'a Manifest,
    /// Where its text stands in it.
    pub extent: Extent,
    /// Its number in spans.
    pub file: FileId,
    /// Its length in bytes.
    pub len: u32,
}

/// Joins pieces in order into one manifest, as if the file had been read whole.
#[must_use]
pub fn assemble(pieces: &[PieceOf<'_>]) -> Manifest {
    let start = pieces
        .first()
        .map_or_else(|| Span::start_of(FileId(0)), |p| p.manifest.span);
    let mut whole = Manifest::blank(start, start);
    let mut header: Option<(&ChunkKey, Span, u32, Option<u32>)> = None;
    for piece in pieces {
        if piece.key.entry.is_some() {
            let Some((key, at, before, first)) = header else {
                continue;
            };
            let Some(range) = piece.extent.root else { continue };
            let from = first.unwrap_or(before + u32::from(range.start()));
            let section = TextRange::new(TextSize::new(from), TextSize::new(before + u32::from(range.end())));
            join(&mut whole, piece.manifest, at, Span::new(at.file, section));
            header = Some((key, at, before + piece.len, Some(from)));
        } else {
            take(&mut whole, piece.manifest);
            let at = Span::new(piece.file, piece.extent.key);
            header = Some((piece.key, at, piece.len, None));
        }
    }
    whole
}

macro_rules! sections {
    (named { $($named:ident),* $(,)? } other { $($other:ident),* $(,)? }) => {
        /// Takes over every key of a piece that holds top-level keys.
        fn take(whole: &mut Manifest, piece: &Manifest) {
            $( if piece.$named.is_some() { whole.$named.clone_from(&piece.$named); } )*
            $( if piece.$other.is_some() { whole.$other.clone_from(&piece.$other); } )*
        }

        /// Adds the entry of a piece to its section, whose key stands at `key`.
        fn join(whole: &mut Manifest, piece: &Manifest, key: Span, section: Span) {
            $( add(&mut whole.$named, piece.$named.as_ref(), key, section); )*
        }
    };
}

sections! {
    named {
        states, world, intents, agents, toolboxes, agent_plugins, providers, operations, meta_modes, proposals, exits, imports,
        host_interfaces, phase_templates, checkpoint_intents,
    }
    other { app, root, hosts, include, off_path, decider, routing, prompts, exports, phases }
}

fn add<T: Clone>(whole: &mut Option<Field<Map<T>>>, piece: Option<&Field<Map<T>>>, key: Span, section: Span) {
    let Some(piece) = piece else { return };
    let field = whole.get_or_insert_with(|| {
        Field::new(
            key,
            Map {
                entries: Items::new(),
                span: section,
            },
        )
    });
    field.value.entries.extend(piece.value.entries.iter().cloned());
    field.value.span = section;
}
