//! The stages as queries, in the order of `language` 1.2.
//!
//! `parse` and `decoded` look at one file, `package` at one manifest with its includes, `loaded` at one manifest with
//! everything below it (imports folded, phases expanded), `story` at a root after every macro, `check` at what rules say.
//!
//! An editor has many stories open and edits one at a time. What is large and made again from what stands before it (`lru`) is
//! kept for those looked at last; of the others what was found is kept.

use std::sync::Arc;

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Parse;
use smol_str::SmolStr;

use crate::db::{Contents, Database, Db, ReadError, SourceFile};
use crate::fold;
use crate::package::Package;
use crate::rules;
use crate::rules::seen::{Seen, Sources, seen};
use crate::story::{Incomplete, Loaded};
use crate::surface::damage;
use crate::surface::{Decoded, Extent, Import, Manifest, MapEntry, PieceOf, assemble, decode_manifest, decode_piece};

/// The result of [`checked`]: all that an editor shows of a story which nobody edits.
struct Checked {
    findings: Arc<[Diagnostic]>,
    sources: Sources,
    files: Arc<[SourceFile]>,
}

/// The tree of one file. Depends on nothing but its text.
#[salsa::tracked(returns(ref), no_eq, lru = 1024)]
pub fn parse(db: &dyn Db, file: SourceFile) -> Arc<Parse> {
    match file.contents(db) {
        Contents::Text(text) => Arc::new(kitsoki_syntax::parse(text)),
        Contents::NotText(_) | Contents::Failed(_) => Arc::new(kitsoki_syntax::parse("")),
    }
}

/// The tree of the text that the author sees ([`SourceFile::shown_text`]). Its places are those of that text.
pub fn shown_parse(db: &dyn Db, file: SourceFile) -> &Arc<Parse> {
    if file.shown(db).is_some() {
        parse_of_shown(db, file)
    } else {
        parse(db, file)
    }
}

#[salsa::tracked(returns(ref), no_eq, lru = 16)]
fn parse_of_shown(db: &dyn Db, file: SourceFile) -> Arc<Parse> {
    Arc::new(kitsoki_syntax::parse(file.shown_text(db).map_or("", |t| t)))
}

/// The declarations of a piece with the words that wait in it; `None` when none do.
#[salsa::tracked(returns(as_deref), no_eq, lru = 16)]
pub fn shown_piece(db: &dyn Db, piece: SourceFile) -> Option<Arc<Manifest>> {
    let _ = piece.shown(db).as_ref()?;
    let (_, key) = piece.home(db).as_ref()?;
    let (manifest, _) = decode_piece(&shown_parse(db, piece).tree, piece.file_id(db), key);
    manifest.map(Arc::new)
}

/// Why a file cannot be read, if so. The border that keeps its text away from those who only ask whether it is there.
#[salsa::tracked(returns(ref))]
pub(crate) fn unreadable(db: &dyn Db, file: SourceFile) -> Option<ReadError> {
    // What is cut into pieces has been read.
    if !file.chunks(db).is_empty() {
        return None;
    }
    match file.contents(db) {
        Contents::Failed(error) => Some(error.clone()),
        Contents::Text(_) | Contents::NotText(_) => None,
    }
}

/// Whether nothing is there.
pub(crate) fn is_missing(db: &dyn Db, file: SourceFile) -> bool {
    matches!(unreadable(db, file), Some(ReadError::Missing))
}

/// Whether nothing stands in a file but comments and marks of documents. A file in pieces has something to cut.
pub(crate) fn is_blank(db: &dyn Db, file: SourceFile) -> bool {
    file.chunks(db).is_empty() && parse(db, file).tree.documents().is_empty()
}

/// The declarations of one file with the findings about their shapes, syntax faults included.
///
/// A large file in an editor is put together from its pieces, as long as each of them reads cleanly; otherwise it is read
/// whole, so that what is said does not depend on the cut.
#[salsa::tracked(returns(ref))]
pub fn decoded(db: &dyn Db, file: SourceFile) -> Decoded {
    let chunks = file.chunks(db);
    if !chunks.is_empty()
        && let Some(decoded) = assembled(db, chunks)
    {
        return decoded;
    }
    let id = file.file_id(db);
    let parsed = parse(db, file);
    let (manifest, mut findings) = decode_manifest(&parsed.tree, id);
    let mut faults = rules::syntax::findings(db, file, parsed);
    let incomplete = match file.contents(db) {
        Contents::Text(text) => damage::of(parsed, text),
        Contents::NotText(_) | Contents::Failed(_) => Incomplete::all(),
    };
    // Aliases that are too much for the tree are too much for its reader as well.
    if parsed
        .faults
        .iter()
        .any(|f| f.kind == kitsoki_syntax::FaultKind::AliasBudget)
    {
        findings.retain(|f| f.rule != rules::decoding::ALIAS_GROWTH);
    }
    faults.append(&mut findings);
    Decoded {
        manifest: manifest.map(Arc::new),
        findings: faults.into(),
        incomplete,
    }
}

