//! `kitsoki drive`: a session of a story in this process, driven by lines of JSON.
//!
//! Handlers and agents are real. The session waits for each call; calls in the background run in threads of their own and
//! their ends are taken when the driver asks for them (`wait_jobs`).

mod agents;
mod calls;
mod operator;
mod replay;
mod trace;

use std::io::{BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kitsoki_expr::{Map, Value};
use kitsoki_hosts::cancel::Cancel;
use kitsoki_hosts::value;
use kitsoki_routing::{Phrases, Services};
use kitsoki_runtime::Program;
use kitsoki_runtime::gate::{Gates, Scope};
use kitsoki_runtime::machine::Call;
use kitsoki_runtime::session::{
    Answer, Ask, Config, Heard, HostAnswer, Input, Mode, Outcome, Provenance, Session, Step,
};
use kitsoki_testing::Fatal;
use serde::Deserialize;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::app::Exit;
use crate::args::{DriveArgs, DriveGates, DriveMode};
use crate::{output, test};
use calls::{Hosts, Made};
use trace::TraceFile;

/// How long `wait_jobs` waits.
const JOB_WAIT: Duration = Duration::from_secs(10);

/// The longest line of the input, in bytes.
const MAX_LINE: u64 = 16 << 20;

/// One line of the input.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Line {
    input: Option<String>,
    off_path: Option<String>,
    intent: Option<String>,
    slots: serde_json::Map<String, Json>,
    #[serde(rename = "continue")]
    resumes: bool,
    wait_jobs: bool,
    operator: Option<Vec<String>>,
    cancel_ms: Option<u64>,
}

/// Runs the command.
///
/// # Errors
/// When the output cannot be written.
pub fn run(args: &DriveArgs) -> miette::Result<Exit> {
    Ok(drive(args).unwrap_or_else(|error| {
        output::error(&format!("kitsoki drive: {error}"));
        Exit::Usage
    }))
}

fn drive(args: &DriveArgs) -> Result<Exit, Fatal> {
    let fatal = |e: &dyn std::fmt::Display| Fatal(e.to_string());
    let manifest = test::one(&args.path)?;
    let compiler = crate::session::Session::new().map_err(|e| fatal(&e))?;
    let program = test::compiled(&compiler, &manifest)?;
    if let Some(flow) = &args.replay {
        return replay::run(args, &program, flow);
    }
    let turns = args.turns.as_ref().map_or("-", |t| t.as_str());
    let input: Box<dyn std::io::Read> = match turns {
        "-" => Box::new(std::io::stdin()),
        path => Box::new(std::fs::File::open(path).map_err(|e| Fatal(format!("{path}: {e}")))?),
    };
    let trace = args.trace.as_ref().map(|path| TraceFile::create(path.as_std_path()));
    let mut driver = Driver::new(program, args, trace.transpose()?);
    driver.submit(Input::Boot)?;
    driver.tell()?;
    let mut input = std::io::BufReader::new(input);
    let mut number = 0;
    loop {
        number += 1;
        let mut text = Vec::new();
        let read = std::io::Read::take(&mut input, MAX_LINE).read_until(b'\n', &mut text);
        if read.map_err(|e| fatal(&e))? == 0 {
            return Ok(Exit::Clean);
        }
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let line: Line =
            serde_json::from_slice(&text).map_err(|e| Fatal(format!("line {number} of the turns: {}", no_turn(&e))))?;
        driver.turn(line)?;
        driver.tell()?;
    }
}

/// Why a line is no turn, in the words of the page about turns; the line is the reader's own, so only the column is told.
fn no_turn(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    let text = match text.strip_prefix("unknown field ") {
        Some(rest) => format!(
            "a turn has no key {}",
            rest.replace(", expected one of", "; its keys are")
        ),
        None => format!("it is no turn: {text}"),
    };
    format!("{text} (column {})", error.column())
}

/// The end of a job.
struct Ended {
    job: String,
    made: Made,
}

