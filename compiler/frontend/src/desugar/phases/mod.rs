//! `phases:` become the rooms of their template, one set for each phase (`macros` 2).
//!
//! Runs on every manifest after its own imports were folded, and before it is folded into its importer. A room made from a
//! template keeps the template's places; what stands in a placeholder as a whole leads to the value in the graph.
//!
//! | Module | What it does |
//! |---|---|
//! | `parameters` | values of one phase, and their text |
//! | `substitute` | placeholders in one text |
//! | `copy` | a room of the template for one phase |
//! | `budgets` | cycle budgets |
//! | `losses` | keys that a copy does not take over |

mod budgets;
mod copy;
mod losses;
mod parameters;
mod substitute;

use std::sync::Arc as Shared;

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::db::Db;
use crate::rules::cx::place;
use crate::rules::phases as rules;
use crate::rules::words::did_you_mean;
use crate::story::{Incomplete, Loaded};
use crate::surface::{
    AnyKind, Field, Intent, List, Made, Map, MapEntry, Optional, Origin, PhaseEntry, PhaseTemplate, Phases, Room, Text,
};
use parameters::Parameters;
use substitute::Substitution;

/// The rooms that get cycle budgets and the replacement of `on_enter`.
const EXECUTING: &str = "_executing";
/// The rooms that get the checkpoint intents.
const AWAITING: &str = "_awaiting_reply";
/// Most rooms that the phases of one manifest may make.
const MAX_ROOMS: usize = 20_000;

/// Expands the phases of one manifest.
pub(crate) fn expand(db: &dyn Db, loaded: &mut Loaded) {
    let Some(phases) = loaded.manifest.phases.clone() else {
        return;
    };
    let graph = phases.graph.as_ref().filter(|g| !g.entries.is_empty());
    let Some(graph) = graph else {
        if let Some(template) = phases.template.as_ref().filter(|t| !t.text.is_empty()) {
            loaded.findings.push(rules::phase_template_unused(
                place_of(db, &template.value),
                template.as_str(),
            ));
        }
        return;
    };
    let mut expansion = Expansion {
        db,
        places: names(loaded.manifest.states.as_ref()),
        made: 0,
        world: loaded
            .manifest
            .world
            .iter()
            .flat_map(|w| w.names())
            .map(SmolStr::new)
            .collect(),
        checkpoints: loaded.manifest.checkpoint_intents.clone(),
        findings: Vec::new(),
        incomplete: false,
        loaded,
    };
    let template = expansion.template(&phases);
    if let Some(template) = &template {
        expansion.advise(template);
        for entry in graph.sorted() {
            expansion.phase(template, entry);
        }
    }
    let broken = template.is_none() || expansion.incomplete;
    let found = std::mem::take(&mut expansion.findings);
    if broken {
        loaded.incomplete = Incomplete::all();
    }
    let mut said: FxHashSet<(&'static str, Option<Span>)> = FxHashSet::default();
    loaded.findings.extend(
        found
            .into_iter()
            .filter(|f| said.insert((f.rule, f.primary.as_ref().map(|p| p.span)))),
    );
}

fn place_of(db: &dyn Db, text: &Text) -> Span {
    let len = u32::try_from(text.text.len()).unwrap_or(u32::MAX);
    place(db, text, kitsoki_syntax::TextRange::up_to(len.into()))
}

fn names(states: Option<&Field<Map<Shared<Room>>>>) -> FxHashMap<SmolStr, usize> {
    let entries = states.iter().flat_map(|s| s.entries.iter()).enumerate();
    entries.map(|(at, e)| (e.name.text.clone(), at)).collect()
}

struct Expansion<'a> {
    db: &'a dyn Db,
    loaded: &'a mut Loaded,
    /// Where each top-level room stands.
    places: FxHashMap<SmolStr, usize>,
    made: usize,
    world: FxHashSet<SmolStr>,
    checkpoints: Option<Field<Map<Intent>>>,
    findings: Vec<Diagnostic>,
    /// A phase could not be made.
    incomplete: bool,
}

