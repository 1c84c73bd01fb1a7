//! The effect class of each handler and operation (`hosts` 10).

use std::fmt;

/// What a call may change, from nothing to the world outside of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing.
    Pure,
    /// Nothing, but it looks around.
    Read,
    /// Files, stores, an editor: things of this machine.
    Write,
    /// Things that others see and that cannot be undone here.
    External,
}

impl Effect {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Read => "read",
            Self::Write => "write",
            Self::External => "external",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A class, and whether the same call in the same world gives the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classified {
    /// What it may change.
    pub effect: Effect,
    /// Whether it can be repeated.
    pub deterministic: bool,
}

const fn of(effect: Effect, deterministic: bool) -> Classified {
    Classified { effect, deterministic }
}

const READ: Classified = of(Effect::Read, true);
const LOOK: Classified = of(Effect::Read, false);
const WRITE: Classified = of(Effect::Write, true);
const WORK: Classified = of(Effect::Write, false);
const OUT: Classified = of(Effect::External, false);

/// The class of a call: of the operation when the handler's row names it, else of the handler. A name without a row may do
/// anything, so it counts as external. A suffixed name has no row; resolve it first, as
/// [`Registry::classify`](crate::Registry::classify) does.
pub fn classify(handler: &str, op: &str) -> Classified {
    let by_operation = match handler {
        "host.git" => git(op),
        "host.gh.ticket" | "host.local_github.ticket" => remote_ticket(op, false),
        "host.ticket_federation" => remote_ticket(op, true),
        "host.local_files.ticket" => local_ticket(op),
        "host.local" => (op == "remote_status").then_some(LOOK),
        "host.capsule_workspace" => (op == "get").then_some(READ),
        "host.cypilot_artifacts" => matches!(op, "list" | "get" | "validate").then_some(READ),
        "host.graph" => matches!(op, "query" | "apply" | "propose" | "authorize" | "withdraw").then_some(WRITE),
        "host.demo" => match op {
            "create" => Some(WRITE),
            "doctor" => Some(READ),
            _ => None,
        },
        _ => None,
    };
    by_operation.unwrap_or_else(|| by_handler(handler))
}

fn git(op: &str) -> Option<Classified> {
    match op {
        "diff" => Some(READ),
        "pr_status" => Some(LOOK),
        "push" | "open_pr" | "pr_comment" => Some(OUT),
        _ => None,
    }
}

fn remote_ticket(op: &str, federated: bool) -> Option<Classified> {
    match op {
        "search" | "get" | "list_mine" => Some(LOOK),
        "comment_reactions" if federated => Some(LOOK),
        _ => None,
    }
}

fn local_ticket(op: &str) -> Option<Classified> {
    matches!(op, "search" | "get" | "list_mine").then_some(READ)
}

fn by_handler(handler: &str) -> Classified {
    match handler {
        "host.workspace_manager.get"
        | "host.agent.search"
        | "host.chat.resolve"
        | "host.chat.list"
        | "host.chat.transcript"
        | "host.chat.resolve_ref"
        | "host.fs.writable_dir"
        | "host.ide.get_diagnostics"
        | "host.ide.get_selection"
        | "host.ide.get_open_editors"
        | "host.punch.verify"
        | "host.tour.plan"
        | "host.tour.validate"
        | "host.graph" => READ,
        "host.agent.ask" | "host.agent.extract" | "host.agent.decide" | "host.chat.suggest_title" => LOOK,
        "host.jobs.answer_clarification"
        | "host.chat.fork"
        | "host.chat.archive"
        | "host.chat.create"
        | "host.chat.rename"
        | "host.git_worktree"
        | "host.capsule_workspace"
        | "host.append_to_file"
        | "host.artifacts_dir"
        | "host.inbox.add"
        | "host.ide.open_file"
        | "host.ide.open_diff"
        | "host.diff.open"
        | "host.starlark.run"
        | "host.corpus.prove"
        | "host.corpus.freeze_receipt"
        | "host.proposal.publish"
        | "host.dev.profile_setup"
        | "host.dev.onboarding"
        | "host.decomposition.update"
        | "host.slidey.render"
        | "host.contact_sheet"
        | "host.video.frame"
        | "host.git"
        | "host.local_files.ticket"
        | "host.cypilot_artifacts" => WRITE,
        "host.run"
        | "host.agent.task"
        | "host.agent.converse"
        | "host.agent.codeact"
        | "host.chat.drive"
        | "host.capsule_ci.project_checks"
        | "host.local"
        | "host.demo" => WORK,
        _ => OUT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_win_over_their_handler() {
        for (handler, op, want) in [
            ("host.git", "diff", READ),
            ("host.git", "commit", WRITE),
            ("host.git", "nonsense", WRITE),
            ("host.git", "push", OUT),
            ("host.git.diff", "", OUT),
            ("host.local", "build", WORK),
            ("host.local_files.ticket", "assign", WRITE),
            ("host.gh.ticket", "get", LOOK),
            ("host.gh.ticket", "comment_reactions", OUT),
            ("host.ticket_federation", "comment_reactions", LOOK),
            ("host.graph", "find", READ),
            ("host.graph", "apply", WRITE),
            ("host.demo", "record", WORK),
            ("host.run", "", WORK),
            ("host.nobody", "", OUT),
        ] {
            assert_eq!(classify(handler, op), want, "{handler} {op}");
        }
    }
}