/// A session and all that answers it.
struct Driver {
    session: Session,
    phrases: Phrases,
    hosts: Arc<Hosts>,
    gates: DriveGates,
    /// Whether there is a model that interprets texts.
    interprets: bool,
    trace: Option<TraceFile>,
    ends: (Sender<Ended>, Receiver<Ended>),
    jobs: Vec<(String, Cancel)>,
    recorded: usize,
    /// What slots are asked for.
    open: Option<(String, Map)>,
    cancel: Cancel,
    outcome: Option<Outcome>,
    failed: Option<String>,
}

impl Driver {
    fn new(program: Arc<Program>, args: &DriveArgs, trace: Option<TraceFile>) -> Self {
        let wanted = args.gates.unwrap_or(DriveGates::Walled);
        let config = Config {
            session_id: args.session.clone().unwrap_or_else(kitsoki_hosts::agents::session_name),
            staged: args.mode == DriveMode::Staged,
            // Nobody can be asked before the first line has said that somebody is there.
            gates: gates(wanted, false),
            walled_agents: wanted == DriveGates::Walled,
            decides: args.agent_program.is_some(),
            ..Config::default()
        };
        let hosts = Arc::new(Hosts::new(&program, &config.session_id, args.agent_program.as_deref()));
        Self {
            phrases: Phrases::new(&program.story),
            session: Session::new(program, config),
            hosts,
            gates: wanted,
            interprets: args.agent_program.is_some(),
            trace,
            ends: mpsc::channel(),
            jobs: Vec::new(),
            recorded: 0,
            open: None,
            cancel: Cancel::new(),
            outcome: None,
            failed: None,
        }
    }

    /// One line of the input.
    fn turn(&mut self, line: Line) -> Result<(), Fatal> {
        self.outcome = None;
        self.failed = None;
        self.session.set_gates(gates(self.gates, line.operator.is_some()));
        self.hosts.attach(line.operator.clone());
        self.cancel = Cancel::new();
        if let Some(ms) = line.cancel_ms {
            let cancel = self.cancel.clone();
            // The thread outlives the turn when the turn is quick; it then cancels what is over already.
            let timer = move || {
                std::thread::sleep(Duration::from_millis(ms));
                cancel.cancel();
            };
            std::thread::Builder::new()
                .spawn(timer)
                .map_err(|e| Fatal(format!("no thread: {e}")))?;
        }
        let slots = value::from_data(&line.slots);
        if line.wait_jobs {
            return self.wait();
        }
        if line.resumes {
            let Some((intent, mut known)) = self.open.take() else {
                self.failed = Some("nothing waits for slots".to_owned());
                return Ok(());
            };
            for (key, slot) in slots.iter() {
                known.insert(key.clone(), slot.clone());
            }
            let call = Call {
                intent: intent.as_str().into(),
                slots: Some(known),
            };
            self.submit(Input::Continue { call })?;
            self.remember(&intent);
            return Ok(());
        }
        match (line.intent, line.input, line.off_path) {
            (Some(intent), ..) => self.intent(&intent, slots),
            (None, Some(text), _) => self.hear(text),
            (None, None, Some(text)) => self.submit(Input::Aside { text }),
            (None, None, None) => {
                self.failed = Some("the line names no input, no intent and no off_path".to_owned());
                Ok(())
            }
        }
    }

    fn intent(&mut self, intent: &str, slots: Map) -> Result<(), Fatal> {
        let call = Call {
            intent: intent.into(),
            slots: Some(slots),
        };
        self.submit(Input::Direct {
            call,
            text: String::new(),
            provenance: Provenance::default(),
        })?;
        self.remember(intent);
        Ok(())
    }

    /// The same for a text that was interpreted: the session knows which intent it made of it.
    fn remember_meant(&mut self) {
        if let Some(intent) = self.outcome.as_ref().and_then(|o| o.intent.clone()) {
            self.remember(&intent);
        }
    }

