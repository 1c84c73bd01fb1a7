//! How far each host verb reaches by itself (`hosts` 10): the static class that events carry and that the gate starts from.
//!
//! What is not in the table is external and not deterministic: nobody knows it.

use kitsoki_expr::{Map, Value};
use kitsoki_ir::EffectClass::{self, External, Pure, Read, Write};

/// What is known of a verb without calling it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerbClass {
    /// How far it reaches.
    pub effect: EffectClass,
    /// Whether the same arguments give the same answer.
    pub deterministic: bool,
}

const UNKNOWN: VerbClass = VerbClass {
    effect: External,
    deterministic: false,
};

/// Verbs with one class: name, class, deterministic.
const VERBS: &[(&str, EffectClass, bool)] = &[
    ("host.workspace_manager.get", Read, true),
    ("host.run", Write, false),
    ("host.agent.ask", Read, false),
    ("host.agent.extract", Read, false),
    ("host.agent.decide", Read, false),
    ("host.agent.task", Write, false),
    ("host.agent.converse", Write, false),
    ("host.agent.codeact", Write, false),
    ("host.agent.search", Read, true),
    ("host.transport.post", External, false),
    ("host.jobs.answer_clarification", Write, true),
    ("host.chat.resolve", Read, true),
    ("host.chat.list", Read, true),
    ("host.chat.transcript", Read, true),
    ("host.chat.fork", Write, true),
    ("host.chat.archive", Write, true),
    ("host.chat.create", Write, true),
    ("host.chat.rename", Write, true),
    ("host.chat.suggest_title", Read, false),
    ("host.chat.resolve_ref", Read, true),
    ("host.chat.drive", Write, false),
    ("host.git_worktree", Write, true),
    ("host.capsule_ci.project_checks", Write, false),
    ("host.append_to_file", Write, true),
    ("host.artifacts_dir", Write, true),
    ("host.inbox.add", Write, true),
    ("host.fs.writable_dir", Read, true),
    ("host.ide.get_diagnostics", Read, true),
    ("host.ide.get_selection", Read, true),
    ("host.ide.get_open_editors", Read, true),
    ("host.ide.open_file", Write, true),
    ("host.ide.open_diff", Write, true),
    ("host.diff.open", Write, true),
    ("host.starlark.run", Write, true),
    ("host.corpus.prove", Write, true),
    ("host.corpus.freeze_receipt", Write, true),
    ("host.punch.verify", Read, true),
    ("host.proposal.publish", Write, true),
    ("host.dev.profile_setup", Write, true),
    ("host.dev.onboarding", Write, true),
    ("host.decomposition.update", Write, true),
    ("host.tour.plan", Read, true),
    ("host.tour.validate", Read, true),
    ("host.product_journey.run", External, false),
    ("host.bakeoff.run", External, false),
    ("host.session_mining.run", External, false),
    ("host.ui_qa.run", External, false),
    ("host.slidey.render", Write, true),
    ("host.contact_sheet", Write, true),
    ("host.video.frame", Write, true),
];

