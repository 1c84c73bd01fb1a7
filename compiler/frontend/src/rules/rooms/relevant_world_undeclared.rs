//! `relevant-world-undeclared`: `relevant_world` lists a key that is neither declared nor the engine's (`language` D7).
//!
//! Found together with the other uses of the key: [`super::super::effects::undeclared_world_key`].

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "relevant-world-undeclared",
    level: Level::Error,
    summary: "a listed world key that is not declared",
    fixable: Fixable::Sometimes,
};
