//! Renaming over files, imports, fixtures and cassettes.

use kitsoki_compiler::pipeline;
use kitsoki_syntax::TextRange;
use smol_str::SmolStr;

use super::symbol_at::{Hit, Reach, Use, declarations, hits, uses};
use super::{At, Place, Snapshot, facts};
use crate::index::resolve::{Symbol, package_names};
use crate::index::schema::{Kind, Role};

/// What can be renamed at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The bytes that spell the name.
    pub range: TextRange,
    /// The name.
    pub name: SmolStr,
}

/// Why nothing is renamed; for the user.
pub type Refused = String;

/// Whether the name at a place can be renamed.
///
/// # Errors
/// When there is no name, or it is not the author's.
pub fn prepare(snapshot: &Snapshot, at: At) -> Result<Prepared, Refused> {
    let hit = target(snapshot, at)?;
    Ok(Prepared {
        range: hit.place.range,
        name: SmolStr::new(hit.symbol.leaf()),
    })
}

fn target(snapshot: &Snapshot, at: At) -> Result<Hit, Refused> {
    let found = hits(snapshot, at);
    let Some(hit) = found.into_iter().next() else {
        return Err("there is no name here".to_owned());
    };
    let symbol = &hit.symbol;
    if symbol.kind == Kind::Host {
        return Err("a host verb is the engine's name".to_owned());
    }
    let package = package_names(&snapshot.db, symbol.manifest);
    if package
        .declarations(symbol.kind, &symbol.name, &symbol.owner)
        .is_empty()
    {
        return Err(match declarations(snapshot, symbol).first() {
            Some(_) => format!("`{}` is made by a macro: rename what it is made from", symbol.leaf()),
            None => format!("`{}` is declared nowhere in the workspace", symbol.leaf()),
        });
    }
    if let Some(why) = fixed(snapshot, symbol) {
        return Err(why);
    }
    if usize::from(hit.place.range.len()) != symbol.leaf().len() {
        return Err("the name is written with escapes here: write it plainly first".to_owned());
    }
    Ok(hit)
}

/// Why a name cannot have another spelling: a macro looks for it.
fn fixed(snapshot: &Snapshot, symbol: &Symbol) -> Option<Refused> {
    let manifest = facts::manifest(snapshot, symbol.manifest);
    let name = symbol.name.as_str();
    let phases = manifest.phases.as_ref().and_then(|p| p.value.graph.as_ref());
    let phases: Vec<&str> = phases.into_iter().flat_map(|g| g.value.names()).collect();
    if symbol.kind == Kind::Phase {
        return Some("the id of a phase is part of the names of its rooms and keys: it is not renamed".to_owned());
    }
    let of_phase = |p: &&str| name.strip_prefix(*p).is_some_and(|rest| rest.starts_with('_'));
    if matches!(symbol.kind, Kind::World | Kind::State | Kind::Intent)
        && let Some(phase) = phases.iter().find(|p| of_phase(p))
    {
        return Some(format!(
            "the name begins with the phase `{phase}`: its template may make it"
        ));
    }
    if symbol.kind == Kind::Intent {
        let entries = manifest.phases.as_ref().and_then(|p| p.value.graph.as_ref());
        let entries = entries.into_iter().flat_map(|g| g.value.entries.iter());
        let counted = |b: &kitsoki_compiler::surface::Any| b.get(name).is_some();
        if entries.filter_map(|e| e.value.value.get("cycle_budgets")).any(counted) {
            return Some("phases count the turns of this intent in world keys that hold its name".to_owned());
        }
    }
    if symbol.kind != Kind::World {
        return None;
    }
    if kitsoki_compiler::RESERVED_WORLD_KEYS.contains(&name) || kitsoki_compiler::ENGINE_WORLD_KEYS.contains(&name) {
        return Some(format!("the engine writes `{name}`: the name is fixed"));
    }
    if name == "workdir" && facts::each_room(manifest).any(|r| r.workbench.is_some()) {
        return Some("every `workbench` works in the folder that `workdir` names: the name is fixed".to_owned());
    }
    if name.starts_with("cycle__") && manifest.phases.is_some() {
        return Some("the name counts the turns of a phase: it follows from the phase and the intent".to_owned());
    }
    None
}

