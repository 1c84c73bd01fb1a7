//! Which nodes of a printed story nobody wrote: by the path at which they are printed.

use std::collections::BTreeMap;

use camino::Utf8Path;
use kitsoki_syntax::{LineIndex, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value as Json, json};

use super::yaml::segment;
use crate::db::Db;
use crate::surface::{Effect, Field, List, Made, Manifest, Map, Origin, Room, Text};

/// Paths of made nodes, with what made each and because of which place. A path stands for everything below it.
pub(super) struct Origins(BTreeMap<String, (Made, Span)>);

impl Origins {
    /// The made nodes of a story.
    pub fn of(manifest: &Manifest) -> Self {
        let mut this = Self(BTreeMap::new());
        let mut tables = Tables { out: &mut this.0 };
        tables.table("world", manifest.world.as_ref(), |v| v.origin);
        tables.table("intents", manifest.intents.as_ref(), |v| v.origin);
        tables.table("agents", manifest.agents.as_ref(), |v| v.origin);
        tables.table("agent_plugins", manifest.agent_plugins.as_ref(), |v| v.origin);
        tables.table("meta_modes", manifest.meta_modes.as_ref(), |v| v.origin);
        tables.table("operations", manifest.operations.as_ref(), |v| v.origin);
        tables.table("host_interfaces", manifest.host_interfaces.as_ref(), |v| v.origin);
        for (index, host) in manifest.hosts.iter().flat_map(|h| h.value.items.iter()).enumerate() {
            tables.text(&format!("hosts.{index}"), host);
        }
        let mut stack: Vec<(String, &Map<std::sync::Arc<Room>>)> = manifest
            .states
            .iter()
            .map(|s| ("states".to_owned(), &s.value))
            .collect();
        while let Some((place, rooms)) = stack.pop() {
            for entry in &rooms.entries {
                let path = format!("{place}.{}", segment(entry.name.as_str()));
                tables.origin(&path, entry.value.origin);
                tables.text(&path, &entry.name);
                tables.room(&path, &entry.value);
                if let Some(inner) = &entry.value.states {
                    stack.push((format!("{path}.states"), &inner.value));
                }
            }
        }
        this
    }

    /// As the list of the JSON envelope.
    pub fn list(&self, db: &dyn Db, base: &Utf8Path) -> Vec<Json> {
        let mut places = Places {
            db,
            base,
            lines: FxHashMap::default(),
        };
        let entry = |(path, (made, span)): (&String, &(Made, Span))| match places.of(*span) {
            Some((file, line, column)) => {
                json!({"path": path, "made": made.as_str(), "file": file, "line": line, "column": column})
            }
            None => json!({"path": path, "made": made.as_str()}),
        };
        self.0.iter().map(entry).collect()
    }

    /// In words: `workbench at rooms/bench.yaml:12`, by path.
    pub fn notes(&self, db: &dyn Db, base: &Utf8Path) -> BTreeMap<String, String> {
        let mut places = Places {
            db,
            base,
            lines: FxHashMap::default(),
        };
        let note = |(path, (made, span)): (&String, &(Made, Span))| {
            let note = match places.of(*span) {
                Some((file, line, _)) => format!("{} at {file}:{line}", made.as_str()),
                None => made.as_str().to_owned(),
            };
            (path.clone(), note)
        };
        self.0.iter().map(note).collect()
    }

    /// The places in a room that caused something there and may have caused more elsewhere.
    pub fn sites_of_room(&self, room: &str) -> FxHashSet<Span> {
        let names: Vec<String> = room.split('.').map(segment).collect();
        let path = format!("states.{}", names.join(".states."));
        let below = self.0.range(path.clone()..).take_while(|(p, _)| p.starts_with(&path));
        below
            .filter(|(_, (made, _))| matches!(made, Made::Workbench | Made::Capture))
            .map(|(_, (_, s))| *s)
            .collect()
    }

    /// The entries of a table that one of the places caused.
    pub fn entries_made_at(&self, table: &str, sites: &FxHashSet<Span>) -> Vec<String> {
        let prefix = format!("{table}.");
        let made = self.0.iter().filter(|(_, (_, span))| sites.contains(span));
        made.filter_map(|(path, _)| path.strip_prefix(&prefix))
            .map(|name| name.replace("\\.", "."))
            .collect()
    }
}

/// Writes down made nodes.
struct Tables<'o> {
    out: &'o mut BTreeMap<String, (Made, Span)>,
}

impl Tables<'_> {
    fn origin(&mut self, path: &str, origin: Origin) {
        if let Origin::Macro { made, site } = origin {
            self.out.insert(path.to_owned(), (made, site));
        }
    }

    fn text(&mut self, path: &str, text: &Text) {
        if let Some(made) = text.made {
            self.out.insert(path.to_owned(), (made, text.span));
        }
    }

    fn field(&mut self, path: &str, key: &str, field: Option<&Field<Text>>) {
        if let Some(field) = field {
            self.text(&format!("{path}.{key}"), &field.value);
        }
    }

    fn table<T>(&mut self, name: &str, map: Option<&Field<Map<T>>>, origin: impl Fn(&T) -> Origin) {
        for entry in map.into_iter().flat_map(|m| m.value.entries.iter()) {
            let path = format!("{name}.{}", segment(entry.name.as_str()));
            self.text(&path, &entry.name);
            self.origin(&path, origin(&entry.value));
        }
    }

    fn room(&mut self, path: &str, room: &Room) {
        for (key, field) in [
            ("type", &room.ty),
            ("initial", &room.initial),
            ("description", &room.description),
            ("write_mode", &room.write_mode),
            ("default_intent", &room.default_intent),
            ("transcript", &room.transcript),
        ] {
            self.field(path, key, field.as_ref());
        }
        if let Some(ramp) = &room.agent_off_ramp {
            self.origin(&format!("{path}.agent_off_ramp"), ramp.value.origin);
        }
        self.effects(&format!("{path}.on_enter"), room.on_enter.as_ref());
        if let Some(intents) = &room.intents {
            for entry in &intents.value.entries {
                self.text(&format!("{path}.intents.{}", segment(entry.name.as_str())), &entry.name);
            }
        }
        for entry in room.on.iter().flat_map(|on| on.value.entries.iter()) {
            let place = format!("{path}.on.{}", segment(entry.name.as_str()));
            self.text(&place, &entry.name);
            for (index, arc) in entry.value.items.iter().enumerate() {
                let place = format!("{place}.{index}");
                self.origin(&place, arc.origin);
                self.field(&place, "target", arc.target.as_ref());
                self.effects(&format!("{place}.effects"), arc.effects.as_ref());
            }
        }
    }

    fn effects(&mut self, path: &str, list: Option<&Field<List<Effect>>>) {
        for (index, effect) in list.into_iter().flat_map(|l| l.value.items.iter()).enumerate() {
            self.origin(&format!("{path}.{index}"), effect.origin);
        }
    }
}

/// Spans to files and lines.
struct Places<'a> {
    db: &'a dyn Db,
    base: &'a Utf8Path,
    lines: FxHashMap<kitsoki_syntax::FileId, LineIndex>,
}

impl Places<'_> {
    fn of(&mut self, span: Span) -> Option<(String, u32, u32)> {
        let file = self.db.file_by_id(span.file)?;
        let path = file.path(self.db);
        let index = self
            .lines
            .entry(span.file)
            .or_insert_with(|| LineIndex::new(file.contents(self.db).text().map_or("", |t| t)));
        let at = index.line_col(span.range.start());
        Some((
            path.strip_prefix(self.base).unwrap_or(path).to_string(),
            at.line,
            at.col,
        ))
    }
}
