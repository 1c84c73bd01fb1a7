//! Random sessions over every shipped story: the log is the session, whoever reads it and wherever the writer stopped.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::event::kind;
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::session::{Answer, Ask, HostAnswer, HostRequest, HostResult, Input, Journey};
use kitsoki_runtime::value::{map, texts};
use kitsoki_runtime::{Config, Program, Session, trace};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config as Runs, RngAlgorithm, TestRng, TestRunner};

use crate::support::{Driver, encoded, intent_of, shipped};

/// One thing that is done to a session.
#[derive(Clone, Debug)]
pub enum Deed {
    /// One of the allowed intents, with slots out of a seed.
    Intent(usize, u8),
    /// One that nobody knows.
    Nonsense,
    /// The oldest job ends, well or badly.
    EndJob(bool),
    /// Time passes up to the next timeout.
    Wait,
    Reload(bool),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        12 => (any::<usize>(), any::<u8>()).prop_map(|(n, seed)| Deed::Intent(n, seed)),
        1 => Just(Deed::Nonsense),
        2 => any::<bool>().prop_map(Deed::EndJob),
        1 => Just(Deed::Wait),
        1 => any::<bool>().prop_map(Deed::Reload),
    ]
}

/// A plan of a session: which of the answers hosts give, and what is done.
fn plan() -> impl Strategy<Value = (u64, Vec<Deed>)> {
    (any::<u64>(), prop::collection::vec(deed(), 1..14))
}

/// The same answer to the same request, in every run and after every restart.
pub fn answer(seed: u64, request: &HostRequest) -> HostResult {
    let mut hasher = DefaultHasher::new();
    seed.hash(&mut hasher);
    request.turn.hash(&mut hasher);
    request.verb.hash(&mut hasher);
    kitsoki_runtime::json::sorted(&Value::Map(request.args.clone())).hash(&mut hasher);
    let plan = map([
        ("goal", Value::text("A goal")),
        (
            "step",
            Value::Map(map([
                ("kind", Value::text("run")),
                ("description", Value::text("Do it")),
            ])),
        ),
        (
            "verify",
            Value::Map(map([
                ("mode", Value::text("script")),
                ("script", Value::text("verify/issues_migrated.star")),
            ])),
        ),
    ]);
    let turn = hasher.finish();
    let good = turn.is_multiple_of(2);
    let mut submitted = map([
        ("summary", Value::text("Done & <dusted>\u{1b}[1m")),
        ("pass", Value::Bool(good)),
        ("intent", Value::text("look")),
        ("confidence", Value::Float(0.25)),
        ("reply", Value::text("A reply")),
        ("items", texts(["one", "two"])),
    ]);
    if !turn.is_multiple_of(3) {
        submitted.insert("plan", Value::Map(plan));
    }
    let data = map([
        ("ok", Value::Bool(good)),
        ("exit_code", Value::Int(i64::from(!good))),
        ("stdout", Value::text("line\nline \u{7f}é")),
        ("stderr", Value::text("")),
        ("count", Value::Uint(turn % 5)),
        ("odd", Value::Float(f64::NAN)),
        ("reason", Value::Nil),
        ("tickets", Value::list(vec![Value::Map(map([("id", Value::Int(7))]))])),
        ("submitted", Value::Map(submitted)),
    ]);
    match turn % 7 {
        0 => HostResult::Infra("the line is dead".into()),
        1 => HostResult::Domain {
            message: "it did not work".into(),
            data: Some(data),
        },
        2 => HostResult::Done(None),
        _ => HostResult::Done(Some(data)),
    }
}

fn config() -> Config {
    Config {
        gates: Gates::Assume,
        hashes: true,
        decides: true,
        ..Config::default()
    }
}

fn driver(session: Session, seed: u64) -> Driver {
    Driver::over(session).answering(move |request| answer(seed, request))
}

