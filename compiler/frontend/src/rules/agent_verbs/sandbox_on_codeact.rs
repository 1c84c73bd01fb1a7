//! `sandbox-on-codeact`: a sandbox for a call that starts no program (`language` D75).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "sandbox-on-codeact",
    level: Level::Error,
    summary: "a `sandbox` on `host.agent.codeact`",
    fixable: Fixable::Never,
};

/// The key stands at `span`.
pub(super) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "`codeact` has no sandbox")
        .message("a sandbox limits an agent program, and `host.agent.codeact` starts none")
        .help("limit what its snippets may do with `capabilities`")
}
