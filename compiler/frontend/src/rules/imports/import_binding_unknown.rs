//! `import-binding-unknown`: every key of `host_bindings` is an interface of the child (`imports` 9.3).

use super::super::prelude::*;
use kitsoki_syntax::Span;
use smol_str::SmolStr;

pub(crate) const RULE: Rule = Rule {
    id: "import-binding-unknown",
    level: Level::Error,
    summary: "a binding for an interface that the child does not have",
    fixable: Fixable::Sometimes,
};

/// The key and an interface that is probably meant; `base` when the key is the end of its name.
pub(crate) fn at(span: Span, name: &str, alias: &Text, near: Option<(SmolStr, Span)>, base: bool) -> Diagnostic {
    let finding = RULE.at(span, "no interface of the imported story").message(format!(
        "{} has no host interface {}",
        code(alias.as_str()),
        code(name)
    ));
    match near {
        Some((full, place)) if base => finding
            .label(place, format!("this one is called {} there", code(&full)))
            .note("the binding reaches it by its base name, but a base name of its own must exist as well")
            .fix(Fix::replace(span, full.as_str()).title(format!("change it to {}", code(&full)))),
        near => super::offer(finding, span, near, "an interface with a similar name"),
    }
}
