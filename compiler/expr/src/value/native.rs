//! Values that no document can hold.

use smol_str::SmolStr;

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
#[derive(Debug, Clone, PartialEq)]
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
}
