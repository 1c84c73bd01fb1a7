//! Drivers and handlers that misbehave: no event is lost or doubled, and the session goes on.

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::event::kind;
use kitsoki_runtime::gate::{Gates, Scope};
use kitsoki_runtime::session::{Answer, Ask, HostAnswer, HostResult, JobStatus, Mode, Step};
use kitsoki_runtime::value::{map, texts};
use kitsoki_runtime::{Config, Event, Session, trace};

use crate::support::{Driver, alike, at, encoded, intent_of, story};

const HALL: &str = r#"
app: { id: hall, version: "1" }
root: hall
hosts: [host.run, host.chat.list]
world:
  out: { type: any, default: "" }
  first: { type: any, default: "" }
  sum: { type: int, default: 0 }
  done: { type: int, default: 0 }
intents:
  go: { description: Go. }
  start: { description: Start a job. }
  rest: { description: Rest. }
states:
  hall:
    description: The hall.
    view: "Hall {{ world.done }}."
    on:
      go:
        - target: .
          effects:
            - { invoke: host.run, with: { cmd: one }, bind: { out: out, first: "items[0].id", sum: "{{ result.n }}" } }
            - { invoke: host.chat.list, with: { about: "{{ world.first }}" } }
      start:
        - target: .
          effects:
            - invoke: host.run
              with: { cmd: job }
              background: true
              on_complete:
                - increment: { done: 1 }
      rest: [{ target: . }]
"#;

fn driver() -> Driver {
    // Hashes of great texts would be most of the time of these tests.
    Driver::with(&story(HALL, &[]), Config::default())
}

fn done(data: Map) -> Answer {
    Answer::Host(HostAnswer {
        result: HostResult::Done(Some(data)),
        ..HostAnswer::default()
    })
}

/// The request that a turn waits with.
#[track_caller]
fn waits(step: &Step) -> u64 {
    assert!(step.outcomes.is_empty(), "{step:?}");
    let calls = step.requests.iter().filter(|r| !matches!(r.what, Ask::Job { .. }));
    calls.map(|r| r.id).next().expect("the turn waits")
}

fn is_empty(step: &Step) -> bool {
    step.events.is_empty() && step.requests.is_empty() && step.outcomes.is_empty() && step.stops.is_empty()
}

/// What holds after every fault: the session is free and takes a turn, calls and answers pair up, the trace is whole,
/// and what it leads to is the session.
#[track_caller]
fn sound(driver: &mut Driver) {
    assert!(!driver.session.is_busy());
    assert_eq!(driver.go("rest").mode, Mode::Transitioned);
    assert_eq!(driver.told(kind::DISPATCHED).len(), driver.told(kind::RETURNED).len());
    let lines = trace::parse(&encoded(&driver.trace), true).unwrap();
    let events: Vec<Event> = lines.into_iter().map(|l| l.event).collect();
    let again = Session::replay(driver.session.program().clone(), Config::default(), events).unwrap();
    assert_eq!(again.hash(), driver.session.hash());
    assert_eq!(
        (again.state(), again.turn()),
        (driver.session.state(), driver.session.turn())
    );
    let log = driver.session.log().to_vec();
    let again = Session::replay(driver.session.program().clone(), Config::default(), log).unwrap();
    assert!(alike(&again, &driver.session));
}

#[test]
fn answers_of_any_shape_are_taken() {
    let mut deep = Value::Nil;
    for _ in 0..3_000 {
        deep = Value::list(vec![deep]);
    }
    let mut nested = Value::Nil;
    for _ in 0..95 {
        nested = Value::Map(map([("in", nested)]));
    }
    let lossy = String::from_utf8_lossy(b"\xff\xfe\x00caf\xe9").into_owned();
    let shapes: Vec<(&str, Map)> = vec![
        ("nothing", Map::new()),
        ("long", map([("out", Value::from("x".repeat(1 << 16)))])),
        (
            "full of escapes",
            map([("out", Value::from("\u{1b}\n".repeat(1 << 15)))]),
        ),
        ("invalid UTF-8", map([("out", Value::from(lossy))])),
        ("a list for a text", map([("out", texts(["a", "b"]))])),
        ("a text for a list", map([("items", Value::text("no list"))])),
        (
            "a map for a list",
            map([("items", Value::Map(map([("0", Value::Int(1))])))]),
        ),
        ("a list of texts for one of maps", map([("items", texts(["a"]))])),
        ("a text for a number", map([("n", Value::text("seven"))])),
        (
            "not a number",
            map([("out", Value::Float(f64::NAN)), ("n", Value::Float(f64::INFINITY))]),
        ),
        (
            "great numbers",
            map([("out", Value::Uint(u64::MAX)), ("n", Value::Int(i64::MIN))]),
        ),
        ("as deep as can be", map([("out", nested)])),
        ("too deep", map([("out", deep)])),
        (
            "strange keys",
            map([(
                "out",
                Value::Map(map([("", Value::Nil), ("a.b[0]", Value::Nil), ("\0", Value::Nil)])),
            )]),
        ),
    ];
    for (name, data) in shapes {
        let own = data.clone();
        let mut driver = driver().answering(move |_| HostResult::Done(Some(own.clone())));
        let outcome = driver.go("go");
        assert_eq!(outcome.mode, Mode::Transitioned, "{name}");
        assert_eq!(driver.calls.len(), 2, "{name}");
        assert_eq!(
            driver.text("last_error").contains("nested"),
            name == "too deep",
            "{name}"
        );
        sound(&mut driver);

        // The same as a failure with data.
        let mut driver = self::driver().answering(move |_| HostResult::Domain {
            message: "no".into(),
            data: Some(data.clone()),
        });
        driver.go("go");
        assert_eq!(driver.calls.len(), 2, "{name}");
        sound(&mut driver);
    }
}

