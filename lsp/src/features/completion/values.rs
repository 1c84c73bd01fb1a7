//! Names, words and files as values.

use kitsoki_compiler::BUILTIN_AGENTS;
use kitsoki_compiler::db::{Db as _, SourceFile, normalize};
use kitsoki_syntax::{TextRange, TextSize};
use smol_str::{SmolStr, format_smolstr};

use super::super::{Snapshot, facts};
use super::{Cx, Item, ItemKind};
use crate::index::hosts;
use crate::index::resolve::{Symbol, package_names};
use crate::index::schema::{Files, Kind, Role, Sem};

/// How many imports deep names are offered.
const DEPTH: usize = 3;

/// The names of a kind that a package can write, with what they mean. Local intents are those of `rooms`.
pub(crate) fn names_of(
    snapshot: &Snapshot,
    package: SourceFile,
    kind: Kind,
    owners: &[SmolStr],
) -> Vec<(SmolStr, Symbol)> {
    let mut out = Vec::new();
    let mut stack: Vec<(SmolStr, SourceFile, usize)> = vec![(SmolStr::default(), package, 0)];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some((prefix, manifest, depth)) = stack.pop() {
        let names = package_names(&snapshot.db, manifest);
        for (name, owner, _) in names.of_kind(kind) {
            if !(owner.is_empty() || (depth == 0 && owners.contains(owner))) || name.contains('{') {
                continue;
            }
            let shown = format_smolstr!("{prefix}{name}");
            if seen.insert(shown.clone()) {
                let symbol = Symbol {
                    manifest,
                    kind,
                    name: name.clone(),
                    owner: owner.clone(),
                };
                out.push((shown, symbol));
            }
        }
        let glue = match kind {
            Kind::State => ".",
            Kind::World | Kind::Intent | Kind::Agent | Kind::Operation | Kind::Interface => "__",
            _ => continue,
        };
        if depth < DEPTH {
            for (alias, child) in &names.imports {
                if kind == Kind::State {
                    let symbol = Symbol {
                        manifest,
                        kind: Kind::Import,
                        name: alias.clone(),
                        owner: SmolStr::default(),
                    };
                    out.push((format_smolstr!("{prefix}{alias}"), symbol));
                }
                stack.push((format_smolstr!("{prefix}{alias}{glue}"), *child, depth + 1));
            }
        }
    }
    out
}