/// One piece that was read on its own.
#[derive(PartialEq)]
struct ReadPiece {
    /// Its declarations; `None` when anything at all is to be said about it.
    manifest: Option<Arc<Manifest>>,
    extent: Extent,
}

/// The declarations of one piece.
#[salsa::tracked(returns(ref))]
fn piece(db: &dyn Db, chunk: SourceFile) -> ReadPiece {
    let parsed = parse(db, chunk);
    let faults = rules::syntax::findings(db, chunk, parsed);
    let extent = Extent::of(&parsed.tree);
    let Some((_, key)) = chunk.home(db) else {
        return ReadPiece { manifest: None, extent };
    };
    let (manifest, findings) = decode_piece(&parsed.tree, chunk.file_id(db), key);
    // Anything at all is said about the whole file, once.
    let clean = faults.is_empty() && findings.is_empty();
    ReadPiece {
        manifest: manifest.filter(|_| clean).map(Arc::new),
        extent,
    }
}

fn assembled(db: &dyn Db, chunks: &[SourceFile]) -> Option<Decoded> {
    let mut pieces = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let read = piece(db, *chunk);
        let (_, key) = chunk.home(db).as_ref()?;
        let len = chunk.contents(db).text().map_or(0, |t| t.len());
        pieces.push(PieceOf {
            key,
            manifest: read.manifest.as_deref()?,
            extent: read.extent,
            file: chunk.file_id(db),
            len: u32::try_from(len).unwrap_or(u32::MAX),
        });
    }
    Some(Decoded {
        manifest: Some(Arc::new(assemble(&pieces))),
        findings: Arc::from([]),
        incomplete: Incomplete::default(),
    })
}

/// One manifest with the files it includes, agents and toolboxes resolved per file.
#[salsa::tracked(returns(ref))]
pub fn package(db: &dyn Db, file: SourceFile) -> Arc<Package> {
    Arc::new(crate::package::build(db, file))
}

/// The imports of one manifest whose child is known, by alias. Depends on the manifest, not on the children.
#[salsa::tracked(returns(ref))]
pub fn import_edges(db: &dyn Db, file: SourceFile) -> Arc<[crate::fold::Edge]> {
    crate::fold::edges(db, file).into()
}

/// Every manifest that can be reached from `file` through imports, and how long the longest chain is. Asked before anything
/// is loaded: an import that would come back is never followed.
#[salsa::tracked(returns(ref))]
pub fn reachable(db: &dyn Db, file: SourceFile) -> Arc<crate::fold::Reach> {
    Arc::new(crate::fold::reach(db, file))
}

/// One import as it is declared. The border that keeps an edit elsewhere in the importer from folding a child again.
#[salsa::tracked(returns(ref))]
pub(crate) fn import_of(db: &dyn Db, importer: SourceFile, alias: SmolStr) -> Option<Arc<MapEntry<Import>>> {
    let imports = package(db, importer).manifest.imports.as_ref()?;
    imports.value.entry(&alias).cloned().map(Arc::new)
}

/// The names of a manifest's own world keys, sorted; a border like [`import_of`].
#[salsa::tracked(returns(ref))]
pub(crate) fn own_world(db: &dyn Db, file: SourceFile) -> Arc<[SmolStr]> {
    let world = package(db, file).manifest.world.as_ref();
    let mut names: Vec<SmolStr> = world.into_iter().flat_map(|w| w.names()).map(SmolStr::new).collect();
    names.sort_unstable();
    names.into()
}

/// What the fold of one import makes from the import and its child alone. It is asked for once, by the importer: outside of a
/// session of edits nothing is kept of it.
pub(crate) fn folded(db: &dyn Db, importer: SourceFile, alias: SmolStr, child: SourceFile) -> Option<Arc<fold::Part>> {
    if db.editing() {
        return kept_fold(db, importer, alias, child).clone();
    }
    fold::fold_one(db, importer, &alias, child).map(Arc::new)
}