#[test]
fn a_text_of_ten_megabytes_arrives_whole() {
    let mut driver = driver().answering(|_| HostResult::Done(Some(map([("out", Value::from("é".repeat(5 << 20)))]))));
    driver.go("go");
    assert_eq!(driver.text("out").len(), 10 << 20);
}

#[test]
fn a_handler_that_never_answers_is_stopped() {
    let mut driver = driver();
    let step = driver.session.submit(intent_of("go", Map::new())).unwrap();
    let request = waits(&step);
    driver.trace.extend(step.events);
    let before = driver.session.hash();
    let step = driver.session.cancel();
    assert_eq!(
        step.outcomes.iter().map(|o| o.mode).collect::<Vec<_>>(),
        [Mode::Cancelled]
    );
    driver.trace.extend(step.events);
    assert_eq!(driver.session.hash(), before);
    // Its answer comes after all; and once more while the next turn waits for another.
    assert!(is_empty(&driver.session.resume(request, done(Map::new()))));
    let step = driver.session.submit(intent_of("go", Map::new())).unwrap();
    let next = waits(&step);
    assert_ne!(request, next);
    driver.trace.extend(step.events);
    let stale = done(map([("out", Value::text("stale"))]));
    assert!(is_empty(&driver.session.resume(request, stale)));
    assert!(driver.session.is_busy());
    let step = driver.session.resume(next, done(map([("out", Value::text("fresh"))])));
    driver.drive(step);
    assert_eq!(driver.text("out"), "fresh");
    sound(&mut driver);
    assert!(is_empty(&driver.session.cancel()), "there is nothing to stop");
}

#[test]
fn an_answer_counts_once_and_only_for_its_request() {
    let mut driver = driver();
    let step = driver.session.submit(intent_of("go", Map::new())).unwrap();
    let first = waits(&step);
    driver.trace.extend(step.events);
    for wrong in [0, first + 1, first + 2, u64::MAX] {
        assert!(is_empty(
            &driver.session.resume(wrong, done(map([("out", Value::text("wrong"))])))
        ));
    }
    let step = driver.session.resume(first, done(map([("out", Value::text("right"))])));
    let second = waits(&step);
    driver.trace.extend(step.events);
    assert!(is_empty(
        &driver.session.resume(first, done(map([("out", Value::text("again"))])))
    ));
    let step = driver.session.resume(second, done(Map::new()));
    driver.drive(step);
    assert!(is_empty(&driver.session.resume(second, done(Map::new()))));
    assert_eq!(driver.text("out"), "right");
    assert_eq!(driver.told(kind::RETURNED).len(), 2);
    sound(&mut driver);
}

#[test]
fn an_answer_of_another_kind_is_a_failure() {
    let mut driver = driver();
    let step = driver.session.submit(intent_of("go", Map::new())).unwrap();
    let request = waits(&step);
    driver.trace.extend(step.events);
    let step = driver.session.resume(request, Answer::Grant(Some(Scope::Session)));
    driver.drive(step);
    assert_eq!(
        driver.text("last_error"),
        "host.run: the answer was for another question"
    );
    assert_eq!(driver.text("write_mode_scope"), "");
    sound(&mut driver);
}

#[test]
fn nothing_else_is_taken_while_a_turn_waits() {
    let mut driver = driver();
    let step = driver.session.submit(intent_of("go", Map::new())).unwrap();
    let request = waits(&step);
    driver.trace.extend(step.events);
    let busy = driver.session.submit(intent_of("rest", Map::new()));
    assert_eq!(busy.map_err(|b| b.request).err(), Some(request));
    let step = driver.session.resume(request, done(Map::new()));
    driver.drive(step);
    assert_eq!(driver.session.turn(), 1);
    sound(&mut driver);
}

