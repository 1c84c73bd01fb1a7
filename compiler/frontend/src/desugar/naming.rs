//! The names of what macros make (`macros` 3.3, 4.2, 7; `language` 1.7). They are part of the output: fixtures use them.

use smol_str::{SmolStr, format_smolstr};

/// World key of a workbench's request, when the author names none.
pub(crate) fn workbench_request(room: &str) -> SmolStr {
    format_smolstr!("{room}_request")
}

/// World key of a workbench's note. `prefix` is that of the imports around the room.
pub(super) fn workbench_note(prefix: &str, room: &str) -> SmolStr {
    format_smolstr!("{prefix}{room}_note")
}

/// Intent that feeds a workbench.
pub(super) fn workbench_capture(prefix: &str, room: &str) -> SmolStr {
    format_smolstr!("{prefix}{room}_capture")
}

/// World key that a workbench's task takes for its folder; the story declares it.
pub(super) fn workdir(prefix: &str) -> SmolStr {
    format_smolstr!("{prefix}workdir")
}

/// Intent of a capturing off-ramp. It carries no prefix of imports.
pub(super) fn discuss(room: &str) -> SmolStr {
    format_smolstr!("{room}_discuss")
}

/// Room of a standalone exit.
pub(super) fn exit_state(exit: &str) -> SmolStr {
    format_smolstr!("__exit__{exit}")
}

/// The built-in story-authoring room.
pub(super) const AUTHORING_ROOM: &str = "story_authoring";
/// Its world keys.
pub(super) const AUTHORING_REQUEST: &str = "story_authoring_request";
/// See [`AUTHORING_REQUEST`].
pub(super) const AUTHORING_NOTE: &str = "story_authoring_note";
/// See [`AUTHORING_REQUEST`].
pub(super) const AUTHORING_RETURN: &str = "story_authoring_return_state";
/// The intent that leads there from every room.
pub(super) const AUTHOR_STORY: &str = "author_story";
/// The room's own intents.
pub(super) const AUTHORING_CAPTURE: &str = "story_authoring_capture";
/// See [`AUTHORING_CAPTURE`].
pub(super) const RETURN_TO_STORY: &str = "return_to_story";
/// See [`AUTHORING_CAPTURE`].
pub(super) const CLEAR_AUTHORING: &str = "clear_story_authoring";

/// The verb that a workbench and the authoring room call.
pub(super) const AGENT_TASK: &str = "host.agent.task";