/// One operation of a verb: its name, class, deterministic.
type Op = (&'static str, EffectClass, bool);

/// Operations of the ticket handlers that talk to a service.
const REMOTE_TICKETS: &[Op] = &[
    ("create", External, false),
    ("search", Read, false),
    ("get", Read, false),
    ("comment", External, false),
    ("comment_edit", External, false),
    ("comment_reactions", Read, false),
    ("transition", External, false),
    ("list_mine", Read, false),
];

/// Verbs whose class depends on `op`: name, class without a known operation, operations.
const FAMILIES: &[(&str, EffectClass, bool, &[Op])] = &[
    (
        "host.capsule_workspace",
        Write,
        true,
        &[
            ("get", Read, true),
            ("create", Write, true),
            ("commit", Write, true),
            ("close", Write, true),
        ],
    ),
    (
        "host.git",
        Write,
        true,
        &[
            ("branch", Write, true),
            ("diff", Read, true),
            ("commit", Write, true),
            ("push", External, false),
            ("open_pr", External, false),
            ("pr_status", Read, false),
            ("pr_comment", External, false),
        ],
    ),
    ("host.gh.ticket", External, false, REMOTE_TICKETS),
    (
        "host.local_files.ticket",
        Write,
        true,
        &[
            ("search", Read, true),
            ("get", Read, true),
            ("comment", Write, true),
            ("transition", Write, true),
            ("list_mine", Read, true),
        ],
    ),
    ("host.local_github.ticket", External, false, REMOTE_TICKETS),
    ("host.ticket_federation", External, false, REMOTE_TICKETS),
    (
        "host.local",
        Write,
        false,
        &[
            ("run_tests", Write, false),
            ("build", Write, false),
            ("remote_status", Read, false),
        ],
    ),
    (
        "host.cypilot_artifacts",
        Write,
        true,
        &[
            ("list", Read, true),
            ("get", Read, true),
            ("create", Write, true),
            ("validate", Read, true),
            ("decompose", Write, true),
        ],
    ),
    (
        "host.graph",
        Read,
        true,
        &[
            ("load", Read, true),
            ("lint", Read, true),
            ("diff", Read, true),
            ("query", Write, true),
            ("project", Read, true),
            ("apply", Write, true),
            ("presentation", Read, true),
            ("propose", Write, true),
            ("authorize", Write, true),
            ("withdraw", Write, true),
        ],
    ),
    (
        "host.demo",
        Write,
        false,
        &[
            ("create", Write, true),
            ("record", Write, false),
            ("doctor", Read, true),
        ],
    ),
];

/// The class of a verb with these arguments, as events say it: by the whole name, so that a suffixed one (`host.git.diff`)
/// is unknown.
#[must_use]
pub fn class(verb: &str, args: &Map) -> VerbClass {
    let op = args.get("op").and_then(Value::as_str).unwrap_or_default();
    classify(verb, op).unwrap_or(UNKNOWN)
}

/// The class that the gate judges by: a suffix counts as the operation, but one in the arguments wins, as it does where
/// handlers are found. An operation that the table does not know reaches as far as any of its family.
#[must_use]
pub fn gate_class(verb: &str, args: &Map) -> EffectClass {
    let given = args.get("op").and_then(Value::as_str).unwrap_or_default();
    if let Some(found) = furthest(verb, given) {
        return found;
    }
    let found = verb
        .rsplit_once('.')
        .and_then(|(family, suffix)| furthest(family, if given.is_empty() { suffix } else { given }));
    found.unwrap_or(UNKNOWN.effect)
}

/// The class of an operation; of one that is named but unknown, the furthest of the family.
fn furthest(verb: &str, op: &str) -> Option<EffectClass> {
    let found = classify(verb, op)?.effect;
    let unknown = FAMILIES
        .iter()
        .find(|(name, _, _, ops)| *name == verb && !op.is_empty() && !ops.iter().any(|(name, ..)| *name == op));
    Some(unknown.map_or(found, |(_, effect, _, ops)| {
        ops.iter().fold(*effect, |most, (_, effect, _)| most.max(*effect))
    }))
}

/// The class of a tool that a call gives its agent; an unknown one reaches outside.
#[must_use]
pub fn tool_class(name: &str) -> EffectClass {
    let bare = name.strip_prefix("host.").unwrap_or(name).to_ascii_lowercase();
    match bare.as_str() {
        "read" | "grep" | "glob" | "notebookread" | "todoread" | "todowrite" => Read,
        "write" | "edit" | "multiedit" | "notebookedit" | "bash" | "mcp__kitsoki-bash__bash" => Write,
        "mcp__validator__submit" | "mcp__operator__ask" => Pure,
        _ => External,
    }
}

fn classify(verb: &str, op: &str) -> Option<VerbClass> {
    if let Some((_, effect, deterministic)) = VERBS.iter().find(|(name, ..)| *name == verb) {
        return Some(VerbClass {
            effect: *effect,
            deterministic: *deterministic,
        });
    }
    let (_, effect, deterministic, ops) = FAMILIES.iter().find(|(name, ..)| *name == verb)?;
    let known = ops.iter().find(|(name, ..)| *name == op);
    Some(known.map_or(
        VerbClass {
            effect: *effect,
            deterministic: *deterministic,
        },
        |(_, effect, deterministic)| VerbClass {
            effect: *effect,
            deterministic: *deterministic,
        },
    ))
}

/// Whether a verb runs an agent that may change things: its reach is that of the agent.
#[must_use]
pub fn runs_agent(verb: &str) -> bool {
    matches!(verb, "host.agent.task" | "host.agent.converse" | "host.agent.codeact")
}

/// Whether a class may change something.
#[must_use]
pub fn mutates(class: EffectClass) -> bool {
    !matches!(class, Pure | Read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::map;

    #[test]
    fn an_operation_decides_and_a_suffix_is_unknown_to_events_only() {
        let push = map([("op", Value::text("push"))]);
        assert_eq!(class("host.git", &push).effect, External);
        assert_eq!(class("host.git.diff", &Map::new()), UNKNOWN);
        assert_eq!(gate_class("host.git.diff", &Map::new()), Read);
        assert_eq!(gate_class("host.git.push", &Map::new()), External);
        assert_eq!(gate_class("host.nobody.knows", &Map::new()), External);
    }

    #[test]
    fn an_operation_in_the_arguments_wins_over_the_suffix_and_an_unknown_one_reaches_far() {
        let op = |name: &str| map([("op", Value::text(name))]);
        assert_eq!(gate_class("host.git.diff", &op("push")), External);
        assert_eq!(gate_class("host.git.diff", &op("")), Read);
        assert_eq!(gate_class("host.git", &op(" push")), External);
        assert_eq!(gate_class("host.git", &Map::new()), Write);
        assert_eq!(gate_class("host.graph.rewrite", &Map::new()), Write);
        assert_eq!(gate_class("host.run.anything", &Map::new()), Write);
    }

    #[test]
    fn tools_have_classes() {
        assert_eq!(
            ["Read", "host.Bash", "WebFetch"].map(tool_class),
            [Read, Write, External]
        );
    }
}
