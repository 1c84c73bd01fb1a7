//! `phases:` written out: the rooms that the template makes for each of them.

use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::emit::yaml_text;
use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::{Made, Origin, Surface as _};
use kitsoki_syntax::{Entry, TextSize};
use serde_json::{Map as JsonMap, Value as Json, json};
use smol_str::SmolStr;

use super::super::insert::{self, Edit, Source};
use super::super::{Snapshot, facts};
use super::{Rewrite, proof};

/// The sections that are nothing without `phases`.
pub(super) const SECTIONS: [&str; 3] = ["phases", "phase_templates", "checkpoint_intents"];

/// The rewrite, when the offset is at the key of one of the sections.
pub(super) fn write_out(
    snapshot: &Snapshot,
    manifest: SourceFile,
    source: &Source,
    way: &[(SmolStr, Entry)],
    offset: TextSize,
) -> Option<Rewrite> {
    let (key, at) = way.first()?;
    let on_key = source.tree.node(at.key).range.contains_inclusive(offset);
    if !on_key || !SECTIONS.contains(&key.as_str()) {
        return None;
    }
    let declared = facts::manifest(snapshot, manifest);
    let phases = declared.phases.as_ref()?;
    // Another template may be meant for later.
    if declared.phase_templates.as_ref()?.value.entries.len() != 1 {
        return None;
    }
    let home = snapshot.place(phases.key)?.file;
    let mut edits = Vec::new();
    for file in &pipeline::package(&snapshot.db, manifest).files {
        let own;
        let source = if *file == source.file {
            source
        } else {
            own = Source::of(snapshot, *file);
            &own
        };
        let rooms = if *file == home {
            Some(rooms(snapshot, manifest)?)
        } else {
            None
        };
        edits.extend(of_file(source, rooms)?);
    }
    proof::keeps_meaning(snapshot, manifest, &edits, &SECTIONS).then(|| Rewrite {
        title: "write out the rooms of the phases".to_owned(),
        extracts: false,
        edits,
    })
}

/// The rooms that the phases make.
fn rooms(snapshot: &Snapshot, manifest: SourceFile) -> Option<JsonMap<String, Json>> {
    let story = &pipeline::loaded(&snapshot.db, manifest).manifest;
    let all = story.states.as_ref()?.value.entries.iter();
    let made = |origin: Origin| matches!(origin, Origin::Macro { made: Made::Phases, .. });
    let rooms: JsonMap<String, Json> = all
        .filter(|e| made(e.value.origin))
        .map(|e| {
            let room = if e.null { Json::Null } else { e.value.emit() };
            (e.name.text.to_string(), room)
        })
        .collect();
    (!rooms.is_empty()).then_some(rooms)
}

/// Takes the sections out of a file, and puts the rooms into the one that had the phases.
fn of_file(source: &Source, rooms: Option<JsonMap<String, Json>>) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let mut rooms = rooms;
    let has_states = source.section("states").is_some();
    for section in SECTIONS {
        let Some(entry) = source.section(section) else { continue };
        let lines = source.lines(entry)?;
        let instead = match rooms.take_if(|_| section == "phases" && !has_states) {
            Some(rooms) => yaml_text(&json!({ "states": rooms })),
            None => String::new(),
        };
        edits.push((source.place(lines), instead));
    }
    if let Some(rooms) = rooms {
        let entry = |(key, value): (&String, &Json)| format!("{}: {value}", json!(key));
        let flow = rooms.iter().map(entry).collect::<Vec<_>>().join(", ");
        edits.push(insert::into_section(
            source,
            "states",
            &yaml_text(&Json::Object(rooms)),
            &flow,
        )?);
    }
    Some(edits)
}
