//! A macro of a room written out: `workbench:` and `agent_off_ramp.capture_free_text` become what an author could have written
//! in their place. What that is, the compiler says; here it gets its places in the files.

use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::emit::yaml_text;
use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::{Made, Map, Origin, Room, Surface};
use kitsoki_syntax::{Entry, TextRange};
use serde_json::{Map as JsonMap, Value as Json, json};
use smol_str::SmolStr;

use super::super::insert::{self, Edit, Source};
use super::super::{Snapshot, facts};
use super::{Rewrite, proof, room_of};

/// `workbench:` as the gate, the off-ramp, the task and the capture. The engine's signal at the end of a turn is all that only
/// the block itself has; the title says so.
pub(super) fn workbench(
    snapshot: &Snapshot,
    manifest: SourceFile,
    source: &Source,
    way: &[(SmolStr, Entry)],
) -> Option<Rewrite> {
    let made = Written::find(snapshot, manifest, source, way, "workbench", Made::Workbench)?;
    let room = made.room;
    let task = room
        .on_enter
        .as_ref()?
        .value
        .items
        .iter()
        .find(|e| made.here(e.origin))?;
    let mut head = JsonMap::new();
    head.insert("write_mode".to_owned(), json!(room.write_mode.as_ref()?.as_str()));
    head.insert("agent_off_ramp".to_owned(), room.agent_off_ramp.as_ref()?.value.emit());
    let mut edits = made.edits(head, Some(task.emit()))?;
    edits.extend(made.declarations(snapshot)?);
    proof::keeps_meaning(snapshot, manifest, &edits, &["workbench"]).then(|| Rewrite {
        title: format!(
            "write out the workbench of `{}` (only its signal at the end of a turn is lost)",
            made.path
        ),
        extracts: false,
        edits,
    })
}

/// `capture_free_text: true` as the intent, its arc and the sink of free text.
pub(super) fn capture(
    snapshot: &Snapshot,
    manifest: SourceFile,
    source: &Source,
    way: &[(SmolStr, Entry)],
) -> Option<Rewrite> {
    let made = Written::find(snapshot, manifest, source, way, "agent_off_ramp", Made::Capture)?;
    let mut ramp = made.room.agent_off_ramp.as_ref()?.value.emit();
    ramp.as_object_mut()?.remove("capture_free_text")?;
    if ramp == json!({}) {
        ramp = json!(true);
    }
    let head = JsonMap::from_iter([("agent_off_ramp".to_owned(), ramp)]);
    let mut edits = made.edits(head, None)?;
    edits.extend(made.declarations(snapshot)?);
    proof::keeps_meaning(snapshot, manifest, &edits, &["capture_free_text"]).then(|| Rewrite {
        title: format!("write out how `{}` captures free text", made.path),
        extracts: false,
        edits,
    })
}

/// A block of a room and what it made.
struct Written<'a> {
    manifest: SourceFile,
    source: &'a Source,
    /// The room's path, its entry, and that of the block.
    path: String,
    around: Entry,
    block: Entry,
    /// The room after every macro.
    room: &'a Room,
    world: JsonMap<String, Json>,
    intents: JsonMap<String, Json>,
    /// The arc that the block made: its intent, and its arms.
    arc: (String, Json),
    made: Vec<Origin>,
}

impl<'a> Written<'a> {
    fn find(
        snapshot: &'a Snapshot,
        manifest: SourceFile,
        source: &'a Source,
        way: &[(SmolStr, Entry)],
        key: &str,
        by: Made,
    ) -> Option<Self> {
        let (path, around, block) = room_of(way, key)?;
        let story = &pipeline::story(&snapshot.db, manifest).manifest;
        let room = facts::room(story, &path)?;
        let range = source
            .tree
            .node(block.key)
            .range
            .cover(source.tree.node(block.value).range);
        let mut made: Vec<Origin> = Vec::new();
        let mut here = |origin: Origin| {
            is_here(snapshot, source, range, by, origin)
                .then(|| made.push(origin))
                .is_some()
        };
        let world = entries(story.world.as_ref().map(|w| &w.value), |v| here(v.origin));
        let intents = entries(story.intents.as_ref().map(|i| &i.value), |v| here(v.origin));
        let arcs = room.on.as_ref()?.value.entries.iter();
        let mut arcs = arcs.filter(|e| e.value.items.first().is_some_and(|a| here(a.origin)));
        let arc = arcs.next().map(|e| (e.name.text.to_string(), e.value.emit()));
        for effect in room.on_enter.iter().flat_map(|l| l.value.items.iter()) {
            here(effect.origin);
        }
        // An author who wrote the arc keeps it.
        let arc = arc.unwrap_or_default();
        (!made.is_empty()).then_some(Self {
            manifest,
            source,
            path,
            around,
            block: *block,
            room,
            world,
            intents,
            arc,
            made,
        })
    }

