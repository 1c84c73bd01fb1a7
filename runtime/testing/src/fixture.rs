//! Flow fixtures as data (`testing` 2-7).

use std::path::{Path, PathBuf};

use kitsoki_expr::{Map, Value};
use smol_str::SmolStr;

use crate::doc::{self, Doc, Fatal, Item, Warning};

/// One flow.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The file.
    pub file: PathBuf,
    /// Where the flow begins; taken as it is.
    pub initial_state: Option<String>,
    /// World values over the defaults.
    pub initial_world: Vec<(SmolStr, Value)>,
    /// The turns.
    pub turns: Vec<Turn>,
    /// Recording for free text.
    pub recording: String,
    /// `staged`, `one-shot`, or nothing.
    pub mode: String,
    /// Stub answers by handler.
    pub stubs: Vec<(SmolStr, Stub)>,
    /// Whether stubs were written at all.
    pub has_stubs: bool,
    /// Host cassette.
    pub host_cassette: String,
    /// Episodes that nobody asked for fail the flow.
    pub strict_coverage: bool,
    /// Cassette behind `ctx.http`.
    pub http_cassette: String,
    /// Cassette behind `ctx.fs` and `ctx.probe`.
    pub inspect_cassette: String,
    /// Interfaces bound to other handlers; anything here makes the real handlers available.
    pub host_bindings: Vec<(SmolStr, String)>,
    /// Forces one of the two runners.
    pub use_orchestrator: Option<bool>,
    /// The story must be over.
    pub expect_terminal: bool,
    /// No turn may be refused.
    pub expect_no_errors: bool,
    /// Least number of events.
    pub expect_events_atleast: Option<i64>,
    /// Greatest number of events.
    pub expect_events_atmost: Option<i64>,
    /// World at the end.
    pub expect_world_final: Vec<(SmolStr, Value)>,
    /// Files at the end.
    pub expect_files: Vec<FileCheck>,
    /// Handlers that must not be called.
    pub expect_no_host_calls: Vec<String>,
    /// Expectations about an operation: status, policy, phase, stop reason, terminal artifact.
    pub operation: [(&'static str, String); 5],
    /// What the flow as a whole must bring.
    pub acceptance: Option<Acceptance>,
}

/// One turn.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// The intent.
    pub intent: Option<SmolStr>,
    /// Its slots; `None` when no `slots` were written.
    pub slots: Option<Map>,
    /// Free text.
    pub input: String,
    /// What the operator is said to have typed.
    pub display_input: String,
    /// World values before the turn.
    pub world_override: Vec<(SmolStr, Value)>,
    /// Time that passes after the turn.
    pub advance_clock: Option<String>,
    /// Where the session must rest.
    pub expect_state: Option<String>,
    /// Where it must not.
    pub expect_not_state: Option<String>,
    /// One of these.
    pub expect_state_in: Vec<String>,
    /// World values.
    pub expect_world: Vec<(SmolStr, Value)>,
    /// All world values.
    pub expect_world_full: Vec<(SmolStr, Value)>,
    /// Nothing of the world may have changed.
    pub expect_world_unchanged: bool,
    /// Slots that were submitted.
    pub expect_slots: Vec<(SmolStr, Value)>,
    /// Events in this order, others between them.
    pub expect_events: Vec<EventCheck>,
    /// These events and no others.
    pub expect_events_exact: Vec<EventCheck>,
    /// The turn must be refused.
    pub expect_error: Option<ErrorCheck>,
    /// The view must match.
    pub expect_view: Option<String>,
    /// There must be no view.
    pub expect_no_view: bool,
    /// Host calls.
    pub expect_host_calls: Vec<CallCheck>,
    /// Host calls that must not be made.
    pub expect_no_host_calls: Vec<String>,
    /// The inbox.
    pub expect_inbox: Option<InboxCheck>,
    /// Jobs that must end.
    pub expect_jobs: Vec<(String, String)>,
}

/// An expected event.
#[derive(Clone, Debug, Default)]
pub struct EventCheck {
    /// Its kind.
    pub kind: String,
    /// `from` of its payload.
    pub from: String,
    /// `to` of its payload.
    pub to: String,
    /// Keys of its payload.
    pub effect: Map,
}

/// An expected refusal.
#[derive(Clone, Debug, Default)]
pub struct ErrorCheck {
    /// The code.
    pub code: String,
    /// Intents that must be allowed.
    pub allowed_contains: Vec<String>,
    /// Slots that must be missing.
    pub missing_slots: Vec<String>,
}