/// The input of a deed, when it is one.
pub fn input(session: &Session, deed: &Deed) -> Option<Input> {
    match deed {
        Deed::Intent(n, seed) => {
            let mut names = session.machine().allowed_names(session.state());
            // Story authoring is offered everywhere, and would be most of the journey.
            names.retain(|n| n != "author_story" || seed % 16 == 0);
            let name = names.get(n % names.len().max(1))?;
            let declared = session.machine().intent(session.state(), name);
            let slots = declared.map_or(&[][..], |intent| &intent.slots);
            let mut given = Map::new();
            for (n, slot) in slots.iter().enumerate() {
                let value = match (
                    seed.wrapping_add(u8::try_from(n).unwrap_or(0)) % 5,
                    slot.values.get(usize::from(*seed) / 5 % slot.values.len().max(1)),
                ) {
                    (0, _) => continue,
                    (1 | 2, Some(first)) => Value::text(first),
                    (1, None) => Value::Int(3),
                    (2, None) => Value::Float(2.5),
                    _ => Value::text("some <words>"),
                };
                given.insert(slot.name.clone(), value);
            }
            Some(intent_of(name, given))
        }
        Deed::Nonsense => Some(intent_of("no_such_intent", Map::new())),
        Deed::Reload(force) => Some(Input::Reload { force: *force }),
        Deed::EndJob(_) | Deed::Wait => None,
    }
}

fn act(driver: &mut Driver, deed: &Deed, seed: u64) {
    if let Some(input) = input(&driver.session, deed) {
        driver.submit(input);
        return;
    }
    match deed {
        Deed::EndJob(good) if !driver.jobs.is_empty() => {
            let result = if *good {
                answer(seed, &driver.jobs[0].1)
            } else {
                HostResult::Infra("stopped".into())
            };
            driver.end_job(result);
        }
        Deed::Wait => {
            if let Some(due) = driver.session.next_timeout_ms() {
                let step = driver.session.advance(due);
                driver.drive(step);
            }
        }
        _ => {}
    }
}

fn run(program: &Arc<Program>, seed: u64, deeds: &[Deed]) -> Driver {
    let mut driver = driver(Session::new(Arc::clone(program), config()), seed);
    driver.submit(Input::Boot);
    for deed in deeds {
        act(&mut driver, deed, seed);
    }
    driver
}

/// Runs a property over every shipped story, with the same cases every time.
pub fn over_stories(cases: u32, property: impl Fn(&Arc<Program>, u64, &[Deed]) -> Result<(), TestCaseError>) {
    for (name, program) in shipped() {
        let runs = Runs {
            cases,
            failure_persistence: None,
            ..Runs::default()
        };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
        let mut runner = TestRunner::new_with_rng(runs, rng);
        let result = runner.run(&plan(), |(seed, deeds)| property(program, seed, &deeds));
        assert!(result.is_ok(), "{name}: {}", result.unwrap_err());
    }
}

