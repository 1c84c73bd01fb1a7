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

use super::super::walk;
use super::super::words::{did_you_mean, list};
use super::gather::Item;

/// The slots of a story by intent, with those that `emit_intent` passes.
pub(super) struct Slots<'a> {
    /// Slots that some `emit_intent` passes, by intent.
    passed: FxHashMap<&'a str, FxHashSet<&'a str>>,
    /// Slots that a templated `emit_intent` passes: to any intent.
    anywhere: FxHashSet<&'a str>,
    /// Every slot of every intent, and those above.
    all: FxHashSet<&'a str>,
    /// Uses of missing slots, by intent and name.
    lost: IndexMap<(String, String), Uses<'a>>,
    /// Those with a fallback behind a use.
    optional: FxHashSet<(String, String)>,
}

/// Uses of one missing slot: the place, and the slots that could stand there.
type Uses<'a> = Vec<(Span, Vec<&'a str>)>;

impl<'a> Slots<'a> {
    /// Collects the slots of a story.
    pub(super) fn of_story(cx: &'a StoryCx<'a>) -> Self {
        let mut this = Self {
            passed: FxHashMap::default(),
            anywhere: FxHashSet::default(),
            all: FxHashSet::default(),
            lost: IndexMap::new(),
            optional: FxHashSet::default(),
        };
        let global = cx.story.manifest.intents.as_deref();
        let local = cx.rooms().filter_map(|r| r.room().intents.as_deref());
        for intents in global.into_iter().chain(local) {
            for intent in &intents.entries {
                this.all
                    .extend(intent.value.slots.as_deref().into_iter().flat_map(Map::names));
            }
        }
        for room in cx.rooms() {
            for site in walk::own_effects(room.room()) {
                let Some(emit) = &site.effect.emit_intent else { continue };
                let names = site.effect.slots.as_deref().into_iter().flat_map(Map::names);
                if emit.is_templated() {
                    this.anywhere.extend(names);
                } else {
                    this.passed.entry(emit.as_str()).or_default().extend(names);
                }
            }
        }
        this.all.extend(&this.anywhere);
        this.all.extend(this.passed.values().flatten());
        this
    }

    /// Collects the slots that one text reads and its intent does not have.
    pub(super) fn add(&mut self, cx: &'a StoryCx<'a>, item: &Item<'a>) {
        let Some(room) = item.room.filter(|_| item.is_written() && !cx.story.incomplete.intents) else {
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
                self.optional.insert((intent.clone(), name.to_owned()));
            }
            let range = inner(item, segment.range);
            self.lost
                .entry((intent, name.to_owned()))
                .or_default()
                .push((item.place(cx, range), known));
        }
    }

    /// One finding per missing slot of one intent.
    pub(super) fn report(&mut self, out: &mut Vec<Diagnostic>) {
        let optional = &self.optional;
        for ((intent, name), uses) in std::mem::take(&mut self.lost) {
            let Some((at, known)) = uses.first() else { continue };
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
                None => finding.help(format!("its slots are {}", list(known))),
            };
            out.push(finding);
        }
    }

    /// Slots that an `emit_intent` passes and its intent does not have, where a slip is plain: the slots arrive all the
    /// same, under a name that nobody reads.
    pub(super) fn check_emits(&self, cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
        if cx.story.incomplete.intents {
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
                let own: Vec<&str> = intent.slots.as_deref().map(|s| s.names().collect()).unwrap_or_default();
                for entry in site.effect.slots.as_deref().into_iter().flat_map(|m| m.entries.iter()) {
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
    fn missing(&self, room: RoomCx<'a>, item: &Item<'a>, name: &str) -> Option<Vec<&'a str>> {
        let by_arc = item
            .site
            .intent
            .filter(|i| i.as_str() != "*")
            .and_then(|i| Some((i, room.intent(i.as_str())?)));
        let Some((name_of_intent, intent)) = by_arc else {
            return (item.site.intent.is_none() && !self.all.contains(name)).then(|| {
                let mut all: Vec<&str> = self.all.iter().copied().collect();
                all.sort_unstable();
                all
            });
        };
        let own: Vec<&str> = intent.slots.as_deref().map(|s| s.names().collect()).unwrap_or_default();
        let passed = self
            .passed
            .get(name_of_intent.as_str())
            .is_some_and(|p| p.contains(name));
        (!own.contains(&name) && !passed && !self.anywhere.contains(name)).then_some(own)
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