/// An expected host call.
#[derive(Clone, Debug, Default)]
pub struct CallCheck {
    /// The handler.
    pub handler: String,
    /// Arguments.
    pub args: Map,
    /// How often.
    pub times: Option<i64>,
}

/// An expected inbox.
#[derive(Clone, Debug, Default)]
pub struct InboxCheck {
    /// Unread notifications.
    pub unread: Option<i64>,
    /// Those that need the operator.
    pub needs_attention: Option<i64>,
    /// Severities in any order.
    pub severities: Vec<String>,
}

/// An expected file.
#[derive(Clone, Debug, Default)]
pub struct FileCheck {
    /// The path, seen from the fixture's folder.
    pub path: String,
    /// Its content must match.
    pub content_matches: String,
    /// It must not be there.
    pub must_not_exist: bool,
}

/// What a flow as a whole must bring.
#[derive(Clone, Debug, Default)]
pub struct Acceptance {
    /// Where it must end: exact or with a pattern.
    pub final_state_in: Vec<String>,
    /// World values.
    pub world: Vec<(SmolStr, Value)>,
    /// Calls that must be made.
    pub required: Vec<CallCheck>,
    /// Calls that must not.
    pub forbidden: Vec<String>,
    /// Files.
    pub files: Vec<FileCheck>,
}

/// The answer of a stub.
#[derive(Clone, Debug, Default)]
pub struct Envelope {
    /// Data.
    pub data: Option<Map>,
    /// A failure that the story can know about.
    pub error: String,
    /// The call could not be made.
    pub infra_error: String,
}

/// A stub.
#[derive(Clone, Debug, Default)]
pub struct Stub {
    /// Without a better envelope.
    pub any: Envelope,
    /// Time before the answer.
    pub delay: String,
    /// A question to the operator before the answer.
    pub question: String,
    /// By `args.op`.
    pub by_op: Vec<(SmolStr, Envelope)>,
    /// By `args.call`.
    pub by_call: Vec<(SmolStr, Envelope)>,
}

/// The flows of a file, and what they say in vain.
#[derive(Debug, Default)]
pub struct Flows {
    /// The flows.
    pub flows: Vec<Flow>,
    /// Warnings.
    pub warnings: Vec<Warning>,
}

/// Reads the flows of a file. Documents of another kind are left out.
///
/// # Errors
/// When the file cannot be read, is no YAML, or a key has a value of another kind.
pub fn load(path: &Path) -> Result<Flows, Fatal> {
    load_any(path).map_err(|e| doc::discreet(path, e))
}

fn load_any(path: &Path) -> Result<Flows, Fatal> {
    let text = doc::read(path)?;
    let mut out = Flows::default();
    let mut empty = true;
    for doc in doc::documents(path, &text)? {
        let Some(root) = doc.root() else { continue };
        empty = false;
        let entries = root.entries("the document")?;
        let kind = entries
            .iter()
            .find(|(key, ..)| key == "test_kind")
            .map(|(_, item, _)| *item);
        let is_flow = kind.is_some_and(|k| k.text("test_kind").is_ok_and(|t| t == "flow"));
        if is_flow {
            let mut reader = Reader {
                doc: &doc,
                warnings: &mut out.warnings,
            };
            let flow = reader.flow(path, entries)?;
            out.flows.push(flow);
        } else if kind.is_none()
            && let Some((_, _, turns)) = entries.iter().find(|(key, ..)| key == "turns")
        {
            let mut reader = Reader {
                doc: &doc,
                warnings: &mut out.warnings,
            };
            let message = "a document with `turns` that does not say `test_kind: flow` is not run";
            reader.warn(*turns, message.to_owned());
        }
    }
    if empty {
        out.warnings.push(Warning {
            file: path.to_owned(),
            line: 1,
            column: 1,
            message: "the file holds no flow: a flow begins with `test_kind: flow` and has `turns`".to_owned(),
        });
    }
    Ok(out)
}

type Entries<'d> = Vec<(SmolStr, Item<'d>, kitsoki_syntax::TextRange)>;

struct Reader<'r, 'd> {
    doc: &'d Doc,
    warnings: &'r mut Vec<Warning>,
}

