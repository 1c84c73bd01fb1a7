//! The environment of an evaluation: which roots have which values (language 7 of the expression chapter).
//!
//! A root that is `None` is *unset*: empty for member access, nil for everything else.

use smol_str::SmolStr;

use crate::value::{Helper, Map, Native, Value};

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
    /// What `now()` says: nanoseconds since 1970 in UTC. Nothing here reads a clock.
    pub now: i128,
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

    /// The root of a name, under the names that the reference knows it by; `None` for a name without a value.
    pub(crate) fn root(&self, name: &str) -> Option<Value> {
        let map = |root: &Option<Map>| root.clone().map_or(Value::Native(Native::UnsetRoot), Value::Map);
        let helper = |helper| {
            Value::Native(Native::Helper {
                helper,
                bound: self.helpers,
            })
        };
        Some(match name {
            "world" | "World" => map(&self.world),
            "slots" | "Slots" => map(&self.slots),
            "event" | "Event" => map(&self.event),
            "args" | "Args" => map(&self.args),
            "menu" | "Menu" => map(&self.menu),
            "prerequisites" | "Prerequisites" => map(&self.prerequisites),
            "result" | "Result" => map(&self.result),
            "state" | "State" => map(&self.state),
            "item" | "Item" => self.item.clone(),
            "run" | "Run" => Value::Native(Native::Run {
                id: self.run_id.clone(),
                turn: self.run_turn,
            }),
            "available" | "Available" => helper(Helper::Available),
            "blocked" | "Blocked" => helper(Helper::Blocked),
            "blocked_reason" | "BlockedReason" => helper(Helper::BlockedReason),
            "intent_status" | "IntentStatus" => helper(Helper::IntentStatus),
            _ => return None,
        })
    }

    /// Asks a view helper about an intent.
    pub(crate) fn ask(&self, helper: Helper, intent: &str) -> Value {
        let primary = self.entry("primary", intent).is_some();
        let blocked = self.entry("blocked", intent);
        match helper {
            Helper::Available => Value::Bool(primary),
            Helper::Blocked => Value::Bool(blocked.is_some()),
            Helper::BlockedReason => Value::text(
                blocked
                    .and_then(|entry| entry.get("reason"))
                    .and_then(Value::as_str)
                    .unwrap_or_default(),
            ),
            Helper::IntentStatus if primary => Value::text("available"),
            Helper::IntentStatus if blocked.is_some() => Value::text("blocked"),
            Helper::IntentStatus => Value::text("unknown"),
        }
    }

    /// The last entry of a part of the menu for an intent, as far as the view helpers are bound.
    fn entry(&self, part: &str, intent: &str) -> Option<&Map> {
        if !self.helpers || intent.is_empty() {
            return None;
        }
        let entries = self.menu.as_ref()?.get(part)?.as_list()?;
        entries
            .items()
            .iter()
            .rev()
            .filter_map(Value::as_map)
            .find(|entry| entry.get("intent").and_then(Value::as_str) == Some(intent))
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
