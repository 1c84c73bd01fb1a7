//! The tables of flow fixtures and cassettes: where they name what a story declares.

use super::schema::{Decl, Files, Keys, Kind, Role, Sem, Ty};

const TEXT: Ty = Ty::Text(Sem::Free);
const FREE: Ty = Ty::Any(Sem::Free);
const WORLD: Ty = Ty::Map(Keys::Use(Kind::World, Role::Read), &FREE);
const STATE: Ty = Ty::Text(Sem::Name(Kind::State, Role::Read));
const VERB: Ty = Ty::Text(Sem::Verb);

/// A flow fixture.
pub static FLOW: Decl = Decl {
    kind: "a flow fixture",
    keys: &[
        ("test_kind", Ty::Text(Sem::Words(&["flow"]))),
        ("app", Ty::Text(Sem::Path(Files::Any))),
        ("initial_state", STATE),
        ("initial_world", Ty::Map(Keys::Use(Kind::World, Role::Write), &FREE)),
        ("turns", Ty::List(&Ty::Decl(&TURN))),
        ("recording", Ty::Text(Sem::Path(Files::Cassette))),
        ("mode", Ty::Text(Sem::Words(&["one-shot", "staged"]))),
        (
            "host_handlers",
            Ty::Map(Keys::Use(Kind::Host, Role::Read), &Ty::Decl(&STUB)),
        ),
        ("host_cassette", Ty::Text(Sem::Path(Files::Cassette))),
        ("strict_cassette_coverage", Ty::Flag),
        ("starlark_http_cassette", Ty::Text(Sem::Path(Files::Cassette))),
        ("starlark_inspect_cassette", Ty::Text(Sem::Path(Files::Cassette))),
        (
            "host_bindings",
            Ty::Map(
                Keys::Use(Kind::Interface, Role::Read),
                &Ty::Text(Sem::Name(Kind::Host, Role::Read)),
            ),
        ),
        ("use_orchestrator", Ty::Flag),
        ("expect_terminal", Ty::Flag),
        ("expect_events_count_atleast", Ty::Number),
        ("expect_events_count_atmost", Ty::Number),
        ("expect_no_errors", Ty::Flag),
        ("expect_world_final", WORLD),
        ("expect_operation_status", TEXT),
        (
            "expect_operation_policy",
            Ty::Text(Sem::Name(Kind::Operation, Role::Read)),
        ),
        ("expect_operation_phase", TEXT),
        ("expect_stop_reason", TEXT),
        ("expect_terminal_artifact", Ty::Text(Sem::WorldPath)),
        ("expect_files", FREE),
        ("expect_no_host_calls", Ty::List(&VERB)),
        ("acceptance", FREE),
    ],
    docs: &[
        "Always `flow`.",
        "The story; ignored.",
        "The room in which the first turn begins.",
        "Values over the defaults of the world.",
        "The turns in order.",
        "Recording for turns with free text.",
        "How turns are run.",
        "Answers of host verbs.",
        "Answers of host verbs from a file.",
        "An episode that is never used is a failure.",
        "Answers to `ctx.http`.",
        "Answers to `ctx.fs` and `ctx.probe`.",
        "Handlers of host interfaces.",
        "Run with the whole engine.",
        "The last room must be terminal.",
        "Fewest events of the run.",
        "Most events of the run.",
        "No turn may be rejected.",
        "World keys at the end.",
        "Status of the operation at the end.",
        "Policy of the operation at the end.",
        "Phase of the operation at the end.",
        "Why the operation stopped.",
        "What the operation made.",
        "Files at the end.",
        "Verbs that must not be called.",
        "Acceptance criteria.",
    ],
};

