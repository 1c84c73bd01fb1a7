//! Kitsoki's side of a run: takes values, performs guarded commands, asks the operator, passes on what is told.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::acceptance::{Acceptance, MAX_REFUSALS, information, unescaped};
use super::backend::{Desk, Offered, Request, ToolResult};
use super::gate::{Question, WriteGate};
use super::shell::Profile;
use crate::call::Call;
use crate::effects::Effect;
use crate::process::{self, Fault, Program};

/// How long a guarded command may take.
const COMMAND_LIMIT: Duration = Duration::from_secs(120);

/// How much of a guarded command's output an agent is shown, in bytes.
const SHOWN: usize = 64 << 10;

/// How much narration is kept, in bytes.
const MAX_NARRATION: usize = 1 << 20;

/// Who is told what an agent says and does while it runs.
pub trait Listener: Send + Sync {
    /// The agent says something.
    fn says(&self, call: &str, text: &str);

    /// The agent thinks.
    fn thinks(&self, call: &str, text: &str);

    /// The agent used a tool of its own.
    fn used(&self, call: &str, tool: &str, input: &Json);
}

/// The desk of one call; it outlives the runs of the call.
pub struct CallDesk<'a> {
    call: &'a Call<'a>,
    id: String,
    room: &'a str,
    folder: PathBuf,
    acceptance: Acceptance,
    submits: bool,
    shell: Option<Profile>,
    asks: bool,
    read_only: bool,
    gate: Option<Arc<WriteGate>>,
    listener: Option<Arc<dyn Listener>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    value: Option<Json>,
    refusals: u32,
    last_refusal: String,
    richest: f64,
    narration: String,
}

