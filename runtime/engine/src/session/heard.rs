//! Free text on its way into a session: routing decides, and this says what to do about it (`dispatch` 3.1, 5).
//!
//! Nothing is submitted here. A text that routing takes becomes an [`Input`]; whoever drives the session submits it, or
//! puts the question to the person, or asks a model.

use kitsoki_routing::{Decision, Outcome as Routing, Phrases, Question, Routed, Services, Tier, route};
use smol_str::SmolStr;

use super::{Input, Mode, Outcome, Provenance, Session};
use crate::fault::Code;
use crate::machine::Call;
use crate::standing::Standing;

/// What to do about a text.
#[derive(Clone, Debug)]
pub enum Heard {
    /// Submit this.
    Submit(Box<Input>),
    /// Say this to the person: slots are missing, or several intents fit. Nothing is written down.
    Say(Box<Outcome>),
    /// Let a model interpret it ([`Input::Text`]): no tier took it.
    Interpret,
    /// Get an answer to this, put it into the services, and hear the text again.
    Ask(Question),
}

/// What became of a text.
#[derive(Clone, Debug)]
pub struct Hearing {
    /// What to do.
    pub heard: Heard,
    /// What routing decided, unless it has to ask first: with what was learned about the turn cache.
    pub decision: Option<Box<Decision>>,
}

impl Session {
    /// Routes a text from where the session rests. The phrases are those of the session's story.
    #[must_use]
    pub fn hear(&self, phrases: &Phrases, text: &str, services: &Services<'_>) -> Hearing {
        let standing = Standing::new(self.program(), self.state().clone(), self.world());
        if let Some(hearing) = self.commanded(phrases, &standing, text, services) {
            return hearing;
        }
        let decision = match route(phrases, &standing, text, services) {
            Routed::Decided(decision) => decision,
            Routed::Ask(question) => {
                return Hearing {
                    heard: Heard::Ask(question),
                    decision: None,
                };
            }
        };
        self.heard(&standing, text, decision)
    }

    /// A text that is a row of the menu is that command, whatever else the story would do with texts: what a person reads
    /// and types must not be taken for talk. The menu is what routing looks at when its other tiers are switched off.
    fn commanded(
        &self,
        phrases: &Phrases,
        standing: &Standing<'_>,
        text: &str,
        services: &Services<'_>,
    ) -> Option<Hearing> {
        let menu_only = Services {
            switch: Some(false),
            now: services.now,
            ..Services::default()
        };
        let Routed::Decided(decision) = route(phrases, standing, text, &menu_only) else {
            return None;
        };
        let names_row = decision.tier == Tier::Deterministic && decision.matched.as_deref() == Some("display");
        names_row.then(|| self.heard(standing, text, decision))
    }

    fn heard(&self, standing: &Standing<'_>, text: &str, decision: Box<Decision>) -> Hearing {
        let turn = self.turn() + 1;
        let say = |mode| Outcome::of(mode, self.state().clone(), turn);
        let heard = match &decision.outcome {
            Routing::Interpreter => Heard::Interpret,
            Routing::Submit { intent, slots } => Heard::Submit(Box::new(Input::Direct {
                call: Call {
                    intent: intent.clone(),
                    slots: Some(slots.clone()),
                },
                text: text.to_owned(),
                provenance: Provenance::of(&decision),
            })),
            Routing::Clarify { slots, missing, .. } => Heard::Say(Box::new(Outcome {
                slots: Some(slots.clone()),
                missing_slots: missing.clone(),
                allowed_intents: kitsoki_routing::Situation::allowed(standing).to_vec(),
                ..say(Mode::Clarify)
            })),
            Routing::Ambiguous { candidates } => Heard::Say(Box::new(Outcome {
                error: Some(Code::Ambiguous),
                message: "several intents fit".to_owned(),
                allowed_intents: candidates.iter().map(|c| c.intent.clone()).collect(),
                ..say(Mode::Rejected)
            })),
        };
        Hearing {
            heard,
            decision: Some(decision),
        }
    }
}

impl Provenance {
    /// What a routing decision says about the intent that it submits.
    #[must_use]
    pub fn of(decision: &Decision) -> Self {
        let class = match decision.tier {
            Tier::Contextual => "intent",
            _ => "",
        };
        Self {
            routed_by: SmolStr::new_static(decision.tier.word()),
            match_type: decision.matched.as_deref().unwrap_or_default().into(),
            confidence: decision.confidence.unwrap_or_default(),
            context_route_class: SmolStr::new_static(class),
        }
    }
}
