//! The built-in names that this version does not carry out: they are known, and they say so.

use crate::call::{Answer, Call, Failure, Kind};
use crate::registry::Registry;

/// Built-in names without a handler of their own.
const NAMES: &[&str] = &[
    "host.agent.ask",
    "host.agent.extract",
    "host.agent.decide",
    "host.agent.task",
    "host.agent.converse",
    "host.agent.codeact",
    "host.agent.search",
    "host.append_to_file",
    "host.artifacts_dir",
    "host.bakeoff.run",
    "host.capsule_ci.project_checks",
    "host.capsule_workspace",
    "host.chat.archive",
    "host.chat.create",
    "host.chat.drive",
    "host.chat.fork",
    "host.chat.list",
    "host.chat.rename",
    "host.chat.resolve",
    "host.chat.resolve_ref",
    "host.chat.suggest_title",
    "host.chat.transcript",
    "host.contact_sheet",
    "host.corpus.freeze_receipt",
    "host.corpus.prove",
    "host.cypilot_artifacts",
    "host.decomposition.update",
    "host.demo",
    "host.dev.onboarding",
    "host.dev.profile_setup",
    "host.diff.open",
    "host.fs.writable_dir",
    "host.gh.ticket",
    "host.git",
    "host.git_worktree",
    "host.graph",
    "host.ide.get_diagnostics",
    "host.ide.get_open_editors",
    "host.ide.get_selection",
    "host.ide.open_diff",
    "host.ide.open_file",
    "host.inbox.add",
    "host.jobs.answer_clarification",
    "host.local",
    "host.local_files.ticket",
    "host.local_github.ticket",
    "host.product_journey.run",
    "host.proposal.publish",
    "host.punch.verify",
    "host.session_mining.run",
    "host.slidey.render",
    "host.starlark.run",
    "host.ticket_federation",
    "host.tour.plan",
    "host.tour.validate",
    "host.transport.post",
    "host.ui_qa.run",
    "host.video.frame",
    "host.workspace_manager.get",
];

/// Registers what no family has registered.
pub(super) fn register(registry: &mut Registry) {
    for name in NAMES {
        if registry.resolve(name).is_none_or(|r| !r.suffix.is_empty()) {
            registry.replace(*name, call);
        }
    }
}

fn call(call: &Call<'_>) -> Answer {
    let text = format!(
        "{}: not available in this version of kitsoki; stub it in fixtures, or give the effect an on_error",
        call.handler
    );
    Err(Failure::domain(Kind::NotImplemented, text))
}
