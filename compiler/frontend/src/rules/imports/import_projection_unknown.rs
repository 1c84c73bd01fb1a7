//! `import-projection-unknown`: an exit pushes out a key that the child does not have (`imports` 15).

use super::super::prelude::*;
use kitsoki_syntax::Span;
use smol_str::SmolStr;

pub(crate) const RULE: Rule = Rule {
    id: "import-projection-unknown",
    level: Level::Warning,
    summary: "a projection that reads nothing",
    fixable: Fixable::Sometimes,
};

/// The flat name, and a key of the child that is probably meant.
pub(crate) fn at(span: Span, name: &str, alias: &Text, near: Option<(SmolStr, Span)>) -> Diagnostic {
    let finding =
        RULE.at(span, "reads nothing")
            .message(format!("no key of {} is called {}", code(alias.as_str()), code(name)));
    match near {
        Some((key, place)) => {
            let flat = format!("{}__{key}", alias.as_str());
            finding
                .label(place, "a key with a similar name")
                .fix(Fix::replace(span, flat.as_str()).title(format!("change it to {}", code(&flat))))
        }
        None => finding,
    }
}

/// The child's own name instead of the flat one.
pub(crate) fn bare(span: Span, name: &str, alias: &Text, own: Option<Span>) -> Diagnostic {
    let flat = format!("{}__{name}", alias.as_str());
    let finding = RULE
        .at(span, "reads nothing")
        .message(format!(
            "outside of the import {} is called {}",
            code(name),
            code(&flat)
        ))
        .fix(Fix::replace(span, flat.as_str()).title(format!("change it to {}", code(&flat))));
    match own {
        Some(own) => finding.label(own, "declared in the imported story"),
        None => finding,
    }
}