    /// Keeps what a question for slots was about.
    fn remember(&mut self, intent: &str) {
        let asked = self.outcome.as_ref().filter(|o| o.mode == Mode::Clarify);
        if let Some(outcome) = asked {
            self.open = Some((intent.to_owned(), outcome.slots.clone().unwrap_or_default()));
        }
    }

    /// Free text.
    fn hear(&mut self, text: String) -> Result<(), Fatal> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let services = Services {
            now: now.map_or(0, |d| i128::try_from(d.as_nanos()).unwrap_or(0)),
            ..Services::default()
        };
        match self.session.hear(&self.phrases, &text, &services).heard {
            Heard::Submit(input) => {
                let intent = match &*input {
                    Input::Direct { call, .. } => call.intent.to_string(),
                    _ => String::new(),
                };
                self.submit(*input)?;
                self.remember(&intent);
            }
            Heard::Say(outcome) => self.outcome = Some(*outcome),
            Heard::Interpret | Heard::Ask(_) if !self.interprets => {
                self.failed = Some(
                    "no word of the story fits this text, and no model interprets it here: name an agent program"
                        .to_owned(),
                );
            }
            Heard::Interpret | Heard::Ask(_) => {
                self.submit(Input::Text { text })?;
                self.remember_meant();
            }
        }
        Ok(())
    }

    /// Waits until the end of one job has been recorded.
    fn wait(&mut self) -> Result<(), Fatal> {
        if self.recorded == 0 {
            match self.ends.1.recv_timeout(JOB_WAIT) {
                Ok(ended) => self.ended(ended)?,
                Err(_) => self.failed = Some("no job ended in time".to_owned()),
            }
        }
        self.recorded = self.recorded.saturating_sub(1);
        Ok(())
    }

    fn ended(&mut self, ended: Ended) -> Result<(), Fatal> {
        self.jobs.retain(|(job, _)| *job != ended.job);
        if let Some(trace) = &mut self.trace {
            trace.write(&ended.made.decisions)?;
            trace.write(&ended.made.notes)?;
        }
        let step = self.session.job_ended(&ended.job, ended.made.result);
        self.recorded += 1;
        self.follow(step)
    }

    fn submit(&mut self, input: Input) -> Result<(), Fatal> {
        while let Ok(ended) = self.ends.1.try_recv() {
            self.ended(ended)?;
        }
        let step = self.session.submit(input).map_err(|e| Fatal(e.to_string()))?;
        self.follow(step)
    }

    /// Does what the session asks for until it rests.
    fn follow(&mut self, mut step: Step) -> Result<(), Fatal> {
        loop {
            if let Some(trace) = &mut self.trace {
                trace.write(&step.events)?;
            }
            for job in &step.stops {
                for (_, cancel) in self.jobs.iter().filter(|(id, _)| id == job.as_str()) {
                    cancel.cancel();
                }
            }
            if let Some(outcome) = step.outcomes.pop() {
                self.outcome = Some(outcome);
            }
            let mut next = None;
            for request in step.requests {
                match request.what {
                    Ask::Job { job, call } => self.start(job.to_string(), call)?,
                    Ask::Call(call) => {
                        let made = self.hosts.call(&call, &self.cancel, false);
                        if let Some(trace) = &mut self.trace {
                            trace.write(&made.decisions)?;
                        }
                        for (severity, title, body) in self.hosts.notices() {
                            self.session.notify(&severity, title, body);
                        }
                        let answer = HostAnswer {
                            result: made.result,
                            cost_usd: made.cost,
                            notes: made.notes,
                        };
                        next = Some((request.id, Answer::Host(answer)));
                    }
                    Ask::Interpret(question) => {
                        let answer = self.hosts.interpret(&question, &self.cancel);
                        next = Some((request.id, Answer::Interpreted(answer)));
                    }
                    Ask::Grant {
                        state, verb, effect, ..
                    } => {
                        let scope = self.hosts.grant(&state, &verb, effect, &self.cancel);
                        next = Some((request.id, Answer::Grant(scope)));
                    }
                }
            }
            if self.cancel.is_cancelled() {
                self.failed = Some("the turn was cancelled".to_owned());
                step = self.session.cancel();
                self.cancel = Cancel::new();
                continue;
            }
            let Some((id, answer)) = next else { return Ok(()) };
            step = self.session.resume(id, answer);
        }
    }

    fn start(&mut self, job: String, call: kitsoki_runtime::session::HostRequest) -> Result<(), Fatal> {
        let cancel = Cancel::new();
        self.jobs.push((job.clone(), cancel.clone()));
        let (hosts, ends) = (Arc::clone(&self.hosts), self.ends.0.clone());
        let work = move || {
            let made = hosts.call(&call, &cancel, true);
            // The driver may be gone; then nobody waits for the end.
            let _ = ends.send(Ended { job, made });
        };
        let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(work);
        thread
            .map(|_| ())
            .map_err(|e| Fatal(format!("no thread for a job: {e}")))
    }

    /// Prints what has become of the line.
    fn tell(&mut self) -> Result<(), Fatal> {
        if let Some(o) = self.outcome.as_ref().filter(|o| o.mode == Mode::Failed) {
            self.failed.get_or_insert_with(|| o.message.clone());
        }
        let mut line = told(&self.session, self.outcome.as_ref());
        if let Some(failed) = &self.failed {
            line.insert("error".to_owned(), failed.as_str().into());
        }
        line.insert("asked".to_owned(), self.hosts.asked().into());
        print(line)
    }
}

