//! `compile --emit`: a story after one of its stages, as JSON, YAML or lines for people, and what a stage changed.
//!
//! | Stage | What it shows |
//! |---|---|
//! | surface | the manifest with its includes, as written |
//! | folded | imports folded, phases expanded |
//! | desugared | every macro replaced by ordinary declarations |
//! | ir | the typed IR ([`kitsoki_ir`]) |
//!
//! The three stages before the IR print the keys of the surface language; `origins` says which nodes nobody wrote, and
//! where the text stands that caused them. The form for people writes that behind each such line.

mod diff;
mod origins;
mod yaml;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_ir::text::{self as ir_text, Line};
use serde_json::{Map as JsonMap, Value as Json, json};

use crate::db::{Db, SourceFile};
use crate::lower::lower;
use crate::pipeline;
use crate::rules::words::did_you_mean;
use crate::story::Loaded;
use crate::surface::{Manifest, Surface};
use origins::Origins;
pub(crate) use yaml::word as yaml_word;

/// Which form of the story.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// As written, includes merged.
    Surface,
    /// Imports folded, phases expanded.
    Folded,
    /// Macros expanded.
    Desugared,
    /// The typed IR.
    Ir,
}

impl Stage {
    /// The word of the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Surface => "surface",
            Stage::Folded => "folded",
            Stage::Desugared => "desugared",
            Stage::Ir => "ir",
        }
    }

    /// What a diff compares with: the stage before.
    fn before(self) -> Option<Self> {
        match self {
            Stage::Surface => None,
            Stage::Folded => Some(Stage::Surface),
            Stage::Desugared => Some(Stage::Folded),
            // The IR of the story without its macros.
            Stage::Ir => Some(Stage::Ir),
        }
    }
}

/// How it is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// One JSON document with an envelope.
    Json,
    /// YAML without remarks.
    Yaml,
    /// For people: lines, with the origin of each that nobody wrote.
    Text,
}

/// What to print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Which form.
    pub stage: Stage,
    /// How; a diff is always for people.
    pub format: Format,
    /// One room by its path, with what macros made for it elsewhere.
    pub room: Option<String>,
    /// What the stage changed: against the stage before, for the IR against the story without its macros.
    pub diff: bool,
    /// Texts of files outside of this folder and of the story's own are not printed: the personas of agents that are
    /// read from files. `None` prints everything.
    pub within: Option<Utf8PathBuf>,
}

/// Why nothing was printed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EmitError {
    /// No such room at this stage.
    #[error("no room is called `{name}`{}", near.as_ref().map(|n| format!("; `{n}` is similar")).unwrap_or_default())]
    NoSuchRoom {
        /// As asked for.
        name: String,
        /// A room with a similar path.
        near: Option<String>,
    },
    /// Nothing comes before the surface.
    #[error("nothing comes before the surface stage: `--diff` needs another stage")]
    NothingBefore,
    /// The writer's words.
    #[error("the story cannot be written: {0}")]
    Unwritable(String),
}

/// Prints one stage of a story. The story need not be free of errors: whoever calls decides.
///
/// # Errors
/// When the room does not exist, or a diff of the first stage is asked for.
pub fn emit(db: &dyn Db, root: SourceFile, request: &Request) -> Result<String, EmitError> {
    if request.diff {
        return emit_diff(db, root, request);
    }
    match request.stage {
        Stage::Ir => emit_ir(db, root, request),
        stage => {
            let mut loaded = at_stage(db, root, stage);
            hide_far_personas(db, &mut loaded, request.within.as_deref());
            let (story, origins) = document(&loaded, request)?;
            Ok(match request.format {
                Format::Json => {
                    let list: Vec<Json> = origins.list(db, &loaded.dir);
                    let story = json!({"schema": 1, "stage": stage.as_str(), "story": story, "origins": list});
                    format!("{story}\n")
                }
                Format::Yaml => plain(&yaml::lines(&story, &BTreeMap::new())),
                Format::Text => ir_text::render(&yaml::lines(&story, &origins.notes(db, &loaded.dir))),
            })
        }
    }
}

/// Whether the text of a file may be printed.
fn is_far(db: &dyn Db, file: &str, within: Option<&Utf8Path>, story: &Utf8Path) -> bool {
    let canonical = |path: &Utf8Path| db.system().canonical(path);
    let Some(within) = within else { return false };
    let file = canonical(Utf8Path::new(file));
    ![within, story]
        .into_iter()
        .any(|folder| file.starts_with(canonical(folder)))
}

