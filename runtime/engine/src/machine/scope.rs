//! Which intents a path allows, and what they mean there (`machine` 5).

use std::collections::BTreeSet;

use kitsoki_ir::{Intent, IntentId};
use smol_str::SmolStr;

use super::Machine;
use crate::path;

/// An intent that a room allows and that has a definition.
#[derive(Clone, Debug)]
pub struct AllowedIntent<'p> {
    /// Its final name.
    pub name: SmolStr,
    /// Its definition as this room sees it.
    pub intent: &'p Intent,
}

impl<'p> Machine<'p> {
    /// The names that a path allows, sorted: what its states bind from the leaf outwards, and every import's spelling of
    /// one of those.
    #[must_use]
    pub fn allowed_names(self, at: &str) -> Vec<SmolStr> {
        let mut names = BTreeSet::new();
        for leaf in path::leaves(at) {
            let mut own: BTreeSet<SmolStr> = BTreeSet::new();
            let mut aliases = Vec::new();
            for (_, state) in self.program.chain(leaf) {
                let bound = state.on.iter().filter(|h| h.intent != "*");
                own.extend(bound.map(|h| h.intent.clone()));
                aliases.extend(state.intent_aliases.iter());
            }
            loop {
                let before = own.len();
                for (written, last) in &aliases {
                    if own.contains(last) {
                        own.insert(written.clone());
                    }
                }
                if own.len() == before {
                    break;
                }
            }
            names.extend(own);
        }
        names.into_iter().collect()
    }

    /// Whether a state on the way outwards takes any intent.
    pub(crate) fn has_wildcard(self, at: &str) -> bool {
        let any = |leaf| self.program.chain(leaf).any(|(_, state)| state.handler("*").is_some());
        path::leaves(at).into_iter().any(any)
    }

    /// The final name of an intent as it is spelt at a path. A parallel path knows no aliases.
    #[must_use]
    pub fn resolve_alias(self, at: &str, name: &str) -> SmolStr {
        if path::is_parallel(at) {
            return SmolStr::from(name);
        }
        for (_, state) in self.program.chain(at) {
            if let Some((_, last)) = state.intent_aliases.iter().find(|(written, _)| written == name) {
                return last.clone();
            }
        }
        SmolStr::from(name)
    }

    /// The definition of an intent as a path sees it: local from the inside out, then global.
    #[must_use]
    pub fn intent(self, at: &str, name: &str) -> Option<&'p Intent> {
        path::leaves(at)
            .into_iter()
            .find_map(|leaf| self.intent_of_leaf(leaf, name))
    }

    fn intent_of_leaf(self, leaf: &str, name: &str) -> Option<&'p Intent> {
        let story = &self.program.story;
        let named = |id: &IntentId| story.intents.get(*id).filter(|i| i.name == name);
        for segment in path::outwards(leaf) {
            let found = self
                .program
                .state(segment)
                .and_then(|(_, s)| s.intents.iter().find_map(named));
            if found.is_some() {
                return found;
            }
        }
        story.intents.get(self.program.names.global_intent(name)?)
    }

    /// The allowed intents that have a definition, by priority, then by name.
    #[must_use]
    pub fn allowed_intents(self, at: &str) -> Vec<AllowedIntent<'p>> {
        let names = self.allowed_names(at).into_iter();
        let mut all: Vec<_> = names
            .filter_map(|name| self.intent(at, &name).map(|intent| AllowedIntent { name, intent }))
            .collect();
        all.sort_by(|a, b| {
            b.intent
                .priority
                .cmp(&a.intent.priority)
                .then_with(|| a.name.cmp(&b.name))
        });
        all
    }
}
