//! `sandbox-not-mapping`: a sandbox that is neither a mapping nor a template (`language` D74).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "sandbox-not-mapping",
    level: Level::Error,
    summary: "a `sandbox` that is no mapping",
    fixable: Fixable::Never,
};

/// `value` stands where the mapping should.
pub(super) fn at(value: &Any) -> Diagnostic {
    RULE.at(value.span, format!("{} instead of a mapping", value.kind_word()))
        .message("a sandbox is a mapping of limits")
        .help("write for example `sandbox: { min_strength: fs_confined, network: deny }`")
}