/// Puts the path back where a persona was read from a file outside of the printed folder.
fn hide_far_personas(db: &dyn Db, loaded: &mut Loaded, within: Option<&Utf8Path>) {
    let dir = loaded.dir.clone();
    for entry in loaded
        .manifest
        .agents
        .iter_mut()
        .flat_map(|a| a.value.entries.iter_mut())
    {
        let agent = &mut entry.value;
        if let Some(file) = agent.prompt_file.as_ref().filter(|f| is_far(db, f, within, &dir))
            && let Some(prompt) = agent.system_prompt.take()
        {
            let path = crate::surface::Text::new(file.clone(), prompt.value.span);
            agent.system_prompt_path = Some(crate::surface::Field::new(prompt.key, path));
        }
    }
}

/// The IR without the personas of files outside of the printed folder.
fn without_far_personas(
    db: &dyn Db,
    story: &kitsoki_ir::Story,
    within: Option<&Utf8Path>,
) -> Option<kitsoki_ir::Story> {
    let far = |agent: &kitsoki_ir::Agent| {
        !agent.prompt_file.is_empty() && is_far(db, &agent.prompt_file, within, Utf8Path::new(&story.dir))
    };
    let ids: Vec<_> = story.agents.pairs().filter(|(_, a)| far(a)).map(|(id, _)| id).collect();
    if ids.is_empty() {
        return None;
    }
    let mut story = story.clone();
    for id in ids {
        if let Some(agent) = story.agents.get_mut(id) {
            agent.system_prompt = Default::default();
        }
    }
    Some(story)
}

/// A document as YAML that reads back to the same document: what a macro became, for an author's own file.
#[must_use]
pub fn yaml_text(document: &Json) -> String {
    plain(&yaml::lines(document, &BTreeMap::new()))
}

fn plain(lines: &[Line]) -> String {
    lines.iter().flat_map(|l| [l.text.as_str(), "\n"]).collect()
}

/// The story at a stage before the IR.
fn at_stage(db: &dyn Db, root: SourceFile, stage: Stage) -> Loaded {
    match stage {
        Stage::Surface => {
            let package = pipeline::package(db, root);
            Loaded {
                manifest: package.manifest.clone(),
                ..Loaded::clone(pipeline::loaded(db, root))
            }
        }
        Stage::Folded => Loaded::clone(pipeline::loaded(db, root)),
        Stage::Desugared | Stage::Ir => Loaded::clone(pipeline::story(db, root)),
    }
}

/// The story as a document, cut down to one room when one is asked for.
fn document(loaded: &Loaded, request: &Request) -> Result<(Json, Origins), EmitError> {
    let origins = Origins::of(&loaded.manifest);
    let mut story = loaded.manifest.emit();
    with_routing_defaults(&mut story, &loaded.manifest, request.stage);
    match &request.room {
        None => Ok((story, origins)),
        Some(path) => {
            let room = cut(&story, path).ok_or_else(|| no_such_room(loaded, path))?;
            let sites = origins.sites_of_room(path);
            let mut out = JsonMap::new();
            for table in ["world", "intents"] {
                let made = origins.entries_made_at(table, &sites);
                let all = story.get(table).and_then(Json::as_object);
                let kept: JsonMap<String, Json> = made
                    .iter()
                    .filter_map(|n| Some((n.clone(), all?.get(n)?.clone())))
                    .collect();
                if !kept.is_empty() {
                    out.insert(table.to_owned(), Json::Object(kept));
                }
            }
            out.insert("states".to_owned(), room);
            Ok((Json::Object(out), origins))
        }
    }
}

/// A written `routing` block stands for every key of it (`macros` 9.1).
fn with_routing_defaults(story: &mut Json, manifest: &Manifest, stage: Stage) {
    if stage == Stage::Surface || manifest.routing.is_none() {
        return;
    }
    let defaults = kitsoki_ir::policy::Routing::default();
    let Some(story) = story.as_object_mut() else { return };
    let routing = story.entry("routing").or_insert_with(|| Json::Object(JsonMap::new()));
    let Some(routing) = routing.as_object_mut() else { return };
    let written = |key: &str| {
        manifest
            .routing
            .as_ref()
            .is_some_and(|r| r.value.key_span(key).is_some())
    };
    for (key, value) in [
        ("semantic_high_bar", json!(defaults.semantic_high_bar)),
        ("semantic_mid_bar", json!(defaults.semantic_mid_bar)),
        ("cache_max_age", json!("720h")),
        ("cache_cap", json!(defaults.cache_cap)),
        ("cache_trim_fraction", json!(defaults.cache_trim_fraction)),
        ("revalidate_strikes", json!(defaults.revalidate_strikes)),
    ] {
        routing.entry(key).or_insert(value);
    }
    for key in ["enabled", "cache_enabled"] {
        if !written(key) {
            routing.insert(key.to_owned(), Json::Bool(true));
        }
    }
}

