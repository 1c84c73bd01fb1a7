//! `on-error-unknown`: `on_error` names no room (`language` 3.10).
//!
//! `.` is `on-error-dot`, `@exit:` is `on-error-exit`. The load checks nothing here: a failed call stays, silently.

use kitsoki_syntax::Span;
use rustc_hash::FxHashSet;

use super::super::names::Lost;
use super::super::prelude::*;
use super::super::rooms::targets;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "on-error-unknown",
    level: Level::Warning,
    summary: "`on_error` leads to a room that does not exist",
    fixable: Fixable::Sometimes,
};

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, sites: &[Site<'a>], out: &mut Vec<Diagnostic>) -> FxHashSet<Span> {
    if cx.story.incomplete.states || cx.lacks("states") {
        return FxHashSet::default();
    }
    let mut lost = Lost::new(cx);
    for site in sites.iter().filter(|s| !s.in_effects) {
        let Some(redirect) = site.effect.on_error.as_ref().map(|t| &t.value) else {
            continue;
        };
        let name = redirect.as_str();
        if name.is_empty() || name == "." || name.starts_with("@exit:") || name.contains("{{") || name.contains("{%") {
            continue;
        }
        targets::check(
            cx,
            redirect,
            site.path(),
            &RULE,
            "a failed call stays where it is",
            &mut lost,
        );
    }
    targets::report(cx, lost, out)
}
