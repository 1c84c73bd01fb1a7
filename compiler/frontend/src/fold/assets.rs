//! Paths of a child's files: rebased to its folder, prompts exchanged by the importer (`imports` 10, 11.1).

use super::room::RoomFold;
use crate::db::{Db, ReadError, normalize};
use crate::pipeline;
use crate::rules::imports as rules;
use crate::surface::{Any, AnyEntry, AnyKind, Effect, Field, List, Map, Room, Text};

/// The keys of `with` that hold paths.
const PATH_KEYS: [&str; 4] = ["prompt", "prompt_path", "schema", "script"];
/// The keys of `with` in which the same keys are looked for again.
const NESTED_KEYS: [&str; 2] = ["context", "acceptance"];

impl RoomFold<'_, '_> {
    /// Exchanges prompts and rebases paths of one room (not of its children), before anything is renamed.
    pub(super) fn assets_of_room(&mut self, room: &mut Room) {
        if let Some(bench) = &mut room.workbench {
            let bench = &mut bench.value;
            for path in [&mut bench.prompt, &mut bench.acceptance_schema].into_iter().flatten() {
                self.rebase(&mut path.value, "");
            }
        }
        self.assets(&mut room.on_enter);
        for arc in room
            .on
            .iter_mut()
            .flat_map(|on| on.value.entries.iter_mut())
            .flat_map(|e| std::sync::Arc::make_mut(&mut e.value).items.iter_mut())
        {
            self.assets(&mut arc.effects);
        }
    }

    fn assets(&mut self, effects: &mut Option<Field<List<Effect>>>) {
        if !self.layer.prompts.is_empty() {
            self.prompts(effects);
        }
        self.rebase_effects(effects);
    }

    fn prompts(&mut self, effects: &mut Option<Field<List<Effect>>>) {
        for effect in effects.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
            let prompt = effect
                .with
                .iter_mut()
                .flat_map(|m| m.value.entries.iter_mut())
                .find(|e| e.name.as_str() == "prompt");
            if let Some(entry) = prompt
                && let Some(found) = entry.value.as_str().and_then(|p| self.layer.prompts.get(p))
            {
                self.used_prompts.insert(found.key.text.clone());
                entry.value = Any {
                    kind: AnyKind::Text(found.path.clone()),
                    span: found.path.span,
                };
            }
            self.prompts(&mut effect.on_complete);
            self.prompts(&mut effect.effects);
        }
    }

    /// An `on_complete` that stands directly in an `on_complete` is not visited, as in the reference.
    fn rebase_effects(&mut self, effects: &mut Option<Field<List<Effect>>>) {
        for effect in effects.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
            self.rebase_with(&mut effect.with);
            self.rebase_effects(&mut effect.effects);
            for inner in effect.on_complete.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
                self.rebase_with(&mut inner.with);
                self.rebase_effects(&mut inner.effects);
            }
        }
    }

    fn rebase_with(&mut self, with: &mut Option<Field<Map<Any>>>) {
        for entry in with.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
            let name = entry.name.text.clone();
            self.rebase_entry(&name, &mut entry.value);
        }
    }

    fn rebase_entry(&mut self, name: &str, value: &mut Any) {
        match &mut value.kind {
            AnyKind::Text(path) if PATH_KEYS.contains(&name) => self.rebase(path, name),
            AnyKind::Map(entries) if NESTED_KEYS.contains(&name) => {
                for AnyEntry { name, value } in entries {
                    let name = name.text.clone();
                    self.rebase_entry(&name, value);
                }
            }
            _ => {}
        }
    }

    fn rebase(&mut self, text: &mut Text, key: &str) {
        let raw = text.as_str();
        if raw.is_empty() || raw.starts_with('/') || raw.contains("{{") || raw.contains("{%") {
            return;
        }
        let dir = self.layer.dir;
        let joined = normalize(&dir.join(raw));
        self.notice_asset(text, key, &joined);
        let raw = text.as_str();
        let plain = joined
            .as_str()
            .strip_suffix(raw)
            .is_some_and(|head| head.strip_suffix('/') == Some(dir.as_str()));
        *text = if plain {
            text.replaced(&[(0..0, format!("{dir}/"))])
        } else {
            text.with_text(joined.as_str())
        };
    }

    fn notice_asset(&mut self, text: &Text, key: &str, joined: &camino::Utf8Path) {
        let raw = text.as_str();
        let alias = self.layer.alias;
        let scheme = raw.contains("://") || ["@story/", "@shared/", "@import/"].iter().any(|s| raw.starts_with(s));
        if scheme {
            self.out.push(rules::import_asset_mangled(text.span, raw, alias));
        } else if key == "prompt" && raw.contains(char::is_whitespace) && !exists(self.layer.db, joined) {
            self.out.push(rules::import_inline_prompt(text.span, alias));
        } else if self.in_override {
            let own = normalize(&self.layer.importer_dir.join(raw));
            if exists(self.layer.db, &own) || !exists(self.layer.db, joined) {
                let at = self.inside(text);
                self.out.push(rules::import_override_path(at, raw, alias));
            }
        }
    }
}

/// Whether something stands at a path.
pub(super) fn exists(db: &dyn Db, path: &camino::Utf8Path) -> bool {
    // A name that is no path at all (too long, say) names nothing.
    matches!(
        pipeline::unreadable(db, db.file(path)),
        None | Some(ReadError::NotAFile(_))
    )
}
