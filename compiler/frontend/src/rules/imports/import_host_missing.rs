//! `import-host-missing`: with `hosts: declared` the importer lists every verb of the child (`imports` 9.1).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-host-missing",
    level: Level::Error,
    summary: "a verb of the child that the importer does not list",
    fixable: Fixable::Never,
};

/// The verb in the child, and the mode.
pub(crate) fn at(span: Span, host: &str, alias: &Text, mode: Span) -> Diagnostic {
    RULE.at(span, "not listed by the importer")
        .message(format!("{} needs the verb {}", code(alias.as_str()), code(host)))
        .label(mode, "nothing is inherited in this mode")
        .help(format!("add {} to the importer's `hosts`", code(host)))
}