/// One room inside of the rooms around it.
fn cut(story: &Json, path: &str) -> Option<Json> {
    let mut names: Vec<&str> = path.split('.').collect();
    let mut at = story.get("states")?;
    let mut last = None;
    for (depth, name) in names.iter().enumerate() {
        let room = at.get(name)?;
        last = Some(room.clone());
        if depth + 1 < names.len() {
            at = room.get("states")?;
        }
    }
    let mut out = json!({ names.pop()?: last? });
    while let Some(name) = names.pop() {
        out = json!({ name: { "states": out } });
    }
    Some(out)
}

fn no_such_room(loaded: &Loaded, name: &str) -> EmitError {
    let rooms: Vec<_> = crate::lower::room_paths(loaded);
    let near = did_you_mean(name, rooms.iter().map(|r| r.as_str())).map(str::to_owned);
    EmitError::NoSuchRoom {
        name: name.to_owned(),
        near,
    }
}

fn emit_ir(db: &dyn Db, root: SourceFile, request: &Request) -> Result<String, EmitError> {
    let story = pipeline::lowered(db, root);
    let unwritable = |e: kitsoki_ir::ReadError| EmitError::Unwritable(e.to_string());
    if let Some(path) = &request.room {
        let lines = ir_room(story, path).ok_or_else(|| no_such_room(pipeline::story(db, root), path))?;
        return match request.format {
            Format::Text => Ok(ir_text::render(&lines)),
            // A part of the tables has no form of its own: its lines stand in an envelope.
            Format::Json | Format::Yaml => {
                let lines: Vec<Json> = lines
                    .iter()
                    .map(|l| json!({"text": l.text, "origin": l.note.clone()}))
                    .collect();
                let part = json!({"schema": 1, "stage": "ir", "room": path, "lines": lines});
                Ok(match request.format {
                    Format::Json => format!("{part}\n"),
                    _ => plain(&yaml::lines(&part, &BTreeMap::new())),
                })
            }
        };
    }
    let near = without_far_personas(db, story, request.within.as_deref());
    let story = near.as_ref().unwrap_or(story);
    match request.format {
        Format::Text => Ok(ir_text::render(&ir_text::story(story))),
        Format::Yaml => story.to_yaml().map_err(unwritable),
        Format::Json => {
            let head = br#"{"schema":1,"stage":"ir","story":"#.to_vec();
            let mut out = story.append_json(head).map_err(unwritable)?;
            out.extend_from_slice(b",\"origins\":[]}\n");
            String::from_utf8(out).map_err(|e| EmitError::Unwritable(e.to_string()))
        }
    }
}

/// A room's lines, with the world keys and intents that its macros made.
fn ir_room(story: &kitsoki_ir::Story, path: &str) -> Option<Vec<Line>> {
    let (id, _) = story.states.pairs().find(|(_, s)| s.path == path)?;
    let room = ir_text::room(story, id, true);
    let state = story.states.get(id)?;
    let mut sites = rustc_hash::FxHashSet::default();
    let origin = |at: kitsoki_ir::OriginId| story.provenance.origins.get(at).filter(|o| of_room(o.made));
    let arcs = state
        .on
        .iter()
        .flat_map(|h| h.arcs.iter())
        .filter_map(|a| story.arcs.get(*a))
        .map(|a| a.at);
    let effects = state.on_enter.iter().map(|e| e.at);
    for at in state.made.iter().map(|(_, at)| *at).chain(arcs).chain(effects) {
        sites.extend(origin(at).map(|o| (o.file, o.range)));
    }
    let mut lines = ir_text::declarations(story, |at| {
        origin(at).is_some_and(|o| sites.contains(&(o.file, o.range)))
    });
    lines.extend(room);
    Some(lines)
}

/// Macros that belong to a room and make things outside of it.
fn of_room(made: Option<kitsoki_ir::Made>) -> bool {
    matches!(made, Some(kitsoki_ir::Made::Workbench | kitsoki_ir::Made::Capture))
}

