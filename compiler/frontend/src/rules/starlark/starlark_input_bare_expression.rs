//! `starlark-input-bare-expression`: an input that reaches the script as the text of an expression (`language` D90).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-input-bare-expression",
    level: Level::Error,
    summary: "an input that is an expression without braces",
    fixable: Fixable::Sometimes,
};

/// A finding when `value` looks like an expression: an accessor at its head, or `??` or `?.` anywhere.
pub(super) fn check(cx: &StoryCx<'_>, name: &Text, value: &Text) -> Option<Diagnostic> {
    let text = value.as_str().trim();
    if text.contains("{{") || text.contains("{%") || !(is_accessor(text) || text.contains("??") || text.contains("?."))
    {
        return None;
    }
    let written = cx.spelling_of(value);
    let braces = format!("{{{{ {} }}}}", written.trim());
    let finding = RULE
        .at(value.span, "reaches the script as this text")
        .message(format!(
            "the input {} is an expression without braces",
            code(name.as_str())
        ))
        .help(format!(
            "write {}: a sole template keeps the type of its value",
            code(&braces)
        ));
    Some(match quoted(&braces) {
        Some(quoted) if value.made.is_none() => finding.fix(
            Fix::replace(value.span, quoted)
                .title("put braces around it")
                .safe_if(is_accessor(text)),
        ),
        _ => finding,
    })
}

/// `world.x`, `slots [`, `args?.y`, `form.z` at the head of a text.
fn is_accessor(text: &str) -> bool {
    ["world", "slots", "args", "form"].iter().any(|root| {
        text.strip_prefix(root)
            .is_some_and(|rest| rest.trim_start().starts_with(['.', '?', '[']))
    })
}

/// As a quoted YAML scalar; `None` when both quotes stand inside.
fn quoted(text: &str) -> Option<String> {
    if !text.contains(['"', '\\', '\n']) {
        Some(format!("\"{text}\""))
    } else if !text.contains(['\'', '\n']) {
        Some(format!("'{text}'"))
    } else {
        None
    }
}
