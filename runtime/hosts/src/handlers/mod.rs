//! One module per family of handlers.

mod absent;
pub(crate) mod agent;
mod append;
mod artifacts;
mod chat;
mod dev;
mod editor;
mod git;
mod github;
mod graph;
mod issue_file;
mod local_ci;
mod media;
mod messages;
mod places;
mod punch;
mod run;
mod scripts;
pub(crate) mod starlark;
mod stub;
#[cfg(test)]
mod testing;
mod tickets;

use crate::call::{Answer, Call};
use crate::registry::Registry;

/// A handler as a plain function.
type Function = fn(&Call<'_>) -> Answer;

/// The handlers of this version.
const HANDLERS: &[(&str, Function)] = &[
    ("host.agent.ask", agent::ask),
    ("host.agent.codeact", agent::codeact),
    ("host.agent.converse", agent::converse),
    ("host.agent.decide", agent::decide),
    ("host.agent.extract", agent::extract),
    ("host.agent.search", agent::search),
    ("host.agent.task", agent::task),
    ("host.chat.archive", chat::archive),
    ("host.chat.create", chat::create),
    ("host.chat.drive", chat::drive),
    ("host.chat.fork", chat::fork),
    ("host.chat.list", chat::list),
    ("host.chat.rename", chat::rename),
    ("host.chat.resolve", chat::resolve),
    ("host.chat.resolve_ref", chat::resolve_ref),
    ("host.chat.suggest_title", chat::suggest_title),
    ("host.chat.transcript", chat::transcript),
    ("host.append_to_file", append::call),
    ("host.artifacts_dir", artifacts::call),
    ("host.bakeoff.run", scripts::bakeoff),
    ("host.capsule_workspace", absent::capsule_workspace),
    ("host.contact_sheet", media::contact_sheet),
    ("host.corpus.freeze_receipt", absent::corpus_freeze_receipt),
    ("host.corpus.prove", absent::corpus_prove),
    ("host.cypilot_artifacts", absent::cypilot),
    ("host.decomposition.update", absent::decomposition),
    ("host.demo", absent::demo),
    ("host.product_journey.run", scripts::product_journey),
    ("host.punch.verify", punch::verify),
    ("host.session_mining.run", scripts::session_mining),
    ("host.slidey.render", media::slidey),
    ("host.tour.plan", absent::tour_plan),
    ("host.tour.validate", absent::tour_validate),
    ("host.ui_qa.run", scripts::ui_qa),
    ("host.video.frame", media::video_frame),
    ("host.dev.onboarding", dev::onboarding),
    ("host.dev.profile_setup", dev::profile_setup),
    ("host.diff.open", editor::diff),
    ("host.fs.writable_dir", places::writable_dir),
    ("host.gh.ticket", github::ticket::call),
    ("host.git", git::call),
    ("host.git_worktree", git::worktree::call),
    ("host.graph", graph::call),
    ("host.ide.get_diagnostics", editor::diagnostics),
    ("host.ide.get_open_editors", editor::open_editors),
    ("host.ide.get_selection", editor::selection),
    ("host.ide.open_diff", editor::open_diff),
    ("host.ide.open_file", editor::open_file),
    ("host.inbox.add", messages::inbox_add),
    ("host.jobs.answer_clarification", messages::answer_clarification),
    ("host.local", local_ci::call),
    ("host.local_github.ticket", tickets::local_github::call),
    ("host.local_files.ticket", tickets::files::call),
    ("host.run", run::call),
    ("host.starlark.run", starlark::call),
    ("host.ticket_federation", tickets::federation::call),
    ("host.transport.post", messages::transport_post),
    ("host.workspace_manager.get", places::workspace_manager_get),
];

/// The handlers that `host.ticket_federation` may call.
const TICKET_PROVIDERS: [&str; 3] = ["host.local_files.ticket", "host.local_github.ticket", "host.gh.ticket"];

/// Registers every built-in name (`hosts` 3).
pub(crate) fn register(registry: &mut Registry) {
    for (name, handler) in HANDLERS {
        registry.replace(*name, *handler);
    }
    stub::register(registry);
    for name in TICKET_PROVIDERS {
        registry.mark_ticket_provider(name);
    }
}