/// Where a session stands, and what came of its last turn.
fn told(session: &Session, outcome: Option<&Outcome>) -> serde_json::Map<String, Json> {
    let world = session.world();
    let mut line = serde_json::Map::new();
    let mut put = |key: &str, json: Json| line.insert(key.to_owned(), json);
    put("turn", session.turn().into());
    put("state", session.state().as_str().into());
    put("world", Json::Object(value::to_data(&world.vars)));
    if let Some(o) = outcome {
        let texts = |all: &[SmolStr]| Json::from_iter(all.iter().map(SmolStr::as_str));
        put("mode", o.mode.as_str().into());
        put("view", o.view.as_str().into());
        put("allowed", texts(&o.allowed_intents));
        put("error_code", o.error.map_or("", |c| c.as_str()).into());
        put("error_message", o.message.as_str().into());
        put("guard_hint", o.guard_hint.as_str().into());
        put("slots_needed", texts(&o.missing_slots));
    }
    line
}

/// One line of the output.
fn print(line: serde_json::Map<String, Json>) -> Result<(), Fatal> {
    let line = Json::Object(line);
    let mut out = std::io::stdout().lock();
    let written = writeln!(out, "{line}").and_then(|()| out.flush());
    written.map_err(|e| Fatal(format!("standard output: {e}")))
}

impl Drop for Driver {
    fn drop(&mut self) {
        for (_, cancel) in &self.jobs {
            cancel.cancel();
        }
    }
}

/// Who answers for changes of the story in read-only rooms while an operator is there, or is not.
fn gates(wanted: DriveGates, operator: bool) -> Gates {
    match (wanted, operator) {
        (DriveGates::Assume, _) => Gates::Assume,
        (DriveGates::Walled | DriveGates::Strict, true) => Gates::Ask,
        (DriveGates::Walled | DriveGates::Strict, false) => Gates::Strict,
    }
}

/// A scope of the handlers' gate in the words of the engine.
fn scope(scope: kitsoki_hosts::agents::gate::Scope) -> Option<Scope> {
    use kitsoki_hosts::agents::gate::Scope as Own;
    Some(match scope {
        Own::None => return None,
        Own::Action => Scope::Action,
        Own::Turn => Scope::Turn,
        Own::Session => Scope::Session,
    })
}

fn locked<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A map of one value, for payloads.
fn text(text: &str) -> Value {
    Value::text(text)
}
