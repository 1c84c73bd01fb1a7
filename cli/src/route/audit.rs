//! `kitsoki route STORY` without a text: what is odd about the story's phrases as a whole.

use std::fmt::Write as _;

use kitsoki_routing::audit::{Oddity, Room, audit};
use kitsoki_runtime::Machine;
use serde_json::json;

use super::ground::Loaded;
use crate::output::visible;

/// What is odd, with where the intents are declared.
pub fn page(loaded: &Loaded, as_json: bool) -> String {
    let story = &loaded.program.story;
    let machine = Machine::new(&loaded.program);
    let rooms: Vec<Room> = story
        .states
        .iter()
        .filter(|state| !state.bodiless)
        .map(|state| Room {
            path: state.path.clone(),
            allowed: machine.allowed_names(&state.path),
        })
        .collect();
    let found = audit(story, &loaded.phrases, &rooms);
    let place = |oddity: &Oddity| {
        let intent = story.intents.iter().find(|i| Some(&i.name) == oddity.intent.as_ref())?;
        Some(story.provenance.describe(intent.at))
    };
    let (plain, templates) = (loaded.phrases.entries().len(), loaded.phrases.templates().len());
    if as_json {
        let found: Vec<_> = found
            .iter()
            .map(|o| {
                json!({
                    "intent": o.intent.as_deref(),
                    "place": place(o),
                    "what": o.what.word(),
                    "message": o.what.to_string(),
                })
            })
            .collect();
        let document = json!({ "phrases": plain, "templates": templates, "found": found });
        return format!("{document:#}\n");
    }
    let mut page = format!("{plain} phrases, {templates} templates\n");
    for oddity in &found {
        let intent = oddity.intent.as_deref().unwrap_or("routing");
        let place = place(oddity).map(|p| format!(" ({p})")).unwrap_or_default();
        let _ = writeln!(page, "  {intent}{place}: {}", visible(&oddity.what.to_string()));
    }
    if found.is_empty() {
        page.push_str("  nothing is odd about them\n");
    }
    page.push_str("\nGive a text to see what becomes of it: kitsoki route STORY \"some text\"\n");
    page
}
