//! `agent-effect-mismatch`: the declared class is kept (`language` W2).

use super::super::prelude::*;
use super::Joined;
use crate::package::EffectClass;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-effect-mismatch",
    level: Level::Warning,
    summary: "an agent's declared class differs from its tools",
    fixable: Fixable::Sometimes,
};

/// The declaration and what the tools join to.
pub(crate) fn at(span: Span, declared: EffectClass, joined: &Joined) -> Diagnostic {
    let finding = RULE
        .at(span, format!("its tools are {}", joined.class))
        .message(format!(
            "an agent that says {} has tools of class {}",
            code(declared.as_str()),
            code(joined.class.as_str())
        ))
        .note("the declared class is the one that counts");
    super::because(finding, joined)
}
