//! `debug route`: one line is a story, a situation and some texts; the answer says what becomes of each. Nothing is executed.

use camino::Utf8Path;
use kitsoki_expr::{Map, Value};
use kitsoki_routing::cache::{Entry, TurnCache};
use kitsoki_routing::decision::{Decision, Outcome, Routed};
use kitsoki_routing::services::{Agents, Answer, ContextAnswer, Embedding, ExtractAnswer, Services, Vectors};
use kitsoki_routing::verdict::{Candidate, Hit, MatchKind, TIE, Verdict};
use kitsoki_routing::{Readiness, Situation, classify, route};
use kitsoki_runtime::{Standing, World};
use serde_json::{Map as Object, Value as Json, json};

use super::clock;
use super::ground::{Loaded, Stories};
use crate::eval::{from_json, to_json};

/// The answer to a line.
#[must_use]
pub fn answer(line: &Json, stories: &mut Stories) -> Json {
    let error = |class: &str, message: String| json!({"error": {"class": class, "message": message}});
    let Some(dir) = line.get("dir").and_then(Json::as_str) else {
        return error("request", "the line has no `dir`".to_owned());
    };
    let app = line.get("app").and_then(Json::as_str).unwrap_or("app.yaml");
    let loaded = match stories.get(&Utf8Path::new(dir).join(app)) {
        Ok(loaded) => loaded,
        Err(message) => return error("load", message),
    };
    let asked = match Asked::read(line, &loaded) {
        Ok(asked) => asked,
        Err(message) => return error("request", message),
    };
    match asked.answer() {
        Ok(answer) => answer,
        Err(message) => error("state", message),
    }
}

/// A line, read.
struct Asked<'a> {
    loaded: &'a Loaded,
    state: Option<&'a str>,
    world: World,
    inputs: Vec<(&'a str, Option<&'a Object<String, Json>>)>,
    switch: Option<bool>,
    now: i128,
    cache: Option<&'a Vec<Json>>,
    agent: Option<&'a Json>,
    embedding: Option<&'a Json>,
    facets: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    fn read(line: &'a Json, loaded: &'a Loaded) -> Result<Self, String> {
        let mut world = loaded.world();
        lay_over(&mut world, line.get("world").and_then(Json::as_object));
        let inputs = line.get("inputs").and_then(Json::as_array);
        let inputs = inputs.into_iter().flatten().map(|input| match input {
            Json::String(text) => Ok((text.as_str(), None)),
            input => match input.get("text").and_then(Json::as_str) {
                Some(text) => Ok((text, input.get("world").and_then(Json::as_object))),
                None => Err("an input is neither a text nor has one".to_owned()),
            },
        });
        let now = match line.get("now").and_then(Json::as_str) {
            Some(text) => clock::parse(text).ok_or_else(|| format!("`{text}` is no time"))?,
            None => clock::now(),
        };
        let facets = line.get("facets").and_then(Json::as_array);
        Ok(Self {
            loaded,
            state: line.get("state").and_then(Json::as_str),
            world,
            inputs: inputs.collect::<Result<_, _>>()?,
            switch: line.get("override").and_then(Json::as_bool),
            now,
            cache: line.get("cache").and_then(Json::as_array),
            agent: line.get("agent").filter(|a| a.is_object()),
            embedding: line.get("embedding").filter(|e| e.is_object()),
            facets: match facets {
                Some(facets) => facets.iter().filter_map(Json::as_str).collect(),
                None => vec!["turn", "classify"],
            },
        })
    }

    fn stand(&self, world: World) -> Result<Standing<'a>, String> {
        let place = match self.state {
            Some(path) => Standing::at(&self.loaded.program, path, world),
            None => Standing::begin(&self.loaded.program, world),
        };
        place.map_err(|e| e.to_string())
    }

    fn answer(&self) -> Result<Json, String> {
        let place = self.stand(self.world.clone())?;
        let mut answer = Object::new();
        let readiness = self.loaded.phrases.readiness();
        answer.insert("matcher".to_owned(), json!(ready(readiness)));
        if let Readiness::Broken(error) = readiness {
            let fault = json!({"intent": error.intent.as_str(), "synonym": error.synonym.as_str(), "message": error.to_string()});
            answer.insert("matcher_error".to_owned(), fault);
        }
        let allowed: Vec<&str> = place.allowed().iter().map(AsRef::as_ref).collect();
        answer.insert("allowed".to_owned(), json!(allowed));
        answer.insert("menu".to_owned(), place.menu().iter().map(row).collect());
        let mut cache = self.cache.map(|entries| self.filled_cache(entries, place.path()));
        let mut results = Vec::new();
        for (text, world) in &self.inputs {
            let own = match world {
                Some(_) => {
                    let mut laid = self.world.clone();
                    lay_over(&mut laid, *world);
                    Some(self.stand(laid)?)
                }
                None => None,
            };
            results.push(self.result(own.as_ref().unwrap_or(&place), text, &mut cache));
        }
        answer.insert("results".to_owned(), Json::Array(results));
        Ok(Json::Object(answer))
    }

    fn result(&self, place: &Standing<'_>, text: &str, cache: &mut Option<TurnCache>) -> Json {
        let phrases = &self.loaded.phrases;
        let mut result = Object::new();
        for facet in &self.facets {
            let services = Services {
                switch: self.switch,
                now: self.now,
                cache: cache.as_ref().map(|c| c as _),
                agents: self.agent.map(agents),
                embedding: self.embedding.map(|e| embedding(e, place, text)),
            };
            let said = match *facet {
                "turn" => match route(phrases, place, text, &services) {
                    Routed::Decided(decision) => {
                        if let (Some(used), Some(cache)) = (&decision.cache, cache.as_mut()) {
                            cache.record(used, &self.loaded.program.story.routing, self.now);
                        }
                        turn(&decision, place)
                    }
                    // Every answer was given beforehand.
                    Routed::Ask(_) => Json::Null,
                },
                "classify" => classify(phrases, place, text, &services).map_or(Json::Null, |v| verdict(&v)),
                "tokens" => phrases.lexer().tokens(text).iter().map(token).collect(),
                "signature" => json!(phrases.lexer().signature(text)),
                _ => continue,
            };
            result.insert((*facet).to_owned(), said);
        }
        Json::Object(result)
    }

    fn filled_cache(&self, entries: &[Json], path: &str) -> TurnCache {
        let mut cache = TurnCache::default();
        for entry in entries {
            let text = |key: &str| entry.get(key).and_then(Json::as_str);
            let signature = self.loaded.phrases.lexer().signature(text("text").unwrap_or_default());
            let kept = Entry {
                intent: text("intent").unwrap_or_default().into(),
                slots: entry.get("slots").map(map).unwrap_or_default(),
                confidence: entry.get("confidence").and_then(Json::as_f64).unwrap_or_default(),
            };
            cache.put(text("state").unwrap_or(path), signature, kept, self.now);
        }
        cache
    }
}

