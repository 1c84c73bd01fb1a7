//! The tiers that understand what a room is about: a pending plan, the contextual router, a local model (`dispatch` 5.9, 5.13).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::State;
use kitsoki_ir::state::ContextualRouting;
use smol_str::SmolStr;

use crate::decision::{Asked, Decision, Said, Tier};
use crate::fold;
use crate::route::{Router, submit};
use crate::services::{Answer, Question};
use crate::situation::{Situation, allows, outermost, room, text_slot};
use crate::verdict::{Hit, MatchKind, Verdict};

/// What consents to a plan, alone.
const CONSENTS: [&str; 17] = [
    "ok",
    "ok go ahead",
    "go ahead",
    "do it",
    "apply it",
    "apply",
    "accept",
    "accept it",
    "yes",
    "yep",
    "yes please",
    "proceed",
    "ship it",
    "lgtm",
    "looks good",
    "do that",
    "go for it",
];

/// The agent that routes, when the story names none.
const AGENT: &str = "agent.local";

/// The world path of a pending plan, when the room names none.
const PLAN: &str = "landing_note.plan";

/// The agent that routes.
pub(crate) fn agent(at: &dyn Situation) -> SmolStr {
    Some(at.story().routing.extract_llm_agent.clone())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| AGENT.into())
}

/// The pending plan, then the router of the room. Both are off without agents.
pub(crate) fn route(router: &mut Router<'_>) -> Result<Option<Decision>, Question> {
    let at = router.at;
    let Some(agents) = router.services.agents.as_ref() else {
        return Ok(None);
    };
    let Some(contextual) = room(at).and_then(|r: &State| r.contextual_routing.as_ref()) else {
        return Ok(None);
    };
    if let Some(decision) = plan(router, contextual) {
        return Ok(Some(decision));
    }
    let answer = match &agents.context {
        Answer::Unasked => {
            return Err(Question::Context {
                agent: agent(at),
                intents: at.allowed().to_vec(),
            });
        }
        Answer::Failed => {
            router.said(Asked::Contextual, Said::Failed);
            return Ok(None);
        }
        Answer::Given(answer) => answer,
    };
    // The other classes need a store of chats, which decides for itself what it takes.
    if answer.class != "intent" || !allows(at, &answer.intent) {
        router.said(Asked::Contextual, Said::Miss);
        return Ok(None);
    }
    router.said(Asked::Contextual, Said::Took);
    Ok(Some(Decision {
        matched: Some("contextual".to_owned()),
        confidence: Some(clamp(answer.confidence)),
        ..submit(Tier::Contextual, &answer.intent, answer.slots.clone())
    }))
}

/// While a plan waits, every text is about it: a consent accepts it, anything else changes it. Neither intent need be
/// allowed; the machine says so then.
fn plan(router: &mut Router<'_>, contextual: &ContextualRouting) -> Option<Decision> {
    let path = contextual.pending_plan_path.as_deref().unwrap_or(PLAN);
    if !pending(router.at, path) {
        return None;
    }
    let or = |name: &SmolStr, other: &str| if name.is_empty() { other.into() } else { name.clone() };
    let said = fold::phrase(router.text);
    let consents = CONSENTS.contains(&said.as_str());
    let (tier, intent, slots) = if consents {
        (
            Tier::PlanAffirmation,
            or(&contextual.plan_accept_intent, "accept_plan"),
            Map::new(),
        )
    } else {
        let intent = or(&contextual.plan_refine_intent, "work");
        let slot = outermost(router.at, &intent).and_then(text_slot);
        let slots = slot.map(|slot| router.text_in(slot)).unwrap_or_default();
        (Tier::PlanRefinement, intent, slots)
    };
    router.said(Asked::PendingPlan, Said::Took);
    Some(Decision {
        matched: Some("deterministic".to_owned()),
        confidence: Some(1.0),
        ..submit(tier, &intent, slots)
    })
}

/// Whether a map that is not empty stands at a key, or at a key and one field of it.
fn pending(at: &dyn Situation, path: &str) -> bool {
    let full = |value: Option<&Value>| value.and_then(Value::as_map).is_some_and(|map| !map.is_empty());
    match path.split_once('.') {
        _ if path.is_empty() => false,
        None => full(at.world(path)),
        Some((key, field)) => full(at.world(key).and_then(|value| value.get(field))),
    }
}

/// What a local model makes of the text, when the story asks for one.
pub(crate) fn local_model(router: &mut Router<'_>) -> Result<Option<Verdict>, Question> {
    let at = router.at;
    let asked = at.story().routing.extract_llm_on_no_match && !at.allowed().is_empty();
    let Some(agents) = router.services.agents.as_ref().filter(|_| asked) else {
        return Ok(None);
    };
    match &agents.extract {
        Answer::Unasked => Err(Question::Intent {
            agent: agent(at),
            intents: at.allowed().to_vec(),
        }),
        Answer::Given(answer) if answer.intent != "none" && allows(at, &answer.intent) => Ok(Some(Verdict::Hit(Hit {
            intent: answer.intent.clone(),
            slots: Map::new(),
            missing: Vec::new(),
            confidence: clamp(answer.confidence),
            reason: "llm-routing".to_owned(),
            kind: MatchKind::Model,
        }))),
        Answer::Given(_) => {
            router.said(Asked::LocalModel, Said::Miss);
            Ok(None)
        }
        Answer::Failed => {
            router.said(Asked::LocalModel, Said::Failed);
            Ok(None)
        }
    }
}

fn clamp(confidence: f64) -> f64 {
    if confidence.is_nan() {
        0.0
    } else {
        confidence.clamp(0.0, 1.0)
    }
}
