//! `operation-background`: a background job inside of an operation (`language` D45).

use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "operation-background",
    level: Level::Error,
    summary: "a background job inside of an operation",
    fixable: Fixable::Never,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(flag) = site.effect.background.as_ref().filter(|b| b.value.value) else {
        return;
    };
    if let Some(operation) = super::operation_around(site) {
        out.push(
            RULE.at(flag.key, "runs on when the operation is dropped")
                .message("an operation cannot start a background job")
                .label(operation, "the operation begins here"),
        );
    }
}
