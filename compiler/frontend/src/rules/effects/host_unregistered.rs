//! `host-unregistered`: `hosts` lists a verb that no engine brings and that looks like one it does (`language` 1.9).
//!
//! The load does not look; a session does not start with it. Own verbs of an engine are left alone, because nobody knows them.

use super::super::prelude::*;
use super::super::words::did_you_mean;
use kitsoki_ir::BUILTIN_VERBS;

pub(crate) const RULE: Rule = Rule {
    id: "host-unregistered",
    level: Level::Warning,
    summary: "a listed verb that does not exist",
    fixable: Fixable::Sometimes,
};

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let hosts = cx.story.manifest.hosts.value();
    for host in hosts.into_iter().flat_map(|h| h.iter()).filter(|h| h.made.is_none()) {
        let name = host.as_str();
        // `host.x.op` is an operation of `host.x`.
        let known = BUILTIN_VERBS
            .iter()
            .any(|v| name == *v || name.strip_prefix(v).is_some_and(|rest| rest.starts_with('.')));
        if known || out.iter().any(|f| f.rule == "host-not-allowed" && speaks_of(f, host)) {
            continue;
        }
        if let Some(near) = did_you_mean(name, BUILTIN_VERBS) {
            let title = format!("change it to {}", code(near));
            out.push(
                RULE.at(cx.inside(host), "no engine brings it")
                    .message(format!("no verb is called {}", code(name)))
                    .help(title.clone())
                    .fix(Fix::replace(cx.inside(host), near).title(title))
                    .note("the load accepts it; the session does not start"),
            );
        }
    }
}

/// A finding about a call has named the entry already.
fn speaks_of(finding: &Diagnostic, host: &Text) -> bool {
    finding.labels.iter().any(|l| l.span == host.span)
}
