//! Rooms that are alike become phases: a template, and one use for each. A single room becomes a template with one use.

use kitsoki_compiler::db::SourceFile;
use kitsoki_syntax::{Entry, NodeId, NodeKind, TextRange};
use rustc_hash::FxHashSet;
use serde_json::json;

use super::super::insert::{Edit, Source, indented};
use super::super::{Snapshot, facts};
use super::phases_out::SECTIONS;
use super::unify::{Parameter, Unify, changed};
use super::{Rewrite, proof};
use crate::index::walk::scalar;

/// What the new template is called.
const TEMPLATE: &str = "step";
/// Columns before a room of a template.
const COLUMN: usize = 6;

/// The rewrite for the rooms that are selected: with nothing selected the one whose name is at the cursor.
pub(super) fn extract(snapshot: &Snapshot, manifest: SourceFile, source: &Source, range: TextRange) -> Option<Rewrite> {
    let declared = facts::manifest(snapshot, manifest);
    // A manifest has one graph of phases.
    if declared.phases.is_some() || declared.phase_templates.is_some() || declared.checkpoint_intents.is_some() {
        return None;
    }
    let states = source.section("states")?;
    let rooms: Vec<Entry> = source
        .entries(states.value)
        .iter()
        .filter(|e| is_selected(source, e, range))
        .copied()
        .collect();
    let named: Option<Vec<(&str, Entry)>> = rooms
        .iter()
        .map(|e| Some((scalar(&source.tree, e.key)?.as_str(), *e)))
        .collect();
    let named = named.filter(|n| !n.is_empty())?;
    let names: Vec<&str> = named.iter().map(|(name, _)| *name).collect();
    let all = names.len() == source.entries(states.value).len();
    let (ids, suffixes) = split(&names)?;
    let known: FxHashSet<&str> = names.iter().copied().collect();
    let mut unify = Unify {
        source,
        ids: &ids,
        rooms: &known,
        parameters: Vec::new(),
        changes: Vec::new(),
    };
    let mut templates = String::new();
    for suffix in &suffixes {
        let room = |id: &&str| {
            named
                .iter()
                .find(|(n, _)| *n == format!("{id}{suffix}"))
                .map(|(_, e)| *e)
        };
        let entries: Option<Vec<Entry>> = ids.iter().map(room).collect();
        let entries = entries?;
        let bodies: Vec<NodeId> = entries.iter().map(|e| e.value).collect();
        if !bodies
            .iter()
            .all(|b| matches!(source.tree.node(*b).kind, NodeKind::Mapping(_)))
        {
            return None;
        }
        unify.nodes(&bodies, "room")?;
        templates.push_str(&template(source, *entries.first()?, suffix, &unify.changes)?);
    }
    let text = sections(&templates, &ids, &unify.parameters);
    let mut edits: Vec<Edit> = Vec::new();
    if all {
        edits.push((source.place(source.lines(states)?), String::new()));
    } else {
        for entry in &rooms {
            edits.push((source.place(source.lines(*entry)?), String::new()));
        }
    }
    let end = TextRange::empty(kitsoki_syntax::TextSize::of(&*source.text));
    let gap = if source.text.ends_with('\n') { "" } else { "\n" };
    edits.push((source.place(end), format!("{gap}{text}")));
    proof::keeps_meaning(snapshot, manifest, &edits, &SECTIONS).then(|| Rewrite {
        title: match names.as_slice() {
            [one] => format!("make a phase template of `{one}`"),
            many => format!("make a phase template of these {} rooms", many.len()),
        },
        extracts: true,
        edits,
    })
}

fn is_selected(source: &Source, entry: &Entry, range: TextRange) -> bool {
    let key = source.tree.node(entry.key).range;
    if range.is_empty() {
        return key.contains_inclusive(range.start());
    }
    let whole = key.cover(source.tree.node(entry.value).range);
    whole.intersect(range).is_some_and(|both| !both.is_empty())
}

/// The ids of phases and the ends of the names of their rooms, of which the names are all combinations. The most rooms for a
/// phase, then the longest end.
fn split<'n>(names: &[&'n str]) -> Option<(Vec<&'n str>, Vec<&'n str>)> {
    let first = *names.first()?;
    let mut cuts: Vec<usize> = first
        .match_indices('_')
        .map(|(at, _)| at)
        .filter(|at| *at > 0)
        .collect();
    cuts.push(first.len());
    let mut best: Option<(Vec<&str>, Vec<&str>)> = None;
    for cut in cuts {
        let (id, end) = first.split_at(cut);
        let ids: Vec<&str> = names
            .iter()
            .filter_map(|n| n.strip_suffix(end))
            .filter(|i| !i.is_empty())
            .collect();
        let ends: Vec<&str> = names.iter().filter_map(|n| n.strip_prefix(id)).collect();
        let ends: Vec<&str> = ends
            .into_iter()
            .filter(|e| e.is_empty() || e.starts_with('_'))
            .collect();
        let covers = |name: &&str| ids.iter().any(|i| ends.iter().any(|e| format!("{i}{e}") == **name));
        let better = best.as_ref().is_none_or(|(_, e)| ends.len() > e.len());
        // One room is cut only where the language itself does it.
        let plain = names.len() > 1 || end.is_empty() || end == "_executing" || end == "_awaiting_reply";
        if plain && better && ids.len() * ends.len() == names.len() && names.iter().all(covers) {
            best = Some((ids, ends));
        }
    }
    best
}

/// A room of the template: the lines of the first room with its parameters, where a template has them.
fn template(source: &Source, room: Entry, suffix: &str, changes: &[(TextRange, String)]) -> Option<String> {
    let indent = source.indent(room.key)?.len();
    let lines = source.lines(room)?;
    let key = source.tree.node(room.key).range;
    let body = TextRange::new(key.end(), lines.end());
    let body = changed(source, body, changes)?;
    let head = json!(format!("{{id}}{suffix}"));
    let text = format!("{}{head}{body}", " ".repeat(indent));
    let moved = text.lines().map(|line| match line.get(indent..) {
        Some(rest) if line.trim_start().len() <= rest.len() => rest.to_owned(),
        _ => line.trim_start().to_owned(),
    });
    let moved: String = moved.map(|l| l + "\n").collect();
    Some(indented(&moved, &" ".repeat(COLUMN)))
}

/// The two sections.
fn sections(templates: &str, ids: &[&str], parameters: &[Parameter]) -> String {
    let mut out =
        format!("\nphase_templates:\n  {TEMPLATE}:\n    parameters:\n      id: {{ type: string, required: true }}\n");
    for parameter in parameters {
        out.push_str(&format!(
            "      {}: {{ type: string, required: true }}\n",
            parameter.name
        ));
    }
    out.push_str(&format!(
        "    states:\n{templates}\nphases:\n  template: {TEMPLATE}\n  graph:\n"
    ));
    for (at, id) in ids.iter().enumerate() {
        if parameters.is_empty() {
            out.push_str(&format!("    {id}: {{}}\n"));
            continue;
        }
        out.push_str(&format!("    {id}:\n"));
        for parameter in parameters {
            let value = parameter.values.get(at).map(String::as_str).unwrap_or_default();
            out.push_str(&format!("      {}: {}\n", parameter.name, json!(value)));
        }
    }
    out
}
