//! What holds of a session of a story without errors: everything that the compiler took compiles in the engine, the first room is shown,
//! and whatever turns are taken, the log leads to the same state again.

use std::sync::Arc;

use kitsoki_compiler::pipeline;
use kitsoki_expr::{ErrorClass, Map, Mode, Value, compile_expr, parse_t};
use kitsoki_ir::{Dialect, ExprKind, Story};
use kitsoki_runtime::gate::{Gates, Scope};
use kitsoki_runtime::machine::Call;
use kitsoki_runtime::session::{Answer, Ask, HostAnswer, HostResult, Input, Interpreted, Said, Step};
use kitsoki_runtime::{Config, Event, NoFiles, Program, Session, path};
use smol_str::SmolStr;

use crate::choices::Choices;
use crate::workspace::Workspace;
use crate::{Held, demand};

/// Opens a session of a story that has no errors, and takes some turns.
///
/// # Errors
/// What does not hold.
pub fn opens(workspace: &Workspace, choices: &mut Choices<'_>, turns: usize) -> Held {
    if workspace.errors().next().is_some() {
        return Ok(());
    }
    let story = pipeline::lowered(&workspace.db, workspace.root);
    compiles(workspace, story)?;
    let program = Arc::new(Program::new(Arc::clone(story), Arc::new(NoFiles)));
    let mut seat = Seat::new(&program);
    let first = seat.session.resting();
    demand(program.declares(path::structural(&first.state)), || {
        format!("no room is called `{}`", first.state)
    })?;
    seat.take(Input::Boot, choices)?;
    for _ in 0..turns {
        let input = input(&program, choices);
        seat.take(input, choices)?;
    }
    seat.again()
}

/// Every expression and every template of effects compiles, so that nothing is left to fail when it is needed; only for what the
/// language reads late by its own rules a warning is enough.
fn compiles(workspace: &Workspace, story: &Story) -> Held {
    if workspace.findings.iter().any(|f| f.rule == "late-expression-error") {
        return Ok(());
    }
    for expr in story.exprs.iter() {
        let mode = match expr.kind {
            ExprKind::Bool => Mode::Guard,
            ExprKind::Any => Mode::Value,
        };
        let compiled = compile_expr(&expr.text, mode);
        demand(compiled.is_ok(), || {
            format!("`{}` was taken and does not compile: {:?}", expr.text, compiled.err())
        })?;
    }
    for template in story.templates.iter().filter(|t| t.dialect == Dialect::Effect) {
        let errors = parse_t(&template.text).1;
        let broken = errors.iter().find(|e| e.class == ErrorClass::Template);
        demand(broken.is_none(), || {
            format!("`{}` was taken and does not compile: {broken:?}", template.text)
        })?;
    }
    Ok(())
}

/// Something that an operator could do.
fn input(program: &Program, choices: &mut Choices<'_>) -> Input {
    let intents: Vec<SmolStr> = program.story.intents.iter().map(|i| i.name.clone()).collect();
    let intent = choices.pick(&intents).cloned().unwrap_or_default();
    let declared = program.story.intents.iter().find(|i| i.name == intent);
    let mut slots = Map::new();
    for slot in declared.into_iter().flat_map(|i| &i.slots) {
        if !choices.once_in(4) {
            slots.insert(slot.name.clone(), value(choices, 1));
        }
    }
    let call = Call {
        intent,
        slots: Some(slots),
    };
    match choices.below(10) {
        0 => Input::Text {
            text: "take the tea to the theatre".to_owned(),
        },
        1 => Input::Aside {
            text: "what is this?".to_owned(),
        },
        2 => Input::Reload {
            force: choices.once_in(2),
        },
        3 => Input::Continue { call },
        4 => {
            let rooms: Vec<_> = program.story.states.ids().map(|id| program.story.path(id)).collect();
            Input::Teleport {
                to: choices
                    .pick(&rooms)
                    .map_or_else(SmolStr::default, |r| SmolStr::from(*r)),
                slots: Map::new(),
                job: SmolStr::default(),
                proposal: SmolStr::default(),
            }
        }
        _ => Input::Intent { call, shown: None },
    }
}

/// A value of any kind, as deep as it may be.
fn value(choices: &mut Choices<'_>, depth: usize) -> Value {
    match choices.below(if depth == 0 { 6 } else { 8 }) {
        0 => Value::text("word"),
        1 => Value::Int(3),
        2 => Value::Nil,
        3 => Value::Bool(choices.once_in(2)),
        4 => Value::Float(-0.5),
        5 => Value::text("wörter {{ world.x }} 🍵"),
        6 => Value::list(vec![value(choices, depth - 1)]),
        _ => Value::Map(map(choices, depth - 1)),
    }
}