impl<'d> Reader<'_, 'd> {
    fn unknown(&mut self, range: kitsoki_syntax::TextRange, key: &str, of: &str, known: &[&str]) {
        let (line, column) = self.doc.place(range);
        let mut message = format!("{of} has no key `{key}`: it is ignored");
        let near = known.iter().find(|k| close(k, key));
        if let Some(near) = near {
            message.push_str(&format!("; did you mean `{near}`?"));
        }
        self.warnings.push(Warning {
            file: self.doc.file.clone(),
            line,
            column,
            message,
        });
    }

    fn warn(&mut self, range: kitsoki_syntax::TextRange, message: String) {
        let (line, column) = self.doc.place(range);
        self.warnings.push(Warning {
            file: self.doc.file.clone(),
            line,
            column,
            message,
        });
    }

    fn flow(&mut self, path: &Path, entries: Entries<'d>) -> Result<Flow, Fatal> {
        let mut flow = Flow {
            file: path.to_owned(),
            ..Flow::default()
        };
        flow.operation = OPERATION.map(|key| (key, String::new()));
        for (key, item, range) in entries {
            match key.as_str() {
                "test_kind" | "app" | "description" | "name" | "title" | "id" | "notes" => {}
                "initial_state" => flow.initial_state = Some(item.text("initial_state")?).filter(|s| !s.is_empty()),
                "initial_world" => flow.initial_world = pairs(item, "initial_world")?,
                "turns" => {
                    for turn in item.items("turns")? {
                        let turn = self.turn(turn)?;
                        flow.turns.push(turn);
                    }
                }
                "recording" => flow.recording = item.text("recording")?,
                "mode" => flow.mode = item.text("mode")?,
                "host_handlers" => {
                    flow.has_stubs = true;
                    for (name, stub, _) in item.entries("host_handlers")? {
                        let stub = self.stub(stub)?;
                        flow.stubs.push((name, stub));
                    }
                    flow.has_stubs = !flow.stubs.is_empty();
                }
                "host_cassette" => flow.host_cassette = item.text("host_cassette")?,
                "strict_cassette_coverage" => flow.strict_coverage = item.flag("strict_cassette_coverage")?,
                "starlark_http_cassette" => flow.http_cassette = item.text("starlark_http_cassette")?,
                "starlark_inspect_cassette" => flow.inspect_cassette = item.text("starlark_inspect_cassette")?,
                "host_bindings" => {
                    for (name, to, _) in item.entries("host_bindings")? {
                        let to = to.text("host_bindings")?;
                        flow.host_bindings.push((name, to));
                    }
                }
                "use_orchestrator" => {
                    if !item.is_null() {
                        flow.use_orchestrator = Some(item.flag("use_orchestrator")?);
                    }
                }
                "expect_terminal" => {
                    flow.expect_terminal = item.flag("expect_terminal")?;
                    if !flow.expect_terminal {
                        self.warn(
                            range,
                            "`expect_terminal: false` asserts nothing; use `expect_not_state` in the last turn".into(),
                        );
                    }
                }
                "expect_no_errors" => flow.expect_no_errors = item.flag("expect_no_errors")?,
                "expect_events_count_atleast" => {
                    flow.expect_events_atleast = Some(item.int("expect_events_count_atleast")?)
                }
                "expect_events_count_atmost" => {
                    flow.expect_events_atmost = Some(item.int("expect_events_count_atmost")?)
                }
                "expect_world_final" => flow.expect_world_final = pairs(item, "expect_world_final")?,
                "expect_files" => flow.expect_files = self.files(item)?,
                "expect_no_host_calls" => flow.expect_no_host_calls = item.texts("expect_no_host_calls")?,
                "acceptance" => {
                    if !item.is_null() {
                        flow.acceptance = Some(self.acceptance(item)?);
                    }
                }
                other => match flow.operation.iter_mut().find(|(key, _)| *key == other) {
                    Some(own) => own.1 = item.text(other)?,
                    None => self.unknown(range, other, "a flow", FLOW_KEYS),
                },
            }
        }
        Ok(flow)
    }

    fn turn(&mut self, item: Item<'d>) -> Result<Turn, Fatal> {
        let mut turn = Turn::default();
        for (key, item, range) in item.entries("turns")? {
            match key.as_str() {
                "intent" => {
                    for (key, item, range) in item.entries("intent")? {
                        match key.as_str() {
                            "name" => turn.intent = Some(item.text("intent.name")?.into()),
                            "slots" if item.is_null() => {}
                            "slots" => turn.slots = Some(item.map("intent.slots")?),
                            other => self.unknown(range, other, "an intent", &["name", "slots"]),
                        }
                    }
                    turn.intent.get_or_insert_default();
                }
                "input" => turn.input = item.text("input")?,
                "display_input" => turn.display_input = item.text("display_input")?,
                "world_override" => turn.world_override = pairs(item, "world_override")?,
                "advance_clock" => turn.advance_clock = Some(item.text("advance_clock")?),
                "expect_state" => turn.expect_state = Some(item.text("expect_state")?).filter(|s| !s.is_empty()),
                "expect_not_state" => {
                    turn.expect_not_state = Some(item.text("expect_not_state")?).filter(|s| !s.is_empty());
                }
                "expect_state_in" => turn.expect_state_in = item.texts("expect_state_in")?,
                "expect_world" => turn.expect_world = pairs(item, "expect_world")?,
                "expect_world_full" => turn.expect_world_full = pairs(item, "expect_world_full")?,
                "expect_world_unchanged" => turn.expect_world_unchanged = item.flag("expect_world_unchanged")?,
                "expect_slots" => turn.expect_slots = pairs(item, "expect_slots")?,
                "expect_events" => turn.expect_events = self.events(item)?,
                "expect_events_exact" => turn.expect_events_exact = self.events(item)?,
                "expect_error" => {
                    if !item.is_null() {
                        turn.expect_error = Some(self.error(item)?);
                    }
                }
                "expect_view_matches" => {
                    turn.expect_view = Some(item.text("expect_view_matches")?).filter(|s| !s.is_empty());
                }
                "expect_no_view" => turn.expect_no_view = item.flag("expect_no_view")?,
                "expect_host_calls" => turn.expect_host_calls = self.calls(item)?,
                "expect_no_host_calls" => turn.expect_no_host_calls = item.texts("expect_no_host_calls")?,
                "expect_inbox" => {
                    if !item.is_null() {
                        turn.expect_inbox = Some(self.inbox(item)?);
                    }
                }
                "expect_jobs" => {
                    for job in item.items("expect_jobs")? {
                        let mut pair = (String::new(), String::new());
                        for (key, item, range) in job.entries("expect_jobs")? {
                            match key.as_str() {
                                "namespace" => pair.0 = item.text("namespace")?,
                                "status" => pair.1 = item.text("status")?,
                                other => self.unknown(range, other, "an expected job", &["namespace", "status"]),
                            }
                        }
                        turn.expect_jobs.push(pair);
                    }
                }
                "description" | "note" | "notes" | "name" | "comment" => {}
                other => self.unknown(range, other, "a turn", TURN_KEYS),
            }
        }
        if turn.expect_error.is_some() && turn.asserts_more() {
            self.warn(
                item.range(),
                "with `expect_error` the other expectations of the turn are not checked".into(),
            );
        }
        Ok(turn)
    }

    fn events(&mut self, item: Item<'d>) -> Result<Vec<EventCheck>, Fatal> {
        let mut out = Vec::new();
        for event in item.items("expect_events")? {
            let mut check = EventCheck::default();
            for (key, item, range) in event.entries("expect_events")? {
                match key.as_str() {
                    "kind" => check.kind = item.text("kind")?,
                    "from" => check.from = item.text("from")?,
                    "to" => check.to = item.text("to")?,
                    "effect" => check.effect = item.map("effect")?,
                    other => self.unknown(range, other, "an expected event", &["kind", "from", "to", "effect"]),
                }
            }
            out.push(check);
        }
        Ok(out)
    }

    fn error(&mut self, item: Item<'d>) -> Result<ErrorCheck, Fatal> {
        let mut check = ErrorCheck::default();
        for (key, item, range) in item.entries("expect_error")? {
            match key.as_str() {
                "code" => check.code = item.text("code")?,
                "allowed_contains" => check.allowed_contains = item.texts("allowed_contains")?,
                "missing_slots" => check.missing_slots = item.texts("missing_slots")?,
                "guard_hint" => self.warn(range, "`guard_hint` of an expected error is not compared".into()),
                other => self.unknown(
                    range,
                    other,
                    "an expected error",
                    &["code", "allowed_contains", "missing_slots"],
                ),
            }
        }
        Ok(check)
    }

    fn calls(&mut self, item: Item<'d>) -> Result<Vec<CallCheck>, Fatal> {
        let mut out = Vec::new();
        for call in item.items("expect_host_calls")? {
            let mut check = CallCheck::default();
            for (key, item, range) in call.entries("expect_host_calls")? {
                match key.as_str() {
                    "handler" => check.handler = item.text("handler")?,
                    "args" => check.args = item.map("args")?,
                    "times" if item.is_null() => {}
                    "times" => check.times = Some(item.int("times")?),
                    other => self.unknown(range, other, "an expected call", &["handler", "args", "times"]),
                }
            }
            out.push(check);
        }
        Ok(out)
    }

    fn inbox(&mut self, item: Item<'d>) -> Result<InboxCheck, Fatal> {
        let mut check = InboxCheck::default();
        for (key, item, range) in item.entries("expect_inbox")? {
            match key.as_str() {
                "unread" if item.is_null() => {}
                "unread" => check.unread = Some(item.int("unread")?),
                "needs_attention" if item.is_null() => {}
                "needs_attention" => check.needs_attention = Some(item.int("needs_attention")?),
                "severities" => check.severities = item.texts("severities")?,
                other => self.unknown(
                    range,
                    other,
                    "an expected inbox",
                    &["unread", "needs_attention", "severities"],
                ),
            }
        }
        Ok(check)
    }

    fn files(&mut self, item: Item<'d>) -> Result<Vec<FileCheck>, Fatal> {
        let mut out = Vec::new();
        for file in item.items("expect_files")? {
            let mut check = FileCheck::default();
            for (key, item, range) in file.entries("expect_files")? {
                match key.as_str() {
                    "path" => check.path = item.text("path")?,
                    "content_matches" => check.content_matches = item.text("content_matches")?,
                    "must_not_exist" => check.must_not_exist = item.flag("must_not_exist")?,
                    other => self.unknown(
                        range,
                        other,
                        "an expected file",
                        &["path", "content_matches", "must_not_exist"],
                    ),
                }
            }
            out.push(check);
        }
        Ok(out)
    }

    fn acceptance(&mut self, item: Item<'d>) -> Result<Acceptance, Fatal> {
        let mut out = Acceptance::default();
        for (key, item, range) in item.entries("acceptance")? {
            match key.as_str() {
                "final_state_in" => out.final_state_in = item.texts("final_state_in")?,
                "world" => out.world = pairs(item, "acceptance.world")?,
                "files" => out.files = self.files(item)?,
                "host_calls" => {
                    for (key, item, range) in item.entries("acceptance.host_calls")? {
                        match key.as_str() {
                            "required" => out.required = self.calls(item)?,
                            "forbidden" => out.forbidden = item.texts("forbidden")?,
                            other => self.unknown(range, other, "`host_calls`", &["required", "forbidden"]),
                        }
                    }
                }
                other => {
                    let known = ["final_state_in", "world", "host_calls", "files"];
                    self.unknown(range, other, "`acceptance`", &known);
                }
            }
        }
        Ok(out)
    }

    fn envelope_key(&mut self, envelope: &mut Envelope, key: &str, item: Item<'d>) -> Result<bool, Fatal> {
        match key {
            "data" if item.is_null() => {}
            "data" => envelope.data = Some(item.map("data")?),
            "error" => envelope.error = item.text("error")?,
            "infra_error" => envelope.infra_error = item.text("infra_error")?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn envelopes(&mut self, item: Item<'d>, what: &str) -> Result<Vec<(SmolStr, Envelope)>, Fatal> {
        let mut out = Vec::new();
        for (name, item, _) in item.entries(what)? {
            let mut envelope = Envelope::default();
            for (key, item, range) in item.entries(what)? {
                if key == "delay" {
                    self.warn(
                        range,
                        "`delay` of a single answer has no effect; write it on the stub".into(),
                    );
                } else if !self.envelope_key(&mut envelope, &key, item)? {
                    self.unknown(range, &key, "an answer", &["data", "error", "infra_error"]);
                }
            }
            out.push((name, envelope));
        }
        Ok(out)
    }

    fn stub(&mut self, item: Item<'d>) -> Result<Stub, Fatal> {
        let mut stub = Stub::default();
        for (key, item, range) in item.entries("host_handlers")? {
            match key.as_str() {
                "delay" => stub.delay = item.text("delay")?,
                "request_clarification" => stub.question = item.text("request_clarification")?,
                "by_op" => stub.by_op = self.envelopes(item, "by_op")?,
                "by_call" => stub.by_call = self.envelopes(item, "by_call")?,
                other => {
                    if !self.envelope_key(&mut stub.any, other, item)? {
                        self.unknown(range, other, "a stub", STUB_KEYS);
                    }
                }
            }
        }
        Ok(stub)
    }
}

impl Turn {
    fn asserts_more(&self) -> bool {
        self.expect_state.is_some()
            || !self.expect_world.is_empty()
            || !self.expect_events.is_empty()
            || self.expect_view.is_some()
            || !self.expect_host_calls.is_empty()
    }
}

fn pairs(item: Item<'_>, what: &str) -> Result<Vec<(SmolStr, Value)>, Fatal> {
    let entries = item.entries(what)?;
    Ok(entries.into_iter().map(|(key, item, _)| (key, item.value())).collect())
}

/// Whether two keys differ by one slip.
fn close(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = i;
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
        for (j, y) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(usize::MAX);
            let left = row.get(j).copied().unwrap_or(usize::MAX);
            let cost = before + usize::from(x != y);
            if let Some(cell) = row.get_mut(j + 1) {
                *cell = cost.min(above + 1).min(left + 1);
            }
            before = above;
        }
    }
    row.last().is_some_and(|d| *d > 0 && *d <= 2)
}