impl Expansion<'_> {
    fn template(&mut self, phases: &Field<Phases>) -> Option<PhaseTemplate> {
        let Some(templates) = &self.loaded.manifest.phase_templates else {
            self.findings.push(rules::phases_no_templates(phases.key));
            return None;
        };
        let Some(name) = phases.template.as_ref().filter(|t| !t.text.is_empty()) else {
            let at = phases.template.as_ref().map_or(phases.key, |t| t.value.span);
            let names: Vec<&str> = templates.names().collect();
            self.findings.push(rules::phases_template_missing(at, &names));
            return None;
        };
        let Some(entry) = templates.entry(name.as_str()) else {
            let near = crate::rules::words::did_you_mean(name.as_str(), templates.names());
            let near = near
                .and_then(|n| templates.entry(n))
                .map(|e| (e.name.as_str(), e.name.span));
            let at = place_of(self.db, &name.value);
            self.findings
                .push(rules::phases_template_unknown(at, name.as_str(), near));
            return None;
        };
        if entry.null {
            self.findings
                .push(rules::phase_template_null(entry.name.span, entry.name.as_str()));
            return None;
        }
        Some(entry.value.clone())
    }

    /// What the template itself loses, said once for all phases.
    fn advise(&mut self, template: &PhaseTemplate) {
        for entry in template
            .states
            .iter()
            .flat_map(|s| s.entries.iter())
            .filter(|e| !e.null)
        {
            losses::of_room(&entry.value, &mut self.findings);
        }
    }

    fn phase(&mut self, template: &PhaseTemplate, entry: &MapEntry<PhaseEntry>) {
        if entry.null {
            self.findings
                .push(rules::phase_null(entry.name.span, entry.name.as_str()));
            self.incomplete = true;
            return;
        }
        let AnyKind::Map(_) = entry.value.value.kind else {
            // Its shape has been reported.
            self.incomplete = true;
            return;
        };
        let parameters = Parameters::new(template, entry);
        let missing = parameters.missing(template);
        let unknown: Vec<&Text> = self.unknown_parameters(template, &parameters);
        // A parameter that is missing because its name was mistyped is one fault.
        let mut slips: Vec<&str> = Vec::new();
        for parameter in &missing {
            let names = unknown.iter().map(|n| n.as_str()).filter(|n| !slips.contains(n));
            let slip = did_you_mean(parameter.name.as_str(), names)
                .and_then(|near| unknown.iter().find(|n| n.as_str() == near));
            slips.extend(slip.map(|name| name.as_str()));
            let place = slip.map(|name| (place_of(self.db, name), name.as_str()));
            let finding = rules::phase_parameter_missing(entry.name.span, entry.name.as_str(), &parameter.name, place);
            self.findings.push(finding);
        }
        for name in unknown.iter().filter(|n| !slips.contains(&n.as_str())) {
            let at = place_of(self.db, name);
            self.findings
                .push(rules::phase_parameter_unknown(at, name.as_str(), entry.name.as_str()));
        }
        if !missing.is_empty() {
            self.incomplete = true;
            return;
        }
        let on_enter = entry.value.on_enter.as_ref();
        if on_enter.is_none()
            && entry
                .value
                .value
                .get("on_enter")
                .is_some_and(|v| v.kind != AnyKind::Null)
        {
            self.incomplete = true;
            return;
        }
        if let Some(effects) = on_enter {
            losses::of_effects(&effects.value, &mut self.findings);
        }
        let budgets = budgets::read(entry, &mut self.findings);
        for (key, _) in budgets.iter().filter(|(_, n)| n.value > 0) {
            let counter = budgets::counter(entry.name.as_str(), key.as_str());
            if !self.world.contains(&counter) && !self.loaded.incomplete.world {
                self.findings
                    .push(rules::phase_counter_undeclared(place_of(self.db, key), &counter));
            }
        }
        let substitution = Substitution::new(self.db, &parameters);
        for state in template.states.as_ref().map(|s| s.sorted()).unwrap_or_default() {
            self.state(state, entry, &substitution, &budgets);
        }
        self.findings.append(&mut substitution.findings());
    }

    /// The values of a phase for parameters that the template does not declare.
    fn unknown_parameters<'p>(&self, template: &PhaseTemplate, parameters: &Parameters<'p>) -> Vec<&'p Text> {
        let declared = |name: &str| template.parameters.as_ref().is_some_and(|p| p.has(name));
        parameters.written().filter(|n| !declared(n.as_str())).collect()
    }

    /// One room of the template for one phase (`macros` 2.3).
    fn state(
        &mut self,
        state: &MapEntry<Shared<Room>>,
        entry: &MapEntry<PhaseEntry>,
        substitution: &Substitution<'_>,
        budgets: &[budgets::Budget],
    ) {
        let name = match substitution.state_name(&state.name) {
            Ok(name) => name,
            Err(range) => {
                let at = place(self.db, &state.name, range);
                let word = crate::rules::phases::braced(state.name.as_str(), range);
                self.findings
                    .push(rules::phase_name_parameter_unknown(at, word, entry.name.as_str()));
                self.incomplete = true;
                return;
            }
        };
        let executing = name.as_str().ends_with(EXECUTING);
        let awaiting = name.as_str().ends_with(AWAITING);
        if let Some(at) = self.places.get(&name.text).copied() {
            self.existing(at, entry, substitution, if executing { budgets } else { &[] }, awaiting);
            return;
        }
        if self.made >= MAX_ROOMS {
            self.incomplete = true;
            return;
        }
        let mut room = copy::room(substitution, &state.value);
        room.origin = Origin::Macro {
            made: Made::Phases,
            site: entry.name.span,
        };
        if executing && !state.null {
            if !budgets::apply(&mut room, entry, budgets, substitution, &mut self.findings) {
                self.incomplete = true;
                return;
            }
            if let Some(effects) = &entry.value.on_enter {
                let items = effects.items.iter().map(|e| copy::effect(substitution, e)).collect();
                let value = List {
                    items,
                    span: effects.value.span,
                };
                room.on_enter = Some(Field::new(effects.key, value));
            }
        }
        if let (true, false, Some(intents)) = (awaiting, state.null, &self.checkpoints) {
            let into = room
                .intents
                .get_or_insert_with(|| Field::made(Map::made(intents.key), intents.key));
            for intent in &intents.value {
                if !into.has(intent.name.as_str()) {
                    into.value.entries.push(intent.clone());
                }
            }
        }
        self.made += 1;
        let site = entry.name.span;
        let states = self
            .loaded
            .manifest
            .states
            .get_or_insert_with(|| Field::made(Map::made(site), site));
        self.places.insert(name.text.clone(), states.entries.len());
        states.value.entries.push(MapEntry {
            name,
            value: Shared::new(room),
            null: state.null,
            broken: state.broken,
        });
    }

    /// A room of that name exists: it stays, and gets at most the budgets.
    fn existing(
        &mut self,
        at: usize,
        entry: &MapEntry<PhaseEntry>,
        substitution: &Substitution<'_>,
        budgets: &[budgets::Budget],
        awaiting: bool,
    ) {
        let Some(room) = self
            .loaded
            .manifest
            .states
            .as_mut()
            .and_then(|s| s.value.entries.get_mut(at))
        else {
            return;
        };
        if awaiting && room.value.origin.is_written() && room.value.import_alias.is_none() {
            let own = room.value.intents.value();
            let lacks = self
                .checkpoints
                .iter()
                .flat_map(|c| c.names())
                .any(|n| !own.is_some_and(|o| o.has(n)));
            if lacks {
                let place = room.name.span;
                self.findings
                    .push(rules::phase_intents_not_merged(place, room.name.as_str()));
            }
        }
        if budgets.is_empty() || room.null {
            return;
        }
        let mut changed = Room::clone(&room.value);
        if budgets::apply(&mut changed, entry, budgets, substitution, &mut self.findings) {
            room.value = Shared::new(changed);
        } else {
            self.incomplete = true;
        }
    }
}
