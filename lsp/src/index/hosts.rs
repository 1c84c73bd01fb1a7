//! The host verbs that an engine brings: arguments, what they give, and what they do to the world (`hosts` 8).

/// One verb, or one operation of a verb.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verb {
    /// Its name.
    pub name: &'static str,
    /// Its arguments; those with a star must be given.
    pub arguments: &'static [&'static str],
    /// The keys of its result that are bound.
    pub results: &'static [&'static str],
    /// `read`, `write` or `external`.
    pub effect: &'static str,
    /// A sentence.
    pub doc: &'static str,
}

impl Verb {
    /// The arguments without their stars, with whether they must be given.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static str, bool)> {
        self.arguments
            .iter()
            .map(|a| a.strip_suffix('*').map_or((*a, false), |name| (name, true)))
    }

    /// `host.git(op*, workdir)`.
    #[must_use]
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.arguments.join(", "))
    }
}

macro_rules! verbs {
    ($($name:literal ($($argument:literal),*) -> ($($result:literal),*) $effect:literal $doc:literal;)*) => {
        /// Every verb, sorted by family.
        pub const VERBS: &[Verb] = &[$(Verb {
            name: $name,
            arguments: &[$($argument),*],
            results: &[$($result),*],
            effect: $effect,
            doc: $doc,
        }),*];
    };
}