fn map(json: &Json) -> Map {
    match from_json(json, &mut Vec::new(), &[]) {
        Value::Map(map) => map,
        _ => Map::new(),
    }
}

fn lay_over(world: &mut World, values: Option<&Object<String, Json>>) {
    for (key, value) in values.into_iter().flatten() {
        world.set(key.as_str(), from_json(value, &mut Vec::new(), &[]));
    }
}

fn agents(given: &Json) -> Agents {
    let text = |of: &Json, key: &str| of.get(key).and_then(Json::as_str).unwrap_or_default().into();
    let sure = |of: &Json| of.get("confidence").and_then(Json::as_f64).unwrap_or_default();
    Agents {
        context: given.get("context").map_or(Answer::Failed, |said| {
            Answer::Given(ContextAnswer {
                class: text(said, "class"),
                intent: text(said, "intent"),
                slots: said.get("slots").map(map).unwrap_or_default(),
                confidence: sure(said),
            })
        }),
        extract: given.get("extract").map_or(Answer::Failed, |said| {
            Answer::Given(ExtractAnswer {
                intent: text(said, "intent"),
                confidence: sure(said),
            })
        }),
    }
}

fn embedding(given: &Json, place: &Standing<'_>, text: &str) -> Embedding {
    let vector = |name: &str| {
        let numbers = given.get("vectors")?.get(name)?.as_array()?;
        let numbers: Vec<f64> = numbers.iter().filter_map(Json::as_f64).collect();
        let length = numbers.iter().map(|n| n * n).sum::<f64>().sqrt();
        #[expect(clippy::cast_possible_truncation, reason = "vectors are single precision")]
        Some(numbers.iter().map(|n| (n / length) as f32).collect::<Vec<f32>>())
    };
    let vectors = || {
        let intents: Option<_> = place
            .allowed()
            .iter()
            .map(|name| Some((name.clone(), vector(name)?)))
            .collect();
        Some(Vectors {
            intents: intents?,
            text: vector(text)?,
        })
    };
    let number = |key: &str, default: f64| given.get(key).and_then(Json::as_f64).unwrap_or(default);
    Embedding {
        bar: number("bar", 0.82),
        margin: number("margin", 0.08),
        vectors: vectors().map_or(Answer::Failed, Answer::Given),
    }
}