impl Cx<'_> {
    fn push_symbol(&mut self, label: &str, symbol: Symbol, rank: u8) {
        let detail = detail(self.snapshot, &symbol);
        self.out.push(Item {
            label: label.to_owned(),
            insert: label.to_owned(),
            kind: ItemKind::Name(symbol.kind),
            detail,
            doc: None,
            range: self.range,
            symbol: Some(symbol),
            rank,
        });
    }

    /// The names of a kind that can be written here.
    pub(super) fn names(&mut self, kind: Kind) {
        let Some(package) = self.package else { return };
        let owners: Vec<SmolStr> = match kind {
            Kind::Slot => match &self.place.scope.intent {
                Some(intent) => return self.slots(package, &intent.key()),
                None => return,
            },
            Kind::Intent => self.place.scope.rooms.iter().map(|r| r.path.clone()).collect(),
            Kind::Parameter => self.place.scope.template.iter().cloned().collect(),
            Kind::Host => return self.verbs(false),
            _ => Vec::new(),
        };
        for (name, symbol) in names_of(self.snapshot, package, kind, &owners) {
            self.push_symbol(&name, symbol, 2);
        }
        if kind == Kind::Agent {
            for name in BUILTIN_AGENTS {
                self.push(name, ItemKind::Name(Kind::Agent), "built in", None);
            }
        }
    }

    fn slots(&mut self, package: SourceFile, intent: &str) {
        let symbol = crate::index::resolve::symbol(&self.snapshot.db, package, Kind::Intent, intent, "");
        let (manifest, owner) = if intent.contains('/') {
            (package, SmolStr::new(intent))
        } else {
            (symbol.manifest, symbol.name)
        };
        let names = package_names(&self.snapshot.db, manifest);
        let found: Vec<SmolStr> = names
            .of_kind(Kind::Slot)
            .filter(|(_, of, _)| **of == owner)
            .map(|(name, _, _)| name.clone())
            .collect();
        for name in found {
            let slot = Symbol {
                manifest,
                kind: Kind::Slot,
                name: name.clone(),
                owner: owner.clone(),
            };
            self.push_symbol(&name, slot, 1);
        }
    }

    /// The names of the story that is imported by the declaration around.
    pub(super) fn imported(&mut self, kind: Kind) {
        let (Some(package), Some(alias)) = (self.package, self.place.scope.alias.clone()) else {
            return;
        };
        let names = package_names(&self.snapshot.db, package);
        let Some((_, child)) = names.imports.iter().find(|(a, _)| *a == alias) else {
            return;
        };
        for (name, symbol) in names_of(self.snapshot, *child, kind, &[]) {
            if symbol.manifest == *child {
                self.push_symbol(&name, symbol, 2);
            }
        }
    }

    /// The arguments of the verb around.
    pub(super) fn arguments(&mut self) {
        let Some(verb) = self.place.scope.verb.clone() else {
            return;
        };
        if let Some(known) = hosts::find(&verb) {
            for (name, required) in known.arguments() {
                let detail = if required { "required" } else { "optional" };
                self.push(name, ItemKind::Member, detail, None);
                if let Some(last) = self.out.last_mut() {
                    last.rank = if required { 1 } else { 4 };
                }
            }
            return;
        }
        let Some((interface, operation)) = verb.strip_prefix("iface.").and_then(|r| r.split_once('.')) else {
            return;
        };
        let Some(package) = self.package else { return };
        let symbol = crate::index::resolve::symbol(&self.snapshot.db, package, Kind::Interface, interface, "");
        let manifest = facts::manifest(self.snapshot, symbol.manifest);
        let declared = manifest
            .host_interfaces
            .as_ref()
            .and_then(|i| i.value.get(&symbol.name));
        let operation = declared
            .and_then(|d| d.operations.as_ref())
            .and_then(|o| o.value.get(operation));
        let fields: Vec<(String, String)> = operation
            .and_then(|o| o.input.as_ref())
            .into_iter()
            .flat_map(|i| i.value.entries.iter())
            .map(|e| (e.name.text.to_string(), e.value.as_str().unwrap_or_default().to_owned()))
            .collect();
        for (name, ty) in fields {
            self.push(name, ItemKind::Member, &ty, None);
        }
    }

    /// Host verbs: those that the story allows first. With `interfaces` also operations of interfaces.
    pub(super) fn verbs(&mut self, interfaces: bool) {
        let mut allowed: Vec<String> = Vec::new();
        if let Some(package) = self.package {
            let manifest = facts::manifest(self.snapshot, package);
            allowed.extend(
                manifest
                    .hosts
                    .iter()
                    .flat_map(|h| h.value.items.iter())
                    .map(|h| h.text.to_string()),
            );
            if interfaces {
                for (name, symbol) in names_of(self.snapshot, package, Kind::Interface, &[]) {
                    let own = facts::manifest(self.snapshot, symbol.manifest);
                    let own = own.host_interfaces.as_ref().and_then(|i| i.value.get(&symbol.name));
                    let operations: Vec<String> = own
                        .and_then(|i| i.operations.as_ref())
                        .into_iter()
                        .flat_map(|o| o.value.names())
                        .map(|op| format!("iface.{name}.{op}"))
                        .collect();
                    for operation in operations {
                        self.push_symbol(&operation, symbol.clone(), 1);
                    }
                }
            }
        }
        for name in &allowed {
            let known = hosts::find(name);
            self.push(
                name,
                ItemKind::Name(Kind::Host),
                known.map_or("", |k| k.effect),
                known.map(|k| k.doc),
            );
            if let Some(last) = self.out.last_mut() {
                last.rank = 2;
            }
        }
        for verb in hosts::VERBS {
            if !allowed.iter().any(|a| a == verb.name) {
                self.push(verb.name, ItemKind::Name(Kind::Host), verb.effect, Some(verb.doc));
            }
        }
    }

    /// Values that are whole texts: the range is the text so far.
    pub(super) fn word_values(&mut self, sem: Sem, typed: &str, _quote: Option<char>, start: TextSize) {
        let whole = TextRange::new(start, self.range.end().max(start));
        let word = std::mem::replace(&mut self.range, whole);
        match sem {
            Sem::Words(words) => {
                for word in words {
                    self.push(*word, ItemKind::Word, "", None);
                }
            }
            // A new name is not one of those that are there.
            Sem::Name(_, Role::Definition) => {}
            Sem::Name(kind, _) => self.names(kind),
            Sem::Target => self.targets(),
            Sem::ExitTarget => {
                self.names(Kind::State);
                self.exits();
            }
            Sem::Child => self.children(),
            Sem::EmitIntent => self.names(Kind::Intent),
            Sem::Verb => self.verbs(true),
            Sem::ImportedState => self.imported(Kind::State),
            Sem::ImportedIntent => self.imported(Kind::Intent),
            Sem::WorldPath => self.names(Kind::World),
            Sem::Path(files) => {
                self.range = word;
                self.files(files, typed, start);
            }
            Sem::Duration => {
                for word in ["30s", "5m", "1h", "1d"] {
                    self.push(word, ItemKind::Word, "a duration", None);
                }
            }
            Sem::Free | Sem::Synonym | Sem::Expr | Sem::Value | Sem::View | Sem::Bind => {}
        }
    }

    /// Rooms by path, siblings by `../`, exits.
    fn targets(&mut self) {
        self.names(Kind::State);
        let room = self.place.scope.room().to_owned();
        if let (Some(package), Some((around, own))) = (self.package, room.rsplit_once('.')) {
            let siblings: Vec<(String, Symbol)> = names_of(self.snapshot, package, Kind::State, &[])
                .into_iter()
                .filter_map(|(name, symbol)| {
                    let leaf = name.strip_prefix(around)?.strip_prefix('.')?;
                    (!leaf.contains('.') && leaf != own).then(|| (format!("../{leaf}"), symbol))
                })
                .collect();
            for (label, symbol) in siblings {
                self.push_symbol(&label, symbol, 1);
            }
        }
        self.push(".", ItemKind::Word, "stay here", None);
        self.exits();
    }

    fn exits(&mut self) {
        let Some(package) = self.package else { return };
        for (name, symbol) in names_of(self.snapshot, package, Kind::Exit, &[]) {
            self.push_symbol(&format!("@exit:{name}"), symbol, 3);
        }
    }

    fn children(&mut self) {
        let Some(package) = self.package else { return };
        let around = format!("{}.", self.place.scope.room());
        for (name, symbol) in names_of(self.snapshot, package, Kind::State, &[]) {
            if let Some(leaf) = name.strip_prefix(&around).filter(|l| !l.contains('.')) {
                self.push_symbol(leaf, symbol, 1);
            }
        }
    }

    /// Files below the folder that the path counts from.
    fn files(&mut self, files: Files, typed: &str, start: TextSize) {
        if files == Files::Story {
            self.push("@kitsoki/", ItemKind::Folder, "a story of the library", None);
        }
        let (folder, _) = typed
            .rsplit_once('/')
            .map_or(("", typed), |(folder, rest)| (folder, rest));
        let head = if folder.is_empty() { 0 } else { folder.len() + 1 };
        let from = start + TextSize::new(u32::try_from(head).unwrap_or(0));
        self.range = TextRange::new(
            from.min(self.range.end()),
            self.range.end().max(from.min(self.range.end())),
        );
        let db = &self.snapshot.db;
        let mut bases = vec![self.file.dir(db).to_owned()];
        if let Some(package) = self.package.filter(|p| p.dir(db) != self.file.dir(db)) {
            bases.push(package.dir(db).to_owned());
        }
        let wanted: &[&str] = match files {
            Files::Prompt => &["md", "txt", "tmpl", "pongo"],
            Files::Schema => &["json"],
            Files::Script => &["star"],
            Files::Include | Files::Story | Files::Cassette => &["yaml", "yml"],
            Files::Any => &[],
        };
        for base in bases {
            let dir = normalize(&base.join(folder));
            for entry in db.listing(&dir).entries(db) {
                if entry.name.starts_with('.') {
                    continue;
                }
                if entry.is_dir {
                    self.push(format!("{}/", entry.name), ItemKind::Folder, "", None);
                } else if wanted.is_empty()
                    || entry
                        .name
                        .rsplit_once('.')
                        .is_some_and(|(_, ext)| wanted.contains(&ext))
                {
                    self.push(entry.name.clone(), ItemKind::File, "", None);
                }
            }
        }
    }
}

/// A short word about a symbol.
fn detail(snapshot: &Snapshot, symbol: &Symbol) -> String {
    let manifest = facts::manifest(snapshot, symbol.manifest);
    let name = symbol.name.as_str();
    match symbol.kind {
        Kind::World => {
            let var = manifest.world.as_ref().and_then(|w| w.value.get(name));
            var.map(|v| v.type_word().to_owned()).unwrap_or_default()
        }
        Kind::Slot => {
            let slot = facts::slot(manifest, name, &symbol.owner);
            slot.and_then(|s| s.ty.as_ref())
                .map(|t| t.as_str().to_owned())
                .unwrap_or_default()
        }
        Kind::Agent => {
            let agent = manifest.agents.as_ref().and_then(|a| a.value.get(name));
            let effect = agent.and_then(|a| a.effect.as_ref());
            effect.map(|e| e.as_str().to_owned()).unwrap_or_default()
        }
        _ => symbol.kind.noun().to_owned(),
    }
}
