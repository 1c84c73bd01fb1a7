//! One import after the other, step by step (`imports` 5).
//!
//! A step that cannot go on leaves the wrapper unfolded and says in [`Incomplete`](crate::story::Incomplete) that names are
//! missing; every other fault is noted and the fold goes on.

use std::sync::Arc as Shared;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::assets::exists;
use super::binding;
use super::graph::{MAX_CHAIN, MAX_MANIFESTS, is_alias, same_file, shown};
use super::source::{self, SourceFault};
use super::tables::Tables;
use super::version::{self, VersionFault};
use crate::db::{Db, SourceFile, normalize};
use crate::pipeline;
use crate::rules::cx::place;
use crate::rules::imports as rules;
use crate::rules::words::did_you_mean;
use crate::story::{Incomplete, Loaded, Wrapper};
use crate::surface::{Field, Import, Manifest, Map, MapEntry, Optional, Room, Text};
use kitsoki_syntax::text_range;

/// Most names that one story may have after its fold, and most that all its layers together may fold: many times the
/// largest real story.
const MAX_NAMES: usize = 40_000;
const MAX_FOLDED: usize = 48_000;

/// Folds every import of a manifest into it.
pub(super) fn fold_all(db: &dyn Db, loaded: &mut Loaded, imports: &Field<Map<Import>>) {
    let below = pipeline::reachable(db, loaded.file);
    let own_world = loaded
        .manifest
        .world
        .iter()
        .flat_map(|w| w.names())
        .map(SmolStr::new)
        .collect();
    let mut fold = Fold {
        db,
        tables: Tables::of(&loaded.manifest),
        own_world: &own_world,
        names: weight(&loaded.manifest),
        files: loaded.files.iter().copied().collect(),
        manifests: loaded.manifests.iter().cloned().collect(),
        said: loaded.findings.iter().filter_map(key).collect(),
        loaded,
    };
    if below.files.len() > MAX_MANIFESTS || below.height > MAX_CHAIN {
        let at = imports.entries.first().map_or(imports.key, |e| e.name.span);
        fold.say(rules::import_too_large::chain(at, MAX_CHAIN, MAX_MANIFESTS));
        fold.loaded.incomplete = Incomplete::all();
        return;
    }
    for entry in imports.sorted() {
        if fold.one(entry).is_none() {
            fold.unfolded(entry);
        }
    }
}

/// What makes a finding the same as another one, when a child is imported twice.
type Said = (&'static str, Span, String);

fn key(finding: &Diagnostic) -> Option<Said> {
    let span = finding.primary.as_ref()?.span;
    Some((finding.rule, span, finding.message.clone()))
}

/// How many names a manifest holds: rooms at every depth and the tables that are folded.
fn weight(m: &Manifest) -> usize {
    fn len<T>(map: &Option<Field<Map<T>>>) -> usize {
        map.as_ref().map_or(0, |m| m.entries.len())
    }
    let mut rooms = 0;
    let mut stack: Vec<&Map<Shared<Room>>> = m.states.iter().map(|s| &s.value).collect();
    while let Some(states) = stack.pop() {
        rooms += states.entries.len();
        stack.extend(states.entries.iter().filter_map(|e| e.value.states.value()));
    }
    rooms
        + len(&m.world)
        + len(&m.intents)
        + len(&m.agents)
        + len(&m.operations)
        + len(&m.host_interfaces)
        + len(&m.meta_modes)
}

/// The importer while its children are folded into it.
pub(super) struct Fold<'a, 'l> {
    pub db: &'a dyn Db,
    pub loaded: &'l mut Loaded,
    pub tables: Tables,
    /// The importer's own world keys.
    pub own_world: &'a FxHashSet<SmolStr>,
    names: usize,
    files: FxHashSet<SourceFile>,
    manifests: FxHashSet<Utf8PathBuf>,
    said: FxHashSet<Said>,
}

/// The child under one alias while it is folded.
pub(super) struct Child<'a> {
    pub alias: &'a Text,
    pub import: &'a Import,
    pub story: &'a Loaded,
    /// Top-level rooms after overrides.
    pub rooms: Vec<RoomOf<'a>>,
}

/// A top-level room of a child.
pub(super) struct RoomOf<'a> {
    pub name: &'a Text,
    pub room: &'a Room,
    /// Declared without a body.
    pub null: bool,
    /// The importer wrote it, in `overrides.states`.
    pub in_override: bool,
}