#[test]
fn the_sessions_of_these_tests_go_somewhere() {
    for (name, program) in shipped() {
        let mut states = std::collections::BTreeSet::new();
        let (mut calls, mut jobs) = (0, 0);
        let mut runner = TestRunner::new_with_rng(Runs::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
        for _ in 0..48 {
            let (seed, deeds) = plan().new_tree(&mut runner).unwrap().current();
            let driver = run(program, seed, &deeds);
            states.insert(driver.session.state().clone());
            calls += driver.calls.len();
            jobs += driver.told(kind::COMPLETED).len();
        }
        assert!(states.len() >= 2, "{name}: {states:?}");
        assert!(calls > 10 || name == "cloak", "{name}: {calls} calls");
        assert!(jobs > 0 || name != "git-hub", "{name}: {jobs} jobs");
    }
}

#[test]
fn the_log_is_the_session() {
    over_stories(48, |program, seed, deeds| {
        let driver = run(program, seed, deeds);
        let again = Session::replay(Arc::clone(program), config(), driver.session.log().to_vec());
        let again = again.map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(again.journey(), driver.session.journey());
        prop_assert_eq!(again.hash(), driver.session.hash());
        Ok(())
    });
}

#[test]
fn a_trace_read_back_is_the_session() {
    over_stories(48, |program, seed, deeds| {
        let driver = run(program, seed, deeds);
        let text = encoded(&driver.trace);
        let lines = trace::parse(&text, true).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let events = lines.into_iter().map(|l| l.event).collect();
        let again = Session::replay(Arc::clone(program), config(), events);
        let again = again.map_err(|e| TestCaseError::fail(e.to_string()))?;
        let (got, want): (&Journey, &Journey) = (again.journey(), driver.session.journey());
        prop_assert_eq!((&got.state, got.turn), (&want.state, want.turn));
        let text = |j: &Journey| kitsoki_runtime::json::sorted(&Value::Map(j.world.vars.clone()));
        prop_assert_eq!(text(got), text(want));
        prop_assert_eq!(again.hash(), driver.session.hash());
        Ok(())
    });
}

#[test]
fn two_runs_write_the_same_bytes() {
    over_stories(32, |program, seed, deeds| {
        let (one, two) = (run(program, seed, deeds), run(program, seed, deeds));
        prop_assert_eq!(encoded(&one.trace), encoded(&two.trace));
        Ok(())
    });
}

#[test]
fn a_changed_log_is_found_by_its_hash() {
    over_stories(16, |program, seed, deeds| {
        let mut log = run(program, seed, deeds).session.log().to_vec();
        let hashed = log.iter().rposition(|e| e.payload.contains_key("state_hash"));
        let before = log.get(..hashed.unwrap_or(0)).unwrap_or_default();
        let moved = before.iter().rposition(|e| e.kind == kind::TRANSITION);
        let (Some(last), Some(moved)) = (hashed, moved) else {
            return Ok(());
        };
        let turn = log[last].turn;
        log.truncate(last + 1);
        log[moved].payload.insert("to", Value::text("nowhere"));
        let found = Session::replay(Arc::clone(program), config(), log).map_err(|e| e.turn);
        prop_assert!(found.is_err_and(|at| at <= turn));
        Ok(())
    });
}

#[test]
fn a_session_goes_on_from_any_turn_of_its_log() {
    over_stories(24, |program, seed, deeds| {
        let whole = run(program, seed, deeds);
        for cut in 0..deeds.len() {
            let before = run(program, seed, &deeds[..cut]);
            let log = before.session.log().to_vec();
            let again =
                Session::replay(Arc::clone(program), config(), log).map_err(|e| TestCaseError::fail(e.to_string()))?;
            // What lives in the process alone is lost with it: jobs, and how long a timeout has been running.
            let same_timer = again.next_timeout_ms().is_some() == before.session.next_timeout_ms().is_some();
            if !before.session.inbox().is_empty() || !same_timer {
                continue;
            }
            let mut again = driver(again, seed);
            for deed in &deeds[cut..] {
                act(&mut again, deed, seed);
            }
            prop_assert_eq!(again.session.journey(), whole.session.journey());
            prop_assert_eq!(encoded(again.session.log()), encoded(whole.session.log()));
        }
        Ok(())
    });
}

/// Runs a session whose process ends when the given request of all requests goes out: what is left is the log. The input
/// whose turn was lost is given again. `None`: there are not so many requests, or a job would be lost with the process.
fn killed(program: &Arc<Program>, seed: u64, deeds: &[Deed], at: usize) -> Option<Session> {
    let mut session = Session::new(Arc::clone(program), config());
    let mut count = 0;
    let mut lost = false;
    let inputs = std::iter::once(None).chain(deeds.iter().map(Some));
    for deed in inputs {
        'again: loop {
            let before = session.log().to_vec();
            let input = match deed {
                None => Input::Boot,
                Some(deed) => match input(&session, deed) {
                    Some(input) => input,
                    None => break 'again,
                },
            };
            let mut step = session.submit(input).unwrap();
            loop {
                let mut next = None;
                for request in step.requests {
                    match request.what {
                        Ask::Call(call) => {
                            let result = answer(seed, &call);
                            let answer = HostAnswer {
                                result,
                                ..HostAnswer::default()
                            };
                            next = Some((request.id, Answer::Host(answer)));
                        }
                        Ask::Job { .. } => return None,
                        Ask::Grant { .. } => next = Some((request.id, Answer::Grant(None))),
                        Ask::Interpret(_) => panic!("no deed is a text"),
                    }
                }
                let Some((id, answer)) = next else { break 'again };
                count += 1;
                if count == at && !lost {
                    lost = true;
                    drop(session);
                    session = Session::replay(Arc::clone(program), config(), before).unwrap();
                    continue 'again;
                }
                step = session.resume(id, answer);
            }
        }
    }
    lost.then_some(session)
}

#[test]
fn a_process_that_ends_in_the_middle_of_a_turn_loses_nothing() {
    let tried = std::cell::Cell::new(0);
    over_stories(24, |program, seed, deeds| {
        let calm: Vec<Deed> = deeds
            .iter()
            .filter(|d| !matches!(d, Deed::EndJob(_) | Deed::Wait))
            .cloned()
            .collect();
        let whole = run(program, seed, &calm);
        for at in 1..=whole.calls.len() {
            let Some(session) = killed(program, seed, &calm, at) else {
                continue;
            };
            tried.set(tried.get() + 1);
            prop_assert_eq!(session.journey(), whole.session.journey());
            prop_assert_eq!(encoded(session.log()), encoded(whole.session.log()));
        }
        Ok(())
    });
    assert!(tried.get() > 50, "{} turns were cut", tried.get());
}
