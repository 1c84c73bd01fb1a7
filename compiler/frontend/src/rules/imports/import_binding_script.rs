//! `import-binding-script`: the script of a binding or its sidecar is missing or malformed (`imports` 9.3).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-binding-script",
    level: Level::Error,
    summary: "a script binding that cannot work",
    fixable: Fixable::Never,
};

/// There is no such script.
pub(crate) fn at(span: Span, script: &str) -> Diagnostic {
    RULE.at(span, "no such script")
        .message(format!("the script {} does not exist", code(script)))
        .help("the path is relative to the folder of the importing manifest")
}

/// There is no sidecar.
pub(crate) fn no_sidecar(span: Span, script: &str) -> Diagnostic {
    RULE.at(span, "it has no sidecar")
        .message(format!("the script {} has no sidecar", code(script)))
        .help(format!(
            "its inputs and outputs are declared in {}",
            code(&format!("{script}.yaml"))
        ))
}

/// The sidecar cannot be read.
pub(crate) fn unreadable(span: Span, script: &str) -> Diagnostic {
    RULE.at(span, "its sidecar cannot be read")
        .message(format!("the sidecar of {} cannot be read", code(script)))
}

/// Something is wrong in the sidecar.
pub(crate) fn malformed(binding: Span, script: &str, fault: Span, label: &str, message: &str) -> Diagnostic {
    RULE.at(fault, label.to_owned())
        .message(message.to_owned())
        .label(binding, format!("{} is bound here", code(script)))
}