/// The keys of an operation's expectations, in the order of [`Flow::operation`].
pub const OPERATION: [&str; 5] = [
    "expect_operation_status",
    "expect_operation_policy",
    "expect_operation_phase",
    "expect_stop_reason",
    "expect_terminal_artifact",
];

const FLOW_KEYS: &[&str] = &[
    "test_kind",
    "app",
    "initial_state",
    "initial_world",
    "turns",
    "recording",
    "mode",
    "host_handlers",
    "host_cassette",
    "strict_cassette_coverage",
    "starlark_http_cassette",
    "starlark_inspect_cassette",
    "host_bindings",
    "use_orchestrator",
    "expect_terminal",
    "expect_events_count_atleast",
    "expect_events_count_atmost",
    "expect_no_errors",
    "expect_world_final",
    "expect_operation_status",
    "expect_operation_policy",
    "expect_operation_phase",
    "expect_stop_reason",
    "expect_terminal_artifact",
    "expect_files",
    "expect_no_host_calls",
    "acceptance",
];

const TURN_KEYS: &[&str] = &[
    "intent",
    "input",
    "display_input",
    "world_override",
    "advance_clock",
    "expect_state",
    "expect_not_state",
    "expect_state_in",
    "expect_world",
    "expect_world_full",
    "expect_world_unchanged",
    "expect_slots",
    "expect_events",
    "expect_events_exact",
    "expect_error",
    "expect_view_matches",
    "expect_no_view",
    "expect_host_calls",
    "expect_no_host_calls",
    "expect_inbox",
    "expect_jobs",
];