impl<'a> CallDesk<'a> {
    /// The desk for a request.
    pub fn new(call: &'a Call<'a>, request: &Request, acceptance: Acceptance, shell: Option<Profile>) -> Self {
        let agents = call.context.services.agents.as_ref();
        let offered = &request.tools.offered;
        Self {
            call,
            id: request.call.clone(),
            room: &call.context.room,
            folder: request.cwd.clone(),
            acceptance,
            submits: offered.iter().any(|t| matches!(t, Offered::Submit { .. })),
            shell: shell.filter(|_| offered.iter().any(|t| matches!(t, Offered::Shell { .. }))),
            asks: offered.iter().any(|t| matches!(t, Offered::AskOperator)),
            read_only: request.read_only,
            gate: agents.and_then(|a| a.gate.clone()),
            listener: agents.and_then(|a| a.listener.clone()),
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last value that was taken.
    pub fn value(&self) -> Option<Json> {
        self.state().value.clone()
    }

    /// Takes a value back that turned out not to be good.
    pub fn reject(&self, why: &str) {
        let mut state = self.state();
        state.value = None;
        why.clone_into(&mut state.last_refusal);
    }

    /// Why the last refused value was refused; empty when none was.
    pub fn last_refusal(&self) -> String {
        self.state().last_refusal.clone()
    }

    /// What the agent said while it worked; begins anew with each look.
    pub fn take_narration(&self) -> String {
        std::mem::take(&mut self.state().narration)
    }

    /// Takes a value, or says why not.
    pub fn submit(&self, value: &Json) -> ToolResult {
        let most = self.acceptance.max_refusals.unwrap_or(MAX_REFUSALS);
        let mut state = self.state();
        if state.refusals >= most && state.value.is_none() {
            return refused(format!("no more tries; the last fault was: {}", state.last_refusal));
        }
        // Also a value that does not fit says how much the agent knows.
        state.richest = state.richest.max(information(value));
        let refused_by = self.acceptance.refuses(value, state.richest).or_else(|| {
            let command = self.acceptance.post_cmd.as_ref()?;
            command.judge(self.call, value).err()
        });
        match refused_by {
            None => {
                state.value = Some(unescaped(value.clone()));
                state.last_refusal.clear();
                taken("taken")
            }
            Some(why) => {
                state.refusals += 1;
                state.last_refusal.clone_from(&why);
                refused(why)
            }
        }
    }

    fn shell(&self, profile: &Profile, input: &Json) -> ToolResult {
        let command = input.get("command").and_then(Json::as_str).unwrap_or_default();
        let plain = profile.check(command);
        let guarded = plain.is_ok() && !(self.read_only && matches!(profile, Profile::SandboxedWrite(_)));
        let scratch = match profile {
            Profile::SandboxedWrite(_) if guarded => tempfile::tempdir().ok(),
            _ => None,
        };
        let folder = scratch.as_ref().map_or(self.folder.as_path(), |s| s.path());
        let program = match plain {
            Ok(words) if guarded => match words.split_first() {
                Some((name, rest)) => Program::new(name, folder, &self.call.context.environment).args(rest),
                None => return refused("the command is empty".to_owned()),
            },
            other => {
                let why = other.err().unwrap_or_else(|| "this room is read-only".to_owned());
                if !self.granted(&format!("Bash: {command}")) {
                    return refused(why);
                }
                // What a person has allowed runs as it was shown.
                Program::new("bash", folder, &self.call.context.environment).args(["-c", command])
            }
        };
        let cancel = self.call.context.cancel.until(Instant::now() + COMMAND_LIMIT);
        match process::run(&program.merged(), &cancel) {
            Ok(ended) => {
                let mut text = cut(&ended.said.output);
                if !ended.ok() {
                    text.push_str(&format!("\n(exit status {})", ended.code));
                }
                taken(&text)
            }
            Err(Fault::TimedOut(said)) => refused(format!("{}\n(timed out)", cut(&said.output))),
            Err(fault) => refused(fault.to_string()),
        }
    }

    fn granted(&self, action: &str) -> bool {
        let gate = self.gate.as_ref().filter(|_| self.read_only);
        gate.is_some_and(|g| g.allows(self.room, action, Effect::Write, &self.call.context.cancel))
    }

    fn ask_operator(&self, input: &Json) -> ToolResult {
        let alone = || taken("nobody answered; go on by your own judgement");
        let gate = self.gate.as_ref();
        let Some(operator) = gate.and_then(|g| g.operator()) else {
            return alone();
        };
        let mut answers = serde_json::Map::new();
        let questions = input.get("questions").and_then(Json::as_array).into_iter().flatten();
        for asked in questions.take(10) {
            let text = |json: &Json, key: &str| {
                let text = json.get(key).and_then(Json::as_str).unwrap_or_default();
                crate::plain::message(text)
            };
            let options = asked.get("options").and_then(Json::as_array).into_iter().flatten();
            let question = Question {
                question: text(asked, "question"),
                header: text(asked, "header"),
                options: options.map(|o| (text(o, "label"), text(o, "description"))).collect(),
                several: asked.get("multiSelect").and_then(Json::as_bool).unwrap_or(false),
            };
            let mut chosen = operator.ask(&question, &self.call.context.cancel);
            let answer = match (question.several, chosen.len()) {
                (_, 0) => continue,
                (true, _) => json!(chosen),
                (false, _) => json!(chosen.swap_remove(0)),
            };
            answers.insert(question.question, answer);
        }
        if answers.is_empty() {
            return alone();
        }
        taken(&json!({ "answers": answers }).to_string())
    }
}

fn taken(text: &str) -> ToolResult {
    ToolResult {
        ok: true,
        text: text.to_owned(),
    }
}

fn refused(text: String) -> ToolResult {
    ToolResult { ok: false, text }
}

fn cut(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(SHOWN);
    format!("{}\n(cut: the output is longer)", text.get(..end).unwrap_or_default())
}

impl Desk for CallDesk<'_> {
    fn say(&self, text: &str) {
        {
            let mut state = self.state();
            if state.narration.len() < MAX_NARRATION {
                state.narration.push_str(text);
                state.narration.push('\n');
            }
        }
        if let Some(listener) = &self.listener {
            listener.says(&self.id, text);
        }
    }

    fn thinks(&self, text: &str) {
        if let Some(listener) = &self.listener {
            listener.thinks(&self.id, text);
        }
    }

    fn used(&self, tool: &str, input: &Json) {
        if let Some(listener) = &self.listener {
            listener.used(&self.id, tool, input);
        }
    }

    fn call(&self, tool: &str, input: &Json) -> ToolResult {
        match (tool, &self.shell) {
            ("submit", _) if self.submits => self.submit(input),
            ("shell", Some(profile)) => self.shell(profile, input),
            ("ask_operator", _) if self.asks => self.ask_operator(input),
            _ => refused(format!("there is no tool `{tool}` here")),
        }
    }
}
