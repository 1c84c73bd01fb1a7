//! `element-no-kind`: a view element without a kind key, or whose kind key says nothing (`language` Y8).

use kitsoki_syntax::Span;

use super::super::habits::meant;
use super::super::prelude::*;
use super::super::words::{did_you_mean, list};

pub(crate) const RULE: Rule = Rule {
    id: "element-no-kind",
    level: Level::Error,
    summary: "a view element without a kind",
    fixable: Fixable::Sometimes,
};

/// The element whose first key stands at `first`.
pub(crate) fn at(first: Span, keys: &[(Span, &str)]) -> Diagnostic {
    let finding = RULE
        .at(first, "this element has no kind")
        .message("a view element has no kind");
    for (span, key) in keys {
        let near = did_you_mean(key, ElementKind::WORDS.iter().copied()).or_else(|| meant(key, ElementKind::WORDS));
        if let Some(near) = near {
            let finding = RULE
                .at(*span, "no kind of element")
                .message(format!("no kind of view element is called {}", code(key)));
            return super::unknown_key::offer(finding, *span, key, &[near]);
        }
    }
    finding.help(format!("give it one of {}", list(ElementKind::WORDS)))
}
