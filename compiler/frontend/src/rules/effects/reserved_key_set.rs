//! `reserved-key-set`: a write to a world key that only the engine writes (`language` D41).
//!
//! The load looks at the `set` of direct effects only; other writes are just as wrong and a warning.

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "reserved-key-set",
    level: Level::Error,
    summary: "a write to a world key that only the engine writes",
    fixable: Fixable::Never,
};

/// The keys that stories may read and never write.
const KEYS: [&str; 2] = ["write_mode_scope", "operation_run"];

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let effect = site.effect;
    let direct = site.on_complete == 0 && !site.in_effects && site.room.is_some();
    let set = effect
        .set
        .iter()
        .flat_map(|m| m.entries.iter())
        .map(|e| (&e.name, direct));
    let increment = effect
        .increment
        .iter()
        .flat_map(|m| m.entries.iter())
        .map(|e| (&e.name, false));
    let bind = effect
        .bind
        .iter()
        .flat_map(|m| m.entries.iter())
        .map(|e| (&e.name, false));
    for (key, refused) in set.chain(increment).chain(bind) {
        if !KEYS.contains(&key.as_str()) {
            continue;
        }
        let finding = RULE
            .at(key.span, "written by the engine alone")
            .level(if refused { Level::Error } else { Level::Warning })
            .message(format!("a story cannot write {}", code(key.as_str())));
        out.push(if refused {
            finding
        } else {
            finding.note("the load refuses this in the `set` of a room's own effects only")
        });
    }
}
