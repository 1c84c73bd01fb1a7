//! Targets of a folded room: relative to the wrapper, mapped where they are exits (`imports` 6.6, 8.3).

use super::rename::world_references;
use super::room::RoomFold;
use crate::rules::imports as rules;
use crate::surface::{Effect, ExitMapping, Field, ImportExit, List, Made, MapEntry, Room, Text};

/// What carries a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrow {
    Arc,
    /// A timeout, `on_error` or an effect's `target`: an exit by it has no projection.
    Other,
}

/// The text before an exit's name.
pub(super) const EXIT: &str = "@exit:";

impl RoomFold<'_, '_> {
    /// Rewrites the targets of one room (not of its children).
    pub(super) fn arrows(&mut self, room: &mut Room, depth: usize) {
        for arc in room
            .on
            .iter_mut()
            .flat_map(|on| on.value.entries.iter_mut())
            .flat_map(|e| std::sync::Arc::make_mut(&mut e.value).items.iter_mut())
        {
            if let Some(target) = &mut arc.target {
                let exit = target.as_str().strip_prefix(EXIT).map(str::to_owned);
                if let Some(exit) = exit {
                    arc.exit = Some(ImportExit {
                        name: exit.as_str().into(),
                        prefix: self.names().prefix.clone(),
                    });
                    if let Some(projection) = self.mapping(&exit).and_then(|m| projection(&m.value)) {
                        let effects = arc
                            .effects
                            .get_or_insert_with(|| Field::made(List::made(Vec::new(), target.key), target.key));
                        effects.value.items.push(projection);
                    }
                }
                self.target(&mut target.value, depth, Arrow::Arc);
            }
            self.redirects(&mut arc.effects, depth);
        }
        if let Some(target) = room.timeout.as_mut().and_then(|t| t.value.target.as_mut()) {
            self.target(&mut target.value, depth, Arrow::Other);
        }
        self.redirects(&mut room.on_enter, depth);
    }

    /// `on_error` and `target` of effects and of the first level of their `on_complete`.
    fn redirects(&mut self, effects: &mut Option<Field<List<Effect>>>, depth: usize) {
        for effect in effects.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
            self.redirect(effect, depth);
            for inner in effect.on_complete.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
                self.redirect(inner, depth);
            }
        }
    }

    fn redirect(&mut self, effect: &mut Effect, depth: usize) {
        for target in [&mut effect.on_error, &mut effect.target].into_iter().flatten() {
            self.target(&mut target.value, depth, Arrow::Other);
        }
    }

    fn mapping(&self, exit: &str) -> Option<&MapEntry<ExitMapping>> {
        self.layer.exits?.entry(exit)
    }

    fn target(&mut self, text: &mut Text, depth: usize, arrow: Arrow) {
        let target = text.as_str();
        if target.is_empty() || target == "." {
            return;
        }
        if text.is_templated() {
            self.templated(text);
            return;
        }
        if let Some(exit) = target.strip_prefix(EXIT) {
            self.fired.insert(exit.into());
            let mapped = self.mapping(exit).and_then(|m| {
                let to = m.value.to.as_ref().filter(|t| !t.text.is_empty())?;
                Some((
                    to.value.clone(),
                    m.value.set.as_ref().filter(|s| !s.entries.is_empty()).map(|s| s.key),
                ))
            });
            match mapped {
                Some((to, set)) => {
                    if let (Arrow::Other, Some(set)) = (arrow, set) {
                        let at = self.inside(text);
                        self.out.push(rules::import_exit_no_projection(at, exit, set));
                    }
                    *text = to;
                }
                None => {
                    let exit = exit.into();
                    let at = self.inside(text);
                    self.unmapped.entry(exit).or_default().push(at);
                    // Said once; the arc stays, so that nobody looks for a room of this name.
                    *text = text.with_text(".");
                }
            }
            return;
        }
        if target.starts_with("..") {
            let up = target.split('/').take_while(|s| *s == "..").count();
            if up > depth + 1 {
                let at = self.inside(text);
                self.out.push(rules::import_target_escapes(at, target, up - depth - 1));
            }
            return;
        }
        if !target.contains(['/', '.']) {
            *text = text.replaced(&[(0..0, "../".repeat(depth + 1))]);
        }
    }

    fn templated(&mut self, text: &Text) {
        for name in world_references(text.as_str()) {
            let word = text.as_str().get(name.clone()).unwrap_or_default();
            if self.names().world.contains(word) {
                let at = self.at(text, name.start - "world.".len(), name.end);
                self.out
                    .push(rules::import_templated_target(at, word, self.layer.alias));
                return;
            }
        }
    }
}

/// The effect that a mapped exit appends to its arc.
fn projection(mapping: &ExitMapping) -> Option<Effect> {
    let set = mapping.set.as_ref().filter(|s| !s.entries.is_empty())?;
    Some(Effect {
        set: Some(set.clone()),
        ..Effect::synthesized(Made::Import, set.key)
    })
}
