//! A situation worked out from a compiled story alone: what is allowed, the menu, and what would come of an intent
//! (`machine` 3, 5, 6, 7, 17). Read-only; it never runs an effect.

use std::fmt;

use kitsoki_expr::{Env, Map, Mode, Program, Value, compile_expr, parse_p};
use kitsoki_ir::{ArcId, Guard, Handler, Intent, Names, StateId, StateKind, Story, Text};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::rows;
use crate::situation::{MenuRow, Refusal, Situation};

/// The deepest descent into initial children.
const MAX_DESCENT: usize = 64;

/// A story, ready to stand in.
pub struct Ground {
    story: Story,
    names: Names,
    guards: FxHashMap<ArcId, Option<Program>>,
}

/// A path that leads nowhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchState(pub SmolStr);

impl fmt::Display for NoSuchState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no room is called `{}`", self.0)
    }
}

impl std::error::Error for NoSuchState {}

impl Ground {
    /// Takes a story. Its guards are compiled here, once.
    #[must_use]
    pub fn new(story: Story) -> Self {
        let guard = |guard: &Guard| match guard {
            Guard::When(id) => Some(compile_expr(&story.exprs.get(*id)?.text, Mode::Guard).ok()),
            _ => None,
        };
        let guards = story
            .arcs
            .pairs()
            .filter_map(|(id, arc)| Some((id, guard(&arc.guard)?)));
        Self {
            guards: guards.collect(),
            names: Names::new(&story),
            story,
        }
    }

    /// The story.
    #[must_use]
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// The world at the beginning of a session.
    #[must_use]
    pub fn initial_world(&self) -> Map {
        let mut world = Map::new();
        for key in self.story.world.iter().filter(|k| !k.undeclared) {
            match literal(&key.default) {
                Value::Nil => {}
                value => {
                    world.insert(key.name.clone(), value);
                }
            }
        }
        let seeds = [
            ("session_cost_usd", Value::Float(0.0)),
            ("turn_cost_usd", Value::Float(0.0)),
            ("last_error", Value::text("")),
            ("write_mode_scope", Value::text("")),
        ];
        for (key, value) in seeds {
            if !world.contains_key(key) {
                world.insert(key, value);
            }
        }
        world
    }

    /// Stands in a state. A parallel one is written with its regions: `p#p.one.x|p.two.u`.
    ///
    /// # Errors
    /// When there is no such state.
    pub fn stand(&self, path: &str, world: Map) -> Result<Place<'_>, NoSuchState> {
        let missing = || NoSuchState(path.into());
        let (root, leaves) = match path.split_once('#') {
            None => (path, None),
            Some((root, leaves)) => (root, Some(leaves)),
        };
        let state = self.names.state(root).ok_or_else(missing)?;
        let leaves = match leaves {
            None => vec![state],
            Some(leaves) => {
                let ids: Option<Vec<StateId>> = leaves.split('|').map(|leaf| self.names.state(leaf)).collect();
                ids.ok_or_else(missing)?
            }
        };
        Ok(Place::new(self, path.into(), state, leaves, world))
    }

    /// Stands where a session begins.
    ///
    /// # Errors
    /// When the story does not say where that is.
    pub fn begin(&self, world: Map) -> Result<Place<'_>, NoSuchState> {
        let root = self.story.root.ok_or_else(|| NoSuchState(SmolStr::default()))?;
        let env = Env::new(world.clone(), Map::new());
        let path = self.descend(root, &env);
        self.stand(&path, world)
    }

    /// The path that is rested at when a state is entered.
    fn descend(&self, state: StateId, env: &Env) -> String {
        let mut state = state;
        for _ in 0..MAX_DESCENT {
            let Some(room) = self.story.states.get(state) else {
                break;
            };
            match room.kind {
                StateKind::Atomic => break,
                StateKind::Parallel => {
                    let regions = self.story.regions(state);
                    let mut leaves: Vec<String> = regions.into_iter().map(|r| self.descend(r, env)).collect();
                    leaves.sort();
                    return format!("{}#{}", room.path, leaves.join("|"));
                }
                StateKind::Compound => {
                    let name = self.text(&room.initial, env);
                    match self.story.child(state, name.trim()) {
                        Some(child) => state = child,
                        None => break,
                    }
                }
            }
        }
        self.story.path(state).to_owned()
    }

    fn text(&self, text: &Text, env: &Env) -> String {
        match text {
            Text::Literal(text) => text.to_string(),
            Text::Template(id) => {
                let source = self.story.templates.get(*id).map_or("", |t| t.text.as_str());
                parse_p(source).0.render(env, None).unwrap_or_default()
            }
        }
    }
}

