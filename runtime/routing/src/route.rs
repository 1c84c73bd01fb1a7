//! The tiers in their order (`dispatch` 5.2).
//!
//! The first tier that submits, asks or cannot choose ends the search. A match that is passed on does not: it is remembered
//! in the decision, and the tiers behind it are tried.

use kitsoki_expr::Map;
use smol_str::SmolStr;

use crate::cache::CacheUse;
use crate::decision::{Asked, Decision, Deferred, Outcome, PassedOn, Routed, Said, Step, Tier};
use crate::fold;
use crate::matching::Allowed;
use crate::phrases::{Phrases, Readiness};
use crate::services::{Question, Services};
use crate::situation::{Situation, allows, outermost, room, text_slot};
use crate::slots::Day;
use crate::verdict::{EXACT, Hit, MatchKind, TIE, Verdict};
use crate::{context, embedding, menu};

/// Decides what becomes of a text. The phrases must be those of the situation's story.
#[must_use]
pub fn route(phrases: &Phrases, at: &dyn Situation, text: &str, services: &Services<'_>) -> Routed {
    let router = Router {
        phrases,
        at,
        text,
        services,
        deferred: None,
        cache: None,
        steps: Vec::new(),
    };
    match router.run() {
        Ok(decision) => Routed::Decided(Box::new(decision)),
        Err(question) => Routed::Ask(question),
    }
}

/// What the tiers without side effects and without a model make of a text: menu, phrases and templates, embeddings. The
/// menu comes first here, whatever is switched on, and nothing is passed on: routing fixtures and gates ask this.
#[must_use]
pub fn classify(phrases: &Phrases, at: &dyn Situation, text: &str, services: &Services<'_>) -> Option<Verdict> {
    if let Some((row, how)) = menu::row(at, text) {
        return Some(Verdict::Hit(Hit {
            intent: row.intent.clone(),
            slots: row.slots.clone(),
            missing: row.missing.clone(),
            confidence: EXACT,
            reason: format!("deterministic:{}", how.word()),
            kind: MatchKind::Menu,
        }));
    }
    let allowed = Allowed::new(at.allowed().iter().map(SmolStr::as_str));
    phrases
        .classify(text, &allowed, Day::of_nanos(services.now))
        .or_else(|| embedding::classify(at, services.embedding.as_ref()?).ok()?)
}

/// What a tier has: a decision, or nothing.
type Found = Result<Option<Decision>, Question>;

pub(crate) struct Router<'a> {
    phrases: &'a Phrases,
    pub(crate) at: &'a dyn Situation,
    pub(crate) text: &'a str,
    pub(crate) services: &'a Services<'a>,
    deferred: Option<Deferred>,
    cache: Option<CacheUse>,
    steps: Vec<Step>,
}

