//! `off-ramp-form`: `agent_off_ramp` is neither `true` nor `false` nor a mapping with its four keys (`language` 2.7).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "off-ramp-form",
    level: Level::Error,
    summary: "an off-ramp that is neither a flag nor a mapping of its four keys",
    fixable: Fixable::Sometimes,
};

/// The value at `span`.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "neither a flag nor a mapping")
        .message("`agent_off_ramp` is `true`, `false` or a mapping")
        .help("the mapping's keys are `agent`, `persona`, `banner` and `capture_free_text`")
}

/// An unknown key of the mapping.
pub(crate) fn key(span: Span, key: &str, keys: &[&str]) -> Diagnostic {
    let finding = RULE
        .at(span, "no key of an off-ramp")
        .message(format!("an off-ramp has no key {}", code(key)));
    super::unknown_key::offer(finding, span, key, keys)
}