fn row(row: &kitsoki_routing::MenuRow) -> Json {
    let mut said = json!({"display": row.display, "intent": row.intent.as_str()});
    if let Some(said) = said.as_object_mut() {
        if !row.slots.is_empty() {
            said.insert("slots".to_owned(), slots(&row.slots));
        }
        if !row.missing.is_empty() {
            said.insert("missing".to_owned(), names(row.missing.iter()));
        }
    }
    said
}

fn names<'a>(names: impl Iterator<Item = &'a (impl AsRef<str> + 'a)>) -> Json {
    names.map(|name| json!(name.as_ref())).collect()
}

fn slots(slots: &Map) -> Json {
    to_json(&Value::Map(slots.clone()))
}

fn token(token: &kitsoki_routing::lex::Token) -> Json {
    let flags = [(token.stop, "s"), (token.number, "n")];
    let flags: String = flags.iter().filter(|(on, _)| *on).map(|(_, flag)| *flag).collect();
    json!([token.surface.as_str(), token.norm.as_str(), flags])
}

/// The word for how ready the phrases of a story are.
pub fn ready(readiness: &Readiness) -> &'static str {
    match readiness {
        Readiness::Ready => "ready",
        Readiness::Off => "off",
        Readiness::Empty => "empty",
        Readiness::Broken(_) => "error",
    }
}

/// A decision, and what the machine says to it.
pub fn turn(decision: &Decision, place: &Standing<'_>) -> Json {
    let mut said = Object::new();
    let mut put = |key: &str, value: Json| {
        said.insert(key.to_owned(), value);
    };
    put("tier", json!(decision.tier.word()));
    match &decision.outcome {
        Outcome::Submit { intent, slots: given } => {
            put("outcome", json!("submit"));
            put("intent", json!(intent.as_str()));
            put("slots", slots(given));
            put(
                "then",
                json!(place.dry_run(intent, given).map_or_else(|r| r.code(), |_| "ok")),
            );
        }
        Outcome::Clarify {
            intent,
            slots: given,
            missing,
        } => {
            put("outcome", json!("clarify"));
            put("intent", json!(intent.as_str()));
            put("slots", slots(given));
            put("missing", names(missing.iter()));
        }
        Outcome::Ambiguous { candidates } => {
            put("outcome", json!("ambiguous"));
            put("candidates", names(candidates.iter().map(|c| &c.intent)));
        }
        Outcome::Interpreter => put("outcome", json!("interpreter")),
    }
    if let Some(matched) = &decision.matched {
        put("match", json!(matched));
    }
    // Provenance does not tell a confidence of zero from none.
    if let Some(confidence) = decision.confidence.filter(|c| *c > 0.0) {
        put("confidence", json!(confidence));
    }
    if let Some(deferred) = &decision.deferred {
        let hit = &deferred.hit;
        put(
            "deferred",
            json!({"intent": hit.intent.as_str(), "confidence": hit.confidence, "match": hit.reason, "why": deferred.why.word()}),
        );
    }
    Json::Object(said)
}

fn verdict(verdict: &Verdict) -> Json {
    match verdict {
        Verdict::Tie(candidates) => tie(candidates),
        Verdict::Hit(hit) => found(hit),
    }
}

fn tie(candidates: &[Candidate]) -> Json {
    let intents = names(candidates.iter().map(|c| &c.intent));
    let reasons = names(candidates.iter().map(|c| &c.reason));
    json!({"confidence": TIE, "candidates": intents, "reasons": reasons})
}

fn found(hit: &Hit) -> Json {
    let kind = match hit.kind {
        MatchKind::Synonym => Some("bare"),
        MatchKind::Example => Some("example"),
        MatchKind::Template => Some("template"),
        MatchKind::Embedding => Some("embed"),
        MatchKind::Menu | MatchKind::Model => None,
    };
    let mut said = json!({
        "intent": hit.intent.as_str(),
        "slots": slots(&hit.slots),
        "confidence": hit.confidence,
        "reason": hit.reason,
    });
    if let Some(said) = said.as_object_mut() {
        if !hit.missing.is_empty() {
            said.insert("missing".to_owned(), names(hit.missing.iter()));
        }
        if let Some(kind) = kind {
            said.insert("kind".to_owned(), json!(kind));
        }
    }
    said
}
