//! What became of texts, for people.

use std::fmt::Write as _;

use kitsoki_expr::{Map, Value};
use kitsoki_routing::decision::{PassedOn, Said};
use kitsoki_routing::menu::MenuMatch;
use kitsoki_routing::{Decision, Outcome, Phrases, Readiness, Refusal, Situation as _, Tier};

use super::Told;
use crate::output::visible;

/// The page.
pub fn page(phrases: &Phrases, told: &[Told<'_>]) -> String {
    let mut page = String::new();
    match phrases.readiness() {
        Readiness::Ready => {}
        Readiness::Off => page.push_str("routing is switched off in this story\n\n"),
        Readiness::Empty => page.push_str("no intent of this story has a synonym or an example\n\n"),
        Readiness::Broken(error) => {
            let _ = writeln!(page, "no phrase of this story is matched: {error}\n");
        }
    }
    for (index, one) in told.iter().enumerate() {
        if index > 0 {
            page.push('\n');
        }
        say(&mut page, one);
    }
    page
}

fn say(page: &mut String, told: &Told<'_>) {
    let decision = &told.decision;
    let mut line = |head: &str, rest: String| {
        let _ = writeln!(page, "  {head:8} {rest}");
    };
    line("text", visible(told.text).to_string());
    line("room", told.place.path().to_owned());
    line("routed", outcome(&decision.outcome));
    line("by", by(decision));
    match told.then {
        Some(Ok(())) => line("machine", "takes it".to_owned()),
        Some(Err(refusal)) => line("machine", format!("refuses it: {}", refused(refusal))),
        None => {}
    }
    if let Some(deferred) = &decision.deferred {
        let why = match deferred.why {
            PassedOn::RequiredSlot => "the intent requires a slot that the phrase does not fill",
            PassedOn::Content => "the text says more than the phrase, and the intent has a slot that it may be for",
            PassedOn::NearMiss => "it is not sure enough",
        };
        let hit = &deferred.hit;
        line(
            "passed",
            format!(
                "{} of {} ({:.2}): {why}",
                phrase(&hit.reason),
                hit.intent,
                hit.confidence
            ),
        );
    }
    if let (Some((row, MenuMatch::Display)), Outcome::Interpreter) = (&told.unheard, &decision.outcome) {
        let row = visible(row);
        line(
            "note",
            format!(
                "`{row}` is a row of the menu; a typed label only counts while routing is off, so give the intent a synonym"
            ),
        );
    }
    let way: Vec<String> = decision
        .steps
        .iter()
        .map(|step| match step.said {
            Said::Took => format!("{} took it", step.asked.word()),
            said => format!("{}: {}", step.asked.word(), said.word()),
        })
        .collect();
    line("way", way.join(" > "));
    let words: Vec<String> = told
        .words
        .iter()
        .map(|w| {
            if w.stop {
                format!("({})", w.surface)
            } else {
                w.norm.to_string()
            }
        })
        .collect();
    line("words", words.join(" "));
    for lost in &told.lost {
        line(
            "lost",
            format!("{} of {}: {}", phrase(&lost.phrase), lost.intent, lost.why),
        );
    }
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Submit { intent, slots } => format!("to {intent}{}", filled(slots)),
        Outcome::Clarify { intent, slots, missing } if missing.is_empty() => {
            format!("asks back about {intent}{}", filled(slots))
        }
        Outcome::Clarify { intent, slots, missing } => {
            format!("asks for {} of {intent}{}", missing.join(", "), filled(slots))
        }
        Outcome::Ambiguous { candidates } => {
            let candidates: Vec<String> = candidates
                .iter()
                .map(|c| format!("{} ({})", c.intent, phrase(&c.reason)))
                .collect();
            format!("asks which is meant: {}", candidates.join(", "))
        }
        Outcome::Interpreter => "nowhere: a model is asked to interpret it".to_owned(),
    }
}

fn filled(slots: &Map) -> String {
    let slots: Vec<String> = slots
        .iter()
        .map(|(name, value)| {
            let quoted = matches!(value, Value::Str(_)).then_some("\"").unwrap_or_default();
            let value = kitsoki_expr::print::interpolated(value).unwrap_or_default();
            format!("{name}={quoted}{value}{quoted}")
        })
        .collect();
    if slots.is_empty() {
        String::new()
    } else {
        format!(" with {}", slots.join(" "))
    }
}

fn by(decision: &Decision) -> String {
    let tier = match decision.tier {
        Tier::Deterministic => "the menu",
        Tier::Semantic => "the phrases",
        Tier::LocalModel => "a local model",
        Tier::TurnCache => "the turn cache",
        Tier::DefaultIntent => "the default intent of the room",
        Tier::Fallback => "the free-form fallback of the story",
        Tier::NearMiss => "a workbench that captures weak matches",
        Tier::Contextual => "the contextual router of the room",
        Tier::PlanAffirmation | Tier::PlanRefinement => "the pending plan",
        Tier::Interpreter => "no tier",
    };
    let matched = decision.matched.as_deref().map(|m| format!(", {}", phrase(m)));
    let sure = decision.confidence.map(|c| format!(", {c:.2}"));
    format!("{tier}{}{}", matched.unwrap_or_default(), sure.unwrap_or_default())
}

/// `synonym:go north` as a person says it.
fn phrase(reason: &str) -> String {
    match reason.split_once(':') {
        Some(("template_partial", phrase)) => format!("template `{phrase}`"),
        Some((kind, phrase)) => format!("{} `{phrase}`", kind.replace("leading-verb", "the first word")),
        None => reason.replace('_', " "),
    }
}

fn refused(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::IntentNotAllowed => "the intent is not allowed here",
        Refusal::MissingSlots => "a required slot is missing",
        Refusal::InvalidSlotValue => "a value is none of the declared ones",
        Refusal::GuardFailed => "no arm matches",
        Refusal::Error => "a guard cannot be evaluated",
    }
}
