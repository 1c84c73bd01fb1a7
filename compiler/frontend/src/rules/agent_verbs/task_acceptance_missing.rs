//! `task-acceptance-missing`: a task without the schema of what it has to hand in (`language` D78).

use super::super::calls::Call;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "task-acceptance-missing",
    level: Level::Error,
    summary: "`host.agent.task` without `acceptance.schema`",
    fixable: Fixable::Never,
};

/// Checks one `host.agent.task`. Without any arguments the reference does not look.
pub(super) fn check(cx: &StoryCx<'_>, call: &Call<'_>, out: &mut Vec<Diagnostic>) {
    let schema = call.arg("acceptance").and_then(|a| a.get("schema"));
    let (span, label) = match schema.map(|s| (&s.kind, s.span)) {
        Some((AnyKind::Text(text), _)) if !text.is_blank() => return,
        Some((AnyKind::Text(_), span)) => (span, "blank counts as absent"),
        Some((AnyKind::Null, _)) | None => (cx.inside(call.verb), "this task accepts nothing"),
        Some((_, span)) => (span, "not the path of a schema file"),
    };
    let level = if call.with.is_none() {
        Level::Warning
    } else {
        call.level()
    };
    out.push(
        RULE.at(span, label)
            .message("a task needs `acceptance.schema`: what the agent has to hand in")
            .help("write `acceptance: { schema: schemas/note.json }` among the arguments")
            .level(level),
    );
}
