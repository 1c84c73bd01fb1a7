//! What a rule may ask: the story's names, its rooms, and the author's place of any part of any text.

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use kitsoki_syntax::{FileId, NodeKind, Span, TextRange, Tree};
use smol_str::SmolStr;

use super::seen::Sources;
use crate::db::{Db, SourceFile};
use crate::pipeline::parse;
use crate::story::{Loaded, RESERVED_WORLD_KEYS};
use crate::surface::{Agent, Intent, Map, MapEntry, Optional, Room, Text, WorldVar};

/// A declared room with its way from the root.
#[derive(Debug, Clone)]
pub struct RoomEntry<'a> {
    /// Dotted path.
    pub path: SmolStr,
    /// The last segment as declared.
    pub name: &'a Text,
    /// The body; an empty one when `null`.
    pub room: &'a Room,
    /// Declared without a body: a legal target that every check skips (`language` 2.5).
    pub null: bool,
    /// Index of the parent in [`StoryCx::rooms`].
    pub parent: Option<usize>,
}

/// The story as rules see it.
pub struct StoryCx<'a> {
    /// Files and folders.
    pub db: &'a dyn Db,
    /// The story after every macro.
    pub story: &'a Loaded,
    /// Every room by path, depth first, sorted by name at each level.
    pub rooms: IndexMap<SmolStr, RoomEntry<'a>>,
    intents: Table<'a, Intent>,
    world: Table<'a, WorldVar>,
    agents: Table<'a, Agent>,
    /// Places of the errors of loading, sorted.
    faults: Vec<Span>,
    /// What the fixes of misspelt keys would write.
    misspelt: Vec<&'a str>,
    /// The top-level rooms that are looked at; of the others only names may be known then.
    only: Option<&'a [SmolStr]>,
    /// Pieces of files as they were when the story was made; other files are asked.
    sources: Vec<&'a Sources>,
}

/// A room that is still to be entered: its path, its declaration, the index of the room around it.
type Waiting<'a> = (SmolStr, &'a MapEntry<std::sync::Arc<Room>>, Option<usize>);

/// Names of one kind with their declarations: a look-up must not read them all.
type Table<'a, T> = rustc_hash::FxHashMap<&'a str, &'a MapEntry<T>>;

fn table<T>(map: Option<&Map<T>>) -> Table<'_, T> {
    let entries = map.into_iter().flat_map(|m| m.entries.iter());
    entries.map(|e| (e.name.as_str(), e)).collect()
}

/// One room as rules see it.
#[derive(Clone, Copy)]
pub struct RoomCx<'a> {
    /// The story.
    pub story: &'a StoryCx<'a>,
    /// The room's entry.
    pub entry: &'a RoomEntry<'a>,
}

impl<'a> StoryCx<'a> {
    /// Gathers the names of a story.
    #[must_use]
    pub fn new(db: &'a dyn Db, story: &'a Loaded) -> Self {
        Self::of(db, story, story.manifest.states.value(), None)
    }

    /// As [`Self::new`], with `states` in place of the story's rooms. With `only`, [`Self::rooms`] yields those top-level
    /// rooms and what is inside of them, and the bodies of the others are not looked at.
    pub(crate) fn of(
        db: &'a dyn Db,
        story: &'a Loaded,
        states: Option<&'a Map<std::sync::Arc<Room>>>,
        only: Option<&'a [SmolStr]>,
    ) -> Self {
        let mut rooms = IndexMap::new();
        if let Some(states) = states {
            // An explicit stack: nesting depth is the author's.
            let mut stack: Vec<Waiting<'a>> = Vec::new();
            push_sorted(&mut stack, "", states, None);
            while let Some((path, entry, parent)) = stack.pop() {
                let at = rooms.len();
                let room: &'a Room = &entry.value;
                rooms.insert(
                    path.clone(),
                    RoomEntry {
                        path: path.clone(),
                        name: &entry.name,
                        room,
                        null: entry.null,
                        parent,
                    },
                );
                if let Some(children) = &room.states {
                    push_sorted(&mut stack, &path, &children.value, Some(at));
                }
            }
        }
        let errors = story
            .findings
            .iter()
            .filter(|f| f.severity == kitsoki_diagnostics::Level::Error);
        let mut faults: Vec<Span> = errors.clone().filter_map(|f| Some(f.primary.as_ref()?.span)).collect();
        faults.sort_by_key(|s| (s.file.0, s.range.start()));
        let misspelt = errors
            .filter(|f| f.rule == "unknown-key")
            .flat_map(|f| f.fixes.iter().flat_map(|fix| fix.edits.iter()))
            .map(|e| e.text.as_str())
            .collect();
        Self {
            db,
            story,
            rooms,
            faults,
            misspelt,
            only,
            sources: Vec::new(),
            intents: table(story.manifest.intents.value()),
            world: table(story.manifest.world.value()),
            agents: table(story.manifest.agents.value()),
        }
    }

