//! `starlark-script-missing`: a call without a script, or with a blank one (`language` D83).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-script-missing",
    level: Level::Error,
    summary: "`host.starlark.run` without a script",
    fixable: Fixable::Never,
};

/// The script of a call, trimmed; a finding when there is none.
pub(super) fn script<'a>(cx: &StoryCx<'_>, call: &super::Call<'a>) -> Result<&'a Text, Box<Diagnostic>> {
    let (span, label) = match call.arg("script").map(|s| (&s.kind, s.span)) {
        Some((AnyKind::Text(text), _)) if !text.is_blank() => return Ok(text),
        Some((AnyKind::Text(_), span)) => (span, "blank counts as absent"),
        Some((AnyKind::Null, _)) | None => (cx.inside(call.verb), "no script to run"),
        Some((_, span)) => (span, "not the path of a script"),
    };
    let finding = RULE
        .at(span, label)
        .message("`host.starlark.run` needs the path of a script");
    Err(Box::new(
        finding.help("write `script: scripts/name.star` among the arguments"),
    ))
}
