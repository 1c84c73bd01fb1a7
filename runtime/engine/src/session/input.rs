//! What a driver gives a session.

use kitsoki_expr::{Map, Value};
use smol_str::SmolStr;

use crate::machine::Call;

/// What a router knows of an intent that it submits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// The tier.
    pub routed_by: SmolStr,
    /// How it matched.
    pub match_type: SmolStr,
    /// How sure it is; 0 when it does not say.
    pub confidence: f64,
    /// The class of the contextual router.
    pub context_route_class: SmolStr,
}

impl Provenance {
    pub(super) fn stamp(&self, payload: &mut Map) {
        for (key, text) in [
            ("routed_by", &self.routed_by),
            ("match_type", &self.match_type),
            ("context_route_class", &self.context_route_class),
        ] {
            if !text.is_empty() {
                payload.insert(key, Value::text(text));
            }
        }
        if self.confidence > 0.0 {
            payload.insert("confidence", Value::Float(self.confidence));
        }
    }
}

/// What a driver gives a session.
#[derive(Clone, Debug)]
pub enum Input {
    /// An intent, as a fixture submits it.
    Intent {
        /// The call.
        call: Call,
        /// What the operator is said to have typed.
        shown: Option<String>,
    },
    /// An intent from a menu or a router.
    Direct {
        /// The call.
        call: Call,
        /// What the operator typed; empty when nothing was.
        text: String,
        /// What the router knows.
        provenance: Provenance,
    },
    /// The slots that a question asked for: the intent with all that is known of it.
    Continue {
        /// The call.
        call: Call,
    },
    /// A text that no tier of routing took: a model is asked what it means ([`super::Ask::Interpret`]). When it cannot say,
    /// the room's off-ramp answers.
    Text {
        /// What the operator typed.
        text: String,
    },
    /// A question beside the story, in the voice of the story as a whole.
    Aside {
        /// The question.
        text: String,
    },
    /// World values from outside, in a turn of their own.
    Override(Vec<(SmolStr, Value)>),
    /// The start: `on_enter` lists of the first rooms. Does nothing once there is a log.
    Boot,
    /// The resting room's `on_enter` once more.
    Reload {
        /// Also calls that `once` would hold back.
        force: bool,
    },
    /// A jump.
    Teleport {
        /// Where to.
        to: SmolStr,
        /// World values.
        slots: Map,
        /// The job that it belongs to.
        job: SmolStr,
        /// The proposal that it belongs to.
        proposal: SmolStr,
    },
}
