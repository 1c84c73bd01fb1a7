//! Arms of one arc that hide each other: an arm after one that always wins, a guard that is not asked (`language` 3.7).

use kitsoki_syntax::Span;
use rustc_hash::FxHashMap;

use super::super::names;
use super::super::prelude::*;

pub(crate) const UNREACHABLE: Rule = Rule {
    id: "unreachable-arm",
    level: Level::Warning,
    summary: "an arm after one that always wins",
    fixable: Fixable::Never,
};

pub(crate) const DEFAULT_WITH_WHEN: Rule = Rule {
    id: "default-with-when",
    level: Level::Warning,
    summary: "a guard beside `default: true` is not asked",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    for entry in room.room().on.iter().flat_map(|on| on.entries.iter()) {
        let mut wins: Option<Span> = None;
        let mut guards: FxHashMap<&str, Span> = FxHashMap::default();
        let mut hidden: Vec<(&Arc, Span, &'static str)> = Vec::new();
        for arm in entry.value.iter() {
            let is_default = arm.default.as_ref().filter(|d| d.value.value);
            let guard = arm.when.as_ref().filter(|w| !w.text.is_empty());
            if let (Some(default), Some(guard)) = (is_default, guard) {
                out.push(default_with_when(default.key, guard));
            }
            if !arm.origin.is_written() {
                // What a macro adds is that macro's business.
                continue;
            }
            // A guard into which a template put a value of one phase is true here and false elsewhere.
            let fixed = guard.is_none_or(|g| g.value.edits.is_none() && g.value.made.is_none());
            let asked = guard.map(|g| g.text.trim()).filter(|_| is_default.is_none());
            if let Some(winner) = wins {
                hidden.push((arm, winner, "this arm always wins"));
            } else if let Some(first) = asked.and_then(|g| guards.get(g)) {
                hidden.push((arm, *first, "the same guard stands here"));
            }
            match asked {
                Some("true") if !fixed => {}
                Some("true") | None if wins.is_none() => {
                    wins = Some(is_default.map_or_else(|| guard.map_or(arm.head, |g| g.span), |d| d.key));
                }
                Some(guard) if fixed => {
                    guards
                        .entry(guard)
                        .or_insert(arm.when.as_ref().map_or(arm.head, |w| w.span));
                }
                _ => {}
            }
        }
        let Some((first, winner, why)) = hidden.first() else {
            continue;
        };
        let name = names::spelled(room.story, &entry.name);
        let count = hidden.len();
        let finding = UNREACHABLE
            .at(first.head, "never tried")
            .message(match count {
                1 => format!("an arm of {} is never reached", code(&name)),
                n => format!("{n} arms of {} are never reached", code(&name)),
            })
            .label(*winner, *why);
        out.push(finding.help(match (*why, count) {
            ("this arm always wins", _) => "arms are tried in order: put the one without a guard last",
            _ => "arms are tried in order, and the first whose guard holds is taken",
        }));
    }
}

fn default_with_when(default: Span, guard: &Field<Text>) -> Diagnostic {
    DEFAULT_WITH_WHEN
        .at(guard.key, "this guard is not asked")
        .message("an arm with `default: true` is taken whatever its guard says")
        .label(default, "always taken")
        .help("leave out one of the two")
}
