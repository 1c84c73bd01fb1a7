//! Where a name comes from: its declaration, the type of its values, what answers an interface, the file that a path names.

use kitsoki_compiler::db::{Contents, Db, SourceFile, normalize};
use kitsoki_compiler::pipeline;
use kitsoki_syntax::{TextRange, TextSize};

use super::cursor::{self, Spot};
use super::symbol_at::{declarations, hits};
use super::{At, Place, Snapshot};
use crate::index::resolve::{Symbol, package_names};
use crate::index::schema::{Files, Kind, Sem};

/// A place to go to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// What to select there.
    pub place: Place,
    /// All of what is there.
    pub full: TextRange,
    /// The bytes that lead there.
    pub origin: TextRange,
}

/// The declarations of the name at a place, or the file that a path names.
#[must_use]
pub fn definition(snapshot: &Snapshot, at: At) -> Vec<Target> {
    let mut out: Vec<Target> = Vec::new();
    for hit in hits(snapshot, at) {
        let found = match hit.symbol.kind {
            Kind::Import => import(snapshot, &hit.symbol),
            _ => Vec::new(),
        };
        let found = if found.is_empty() {
            declarations(snapshot, &hit.symbol)
        } else {
            found
        };
        for (place, full) in found {
            let target = Target {
                place,
                full,
                origin: hit.place.range,
            };
            if !out.contains(&target) {
                out.push(target);
            }
        }
    }
    if out.is_empty() {
        out.extend(file(snapshot, at));
    }
    out
}

/// An import leads to the manifest of its story; on the declaration itself the alias is where one is already.
fn import(snapshot: &Snapshot, symbol: &Symbol) -> Vec<(Place, TextRange)> {
    let db = &snapshot.db;
    let package = package_names(db, symbol.manifest);
    let child = package.imports.iter().find(|(alias, _)| *alias == symbol.name);
    let top = TextRange::empty(TextSize::new(0));
    child
        .map(|(_, file)| {
            (
                Place {
                    file: *file,
                    range: top,
                },
                top,
            )
        })
        .into_iter()
        .collect()
}

/// The file that the text at a place names.
fn file(snapshot: &Snapshot, at: At) -> Option<Target> {
    let Spot::Value {
        sem: Sem::Path(files),
        text,
        range,
        ..
    } = cursor::spot(snapshot, at)?
    else {
        return None;
    };
    let target = path_target(snapshot, at.file, files, &text)?;
    let top = TextRange::empty(TextSize::new(0));
    Some(Target {
        place: Place {
            file: target,
            range: top,
        },
        full: top,
        origin: range,
    })
}

/// The file that a path in `file` names, when it exists.
#[must_use]
pub fn path_target(snapshot: &Snapshot, file: SourceFile, files: Files, text: &str) -> Option<SourceFile> {
    let db = &snapshot.db;
    if text.is_empty() || text.contains(['{', '*', '\n']) {
        return None;
    }
    let exists = |path: &camino::Utf8Path| {
        let file = db.file(&normalize(path));
        matches!(file.contents(db), Contents::Text(_) | Contents::NotText(_)).then_some(file)
    };
    let dir = file.dir(db);
    if files == Files::Story {
        for manifest in super::symbol_at::packages(snapshot, file) {
            let package = pipeline::package(db, manifest);
            let imports = package.manifest.imports.as_ref();
            for entry in imports.into_iter().flat_map(|i| i.value.entries.iter()) {
                if entry.value.source.as_ref().is_some_and(|s| s.text == text) {
                    let names = package_names(db, manifest);
                    let child = names.imports.iter().find(|(a, _)| *a == entry.name.text);
                    return child.map(|(_, f)| *f);
                }
            }
        }
        return None;
    }
    let text = text.strip_prefix("@story/").unwrap_or(text);
    if let Some(found) = exists(&dir.join(text)) {
        return Some(found);
    }
    // Paths of an included file count from the story's folder; prompts also from the roots that the story names.
    for manifest in super::symbol_at::packages(snapshot, file) {
        let base = manifest.dir(db);
        if let Some(found) = exists(&base.join(text)) {
            return Some(found);
        }
        let prompts = pipeline::package(db, manifest).manifest.prompts.as_ref();
        for root in prompts
            .and_then(|p| p.value.shared.as_ref())
            .into_iter()
            .flat_map(|s| s.value.items.iter())
        {
            let rest = text.strip_prefix("@shared/").unwrap_or(text);
            if let Some(found) = exists(&base.join(root.as_str()).join(rest)) {
                return Some(found);
            }
        }
    }
    None
}

/// What the values of the name at a place are: the schema of a world key, of a slot.
#[must_use]
pub fn type_definition(snapshot: &Snapshot, at: At) -> Vec<Target> {
    let mut out = definition(snapshot, at);
    let db = &snapshot.db;
    for hit in hits(snapshot, at) {
        if hit.symbol.kind != Kind::World {
            continue;
        }
        // A key that holds what an agent submits has the schema of that call as its type.
        let package = pipeline::package(db, hit.symbol.manifest);
        if let Some((schema, span)) = super::facts::schema_of(&package.manifest, &hit.symbol.name)
            && let Some(from) = snapshot.place(span)
            && let Some(file) = path_target(snapshot, from.file, Files::Schema, &schema)
        {
            let top = TextRange::empty(TextSize::new(0));
            out.insert(
                0,
                Target {
                    place: Place { file, range: top },
                    full: top,
                    origin: hit.place.range,
                },
            );
        }
    }
    out
}

/// What answers an interface: the bindings of the stories that import it, and its default.
#[must_use]
pub fn implementation(snapshot: &Snapshot, at: At) -> Vec<Target> {
    let db = &snapshot.db;
    let mut out = Vec::new();
    for hit in hits(snapshot, at) {
        if hit.symbol.kind != Kind::Interface {
            continue;
        }
        let mut manifests = vec![hit.symbol.manifest];
        manifests.extend(super::stories::importers(snapshot, &[hit.symbol.manifest]));
        for manifest in manifests {
            let package = pipeline::package(db, manifest);
            let mut spans = Vec::new();
            if manifest == hit.symbol.manifest {
                let own = package.manifest.host_interfaces.as_ref();
                let own = own.and_then(|i| i.value.get(&hit.symbol.name));
                spans.extend(own.and_then(|i| i.default.as_ref()).map(|d| d.value.span));
            }
            let children = &package_names(db, manifest).imports;
            for entry in package.manifest.imports.iter().flat_map(|i| i.value.entries.iter()) {
                let child = children.iter().find(|(a, _)| *a == entry.name.text).map(|(_, c)| *c);
                if child == Some(hit.symbol.manifest) {
                    let bound = entry.value.host_bindings.as_ref();
                    let bound = bound.and_then(|b| b.value.get(&hit.symbol.name));
                    spans.extend(bound.map(|b| b.text().span));
                }
            }
            out.extend(spans.into_iter().filter_map(|span| {
                let place = snapshot.place(span)?;
                Some(Target {
                    place,
                    full: place.range,
                    origin: hit.place.range,
                })
            }));
        }
    }
    out
}
