//! The environment of an evaluation: which roots have which values (language 7 of the expression chapter).
//!
//! A root that is `None` is *unset*: empty for member access, nil for everything else.

use smol_str::SmolStr;

use crate::value::{Map, Value};

/// What an evaluation can see. Copying it is cheap: maps are shared.
#[derive(Debug, Clone, Default)]
pub struct Env {
    /// The world.
    pub world: Option<Map>,
    /// The slots of the call.
    pub slots: Option<Map>,
    /// The event: an empty map everywhere in a story.
    pub event: Option<Map>,
    /// `run.id`: empty everywhere in a story.
    pub run_id: SmolStr,
    /// `run.turn`: zero everywhere in a story.
    pub run_turn: i64,
    /// Arguments of a prompt or handler.
    pub args: Option<Map>,
    /// The computed menu `{primary, blocked}`. Set it with [`Env::with_menu`] to bind the view helpers to it.
    pub menu: Option<Map>,
    /// Room prerequisites `{all, met, unmet, has_unmet}`.
    pub prerequisites: Option<Map>,
    /// The data of a host call, in templated `bind`.
    pub result: Option<Map>,
    /// The rendered state `{path, description}`; visible to pongo templates only.
    pub state: Option<Map>,
    /// The element of a `range`.
    pub item: Value,
    /// Whether the view helpers answer from `menu`.
    pub helpers: bool,
    /// Further top-level names for pongo templates (`_block_<name>` of typed views).
    pub extra: Map,
}

impl Env {
    /// An environment with a world, slots and an empty event: the one of guards and effects.
    #[must_use]
    pub fn new(world: Map, slots: Map) -> Self {
        Self {
            world: Some(world),
            slots: Some(slots),
            event: Some(Map::new()),
            ..Self::default()
        }
    }

    /// The same with a menu, and the view helpers bound to it.
    #[must_use]
    pub fn with_menu(mut self, menu: Map) -> Self {
        self.menu = Some(menu);
        self.helpers = true;
        self
    }

    /// The same with the data of a host call.
    #[must_use]
    pub fn with_result(mut self, result: Map) -> Self {
        self.result = Some(result);
        self
    }

    /// The same with the arguments of a prompt.
    #[must_use]
    pub fn with_args(mut self, args: Map) -> Self {
        self.args = Some(args);
        self
    }
}
