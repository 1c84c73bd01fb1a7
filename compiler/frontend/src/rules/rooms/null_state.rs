//! `null-state`: a room without a body: a legal target with nothing in it (`language` 2.5).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "null-state",
    level: Level::Warning,
    summary: "a room without a body",
    fixable: Fixable::Always,
};

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    for entry in cx.rooms.values().filter(|e| e.null && e.name.made.is_none()) {
        let name = super::super::names::spelled(cx, entry.name);
        let end = kitsoki_syntax::Span::new(
            entry.name.span.file,
            kitsoki_syntax::TextRange::empty(entry.name.span.range.end()),
        );
        let source = cx.text_of(end.file);
        let rest = source
            .and_then(|s| s.get(usize::from(end.range.end())..))
            .unwrap_or_default();
        let finding = RULE
            .at(cx.inside(entry.name), "nothing stands behind it")
            .message(format!("the room {} has no body", code(&name)))
            .note("the load accepts it as a target; at run time the room is not found");
        // `name:` alone on its line: an empty body can be written behind the colon.
        let bare = rest
            .strip_prefix(':')
            .filter(|r| r.trim_start_matches([' ', '\t']).starts_with(['\n', '\r']) || r.is_empty());
        out.push(if bare.is_some() {
            let at = kitsoki_syntax::TextSize::new(1) + end.range.end();
            let span = kitsoki_syntax::Span::new(end.file, kitsoki_syntax::TextRange::empty(at));
            finding.fix(Fix::replace(span, " {}").title("give it an empty body"))
        } else {
            finding.help("write `{}` for a room without anything")
        });
    }
}