    /// With the texts to which the places of the story belong.
    #[must_use]
    pub(crate) fn with_sources(mut self, sources: &'a Sources) -> Self {
        self.sources.push(sources);
        self
    }

    /// The text of a file or piece.
    #[must_use]
    pub fn text_of(&self, file: FileId) -> Option<&'a str> {
        if let Some(source) = self.sources.iter().find_map(|s| s.get(file)) {
            return Some(source.text());
        }
        self.db.file_by_id(file)?.contents(self.db).text().map(|t| &**t)
    }

    /// Whether an error of loading stands inside of `span`: what seems to be missing there may be misspelt.
    #[must_use]
    pub fn is_faulty(&self, span: Span) -> bool {
        let from = self
            .faults
            .partition_point(|s| (s.file.0, s.range.start()) < (span.file.0, span.range.start()));
        self.faults
            .get(from)
            .is_some_and(|s| s.file == span.file && s.range.start() <= span.range.end())
    }

    /// Whether a syntax error stands in a room or in one around it: arcs and intents of it may be missing.
    #[must_use]
    pub fn is_damaged(&self, room: RoomCx<'_>) -> bool {
        let whole = |r: &RoomCx<'_>| {
            let (name, body) = (r.name().span, r.room().span);
            // What stands between the name and the first key belongs to the room as well.
            if name.file == body.file && name.range.start() < body.range.start() {
                Span::new(body.file, name.range.cover(body.range))
            } else {
                body
            }
        };
        self.story.incomplete.states && room.chain().any(|r| self.is_faulty(whole(&r)))
    }

    /// Whether a section of the manifest is there under a misspelt key: its names are unknown, nobody is blamed for them.
    #[must_use]
    pub fn lacks(&self, section: &str) -> bool {
        self.misspelt.contains(&section)
    }

    /// Every room with a body, depth first, sorted by name at each level.
    pub fn rooms(&'a self) -> impl Iterator<Item = RoomCx<'a>> {
        let only = self.only;
        let inside = move |path: &str| {
            let top = path.split('.').next().unwrap_or_default();
            only.is_none_or(|only| only.iter().any(|name| name == top))
        };
        self.rooms
            .values()
            .filter(move |e| !e.null && inside(&e.path))
            .map(|entry| RoomCx { story: self, entry })
    }

    /// The room at a path.
    #[must_use]
    pub fn room(&'a self, path: &str) -> Option<RoomCx<'a>> {
        self.rooms.get(path).map(|entry| RoomCx { story: self, entry })
    }

    /// A global intent.
    #[must_use]
    pub fn intent(&self, name: &str) -> Option<&'a Intent> {
        self.intents.get(name).map(|e| &e.value)
    }

    /// A world variable.
    #[must_use]
    pub fn world_var(&self, name: &str) -> Option<&'a WorldVar> {
        self.world.get(name).map(|e| &e.value)
    }

    /// Whether a world key is declared or reserved.
    #[must_use]
    pub fn knows_world(&self, name: &str) -> bool {
        RESERVED_WORLD_KEYS.contains(&name) || self.world_var(name).is_some()
    }

    /// A declared agent.
    #[must_use]
    pub fn agent(&self, name: &str) -> Option<&'a Agent> {
        self.agents.get(name).map(|e| &e.value)
    }

    /// The declaration of a global intent with its name.
    #[must_use]
    pub fn intent_entry(&self, name: &str) -> Option<&'a MapEntry<Intent>> {
        self.intents.get(name).copied()
    }

    /// The declaration of a world variable with its name.
    #[must_use]
    pub fn world_entry(&self, name: &str) -> Option<&'a MapEntry<WorldVar>> {
        self.world.get(name).copied()
    }

    /// The declaration of an agent with its name.
    #[must_use]
    pub fn agent_entry(&self, name: &str) -> Option<&'a MapEntry<Agent>> {
        self.agents.get(name).copied()
    }

    /// The names of a mapping, for did-you-mean and lists.
    #[must_use]
    pub fn names<T>(map: Option<&'a Map<T>>) -> Vec<&'a str> {
        map.map(|m| m.names().collect()).unwrap_or_default()
    }

    /// The file of a span.
    #[must_use]
    pub fn file(&self, id: FileId) -> Option<SourceFile> {
        self.db.file_by_id(id)
    }

    /// The folder of the manifest or included file in which a span stands.
    #[must_use]
    pub fn dir_of(&self, span: Span) -> &'a Utf8Path {
        self.db
            .file_by_id(span.file)
            .map_or(&self.story.dir, |f| f.dir(self.db))
    }

    /// The story's own folder.
    #[must_use]
    pub fn base_dir(&self) -> &'a Utf8PathBuf {
        &self.story.dir
    }

    /// The author's place of a range of the present text: through renames and macros, through quotes, escapes and
    /// folding, down to the bytes of the file. The whole scalar when the text was made or its file is gone.
    #[must_use]
    pub fn place(&self, text: &Text, range: TextRange) -> Span {
        match self.sources.iter().find_map(|s| s.get(text.span.file)) {
            Some(source) if text.made.is_none() => place_in(source.text(), source.tree(), text, range),
            _ => place(self.db, text, range),
        }
    }

    /// The place of a whole text without its quotes: for names that lead nowhere.
    #[must_use]
    pub fn inside(&self, text: &Text) -> Span {
        let len = u32::try_from(text.text.len()).unwrap_or(u32::MAX);
        self.place(text, TextRange::new(0.into(), len.into()))
    }

    /// The author's own spelling of a range of the present text.
    #[must_use]
    pub fn spelling(&self, text: &Text, range: TextRange) -> String {
        let span = self.place(text, range);
        self.slice(span).unwrap_or_default()
    }

    /// The author's own spelling of a whole text, without its quotes.
    #[must_use]
    pub fn spelling_of(&self, text: &Text) -> String {
        if text.made.is_some() || text.edits.is_none() {
            return text.text.to_string();
        }
        self.slice(self.inside(text)).unwrap_or_else(|| text.text.to_string())
    }

    /// The source text of a span.
    #[must_use]
    pub fn slice(&self, span: Span) -> Option<String> {
        let text = self.text_of(span.file)?;
        text.get(std::ops::Range::<usize>::from(span.range)).map(str::to_owned)
    }

    /// Sort key of a place among others: file, then offset.
    #[must_use]
    pub fn place_order(&self, span: Span) -> (u32, u32) {
        (span.file.0, span.range.start().into())
    }
}

