//! `toolbox-effect-mismatch`: the `effect` of a toolbox must equal the joined class of its tools (`language` 4.1 A3).

use super::super::prelude::*;
use super::Joined;
use crate::package::EffectClass;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "toolbox-effect-mismatch",
    level: Level::Error,
    summary: "a toolbox `effect` that its tools contradict",
    fixable: Fixable::Always,
};

/// The declared class at `span` and what the tools join to.
pub(crate) fn at(span: Span, declared: EffectClass, joined: &Joined) -> Diagnostic {
    let finding = RULE
        .at(
            span,
            format!("its tools are {joined_class}", joined_class = joined.class),
        )
        .message(format!(
            "a toolbox that says {} has tools of class {}",
            code(declared.as_str()),
            code(joined.class.as_str())
        ))
        .note("the class of a toolbox is no upper bound: it must be that of its highest tool")
        .fix(Fix::replace(span, joined.class.as_str()).title(format!("change it to {}", code(joined.class.as_str()))));
    super::because(finding, joined)
}