verbs! {
    "host.run" ("cmd*", "args", "script", "cwd", "timeout", "fail_on_error") -> ("stdout", "stdout_json", "exit_code", "ok") "write" "Runs a program and gives what it printed.";
    "host.starlark.run" ("script*", "inputs", "capabilities") -> ("outputs") "write" "Runs a script of the story in a sandbox.";
    "host.agent.ask" ("prompt", "prompt_path", "agent", "schema", "args") -> ("stdout", "submitted", "exit_code", "ok") "read" "Asks an agent a question; nothing is changed.";
    "host.agent.extract" ("input*", "schema*", "resolvers*", "agent") -> ("submitted", "resolved_by") "read" "Takes structured values out of a text.";
    "host.agent.decide" ("schema*", "prompt", "prompt_path", "agent", "args") -> ("submitted", "rationale", "ok") "read" "Lets an agent decide between the values of a schema.";
    "host.agent.task" ("agent*", "acceptance*", "prompt", "prompt_path", "working_dir", "context", "sandbox") -> ("submitted", "files_changed", "final_diff") "write" "Lets an agent work until its answer fits the acceptance schema.";
    "host.agent.converse" ("question*", "agent", "chat_id") -> ("answer", "session_id", "chat_id") "write" "Continues a conversation with an agent.";
    "host.agent.codeact" ("agent*", "goal*", "budget", "capabilities", "schema", "world", "working_dir") -> ("terminated", "payload", "steps") "write" "Lets an agent work by small scripts within a budget.";
    "host.agent.search" ("query*", "corpus*", "top_k", "min_score", "chunk") -> ("hits", "top") "read" "Finds the passages of a corpus that are nearest to a query.";
    "host.chat.resolve" ("app*", "room*", "scope_key", "title") -> ("chat_id", "title", "status", "is_new") "write" "Finds the chat of a room, or makes it.";
    "host.chat.create" ("app*", "room*", "scope_key", "title") -> ("chat_id", "title") "write" "Makes a chat.";
    "host.chat.list" ("app*", "room*", "scope_key") -> ("rendered", "chats", "count") "read" "Lists the chats of a room.";
    "host.chat.transcript" ("chat_id*", "since_seq", "max_turns") -> ("rendered", "messages", "latest_seq", "title") "read" "Gives what was said in a chat.";
    "host.chat.fork" ("chat_id*", "title") -> ("chat_id", "parent_chat_id", "title") "write" "Copies a chat.";
    "host.chat.archive" ("chat_id*") -> ("chat_id", "archived") "write" "Puts a chat away.";
    "host.chat.rename" ("chat_id*", "title*") -> ("chat_id", "title", "renamed") "write" "Gives a chat another title.";
    "host.chat.suggest_title" ("chat_id*", "force") -> ("chat_id", "title", "renamed") "write" "Lets a model find a title.";
    "host.chat.resolve_ref" ("app*", "room*", "ref*", "scope_key", "skip_llm") -> ("chat_id", "title", "kind") "read" "Finds the chat that a text means.";
    "host.chat.drive" ("chat_id", "chat_ref", "payload*", "transport", "thread", "actor", "await") -> ("drive_id", "chat_id") "write" "Sends a message into a chat.";
    "host.transport.post" ("transport*", "thread*", "title", "body", "phase_id", "bot_marker") -> ("message_id") "external" "Posts a message outside.";
    "host.append_to_file" ("thread*", "body*", "author", "title", "phase_id", "workdir") -> ("ok", "message_id") "write" "Appends a comment to a file.";
    "host.artifacts_dir" ("thread*", "body", "title", "mode", "src_path", "kind", "label", "phase_id", "artifacts_root") -> ("ok", "path", "message_id", "handle") "write" "Writes an artifact of the session.";
    "host.inbox.add" ("title*", "body*", "kind", "thread", "state") -> ("ok", "id", "persisted") "write" "Leaves a note for the operator.";
    "host.jobs.answer_clarification" ("job_id*", "answer*") -> ("job_id", "answered") "write" "Answers the question of a job.";
    "host.fs.writable_dir" ("path*", "fallback*") -> ("path", "used_fallback") "read" "Finds a folder that can be written.";
    "host.local_files.ticket" ("op*", "root", "query", "id", "body", "to", "assignee", "filter", "limit") -> ("tickets", "ok", "provider_errors") "write" "Tickets as files of a folder.";
    "host.local_github.ticket" ("op*", "root", "repo", "query", "id", "body", "to", "assignee", "filter") -> ("tickets", "ok", "provider_errors") "external" "Tickets of a folder and of GitHub together.";
    "host.gh.ticket" ("op*", "repo", "query", "id", "title", "body", "to", "assignee", "filter") -> ("tickets", "ok", "provider_errors") "external" "Tickets of GitHub.";
    "host.ticket_federation" ("op*", "sources*", "ref", "query", "id") -> ("tickets", "source_groups", "provider_errors") "external" "Tickets of several sources.";
    "host.git" ("op*", "workdir", "name", "base", "message", "stage_all", "files", "remote", "title", "body", "draft", "repo", "pr_id") -> ("ok", "branch", "diff", "sha", "url", "pr_id") "write" "Version control: branch, diff, commit, push, open_pr and more.";
    "host.local" ("op*", "workdir", "test_cmd", "build_cmd", "target") -> ("ok", "passed", "failed", "log") "write" "Runs the tests or the build here.";
    "host.git_worktree" ("op*", "repo", "id", "name", "base") -> ("ok", "id", "path", "branch") "write" "Working copies beside each other.";
    "host.capsule_workspace" ("op*", "repo", "id", "owner", "definition") -> ("ok", "id", "path", "branch", "state") "write" "Workspaces in capsules.";
    "host.capsule_ci.project_checks" ("workdir", "job_id", "pipeline") -> ("ok", "checks", "evidence", "verdict") "write" "Runs the checks of a project.";
    "host.cypilot_artifacts" ("op*") -> ("ok") "write" "Artifacts of a pilot run.";
    "host.graph" ("op*") -> ("ok") "write" "The graph of objects of a project.";
    "host.demo" ("op*") -> ("ok") "read" "Answers for demonstrations.";
    "host.ide.get_diagnostics" ("path") -> ("connected", "diagnostics") "read" "What the editor says about a file.";
    "host.ide.get_selection" () -> ("connected", "file", "text", "range") "read" "What is selected in the editor.";
    "host.ide.get_open_editors" () -> ("connected", "editors") "read" "What is open in the editor.";
    "host.ide.open_file" ("path", "range") -> ("connected", "ok") "write" "Opens a file in the editor.";
    "host.ide.open_diff" ("path", "new_text", "new_text_path", "title") -> ("connected", "ok", "verdict") "write" "Shows a change in the editor.";
    "host.diff.open" ("path", "paths", "new_text", "base", "title") -> ("surface", "reviewed", "verdict") "write" "Shows a change for review.";
    "host.slidey.render" ("spec", "out") -> ("ok", "path") "write" "Renders slides.";
    "host.contact_sheet" ("paths", "out") -> ("ok", "path") "write" "Puts pictures on one sheet.";
    "host.video.frame" ("path", "at", "out") -> ("ok", "path") "write" "Takes a frame of a video.";
    "host.workspace_manager.get" ("workspace_id") -> () "read" "Asks the workspace manager.";
    "host.punch.verify" () -> ("ok") "read" "Verifies a punch list.";
    "host.proposal.publish" () -> ("ok") "external" "Publishes a proposal.";
    "host.dev.profile_setup" () -> ("ok") "write" "Sets a developer's profile up.";
    "host.dev.onboarding" () -> ("ok") "write" "Takes a developer on board.";
    "host.decomposition.update" () -> ("ok") "write" "Updates a decomposition.";
    "host.tour.plan" () -> ("ok") "read" "Plans a tour.";
    "host.tour.validate" () -> ("ok") "read" "Validates a tour.";
    "host.product_journey.run" () -> ("ok") "write" "Runs a product journey.";
    "host.bakeoff.run" () -> ("ok") "write" "Runs a comparison.";
    "host.session_mining.run" () -> ("ok") "read" "Mines sessions.";
    "host.ui_qa.run" () -> ("ok") "write" "Checks a user interface.";
    "host.corpus.prove" () -> ("ok") "read" "Proves a corpus.";
    "host.corpus.freeze_receipt" () -> ("ok") "write" "Freezes a receipt.";
}

/// The verb that answers a call: of the same name, or the one that it is an operation of.
#[must_use]
pub fn find(name: &str) -> Option<&'static Verb> {
    let mut head = name;
    loop {
        if let Some(verb) = VERBS.iter().find(|v| v.name == head) {
            return Some(verb);
        }
        head = head.rsplit_once('.')?.0;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_answered_by_its_verb() {
        assert_eq!(find("host.git.commit").unwrap().name, "host.git");
        assert_eq!(find("host.run").unwrap().name, "host.run");
        assert_eq!(find("host.nope"), None);
    }

    #[test]
    fn classes_are_words_of_the_language() {
        for verb in VERBS {
            assert!(super::super::language::CLASSES.contains(&verb.effect), "{}", verb.name);
        }
    }
}
