//! Effect lists: guards, actions, emitted intents, in order, on a private world (`machine` 11).

use std::sync::Arc;

use kitsoki_expr::{Map, Value};
use kitsoki_ir::{Action, Effect, Emit, Invoke, OriginId, WorldKey, WorldKeyId};
use smol_str::SmolStr;

use super::{HostCall, Machine, env};
use crate::event::{Event, event, kind};
use crate::fault::TurnError;
use crate::gate::is_reserved;
use crate::world::{World, coerced};
use crate::{value, verbs};

/// An intent that an effect emitted, with its slots.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitted {
    /// The name as the effect said it.
    pub name: SmolStr,
    /// Slots; neither validated nor filled up.
    pub slots: Map,
}

/// A run over one or more effect lists, and what it has brought so far.
#[derive(Clone, Debug)]
pub struct EffectRun {
    /// The running world.
    pub world: World,
    /// The slots of the environment.
    pub slots: Map,
    /// What happened.
    pub events: Vec<Event>,
    /// What was queued.
    pub calls: Vec<HostCall>,
    /// What was emitted.
    pub emits: Vec<Emitted>,
    /// What was said.
    pub said: Vec<String>,
    /// A forced run: `once` does not hold calls back.
    pub force: bool,
}

impl EffectRun {
    /// A run that begins with a world.
    #[must_use]
    pub fn new(world: World, slots: Map) -> Self {
        Self {
            world,
            slots,
            events: Vec::new(),
            calls: Vec::new(),
            emits: Vec::new(),
            said: Vec::new(),
            force: false,
        }
    }
}

impl<'p> Machine<'p> {
    /// Runs a list. `declared_in` is the state that the list belongs to.
    ///
    /// # Errors
    /// When an expression or a template fails, or an operation effect has no operation. The run is worthless then.
    pub fn run_effects(self, run: &mut EffectRun, effects: &[Effect], declared_in: &str) -> Result<(), TurnError> {
        for effect in effects {
            self.run_effect(run, effect, declared_in)
                .map_err(|e| match self.place(effect.at) {
                    place if place.is_empty() => e,
                    place => e.at(place),
                })?;
        }
        Ok(())
    }

    /// The author's line of a node, for messages.
    pub(crate) fn place(self, at: OriginId) -> String {
        self.program.story.provenance.describe(at)
    }

    fn run_effect(self, run: &mut EffectRun, effect: &Effect, declared_in: &str) -> Result<(), TurnError> {
        if let Some(when) = effect.when {
            match self.program.guard(when, &env(&run.world, &run.slots)) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                // It may need a value that a call of this chain binds: the pass after the binds tries again.
                Err(_) if effect.emit_intent.is_some() => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        match &effect.action {
            Action::None => {}
            Action::Set(assignments) => {
                let before = env(&run.world, &run.slots);
                let mut resolved = Vec::with_capacity(assignments.len());
                for assign in assignments {
                    resolved.push((assign.key, self.program.value(&assign.value, &before)?));
                }
                for (key, new) in resolved {
                    let Some(declared) = self.writable(key) else { continue };
                    run.world.set(&declared.name, coerced(Some(declared), new.clone()));
                    run.events.push(update(&run.world, "set", &declared.name, new));
                }
            }
            Action::Increment(increments) => {
                for increment in increments {
                    let Some(declared) = self.writable(increment.key) else {
                        continue;
                    };
                    let sum = value::number(run.world.get(&declared.name)).wrapping_add(increment.by);
                    run.world.set(&declared.name, Value::Int(sum));
                    run.events.push(update(
                        &run.world,
                        "increment",
                        &declared.name,
                        Value::Int(increment.by),
                    ));
                }
            }
            Action::Say(text) => {
                let text = self.program.plain_text(text, &env(&run.world, &run.slots))?;
                run.events.push(event!(kind::SAY, "text": text.as_str()));
                run.said.push(text);
            }
            Action::Invoke(invoke) => {
                if self.skips(run, invoke) {
                    let name = self.host_name(invoke);
                    run.events
                        .push(event!(kind::WORLD, "namespace": name, "skipped": "cached"));
                    return Ok(());
                }
                self.queue(run, invoke, declared_in)?;
            }
            Action::Commit { .. } | Action::PersistDraft { .. } | Action::Discard { .. } => {
                self.overlay_effect(run, &effect.action)?;
            }
        }
        if let Some(emit) = &effect.emit_intent
            && let Some(emitted) = self.emitted(emit, &run.world, &run.slots)?
        {
            run.emits.push(emitted);
        }
        Ok(())
    }

    /// A world key that effects may write; the load has warned of the others.
    pub(crate) fn writable(self, key: WorldKeyId) -> Option<&'p WorldKey> {
        let declared = self.program.story.world.get(key)?;
        (!is_reserved(&declared.name)).then_some(declared)
    }

    /// Whether `once` holds a call back: every key that it binds has a value.
    fn skips(self, run: &EffectRun, invoke: &Invoke) -> bool {
        let has_value = |key| {
            let name = self.program.story.world.get(key).map_or("", |k| k.name.as_str());
            run.world.get(name).is_some_and(value::is_set)
        };
        invoke.once && !run.force && !invoke.bind.is_empty() && invoke.bind.iter().all(|b| has_value(b.key))
    }

    pub(crate) fn host_name(self, invoke: &Invoke) -> SmolStr {
        self.program
            .story
            .hosts
            .get(invoke.host)
            .map(|h| h.name.clone())
            .unwrap_or_default()
    }

    fn queue(self, run: &mut EffectRun, invoke: &Invoke, declared_in: &str) -> Result<(), TurnError> {
        let env = env(&run.world, &run.slots);
        let mut args = self.program.pairs(&invoke.with, &env)?;
        if let Some(id) = &invoke.id {
            args.insert("call", Value::text(self.program.raw(id)));
        }
        let namespace = self.host_name(invoke);
        let class = verbs::class(&namespace, &args);
        run.events.push(event!(
            kind::CALLED,
            "namespace": namespace.clone(),
            "args": args.clone(),
            "background": invoke.background,
            "effect": class.effect.as_str(),
            "deterministic": class.deterministic,
        ));
        run.calls.push(HostCall {
            namespace,
            args,
            invoke: Arc::new(invoke.clone()),
            slots: run.slots.clone(),
            snapshot: run.world.vars.clone(),
            declared_in: declared_in.into(),
        });
        Ok(())
    }

    /// The intent of an `emit_intent`; `None` when its name renders to nothing.
    pub(crate) fn emitted(self, emit: &Emit, world: &World, slots: &Map) -> Result<Option<Emitted>, TurnError> {
        let env = env(world, slots);
        let name = self.program.effect_text(&emit.name, &env)?;
        let name = name.trim();
        if name.is_empty() {
            return Ok(None);
        }
        Ok(Some(Emitted {
            name: name.into(),
            slots: self.program.pairs(&emit.slots, &env)?,
        }))
    }
}

/// The event of a world write; inside of an overlay it says so.
pub(crate) fn update(world: &World, how: &str, key: &str, value: Value) -> Event {
    let mut event = event!(kind::WORLD);
    event.payload.insert(how, Value::Map(value::map([(key, value)])));
    if let Some(overlay) = &world.overlay {
        event.payload.insert("operation_id", Value::Str(overlay.id.clone()));
        event.payload.insert("operation_local", Value::Bool(true));
    }
    event
}