/// The edits that give the name at a place another spelling.
///
/// # Errors
/// When the name cannot be renamed, or the new one is taken or no name.
pub fn rename(snapshot: &Snapshot, at: At, new: &str) -> Result<Vec<(Place, String)>, Refused> {
    let hit = target(snapshot, at)?;
    let symbol = hit.symbol;
    check_name(snapshot, &symbol, new)?;
    let mut edits: Vec<(Place, String)> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for (symbol, new) in with_made_names(snapshot, &symbol, new) {
        for used in uses(snapshot, &symbol, Reach::Everywhere) {
            let Use { place, exact, .. } = used;
            if !exact {
                return Err(format!(
                    "`{}` is written with escapes in {}: write it plainly first",
                    symbol.leaf(),
                    super::hover::short_path(snapshot, place.file)
                ));
            }
            if seen.insert(place) {
                edits.push((place, new.clone()));
            }
        }
    }
    Ok(edits)
}

fn check_name(snapshot: &Snapshot, symbol: &Symbol, new: &str) -> Result<(), Refused> {
    let first = new.chars().next();
    let plain = match symbol.kind {
        // What an expression names must be an identifier; an alias is in small letters.
        Kind::World | Kind::Slot | Kind::Intent | Kind::Parameter => {
            first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
                && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        }
        Kind::Import => {
            first.is_some_and(|c| c.is_ascii_lowercase())
                && new
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        }
        _ => {
            first.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
                && new.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        }
    };
    let word = matches!(new, "true" | "false" | "null" | "nil" | "yes" | "no");
    let number = new.parse::<f64>().is_ok();
    if !plain || word || number {
        return Err(format!("`{new}` is no name for {}", symbol.kind.word()));
    }
    let path = match symbol.name.rsplit_once('.') {
        Some((around, _)) if symbol.kind == Kind::State => format!("{around}.{new}"),
        _ => new.to_owned(),
    };
    let package = package_names(&snapshot.db, symbol.manifest);
    let mut kinds = vec![symbol.kind];
    // An alias is a room of its importer, too.
    match symbol.kind {
        Kind::Import => kinds.push(Kind::State),
        Kind::State => kinds.push(Kind::Import),
        _ => {}
    }
    let phases = facts::manifest(snapshot, symbol.manifest).phases.is_some();
    if symbol.kind == Kind::State && phases && symbol.leaf().starts_with("ended_") != new.starts_with("ended_") {
        return Err("phases know a room that ends them by `ended_` at the beginning of its name".to_owned());
    }
    let taken = kinds
        .into_iter()
        .any(|kind| !package.declarations(kind, &path, &symbol.owner).is_empty());
    let reserved = symbol.kind == Kind::World
        && (kitsoki_compiler::RESERVED_WORLD_KEYS.contains(&new) || kitsoki_compiler::ENGINE_WORLD_KEYS.contains(&new));
    if taken || reserved {
        return Err(format!("`{new}` is taken"));
    }
    Ok(())
}

/// The symbol with those that macros name after it: a room with a workbench makes `<room>_request` and more.
fn with_made_names(snapshot: &Snapshot, symbol: &Symbol, new: &str) -> Vec<(Symbol, String)> {
    let mut out = vec![(symbol.clone(), new.to_owned())];
    let manifest = facts::manifest(snapshot, symbol.manifest);
    if symbol.kind != Kind::State {
        return out;
    }
    let room = facts::room(manifest, &symbol.name);
    if !room.is_some_and(|r| r.workbench.is_some() || r.agent_off_ramp.is_some()) {
        return out;
    }
    let story = pipeline::story(&snapshot.db, symbol.manifest);
    let old = symbol.leaf();
    let package = package_names(&snapshot.db, symbol.manifest);
    let world = story
        .manifest
        .world
        .iter()
        .flat_map(|w| w.value.names())
        .map(|n| (Kind::World, n));
    let intents = story
        .manifest
        .intents
        .iter()
        .flat_map(|w| w.value.names())
        .map(|n| (Kind::Intent, n));
    for (kind, name) in world.chain(intents) {
        let Some(tail) = name.strip_prefix(old).filter(|t| t.starts_with('_')) else {
            continue;
        };
        if package.declarations(kind, name, "").is_empty() {
            let made = Symbol {
                manifest: symbol.manifest,
                kind,
                name: SmolStr::new(name),
                owner: SmolStr::default(),
            };
            out.push((made, format!("{new}{tail}")));
        }
    }
    out
}

/// The uses of the name at a place in its own file, with what is done there.
#[must_use]
pub fn highlights(snapshot: &Snapshot, at: At) -> Vec<(TextRange, Role)> {
    let mut out: Vec<(TextRange, Role)> = Vec::new();
    for hit in hits(snapshot, at) {
        for used in uses(snapshot, &hit.symbol, Reach::File(at.file)) {
            if !out.iter().any(|(range, _)| *range == used.place.range) {
                out.push((used.place.range, used.role));
            }
        }
    }
    out.sort_by_key(|(range, _)| range.start());
    out
}
