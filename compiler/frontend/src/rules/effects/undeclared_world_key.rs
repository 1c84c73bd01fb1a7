//! `undeclared-world-key`: a world key that is read or written but declared nowhere (`language` "go further").
//!
//! The world is not a closed schema: the reference reads such a key as nothing and writes it without a word. Every read
//! and write of one missing key is one finding. Names that the engine owns are legal without a declaration.

use kitsoki_syntax::TextRange;

use super::super::names::{self, Lost, Use, Words};
use super::super::prelude::*;
use super::super::walk;
use crate::story::{ENGINE_WORLD_KEYS, RESERVED_WORLD_KEYS};

pub(crate) const RULE: Rule = Rule {
    id: "undeclared-world-key",
    level: Level::Warning,
    summary: "a world key that is declared nowhere",
    fixable: Fixable::Sometimes,
};

/// Set by the driver of an editor session.
const DRIVER_WORLD_KEYS: [&str; 1] = ["ide"];

/// Whether a key is legal without a declaration.
pub(crate) fn is_engine_key(key: &str) -> bool {
    RESERVED_WORLD_KEYS.contains(&key) || ENGINE_WORLD_KEYS.contains(&key) || DRIVER_WORLD_KEYS.contains(&key)
}

/// Collects uses of missing keys from every rule that meets one.
pub(crate) struct MissingKeys<'a> {
    cx: &'a StoryCx<'a>,
    lost: Lost<'a>,
}

impl<'a> MissingKeys<'a> {
    /// No uses yet.
    pub(crate) fn new(cx: &'a StoryCx<'a>) -> Self {
        Self {
            cx,
            lost: Lost::new(cx),
        }
    }

    /// A use of `key` (a present name) at `range` of `text`; one of a declared key is dropped. `label` says what is done.
    pub(crate) fn add(
        &mut self,
        key: &str,
        text: &'a Text,
        range: Option<TextRange>,
        room: &'a str,
        label: &'static str,
    ) {
        let missing = !key.is_empty() && !is_engine_key(key) && self.cx.world_var(key).is_none();
        if !missing || text.made.is_some() || key.contains(['{', '$']) {
            return;
        }
        self.lost.add(
            key,
            Use {
                text,
                range,
                room,
                rule: &RULE,
                level: RULE.level,
                label,
            },
        );
    }

    /// Every `set`, `increment` and `bind` of the story.
    pub(crate) fn add_writes(&mut self) {
        for room in self.cx.rooms() {
            for site in walk::effects(room.room()) {
                self.add_writes_of(site.effect, room.path());
            }
        }
        let proposals = self.cx.story.manifest.proposals.as_deref();
        for proposal in proposals.into_iter().flat_map(|p| p.entries.iter()) {
            let execute = proposal.value.execute.as_deref();
            for effect in execute
                .and_then(|e| e.on_complete.as_deref())
                .into_iter()
                .flat_map(|e| e.iter())
            {
                for site in walk::nested_in(effect) {
                    self.add_writes_of(site.effect, "");
                }
            }
        }
    }

    fn add_writes_of(&mut self, effect: &'a Effect, room: &'a str) {
        for entry in effect.set.as_deref().into_iter().flat_map(|m| m.entries.iter()) {
            self.add(
                entry.name.as_str(),
                &entry.name,
                None,
                room,
                "written here, declared nowhere",
            );
        }
        for entry in effect.increment.as_deref().into_iter().flat_map(|m| m.entries.iter()) {
            self.add(
                entry.name.as_str(),
                &entry.name,
                None,
                room,
                "counted here, declared nowhere",
            );
        }
        for entry in effect.bind.as_deref().into_iter().flat_map(|m| m.entries.iter()) {
            self.add(
                entry.name.as_str(),
                &entry.name,
                None,
                room,
                "bound here, declared nowhere",
            );
        }
    }

    /// One finding per missing key.
    pub(crate) fn report(self, out: &mut Vec<Diagnostic>) {
        let cx = self.cx;
        if cx.story.incomplete.world {
            return;
        }
        let known = names::of_map(cx.story.manifest.world.as_deref());
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
            let prefix = prefix(cx, used.room);
            names::nearest(
                spelling.strip_prefix(prefix.as_str()).unwrap_or(&spelling),
                &prefix,
                &known,
            )
        };
        let describe = |finding: Diagnostic, name: &str, _: &Use<'a>| {
            finding.message(format!("no world key is called {}", code(name)))
        };
        self.lost.report_with(&words, &known, describe, near, out);
    }
}

/// What the folds put in front of the keys that the story of a room declares: `k__j__`.
fn prefix(cx: &StoryCx<'_>, room: &str) -> String {
    let Some(entry) = cx.rooms.get(room) else {
        return String::new();
    };
    let room = RoomCx { story: cx, entry };
    let mut aliases: Vec<&str> = room.chain().filter_map(|r| r.room().import_alias.as_deref()).collect();
    aliases.reverse();
    aliases.iter().map(|a| format!("{a}__")).collect()
}
