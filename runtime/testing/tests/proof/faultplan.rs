//! Random sessions over every shipped story whose handlers misbehave by a plan: they never answer, answer twice, answer too
//! late or for another request, answer with megabytes, broken texts, wrong shapes. No event is lost and the session goes on.

use std::collections::HashMap;
use std::sync::Arc;

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::event::kind;
use kitsoki_runtime::session::{Answer, Ask, HostAnswer, HostResult, Input, Mode, Step};
use kitsoki_runtime::value::{map, texts};
use kitsoki_runtime::{Config, Event, Program, Session, trace};
use proptest::prelude::*;

use crate::journeys::{Deed, answer, input, over_stories};
use crate::support::{encoded, intent_of, shipped};

/// What a handler does with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Fault {
    None,
    Never,
    Twice,
    WrongRequest,
    WrongKind,
    Huge,
    BrokenText,
    WrongShape,
    Infra,
}

const FAULTS: [Fault; 9] = [
    Fault::None,
    Fault::Never,
    Fault::Twice,
    Fault::WrongRequest,
    Fault::WrongKind,
    Fault::Huge,
    Fault::BrokenText,
    Fault::WrongShape,
    Fault::Infra,
];

/// A session under a plan: faults are taken in turn.
struct Plan {
    session: Session,
    trace: Vec<Event>,
    seed: u64,
    next: usize,
    met: HashMap<Fault, usize>,
}

fn data(fault: Fault) -> Map {
    let everywhere = |value: Value| {
        let names = ["submitted", "stdout", "ok", "tickets", "count", "answer", "exit_code"];
        names.iter().map(|n| (*n, value.clone())).collect::<Map>()
    };
    match fault {
        Fault::Huge => everywhere(Value::from("é".repeat(1 << 15))),
        Fault::BrokenText => everywhere(Value::from(
            String::from_utf8_lossy(b"\xff\x00\x1b[2J\xc3\x28").into_owned(),
        )),
        _ => everywhere(Value::list(vec![
            Value::Nil,
            texts(["x"]),
            Value::Map(map([("", Value::Nil)])),
        ])),
    }
}

fn done(result: HostResult) -> Answer {
    Answer::Host(HostAnswer {
        result,
        ..HostAnswer::default()
    })
}

fn is_nothing(step: &Step) -> bool {
    step.events.is_empty() && step.requests.is_empty() && step.outcomes.is_empty()
}

impl Plan {
    fn new(program: &Arc<Program>, seed: u64) -> Self {
        let config = Config {
            gates: kitsoki_runtime::gate::Gates::Assume,
            decides: true,
            ..Config::default()
        };
        Self {
            session: Session::new(Arc::clone(program), config),
            trace: Vec::new(),
            seed,
            next: usize::try_from(seed % 9).unwrap_or(0),
            met: HashMap::new(),
        }
    }

    fn take(&mut self, input: Input) -> Result<(), TestCaseError> {
        let mut step = self.session.submit(input).expect("the session is free");
        loop {
            self.trace.append(&mut step.events);
            let mut asked = None;
            for request in step.requests {
                match request.what {
                    Ask::Call(call) => asked = Some((request.id, Some(call))),
                    Ask::Grant { .. } => asked = Some((request.id, None)),
                    Ask::Job { .. } => {}
                    Ask::Interpret(_) => panic!("no deed is a text"),
                }
            }
            let Some((id, call)) = asked else { return Ok(()) };
            let Some(call) = call else {
                step = self.session.resume(id, Answer::Grant(None));
                continue;
            };
            let fault = FAULTS[self.next % FAULTS.len()];
            self.next += 1;
            *self.met.entry(fault).or_default() += 1;
            let good = || done(answer(self.seed, &call));
            step = match fault {
                Fault::Never => {
                    let before = self.session.journey().clone();
                    let mut stopped = self.session.cancel();
                    prop_assert!(stopped.outcomes.iter().any(|o| o.mode == Mode::Cancelled));
                    prop_assert_eq!(self.session.journey(), &before);
                    self.trace.append(&mut stopped.events);
                    // It answers after all.
                    prop_assert!(is_nothing(&self.session.resume(id, good())));
                    return Ok(());
                }
                Fault::Twice => {
                    let next = self.session.resume(id, good());
                    prop_assert!(is_nothing(&self.session.resume(id, good())));
                    next
                }
                Fault::WrongRequest => {
                    prop_assert!(is_nothing(&self.session.resume(id + 7, good())));
                    self.session.resume(id, good())
                }
                Fault::WrongKind => self.session.resume(id, Answer::Grant(None)),
                Fault::Infra => self
                    .session
                    .resume(id, done(HostResult::Infra("\u{1b}]0;x\u{7}".into()))),
                Fault::None => self.session.resume(id, good()),
                Fault::Huge | Fault::BrokenText | Fault::WrongShape => {
                    self.session.resume(id, done(HostResult::Done(Some(data(fault)))))
                }
            };
        }
    }

