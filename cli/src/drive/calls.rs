//! A call of the engine on its way to a handler: its surroundings, and the answer in the engine's words.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use kitsoki_expr::Map;
use kitsoki_hosts::agents::gate::{Decision, WriteGate};
use kitsoki_hosts::agents::{AgentBackend, Agents, Layer, LineProgram};
use kitsoki_hosts::cancel::Cancel;
use kitsoki_hosts::services::memory::{MemoryChats, MemoryInbox};
use kitsoki_hosts::{Class, Context, Environment, Interpreter, Registry, ScriptBinding, Unclear, value};
use kitsoki_ir::state::WriteMode;
use kitsoki_runtime::gate::Scope;
use kitsoki_runtime::session::{HostRequest, HostResult, Interpretation, Interpreted, Said};
use kitsoki_runtime::{Event, Program};
use serde_json::{Value as Json, json};

use super::agents::{self, Recorder};
use super::locked;
use super::operator::Listed;

/// What came of a call.
pub struct Made {
    /// The answer.
    pub result: HostResult,
    /// What its agents cost, in US dollars.
    pub cost: f64,
    /// Its events.
    pub notes: Vec<Event>,
    /// What the gate decided while it ran. These go into the trace as they are: the engine takes no word about grants from
    /// a handler.
    pub decisions: Vec<Event>,
}

/// Who answers the calls of a session.
pub struct Hosts {
    program: Arc<Program>,
    session: String,
    registry: Registry,
    backend: Option<Arc<dyn AgentBackend>>,
    interpreter: Interpreter,
    layers: Vec<Layer>,
    current: PathBuf,
    environment: Environment,
    chats: Arc<MemoryChats>,
    inbox: Arc<MemoryInbox>,
    told: Mutex<usize>,
    turn: Mutex<Turn>,
}

/// Who can be asked during a turn, and what is granted.
struct Turn {
    operator: Option<Arc<Listed>>,
    gate: Arc<WriteGate>,
}

impl Hosts {
    /// The handlers of a story, and the program that runs its agents.
    pub fn new(program: &Arc<Program>, session: &str, agent_program: Option<&str>) -> Self {
        let mut registry = kitsoki_hosts::builtins();
        for host in &program.story.hosts {
            let Some(script) = &host.script else { continue };
            let name = host.name.as_str();
            let rest = name.strip_prefix("host.starlark_binding.");
            let own = rest.and_then(|r| r.split('.').next());
            let name = own.map_or_else(|| name.to_owned(), |own| format!("host.starlark_binding.{own}"));
            registry.replace(name, ScriptBinding::new(script.as_str()));
        }
        let backend = agent_program.map(|p| Arc::new(LineProgram::new(p)) as Arc<dyn AgentBackend>);
        Self {
            layers: agents::layers(program),
            program: Arc::clone(program),
            session: session.to_owned(),
            registry,
            backend,
            interpreter: Interpreter::default(),
            current: std::env::current_dir().unwrap_or_default(),
            environment: Environment::process(),
            chats: Arc::default(),
            inbox: Arc::default(),
            told: Mutex::default(),
            turn: Mutex::new(Turn {
                operator: None,
                gate: Arc::new(WriteGate::new(None, kitsoki_hosts::agents::gate::Scope::None)),
            }),
        }
    }

    /// Begins a turn: with an operator who gives these answers, or with nobody to ask. What was granted for the session
    /// stays granted.
    pub fn attach(&self, answers: Option<Vec<String>>) {
        let mut turn = locked(&self.turn);
        turn.gate.next_turn();
        turn.operator = answers.map(|a| Arc::new(Listed::new(a)));
        let operator = turn.operator.clone().map(|o| o as Arc<_>);
        turn.gate = Arc::new(WriteGate::new(operator, turn.gate.active()));
    }

    /// The questions of the turn.
    pub fn asked(&self) -> Vec<Json> {
        locked(&self.turn)
            .operator
            .as_ref()
            .map_or_else(Vec::new, |o| o.asked())
    }

    /// Asks for a call of a read-only room. The engine writes the decision down.
    pub fn grant(&self, state: &str, verb: &str, effect: kitsoki_ir::EffectClass, cancel: &Cancel) -> Option<Scope> {
        let gate = Arc::clone(&locked(&self.turn).gate);
        gate.allows(state, verb, agents::effect(effect), cancel);
        let decision = gate.take_decisions().pop();
        super::scope(decision.map_or_else(|| gate.active(), |d| d.scope))
    }

