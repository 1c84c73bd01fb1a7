//! The gate of a read-only room: whatever would change something is asked for, granted for one action, a turn or the
//! session, and recorded (dispatch 11.3). Without an operator it is denied.

use std::sync::{Arc, Mutex, PoisonError};

use crate::cancel::Cancel;
use crate::effects::Effect;

/// How far a grant reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// Nothing is granted.
    #[default]
    None,
    /// This action only.
    Action,
    /// The rest of the turn.
    Turn,
    /// The rest of the session.
    Session,
}

impl Scope {
    /// The word for it; empty for none.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Action => "action",
            Self::Turn => "turn",
            Self::Session => "session",
        }
    }

    /// The scope of a word; what is no scope grants nothing.
    pub fn from_name(name: &str) -> Self {
        match name.trim().to_lowercase().as_str() {
            "action" => Self::Action,
            "turn" => Self::Turn,
            "session" => Self::Session,
            _ => Self::None,
        }
    }
}

/// A question to the operator.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Question {
    /// The question.
    pub question: String,
    /// A word or two above it.
    pub header: String,
    /// What can be answered: labels and what they mean.
    pub options: Vec<(String, String)>,
    /// Whether several options may be chosen.
    pub several: bool,
}

/// Somebody who can be asked while a call runs.
pub trait Operator: Send + Sync {
    /// Asks; gives back the chosen labels, none when there is no answer.
    fn ask(&self, question: &Question, cancel: &Cancel) -> Vec<String>;
}

/// A decision of the gate, for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The room.
    pub state: String,
    /// What was to be done.
    pub action: String,
    /// Its class.
    pub effect: Effect,
    /// How far the grant reaches; none for a denial.
    pub scope: Scope,
    /// `operator` or `headless_denied`.
    pub by: &'static str,
}

impl Decision {
    /// Whether it was allowed.
    pub fn granted(&self) -> bool {
        self.scope != Scope::None
    }
}

/// The gate of a session. It lives as long as the session, so that a grant does.
pub struct WriteGate {
    operator: Option<Arc<dyn Operator>>,
    active: Mutex<Scope>,
    decisions: Mutex<Vec<Decision>>,
}

impl WriteGate {
    /// A gate with or without somebody to ask. `active` is what an earlier turn granted for the session.
    pub fn new(operator: Option<Arc<dyn Operator>>, active: Scope) -> Self {
        Self {
            operator,
            active: Mutex::new(active),
            decisions: Mutex::default(),
        }
    }

    /// Whether somebody can be asked.
    pub fn operator(&self) -> Option<&Arc<dyn Operator>> {
        self.operator.as_ref()
    }

    /// What is granted now.
    pub fn active(&self) -> Scope {
        *lock(&self.active)
    }

    /// A grant for a turn ends with it.
    pub fn next_turn(&self) {
        let mut active = lock(&self.active);
        if *active == Scope::Turn {
            *active = Scope::None;
        }
    }

    /// The decisions since the last look, oldest first.
    pub fn take_decisions(&self) -> Vec<Decision> {
        std::mem::take(&mut *lock(&self.decisions))
    }

    /// Whether an action may be done in a read-only room.
    pub fn allows(&self, state: &str, action: &str, effect: Effect, cancel: &Cancel) -> bool {
        if effect < Effect::Write {
            return true;
        }
        let external = effect == Effect::External;
        if !external && matches!(self.active(), Scope::Turn | Scope::Session) {
            return true;
        }
        let action = crate::plain::message(action);
        let (scope, by) = match &self.operator {
            None => (Scope::None, "headless_denied"),
            Some(operator) => {
                let answers = operator.ask(&question(&action, effect), cancel);
                let scope = answers.first().map_or(Scope::None, |a| Scope::from_name(a));
                // What reaches outside is granted one by one.
                let scope = if external && scope != Scope::None {
                    Scope::Action
                } else {
                    scope
                };
                (scope, "operator")
            }
        };
        if matches!(scope, Scope::Turn | Scope::Session) {
            *lock(&self.active) = scope;
        }
        let decision = Decision {
            state: state.to_owned(),
            action,
            effect,
            scope,
            by,
        };
        let granted = decision.granted();
        lock(&self.decisions).push(decision);
        granted
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn question(action: &str, effect: Effect) -> Question {
    let option = |label: &str, meaning: &str| (label.to_owned(), meaning.to_owned());
    let mut options = Vec::new();
    if effect == Effect::Write {
        options.push(option("turn", "allow changes for the rest of this turn"));
    }
    options.push(option("action", "allow this one"));
    if effect == Effect::Write {
        options.push(option("session", "allow changes for the rest of the session"));
    }
    options.push(option("deny", "do not allow it"));
    Question {
        question: format!("This room is read-only. Allow `{action}`?"),
        header: "Write mode".to_owned(),
        options,
        several: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Answers(Mutex<Vec<&'static str>>);

    impl Operator for Answers {
        fn ask(&self, _: &Question, _: &Cancel) -> Vec<String> {
            let mut left = lock(&self.0);
            if left.is_empty() {
                Vec::new()
            } else {
                vec![left.remove(0).to_owned()]
            }
        }
    }

    fn gate(answers: &[&'static str]) -> WriteGate {
        WriteGate::new(Some(Arc::new(Answers(Mutex::new(answers.to_vec())))), Scope::None)
    }

    fn ask(gate: &WriteGate, effect: Effect) -> bool {
        gate.allows("room", "touch x", effect, &Cancel::new())
    }

    #[test]
    fn nobody_to_ask_is_a_recorded_denial() {
        let gate = WriteGate::new(None, Scope::None);
        assert!(ask(&gate, Effect::Read) && !ask(&gate, Effect::Write));
        let decisions = gate.take_decisions();
        assert_eq!(
            (decisions.len(), decisions[0].by, decisions[0].granted()),
            (1, "headless_denied", false)
        );
    }

    #[test]
    fn a_grant_reaches_as_far_as_it_says() {
        let gate = gate(&["action", "deny", "turn"]);
        assert!(ask(&gate, Effect::Write));
        assert!(!ask(&gate, Effect::Write));
        assert!(ask(&gate, Effect::Write) && ask(&gate, Effect::Write));
        gate.next_turn();
        assert!(!ask(&gate, Effect::Write));
        assert_eq!(gate.take_decisions().len(), 4);
    }

    #[test]
    fn what_reaches_outside_is_always_asked_for() {
        let gate = gate(&["session", "session"]);
        assert!(ask(&gate, Effect::External));
        assert_eq!(gate.active(), Scope::None);
        assert!(ask(&gate, Effect::External) && !ask(&gate, Effect::External));
    }
}