impl<'a> Fold<'a, '_> {
    pub(super) fn say(&mut self, finding: Diagnostic) {
        if key(&finding).is_none_or(|k| self.said.insert(k)) {
            self.loaded.findings.push(finding);
        }
    }

    /// The author's place of a whole text, without its quotes.
    pub(super) fn at(&self, text: &Text) -> Span {
        place(self.db, text, text_range(0, text.text.len()))
    }

    /// The alias stays known although nothing stands behind it.
    fn unfolded(&mut self, entry: &MapEntry<Import>) {
        self.loaded.incomplete = Incomplete::all();
        self.loaded.wrappers.push(Wrapper {
            alias: entry.name.text.clone(),
            alias_span: entry.name.span,
            entry: SmolStr::default(),
            entry_span: entry.name.span,
            manifest: Utf8PathBuf::new(),
            dir: Utf8PathBuf::new(),
            folded: false,
        });
    }

    /// `None` when the import cannot be folded; what is wrong has been said, here or where a cycle is reported.
    fn one(&mut self, entry: &'a MapEntry<Import>) -> Option<()> {
        let (alias, import) = (&entry.name, &entry.value);
        if entry.null {
            self.say(rules::import_null(self.at(alias), alias.as_str()));
            return None;
        }
        if !is_alias(alias.as_str()) {
            self.say(rules::import_alias_syntax(alias.span, alias.as_str()));
            return None;
        }
        let Some(source) = import.source.as_ref().filter(|s| !s.text.is_empty()) else {
            if !entry.broken {
                self.say(rules::import_source_missing(self.at(alias), alias.as_str()));
            }
            return None;
        };
        let bound = match binding::read(self.db, self.loaded.file, import, &mut self.loaded.scripts) {
            Ok(bound) => bound,
            Err(findings) => {
                findings.into_iter().for_each(|f| self.say(f));
                return None;
            }
        };
        let file = self.file(&source.value)?;
        let importer = self.loaded.file;
        if file == importer || pipeline::reachable(self.db, file).files.contains(&importer) {
            return None;
        }
        let db = self.db;
        if let Some(error) = pipeline::unreadable(db, file) {
            let at = self.at(&source.value);
            let near = near_folder(db, self.loaded.file, source.as_str());
            let path = shown(db, importer, file);
            self.say(rules::import_unreadable(
                at,
                source.as_str(),
                &path,
                error,
                source::odd_shape(source.as_str()),
                near,
            ));
            return None;
        }
        let story: &'a Loaded = pipeline::loaded(db, file);
        story.findings.iter().for_each(|f| self.say(f.clone()));
        self.read_below(story, file);
        if let Some(why) = source::odd_shape(source.as_str()) {
            self.say(rules::import_source_shape(self.at(&source.value), source.as_str(), why));
        }
        self.version(import, story)?;
        let size = weight(&story.manifest);
        if self.names + size > MAX_NAMES || self.loaded.folded + story.folded + size > MAX_FOLDED {
            self.say(rules::import_too_large(self.at(alias), alias.as_str(), size));
            return None;
        }
        self.names += size;
        self.loaded.folded += story.folded + size;
        let rooms = self.overridden(alias, import, story)?;
        let child = Child {
            alias,
            import,
            story,
            rooms,
        };
        self.fold(&child, &bound, file)
    }

    /// The manifest of a source.
    fn file(&mut self, source: &Text) -> Option<SourceFile> {
        let at = self.at(source);
        let name = source.as_str();
        match source::resolve(self.db, &self.loaded.dir, name) {
            Ok(file) => Some(same_file(self.db, self.loaded.file, file)),
            Err(fault) => {
                self.say(match fault {
                    SourceFault::Name => rules::import_source_name(at, name),
                    SourceFault::Discovery => rules::import_source_discovery(at, name, &self.loaded.dir),
                    SourceFault::NotFound(path) => {
                        let near = near_story(self.db, &path);
                        rules::import_source_not_found(at, name, &path, near)
                    }
                    SourceFault::Override(why) => rules::import_source_override(at, name, &why),
                    SourceFault::Git(why) => rules::import_git(at, name, &why),
                });
                None
            }
        }
    }

    /// Files, manifests, scripts and gaps of a child are the importer's too.
    fn read_below(&mut self, story: &Loaded, file: SourceFile) {
        for f in &story.files {
            if self.files.insert(*f) {
                self.loaded.files.push(*f);
            }
        }
        for path in std::iter::once(file.path(self.db)).chain(&story.manifests) {
            if self.manifests.insert(path.clone()) {
                self.loaded.manifests.push(path.clone());
            }
        }
        for (name, script) in &story.scripts {
            self.loaded.scripts.insert(name.clone(), script.clone());
        }
        self.loaded.incomplete.join(&story.incomplete);
    }

    fn version(&mut self, import: &Import, story: &Loaded) -> Option<()> {
        let Some(constraint) = import.version.as_ref().filter(|v| !v.text.is_empty()) else {
            return Some(());
        };
        let version = story.manifest.app.as_ref().and_then(|a| a.version.as_ref());
        let text = version.map_or("", |v| v.as_str());
        let Err(fault) = version::check(text, constraint.as_str()) else {
            return Some(());
        };
        let own = version
            .map(|v| v.value.span)
            .or(story.manifest.app.as_ref().map(|a| a.key));
        self.say(match fault {
            VersionFault::Constraint => rules::import_version_syntax(constraint.value.span, constraint.as_str()),
            VersionFault::Child => rules::import_version_syntax::child(constraint.value.span, text, own),
            VersionFault::Unsatisfied => {
                rules::import_version_unsatisfied(constraint.value.span, constraint.as_str(), text, own)
            }
        });
        None
    }

    /// The child's rooms with the importer's replacements (`imports` 10). `None` when an override leads nowhere.
    fn overridden(&mut self, alias: &Text, import: &'a Import, story: &'a Loaded) -> Option<Vec<RoomOf<'a>>> {
        let states = story.manifest.states.value();
        let overrides = import.overrides.value();
        let given = overrides.and_then(|o| o.states.value());
        let mut good = true;
        for entry in given.into_iter().flat_map(|m| m.entries.iter()) {
            if !states.is_some_and(|s| s.has(entry.name.as_str())) && !story.incomplete.states {
                let near = nearest(states, entry.name.as_str()).or_else(|| nested(states, entry.name.as_str()));
                let near = near.map(|t| (t.text.clone(), self.at(t)));
                self.say(rules::import_override_state_unknown(
                    self.at(&entry.name),
                    entry.name.as_str(),
                    alias,
                    near,
                ));
                good = false;
            }
        }
        let intents = story.manifest.intents.value();
        for entry in overrides
            .and_then(|o| o.intents.value())
            .into_iter()
            .flat_map(|m| m.entries.iter())
        {
            if !intents.is_some_and(|i| i.has(entry.name.as_str())) && !story.incomplete.intents {
                let near = nearest(intents, entry.name.as_str()).map(|t| (t.text.clone(), self.at(t)));
                self.say(rules::import_override_intent_unknown(
                    self.at(&entry.name),
                    entry.name.as_str(),
                    alias,
                    near,
                ));
                good = false;
            }
        }
        for entry in overrides
            .and_then(|o| o.prompts.value())
            .into_iter()
            .flat_map(|m| m.entries.iter())
        {
            let path = normalize(&self.loaded.dir.join(entry.value.as_str()));
            if !exists(self.db, &path) {
                self.say(rules::import_override_prompt_missing(
                    self.at(&entry.value),
                    entry.value.as_str(),
                ));
                good = false;
            }
        }
        good.then(|| rooms_of(import, story))
    }
}

