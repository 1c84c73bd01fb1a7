//! What is used and declared nowhere is declared: where, and in the shape of the file.

use super::insert::{self, Source};
use super::symbol_at::{declarations, hits};
use super::{At, Place, Snapshot};
use crate::index::form::{Form, form};
use crate::index::resolve::{Symbol, package_names};
use crate::index::schema::Kind;

/// A declaration that can be added.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// What it does, as an imperative.
    pub title: String,
    /// Where it is added, and its text.
    pub edit: (Place, String),
}

/// The declarations that the name at a place lacks.
#[must_use]
pub fn missing(snapshot: &Snapshot, at: At) -> Vec<Declaration> {
    let mut out: Vec<Declaration> = Vec::new();
    for hit in hits(snapshot, at) {
        let symbol = &hit.symbol;
        // A name that leads into another story is not declared from here.
        if !declarations(snapshot, symbol).is_empty() || symbol.manifest != hit.package {
            continue;
        }
        let Some(found) = declare(snapshot, symbol) else {
            continue;
        };
        if !out.contains(&found) {
            out.push(found);
        }
    }
    out
}

fn declare(snapshot: &Snapshot, symbol: &Symbol) -> Option<Declaration> {
    let name = symbol.name.as_str();
    if form(&snapshot.db, symbol.manifest) != Form::Story {
        return None;
    }
    if !symbol.owner.is_empty() || name.contains('.') {
        return inner(snapshot, symbol);
    }
    let (section, block, flow) = match symbol.kind {
        Kind::State => (
            "states",
            format!("{name}:\n  view: \"{name}\"\n"),
            format!("{name}: {{ view: \"{name}\" }}"),
        ),
        Kind::Intent => (
            "intents",
            format!("{name}:\n  title: \"{}\"\n", title(name)),
            format!("{name}: {{ title: \"{}\" }}", title(name)),
        ),
        Kind::World => {
            let known = kitsoki_compiler::RESERVED_WORLD_KEYS.contains(&name)
                || kitsoki_compiler::ENGINE_WORLD_KEYS.contains(&name);
            if known {
                return None;
            }
            let entry = format!("{name}: {{ type: string, default: \"\" }}");
            ("world", format!("{entry}\n"), entry)
        }
        Kind::Agent if !kitsoki_compiler::BUILTIN_AGENTS.contains(&name) => (
            "agents",
            format!("{name}:\n  system_prompt: \"\"\n  effect: read\n"),
            format!("{name}: {{ system_prompt: \"\", effect: read }}"),
        ),
        Kind::Exit => ("exits", format!("{name}: {{}}\n"), format!("{name}: {{}}")),
        Kind::Toolbox => (
            "toolboxes",
            format!("{name}:\n  tools: [Read]\n  effect: read\n"),
            format!("{name}: {{ tools: [Read], effect: read }}"),
        ),
        _ => return None,
    };
    let source = Source::of(snapshot, symbol.manifest);
    let edit = insert::into_section(&source, section, &block, &flow)?;
    Some(Declaration {
        title: format!("declare {} `{name}`", symbol.kind.word()),
        edit,
    })
}

/// What belongs into another declaration: a room inside of one, a slot of an intent.
fn inner(snapshot: &Snapshot, symbol: &Symbol) -> Option<Declaration> {
    let (kind, around, section, leaf, block, flow) = match (symbol.kind, symbol.name.rsplit_once('.')) {
        (Kind::State, Some((around, leaf))) => (
            Kind::State,
            around,
            "states",
            leaf,
            format!("{leaf}:\n  view: \"{leaf}\"\n"),
            format!("{leaf}: {{ view: \"{leaf}\" }}"),
        ),
        // A local intent's slots stand in its room.
        (Kind::Slot, None) if !symbol.owner.contains('/') => {
            let name = symbol.name.as_str();
            let entry = format!("{name}: {{ type: string }}");
            (
                Kind::Intent,
                symbol.owner.as_str(),
                "slots",
                name,
                format!("{entry}\n"),
                entry,
            )
        }
        _ => return None,
    };
    let package = package_names(&snapshot.db, symbol.manifest);
    let declared = package.declarations(kind, around, "").first()?;
    let source = Source::of(snapshot, declared.file);
    let entry = match kind {
        Kind::State => source.room(around)?,
        _ => source.entry(source.section("intents")?.value, around)?,
    };
    Some(Declaration {
        title: format!("declare {} `{leaf}` in `{around}`", symbol.kind.word()),
        edit: insert::into_inner(&source, entry, section, &block, &flow)?,
    })
}

/// Words from a name: `go_home` is "Go home".
fn title(name: &str) -> String {
    let words = name.replace(['_', '-'], " ");
    let mut chars = words.chars();
    chars
        .next()
        .map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}
