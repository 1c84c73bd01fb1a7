//! `agent-reference-unknown`: a meta mode, the off-path or an off-ramp names no agent (`language` D69).
//!
//! Found with the other uses of agents: [`super::super::effects`].

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "agent-reference-unknown",
    level: Level::Error,
    summary: "a conversation with an agent that does not exist",
    fixable: Fixable::Sometimes,
};
