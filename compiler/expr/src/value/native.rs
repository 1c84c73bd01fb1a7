//! Values that no document can hold.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::env::Env;

/// A view helper (`available` and its kin).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Helper {
    /// `available(name)`: the intent can be taken now.
    Available,
    /// `blocked(name)`: the intent is offered but blocked.
    Blocked,
    /// `blocked_reason(name)`: why it is blocked, or nothing.
    BlockedReason,
    /// `intent_status(name)`: `available`, `blocked` or `unknown`.
    IntentStatus,
}

/// A value that no document can hold.
#[derive(Debug, Clone)]
pub enum Native {
    /// A root map that has no value here: empty for members, nil for `??` and `==`.
    UnsetRoot,
    /// The `run` record.
    Run {
        /// `run.id`.
        id: SmolStr,
        /// `run.turn`.
        turn: i64,
    },
    /// A view helper; without a menu it cannot be called.
    Helper {
        /// Which one.
        helper: Helper,
        /// Whether a menu stands behind it.
        bound: bool,
    },
    /// A point in time: nanoseconds since 1970 in UTC.
    Time(i128),
    /// A span of time in nanoseconds.
    Duration(i64),
    /// The environment itself, which `get($env, name)` looks into.
    Environment(Arc<Env>),
}

impl PartialEq for Native {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::UnsetRoot, Self::UnsetRoot) => true,
            (Self::Run { id: a, turn: x }, Self::Run { id: b, turn: y }) => a == b && x == y,
            (Self::Helper { helper: a, .. }, Self::Helper { helper: b, .. }) => a == b,
            (Self::Time(a), Self::Time(b)) => a == b,
            (Self::Duration(a), Self::Duration(b)) => a == b,
            (Self::Environment(a), Self::Environment(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}
