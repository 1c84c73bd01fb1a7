//! `agent-effect-deprecated`: the deprecated form of `effect` (`language` W1).

use super::super::prelude::*;
use crate::package::EffectClass;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "agent-effect-deprecated",
    level: Level::Warning,
    summary: "an agent uses `external_side_effect`",
    fixable: Fixable::Always,
};

/// The key, the value, and the class it stands for.
pub(crate) fn at(key: Span, value: Span, class: EffectClass) -> Diagnostic {
    RULE.at(key, "the deprecated form")
        .message("`external_side_effect` is the old form of `effect`")
        .note(format!("here it means {}", code(class.as_str())))
        .fix(
            Fix::edits([(key, "effect".to_owned()), (value, class.as_str().to_owned())])
                .title(format!("write `effect: {class}`"))
                .safe_if(true),
        )
}