/// Where a session stands, and what that allows.
pub struct Place<'a> {
    ground: &'a Ground,
    path: SmolStr,
    state: StateId,
    /// The leaf, or the leaves of all regions.
    leaves: Vec<StateId>,
    parallel: bool,
    world: Map,
    /// Every name that a call may use.
    callable: FxHashSet<SmolStr>,
    allowed: Vec<SmolStr>,
    menu: Vec<MenuRow>,
}

/// What trying the arms of an intent says.
pub(crate) enum Tried {
    /// An arm without a guard, or with a true one.
    Open,
    /// A `default` arm; whether a guard before it failed, and somebody gave a hint.
    Default {
        /// The hint says that the arm is a rejection.
        blocked: bool,
    },
    /// A guard cannot be evaluated, or no room binds the intent.
    Unresolved,
    /// No arm is left.
    Blocked,
}

impl<'a> Place<'a> {
    fn new(ground: &'a Ground, path: SmolStr, state: StateId, leaves: Vec<StateId>, world: Map) -> Self {
        let parallel = path.contains('#');
        let mut place = Self {
            ground,
            path,
            state,
            leaves,
            parallel,
            world,
            callable: FxHashSet::default(),
            allowed: Vec::new(),
            menu: Vec::new(),
        };
        place.callable = place.leaves.iter().flat_map(|leaf| place.bound_from(*leaf)).collect();
        let mut allowed: Vec<(&SmolStr, i64)> = place
            .callable
            .iter()
            .filter_map(|name| Some((name, place.definition(name)?.priority)))
            .collect();
        allowed.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        place.allowed = allowed.into_iter().map(|(name, _)| name.clone()).collect();
        place.menu = rows::rows(&place);
        place
    }

    /// The names that a leaf and the states around it bind, and the spellings of these inside of imports.
    fn bound_from(&self, leaf: StateId) -> FxHashSet<SmolStr> {
        let story = &self.ground.story;
        let handlers = story.chain(leaf).flat_map(|(_, s)| &s.on);
        let mut names: FxHashSet<SmolStr> = handlers.map(|h| h.intent.clone()).filter(|n| n != "*").collect();
        loop {
            let aliases = story.chain(leaf).flat_map(|(_, s)| &s.intent_aliases);
            let more: Vec<SmolStr> = aliases
                .filter(|(written, last)| names.contains(last) && !names.contains(written))
                .map(|(written, _)| written.clone())
                .collect();
            if more.is_empty() {
                return names;
            }
            names.extend(more);
        }
    }

    pub(crate) fn leaf(&self) -> StateId {
        self.leaves.first().copied().unwrap_or(self.state)
    }

    pub(crate) fn is_parallel(&self) -> bool {
        self.parallel
    }

    /// The definition of an intent as the machine sees it: from the inside out, then global; per region in turn.
    pub(crate) fn definition(&self, name: &str) -> Option<&Intent> {
        let Ground { story, names, .. } = self.ground;
        let found = self.leaves.iter().find_map(|leaf| names.intent(story, *leaf, name))?;
        story.intents.get(found)
    }

    fn env(&self, slots: &Map) -> Env {
        Env::new(self.world.clone(), slots.clone())
    }

    /// Whether an arm's guard lets it be taken; `None` when that cannot be said.
    fn opens(&self, arc: ArcId, env: &Env) -> Option<bool> {
        match self.ground.guards.get(&arc) {
            None => Some(true),
            Some(guard) => guard.as_ref()?.eval_guard(env).ok(),
        }
    }

