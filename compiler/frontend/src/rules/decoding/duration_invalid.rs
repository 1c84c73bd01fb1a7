//! `duration-invalid`: a duration that cannot be read, at a key that is read as one (`language` 2.9).

use super::super::durations;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "duration-invalid",
    level: Level::Error,
    summary: "a duration that cannot be read",
    fixable: Fixable::Never,
};

/// The one duration of a manifest that is read while the file is read.
pub(crate) fn check(routing: &Routing) -> Option<Diagnostic> {
    let age = routing.cache_max_age.as_ref()?;
    let wrong = durations::parse(age.as_str()).is_none();
    wrong.then(|| {
        RULE.at(age.span, "no duration")
            .message(format!("{} is no duration", code(age.as_str())))
            .help(durations::advice(age.as_str()))
    })
}
