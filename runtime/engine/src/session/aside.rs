//! Questions that are answered beside the story: the off-ramp of a room, its conversation lane, the story's own voice
//! (`dispatch` 13, 14).
//!
//! An agent answers; state stays, and of the world only what the answer cost is written. The agent is asked through the same
//! port as every other call, so stubs and walls hold here too.

use kitsoki_expr::{Map, Value};
use kitsoki_ir::AgentRef;
use smol_str::SmolStr;

use super::briefing;
use super::dispatch::{add_cost, paid};
use super::outcome::Done;
use super::port::HostResult;
use super::task::Task;
use super::turns::Coming;
use super::{Journey, Mode, Outcome};
use crate::event::{Event, event, kind};
use crate::fault::Code;

/// Why somebody is answered beside the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The operator left the path.
    Freeform,
    /// The interpreter could not say what was meant.
    OffRamp,
    /// The room is a conversation.
    Conversation,
}

impl Reason {
    fn word(self) -> &'static str {
        match self {
            Reason::Freeform => "freeform",
            Reason::OffRamp => "off_ramp",
            Reason::Conversation => "conversation",
        }
    }
}

/// A question that was asked.
pub(super) struct Told {
    /// What happened.
    pub events: Vec<Event>,
    /// The answer, or why there is none.
    pub answer: Result<String, String>,
}

impl Task {
    /// A direct intent: in a room whose conversation takes free text, what is said to it is answered there.
    pub async fn direct(&self, coming: Coming, text: &str, journey: &Journey) -> Done {
        let Some(question) = self.said_in_lane(&coming, text, journey) else {
            return self.intent(coming, journey).await;
        };
        let told = self.aside(Reason::Conversation, &question, 0.0, journey).await;
        self.told(told, journey)
    }

    /// What an intent says to the conversation of the room, when it is the one that carries free text there.
    fn said_in_lane(&self, coming: &Coming, text: &str, journey: &Journey) -> Option<String> {
        let room = self.program.resting(&journey.state)?;
        room.off_ramp.as_ref().filter(|r| r.capture_free_text)?;
        let machine = self.machine();
        let sink = machine.resolve_alias(&journey.state, room.default_intent.as_ref()?);
        if machine.resolve_alias(&journey.state, &coming.call.intent) != sink {
            return None;
        }
        let slot = coming.call.slots.as_ref().and_then(|s| s.get("message"));
        let said = [slot.and_then(Value::as_str).unwrap_or_default(), text];
        let said = said.into_iter().find(|s| !s.trim().is_empty())?;
        Some(said.to_owned())
    }

    /// A question in the voice of the story.
    pub async fn off_path(&self, question: &str, journey: &Journey) -> Done {
        let mut told = self.aside(Reason::Freeform, question, 0.0, journey).await;
        let mut exited = event!(kind::OFF_PATH_EXITED, "to_state": journey.state.clone());
        self.write_down(&mut exited, 2, journey, &mut told.events);
        self.told(told, journey)
    }

    /// The end of a turn that was a question: its answer, or why there is none.
    fn told(&self, told: Told, journey: &Journey) -> Done {
        match told.answer {
            Ok(answer) => self.answered(told.events, answer, journey),
            Err(why) => Done::refused(told.events, Outcome::failed(journey.state.clone(), self.turn, why)),
        }
    }

    /// The end of a turn that was answered beside the story.
    pub fn answered(&self, events: Vec<Event>, answer: String, journey: &Journey) -> Done {
        let mut outcome = Outcome::of(Mode::OffPath, journey.state.clone(), self.turn);
        outcome.view = answer;
        outcome.allowed_intents = self.machine().allowed_names(&journey.state);
        Done::refused(events, outcome)
    }

