//! Sessions side by side, and one session through two front ends: what one of them does is not seen in another.

use std::path::Path;
use std::sync::Arc;

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::machine::Call;
use kitsoki_runtime::session::{Answer, Ask, HostAnswer, Input};
use kitsoki_runtime::{Config, Event, Program, Session, trace};
use kitsoki_testing::rig::Rig;
use kitsoki_testing::{Options, fixture, run};

use crate::support::{encoded, intent_of, on_disk};

const TURNS: usize = 250;

/// A story whose script, world and rooms are called like those of any other one of these tests.
fn twin(dir: &Path, word: &str) -> Arc<Program> {
    let app = format!(
        r#"
app: {{ id: twin, version: "1" }}
root: hall
hosts: [host.starlark.run]
world:
  word: {{ type: string, default: "" }}
  n: {{ type: int, default: 0 }}
intents:
  go: {{ description: Go. }}
states:
  hall:
    description: The hall.
    view: "{word} {{{{ world.word }}}} {{{{ world.n }}}}"
    on:
      go:
        - target: .
          effects:
            - increment: {{ n: 1 }}
            - invoke: host.starlark.run
              with: {{ script: scripts/x.star, inputs: {{ n: "{{{{ world.n }}}}" }} }}
              bind: {{ word: word }}
"#
    );
    std::fs::create_dir_all(dir.join("scripts")).unwrap();
    std::fs::write(dir.join("app.yaml"), app).unwrap();
    let script = format!("def main(ctx):\n    return {{\"word\": \"{word}-\" + str(int(ctx.inputs[\"n\"]))}}\n");
    std::fs::write(dir.join("scripts/x.star"), script).unwrap();
    let sidecar = "inputs:\n  n: { type: any }\noutputs:\n  word: { type: string }\n";
    std::fs::write(dir.join("scripts/x.star.yaml"), sidecar).unwrap();
    on_disk(dir)
}

/// A session with what answers it.
struct Seat<'s> {
    session: Session,
    rig: Rig<'s>,
    trace: Vec<Event>,
    views: Vec<String>,
}

impl<'s> Seat<'s> {
    fn new(program: &'s Arc<Program>) -> Self {
        Self {
            session: Session::new(Arc::clone(program), Config::default()),
            rig: Rig::new(program, &fixture::Flow::default(), None).unwrap(),
            trace: Vec::new(),
            views: Vec::new(),
        }
    }

    fn take(&mut self, input: Input) {
        self.rig.state = self.session.state().to_string();
        let mut step = self.session.submit(input).unwrap();
        loop {
            self.trace.append(&mut step.events);
            self.views.extend(step.outcomes.iter().map(|o| o.view.clone()));
            let Some(request) = step.requests.pop() else { return };
            let Ask::Call(call) = &request.what else {
                panic!("only calls: {request:?}");
            };
            let reply = self.rig.answer(call, false);
            let answer = HostAnswer {
                result: reply.result,
                cost_usd: 0.0,
                notes: reply.notes,
            };
            step = self.session.resume(request.id, Answer::Host(answer));
        }
    }
}

/// What sessions of two stories come to when their turns alternate.
fn alternate(one: &Arc<Program>, two: &Arc<Program>) -> Vec<(String, Vec<String>)> {
    let mut seats = [Seat::new(one), Seat::new(two)];
    for _ in 0..TURNS {
        for seat in &mut seats {
            seat.take(intent_of("go", Map::new()));
        }
    }
    seats.into_iter().map(|s| (encoded(&s.trace), s.views)).collect()
}

#[test]
fn stories_with_the_same_names_do_not_see_each_other() {
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let (north, south) = (twin(dirs[0].path(), "north"), twin(dirs[1].path(), "south"));
    let alone = |program: &Arc<Program>| {
        let mut seat = Seat::new(program);
        for _ in 0..TURNS {
            seat.take(intent_of("go", Map::new()));
        }
        (encoded(&seat.trace), seat.views)
    };
    let wanted = [alone(&north), alone(&south)];
    let last = format!("north north-{TURNS} {TURNS}");
    assert_eq!(wanted[0].1.last(), Some(&last));
    // Two threads with two sessions each, a thousand turns in all, on the same two programs.
    std::thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| alternate(&north, &south)));
        for thread in both {
            assert!(thread.join().unwrap() == wanted, "a session saw another one");
        }
    });
}

#[test]
fn the_flow_runner_and_a_driver_of_the_session_write_the_same_trace() {
    let story = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../stories/dev-story"));
    let program = on_disk(story);
    for name in ["plan_affirm_accept", "plan_apply_verify_red", "plan_refine"] {
        let flow = fixture::load(&story.join(format!("flows/{name}.yaml")))
            .unwrap()
            .flows
            .remove(0);
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("trace.jsonl");
        let options = Options {
            gates: Gates::Strict,
            trace: Some(&file),
            ..Options::default()
        };
        assert!(run::run(&program, &flow, options).unwrap().passed);
        let text = std::fs::read_to_string(&file).unwrap();
        let runner: Vec<Event> = trace::parse(&text, true)
            .unwrap()
            .into_iter()
            .map(|l| l.event)
            .collect();

        let mut seat = Seat::new(&program);
        seat.rig = Rig::new(&program, &flow, None).unwrap();
        seat.session = Session::new(
            Arc::clone(&program),
            Config {
                session_id: "flow".into(),
                ..Config::default()
            },
        );
        seat.session.seed(flow.initial_state.as_deref(), &flow.initial_world);
        for turn in &flow.turns {
            if !turn.world_override.is_empty() {
                seat.take(Input::Override(turn.world_override.clone()));
            }
            let call = Call {
                intent: turn.intent.clone().unwrap(),
                slots: turn.slots.clone(),
            };
            let shown = Some(turn.display_input.clone()).filter(|d| !d.is_empty());
            seat.take(Input::Intent { call, shown });
        }
        assert!(!runner.is_empty());
        assert_eq!(encoded(&seat.trace), encoded(&runner), "{name}");
        assert_eq!(seat.session.world().get("ide").map(Value::is_nil), Some(false));
    }
}
