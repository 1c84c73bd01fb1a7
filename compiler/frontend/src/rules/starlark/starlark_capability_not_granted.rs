//! `starlark-capability-not-granted`: a script uses a surface of `ctx` that its call does not grant (`language` D89).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-capability-not-granted",
    level: Level::Error,
    summary: "a script uses what the call does not grant",
    fixable: Fixable::Never,
};

use kitsoki_syntax::Span;

use super::capabilities::{Capabilities, Grant};
use super::script::{Surface, Use};

/// What a surface needs: the grant, the name of the surface, how to grant it.
fn needs(surface: Surface, given: &Capabilities) -> (Grant, &'static str, &'static str) {
    match surface {
        Surface::Http => (given.http, "ctx.http", "http: true"),
        Surface::FsWrite => (given.fs_write, "ctx.fs.write", "fs: { write: [\"out/**\"] }"),
        Surface::FsRead => (given.fs_read, "ctx.fs", "fs: { read: [\"notes/**\"] }"),
        Surface::Probe => (given.probe, "ctx.probe", "vcs: read"),
        Surface::Issues => (given.issues, "gh.issue.list", "github: { issues: read }"),
        Surface::Host => (given.host, "ctx.host", "host: { verbs: [host.agent.ask] }"),
        Surface::World => (given.world, "ctx.world", "world: read"),
    }
}

/// The use of a surface, at `place` in the script, when it is not granted.
pub(super) fn check(
    cx: &StoryCx<'_>,
    text: &Text,
    place: Span,
    used: &Use,
    given: &Capabilities,
) -> Option<Diagnostic> {
    let (grant, surface, how) = needs(used.surface, given);
    if grant.given {
        return None;
    }
    let (site, label) = match grant.site {
        Some(site) => (site, "this grants less"),
        None => (cx.inside(text), "this call grants nothing for it"),
    };
    let finding = RULE
        .at(place, "used here")
        .message(format!(
            "the script uses {}, which the call does not grant",
            code(surface)
        ))
        .label(site, label)
        .help(format!("grant it with {}", code(&format!("capabilities: {{ {how} }}"))));
    Some(if used.scanned {
        finding
    } else {
        finding
            .level(Level::Warning)
            .note("the Go implementation does not see this use and fails when the script gets here")
    })
}
