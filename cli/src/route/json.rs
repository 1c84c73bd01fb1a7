//! What became of texts, for programs.

use kitsoki_routing::decision::Said;
use kitsoki_routing::{Phrases, Readiness, Situation as _};
use serde_json::{Value as Json, json};

use super::{Told, batch};

/// The document: how ready the phrases of the story are, and one object a text.
pub fn document(phrases: &Phrases, told: &[Told<'_>]) -> String {
    let fault = match phrases.readiness() {
        Readiness::Broken(error) => Some(error.to_string()),
        _ => None,
    };
    let document = json!({
        "phrases": batch::ready(phrases.readiness()),
        "fault": fault,
        "texts": told.iter().map(one).collect::<Vec<_>>(),
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn one(told: &Told<'_>) -> Json {
    let steps = told.decision.steps.iter().map(|step| match step.said {
        Said::Passed(why) => json!({"asked": step.asked.word(), "said": step.said.word(), "why": why.word()}),
        said => json!({"asked": step.asked.word(), "said": said.word()}),
    });
    let lost = told.lost.iter().map(|lost| {
        json!({
            "intent": lost.intent.as_str(),
            "phrase": lost.phrase,
            "why": lost.why.word(),
            "message": lost.why.to_string(),
        })
    });
    let words = told.words.iter().map(|word| {
        json!({"text": word.surface.as_str(), "norm": word.norm.as_str(), "stop": word.stop, "number": word.number})
    });
    let menu = told
        .unheard
        .as_ref()
        .map(|(row, how)| json!({"display": row, "by": how.word()}));
    json!({
        "text": told.text,
        "state": told.place.path(),
        "turn": batch::turn(&told.decision, told.place),
        "menu": menu,
        "steps": steps.collect::<Vec<_>>(),
        "words": words.collect::<Vec<_>>(),
        "lost": lost.collect::<Vec<_>>(),
    })
}
