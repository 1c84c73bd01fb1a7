//! `codeact-capabilities-invalid`: capabilities of `host.agent.codeact` that do not parse (`language` D76).

use super::super::calls::Call;
use super::super::prelude::*;
use super::super::starlark::capabilities;

pub(crate) const RULE: Rule = Rule {
    id: "codeact-capabilities-invalid",
    level: Level::Error,
    summary: "capabilities of `host.agent.codeact` that do not parse",
    fixable: Fixable::Sometimes,
};

/// Checks one `host.agent.codeact`. One template anywhere inside makes the reference skip the whole check.
pub(super) fn check(cx: &StoryCx<'_>, call: &Call<'_>, out: &mut Vec<Diagnostic>) {
    let Some(value) = call.arg("capabilities") else { return };
    let mut templated = false;
    value.for_each_text(&mut |t| templated |= t.is_templated() || t.as_str().contains("{%"));
    let (_, faults) = capabilities::read(value);
    let level = if templated { Level::Warning } else { call.level() };
    out.extend(faults.into_iter().map(|f| f.finding(cx, &RULE, level)));
}
