//! `starlark-sidecar-key`: a key of a sidecar that nothing reads although it looks like one that is (`starlark` 2).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-sidecar-key",
    level: Level::Warning,
    summary: "a key of a sidecar that means nothing",
    fixable: Fixable::Sometimes,
};

use super::sidecar::Ignored;

/// A key that the host ignores.
pub(super) fn at(ignored: &Ignored) -> Diagnostic {
    let finding = RULE.at(ignored.span, "nothing reads this key").message(format!(
        "a sidecar has no key {}: it is taken for documentation",
        code(&ignored.name)
    ));
    match ignored.near {
        Some(near) => finding
            .help(format!("a key with a similar name is {}", code(near)))
            .fix(Fix::replace(ignored.span, near).title(format!("change it to {}", code(near)))),
        None => finding.help("read the input in the script with `ctx.inputs.get(name, default)`"),
    }
}