fn map(choices: &mut Choices<'_>, depth: usize) -> Map {
    const KEYS: [&str; 10] = [
        "exit_code",
        "stdout",
        "submitted",
        "result",
        "count",
        "ok",
        "job_id",
        "answer",
        "choice",
        "summary",
    ];
    let mut map = Map::new();
    for key in KEYS {
        if choices.once_in(3) {
            map.insert(key, value(choices, depth));
        }
    }
    map
}

/// A session with what answers it.
struct Seat<'p> {
    program: &'p Arc<Program>,
    session: Session,
    jobs: Vec<SmolStr>,
}

fn config() -> Config {
    Config {
        gates: Gates::Ask,
        hashes: true,
        decides: true,
        ..Config::default()
    }
}

impl<'p> Seat<'p> {
    fn new(program: &'p Arc<Program>) -> Self {
        Self {
            program,
            session: Session::new(Arc::clone(program), config()),
            jobs: Vec::new(),
        }
    }

    /// Takes an input and answers all that is asked for; now and then a job comes to its end.
    fn take(&mut self, input: Input, choices: &mut Choices<'_>) -> Held {
        /// A turn that asks for more than this goes in circles.
        const MOST: usize = 400;
        let Ok(mut step) = self.session.submit(input) else {
            return Err("a session that waits for nothing takes no input".to_owned());
        };
        for _ in 0..MOST {
            self.rests(&step)?;
            match self.answer(&step, choices) {
                Some((id, answer)) => step = self.session.resume(id, answer),
                None if choices.once_in(2) && !self.jobs.is_empty() => {
                    let job = self.jobs.remove(0);
                    step = self.session.job_ended(&job, result(choices));
                }
                None => {
                    return demand(!self.session.is_busy(), || {
                        "a turn waits, and nothing was asked".to_owned()
                    });
                }
            }
        }
        Err("a turn does not end".to_owned())
    }

    /// Outcomes are about rooms that exist.
    fn rests(&self, step: &Step) -> Held {
        for outcome in &step.outcomes {
            for leaf in path::leaves(&outcome.state) {
                demand(self.program.declares(leaf), || {
                    format!("`{}` is no room: {outcome:?}", outcome.state)
                })?;
            }
        }
        Ok(())
    }

    fn answer(&mut self, step: &Step, choices: &mut Choices<'_>) -> Option<(u64, Answer)> {
        let mut next = None;
        for request in &step.requests {
            let answer = match &request.what {
                Ask::Call(_) => Answer::Host(HostAnswer {
                    result: result(choices),
                    ..HostAnswer::default()
                }),
                Ask::Job { job, .. } => {
                    self.jobs.push(job.clone());
                    continue;
                }
                Ask::Grant { .. } => {
                    Answer::Grant(*choices.pick(&[None, Some(Scope::Action), Some(Scope::Session)])?)
                }
                Ask::Interpret(_) => Answer::Interpreted(Interpreted {
                    said: said(choices),
                    cost_usd: 0.0,
                }),
            };
            next = Some((request.id, answer));
        }
        next
    }

    /// The log leads to the state and the world that the session has.
    fn again(&self) -> Held {
        let log: Vec<Event> = self.session.log().to_vec();
        let again = Session::replay(Arc::clone(self.program), config(), log)
            .map_err(|e| format!("the log does not lead to turn {} again", e.turn))?;
        demand(again.state() == self.session.state(), || {
            format!(
                "replayed it is in `{}`, not in `{}`",
                again.state(),
                self.session.state()
            )
        })?;
        demand(again.hash() == self.session.hash(), || {
            "replayed it has another world".to_owned()
        })
    }
}

fn result(choices: &mut Choices<'_>) -> HostResult {
    match choices.below(5) {
        0 => HostResult::Domain {
            message: "it did not go well".to_owned(),
            data: choices.once_in(2).then(|| map(choices, 1)),
        },
        1 => HostResult::Infra("there is no such program".to_owned()),
        2 => HostResult::Done(None),
        _ => HostResult::Done(Some(map(choices, 2))),
    }
}

fn said(choices: &mut Choices<'_>) -> Said {
    match choices.below(3) {
        0 => Said::Failed("nobody there".to_owned()),
        1 => Said::Words("what do you mean?".to_owned()),
        _ => Said::Value(map(choices, 1)),
    }
}