    fn here(&self, origin: Origin) -> bool {
        self.made.contains(&origin)
    }

    /// The edits of the room: the block becomes `head`, a sink of free text, and as much of `on_enter` and `on` as the room has
    /// not yet.
    fn edits(&self, mut head: JsonMap<String, Json>, task: Option<Json>) -> Option<Vec<Edit>> {
        let source = self.source;
        let sink = self.room.default_intent.as_ref()?;
        head.insert("default_intent".to_owned(), json!(sink.as_str()));
        let mut edits = Vec::new();
        if let Some(task) = task {
            match source.entry(self.around.value, "on_enter") {
                Some(list) => {
                    let flow = task.to_string();
                    edits.push(insert::into_list(source, list, &yaml_text(&json!([task])), &flow)?);
                }
                None => {
                    head.insert("on_enter".to_owned(), json!([task]));
                }
            }
        }
        let (intent, arms) = &self.arc;
        if !intent.is_empty() {
            let arc = JsonMap::from_iter([(intent.clone(), arms.clone())]);
            match source.entry(self.around.value, "on") {
                Some(on) => {
                    let flow = inside(&arc);
                    edits.push(insert::into_mapping(source, on, &yaml_text(&Json::Object(arc)), &flow)?);
                }
                None => {
                    head.insert("on".to_owned(), Json::Object(arc));
                }
            }
        }
        let node = source.tree.node(self.around.value);
        let edit = if node.flow {
            let range = source.tree.node(self.block.key).range;
            let range = range.cover(source.tree.node(self.block.value).range);
            (source.place(range), inside(&head))
        } else {
            let indent = source.indent(self.block.key)?;
            let lines = insert::indented(&yaml_text(&Json::Object(head)), indent);
            (source.place(source.lines(self.block)?), lines)
        };
        edits.push(edit);
        Some(edits)
    }

    /// The edits of the manifest: world keys and intents.
    fn declarations(&self, snapshot: &Snapshot) -> Option<Vec<Edit>> {
        let own;
        let source = if self.source.file == self.manifest {
            self.source
        } else {
            own = Source::of(snapshot, self.manifest);
            &own
        };
        let tables = [("world", &self.world), ("intents", &self.intents)];
        let wanted = tables.into_iter().filter(|(_, table)| !table.is_empty());
        wanted
            .map(|(section, table)| {
                let block = yaml_text(&Json::Object(table.clone()));
                insert::into_section(source, section, &block, &inside(table))
            })
            .collect()
    }
}

/// Whether the block at a range of a file caused something.
fn is_here(snapshot: &Snapshot, source: &Source, range: TextRange, by: Made, origin: Origin) -> bool {
    let Origin::Macro { made, site } = origin else {
        return false;
    };
    let place = snapshot.place(site);
    made == by && place.is_some_and(|p| p.file == source.file && range.contains_range(p.range))
}

fn entries<T: Surface>(table: Option<&Map<T>>, mut wanted: impl FnMut(&T) -> bool) -> JsonMap<String, Json> {
    let all = table.into_iter().flat_map(|t| t.entries.iter());
    all.filter(|e| wanted(&e.value))
        .map(|e| (e.name.text.to_string(), e.value.emit()))
        .collect()
}

/// The entries of a mapping in braces, without the braces.
fn inside(map: &JsonMap<String, Json>) -> String {
    let entry = |(key, value): (&String, &Json)| format!("{}: {value}", json!(key));
    map.iter().map(entry).collect::<Vec<_>>().join(", ")
}
