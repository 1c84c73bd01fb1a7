//! The turn of a text that no tier of routing took: a model is asked which intent it means (`dispatch` 3.1, 3.2).
//!
//! The session writes the question and judges the answer; who runs the model is the driver's business. What a model says
//! is no more than a suggestion: the machine validates the intent like any other.

use kitsoki_expr::{Map, Value};

use super::aside::Reason;
use super::briefing::{self, Recent};
use super::dispatch::{MAX_DEPTH, add_cost, paid};
use super::outcome::Done;
use super::port::{Answer, Ask, Interpreted, Said};
use super::task::Task;
use super::turns::{Coming, Origin};
use super::{Journey, Mode, Outcome};
use crate::event::Event;
use crate::fault::Code;
use crate::machine::Call;
use crate::world::World;

/// How often an answer that is none is asked for again.
const CORRECTIONS: usize = 2;

/// What is said when the interpreter says nothing.
const STOCK: &str = "I did not understand that. Say it otherwise, or pick one of the commands.";

impl Task {
    /// Has a text interpreted, and takes the intent that comes out of it.
    pub async fn interpret(&self, text: &str, recent: &[Recent], journey: &Journey) -> Done {
        let mut cost = 0.0;
        let mut note = String::new();
        for _ in 0..=CORRECTIONS {
            let question = briefing::interpretation(self, text, recent, journey, &note);
            let answer = match self.port.ask(Ask::Interpret(Box::new(question))).await {
                Answer::Interpreted(answer) => answer,
                Answer::Host(_) | Answer::Grant(_) => Interpreted {
                    said: Said::Failed("the answer to the interpreter was for another question".into()),
                    cost_usd: 0.0,
                },
            };
            cost += paid(answer.cost_usd);
            match answer.said {
                Said::Value(value) => match call_of(&value) {
                    Ok(call) => {
                        let mut coming = Coming::new(call, text.to_owned(), Origin::Typed);
                        coming.cost = cost;
                        return self.intent(coming, journey).await;
                    }
                    Err(why) => why.clone_into(&mut note),
                },
                Said::Words(words) => return self.not_understood(text, &words, cost, journey).await,
                Said::Failed(why) => return self.not_interpreted(why, cost, journey),
            }
        }
        self.not_interpreted(format!("the interpreter gave no intent: {note}"), cost, journey)
    }

    /// The interpreter could not say what is meant: the room's off-ramp answers, or the text is refused.
    async fn not_understood(&self, text: &str, words: &str, cost: f64, journey: &Journey) -> Done {
        let words = words.trim();
        let mut outcome = Outcome::of(Mode::Rejected, journey.state.clone(), self.turn);
        outcome.error = Some(Code::Clarification);
        outcome.message = if words.is_empty() { STOCK } else { words }.to_owned();
        outcome.allowed_intents = self.machine().allowed_names(&journey.state);
        let ramped = self
            .program
            .resting(&journey.state)
            .is_some_and(|s| s.off_ramp.is_some());
        if !ramped || text.is_empty() {
            return Done::refused(spent(&journey.world, cost), outcome);
        }
        let told = self.aside(Reason::OffRamp, text, cost, journey).await;
        match told.answer {
            Ok(answer) => self.answered(told.events, answer, journey),
            Err(_) => Done::refused(told.events, outcome),
        }
    }

    fn not_interpreted(&self, why: String, cost: f64, journey: &Journey) -> Done {
        let outcome = Outcome::failed(journey.state.clone(), self.turn, why);
        Done::refused(spent(&journey.world, cost), outcome)
    }
}

/// The events of money that was spent on a turn of which nothing else is written down; none when it was for nothing.
pub(super) fn spent(world: &World, cost: f64) -> Vec<Event> {
    let mut events = Vec::new();
    add_cost(&mut world.clone(), cost, &mut events);
    events
}

/// The intent that a value names.
fn call_of(value: &Map) -> Result<Call, &'static str> {
    if Value::Map(value.clone()).depth() > MAX_DEPTH {
        return Err("the value is nested too deep");
    }
    let intent = value.get("intent").and_then(Value::as_str).unwrap_or_default();
    if intent.is_empty() {
        return Err("`intent` must be the name of one of the allowed intents");
    }
    let slots = match value.get("slots") {
        None | Some(Value::Nil) => Map::new(),
        Some(Value::Map(slots)) => slots.clone(),
        Some(_) => return Err("`slots` must be a mapping"),
    };
    Ok(Call {
        intent: intent.into(),
        slots: Some(slots),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::map;

    #[test]
    fn a_value_needs_an_intent_and_a_mapping_of_slots() {
        let go = || ("intent", Value::text("go"));
        assert!(call_of(&map([go()])).is_ok_and(|c| c.intent == "go" && c.slots == Some(Map::new())));
        assert!(call_of(&map([go(), ("slots", Value::Nil)])).is_ok());
        assert!(call_of(&map([go(), ("slots", Value::text("{}"))])).is_err());
        assert!(call_of(&map([("intent", Value::text(""))])).is_err());
        assert!(call_of(&Map::new()).is_err());
    }
}
