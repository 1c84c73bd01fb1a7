//! What the fold makes of one room: a pure function of the room and of the names of its layer (`imports` 6.2, 6.3).

use std::sync::Arc as Shared;

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexMap;
use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

use super::rename::Names;
use crate::db::Db;
use crate::surface::{
    Any, Arc, Effect, ExitMapping, Field, Int, Intent, List, Made, Map, Operation, Room, Text, Workbench,
};

/// What one layer knows about the child that is folded.
pub(super) struct Layer<'a> {
    pub db: &'a dyn Db,
    pub alias: &'a Text,
    pub names: Names<'a>,
    /// How the importer maps the child's exits.
    pub exits: Option<&'a Map<ExitMapping>>,
    /// The child's folder, absolute.
    pub dir: &'a Utf8Path,
    /// The importer's folder.
    pub importer_dir: Utf8PathBuf,
    /// Prompt file of the child, in both spellings -> replacement.
    pub prompts: FxHashMap<String, Prompt<'a>>,
    /// The importer's own world keys: what the child shares without declaring it.
    pub importer_world: FxHashSet<&'a str>,
}

/// One entry of `overrides.prompts`.
#[derive(Clone)]
pub(super) struct Prompt<'a> {
    /// The key as written.
    pub key: &'a Text,
    /// Absolute path and place of the replacement.
    pub path: Text,
}

/// Folds the rooms of one child and gathers what is found on the way.
pub(super) struct RoomFold<'a, 'l> {
    pub layer: &'l Layer<'a>,
    pub out: Vec<Diagnostic>,
    /// Exits that the child fires, with the places of the targets that are no mapped arcs.
    pub unmapped: IndexMap<SmolStr, Vec<Span>>,
    /// Exits that the child fires.
    pub fired: FxHashSet<SmolStr>,
    /// Prompt overrides that hit something.
    pub used_prompts: FxHashSet<SmolStr>,
    /// Keys of the importer that the child uses, with the first use.
    pub shared: IndexMap<SmolStr, Span>,
    /// The room stands in `overrides.states`: the importer wrote it.
    pub in_override: bool,
}

impl<'a, 'l> RoomFold<'a, 'l> {
    pub fn new(layer: &'l Layer<'a>) -> Self {
        Self {
            layer,
            out: Vec::new(),
            unmapped: IndexMap::new(),
            fired: FxHashSet::default(),
            used_prompts: FxHashSet::default(),
            shared: IndexMap::new(),
            in_override: false,
        }
    }

    pub(super) fn names(&self) -> &'l Names<'a> {
        &self.layer.names
    }

    /// The room under its new names. `depth` is 0 for the child's top level; it is bounded by the depth of files and layers.
    pub fn room(&mut self, name: &str, room: &Room, depth: usize) -> Shared<Room> {
        let mut out = room.clone();
        self.assets_of_room(&mut out);
        self.fields(name, &mut out);
        self.arrows(&mut out, depth);
        if let Some(states) = &mut out.states {
            for entry in &mut states.value.entries {
                if !entry.null {
                    entry.value = self.room(entry.name.as_str(), &entry.value, depth + 1);
                }
            }
        }
        Shared::new(out)
    }