/// The child's rooms with the importer's replacements.
pub(super) fn rooms_of<'a>(import: &'a Import, story: &'a Loaded) -> Vec<RoomOf<'a>> {
    let given = import.overrides.value().and_then(|o| o.states.value());
    let given: FxHashMap<&str, &MapEntry<Shared<Room>>> = given
        .into_iter()
        .flat_map(|m| m.entries.iter())
        .map(|e| (e.name.as_str(), e))
        .collect();
    let states = story.manifest.states.value();
    let rooms = states.into_iter().flat_map(|s| s.entries.iter()).map(|entry| {
        let replaced = given.get(entry.name.as_str()).copied();
        let body = replaced.unwrap_or(entry);
        RoomOf {
            name: &entry.name,
            room: &body.value,
            null: body.null,
            in_override: replaced.is_some(),
        }
    });
    rooms.collect()
}

/// A declared name that `name` is probably a slip of.
pub(super) fn nearest<'m, T>(map: Option<&'m Map<T>>, name: &str) -> Option<&'m Text> {
    let map = map?;
    let word = did_you_mean(name, map.names())?;
    map.entry(word).map(|e| &e.name)
}

/// A nested room of exactly this name.
fn nested<'m>(states: Option<&'m Map<Shared<Room>>>, name: &str) -> Option<&'m Text> {
    let mut stack: Vec<&Map<Shared<Room>>> = states.into_iter().collect();
    while let Some(states) = stack.pop() {
        if let Some(entry) = states.entry(name) {
            return Some(&entry.name);
        }
        stack.extend(states.entries.iter().filter_map(|e| e.value.states.value()));
    }
    None
}

/// A folder beside the one that a relative source names, when its name is similar and it holds a manifest.
fn near_folder(db: &dyn Db, importer: SourceFile, source: &str) -> Option<String> {
    let path = normalize(&importer.dir(db).join(source));
    let name = path.file_name()?;
    let (head, _) = source.trim_end_matches('/').rsplit_once('/').unwrap_or((".", ""));
    similar_story(db, path.parent()?, name).map(|near| format!("{head}/{near}"))
}

/// A story of a repository with a similar name.
fn near_story(db: &dyn Db, manifest: &Utf8Path) -> Option<String> {
    let folder = manifest.parent()?;
    similar_story(db, folder.parent()?, folder.file_name()?).map(|near| format!("@kitsoki/{near}"))
}

fn similar_story(db: &dyn Db, parent: &Utf8Path, name: &str) -> Option<String> {
    let entries = db.listing(parent).entries(db);
    let folders = entries
        .iter()
        .filter(|e| e.is_dir && e.name != name)
        .map(|e| e.name.as_str());
    let near = did_you_mean(name, folders)?;
    exists(db, &parent.join(near).join("app.yaml")).then(|| near.to_owned())
}