impl Router<'_> {
    fn run(mut self) -> Result<Decision, Question> {
        let enabled = self.at.story().routing.enabled;
        let stack = self.services.switch.unwrap_or(enabled);
        let tiers: &[fn(&mut Self) -> Found] = if stack {
            &[Self::semantic, Self::turn_cache, Self::default_intent, Self::fallback]
        } else {
            &[Self::menu, Self::default_intent]
        };
        for tier in tiers {
            if let Some(decision) = tier(&mut self)? {
                return Ok(self.finish(decision));
            }
        }
        let nobody = decision(Tier::Interpreter, Outcome::Interpreter);
        Ok(self.finish(nobody))
    }

    fn finish(self, decision: Decision) -> Decision {
        Decision {
            deferred: self.deferred,
            cache: self.cache,
            steps: self.steps,
            ..decision
        }
    }

    pub(crate) fn said(&mut self, asked: Asked, said: Said) {
        self.steps.push(Step { asked, said });
    }

    fn enabled(&self) -> bool {
        self.at.story().routing.enabled
    }

    fn menu(&mut self) -> Found {
        let Some((row, how)) = menu::row(self.at, self.text) else {
            self.said(Asked::Menu, Said::Miss);
            return Ok(None);
        };
        self.said(Asked::Menu, Said::Took);
        Ok(Some(Decision {
            matched: Some(how.word().to_owned()),
            ..submit(Tier::Deterministic, &row.intent, row.slots.clone())
        }))
    }

    fn semantic(&mut self) -> Found {
        if *self.phrases.readiness() != Readiness::Ready {
            self.said(Asked::Phrases, Said::Off);
            return Ok(None);
        }
        let allowed = Allowed::new(self.at.allowed().iter().map(SmolStr::as_str));
        let today = Day::of_nanos(self.services.now);
        if let Some(verdict) = self.phrases.classify(self.text, &allowed, today) {
            return Ok(self.bands(Asked::Phrases, verdict));
        }
        self.said(Asked::Phrases, Said::Miss);
        if let Some(embedding) = &self.services.embedding {
            if let Some(verdict) = embedding::classify(self.at, embedding)? {
                return Ok(self.bands(Asked::Embedding, verdict));
            }
            self.said(Asked::Embedding, Said::Miss);
        }
        if let Some(decision) = context::route(self)? {
            return Ok(Some(decision));
        }
        match context::local_model(self)? {
            Some(verdict) => Ok(self.bands(Asked::LocalModel, verdict)),
            None => Ok(None),
        }
    }

    /// What the confidence of a verdict leads to (`dispatch` 5.9). The tie is looked at first, whatever the bars are.
    fn bands(&mut self, asked: Asked, verdict: Verdict) -> Option<Decision> {
        let hit = match verdict {
            Verdict::Hit(hit) if hit.confidence != TIE => hit,
            Verdict::Hit(_) => return self.took(asked, ambiguous(Vec::new())),
            Verdict::Tie(candidates) => return self.took(asked, ambiguous(candidates)),
        };
        let routing = &self.at.story().routing;
        if hit.confidence >= routing.semantic_high_bar {
            if let Some(why) = self.loses_something(&hit) {
                return self.pass_on(asked, hit, why);
            }
            let (tier, matched) = match hit.kind {
                MatchKind::Model => (Tier::LocalModel, context::agent(self.at).to_string()),
                _ => (Tier::Semantic, hit.reason),
            };
            let decision = Decision {
                matched: Some(matched),
                confidence: Some(hit.confidence),
                ..submit(tier, &hit.intent, hit.slots)
            };
            return self.took(asked, decision);
        }
        if hit.confidence >= routing.semantic_mid_bar {
            let phrase = !matches!(hit.kind, MatchKind::Model | MatchKind::Embedding);
            let decision = Decision {
                matched: phrase.then_some(hit.reason),
                confidence: phrase.then_some(hit.confidence),
                ..decision(
                    Tier::Semantic,
                    Outcome::Clarify {
                        intent: hit.intent,
                        slots: hit.slots,
                        missing: hit.missing,
                    },
                )
            };
            return self.took(asked, decision);
        }
        let captured = self.near_miss();
        self.pass_on(asked, hit, PassedOn::NearMiss);
        match captured {
            Some(decision) => self.took(Asked::NearMiss, decision),
            None => {
                self.said(Asked::NearMiss, Said::Miss);
                None
            }
        }
    }

    fn took(&mut self, asked: Asked, decision: Decision) -> Option<Decision> {
        self.said(asked, Said::Took);
        Some(decision)
    }

    fn pass_on(&mut self, asked: Asked, hit: Hit, why: PassedOn) -> Option<Decision> {
        self.said(asked, Said::Passed(why));
        if !matches!(hit.kind, MatchKind::Model | MatchKind::Embedding) {
            self.deferred = Some(Deferred { hit, why });
        }
        None
    }

    /// Whether submitting a match would lose what the person said.
    fn loses_something(&self, hit: &Hit) -> Option<PassedOn> {
        let intent = outermost(self.at, &hit.intent)?;
        let unfilled = |name: &SmolStr| !hit.slots.contains_key(name);
        if intent.required().any(|slot| unfilled(&slot.name)) {
            return Some(PassedOn::RequiredSlot);
        }
        // A template reads slots; whatever else matched cannot, so a text that says more than the phrase may mean them.
        if hit.kind == MatchKind::Template || !intent.slots.iter().any(|slot| unfilled(&slot.name)) {
            return None;
        }
        let phrase = hit
            .reason
            .split_once(':')
            .map_or(hit.reason.as_str(), |(_, phrase)| phrase);
        (fold::phrase(self.text) != fold::phrase(phrase)).then_some(PassedOn::Content)
    }

    /// The workbench that captures a weak match: the room's own, else that of the intake room.
    fn near_miss(&self) -> Option<Decision> {
        let capture = |intent: &str| {
            let slot = text_slot(outermost(self.at, intent)?)?;
            Some(Decision {
                matched: Some("workbench_capture".to_owned()),
                ..submit(Tier::NearMiss, intent, self.text_in(slot))
            })
        };
        let own = room(self.at).filter(|r| r.workbench.is_some());
        let own = own.and_then(|_| capture(self.sink()?));
        own.or_else(|| {
            let story = self.at.story();
            let fallback = story.routing.free_form_fallback.as_ref()?;
            let intake = story.states.get(fallback.state)?;
            if self.at.path() == intake.path || intake.workbench.is_none() {
                return None;
            }
            capture(self.here(&fallback.intent)?)
        })
    }

    fn turn_cache(&mut self) -> Found {
        let cache = self.services.cache.filter(|_| self.at.story().routing.cache_enabled);
        let Some(cache) = cache else {
            self.said(Asked::TurnCache, Said::Off);
            return Ok(None);
        };
        let signature = self.phrases.lexer().signature(self.text);
        let Some(entry) = cache.get(self.at.path(), &signature) else {
            self.said(Asked::TurnCache, Said::Miss);
            return Ok(None);
        };
        let slots = self.at.dry_run(&entry.intent, &entry.slots);
        self.cache = Some(CacheUse {
            state: self.at.path().into(),
            signature,
            good: slots.is_ok(),
        });
        let Ok(slots) = slots else {
            self.said(Asked::TurnCache, Said::Failed);
            return Ok(None);
        };
        let decision = Decision {
            confidence: Some(entry.confidence),
            ..submit(Tier::TurnCache, &entry.intent, slots)
        };
        Ok(self.took(Asked::TurnCache, decision))
    }

    fn default_intent(&mut self) -> Found {
        if !self.enabled() {
            self.said(Asked::DefaultIntent, Said::Off);
            return Ok(None);
        }
        let found = self
            .sink()
            .and_then(|intent| Some((intent.to_owned(), text_slot(outermost(self.at, intent)?)?.clone())));
        Ok(self.free_text(Asked::DefaultIntent, Tier::DefaultIntent, found))
    }

    fn fallback(&mut self) -> Found {
        if !self.enabled() {
            self.said(Asked::Fallback, Said::Off);
            return Ok(None);
        }
        let found = self.intake();
        Ok(self.free_text(Asked::Fallback, Tier::Fallback, found))
    }

    fn intake(&self) -> Option<(String, SmolStr)> {
        let story = self.at.story();
        let fallback = story.routing.free_form_fallback.as_ref()?;
        let here = room(self.at)?;
        let sinks = here.default_intent.is_some() || here.off_ramp.is_some();
        if sinks || self.text.trim().is_empty() || self.at.path() == story.path(fallback.state) {
            return None;
        }
        let intent = self.here(&fallback.intent)?;
        Some((intent.to_owned(), text_slot(outermost(self.at, intent)?)?.clone()))
    }

    fn free_text(&mut self, asked: Asked, tier: Tier, found: Option<(String, SmolStr)>) -> Option<Decision> {
        let found = found.map(|(intent, slot)| Decision {
            matched: Some("free_text".to_owned()),
            ..submit(tier, &intent, self.text_in(&slot))
        });
        match found {
            Some(decision) => self.took(asked, decision),
            None => {
                self.said(asked, Said::Miss);
                None
            }
        }
    }

    /// The room's sink for free text, when it is allowed.
    fn sink(&self) -> Option<&str> {
        self.here(room(self.at)?.default_intent.as_ref()?)
    }

    /// An intent as it is called here, when it is allowed.
    fn here<'b>(&'b self, intent: &'b str) -> Option<&'b str> {
        let name = self
            .at
            .state()
            .map_or(intent, |state| self.at.story().resolve_alias(state, intent));
        allows(self.at, name).then_some(name)
    }

    /// The text, untouched, in a slot.
    pub(crate) fn text_in(&self, slot: &SmolStr) -> Map {
        let mut slots = Map::new();
        slots.insert(slot.clone(), kitsoki_expr::Value::text(self.text));
        slots
    }
}

fn decision(tier: Tier, outcome: Outcome) -> Decision {
    Decision {
        tier,
        outcome,
        matched: None,
        confidence: None,
        deferred: None,
        cache: None,
        steps: Vec::new(),
    }
}

pub(crate) fn submit(tier: Tier, intent: &str, slots: Map) -> Decision {
    let intent = intent.into();
    decision(tier, Outcome::Submit { intent, slots })
}

fn ambiguous(candidates: Vec<crate::verdict::Candidate>) -> Decision {
    decision(Tier::Semantic, Outcome::Ambiguous { candidates })
}
