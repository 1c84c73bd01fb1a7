//! `sandbox-paths-invalid`: `rw` or `hidden` of a sandbox is no list of texts (`language` D74).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "sandbox-paths-invalid",
    level: Level::Error,
    summary: "`rw` or `hidden` of a sandbox is no list of paths",
    fixable: Fixable::Never,
};

/// Checks the value of `key`.
pub(super) fn check(value: &Any, key: &str, level: Level, out: &mut Vec<Diagnostic>) {
    let mut report = |span: Span, found: &str| {
        out.push(
            RULE.at(span, found.to_owned())
                .message(format!("{} is a list of paths, each a text", code(key)))
                .help(format!("write for example `{key}: [build, out]`"))
                .level(level),
        );
    };
    match &value.kind {
        AnyKind::Null => {}
        AnyKind::List(items) => {
            for item in items {
                match &item.kind {
                    AnyKind::Text(text) if !text.is_blank() => {}
                    AnyKind::Text(_) => report(item.span, "a blank path"),
                    _ => report(item.span, item.kind_word()),
                }
            }
        }
        _ => report(value.span, value.kind_word()),
    }
}
