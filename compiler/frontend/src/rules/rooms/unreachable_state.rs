//! `unreachable-state`: a room that nothing leads to (`language` "go further").
//!
//! Followed are arcs, timeouts, finished jobs, redirects after errors and first children, from the root on. A story with
//! exits may be entered anywhere by its importer, and a templated target may lead to any room that is named in a value of
//! the story. Of several rooms that lead to each other only the first is reported.

use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::super::names;
use super::super::prelude::*;
use super::super::walk;
use super::targets::full_path;

pub(crate) const RULE: Rule = Rule {
    id: "unreachable-state",
    level: Level::Warning,
    summary: "a room that nothing leads to",
    fixable: Fixable::Never,
};

/// `meant` are declarations that a lost target meant: the target's finding explains them.
pub(crate) fn check<'a>(cx: &'a StoryCx<'a>, meant: &FxHashSet<Span>, out: &mut Vec<Diagnostic>) {
    let root = cx.story.manifest.root.as_ref().and_then(|r| r.value.name());
    let Some(root) = root.filter(|r| cx.rooms.contains_key(r.as_str())) else {
        return;
    };
    // A part that could not be read, or a target that leads nowhere, may have led here.
    let lost = out.iter().any(|f| f.rule == "target-unknown");
    let faulty = lost || cx.story.findings.iter().any(|f| f.severity == Level::Error);
    if faulty || cx.story.incomplete.states || cx.story.incomplete.other {
        return;
    }
    let ways = Ways::of(cx);
    let mut reached: FxHashSet<usize> = FxHashSet::default();
    ways.follow(cx.rooms.get_index_of(root.as_str()).into_iter().collect(), &mut reached);
    ways.follow(ways.named.clone(), &mut reached);
    let explained = cx
        .rooms
        .values()
        .enumerate()
        .filter(|(_, e)| meant.contains(&e.name.span))
        .map(|(i, _)| i);
    ways.follow(explained.collect(), &mut reached);
    let left: Vec<usize> = (0..cx.rooms.len()).filter(|i| !reached.contains(i)).collect();
    let mut has_source: FxHashSet<usize> = FxHashSet::default();
    for i in &left {
        has_source.extend(ways.from(*i).iter().filter(|to| *to != i));
    }
    // Rooms without any way in come first, then one of each circle.
    let (sources, circles): (Vec<usize>, Vec<usize>) = left.into_iter().partition(|i| !has_source.contains(i));
    for i in sources.into_iter().chain(circles) {
        if reached.contains(&i) {
            continue;
        }
        ways.follow(vec![i], &mut reached);
        if let Some((_, entry)) = cx.rooms.get_index(i) {
            report(cx, entry, out);
        }
    }
}

fn report(cx: &StoryCx<'_>, entry: &super::super::cx::RoomEntry<'_>, out: &mut Vec<Diagnostic>) {
    // The engine enters a room that intercepts.
    let driven = entry.room.intercept_drive.is_some();
    let made = driven || entry.name.made.is_some() || !entry.room.origin.is_written() || entry.null;
    if made || inside_import(cx, entry) {
        return;
    }
    let name = names::spelled(cx, entry.name);
    out.push(
        RULE.at(cx.inside(entry.name), "no arc, timeout or redirect leads here")
            .message(format!("nothing leads to room {}", code(&name)))
            .help(format!("lead an arc to {}, or remove the room", code(&name))),
    );
}

/// Rooms of an imported story may be reached when that story stands on its own.
fn inside_import(cx: &StoryCx<'_>, entry: &super::super::cx::RoomEntry<'_>) -> bool {
    let mut parent = entry.parent;
    while let Some((_, around)) = parent.and_then(|p| cx.rooms.get_index(p)) {
        if around.room.import_alias.is_some() {
            return true;
        }
        parent = around.parent;
    }
    entry.room.import_alias.is_some()
}

/// Where each room leads.
struct Ways {
    to: Vec<Vec<usize>>,
    /// Rooms that a value of the story names: a template may lead there.
    named: Vec<usize>,
}

impl Ways {
    fn of<'a>(cx: &'a StoryCx<'a>) -> Self {
        let mut to = vec![Vec::new(); cx.rooms.len()];
        let mut values: FxHashSet<SmolStr> = FxHashSet::default();
        for (i, entry) in cx.rooms.values().enumerate() {
            let room = entry.room;
            let mut targets: Vec<&Text> = Vec::new();
            for arc in room
                .on
                .iter()
                .flat_map(|on| on.entries.iter())
                .flat_map(|e| e.value.iter())
            {
                targets.extend(arc.target.as_ref().map(|t| &t.value));
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
                            values.insert(t.text.clone());
                        })
                    });
                }
            }
            let here = to.get_mut(i);
            let mut found: Vec<usize> = Vec::new();
            for target in targets {
                if target.is_templated() || target.text.contains("{%") {
                    quoted(&target.text, &mut values);
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
                    values.insert(t.text.clone());
                });
            }
        }
        let proposals = cx.story.manifest.proposals.as_deref();
        for execute in proposals
            .into_iter()
            .flat_map(|p| p.entries.iter())
            .filter_map(|p| p.value.execute.as_deref())
        {
            values.extend(execute.on_success.as_ref().map(|s| s.text.clone()));
            for effect in execute.on_complete.as_deref().into_iter().flat_map(|e| e.iter()) {
                let nested = walk::nested_in(effect);
                values.extend(
                    nested
                        .iter()
                        .filter_map(|s| s.effect.target.as_ref().map(|t| t.text.clone())),
                );
            }
        }
        let named = values
            .iter()
            .filter_map(|v| cx.rooms.get_index_of(v.replace('/', ".").as_str()))
            .collect();
        Self { to, named }
    }

    fn from(&self, room: usize) -> &[usize] {
        self.to.get(room).map_or(&[], Vec::as_slice)
    }

    fn follow(&self, mut stack: Vec<usize>, reached: &mut FxHashSet<usize>) {
        while let Some(room) = stack.pop() {
            if reached.insert(room) {
                stack.extend(self.from(room).iter().copied().filter(|to| !reached.contains(to)));
            }
        }
    }
}

/// The rooms that are entered together with a room: the one around it, its first child, its regions.
fn inside(cx: &StoryCx<'_>, entry: &super::super::cx::RoomEntry<'_>) -> Vec<usize> {
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

/// Texts in quotes inside of a template.
fn quoted(template: &str, values: &mut FxHashSet<SmolStr>) {
    for quote in ['\'', '"'] {
        values.extend(template.split(quote).skip(1).step_by(2).map(SmolStr::new));
    }
    // `{% if x %}hall{% else %}desk{% endif %}`: the texts between the marks.
    for part in template.split(['{', '}', '%']) {
        values.insert(SmolStr::new(part.trim()));
    }
}