#[salsa::tracked(returns(ref), no_eq, lru = 64)]
fn kept_fold(db: &dyn Db, importer: SourceFile, alias: SmolStr, child: SourceFile) -> Option<Arc<fold::Part>> {
    fold::fold_one(db, importer, &alias, child).map(Arc::new)
}

/// One manifest with its imports folded and its phases expanded, in its own names.
///
/// The border that lets stories share children: every importer folds the same loaded child.
#[salsa::tracked(returns(ref), lru = 64)]
pub fn loaded(db: &dyn Db, file: SourceFile) -> Arc<Loaded> {
    Arc::new(crate::fold::load(db, file))
}

/// The root story after every macro: ordinary declarations only.
#[salsa::tracked(returns(ref), lru = 8)]
pub fn story(db: &dyn Db, root: SourceFile) -> Arc<Loaded> {
    Arc::new(crate::desugar::expand(db, loaded(db, root)))
}

/// Everything that is wrong with a story. Places may lie in pieces of files, also in pieces as they were before words changed
/// that no rule reads, and the order is that of discovery: what people see comes from [`findings`].
pub fn check(db: &dyn Db, root: SourceFile) -> &Arc<[Diagnostic]> {
    &checked(db, root).findings
}

/// The files that were read for a story, in the order of loading.
pub fn files(db: &dyn Db, root: SourceFile) -> &Arc<[SourceFile]> {
    &checked(db, root).files
}

/// What the rules said, and about which texts.
#[salsa::tracked(returns(ref), no_eq)]
fn checked(db: &dyn Db, root: SourceFile) -> Checked {
    let seen = seen(db, root);
    Checked {
        findings: rules::check(db, seen).into(),
        sources: seen.sources.clone(),
        files: seen.story.files.as_slice().into(),
    }
}

/// The typed IR of a story.
#[salsa::tracked(returns(ref), no_eq)]
pub fn lowered(db: &dyn Db, root: SourceFile) -> Arc<kitsoki_ir::Story> {
    Arc::new(crate::lower::lower(db, story(db, root)))
}

/// What is wrong with a story, with places in whole files, by file in the order of loading, then by place, then by rule;
/// outside of a session of edits a finding in another file than the manifest says how that file comes in.
#[must_use]
pub fn findings(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let Checked {
        findings,
        sources,
        files,
    } = checked(db, root);
    let present = |f: &Diagnostic| rules::in_whole_files(db, &sources.in_present_texts(db, f.clone()));
    in_order(db, root, findings.iter().map(present).collect(), files)
}

/// The same for a story that nobody looks at afterwards, with the files that were read: what only this story needs is not
/// kept. A run over many stories holds one at a time, with what they share.
#[must_use]
pub fn findings_once(db: &dyn Db, root: SourceFile) -> (Vec<Diagnostic>, Vec<SourceFile>) {
    if db.editing() {
        // There what is kept makes the next time cheap.
        return (findings(db, root), story(db, root).files.clone());
    }
    let story = Arc::new(crate::desugar::expand(db, loaded(db, root)));
    let files = story.files.clone();
    let all = rules::check(db, &Seen::once(story));
    (in_order(db, root, all, &files), files)
}

/// As [`findings_once`], for a run over one story: its rooms are checked side by side, on all threads of the pool around.
#[must_use]
pub fn findings_alone(db: &Database, root: SourceFile) -> (Vec<Diagnostic>, Vec<SourceFile>) {
    if db.editing() {
        return findings_once(db, root);
    }
    let story = Arc::new(crate::desugar::expand(db, loaded(db, root)));
    let files = story.files.clone();
    let all = rules::check_side_by_side(db, &Seen::once(story));
    (in_order(db, root, all, &files), files)
}

fn in_order(db: &dyn Db, root: SourceFile, mut all: Vec<Diagnostic>, files: &[SourceFile]) -> Vec<Diagnostic> {
    kitsoki_diagnostics::sort(&mut all, files.iter().map(|f| f.file_id(db)));
    // A story that is imported twice, a phase that is expanded twice: the author's mistake is one.
    kitsoki_diagnostics::merge_repeats(&mut all);
    rules::complete_advice(&mut all);
    // An editor leads from a file to its stories by itself, and asks after every key.
    if !db.editing() {
        crate::package::add_entrances(db, files, root, &mut all);
    }
    all
}
