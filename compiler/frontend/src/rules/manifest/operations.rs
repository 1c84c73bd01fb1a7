//! Operation policies (`language` D46, 3.15).

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const ID_BLANK: Rule = rule("operation-id-blank", "an operation with a blank name");
pub(crate) const NULL: Rule = rule("operation-null", "an operation without a body");
pub(crate) const MODE_UNKNOWN: Rule = rule("operation-mode-unknown", "an operation without a known mode");
pub(crate) const EXECUTION_MODE_UNKNOWN: Rule = rule(
    "operation-execution-mode-unknown",
    "an unknown execution mode of an operation",
);
pub(crate) const REASON_UNKNOWN: Rule = rule("operation-reason-unknown", "an unknown reason to stop or pause");

/// `terminal_artifact` or `phase_summary.from` names no world key. Found with the other uses of the key.
pub(crate) const ARTIFACT_UNKNOWN: Rule = Rule {
    id: "operation-artifact-unknown",
    level: Level::Warning,
    summary: "an operation names a world key that does not exist",
    fixable: Fixable::Sometimes,
};

const fn rule(id: &'static str, summary: &'static str) -> Rule {
    Rule {
        id,
        level: Level::Error,
        summary,
        fixable: Fixable::Sometimes,
    }
}

pub(crate) const MODES: [&str; 3] = ["interactive", "autonomous", "supervised"];
pub(crate) const EXECUTION_MODES: [&str; 2] = ["one-shot", "staged"];
pub(crate) const REASONS: [&str; 9] = [
    "needs-human",
    "uncertain",
    "gate-failed",
    "host-error",
    "conflict",
    "budget-exhausted",
    "policy-denied",
    "operator-ask",
    "protected-branch-approval",
];

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    for entry in cx
        .story
        .manifest
        .operations
        .value()
        .into_iter()
        .flat_map(|o| o.entries.iter())
    {
        if entry.name.is_blank() {
            out.push(
                ID_BLANK
                    .at(entry.name.span, "no name")
                    .message("an operation needs a name"),
            );
        } else if entry.null {
            out.push(
                NULL.at(entry.name.span, "nothing stands behind it")
                    .message(format!("the operation {} has no body", code(entry.name.as_str())))
                    .help("write at least its `mode`"),
            );
        } else {
            policy(cx, &entry.name, &entry.value, out);
        }
    }
}

fn policy(cx: &StoryCx<'_>, name: &Text, operation: &Operation, out: &mut Vec<Diagnostic>) {
    let known = |word: &Text, words: &[&str]| words.contains(&word.text.trim());
    match &operation.mode {
        None => out.push(
            MODE_UNKNOWN
                .at(name.span, "no mode")
                .message(format!("the operation {} has no `mode`", code(name.as_str())))
                .help("write `interactive`, `autonomous` or `supervised`"),
        ),
        Some(mode) if known(&mode.value, &MODES) => {}
        Some(mode) => out.push(unknown_word(
            cx,
            &MODE_UNKNOWN,
            &mode.value,
            "mode of an operation",
            &MODES,
        )),
    }
    if let Some(mode) = operation
        .execution_mode
        .as_ref()
        .filter(|m| !m.is_blank() && !known(&m.value, &EXECUTION_MODES))
    {
        out.push(unknown_word(
            cx,
            &EXECUTION_MODE_UNKNOWN,
            &mode.value,
            "execution mode",
            &EXECUTION_MODES,
        ));
    }
    let reasons = [&operation.stop_on, &operation.pause_on].into_iter().flatten();
    for reason in reasons.flat_map(|r| r.iter()).filter(|r| !known(r, &REASONS)) {
        out.push(unknown_word(
            cx,
            &REASON_UNKNOWN,
            reason,
            "reason to stop or pause",
            &REASONS,
        ));
    }
}