/// See [`StoryCx::place`].
#[must_use]
pub fn place(db: &dyn Db, text: &Text, range: TextRange) -> Span {
    if text.made.is_some() {
        return text.span;
    }
    let Some(file) = db.file_by_id(text.span.file) else {
        return text.span;
    };
    let Some(source) = file.contents(db).text() else {
        return text.span;
    };
    place_in(source, &parse(db, file).tree, text, range)
}

fn place_in(source: &str, tree: &Tree, text: &Text, range: TextRange) -> Span {
    let Some(node) = tree
        .node_at(text.span.range.start())
        .into_iter()
        .rev()
        .find(|n| tree.node(*n).range == text.span.range && matches!(tree.node(*n).kind, NodeKind::Scalar(_)))
    else {
        return text.span;
    };
    let range = text.to_source_range(range);
    let map = tree.scalar_map(source, node);
    Span::new(
        text.span.file,
        map.source_range(usize::from(range.start())..usize::from(range.end())),
    )
}

fn push_sorted<'a>(
    stack: &mut Vec<Waiting<'a>>,
    path: &str,
    states: &'a Map<std::sync::Arc<Room>>,
    parent: Option<usize>,
) {
    let mut sorted = states.sorted();
    sorted.reverse();
    for entry in sorted {
        let name = entry.name.as_str();
        let full = if path.is_empty() {
            SmolStr::new(name)
        } else {
            smol_str::format_smolstr!("{path}.{name}")
        };
        stack.push((full, entry, parent));
    }
}

