//! Stories in a text, and what becomes of texts in them, as one line each.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(dead_code, reason = "every test file uses a part")]

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db as _, MemorySystem};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::Level;
use kitsoki_expr::{Map, Value};
use kitsoki_routing::verdict::Verdict;
use kitsoki_routing::{Outcome, Phrases, Routed, Services, classify, route};
use kitsoki_runtime::{NoFiles, Program, Standing, World};

/// A story, ready.
pub struct Told {
    pub program: Program,
    pub phrases: Phrases,
}

/// A story from its manifest.
#[track_caller]
pub fn story(manifest: &str) -> Told {
    let db = Database::new(Arc::new(MemorySystem::new([("/s/app.yaml", manifest)])));
    let root = db.file(Utf8Path::new("/s/app.yaml"));
    let errors: Vec<String> = pipeline::findings(&db, root)
        .iter()
        .filter(|f| f.severity == Level::Error)
        .map(|f| f.message.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let story = pipeline::lowered(&db, root).clone();
    Told {
        phrases: Phrases::new(&story),
        program: Program::new(story, Arc::new(NoFiles)),
    }
}

impl Told {
    /// Where a session begins.
    pub fn begin(&self) -> Standing<'_> {
        Standing::begin(&self.program, self.world()).unwrap()
    }

    fn world(&self) -> World {
        World::of_story(&self.program.story)
    }

    /// In a state.
    pub fn at(&self, state: &str) -> Standing<'_> {
        Standing::at(&self.program, state, self.world()).unwrap()
    }

    /// In a state, with another value of a world key.
    pub fn with(&self, state: &str, key: &str, value: Value) -> Standing<'_> {
        let mut world = self.world();
        world.set(key, value);
        Standing::at(&self.program, state, world).unwrap()
    }

    /// What becomes of a text where a session begins.
    pub fn say(&self, text: &str) -> String {
        self.say_at(&self.begin(), text, &services())
    }

    /// What becomes of a text.
    pub fn say_at(&self, place: &Standing<'_>, text: &str, services: &Services<'_>) -> String {
        match route(&self.phrases, place, text, services) {
            Routed::Ask(question) => format!("ask {}", word(&question)),
            Routed::Decided(decision) => {
                let what = match &decision.outcome {
                    Outcome::Submit { intent, slots } => format!("submit {intent}{}", shown(slots)),
                    Outcome::Clarify { intent, slots, missing } => {
                        format!("clarify {intent}{} ?{}", shown(slots), missing.join(","))
                    }
                    Outcome::Ambiguous { candidates } => {
                        let names: Vec<&str> = candidates.iter().map(|c| c.intent.as_str()).collect();
                        format!("ambiguous {}", names.join(","))
                    }
                    Outcome::Interpreter => "interpreter".to_owned(),
                };
                let how = decision.matched.as_ref().map(|m| format!(" [{m}]")).unwrap_or_default();
                let sure = decision.confidence.map(|c| format!(" {c:.2}")).unwrap_or_default();
                let passed = decision
                    .deferred
                    .as_ref()
                    .map(|d| format!(" after {}:{}", d.hit.intent, d.why.word()));
                format!(
                    "{}: {what}{how}{sure}{}",
                    decision.tier.word(),
                    passed.unwrap_or_default()
                )
            }
        }
    }

    /// The verdict without bands and later tiers.
    pub fn verdict(&self, place: &Standing<'_>, text: &str) -> Option<String> {
        Some(match classify(&self.phrases, place, text, &services())? {
            Verdict::Hit(hit) => format!(
                "{}{} [{}] {:.2}",
                hit.intent,
                shown(&hit.slots),
                hit.reason,
                hit.confidence
            ),
            Verdict::Tie(candidates) => {
                let reasons: Vec<String> = candidates
                    .iter()
                    .map(|c| format!("{}:{}", c.intent, c.reason))
                    .collect();
                reasons.join(" | ")
            }
        })
    }
}

fn word(question: &kitsoki_routing::Question) -> &'static str {
    use kitsoki_routing::Question;
    match question {
        Question::Vectors { .. } => "vectors",
        Question::Context { .. } => "context",
        Question::Intent { .. } => "intent",
    }
}

/// 2026-03-11, a Wednesday.
pub const NOW: i128 = 1_773_243_000_000_000_000;

/// Nothing but the time.
pub fn services<'a>() -> Services<'a> {
    Services {
        now: NOW,
        ..Services::default()
    }
}

fn shown(slots: &Map) -> String {
    if slots.is_empty() {
        return String::new();
    }
    format!(
        " {}",
        kitsoki_expr::print::interpolated(&Value::Map(slots.clone())).unwrap()
    )
}