    /// Asks. `cost` is what has been spent on the way here.
    pub async fn aside(&self, reason: Reason, question: &str, cost: f64, journey: &Journey) -> Told {
        let mut events = Vec::new();
        let mut entered = event!(
            kind::OFF_PATH_ENTERED,
            "from_state": journey.state.clone(),
            "reason": reason.word(),
        );
        if reason != Reason::Freeform {
            let code = if reason == Reason::OffRamp {
                Code::Clarification.as_str()
            } else {
                ""
            };
            entered.payload.insert("error_code", Value::text(code));
            entered.payload.insert("confidence", Value::Float(0.0));
        }
        self.write_down(&mut entered, 0, journey, &mut events);
        let thread = self.thread(reason, journey).await;
        let args = self.asked(reason, question, &thread, journey);
        let answer = self
            .aside_call("host.agent.converse", args, &journey.state, &journey.world)
            .await;
        let mut asked = event!(kind::OFF_PATH_QUESTION, "question": question, "chat_id": thread.as_str());
        self.write_down(&mut asked, 1, journey, &mut events);
        let said = match answer.result {
            HostResult::Done(data) => {
                let said = data.as_ref().and_then(|d| d.get("answer")).and_then(Value::as_str);
                Ok(said.unwrap_or_default().to_owned())
            }
            HostResult::Domain { message, .. } | HostResult::Infra(message) => Err(message),
        };
        if let Ok(said) = &said {
            let mut told = event!(kind::OFF_PATH_ANSWER, "answer": said.as_str(), "chat_id": thread.as_str());
            self.write_down(&mut told, 1, journey, &mut events);
        }
        let before = events.len();
        add_cost(&mut journey.world.clone(), cost + paid(answer.cost_usd), &mut events);
        for event in events.iter_mut().skip(before) {
            event.turn = self.turn + 1;
        }
        Told { events, answer: said }
    }

    /// Writes an event down while the turn runs, in the turn that lies so far behind this one.
    fn write_down(&self, event: &mut Event, later: u64, journey: &Journey, events: &mut Vec<Event>) {
        event.turn = self.turn + later;
        event.parent_turn = event.turn.saturating_sub(1);
        event.state_path = journey.state.clone();
        self.port.live(event);
        events.push(event.clone());
    }

    /// The conversation of the room, or of the story; empty when nobody keeps conversations.
    async fn thread(&self, reason: Reason, journey: &Journey) -> SmolStr {
        let (room, title) = match reason {
            Reason::Freeform => ("off_path".to_owned(), "off-path chat".to_owned()),
            Reason::OffRamp | Reason::Conversation => (
                format!("room:{}", journey.state),
                format!("{} conversation", journey.state),
            ),
        };
        let args = crate::value::map([
            ("app", Value::text(&self.program.story.app.id)),
            ("room", Value::text(room)),
            ("scope_key", Value::text(&self.config.session_id)),
            ("title", Value::text(title)),
        ]);
        let answer = self
            .aside_call("host.chat.resolve", args, &journey.state, &journey.world)
            .await;
        let HostResult::Done(Some(data)) = answer.result else {
            return SmolStr::default();
        };
        data.get("chat_id").and_then(Value::as_str).unwrap_or_default().into()
    }

    /// The arguments of the question: who answers, and what the room is like.
    fn asked(&self, reason: Reason, question: &str, thread: &str, journey: &Journey) -> Map {
        let mut args = Map::new();
        args.insert("question", Value::text(question));
        if !thread.is_empty() {
            args.insert("chat_id", Value::text(thread));
        }
        let room = self
            .program
            .resting(&journey.state)
            .filter(|_| reason != Reason::Freeform);
        let ramp = room.and_then(|r| r.off_ramp.as_ref());
        let story = self.program.story.off_path.as_ref();
        let name = |agent: Option<&AgentRef>| agent.map(|a| a.name.clone()).unwrap_or_default();
        let voices = [
            ("system_prompt", ramp.map(|r| r.persona.clone()).unwrap_or_default()),
            ("agent", name(ramp.and_then(|r| r.agent.as_ref()))),
            ("system_prompt", story.map(|s| s.persona.clone()).unwrap_or_default()),
            ("agent", name(story.and_then(|s| s.agent.as_ref()))),
        ];
        if let Some((key, voice)) = voices.into_iter().find(|(_, voice)| !voice.trim().is_empty()) {
            args.insert(key, Value::Str(voice));
        }
        if let Some(room) = room {
            args.insert("room_context", Value::text(briefing::room_context(self, room, journey)));
        }
        let folders = ["working_dir", "workdir"].map(|key| journey.world.text(key));
        if let Some(folder) = folders.into_iter().find(|f| !f.is_empty()) {
            args.insert("working_dir", Value::text(folder));
        }
        args
    }
}
