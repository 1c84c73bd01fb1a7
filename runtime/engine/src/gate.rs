//! Whether a call may change something: the write-mode gate (`dispatch` 11).
//!
//! Every host call passes here, and each is judged by the room whose effect list declares it, also when the session has
//! moved on before the call goes out. A read-only room lets through what only looks; anything else needs a grant of the
//! operator, for this call, for the turn or for the session. A call that reaches outside is asked for each time.

use kitsoki_expr::{Map, Value};
use kitsoki_ir::EffectClass;
use kitsoki_ir::state::WriteMode;

use crate::program::Program;
use crate::world::World;
use crate::{path, verbs};

/// The world key that holds the open grant: empty, `turn` or `session`. Only the engine and whoever drives it write it:
/// every write of a story (effects, binds, published overlays, slots of a jump) passes [`is_reserved`] and is dropped.
pub const SCOPE: &str = "write_mode_scope";

/// Whether a story may not write a world key: what it could write there would let it grant itself changes.
#[must_use]
pub fn is_reserved(key: &str) -> bool {
    key == SCOPE
}

/// Who answers for a change in a read-only room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Gates {
    /// Nobody can be asked: a change is refused.
    #[default]
    Strict,
    /// The driver asks the operator.
    Ask,
    /// Fixtures that were written without a gate: a change is let through, and its event says so.
    Assume,
}

/// How far a grant reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// This call.
    Action,
    /// Until the next turn begins.
    Turn,
    /// The session.
    Session,
}

impl Scope {
    /// The word of events and of [`SCOPE`].
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Action => "action",
            Scope::Turn => "turn",
            Scope::Session => "session",
        }
    }
}

/// What the gate says before anybody is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing stands in the way.
    Open,
    /// A grant is needed for a call of this class.
    Needs(EffectClass),
}

impl Program {
    /// The mode of a state: its own, else that of the nearest room around it that states one. Rooms of an import lie
    /// below its alias, so the room at the top alone would say nothing of them.
    #[must_use]
    pub fn write_mode(&self, at: &str) -> WriteMode {
        self.chain(path::structural(at))
            .map(|(_, state)| state.write_mode)
            .find(|mode| *mode != WriteMode::Unset)
            .unwrap_or(WriteMode::Unset)
    }

    /// How far a call reaches: that of its verb; for the agent verbs that may change things, that of the agent, and of
    /// the tools that the call adds.
    #[must_use]
    pub fn call_class(&self, verb: &str, args: &Map) -> EffectClass {
        let class = verbs::gate_class(verb, args);
        if !verbs::runs_agent(verb) {
            return class;
        }
        let agent = args.get("agent").and_then(Value::as_str).unwrap_or_default();
        let declared = self.names.agent(agent).and_then(|id| self.story.agents.get(id));
        let added = match args.get("tools") {
            Some(Value::List(tools)) => tools.iter().filter_map(Value::as_str).map(verbs::tool_class).max(),
            Some(Value::Nil) | None => None,
            Some(_) => Some(class),
        };
        let own = declared.map_or(class, |a| a.effect).max(added.unwrap_or_default());
        if verb == "host.agent.codeact" {
            // What its agent writes are scripts: they reach as far as the call lets them, whatever the agent is.
            return own.max(scripts_class(args.get("capabilities")));
        }
        own
    }

    /// How far a call that is let through may reach: what a script calls in turn is held to it. `granted`: the class that
    /// a grant was given for.
    #[must_use]
    pub fn reach(&self, declared_in: &str, granted: Option<EffectClass>, world: &World) -> EffectClass {
        if self.write_mode(declared_in) != WriteMode::ReadOnly {
            return EffectClass::External;
        }
        let open = if is_open(world) {
            EffectClass::Write
        } else {
            EffectClass::Read
        };
        open.max(granted.unwrap_or_default())
    }

    /// Judges a call by the room that declares it.
    #[must_use]
    pub fn judge(&self, declared_in: &str, verb: &str, args: &Map, world: &World) -> Verdict {
        if self.write_mode(declared_in) != WriteMode::ReadOnly {
            return Verdict::Open;
        }
        let class = self.call_class(verb, args);
        if !verbs::mutates(class) {
            return Verdict::Open;
        }
        if is_open(world) && class != EffectClass::External {
            return Verdict::Open;
        }
        Verdict::Needs(class)
    }
}

/// How far scripts with these capabilities reach by themselves. What they call is judged for itself.
fn scripts_class(capabilities: Option<&Value>) -> EffectClass {
    let given = |value: Option<&Value>| match value {
        None | Some(Value::Nil | Value::Bool(false)) => false,
        Some(Value::List(items)) => !items.is_empty(),
        Some(Value::Map(entries)) => !entries.is_empty(),
        Some(_) => true,
    };
    match capabilities {
        None | Some(Value::Nil) => EffectClass::Read,
        Some(Value::Map(all)) => {
            let writes = match all.get("fs") {
                Some(Value::Map(fs)) => given(fs.get("write")),
                other => given(other),
            };
            if writes || given(all.get("http")) {
                EffectClass::Write
            } else {
                EffectClass::Read
            }
        }
        Some(_) => EffectClass::Write,
    }
}

/// Whether a grant for more than one call is open.
fn is_open(world: &World) -> bool {
    matches!(world.text(SCOPE), "turn" | "session")
}