impl<'a> RoomCx<'a> {
    /// Dotted path.
    #[must_use]
    pub fn path(&self) -> &'a str {
        self.entry.path.as_str()
    }

    /// The declaration.
    #[must_use]
    pub fn room(&self) -> &'a Room {
        self.entry.room
    }

    /// The name as declared.
    #[must_use]
    pub fn name(&self) -> &'a Text {
        self.entry.name
    }

    /// The room around this one.
    #[must_use]
    pub fn parent(&self) -> Option<RoomCx<'a>> {
        let (_, entry) = self.story.rooms.get_index(self.entry.parent?)?;
        Some(RoomCx {
            story: self.story,
            entry,
        })
    }

    /// This room and those around it, innermost first.
    pub fn chain(&self) -> impl Iterator<Item = RoomCx<'a>> + use<'a> {
        std::iter::successors(Some(*self), RoomCx::parent)
    }

    /// The dotted path in the story that declares the room: without the rooms that stand for imports.
    #[must_use]
    pub fn own_path(&self) -> String {
        let declared = self.chain().take_while(|r| r.room().import_alias.is_none());
        let mut names: Vec<String> = declared.map(|r| super::names::spelled(self.story, r.name())).collect();
        if names.is_empty() {
            return self.path().to_owned();
        }
        names.reverse();
        names.join(".")
    }

    /// `true` for a room of the top level.
    #[must_use]
    pub fn is_top(&self) -> bool {
        self.entry.parent.is_none()
    }

    /// An intent as choices, `default_intent` and the runtime find it: own, ancestors, global (`language` 3.4).
    #[must_use]
    pub fn intent(&self, name: &str) -> Option<&'a Intent> {
        self.chain()
            .find_map(|r| r.room().intents.as_ref().and_then(|i| i.value.get(name)))
            .or_else(|| self.story.intent(name))
    }

    /// The names of every intent that [`Self::intent`] would find.
    #[must_use]
    pub fn intent_names(&self) -> Vec<&'a str> {
        let local = self.chain().flat_map(|r| StoryCx::names(r.room().intents.value()));
        local
            .chain(StoryCx::names(self.story.story.manifest.intents.value()))
            .collect()
    }

    /// The path that a target leads to from here: absolute, relative or stay (`language` 3.7). `None` for a template and
    /// for `@exit:`.
    #[must_use]
    pub fn resolve(&self, target: &str) -> Option<SmolStr> {
        resolve_target(self.path(), target)
    }
}

/// See [`RoomCx::resolve`]. `from` is the dotted path of the owning room.
#[must_use]
pub fn resolve_target(from: &str, target: &str) -> Option<SmolStr> {
    if target.contains("{{") || target.starts_with("@exit:") {
        return None;
    }
    if target.is_empty() || target == "." {
        return Some(SmolStr::new(from));
    }
    if !target.starts_with("..") {
        return Some(SmolStr::new(target.replace('/', ".")));
    }
    let mut path: Vec<&str> = from.split('.').collect();
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            other => path.push(other),
        }
    }
    Some(SmolStr::new(path.join(".")))
}

#[cfg(test)]
mod tests {
    use super::resolve_target;

    #[test]
    fn targets_are_absolute_unless_they_start_with_two_dots() {
        assert_eq!(resolve_target("bar.dark", "../lit").as_deref(), Some("bar.lit"));
        assert_eq!(resolve_target("bar.dark", "lit").as_deref(), Some("lit"));
        assert_eq!(resolve_target("bar.dark", "bar/lit").as_deref(), Some("bar.lit"));
        assert_eq!(resolve_target("bar.dark", "../../../foyer").as_deref(), Some("foyer"));
        assert_eq!(resolve_target("bar.dark", ".").as_deref(), Some("bar.dark"));
        assert_eq!(resolve_target("bar", "{{ world.x }}"), None);
    }
}
