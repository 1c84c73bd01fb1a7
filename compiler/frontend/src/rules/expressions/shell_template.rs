//! `shell-template`: a template inside of the shell line of `host.run`: its value is read by the shell.

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "shell-template",
    level: Level::Warning,
    summary: "a template inside of a shell line",
    fixable: Fixable::Never,
};

use super::super::calls::Call;

/// Checks the `cmd` of one `host.run`. With `args` or `script` no shell is started.
pub(super) fn check(cx: &StoryCx<'_>, call: &Call<'_>, out: &mut Vec<Diagnostic>) {
    if call.verb.as_str() != "host.run"
        || call.entry("args").is_some_and(|a| a.value.kind != AnyKind::Null)
        || call.arg("script").is_some()
    {
        return;
    }
    let Some(text) = call.arg("cmd").and_then(Any::as_text).filter(|t| t.made.is_none()) else {
        return;
    };
    let line = text.as_str();
    // A template alone is a command that the story chose as a whole.
    if super::super::starlark::is_sole_template(line) {
        return;
    }
    let Some((start, inside)) = super::braces(line)
        .into_iter()
        .find(|(_, i)| i.contains("world.") || i.contains("slots."))
    else {
        return;
    };
    let place = cx.place(text, kitsoki_syntax::text_range(start - 2, start + inside.len() + 2));
    out.push(
        RULE.at(place, "read by the shell")
            .message("the value becomes a part of a shell line: quotes, `;` and `$(…)` in it are carried out")
            .help("pass the program in `cmd` and each value as an element of `args`: then no shell is started"),
    );
}