    fn fields(&mut self, name: &str, room: &mut Room) {
        let names = self.names();
        self.template(&mut room.description);
        self.template(&mut room.initial);
        self.untouched(&room.footer);
        if let Some(view) = &mut room.view {
            self.view(&mut view.value);
        }
        for key in room.relevant_world.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
            self.world_key(key);
        }
        for p in room.prerequisites.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
            for text in [&mut p.title, &mut p.summary, &mut p.help] {
                self.template(text);
            }
            self.guard(&mut p.when);
            self.guard(&mut p.satisfied_when);
            if let Some(action) = &mut p.action {
                self.template(&mut action.value.label);
                self.template(&mut action.value.hint);
                if let Some(intent) = &mut action.value.intent {
                    names.intent(&mut intent.value);
                }
                self.any_map(&mut action.value.slots);
            }
        }
        self.arcs(room);
        if let Some(intent) = &mut room.default_intent {
            names.intent(&mut intent.value);
        }
        if let Some(routing) = &mut room.contextual_routing {
            let routing = &mut routing.value;
            for lane in [
                &mut routing.room_chat,
                &mut routing.plan_accept_intent,
                &mut routing.plan_refine_intent,
            ]
            .into_iter()
            .flatten()
            {
                names.intent(&mut lane.value);
            }
            self.untouched_path(&routing.pending_plan_path);
        }
        self.effects(&mut room.on_enter);
        if let Some(ramp) = &mut room.agent_off_ramp {
            if let Some(agent) = &mut ramp.value.agent {
                names.agent(&mut agent.value);
            }
            self.untouched(&ramp.value.persona);
            self.untouched(&ramp.value.banner);
        }
        if let Some(bench) = &mut room.workbench {
            self.workbench(name, &mut bench.value);
        }
        if let Some(intents) = &mut room.intents {
            for entry in &mut intents.value.entries {
                intent(names, &mut entry.value);
                names.intent(&mut entry.name);
            }
        }
        for intent in room.menu.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
            names.intent(intent);
        }
        if let Some(timeout) = &room.timeout {
            self.untouched(&timeout.after);
        }
    }

    fn arcs(&mut self, room: &mut Room) {
        let names = self.names();
        let Some(on) = &mut room.on else { return };
        let mut renamed: Vec<(SmolStr, SmolStr)> = Vec::new();
        for entry in &mut on.value.entries {
            for arc in &mut Shared::make_mut(&mut entry.value).items {
                self.arc(arc);
            }
            let before = entry.name.text.clone();
            if names.intent(&mut entry.name) {
                renamed.push((before, entry.name.text.clone()));
            }
        }
        // The reference takes them in the order of a hash; a name that is an alias already is taken over.
        for (before, after) in renamed {
            for (_, to) in room.intent_aliases.iter_mut().filter(|(_, to)| *to == before) {
                *to = after.clone();
            }
            match room.intent_aliases.iter_mut().find(|(from, _)| *from == before) {
                Some((_, to)) => *to = after,
                None => room.intent_aliases.push((before, after)),
            }
        }
    }

    fn arc(&mut self, arc: &mut Arc) {
        self.guard(&mut arc.when);
        self.template(&mut arc.guard_hint);
        if let Some(view) = &mut arc.view {
            self.view(&mut view.value);
        }
        if let Some(operation) = &mut arc.operation {
            self.names().operation(&mut operation.value);
        }
        if let Some(exit) = &mut arc.exit {
            exit.prefix = self.names().flat(&exit.prefix);
        }
        self.effects(&mut arc.effects);
    }

    fn effects(&mut self, effects: &mut Option<Field<List<Effect>>>) {
        for effect in effects.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
            self.effect(effect);
        }
    }

    fn effect(&mut self, effect: &mut Effect) {
        self.guard(&mut effect.when);
        for text in [&mut effect.say, &mut effect.id, &mut effect.emit_intent] {
            self.template(text);
        }
        self.any_map(&mut effect.slots);
        if let Some(verb) = &mut effect.invoke {
            self.names().verb(&mut verb.value);
        }
        self.keyed(&mut effect.set);
        for entry in effect
            .increment
            .iter_mut()
            .flat_map(|m: &mut Field<Map<Int>>| m.value.entries.iter_mut())
        {
            self.world_key(&mut entry.name);
        }
        if let Some(commit) = &mut effect.commit_operation {
            self.keyed(&mut commit.value.world);
        }
        if let Some(draft) = &mut effect.persist_draft {
            self.template(&mut draft.value.id);
            self.template(&mut draft.value.title);
            for key in draft.value.world.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
                self.world_key(key);
            }
        }
        for entry in effect.with.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
            let agent = (entry.name.as_str() == "agent")
                .then(|| entry.value.as_text().cloned())
                .flatten();
            match agent {
                Some(mut agent) if self.names().agents.contains(agent.as_str()) => {
                    self.names().agent(&mut agent);
                    entry.value = Any {
                        kind: crate::surface::AnyKind::Text(agent),
                        span: entry.value.span,
                    };
                }
                _ => self.any(&mut entry.value),
            }
        }
        for entry in effect.bind.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
            self.world_key(&mut entry.name);
            self.template_text(&mut entry.value);
        }
        self.effects(&mut effect.on_complete);
        self.effects(&mut effect.effects);
    }

    /// A mapping from world keys to free values.
    fn keyed(&mut self, map: &mut Option<Field<Map<Any>>>) {
        for entry in map.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
            self.world_key(&mut entry.name);
            self.any(&mut entry.value);
        }
    }

    pub(super) fn any_map(&mut self, map: &mut Option<Field<Map<Any>>>) {
        for entry in map.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
            self.any(&mut entry.value);
        }
    }

    /// The block of a workbench that the root expands later: its default names are written out (`imports` 6.7).
    fn workbench(&mut self, room: &str, bench: &mut Workbench) {
        for agent in [&mut bench.agent, &mut bench.off_ramp_agent].into_iter().flatten() {
            self.names().agent(&mut agent.value);
        }
        let head = bench.head;
        let slot = bench
            .capture_slot
            .get_or_insert_with(|| Field::made(Text::new("", head), head));
        if slot.text.is_empty() {
            slot.value = Text::made(format_smolstr!("{room}_request"), Made::Import, head);
        }
        self.names().put_prefix(&mut slot.value);
        for entry in bench.context_args.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
            self.template_text(&mut entry.value);
        }
    }
}

/// The texts of an intent (`imports` 6.5).
pub(super) fn intent(names: &Names<'_>, intent: &mut Intent) {
    names.expr_field(&mut intent.title);
    names.expr_field(&mut intent.description);
    names.expr_list(&mut intent.examples);
    for slot in intent.slots.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
        let slot = &mut slot.value;
        for text in [
            &mut slot.description,
            &mut slot.prompt,
            &mut slot.validator,
            &mut slot.format_hint,
        ] {
            names.expr_field(text);
        }
    }
}

/// The world keys of an operation policy.
pub(super) fn operation(names: &Names<'_>, operation: &mut Operation) {
    if let Some(key) = &mut operation.terminal_artifact {
        names.world_key(&mut key.value);
    }
    let from = operation.phase_summary.iter_mut().flat_map(|p| p.value.from.iter_mut());
    for key in from.flat_map(|l| l.value.items.iter_mut()) {
        names.world_key(key);
    }
}
