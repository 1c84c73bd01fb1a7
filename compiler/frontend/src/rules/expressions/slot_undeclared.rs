//! `slot-undeclared`: an expression reads a slot that the intent of its arc does not have (`language` 3.5).
//!
//! On an arc the slots are those of its intent. On entry, in views and in prerequisites they are those of whatever led
//! here, so a name that any intent of the story has is accepted.

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "slot-undeclared",
    level: Level::Warning,
    summary: "a slot that no intent here has",
    fixable: Fixable::Sometimes,
};

use indexmap::IndexMap;
use kitsoki_expr::RefKind;
use kitsoki_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::super::walk;
use super::super::words::{did_you_mean, list};
use super::gather::Item;

/// The slots of a story by intent, with those that `emit_intent` passes.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Slots {
    /// Slots that some `emit_intent` passes, by intent.
    passed: FxHashMap<SmolStr, FxHashSet<SmolStr>>,
    /// Slots that a templated `emit_intent` passes: to any intent.
    anywhere: FxHashSet<SmolStr>,
    /// Every slot of every intent, and those above.
    all: FxHashSet<SmolStr>,
}

/// Uses of one missing slot: the place, and the slots that could stand there.
type Uses = Vec<(Span, Vec<SmolStr>)>;

/// Slots that are read and that no intent has, by intent and name.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Lost {
    uses: IndexMap<(String, String), Uses>,
    /// Those with a fallback behind a use.
    optional: FxHashSet<(String, String)>,
}

impl Lost {
    /// Adds what was found elsewhere.
    pub(super) fn extend(&mut self, other: &Self) {
        for (key, uses) in &other.uses {
            self.uses.entry(key.clone()).or_default().extend(uses.iter().cloned());
        }
        self.optional.extend(other.optional.iter().cloned());
    }

    /// One finding per missing slot of one intent.
    pub(super) fn report(self, out: &mut Vec<Diagnostic>) {
        let optional = &self.optional;
        for ((intent, name), uses) in self.uses {
            let Some((at, known)) = uses.first() else { continue };
            let known: Vec<&str> = known.iter().map(SmolStr::as_str).collect();
            // Whoever writes a fallback knows that nobody may pass it; only a slip of a known name is told then.
            let slip = did_you_mean(&name, known.iter().copied()).is_some();
            if !slip && optional.contains(&(intent.clone(), name.clone())) {
                continue;
            }
            let mut finding = RULE.at(*at, "always nothing").message(if intent.is_empty() {
                format!("no intent of this story has a slot {}", code(&name))
            } else {
                format!("the intent {} has no slot {}", code(&intent), code(&name))
            });
            for (other, _) in uses.iter().skip(1).filter(|(other, _)| other != at).take(8) {
                finding = finding.label(*other, "used here as well");
            }
            finding = match did_you_mean(&name, known.iter().copied()) {
                Some(near) => finding
                    .help(format!("a slot with a similar name is {}", code(near)))
                    .fix(Fix::replace(*at, near).title(format!("change it to {}", code(near)))),
                None if intent.is_empty() || known.len() > 8 => finding,
                None if known.is_empty() => finding.help("it has no slots"),
                None => finding.help(format!("its slots are {}", list(&known))),
            };
            out.push(finding);
        }
    }
}

impl Slots {
    /// Collects the slots of a story.
    pub(crate) fn of_story(cx: &StoryCx<'_>) -> Self {
        let mut this = Self::default();
        let rooms = || cx.rooms.values().filter(|e| !e.null).map(|e| e.room);
        let global = cx.story.manifest.intents.value();
        let local = rooms().filter_map(|r| r.intents.value());
        for intents in global.into_iter().chain(local) {
            for intent in &intents.entries {
                let slots = intent.value.slots.value().into_iter().flat_map(|s| s.entries.iter());
                this.all.extend(slots.map(|s| s.name.text.clone()));
            }
        }
        for room in rooms() {
            for site in walk::own_effects(room) {
                let Some(emit) = &site.effect.emit_intent else { continue };
                let slots = site.effect.slots.value().into_iter().flat_map(|s| s.entries.iter());
                let names = slots.map(|s| s.name.text.clone());
                if emit.is_templated() {
                    this.anywhere.extend(names);
                } else {
                    this.passed.entry(emit.text.clone()).or_default().extend(names);
                }
            }
        }
        this.all.extend(this.anywhere.iter().cloned());
        this.all.extend(this.passed.values().flatten().cloned());
        this
    }

