//! Where a session stands, as routing sees it: what is allowed, the menu, and what would come of an intent (`dispatch` 5).

use std::fmt;

use kitsoki_expr::{Map, Value};
use kitsoki_ir::{StateId, Story};
use kitsoki_routing::{MenuRow, Refusal, Situation};
use smol_str::SmolStr;

use crate::fault::Code;
use crate::machine::{Call, Machine, env};
use crate::path;
use crate::program::Program;
use crate::world::World;

/// A path of a story and a world.
pub struct Standing<'p> {
    program: &'p Program,
    at: SmolStr,
    world: World,
    allowed: Vec<SmolStr>,
    menu: Vec<MenuRow>,
}

/// A path that leads nowhere.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no room is called `{0}`")]
pub struct NoSuchState(pub SmolStr);

impl<'p> Standing<'p> {
    /// Stands in a state. A parallel one is written with its regions: `lab#lab.air.calm|lab.bench.tidy`.
    ///
    /// # Errors
    /// When the story does not declare it.
    pub fn at(program: &'p Program, at: &str, world: World) -> Result<Self, NoSuchState> {
        let root = path::structural(at);
        if std::iter::once(root)
            .chain(path::leaves(at))
            .all(|p| program.declares(p))
        {
            Ok(Self::new(program, at.into(), world))
        } else {
            Err(NoSuchState(at.into()))
        }
    }

    /// Stands where a session begins.
    ///
    /// # Errors
    /// When the story does not say where that is.
    pub fn begin(program: &'p Program, world: World) -> Result<Self, NoSuchState> {
        let story = &program.story;
        let root = story.root.map_or("", |root| story.path(root));
        let env = env(&world, &Map::new());
        let at = Machine::new(program).descend(root, &env);
        Self::at(program, at.as_deref().unwrap_or(root), world)
    }

    /// Stands at a path that a session rests at, declared or not.
    pub(crate) fn new(program: &'p Program, at: SmolStr, world: World) -> Self {
        let machine = Machine::new(program);
        let allowed = machine.allowed_intents(&at).into_iter().map(|a| a.name);
        let rows = machine.menu(&at, &world).primary.into_iter().map(|row| MenuRow {
            display: row.display,
            intent: row.intent,
            slots: row.slots,
            missing: row.missing,
        });
        Self {
            allowed: allowed.collect(),
            menu: rows.collect(),
            program,
            at,
            world,
        }
    }
}

impl fmt::Debug for Standing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Standing").field("at", &self.at).finish_non_exhaustive()
    }
}

impl Situation for Standing<'_> {
    fn story(&self) -> &Story {
        &self.program.story
    }

    fn path(&self) -> &str {
        &self.at
    }

    fn state(&self) -> Option<StateId> {
        self.program.names.state(path::structural(&self.at))
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
        let call = Call {
            intent: intent.into(),
            slots: Some(slots.clone()),
        };
        match Machine::new(self.program).takes(&self.at, &self.world, &call) {
            Ok(Ok(call)) => Ok(call.slots.unwrap_or_default()),
            Ok(Err(no)) => Err(match no.code {
                Code::IntentNotAllowed => Refusal::IntentNotAllowed,
                Code::MissingSlots => Refusal::MissingSlots,
                Code::InvalidSlotValue => Refusal::InvalidSlotValue,
                Code::GuardFailed | Code::Ambiguous | Code::Clarification => Refusal::GuardFailed,
            }),
            Err(_) => Err(Refusal::Error),
        }
    }
}
