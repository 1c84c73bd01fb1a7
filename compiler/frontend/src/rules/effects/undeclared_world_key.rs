//! `undeclared-world-key`: a world key that is read or written but declared nowhere (`language` "go further").
//!
//! The world is not a closed schema: the reference reads such a key as nothing and writes it without a word. Every read
//! and write of one missing key is one finding. Names that the engine owns are legal without a declaration.

use kitsoki_syntax::{Span, TextRange};
use rustc_hash::FxHashSet;

use super::super::macros;
use super::super::manifest::operations;
use super::super::names::{self, Lost, Use, Words};
use super::super::prelude::*;
use super::super::rooms::relevant_world_undeclared;
use super::super::walk;
use crate::story::{ENGINE_WORLD_KEYS, RESERVED_WORLD_KEYS};

pub(crate) const RULE: Rule = Rule {
    id: "undeclared-world-key",
    level: Level::Warning,
    summary: "a world key that is declared nowhere",
    fixable: Fixable::Sometimes,
};

/// Keys that stories write and that no expression reads by name, with the word for what is done.
type Writes<'a> = Vec<(&'a Text, &'static str)>;

/// Set by the driver of an editor session.
const DRIVER_WORLD_KEYS: [&str; 1] = ["ide"];

/// Whether a key is legal without a declaration.
pub(crate) fn is_engine_key(key: &str) -> bool {
    // `k__last_error` is `import-reserved-projection`.
    let tail = key.rsplit_once("__").map_or(key, |(_, tail)| tail);
    RESERVED_WORLD_KEYS.contains(&tail) || ENGINE_WORLD_KEYS.contains(&key) || DRIVER_WORLD_KEYS.contains(&key)
}

/// Collects uses of missing keys from every rule that meets one.
pub(crate) struct MissingKeys<'a> {
    cx: &'a StoryCx<'a>,
    lost: Lost<'a>,
    /// Places of which the fold of an import has said something.
    told: FxHashSet<Span>,
}

impl<'a> MissingKeys<'a> {
    /// No uses yet.
    pub(crate) fn new(cx: &'a StoryCx<'a>) -> Self {
        let imports = cx.story.findings.iter().filter(|f| f.rule.starts_with("import-"));
        let told = imports.filter_map(|f| f.primary.as_ref()).map(|p| p.span).collect();
        Self {
            cx,
            lost: Lost::new(cx),
            told,
        }
    }

    /// Whether a use of `key` (a present name) at `range` of `text` is one of a missing key that nobody has spoken of.
    pub(crate) fn is_lost(&self, key: &str, text: &Text, range: Option<TextRange>, room: &str) -> bool {
        let missing = !key.is_empty() && self.cx.world_var(key).is_none() && !is_engine_key(key);
        if !missing || text.made.is_some() || key.contains(['{', '$']) {
            return false;
        }
        // The fold has told what is wrong with a read of an import's key.
        let place = range.map_or_else(|| self.cx.inside(text), |r| self.cx.place(text, r));
        if self.told.contains(&place) {
            return false;
        }
        // A name that the fold left as the child wrote it: `imports` says so.
        let folded = fold_prefix(self.cx, room);
        folded.is_empty() || self.cx.world_var(&format!("{folded}{key}")).is_none()
    }

    /// Adds a read for which [`Self::is_lost`] holds.
    pub(crate) fn add_read(
        &mut self,
        key: &str,
        text: &'a Text,
        range: TextRange,
        (room, intent): (&'a str, Option<&'a Text>),
    ) {
        let used = Self::used(text, Some(range), room, "read here, declared nowhere");
        self.lost.add(key, used.of_intent(intent));
    }

    /// A use of `key`; one of a declared key is dropped. `label` says what is done.
    fn add(&mut self, key: &str, text: &'a Text, (room, intent): (&'a str, Option<&'a Text>), label: &'static str) {
        if self.is_lost(key, text, None, room) {
            let used = Self::used(text, None, room, label);
            self.lost.add(key, used.of_intent(intent));
        }
    }

