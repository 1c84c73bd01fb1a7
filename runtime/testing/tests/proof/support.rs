//! Stories out of texts and folders, and a driver that answers what a session asks.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db, MemorySystem, RealSystem, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::Level;
use kitsoki_expr::{Map, Value};
use kitsoki_ir::EffectClass;
use kitsoki_runtime::gate::{Gates, Scope};
use kitsoki_runtime::machine::Call;
use kitsoki_runtime::session::{
    Answer, Ask, HostAnswer, HostRequest, HostResult, Input, Interpretation, Interpreted, Mode, Outcome, Said, Step,
};
use kitsoki_runtime::trace::Encoder;
use kitsoki_runtime::{Config, Event, NoFiles, Program, Session};
use smol_str::SmolStr;

/// The program of a story in one text, with further files below the same folder.
#[track_caller]
pub fn story(text: &str, files: &[(&str, &str)]) -> Arc<Program> {
    let (db, root) = workspace(text, files);
    compiled(&db, root)
}

/// The same for a story that the compiler refuses: what it would do if it ran all the same.
pub fn refused(text: &str, files: &[(&str, &str)]) -> Arc<Program> {
    let (db, root) = workspace(text, files);
    let refused = pipeline::findings(&db, root).iter().any(|f| f.severity == Level::Error);
    assert!(refused, "the compiler takes the story");
    Arc::new(Program::new(
        Arc::clone(pipeline::lowered(&db, root)),
        Arc::new(NoFiles),
    ))
}

fn workspace(text: &str, files: &[(&str, &str)]) -> (Database, SourceFile) {
    let mut all = vec![("/s/app.yaml".to_owned(), text.to_owned())];
    all.extend(
        files
            .iter()
            .map(|(name, text)| (format!("/s/{name}"), (*text).to_owned())),
    );
    let system = MemorySystem::new(all.iter().map(|(p, t)| (p.as_str(), t.as_str())));
    let db = Database::new(Arc::new(system));
    let root = db.file(Utf8Path::new("/s/app.yaml"));
    (db, root)
}

/// The program of a story on the disk.
#[track_caller]
pub fn on_disk(dir: &Path) -> Arc<Program> {
    let manifest = Utf8Path::from_path(dir).unwrap().join("app.yaml");
    let db = Database::new(Arc::new(RealSystem));
    let root = db.file(&manifest);
    compiled(&db, root)
}

#[track_caller]
fn compiled(db: &Database, root: SourceFile) -> Arc<Program> {
    let errors: Vec<String> = pipeline::findings(db, root)
        .into_iter()
        .filter(|f| f.severity == Level::Error)
        .map(|f| f.message)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    Arc::new(Program::new(Arc::clone(pipeline::lowered(db, root)), Arc::new(NoFiles)))
}

/// The shipped stories by name.
pub fn shipped() -> &'static [(String, Arc<Program>)] {
    static ALL: LazyLock<Vec<(String, Arc<Program>)>> = LazyLock::new(|| {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../stories"));
        let mut dirs: Vec<_> = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
        dirs.retain(|d| d.join("app.yaml").is_file());
        dirs.sort();
        let name = |d: &Path| d.file_name().unwrap().to_string_lossy().into_owned();
        dirs.iter().map(|d| (name(d), on_disk(d))).collect()
    });
    &ALL
}

type Answering = Box<dyn FnMut(&HostRequest) -> HostResult + Send>;

/// Drives a session: answers calls, grants, keeps jobs until they are ended, writes everything down.
pub struct Driver {
    pub session: Session,
    /// The calls that reached the driver.
    pub calls: Vec<HostRequest>,
    /// The jobs that it was asked to start.
    pub jobs: Vec<(SmolStr, HostRequest)>,
    /// What it was asked to grant: the room, the verb, the class.
    pub asked: Vec<(SmolStr, SmolStr, EffectClass)>,
    /// Its answers to that; none is a refusal.
    pub grants: VecDeque<Option<Scope>>,
    /// The texts that it was asked to interpret.
    pub texts: Vec<Interpretation>,
    /// Its answers to that.
    pub said: VecDeque<Said>,
    /// The events of all steps, as a trace takes them.
    pub trace: Vec<Event>,
    answer: Answering,
}

impl Driver {
    pub fn new(program: &Arc<Program>, gates: Gates) -> Self {
        let config = Config {
            gates,
            hashes: true,
            ..Config::default()
        };
        Self::with(program, config)
    }

    pub fn with(program: &Arc<Program>, config: Config) -> Self {
        Self::over(Session::new(Arc::clone(program), config))
    }

