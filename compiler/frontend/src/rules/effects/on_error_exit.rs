//! `on-error-exit`: `on_error: @exit:name` in a story that nobody imports (`language` 1.7).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "on-error-exit",
    level: Level::Warning,
    summary: "an exit as `on_error` of a story of its own",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(redirect) = site.effect.on_error.as_ref().filter(|t| t.text.starts_with("@exit:")) else {
        return;
    };
    if !site.in_effects {
        out.push(
            RULE.at(site.cx.inside(&redirect.value), "leads nowhere")
                .message("an exit in `on_error` is found only when the story is imported")
                .help("lead to a room that takes the exit with an arc")
                .note("the Go implementation does not rewrite exits here: a failed call stays where it is"),
        );
    }
}