    fn used(text: &'a Text, range: Option<TextRange>, room: &'a str, label: &'static str) -> Use<'a> {
        Use {
            text,
            range,
            room,
            rule: &RULE,
            level: RULE.level,
            label,
            intent: None,
        }
    }

    /// Every `set`, `increment` and `bind` of the story.
    pub(crate) fn add_writes(&mut self) {
        for room in self.cx.rooms() {
            for site in walk::own_effects(room.room()) {
                self.add_writes_of(site.effect, (room.path(), site.intent));
            }
        }
        let proposals = self.cx.story.manifest.proposals.value();
        for proposal in proposals.into_iter().flat_map(|p| p.entries.iter()) {
            let execute = proposal.value.execute.value();
            for effect in execute
                .and_then(|e| e.on_complete.value())
                .into_iter()
                .flat_map(|e| e.iter())
            {
                for site in walk::nested_in(effect) {
                    self.add_writes_of(site.effect, ("", None));
                }
            }
        }
    }

    fn add_writes_of(&mut self, effect: &'a Effect, place: (&'a str, Option<&'a Text>)) {
        for (key, label) in writes(effect) {
            self.add(key.as_str(), key, place, label);
        }
    }

    /// The keys that rooms and exits list: the load refuses missing ones of `relevant_world`, and those that the
    /// arguments of a workbench read.
    pub(crate) fn add_lists(&mut self) {
        for room in self.cx.rooms() {
            for (key, read) in macros::workbench_context_reads(room) {
                self.lost.add(&key, read);
            }
            for key in room.room().relevant_world.value().into_iter().flat_map(|r| r.iter()) {
                if !self.cx.knows_world(key.as_str()) {
                    let rule = &relevant_world_undeclared::RULE;
                    self.lost
                        .add(key.as_str(), Use::whole(key, room.path(), rule, "no such world key"));
                }
            }
        }
        for entry in self
            .cx
            .story
            .manifest
            .operations
            .value()
            .into_iter()
            .flat_map(|o| o.entries.iter())
        {
            let policy = &entry.value;
            let summary = policy.phase_summary.as_ref().and_then(|s| s.from.value());
            let from = summary.into_iter().flat_map(|l| l.iter());
            for key in policy.terminal_artifact.iter().map(|a| &a.value).chain(from) {
                let head = key.text.split(['.', '[']).next().unwrap_or_default();
                if !key.is_blank() && !key.is_templated() && !is_engine_key(head) && self.cx.world_var(head).is_none() {
                    let rule = &operations::ARTIFACT_UNKNOWN;
                    self.lost
                        .add(key.as_str(), Use::whole(key, "", rule, "no such world key"));
                }
            }
        }
        for exit in self
            .cx
            .story
            .manifest
            .exits
            .value()
            .into_iter()
            .flat_map(|e| e.entries.iter())
        {
            for key in exit.value.requires.value().into_iter().flat_map(|r| r.iter()) {
                self.add(key.as_str(), key, ("", None), "required by an exit, declared nowhere");
            }
        }
    }

    /// One finding per missing key.
    pub(crate) fn report(self, out: &mut Vec<Diagnostic>) {
        let cx = self.cx;
        if cx.story.incomplete.world || cx.lacks("world") {
            return;
        }
        let known = names::of_map(cx.story.manifest.world.value());
        let engine = names::of_words(&[RESERVED_WORLD_KEYS.as_slice(), &ENGINE_WORLD_KEYS].concat());
        let words = Words {
            kind: "a world key",
            kinds: "world keys",
        };
        let near = |used: &Use<'a>| {
            let spelling = used
                .text
                .as_str()
                .get(used.range.map_or(0..used.text.text.len(), Into::into))?
                .to_owned();
            // A key that the child does not declare keeps its name in the fold; what it means has the prefix.
            let prefix = fold_prefix(cx, used.room);
            let own = spelling.strip_prefix(prefix.as_str()).unwrap_or(&spelling);
            names::nearest(own, &prefix, &known).or_else(|| names::nearest(own, "", &engine))
        };
        let describe = |finding: Diagnostic, name: &str, used: &Use<'a>| {
            let mut finding = finding.message(format!("no world key is called {}", code(name)));
            finding.notes.extend(used.whereabouts(cx));
            match name.split_once(['.', '[']) {
                Some((head, _)) => {
                    finding.note(format!("a path into a key is no key: the key would be {}", code(head)))
                }
                None => finding,
            }
        };
        self.lost.report_with(&words, &known, describe, near, out);
    }
}

/// The keys that an effect writes.
fn writes(effect: &Effect) -> Writes<'_> {
    let set = effect.set.iter().flat_map(|m| m.entries.iter());
    let increment = effect.increment.iter().flat_map(|m| m.entries.iter());
    let bind = effect.bind.iter().flat_map(|m| m.entries.iter());
    let commit = effect.commit_operation.value().and_then(|c| c.world.value());
    let draft = effect.persist_draft.value().and_then(|d| d.world.value());
    set.map(|e| (&e.name, "written here, declared nowhere"))
        .chain(increment.map(|e| (&e.name, "counted here, declared nowhere")))
        .chain(bind.map(|e| (&e.name, "bound here, declared nowhere")))
        .chain(
            commit
                .into_iter()
                .flat_map(|m| m.entries.iter())
                .map(|e| (&e.name, "committed here, declared nowhere")),
        )
        .chain(
            draft
                .into_iter()
                .flat_map(|l| l.iter())
                .map(|key| (key, "saved here, declared nowhere")),
        )
        .collect()
}

/// What the folds put in front of the keys that the story of a room declares: `k__j__`.
pub(crate) fn fold_prefix(cx: &StoryCx<'_>, room: &str) -> String {
    let Some(entry) = cx.rooms.get(room) else {
        return String::new();
    };
    let room = RoomCx { story: cx, entry };
    let mut aliases: Vec<&str> = room.chain().filter_map(|r| r.room().import_alias.as_deref()).collect();
    aliases.reverse();
    aliases.iter().map(|a| format!("{a}__")).collect()
}
