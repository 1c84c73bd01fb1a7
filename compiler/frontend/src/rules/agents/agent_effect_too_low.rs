//! `agent-effect-too-low`: a declared class of at most `read` while the tools join higher (`language` 4.1 A17).

use super::super::prelude::*;
use super::Joined;
use crate::package::EffectClass;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-effect-too-low",
    level: Level::Error,
    summary: "an agent claims less than its tools can do",
    fixable: Fixable::Never,
};

/// The declaration and what the tools join to.
pub(crate) fn at(span: Span, declared: EffectClass, joined: &Joined) -> Diagnostic {
    let finding = RULE
        .at(span, format!("this says {declared}"))
        .message(format!(
            "an agent of class {} has tools of class {}",
            code(declared.as_str()),
            code(joined.class.as_str())
        ))
        .help("declare the class of the tools, or take the tool away");
    super::because(finding, joined)
}
