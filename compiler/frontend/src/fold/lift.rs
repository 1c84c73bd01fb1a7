//! The fold of one loaded child: its rooms under the wrapper, its names in the importer's tables (`imports` 5 F1-F12).

use kitsoki_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::advice;
use super::binding::{self, Bound};
use super::child::{Child, Fold, nearest};
use super::part::{self, Flat, Part};
use super::rename::Names;
use super::room;
use super::tables::{Adder, Owner, Taken, section};
use crate::db::SourceFile;
use crate::pipeline;
use crate::rules::imports as rules;
use crate::story::Wrapper;
use crate::surface::{Field, Intent, List, MapEntry, Optional, Root, Text};

impl<'a> Fold<'a, '_> {
    /// Folds a child whose manifest was read and whose overrides are good.
    pub(super) fn fold(
        &mut self,
        child: &Child<'a>,
        bound: &FxHashMap<&str, Bound<'_>>,
        file: SourceFile,
    ) -> Option<()> {
        let Child { alias, story, .. } = *child;
        let entry = self.entry(child)?;
        self.exits(child);
        let part = pipeline::folded(self.db, self.loaded.file, alias.text.clone(), file)?;
        self.told(child, &part);
        if let Some(Owner::Own(state) | Owner::Fold(state)) = self.tables.states.get(alias.as_str()) {
            let state = *state;
            self.say(rules::import_alias_taken(self.at(alias), alias.as_str(), state));
            return None;
        }
        part.in_wrapper.iter().for_each(|f| self.say(f.clone()));
        let names = part::names(child);
        self.tables.states.insert(alias.text.clone(), Owner::Fold(alias.span));
        section(&mut self.loaded.manifest.states, alias.span).push(alias.clone(), part.wrapper.clone());
        self.tables_of(child, &part);
        self.hosts(child);
        self.interfaces(child, &names, bound);
        self.export(child, &names);
        self.lift(child, &names);
        advice::projections(self, child);
        advice::dropped(self, child);
        self.loaded.wrappers.push(Wrapper {
            alias: alias.text.clone(),
            alias_span: alias.span,
            entry: entry.text.clone(),
            entry_span: self.at(&entry),
            manifest: file.path(self.db).clone(),
            dir: story.dir.clone(),
            folded: true,
        });
        Some(())
    }

    /// The child state that is entered: `entry`, else the child's root.
    fn entry(&mut self, child: &Child<'a>) -> Option<Text> {
        let name = part::entry_of(child);
        let root = child.story.manifest.root.as_ref();
        if name.is_none() && !child.story.incomplete.other {
            let inline = root
                .filter(|r| matches!(r.value, Root::Inline(_) | Root::Wrong(_)))
                .map(|r| r.key);
            self.say(rules::import_entry_missing(
                self.at(child.alias),
                child.alias.as_str(),
                inline,
            ));
        }
        name
    }

    /// Every mapped exit must exist in the child.
    fn exits(&mut self, child: &Child<'a>) {
        let declared = child.story.manifest.exits.value();
        for entry in child.import.exits.iter().flat_map(|m| m.entries.iter()) {
            let name = entry.name.as_str();
            if !declared.is_some_and(|d| d.has(name)) && !child.story.incomplete.other {
                let near = nearest(declared, name).map(|t| (t.text.clone(), self.at(t)));
                let names: Vec<&str> = declared.into_iter().flat_map(|d| d.names()).collect();
                self.say(rules::import_exit_undeclared(
                    self.at(&entry.name),
                    name,
                    child.alias,
                    near,
                    &names,
                ));
            }
        }
    }

    /// What the renaming of the rooms found.
    fn told(&mut self, child: &Child<'a>, part: &Part) {
        part.required.iter().for_each(|f| self.say(f.clone()));
        part.in_rooms.iter().for_each(|f| self.say(f.clone()));
        for (exit, places) in &part.unmapped {
            self.unmapped(child, exit, places);
        }
        for (name, at) in &part.shared {
            let own = self
                .loaded
                .manifest
                .world
                .as_ref()
                .and_then(|w| w.entry(name))
                .map(|e| e.name.span);
            self.say(rules::import_shared_key(*at, name, child.alias, own));
        }
        advice::unused(self, child, &part.fired, &part.used_prompts);
    }

    fn unmapped(&mut self, child: &Child<'a>, exit: &str, places: &[Span]) {
        let Some((first, more)) = places.split_first() else {
            return;
        };
        let mapping = child.import.exits.as_ref().and_then(|m| m.entry(exit));
        let declared = child.story.manifest.exits.value();
        // A misspelt mapping has been reported: it is the one that is missing here.
        let misspelt = |name: &str| {
            declared.is_some_and(|d| !d.has(name) && nearest(Some(d), name).is_some_and(|n| n.text == exit))
        };
        if mapping.is_none() && child.import.exits.iter().flat_map(|m| m.names()).any(misspelt) {
            return;
        }
        let finding = match mapping {
            Some(entry) => {
                let to = entry.value.to.as_ref().map_or(entry.name.span, |to| to.value.span);
                rules::import_exit_unmapped::to_nothing(*first, exit, to)
            }
            None => {
                let mapped = child.import.exits.iter().flat_map(|m| m.names());
                let meant = declared.is_none_or(|d| !d.has(exit)).then(|| {
                    let known = declared.into_iter().flat_map(|d| d.names());
                    crate::rules::words::did_you_mean(exit, known.chain(mapped))
                });
                rules::import_exit_unmapped(*first, exit, child.alias, meant.flatten())
            }
        };
        let finding = more.iter().take(4).fold(finding, |f, at| f.label(*at, "and here"));
        self.say(match more.len().saturating_sub(4) {
            0 => finding,
            n => finding.note(format!("and {n} more")),
        });
    }

    /// World, intents, operations, meta modes and agents under their prefixed names.
    fn tables_of(&mut self, child: &Child<'a>, part: &Part) {
        let (alias, m) = (child.alias, &child.story.manifest);
        let mut taken = Vec::new();
        macro_rules! fold_section {
            ($kind:literal, $section:ident, $table:ident, $flat:ident) => {
                if m.$section.is_some() {
                    let mut adder = Adder {
                        kind: $kind,
                        table: &mut self.tables.$table,
                        map: section(&mut self.loaded.manifest.$section, alias.span),
                        alias,
                        taken: &mut taken,
                    };
                    for Flat { name, entry } in &part.$flat {
                        adder.add(name, entry.name.clone(), entry.value.clone(), entry.null);
                    }
                }
            };
        }
        fold_section!("world key", world, world, world);
        fold_section!("intent", intents, intents, intents);
        fold_section!("operation", operations, operations, operations);
        fold_section!("meta mode", meta_modes, modes, modes);
        fold_section!("agent", agents, agents, agents);
        self.collisions(alias, taken);
    }

    /// Every name that the importer has itself is a finding; names of another fold are one.
    fn collisions(&mut self, alias: &Text, taken: Vec<Taken>) {
        let mut folds: Vec<(Span, Vec<Taken>)> = Vec::new();
        for one in taken {
            match one.owner {
                Owner::Own(own) => {
                    let at = self.at(&one.name);
                    self.say(rules::import_collision(at, one.kind, &one.flat, alias, own));
                }
                Owner::Fold(other) => match folds.iter_mut().find(|(at, _)| *at == other) {
                    Some((_, all)) => all.push(one),
                    None => folds.push((other, vec![one])),
                },
            }
        }
        for (other, all) in folds {
            if let Some(first) = all.first() {
                let at = self.at(alias);
                self.say(rules::import_collision::folds(
                    at,
                    first.kind,
                    &first.flat,
                    other,
                    all.len() - 1,
                ));
            }
        }
    }

    /// The list of allowed verbs (`imports` 9.1).
    fn hosts(&mut self, child: &Child<'a>) {
        let mode = child.import.hosts.as_ref().filter(|h| !h.text.is_empty());
        let theirs = child.story.manifest.hosts.iter().flat_map(|h| h.items.iter());
        match mode.map_or("inherit", |m| m.as_str()) {
            "inherit" => {
                for host in theirs {
                    if self.tables.hosts.insert(host.text.clone()) {
                        let site = child.alias.span;
                        let all = self
                            .loaded
                            .manifest
                            .hosts
                            .get_or_insert_with(|| Field::made(List::made(Vec::new(), site), site));
                        all.value.items.push(host.clone());
                    }
                }
            }
            "declared" => {
                let key = mode.map_or(child.alias.span, |m| m.key);
                let mut seen: FxHashSet<&str> = FxHashSet::default();
                for host in theirs {
                    if !self.tables.hosts.contains(host.as_str())
                        && seen.insert(host.as_str())
                        && !self.loaded.incomplete.hosts
                    {
                        self.say(rules::import_host_missing(
                            self.at(host),
                            host.as_str(),
                            child.alias,
                            key,
                        ));
                    }
                }
            }
            other => {
                if let Some(mode) = mode {
                    self.say(rules::import_hosts_mode(mode.value.span, other));
                }
            }
        }
    }

    /// Interfaces under their prefixed names, rebound where the importer says so (`imports` 9.3).
    fn interfaces(&mut self, child: &Child<'a>, names: &Names<'_>, bound: &FxHashMap<&str, Bound<'_>>) {
        let theirs = child.story.manifest.host_interfaces.value();
        let mut taken = Vec::new();
        if let Some(theirs) = theirs {
            let map = section(&mut self.loaded.manifest.host_interfaces, child.alias.span);
            let table = &mut self.tables.interfaces;
            let mut adder = Adder {
                kind: "host interface",
                table,
                map,
                alias: child.alias,
                taken: &mut taken,
            };
            for entry in theirs.sorted() {
                let mut flat = entry.name.clone();
                names.put_prefix(&mut flat);
                let mut interface = entry.value.clone();
                if let Some(binding) = binding::of(bound, entry.name.as_str()) {
                    interface.default = Some(Field::new(binding.key.span, binding.handler.clone()));
                }
                adder.add(&entry.name, flat, interface, entry.null);
            }
        }
        self.collisions(child.alias, taken);
        let mut unknown: Vec<&Bound<'_>> = bound
            .values()
            .filter(|b| !theirs.is_some_and(|t| t.has(b.key.as_str())))
            .collect();
        unknown.sort_by_key(|b| b.key.span.range.start());
        for binding in unknown {
            let name = binding.key.as_str();
            let flat = names.flat(name);
            let lifted = self
                .loaded
                .manifest
                .host_interfaces
                .as_mut()
                .and_then(|m| m.value.entries.iter_mut().find(|e| e.name.text == flat));
            if let Some(entry) = lifted {
                entry.value.default = Some(Field::new(binding.key.span, binding.handler.clone()));
            } else if !child.story.incomplete.hosts {
                let tail = |n: &str| n.rsplit_once("__").map(|(_, t)| t.to_owned());
                let base = theirs
                    .into_iter()
                    .flat_map(|t| t.entries.iter())
                    .find(|e| tail(e.name.as_str()).as_deref() == Some(name));
                let near = base
                    .map(|e| &e.name)
                    .or_else(|| nearest(theirs, name))
                    .map(|t| (t.text.clone(), self.at(t)));
                self.say(rules::import_binding_unknown(
                    self.at(binding.key),
                    name,
                    child.alias,
                    near,
                    base.is_some(),
                ));
            }
        }
    }

    /// Intents of the importer that are mirrored into the child (`imports` 7.2).
    fn export(&mut self, child: &Child<'a>, names: &Names<'_>) {
        let list = child.import.intents.as_ref().and_then(|i| i.export.value());
        for name in list.into_iter().flat_map(|l| l.items.iter()) {
            let intents = self.loaded.manifest.intents.value();
            let Some(entry) = intents.and_then(|i| i.entry(name.as_str())) else {
                if !self.loaded.incomplete.intents {
                    let near = nearest(intents, name.as_str()).map(|t| (t.text.clone(), self.at(t)));
                    self.say(rules::import_export_unknown(self.at(name), name.as_str(), near));
                }
                continue;
            };
            let value = entry.value.clone();
            if let Some(own) = child
                .story
                .manifest
                .intents
                .as_ref()
                .and_then(|i| i.entry(name.as_str()))
            {
                self.say(rules::import_export_overwrites(
                    self.at(name),
                    name.as_str(),
                    child.alias,
                    self.at(&own.name),
                ));
            }
            let mut flat = name.clone();
            names.put_prefix(&mut flat);
            let into = section(&mut self.loaded.manifest.intents, child.alias.span);
            if self.tables.intents.contains_key(&flat.text) {
                if let Some(old) = into.entries.iter_mut().find(|e| e.name.text == flat.text) {
                    old.value = value;
                }
            } else {
                let owner = Owner::Fold(child.alias.span);
                self.tables.intents.insert(flat.text.clone(), owner);
                into.push(flat, value);
            }
        }
    }

    /// Intents of the child under their bare names (`imports` 7.3).
    fn lift(&mut self, child: &Child<'a>, names: &Names<'_>) {
        let list = child.import.intents.as_ref().and_then(|i| i.import.value());
        let offered = child.story.manifest.exports.as_ref().and_then(|e| e.intents.value());
        let intents = child.story.manifest.intents.value();
        for name in list.into_iter().flat_map(|l| l.items.iter()) {
            let at = self.at(name);
            let word = name.as_str();
            let offer = offered.and_then(|o| o.items.iter().find(|t| t.as_str() == word));
            let defined = intents.and_then(|i| i.entry(word));
            if offer.is_none() && !child.story.incomplete.other {
                let own = defined.map(|e| self.at(&e.name));
                let known = offered.into_iter().flat_map(|o| o.items.iter()).map(Text::as_str);
                let near = crate::rules::words::did_you_mean(word, known);
                self.say(rules::import_lift_not_exported(at, word, child.alias, own, near));
                continue;
            }
            let Some(entry) = defined else {
                if !child.story.incomplete.intents {
                    let offer = offer.map(|o| self.at(o));
                    self.say(rules::import_lift_undefined(at, word, offer));
                }
                continue;
            };
            match self.tables.intents.get(word) {
                Some(Owner::Own(first) | Owner::Fold(first)) => {
                    let first = *first;
                    self.say(rules::import_lift_collides(at, word, first));
                }
                None => {
                    let mut intent = intent_of(child, entry).clone();
                    room::intent(names, &mut intent);
                    let owner = Owner::Fold(child.alias.span);
                    self.tables.intents.insert(name.text.clone(), owner);
                    section(&mut self.loaded.manifest.intents, child.alias.span).push(name.clone(), intent);
                }
            }
        }
    }
}

/// An intent of a child, as its importer replaces it.
pub(super) fn intent_of<'c>(child: &'c Child<'_>, entry: &'c MapEntry<Intent>) -> &'c Intent {
    let replaced = child
        .import
        .overrides
        .as_ref()
        .and_then(|o| o.intents.as_ref())
        .and_then(|i| i.get(entry.name.as_str()));
    replaced.unwrap_or(&entry.value)
}
