//! `phases-no-templates`: a graph of phases needs a template (`macros` 2.10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "phases-no-templates",
    level: Level::Error,
    summary: "phases without templates",
    fixable: Fixable::Never,
};

/// The `phases` key.
pub(crate) fn at(span: Span) -> Diagnostic {
    RULE.at(span, "a graph without a template")
        .message("`phases` needs `phase_templates`, and there are none")
        .help("declare the rooms of one phase under `phase_templates`")
}
