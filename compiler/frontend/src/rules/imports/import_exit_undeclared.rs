//! `import-exit-undeclared`: every key of `exits` is an exit of the child (`imports` 5 F3).

use super::super::prelude::*;
use super::super::words::list;
use kitsoki_syntax::Span;
use smol_str::SmolStr;

pub(crate) const RULE: Rule = Rule {
    id: "import-exit-undeclared",
    level: Level::Error,
    summary: "a mapped exit that the child does not declare",
    fixable: Fixable::Sometimes,
};

/// The name, a similar exit, and all of them.
pub(crate) fn at(span: Span, name: &str, alias: &Text, near: Option<(SmolStr, Span)>, names: &[&str]) -> Diagnostic {
    let finding =
        RULE.at(span, "no such exit")
            .message(format!("{} declares no exit {}", code(alias.as_str()), code(name)));
    match (near, names) {
        (None, []) => finding.help("the imported story declares no exits"),
        (None, names) if names.len() <= 8 => finding.help(format!("its exits are {}", list(names))),
        (near, _) => super::offer(finding, span, near, "an exit with a similar name"),
    }
}
