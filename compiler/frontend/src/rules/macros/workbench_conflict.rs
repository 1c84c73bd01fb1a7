//! `workbench-conflict`: a workbench in a room that writes `write_mode`, `agent_off_ramp` or `default_intent` (`macros` 3.2).

use kitsoki_syntax::Span;

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-conflict",
    level: Level::Error,
    summary: "a `workbench` beside a key that it sets itself",
    fixable: Fixable::Never,
};

/// `word` stands at `key` in the room of a workbench.
pub(crate) fn at(key: Span, word: &str, bench: Span) -> Diagnostic {
    let finding = RULE
        .at(key, "written here, and set by the workbench")
        .message(format!("{} cannot stand beside a workbench", code(word)))
        .label(bench, "the workbench");
    match word {
        "agent_off_ramp" => finding.help("name the agent of the off-ramp in `workbench.off_ramp_agent`"),
        "default_intent" => finding.help("remove it: free text goes to the intent that the workbench makes"),
        _ => finding.help("remove it: a workbench room is `read_only`, and its agent asks before it writes"),
    }
}
