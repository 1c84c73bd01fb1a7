//! The tables of fixtures, cassettes and recordings: where they name what a story declares.

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
        ("acceptance", Ty::Decl(&ACCEPTANCE)),
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
        ("intent", Ty::Decl(&NAMED_INTENT)),
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
        ("expect_slots", Ty::Map(Keys::Slots, &FREE)),
        ("expect_events", Ty::List(&Ty::Decl(&EVENT))),
        ("expect_events_exact", Ty::List(&Ty::Decl(&EVENT))),
        ("expect_error", Ty::Decl(&TURN_ERROR)),
        ("expect_view_matches", TEXT),
        ("expect_no_view", Ty::Flag),
        ("expect_host_calls", Ty::List(&Ty::Decl(&HOST_CALL))),
        ("expect_no_host_calls", Ty::List(&VERB)),
        ("expect_inbox", FREE),
        ("expect_jobs", Ty::List(&Ty::Decl(&JOB))),
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

/// An intent with its slots.
pub static NAMED_INTENT: Decl = Decl {
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
        ("missing_slots", Ty::List(&Ty::Text(Sem::Name(Kind::Slot, Role::Read)))),
        ("guard_hint", TEXT),
    ],
    docs: &[
        "The code.",
        "Intents that are allowed instead.",
        "Slots that are missing.",
        "The hint of the guard.",
    ],
};

/// An expected call.
pub static HOST_CALL: Decl = Decl {
    kind: "an expected call",
    keys: &[
        ("handler", VERB),
        ("args", Ty::Map(Keys::Recorded, &FREE)),
        ("times", Ty::Number),
    ],
    docs: &["The verb.", "Arguments, as far as given.", "How often."],
};

/// What an event of the run must hold.
static EVENT: Decl = Decl {
    kind: "an expected event",
    keys: &[
        ("kind", TEXT),
        ("from", STATE),
        ("to", STATE),
        ("effect", Ty::Decl(&PAYLOAD)),
    ],
    docs: &[
        "The kind, as it is stored.",
        "The room that is left.",
        "The room that is entered.",
        "Keys of what it holds.",
    ],
};

static PAYLOAD: Decl = Decl {
    kind: "what an event holds",
    keys: &[
        ("set", Ty::Map(Keys::Use(Kind::World, Role::Read), &FREE)),
        ("increment", Ty::Map(Keys::Use(Kind::World, Role::Read), &FREE)),
        ("state", STATE),
        ("intent", Ty::Text(Sem::Name(Kind::Intent, Role::Read))),
        ("namespace", VERB),
    ],
    docs: &[
        "World keys that were written.",
        "World keys that were counted.",
        "A room.",
        "An intent.",
        "A verb.",
    ],
};

static JOB: Decl = Decl {
    kind: "an expected job",
    keys: &[
        ("namespace", VERB),
        (
            "status",
            Ty::Text(Sem::Words(&["done", "failed", "cancelled", "awaiting_input"])),
        ),
    ],
    docs: &["The verb.", "How it ended."],
};

static ACCEPTANCE: Decl = Decl {
    kind: "acceptance criteria",
    keys: &[
        ("final_state_in", Ty::List(&STATE)),
        ("world", WORLD),
        ("host_calls", Ty::Decl(&ACCEPTED_CALLS)),
        ("files", FREE),
    ],
    docs: &[
        "Rooms, or patterns of them, in which the run may end.",
        "World keys at the end.",
        "Calls of the whole run.",
        "Files at the end.",
    ],
};

static ACCEPTED_CALLS: Decl = Decl {
    kind: "accepted calls",
    keys: &[
        ("required", Ty::List(&Ty::Decl(&HOST_CALL))),
        ("forbidden", Ty::List(&VERB)),
    ],
    docs: &[
        "Calls that must be made, at least so often.",
        "Verbs that must not be called.",
    ],
};

/// A stub.
pub static STUB: Decl = Decl {
    kind: "a stub",
    keys: &[
        ("data", FREE),
        ("error", TEXT),
        ("infra_error", TEXT),
        ("delay", Ty::Text(Sem::Duration)),
        ("request_clarification", TEXT),
        ("by_op", FREE),
        ("by_call", Ty::Map(Keys::Use(Kind::Call, Role::Call), &FREE)),
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
        ("agent", Ty::Decl(&AGENT_RECORD)),
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
        ("call", Ty::Text(Sem::Name(Kind::Call, Role::Call))),
        ("agent", Ty::Text(Sem::Name(Kind::Agent, Role::Read))),
        ("phase", STATE),
        ("schema_name", TEXT),
    ],
    docs: &[
        "The verb.",
        "The `id` of the effect.",
        "The agent that works.",
        "The first part of the room's path.",
        "The schema's file name.",
    ],
};

static AGENT_RECORD: Decl = Decl {
    kind: "an agent's record",
    keys: &[("agent", Ty::Text(Sem::Name(Kind::Agent, Role::Read)))],
    docs: &["The agent that worked."],
};

/// A fixture of intents: phrases, and what they must become.
pub static INTENTS: Decl = Decl {
    kind: "a fixture of intents",
    keys: &[
        ("test_kind", Ty::Text(Sem::Words(&["intents"]))),
        ("app", TEXT),
        ("state", STATE),
        ("defaults", Ty::Decl(&RUNS)),
        ("fixtures", Ty::List(&Ty::Decl(&PHRASES))),
    ],
    docs: &[
        "Always `intents`.",
        "The story; ignored.",
        "The room in which the phrases are said.",
        "For every group of phrases.",
        "The groups of phrases.",
    ],
};

static RUNS: Decl = Decl {
    kind: "defaults",
    keys: &[("runs", Ty::Number), ("min_pass_rate", Ty::Number)],
    docs: &["How often each phrase is tried.", "The part that must pass."],
};

/// A group of phrases.
pub static PHRASES: Decl = Decl {
    kind: "a group of phrases",
    keys: &[
        ("id", TEXT),
        ("intent", Ty::Decl(&NAMED_INTENT)),
        ("inputs", Ty::List(&TEXT)),
        ("runs", Ty::Number),
        ("min_pass_rate", Ty::Number),
        ("expect_failure", FREE),
        ("expect_fallthrough", Ty::Flag),
        ("defers_to_interpreter", Ty::Flag),
    ],
    docs: &[
        "Its name.",
        "The intent that they must become.",
        "The phrases.",
        "How often each phrase is tried.",
        "The part that must pass.",
        "Codes of which one must come.",
        "The machine accepts what comes.",
        "No phrase may be understood without a model.",
    ],
};

/// A recording: texts, and what they became.
pub static RECORDING: Decl = Decl {
    kind: "a recording",
    keys: &[
        ("kind", Ty::Text(Sem::Words(&["recording"]))),
        ("app_id", TEXT),
        ("entries", Ty::List(&Ty::Decl(&ENTRY))),
    ],
    docs: &["Always `recording`.", "The story's id.", "The texts."],
};

static ENTRY: Decl = Decl {
    kind: "an entry",
    keys: &[
        ("state", STATE),
        ("input", TEXT),
        ("intent", Ty::Decl(&NAMED_INTENT)),
        ("confidence", Ty::Number),
        ("clarify", Ty::Flag),
        ("message", TEXT),
        ("paraphrases", Ty::List(&TEXT)),
    ],
    docs: &[
        "The room in which it was said.",
        "The text.",
        "What it became.",
        "How sure that was.",
        "It was asked back.",
        "The question.",
        "Other words for it.",
    ],
};
