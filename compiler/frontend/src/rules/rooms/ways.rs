//! Where the rooms of a story lead: arcs, timeouts, finished jobs, redirects after errors, first children, and the rooms that
//! a templated target may mean. What follows from it is `unreachable-state`'s business.

use std::collections::BTreeSet;

use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::super::cx::{RoomEntry, StoryCx};
use super::super::walk;
use super::targets::full_path;
use crate::surface::{Made, Optional, Text};

/// Where each room leads.
pub(super) struct Ways {
    to: Vec<Vec<usize>>,
    /// Arms that never fire: the room, the place of the arm, where it would lead.
    pub(super) hidden: Vec<(usize, Span, usize)>,
    /// Rooms that a value of the story names: a template may lead there.
    pub(super) named: Vec<usize>,
}

impl Ways {
    /// The ways of a story; arms at `hidden_arms` lead nowhere yet.
    pub(super) fn of<'a>(cx: &'a StoryCx<'a>, hidden_arms: &FxHashSet<Span>) -> Self {
        let mut hidden = Vec::new();
        let mut to = vec![Vec::new(); cx.rooms.len()];
        let mut values = Mentions::new(cx);
        for (i, entry) in cx.rooms.values().enumerate() {
            let room = entry.room;
            let mut targets: Vec<&Text> = Vec::new();
            for arc in room
                .on
                .iter()
                .flat_map(|on| on.entries.iter())
                .flat_map(|e| e.value.iter())
            {
                let target = arc.target.as_ref().map(|t| &t.value);
                if hidden_arms.contains(&arc.head) {
                    let at = target.and_then(|t| cx.rooms.get_index_of(full_path(&entry.path, &t.text).as_str()));
                    hidden.extend(at.map(|at| (i, arc.head, at)));
                } else {
                    targets.extend(target);
                }
            }
            targets.extend(room.timeout.as_ref().and_then(|t| t.target.as_ref()).map(|t| &t.value));
            for site in walk::effects(room) {
                let effect = site.effect;
                targets.extend(effect.target.as_ref().map(|t| &t.value));
                targets.extend(effect.on_error.as_ref().map(|t| &t.value));
                // What the language itself sets (the room to return to) is no mention, and a copied arc mentions nothing new.
                if site
                    .intent
                    .is_some_and(|i| i.made == Some(Made::StoryAuthoring) || walk::is_copy(i))
                {
                    continue;
                }
                for map in [&effect.set, &effect.with, &effect.slots].into_iter().flatten() {
                    map.entries.iter().for_each(|e| {
                        e.value.for_each_text(&mut |t| {
                            values.add(&t.text);
                        })
                    });
                }
            }
            let here = to.get_mut(i);
            let mut found: Vec<usize> = Vec::new();
            for target in targets {
                if kitsoki_expr::has_delimiters(&target.text) {
                    values.add_quoted(&target.text);
                } else if let Some(at) = cx.rooms.get_index_of(full_path(&entry.path, &target.text).as_str()) {
                    found.push(at);
                }
            }
            found.extend(inside(cx, entry));
            if let Some(here) = here {
                here.extend(found);
            }
        }
        for var in cx.story.manifest.world.iter().flat_map(|w| w.entries.iter()) {
            if let Some(default) = var.value.default_value() {
                default.for_each_text(&mut |t| {
                    values.add(&t.text);
                });
            }
        }
        let proposals = cx.story.manifest.proposals.value();
        for execute in proposals
            .into_iter()
            .flat_map(|p| p.entries.iter())
            .filter_map(|p| p.value.execute.value())
        {
            execute.on_success.iter().for_each(|s| values.add(&s.text));
            for effect in execute.on_complete.value().into_iter().flat_map(|e| e.iter()) {
                for site in walk::nested_in(effect) {
                    site.effect.target.iter().for_each(|t| values.add(&t.text));
                }
            }
        }
        Self {
            to,
            hidden,
            named: values.rooms.into_iter().collect(),
        }
    }

    /// From here on arms that never fire lead where they say. Returns them.
    pub(super) fn open_hidden(&mut self) -> Vec<(Span, usize)> {
        let hidden = std::mem::take(&mut self.hidden);
        for (from, _, target) in &hidden {
            if let Some(here) = self.to.get_mut(*from) {
                here.push(*target);
            }
        }
        hidden.into_iter().map(|(_, arm, target)| (arm, target)).collect()
    }

    /// Where one room leads.
    pub(super) fn from(&self, room: usize) -> &[usize] {
        self.to.get(room).map_or(&[], Vec::as_slice)
    }

    /// Adds everything that can be reached from some rooms.
    pub(super) fn follow(&self, mut stack: Vec<usize>, reached: &mut FxHashSet<usize>) {
        while let Some(room) = stack.pop() {
            if reached.insert(room) {
                stack.extend(self.from(room).iter().copied().filter(|to| !reached.contains(to)));
            }
        }
    }
}

/// The rooms that are entered together with a room: the one around it, its first child, its regions.
fn inside(cx: &StoryCx<'_>, entry: &RoomEntry<'_>) -> Vec<usize> {
    let mut found: Vec<usize> = entry.parent.into_iter().collect();
    let room = entry.room;
    let all_children = || {
        let names = room.states.iter().flat_map(|s| s.entries.iter());
        names
            .filter_map(|c| {
                cx.rooms
                    .get_index_of(format!("{}.{}", entry.path, c.name.text).as_str())
            })
            .collect::<Vec<_>>()
    };
    if room.ty.as_ref().is_some_and(|t| t.text == "parallel") {
        found.extend(all_children());
    } else {
        let first = room
            .initial
            .as_ref()
            .filter(|i| !i.is_templated() && !i.text.contains("{%"));
        let path = first.map(|i| format!("{}.{}", entry.path, i.text));
        match path.and_then(|p| cx.rooms.get_index_of(p.as_str())) {
            Some(child) => found.push(child),
            // Which child comes first is not known, or has been reported as missing.
            None => found.extend(all_children()),
        }
    }
    found
}

/// The rooms that values of a story name.
struct Mentions<'a> {
    cx: &'a StoryCx<'a>,
    /// The length of the longest name: most values are longer.
    longest: usize,
    rooms: BTreeSet<usize>,
}

impl<'a> Mentions<'a> {
    fn new(cx: &'a StoryCx<'a>) -> Self {
        Self {
            cx,
            longest: cx.rooms.keys().map(SmolStr::len).max().unwrap_or(0),
            rooms: BTreeSet::new(),
        }
    }

    /// A value.
    fn add(&mut self, value: &str) {
        if value.len() > self.longest {
            return;
        }
        self.rooms.extend(if value.contains('/') {
            self.cx.rooms.get_index_of(value.replace('/', ".").as_str())
        } else {
            self.cx.rooms.get_index_of(value)
        });
    }

    /// Texts in quotes inside of a template.
    fn add_quoted(&mut self, template: &str) {
        for quote in ['\'', '"'] {
            template.split(quote).skip(1).step_by(2).for_each(|part| self.add(part));
        }
        // `{% if x %}hall{% else %}desk{% endif %}`: the texts between the marks.
        for part in template.split(['{', '}', '%']) {
            self.add(part.trim());
        }
    }
}