    /// The session is free and goes on; what its log says is told, once; and the log and the trace lead to it.
    fn sound(&mut self) -> Result<(), TestCaseError> {
        prop_assert!(!self.session.is_busy());
        self.take(intent_of("no_such_intent", Map::new()))?;
        let log = self.session.log();
        prop_assert_eq!(log.last().map(|e| e.kind.as_str()), Some(kind::TURN_END));
        let count = |of: &str| log.iter().filter(|e| e.kind == of).count();
        prop_assert_eq!(count(kind::DISPATCHED), count(kind::RETURNED));
        let mut told: HashMap<String, i64> = HashMap::new();
        let line = |e: &Event| {
            format!(
                "{} {} {}",
                e.turn,
                e.kind,
                kitsoki_runtime::json::sorted(&Value::Map(e.payload.clone()))
            )
        };
        for event in &self.trace {
            *told.entry(line(event)).or_default() += 1;
        }
        for event in log {
            let left = told.entry(line(event)).or_default();
            *left -= 1;
            prop_assert!(*left >= 0, "lost: {}", line(event));
        }
        let program = self.session.program().clone();
        let again = Session::replay(program.clone(), Config::default(), log.to_vec());
        let again = again.map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(again.journey(), self.session.journey());
        let lines = trace::parse(&encoded(&self.trace), true).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let events = lines.into_iter().map(|l| l.event).collect();
        let again = Session::replay(program, Config::default(), events);
        let again = again.map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(again.hash(), self.session.hash());
        Ok(())
    }
}

#[test]
fn no_fault_of_a_handler_loses_an_event_or_stops_a_session() {
    let met = std::cell::RefCell::new(HashMap::<Fault, usize>::new());
    over_stories(64, |program, seed, deeds| {
        let mut plan = Plan::new(program, seed);
        plan.take(Input::Boot)?;
        for deed in deeds {
            if let Some(input) = input(&plan.session, deed) {
                plan.take(input)?;
            }
        }
        plan.sound()?;
        for (fault, count) in plan.met {
            *met.borrow_mut().entry(fault).or_default() += count;
        }
        Ok(())
    });
    let met = met.into_inner();
    for fault in FAULTS {
        assert!(met.get(&fault).is_some_and(|n| *n > 10), "{fault:?}: {met:?}");
    }
}

#[test]
fn a_log_that_ends_between_any_two_events_is_gone_on_from() {
    let mut cuts = 0;
    for (name, program) in shipped() {
        for seed in 0..4 {
            let deeds: Vec<Deed> = (0..8)
                .map(|n| Deed::Intent(n * 7 + usize::try_from(seed).unwrap(), 3))
                .collect();
            let mut plan = Plan::new(program, seed);
            plan.take(Input::Boot).unwrap();
            for deed in &deeds {
                if let Some(input) = input(&plan.session, deed) {
                    plan.take(input).unwrap();
                }
            }
            let log = plan.session.log().to_vec();
            for cut in 0..=log.len() {
                let mut left = Plan::new(program, seed);
                left.session = Session::replay(Arc::clone(program), Config::default(), log[..cut].to_vec()).unwrap();
                left.trace = log[..cut].to_vec();
                let turn = left.session.turn();
                // What was written stays written, and the next turn comes after it.
                left.take(intent_of("no_such_intent", Map::new())).unwrap();
                assert_eq!(encoded(&left.session.log()[..cut]), encoded(&log[..cut]), "{name}");
                assert_eq!(left.session.turn(), turn + 1, "{name}: cut at {cut}");
                let again = Session::replay(Arc::clone(program), Config::default(), left.session.log().to_vec());
                assert_eq!(again.unwrap().journey(), left.session.journey(), "{name}: cut at {cut}");
                cuts += 1;
            }
        }
    }
    assert!(cuts > 500, "{cuts} cuts");
}