    /// Tries the guards of an intent as the menu does: named bindings only, the innermost one decides.
    pub(crate) fn try_arms(&self, intent: &str, slots: &Map) -> Tried {
        let story = &self.ground.story;
        let binds = |h: &&Handler| h.intent == intent && !h.arcs.is_empty();
        let handler = (!self.parallel)
            .then(|| story.chain(self.leaf()).find_map(|(_, s)| s.on.iter().find(binds)))
            .flatten();
        let Some(handler) = handler else {
            return Tried::Unresolved;
        };
        let env = self.env(slots);
        let (mut failed, mut hinted) = (false, false);
        for id in &handler.arcs {
            let Some(arc) = story.arcs.get(*id) else { continue };
            if arc.guard == Guard::Default {
                return Tried::Default {
                    blocked: failed && (hinted || !arc.guard_hint.is_empty()),
                };
            }
            match self.opens(*id, &env) {
                Some(true) => return Tried::Open,
                None => return Tried::Unresolved,
                Some(false) => {
                    failed = true;
                    hinted |= !arc.guard_hint.is_empty();
                }
            }
        }
        Tried::Blocked
    }

    /// Whether an arm takes the intent: per region, the first level that binds it or a wildcard decides.
    fn select(&self, intent: &str, env: &Env) -> Result<(), Refusal> {
        for leaf in &self.leaves {
            let story = &self.ground.story;
            let bound =
                |name: &str, handlers: &'a [Handler]| handlers.iter().find(|h| h.intent == name && !h.arcs.is_empty());
            let handler = story
                .chain(*leaf)
                .find_map(|(_, s)| bound(intent, &s.on).or_else(|| bound("*", &s.on)));
            for arc in handler.iter().flat_map(|h| &h.arcs) {
                if self.opens(*arc, env).ok_or(Refusal::Error)? {
                    return Ok(());
                }
            }
        }
        Err(Refusal::GuardFailed)
    }

    fn has_wildcard(&self) -> bool {
        let story = &self.ground.story;
        let any = |leaf: &StateId| story.chain(*leaf).any(|(_, s)| s.handler("*").is_some());
        self.leaves.iter().any(any)
    }
}

impl Situation for Place<'_> {
    fn story(&self) -> &Story {
        &self.ground.story
    }

    fn path(&self) -> &str {
        &self.path
    }

    fn state(&self) -> Option<StateId> {
        Some(self.state)
    }

    fn allowed(&self) -> &[SmolStr] {
        &self.allowed
    }

    fn menu(&self) -> &[MenuRow] {
        &self.menu
    }

    fn world(&self, key: &str) -> Option<&Value> {
        self.world.get(key)
    }

    fn dry_run(&self, intent: &str, slots: &Map) -> Result<Map, Refusal> {
        let story = &self.ground.story;
        let intent = if self.parallel {
            intent
        } else {
            story.resolve_alias(self.leaf(), intent)
        };
        if !self.callable.contains(intent) && !self.has_wildcard() {
            return Err(Refusal::IntentNotAllowed);
        }
        let slots = match self.definition(intent) {
            Some(definition) => fill(definition, slots)?,
            None => slots.clone(),
        };
        self.select(intent, &self.env(&slots))?;
        Ok(slots)
    }
}

/// The slots with the defaults of absent optional ones, when required ones are there and values are declared ones.
fn fill(intent: &Intent, given: &Map) -> Result<Map, Refusal> {
    let mut slots = given.clone();
    let mut missing = false;
    for slot in &intent.slots {
        let present = given.get(&slot.name);
        if slot.required && present.is_none_or(Value::is_nil) {
            missing = true;
            continue;
        }
        let default = literal(&slot.default);
        if present.is_none() && !default.is_nil() {
            slots.insert(slot.name.clone(), default);
        }
        let Some(value) = slots.get(&slot.name) else { continue };
        let text = kitsoki_expr::print::stringified(value).unwrap_or_default();
        if !slot.values.is_empty() && !slot.values.iter().any(|v| *v == text) {
            return Err(Refusal::InvalidSlotValue);
        }
    }
    if missing { Err(Refusal::MissingSlots) } else { Ok(slots) }
}

/// A value of a declaration. Templates mean nothing there.
fn literal(value: &kitsoki_ir::Value) -> Value {
    use kitsoki_ir::Value as Ir;
    match value {
        Ir::Null | Ir::Template(_) => Value::Nil,
        Ir::Bool(b) => Value::Bool(*b),
        Ir::Int(n) => Value::Int(*n),
        Ir::Uint(n) => Value::Uint(*n),
        Ir::Float(n) => Value::Float(*n),
        Ir::Text(text) => Value::Str(text.clone()),
        Ir::List(items) => Value::list(items.iter().map(literal).collect()),
        Ir::Map(entries) => Value::Map(entries.iter().map(|(k, v)| (k.clone(), literal(v))).collect()),
    }
}