fn emit_diff(db: &dyn Db, root: SourceFile, request: &Request) -> Result<String, EmitError> {
    let before = request.stage.before().ok_or(EmitError::NothingBefore)?;
    let (old, new) = if request.stage == Stage::Ir {
        let without = lower(db, pipeline::loaded(db, root));
        let with = pipeline::lowered(db, root);
        (
            ir_parts(&without, request.room.as_deref()),
            ir_parts(with, request.room.as_deref()),
        )
    } else {
        let part = |stage| {
            let loaded = at_stage(db, root, stage);
            let whole = Request {
                stage,
                room: None,
                ..request.clone()
            };
            let (story, origins) = document(&loaded, &whole)?;
            Ok(surface_parts(db, &loaded, &story, &origins, request.room.as_deref()))
        };
        (part(before)?, part(request.stage)?)
    };
    if let Some(path) = request
        .room
        .as_deref()
        .filter(|p| !old.contains_key(*p) && !new.contains_key(*p))
    {
        return Err(no_such_room(pipeline::story(db, root), path));
    }
    let name = if request.stage == Stage::Ir {
        "without macros"
    } else {
        before.as_str()
    };
    Ok(diff::unified(&old, &new, name, request.stage.as_str()))
}

/// What a diff compares piece by piece: rooms by path, and what is declared outside of rooms.
type Parts = BTreeMap<String, Vec<Line>>;

/// The piece with everything that is declared outside of rooms.
const DECLARATIONS: &str = "(declarations)";

fn ir_parts(story: &kitsoki_ir::Story, room: Option<&str>) -> Parts {
    let mut parts = Parts::new();
    for (id, state) in story.states.pairs() {
        if room.is_none_or(|r| r == state.path) {
            parts.insert(state.path.to_string(), ir_text::room(story, id, false));
        }
    }
    let outside = match room {
        None => ir_text::declarations(story, |_| true),
        Some(path) => ir_room(story, path)
            .map(|lines| lines.into_iter().take_while(|l| !l.text.starts_with("room ")).collect())
            .unwrap_or_default(),
    };
    parts.insert(DECLARATIONS.to_owned(), outside);
    parts
}

fn surface_parts(db: &dyn Db, loaded: &Loaded, story: &Json, origins: &Origins, room: Option<&str>) -> Parts {
    let notes = origins.notes(db, &loaded.dir);
    let mut parts = Parts::new();
    let mut outside = story.clone();
    if let Some(outside) = outside.as_object_mut() {
        outside.shift_remove("states");
        if let Some(path) = room {
            let sites = origins.sites_of_room(path);
            let keep: Vec<(&str, Vec<String>)> = ["world", "intents"]
                .map(|t| (t, origins.entries_made_at(t, &sites)))
                .into();
            outside.retain(|table, value| {
                let Some((_, names)) = keep.iter().find(|(t, _)| t == table) else {
                    return false;
                };
                value.as_object_mut().is_some_and(|v| {
                    v.retain(|name, _| names.contains(name));
                    !v.is_empty()
                })
            });
        }
    }
    let outside = if outside.as_object().is_some_and(JsonMap::is_empty) {
        Vec::new()
    } else {
        yaml::lines(&outside, &notes)
    };
    parts.insert(DECLARATIONS.to_owned(), outside);
    let mut stack: Vec<(String, String, &Json)> = Vec::new();
    push(&mut stack, "", "states", story.get("states"));
    while let Some((path, place, body)) = stack.pop() {
        push(&mut stack, &path, &format!("{place}.states"), body.get("states"));
        if room.is_none_or(|r| r == path) {
            let own: JsonMap<String, Json> = body
                .as_object()
                .into_iter()
                .flatten()
                .filter(|(key, _)| *key != "states")
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            let own = Json::Object(own);
            let empty = own.as_object().is_some_and(JsonMap::is_empty);
            let own = if empty {
                Vec::new()
            } else {
                yaml::lines_at(&own, &place, &notes)
            };
            parts.insert(path, own);
        }
    }
    parts
}

fn push<'j>(stack: &mut Vec<(String, String, &'j Json)>, path: &str, place: &str, states: Option<&'j Json>) {
    for (name, body) in states.and_then(Json::as_object).into_iter().flatten() {
        let full = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        stack.push((full, format!("{place}.{}", yaml::segment(name)), body));
    }
}
