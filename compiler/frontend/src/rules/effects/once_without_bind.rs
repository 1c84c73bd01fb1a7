//! `once-without-bind`: `once` on an effect that binds nothing (`language` D28).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "once-without-bind",
    level: Level::Error,
    summary: "`once` without a `bind` to remember the result by",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(flag) = site.effect.once.as_ref().filter(|b| b.value.value) else {
        return;
    };
    let binds = site.effect.bind.as_ref().is_some_and(|b| !b.entries.is_empty());
    if !binds && !site.in_effects {
        out.push(
            RULE.at(flag.key, "nothing remembers that the call was made")
                .message("`once` needs a `bind`")
                .help("the call is skipped when every key of its `bind` holds a value"),
        );
    }
}
