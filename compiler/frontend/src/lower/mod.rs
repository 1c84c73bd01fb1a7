//! Lowering: ordinary declarations become the typed IR (`language` 7).
//!
//! Names become ids, texts become expressions and templates by their position, the parts of an effect become the one
//! action that runs. Nothing is checked here and nothing fails: what leads nowhere is lowered as such, because the rules
//! have reported it and an editor wants to see the rest.
//!
//! | Module | What it lowers |
//! |---|---|
//! | `names` | the tables of ids, made before anything refers to them |
//! | `code` | expressions, templates, values |
//! | `places` | provenance: spans to lines, macros, chains of imports |
//! | `rooms`, `effects`, `views` | rooms, their arcs and effects, what they show |
//! | `tables` | world, intents, agents, plugins |
//! | `policies` | operations, routing, meta modes and the rest |

mod code;
mod effects;
mod names;
mod places;
mod policies;
mod rooms;
mod tables;
mod views;

use kitsoki_ir::{Story, story::App};

use crate::db::Db;
use crate::story::Loaded;
use crate::surface::{Field, Flag, Int, List, Optional, Text};
use code::Code;
use names::Names;
use places::Places;
use smol_str::SmolStr;

/// Lowers a desugared story. A folded one works too: its macros are simply not there.
pub fn lower(db: &dyn Db, story: &Loaded) -> Story {
    let mut cx = Lowering {
        story,
        names: Names::new(story),
        code: Code::default(),
        places: Places::new(db, story),
        out: Story::default(),
    };
    head(&mut cx);
    tables::world(&mut cx);
    tables::global_intents(&mut cx);
    tables::hosts(&mut cx);
    tables::agents(&mut cx);
    policies::operations(&mut cx);
    rooms::rooms(&mut cx);
    tables::back_ends(&mut cx);
    policies::policies(&mut cx);
    finish(cx)
}

/// The paths of every room, depth first.
pub(crate) fn room_paths(story: &Loaded) -> Vec<SmolStr> {
    names::rooms(story).into_iter().map(|at| at.path).collect()
}

/// A story on its way into the IR.
struct Lowering<'a> {
    story: &'a Loaded,
    names: Names,
    code: Code,
    places: Places<'a>,
    out: Story,
}

fn head(cx: &mut Lowering<'_>) {
    let manifest = &cx.story.manifest;
    if let Some(app) = manifest.app.value() {
        cx.out.app = App {
            id: text(&app.id),
            version: text(&app.version),
            title: text(&app.title),
            author: text(&app.author),
            license: text(&app.license),
            context: text(&app.context),
            context_path: text(&app.context_path),
        };
    }
    cx.out.dir = cx.story.dir.as_str().into();
    cx.out.manifests = cx.story.manifests.iter().map(|m| m.as_str().into()).collect();
    let root = manifest.root.as_ref().and_then(|r| r.value.name());
    cx.out.root = root.and_then(|r| cx.names.state(r.as_str()));
    cx.out.wrappers = cx
        .story
        .wrappers
        .iter()
        .map(|w| kitsoki_ir::policy::Wrapper {
            alias: w.alias.clone(),
            entry: w.entry.clone(),
            manifest: w.manifest.as_str().into(),
            dir: w.dir.as_str().into(),
        })
        .collect();
}

fn finish(cx: Lowering<'_>) -> Story {
    let mut out = cx.out;
    (out.exprs, out.templates) = cx.code.into_tables();
    out.provenance = cx.places.into_table();
    out
}

/// A text, empty when absent.
fn text(field: &Option<Field<Text>>) -> SmolStr {
    field.as_ref().map(|f| f.value.text.clone()).unwrap_or_default()
}

/// A text that says something.
fn some_text(field: &Option<Field<Text>>) -> Option<SmolStr> {
    field.as_ref().map(|f| f.value.text.clone()).filter(|t| !t.is_empty())
}

fn flag(field: &Option<Field<Flag>>) -> bool {
    field.as_ref().is_some_and(|f| f.value.value)
}

/// A flag whose absence means true, and that was written `false`.
fn off(field: &Option<Field<Flag>>) -> bool {
    field.as_ref().is_some_and(|f| !f.value.value)
}

fn int(field: &Option<Field<Int>>) -> Option<i64> {
    field.as_ref().map(|f| f.value.value)
}

fn texts(field: &Option<Field<List<Text>>>) -> Vec<SmolStr> {
    field
        .iter()
        .flat_map(|f| f.value.items.iter())
        .map(|t| t.text.clone())
        .collect()
}
