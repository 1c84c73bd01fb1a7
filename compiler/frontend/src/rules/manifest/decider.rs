//! The engine's decider: an agent, a schema and a threshold (`language` D51 to D53).
//!
//! An agent that is not declared is found with the other uses of agents.

use super::super::prelude::*;

pub(crate) const AGENT_MISSING: Rule = rule("decider-agent-missing", "a decider without an agent");
pub(crate) const AGENT_UNDECLARED: Rule = rule("decider-agent-undeclared", "a decider whose agent does not exist");
pub(crate) const SCHEMA_MISSING: Rule = rule("decider-schema-missing", "a decider without a schema");
pub(crate) const THRESHOLD_RANGE: Rule = rule("decider-threshold-range", "a threshold outside of 0 to 1");

const fn rule(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        level: Level::Error,
        summary,
        fixable: Fixable::Sometimes,
    }
}

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(decider) = &cx.story.manifest.decider else {
        return;
    };
    let missing = |text: Option<&Field<Text>>| match text {
        Some(text) if !text.is_blank() => None,
        Some(text) => Some(text.span),
        None => Some(decider.key),
    };
    if let Some(at) = missing(decider.agent.as_ref()) {
        out.push(
            AGENT_MISSING
                .at(at, "who decides?")
                .message("a decider needs an `agent`"),
        );
    }
    if let Some(at) = missing(decider.schema.as_ref()) {
        out.push(
            SCHEMA_MISSING
                .at(at, "in which form?")
                .message("a decider needs a `schema`"),
        );
    }
    if let Some(threshold) = decider
        .threshold
        .as_ref()
        .filter(|t| !(0.0..=1.0).contains(&t.value.value))
    {
        out.push(
            THRESHOLD_RANGE
                .at(threshold.span, "not between 0 and 1")
                .message("the threshold of a decider lies between 0 and 1"),
        );
    }
}