const STUB_KEYS: &[&str] = &[
    "data",
    "error",
    "infra_error",
    "delay",
    "request_clarification",
    "by_op",
    "by_call",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// How many flows a file has, and the places and beginnings of its warnings.
    fn told(text: &str) -> (usize, Vec<(u32, u32, String)>) {
        let dir = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
        let path = dir.path().join("a.yaml");
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{e}"));
        let loaded = load(&path).unwrap_or_else(|e| panic!("{}", e.0));
        let words = |m: &str| m.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
        let warnings = loaded.warnings.iter().map(|w| (w.line, w.column, words(&w.message)));
        (loaded.flows.len(), warnings.collect())
    }

    #[test]
    fn a_file_without_a_flow_is_told() {
        for text in ["", "# todo\n"] {
            assert_eq!(
                told(text),
                (0, vec![(1, 1, "the file holds no".to_owned())]),
                "{text:?}"
            );
        }
        let kind = "test_kind: intents\nintents: []\n";
        assert_eq!(told(kind), (0, vec![]), "another kind is somebody else's");
    }

    #[test]
    fn turns_without_a_kind_are_told() {
        let flow = "turns:\n  - intent: { name: go }\n";
        assert_eq!(told(flow), (0, vec![(1, 1, "a document with `turns`".to_owned())]));
        assert_eq!(told(&format!("test_kind: flow\ninitial_state: a\n{flow}")).0, 1);
    }
}