#[test]
fn a_job_ends_once() {
    let mut driver = driver();
    driver.go("start");
    let (job, _) = driver.jobs[0].clone();
    assert!(is_empty(&driver.session.job_ended("job-9", HostResult::Done(None))));
    let ended = driver.end_job(HostResult::Done(None));
    assert_eq!(ended.len(), 1);
    for late in [HostResult::Done(None), HostResult::Infra("late".into())] {
        assert!(is_empty(&driver.session.job_ended(&job, late)));
    }
    assert_eq!(driver.session.world().get("done"), Some(&Value::Int(1)));
    assert_eq!(driver.told(kind::COMPLETED).len(), 1);
    assert_eq!(driver.session.jobs()[0].status, JobStatus::Done);
    sound(&mut driver);
}

#[test]
fn the_end_of_a_job_waits_for_the_turn_that_is_under_way() {
    for stopped in [false, true] {
        let mut driver = driver();
        driver.go("start");
        let (job, _) = driver.jobs[0].clone();
        let step = driver.session.submit(intent_of("go", Map::new())).unwrap();
        let request = waits(&step);
        driver.trace.extend(step.events);
        assert!(is_empty(&driver.session.job_ended(&job, HostResult::Done(None))));
        let step = if stopped {
            driver.session.cancel()
        } else {
            driver.session.resume(request, done(Map::new()))
        };
        let outcomes = driver.drive(step);
        assert_eq!(outcomes.len(), 2, "{outcomes:?}");
        assert!(outcomes[1].synthetic);
        assert_eq!(driver.told(kind::COMPLETED).len(), 1);
        sound(&mut driver);
    }
}

#[test]
fn a_turn_that_is_stopped_takes_its_jobs_with_it() {
    let text = HALL.replace(
        "            - { invoke: host.chat.list, with: { about: \"{{ world.first }}\" } }",
        "            - { invoke: host.run, with: { cmd: job }, background: true, on_complete: [{ increment: { done: 1 } }] }\n            - { invoke: host.chat.list }",
    );
    assert_ne!(text, HALL);
    let mut driver = Driver::new(&story(&text, &[]), Gates::Strict);
    let step = driver.session.submit(intent_of("go", Map::new())).unwrap();
    let step = driver.session.resume(waits(&step), done(Map::new()));
    let started: Vec<_> = step
        .requests
        .iter()
        .filter(|r| matches!(r.what, Ask::Job { .. }))
        .collect();
    assert_eq!(started.len(), 1);
    let step = driver.session.cancel();
    assert_eq!(step.stops, ["job-1"]);
    assert!(is_empty(&driver.session.job_ended("job-1", HostResult::Done(None))));
    // The next job is not taken for it.
    driver.go("start");
    assert_eq!(driver.jobs[0].0, "job-2");
    assert!(is_empty(&driver.session.job_ended("job-1", HostResult::Done(None))));
    assert_eq!(driver.session.jobs().len(), 1);
}

#[test]
fn a_job_of_a_replayed_log_is_not_taken_for_a_new_one() {
    let mut driver = driver();
    driver.go("start");
    let log = driver.session.log().to_vec();
    let session = Session::replay(driver.session.program().clone(), Config::default(), log).unwrap();
    let mut again = Driver::over(session);
    again.go("start");
    assert_eq!(again.jobs[0].0, "job-2");
    assert!(is_empty(&again.session.job_ended("job-1", HostResult::Done(None))));
}

#[test]
fn events_that_a_handler_sends_along_move_nothing() {
    let program = story(HALL, &[]);
    let mut session = Session::new(program.clone(), Config::default());
    let step = session.submit(intent_of("go", Map::new())).unwrap();
    let mut request = waits(&step);
    let mut told: Vec<Event> = step.events;
    let forged = |kind: &str, payload: Map| Event::new(kind, payload);
    for notes in [
        vec![
            forged(kind::TRANSITION, map([("to", Value::text("elsewhere"))])),
            forged(
                kind::WORLD,
                map([("set", Value::Map(map([("write_mode_scope", Value::text("session"))])))]),
            ),
            forged("agent.call.start", map([("agent", Value::text("a"))])),
        ],
        Vec::new(),
    ] {
        let answer = Answer::Host(HostAnswer {
            notes,
            ..HostAnswer::default()
        });
        let step = session.resume(request, answer);
        told.extend(step.events);
        request = step.requests.first().map_or(0, |r| r.id);
    }
    assert_eq!(told.iter().filter(|e| e.kind == "agent.call.start").count(), 1);
    let again = Session::replay(program, Config::default(), told).unwrap();
    assert_eq!((again.state(), again.hash()), (session.state(), session.hash()));
    assert_eq!(at(&session.resting()), "hall");
}