    pub fn over(session: Session) -> Self {
        Self {
            session,
            calls: Vec::new(),
            jobs: Vec::new(),
            asked: Vec::new(),
            grants: VecDeque::new(),
            texts: Vec::new(),
            said: VecDeque::new(),
            trace: Vec::new(),
            answer: Box::new(|_| HostResult::Done(Some(Map::new()))),
        }
    }

    pub fn answering(mut self, answer: impl FnMut(&HostRequest) -> HostResult + Send + 'static) -> Self {
        self.answer = Box::new(answer);
        self
    }

    pub fn granting(mut self, grants: &[Option<Scope>]) -> Self {
        self.grants = grants.iter().copied().collect();
        self
    }

    /// Submits an intent without slots and sees to all that follows.
    #[track_caller]
    pub fn go(&mut self, intent: &str) -> Outcome {
        self.go_with(intent, Map::new())
    }

    #[track_caller]
    pub fn go_with(&mut self, intent: &str, slots: Map) -> Outcome {
        let outcomes = self.submit(intent_of(intent, slots));
        outcomes.into_iter().rfind(|o| !o.synthetic).expect("the turn ends")
    }

    #[track_caller]
    pub fn submit(&mut self, input: Input) -> Vec<Outcome> {
        let step = self.session.submit(input).expect("the session is free");
        self.drive(step)
    }

    /// Ends the oldest job.
    pub fn end_job(&mut self, result: HostResult) -> Vec<Outcome> {
        let (job, _) = self.jobs.remove(0);
        let step = self.session.job_ended(&job, result);
        self.drive(step)
    }

    pub fn drive(&mut self, mut step: Step) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        loop {
            self.trace.append(&mut step.events);
            outcomes.append(&mut step.outcomes);
            let mut next = None;
            for request in step.requests {
                match request.what {
                    Ask::Call(call) => {
                        let result = (self.answer)(&call);
                        self.calls.push(call);
                        let answer = HostAnswer {
                            result,
                            ..HostAnswer::default()
                        };
                        next = Some((request.id, Answer::Host(answer)));
                    }
                    Ask::Job { job, call } => self.jobs.push((job, call)),
                    Ask::Grant {
                        state, verb, effect, ..
                    } => {
                        self.asked.push((state, verb, effect));
                        next = Some((request.id, Answer::Grant(self.grants.pop_front().flatten())));
                    }
                    Ask::Interpret(question) => {
                        self.texts.push(*question);
                        let said = self.said.pop_front().expect("somebody interprets the text");
                        let answer = Interpreted { said, cost_usd: 0.25 };
                        next = Some((request.id, Answer::Interpreted(answer)));
                    }
                }
            }
            let Some((id, answer)) = next else { return outcomes };
            step = self.session.resume(id, answer);
        }
    }

    /// The verbs that reached the driver, calls and jobs.
    pub fn verbs(&self) -> Vec<&str> {
        let jobs = self.jobs.iter().map(|(_, call)| call.verb.as_str());
        self.calls.iter().map(|c| c.verb.as_str()).chain(jobs).collect()
    }

    /// A world text.
    pub fn text(&self, key: &str) -> String {
        self.session.world().text(key).to_owned()
    }

    /// The payloads of a kind of events, as texts with sorted keys.
    pub fn told(&self, kind: &str) -> Vec<String> {
        let of_kind = self.session.log().iter().filter(|e| e.kind == kind);
        of_kind
            .map(|e| kitsoki_runtime::json::sorted(&Value::Map(e.payload.clone())))
            .collect()
    }
}

pub fn intent_of(intent: &str, slots: Map) -> Input {
    Input::Intent {
        call: Call {
            intent: intent.into(),
            slots: Some(slots),
        },
        shown: None,
    }
}

/// Where a session rests after a turn that went through.
#[track_caller]
pub fn at(outcome: &Outcome) -> &str {
    assert!(
        matches!(outcome.mode, Mode::Transitioned | Mode::Completed),
        "{outcome:?}"
    );
    &outcome.state
}

/// A trace as it is written: every event one millisecond after the other.
pub fn encoded(events: &[Event]) -> String {
    let mut encoder = Encoder::default();
    let mut out = Encoder::header(0);
    for (n, event) in events.iter().enumerate() {
        out.push_str(&encoder.line(event, i64::try_from(n).unwrap()));
    }
    out
}

/// Whether two sessions have the same world.
pub fn alike(a: &Session, b: &Session) -> bool {
    let world = |s: &Session| Value::Map(s.journey().world.vars.clone());
    kitsoki_runtime::session::same(&world(a), &world(b))
}
