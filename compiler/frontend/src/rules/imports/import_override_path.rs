//! `import-override-path`: an override is child text: its paths are relative to the child (`imports` 10).

use super::super::prelude::*;
use kitsoki_syntax::Span;

pub(crate) const RULE: Rule = Rule {
    id: "import-override-path",
    level: Level::Warning,
    summary: "a path in an override that resolves in the child's folder",
    fixable: Fixable::Never,
};

/// The path.
pub(crate) fn at(span: Span, path: &str, alias: &Text) -> Diagnostic {
    RULE.at(span, "looked for in the folder of the imported story")
        .message(format!("{} is not looked for beside this manifest", code(path)))
        .label(alias.span, "an override of this import")
        .help("write an absolute path, or put the file into the imported story")
}