    /// Collects the slots that one text reads and its intent does not have.
    pub(super) fn add(&self, cx: &StoryCx<'_>, item: &Item<'_>, lost: &mut Lost) {
        let Some(room) = item.room.filter(|_| item.is_written() && !may_miss_intents(cx)) else {
            return;
        };
        for reference in &item.references {
            let reads = reference.root == "slots" && reference.kind == RefKind::Read && !reference.local;
            let Some(segment) = reference.path.first().filter(|_| reads) else {
                continue;
            };
            let Some(name) = segment.name() else { continue };
            let Some(known) = self.missing(room, item, name) else {
                continue;
            };
            let intent = item.site.intent.map(|i| cx.spelling_of(i)).unwrap_or_default();
            if has_fallback(item, reference.range) {
                lost.optional.insert((intent.clone(), name.to_owned()));
            }
            let range = inner(item, segment.range);
            lost.uses
                .entry((intent, name.to_owned()))
                .or_default()
                .push((item.place(cx, range), known));
        }
    }

    /// Slots that an `emit_intent` passes and its intent does not have, where a slip is plain: the slots arrive all the
    /// same, under a name that nobody reads.
    pub(super) fn check_emits(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
        if may_miss_intents(cx) {
            return;
        }
        for room in cx.rooms() {
            for site in walk::own_effects(room.room()) {
                let Some(emit) = site.effect.emit_intent.as_ref().filter(|e| !e.is_templated()) else {
                    continue;
                };
                let Some(intent) = room.intent(emit.as_str()) else {
                    continue;
                };
                let own: Vec<&str> = intent.slots.value().map(|s| s.names().collect()).unwrap_or_default();
                for entry in site.effect.slots.value().into_iter().flat_map(|m| m.entries.iter()) {
                    let name = entry.name.as_str();
                    if own.contains(&name) || entry.name.made.is_some() {
                        continue;
                    }
                    let Some(near) = did_you_mean(name, own.iter().copied()) else {
                        continue;
                    };
                    let at = cx.inside(&entry.name);
                    let finding = RULE
                        .at(at, "nobody reads this slot")
                        .message(format!(
                            "the intent {} has no slot {}",
                            code(&cx.spelling_of(emit)),
                            code(name)
                        ))
                        .help(format!("a slot with a similar name is {}", code(near)))
                        .fix(Fix::replace(at, near).title(format!("change it to {}", code(near))));
                    out.push(finding);
                }
            }
        }
    }

    /// The slots that could stand there, when `name` is none of them.
    fn missing(&self, room: RoomCx<'_>, item: &Item<'_>, name: &str) -> Option<Vec<SmolStr>> {
        let by_arc = item
            .site
            .intent
            .filter(|i| i.as_str() != "*")
            .and_then(|i| Some((i, room.intent(i.as_str())?)));
        let Some((name_of_intent, intent)) = by_arc else {
            return (item.site.intent.is_none() && !self.all.contains(name)).then(|| {
                let mut all: Vec<SmolStr> = self.all.iter().cloned().collect();
                all.sort_unstable();
                all
            });
        };
        let slots = intent.slots.value();
        // An import renames the arc, and an `emit_intent` of the same story goes on in the author's words.
        let spelled = room.story.spelling_of(name_of_intent);
        let mut names = [name_of_intent.as_str(), spelled.as_str()].into_iter();
        let passed = names.any(|n| self.passed.get(n).is_some_and(|p| p.contains(name)));
        let known = slots.is_some_and(|s| s.has(name)) || passed || self.anywhere.contains(name);
        let own = slots.into_iter().flat_map(|s| s.entries.iter());
        (!known).then(|| own.map(|e| e.name.text.clone()).collect())
    }
}

/// Whether `??`, a default or a comparison with nil follows.
fn has_fallback(item: &Item<'_>, range: kitsoki_syntax::TextRange) -> bool {
    let rest = item
        .text()
        .as_str()
        .get(usize::from(range.end())..)
        .unwrap_or_default()
        .trim_start();
    let nil = rest
        .strip_prefix("==")
        .or_else(|| rest.strip_prefix("!="))
        .is_some_and(|r| r.trim_start().starts_with("nil"));
    nil || rest.starts_with("??")
        || rest
            .strip_prefix('|')
            .is_some_and(|r| r.trim_start().starts_with("default"))
}

/// A segment without the quotes of `['name']`.
pub(super) fn inner(item: &Item<'_>, range: kitsoki_syntax::TextRange) -> kitsoki_syntax::TextRange {
    let text = item.slice(range);
    let quoted = text.len() >= 2 && text.starts_with(['"', '\'', '`']);
    if quoted {
        kitsoki_syntax::TextRange::new(
            range.start() + kitsoki_syntax::TextSize::new(1),
            range.end() - kitsoki_syntax::TextSize::new(1),
        )
    } else {
        range
    }
}

/// Whether there may be intents of which nothing is known; rooms have some, too.
fn may_miss_intents(cx: &StoryCx<'_>) -> bool {
    cx.story.incomplete.intents || cx.story.incomplete.states
}