/// A turn.
pub static TURN: Decl = Decl {
    kind: "a turn",
    keys: &[
        ("intent", Ty::Decl(&TURN_INTENT)),
        ("input", TEXT),
        ("display_input", TEXT),
        ("world_override", Ty::Map(Keys::Use(Kind::World, Role::Write), &FREE)),
        ("advance_clock", Ty::Text(Sem::Duration)),
        ("expect_state", STATE),
        ("expect_not_state", STATE),
        ("expect_state_in", Ty::List(&STATE)),
        ("expect_world", WORLD),
        ("expect_world_full", WORLD),
        ("expect_world_unchanged", Ty::Flag),
        ("expect_slots", FREE),
        ("expect_events", FREE),
        ("expect_events_exact", FREE),
        ("expect_error", Ty::Decl(&TURN_ERROR)),
        ("expect_view_matches", TEXT),
        ("expect_no_view", Ty::Flag),
        ("expect_host_calls", Ty::List(&Ty::Decl(&HOST_CALL))),
        ("expect_no_host_calls", Ty::List(&VERB)),
        ("expect_inbox", FREE),
        ("expect_jobs", FREE),
    ],
    docs: &[
        "The intent that is submitted.",
        "Free text.",
        "What the history shows.",
        "World keys before the turn.",
        "Virtual time that passes.",
        "The room after the turn.",
        "A room in which the turn must not end.",
        "Rooms in which the turn may end.",
        "World keys after the turn.",
        "The whole world after the turn.",
        "Nothing may be written.",
        "Slots of the intent.",
        "Events in this order.",
        "Exactly these events.",
        "The turn must be rejected.",
        "Pattern in the view.",
        "The view is empty.",
        "Calls that must be made.",
        "Verbs that must not be called.",
        "The inbox after the turn.",
        "Jobs after the turn.",
    ],
};

static TURN_INTENT: Decl = Decl {
    kind: "a turn's intent",
    keys: &[
        ("name", Ty::Text(Sem::Name(Kind::Intent, Role::Call))),
        ("slots", Ty::Map(Keys::Slots, &FREE)),
    ],
    docs: &["Its name.", "Its slots."],
};

static TURN_ERROR: Decl = Decl {
    kind: "an expected rejection",
    keys: &[
        (
            "code",
            Ty::Text(Sem::Words(&[
                "INTENT_NOT_ALLOWED_IN_STATE",
                "INVALID_SLOT_VALUE",
                "MISSING_SLOTS",
            ])),
        ),
        (
            "allowed_contains",
            Ty::List(&Ty::Text(Sem::Name(Kind::Intent, Role::Read))),
        ),
        ("missing_slots", Ty::List(&TEXT)),
        ("guard_hint", TEXT),
    ],
    docs: &[
        "The code.",
        "Intents that are allowed instead.",
        "Slots that are missing.",
        "The hint of the guard.",
    ],
};

static HOST_CALL: Decl = Decl {
    kind: "an expected call",
    keys: &[("handler", VERB), ("args", FREE), ("times", Ty::Number)],
    docs: &["The verb.", "Arguments, as far as given.", "How often."],
};

static STUB: Decl = Decl {
    kind: "a stub",
    keys: &[
        ("data", FREE),
        ("error", TEXT),
        ("infra_error", TEXT),
        ("delay", Ty::Text(Sem::Duration)),
        ("request_clarification", TEXT),
        ("by_op", FREE),
        ("by_call", FREE),
    ],
    docs: &[
        "Result.",
        "Error of the domain.",
        "Error of the infrastructure.",
        "Time before the answer.",
        "Question of a job.",
        "Answers by operation.",
        "Answers by the `id` of the effect.",
    ],
};

/// A cassette.
pub static CASSETTE: Decl = Decl {
    kind: "a cassette",
    keys: &[
        ("kind", Ty::Text(Sem::Words(&["host_cassette"]))),
        ("app_id", TEXT),
        ("app_version", TEXT),
        ("source_run", TEXT),
        ("generated_at", TEXT),
        ("match_on", FREE),
        ("record_mode", Ty::Text(Sem::Words(&["none", "new_episodes"]))),
        ("phase_from", TEXT),
        ("episodes", Ty::List(&Ty::Decl(&EPISODE))),
    ],
    docs: &[
        "Always `host_cassette`.",
        "The story's id.",
        "The story's version.",
        "Where it was recorded.",
        "When it was recorded.",
        "Informative.",
        "Whether missing episodes are recorded.",
        "Pattern that finds the phase in the room's path.",
        "The answers.",
    ],
};

static EPISODE: Decl = Decl {
    kind: "an episode",
    keys: &[
        ("id", TEXT),
        ("match", Ty::Decl(&MATCH)),
        ("response", FREE),
        ("delay", Ty::Text(Sem::Duration)),
        ("replay", Ty::Text(Sem::Words(&["any"]))),
        ("agent", FREE),
    ],
    docs: &[
        "Its name.",
        "The call that it answers.",
        "The answer.",
        "Virtual time before it.",
        "May be used again.",
        "The agent's record.",
    ],
};

static MATCH: Decl = Decl {
    kind: "a match",
    keys: &[
        ("handler", VERB),
        ("call", TEXT),
        ("phase", STATE),
        ("schema_name", TEXT),
    ],
    docs: &[
        "The verb.",
        "The `id` of the effect.",
        "The first part of the room's path.",
        "The schema's file name.",
    ],
};