    /// What has come into the inbox since the last look: severity, title, body.
    pub fn notices(&self) -> Vec<(String, String, String)> {
        let all = self.inbox.notifications();
        let mut told = locked(&self.told);
        let new = all.get(*told..).unwrap_or_default().iter();
        let out = new.map(|n| (n.severity().to_owned(), n.title.clone(), n.body.clone()));
        let out = out.collect();
        *told = all.len();
        out
    }

    /// Makes a call and waits for its end.
    pub fn call(&self, request: &HostRequest, cancel: &Cancel, in_job: bool) -> Made {
        let gate = Arc::clone(&locked(&self.turn).gate);
        let recorder = self.backend.clone().map(|b| {
            let budget = agents::Budget::of(&self.program, &request.args);
            Arc::new(Recorder::new(b, budget))
        });
        let mut context = self.context(&request.declared_in, &request.args, cancel);
        context.reach = agents::effect(request.reach);
        if !in_job {
            context.world = value::to_data(&request.world);
        }
        context.services.agents = Some(Arc::new(Agents {
            declared: agents::declared(&self.program, &request.args, &request.world, &self.environment),
            backend: recorder.clone().map(|r| r as Arc<_>),
            gate: Some(gate.clone()),
            listener: recorder.clone().map(|r| r as Arc<_>),
            ..self.agents(&request.declared_in)
        }));
        let answer = self
            .registry
            .invoke(&request.verb, value::to_data(&request.args), &context);
        let mut notes = Vec::new();
        let mut cost = 0.0;
        if let Some(recorder) = recorder {
            let error = answer.as_ref().err().map(|f| f.message.as_str());
            notes = recorder.events(answer.as_ref().ok(), error);
            cost = recorder.cost();
        }
        let mut decisions: Vec<Event> = gate.take_decisions().iter().map(granted).collect();
        for note in notes.iter_mut().chain(&mut decisions) {
            note.turn = request.turn;
            note.state_path = request.declared_in.clone();
        }
        let result = match answer {
            Ok(data) => HostResult::Done(Some(value::from_data(&data))),
            Err(failure) => match failure.class {
                Class::Infra => HostResult::Infra(failure.message),
                Class::Domain => HostResult::Domain {
                    message: failure.message,
                    data: failure.data.as_ref().map(value::from_data),
                },
            },
        };
        Made {
            result,
            cost,
            notes,
            decisions,
        }
    }

    /// Has a text interpreted.
    pub fn interpret(&self, question: &Interpretation, cancel: &Cancel) -> Interpreted {
        let mut context = self.context(&question.room, &Map::new(), cancel);
        context.services.agents = Some(Arc::new(self.agents(&question.room)));
        let schema = Json::Object(value::to_data(&question.schema));
        let unclear = Unclear {
            instructions: &question.instructions,
            prompt: &question.prompt,
            schema: &schema,
        };
        match self.interpreter.ask(&self.registry, &context, unclear) {
            Ok(meant) => Interpreted {
                cost_usd: meant.cost,
                said: match meant.value {
                    Some(Json::Object(value)) => Said::Value(value::from_data(&value)),
                    _ => Said::Words(meant.text),
                },
            },
            Err(why) => Interpreted {
                said: Said::Failed(why),
                cost_usd: 0.0,
            },
        }
    }

    /// The surroundings of a call of a room.
    fn context(&self, room: &str, args: &Map, cancel: &Cancel) -> Context {
        let environment = agents::variables(&self.program, args, self.environment.clone());
        let mut context = Context::bare(self.current.clone(), environment);
        context.story = Some(context.path(self.program.story.dir.as_str()));
        context.session.clone_from(&self.session);
        context.room = room.to_owned();
        context.cancel = cancel.clone();
        context.services.inbox = Some(self.inbox.clone());
        context.services.chats = Some(self.chats.clone());
        context
    }

    /// Who runs the agents of a room, without anything that belongs to one call.
    fn agents(&self, room: &str) -> Agents {
        Agents {
            backend: self.backend.clone(),
            layers: self.layers.clone(),
            read_only: self.program.write_mode(room) == WriteMode::ReadOnly,
            ..Agents::default()
        }
    }
}

/// A decision of the gate, for the trace.
fn granted(decision: &Decision) -> Event {
    let payload = json!({
        "state": decision.state, "action": decision.action, "effect": decision.effect.name(),
        "granted": decision.granted(), "scope": decision.scope.name(), "by": decision.by,
    });
    agents::event("machine.write_mode_granted", "", payload)
}
