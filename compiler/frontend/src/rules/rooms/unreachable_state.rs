//! `unreachable-state`: a room that nothing leads to (`language` "go further").
//!
//! Followed are arcs, timeouts, finished jobs, redirects after errors and first children, from the root on. A story with
//! exits or exports may be entered anywhere by its importer, so that there it is a hint, and a templated target may lead to
//! any room that is named in a value of the story. Of several rooms that lead to each other only the first is reported.

use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;

use super::super::cx::RoomEntry;
use super::super::names;
use super::super::prelude::*;
use super::super::words;
use super::arms;
use super::ways::Ways;

pub(crate) const RULE: Rule = Rule {
    id: "unreachable-state",
    level: Level::Warning,
    summary: "a room that nothing leads to",
    fixable: Fixable::Never,
};

/// Rooms that a note names.
const LISTED: usize = 8;

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
    let hidden: FxHashSet<Span> = hidden_arms(out).map(|(_, arm)| arm).collect();
    let mut ways = Ways::of(cx, &hidden);
    let explained = cx
        .rooms
        .values()
        .enumerate()
        .filter(|(_, e)| meant.contains(&e.name.span))
        .map(|(i, _)| i);
    let start = cx.rooms.get_index_of(root.as_str()).into_iter().chain(explained);
    let start: Vec<usize> = start.chain(ways.named.iter().copied()).collect();
    let mut reached: FxHashSet<usize> = FxHashSet::default();
    ways.follow(start.clone(), &mut reached);
    if !ways.hidden.is_empty() {
        let live = std::mem::take(&mut reached);
        let hidden = ways.open_hidden();
        ways.follow(start, &mut reached);
        note_hidden(cx, &ways, &hidden, &live, out);
    }
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

/// The arms that other arms hide, each with the index of the finding that says so.
fn hidden_arms(out: &[Diagnostic]) -> impl Iterator<Item = (usize, Span)> {
    let findings = out.iter().enumerate().filter(|(_, f)| f.rule == arms::UNREACHABLE.id);
    findings.flat_map(|(i, f)| {
        let labels = f.primary.iter().chain(&f.labels);
        labels
            .filter(|l| l.message == arms::NEVER_TRIED)
            .map(move |l| (i, l.span))
    })
}

/// One cause, one finding: what says that an arm never fires also names the rooms to which nothing else leads.
fn note_hidden(
    cx: &StoryCx<'_>,
    ways: &Ways,
    hidden: &[(Span, usize)],
    live: &FxHashSet<usize>,
    out: &mut [Diagnostic],
) {
    let mut lost: std::collections::BTreeMap<usize, FxHashSet<usize>> = std::collections::BTreeMap::new();
    for (finding, arm) in hidden_arms(out) {
        let targets = hidden.iter().filter(|(at, to)| *at == arm && !live.contains(to));
        let targets: Vec<usize> = targets.map(|(_, to)| *to).collect();
        // A room that is reached otherwise ends the way: what lies behind it is reached as well.
        let mut behind = live.clone();
        ways.follow(targets, &mut behind);
        lost.entry(finding).or_default().extend(behind.difference(live));
    }
    for (finding, rooms) in lost {
        let mut rooms: Vec<usize> = rooms.into_iter().collect();
        rooms.sort_unstable();
        let entries = rooms.iter().filter_map(|i| cx.rooms.get_index(*i).map(|(_, e)| e));
        let names: Vec<String> = entries
            .filter(|e| is_told(cx, e))
            .map(|e| names::spelled(cx, e.name))
            .collect();
        let shown: Vec<&str> = names.iter().take(LISTED).map(String::as_str).collect();
        let note = match names.len() {
            0 => continue,
            1 => format!("nothing else leads to room {}", words::list(&shown)),
            n if n > LISTED => format!("nothing else leads to {n} rooms, among them {}", words::list(&shown)),
            _ => format!("nothing else leads to the rooms {}", words::list(&shown)),
        };
        if let Some(finding) = out.get_mut(finding) {
            finding.notes.push(note);
        }
    }
}

/// Whether a room to which nothing leads is the author's to know of.
fn is_told(cx: &StoryCx<'_>, entry: &RoomEntry<'_>) -> bool {
    // The engine enters a room that intercepts.
    let driven = entry.room.intercept_drive.is_some();
    let made = driven || entry.name.made.is_some() || !entry.room.origin.is_written() || entry.null;
    !made && !inside_import(cx, entry)
}

fn report(cx: &StoryCx<'_>, entry: &RoomEntry<'_>, out: &mut Vec<Diagnostic>) {
    if !is_told(cx, entry) {
        return;
    }
    let name = names::spelled(cx, entry.name);
    // Whoever imports the story may enter it there.
    let importable = cx.story.manifest.exits.is_some() || cx.story.manifest.exports.is_some();
    let level = if importable { Level::Hint } else { RULE.level };
    out.push(
        RULE.at(cx.inside(entry.name), "no arc, timeout or redirect leads here")
            .message(format!("nothing leads to room {}", code(&name)))
            .help(format!("lead an arc to {}, or remove the room", code(&name)))
            .level(level),
    );
}

/// Rooms of an imported story may be reached when that story stands on its own.
fn inside_import(cx: &StoryCx<'_>, entry: &RoomEntry<'_>) -> bool {
    let mut parent = entry.parent;
    while let Some((_, around)) = parent.and_then(|p| cx.rooms.get_index(p)) {
        if around.room.import_alias.is_some() {
            return true;
        }
        parent = around.parent;
    }
    entry.room.import_alias.is_some()
}
