//! What an episode knows of an agent call: events for the trace, and files beside it (`testing` 11.5).

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::event::Event;
use kitsoki_runtime::value;
use sha2::{Digest, Sha256};

/// Prompts longer than this stand in a file beside the trace.
const INLINE_PROMPT: usize = 1024;

/// What an agent did, for the trace.
#[derive(Debug, Default)]
pub(super) struct AgentRecord {
    pub fields: Map,
}

impl AgentRecord {
    fn text(&self, key: &str) -> &str {
        self.fields.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    fn positive(&self, key: &str) -> Option<Value> {
        let value = self.fields.get(key)?;
        value.as_float().filter(|n| *n > 0.0).map(|_| value.clone())
    }

    /// The events of the call under one id.
    pub fn notes(&self, app: &str, episode: &str, count: u64, files: &mut Vec<(String, String)>) -> Vec<Event> {
        let id = call_id(app, episode, count);
        let mut start = Map::new();
        for key in ["verb", "agent", "model"] {
            if !self.text(key).is_empty() {
                start.insert(key, Value::text(self.text(key)));
            }
        }
        let prompt = self.text("prompt");
        if prompt.len() > INLINE_PROMPT {
            let name = format!("agent-prompts/{id}.txt");
            start.insert("prompt_file", Value::text(&name));
            files.push((name, prompt.to_owned()));
        } else if !prompt.is_empty() {
            start.insert("prompt", Value::text(prompt));
        }
        if let Some(input) = self.fields.get("input").filter(|i| !i.is_nil()) {
            start.insert("input", input.clone());
        }
        let mut started = Event::new("agent.call.start", start);
        started.call_id = id.as_str().into();
        started.episode_id = episode.into();
        started.match_idx = count;

        let mut end = Map::new();
        for key in ["verb", "agent"] {
            if !self.text(key).is_empty() {
                end.insert(key, Value::text(self.text(key)));
            }
        }
        end.insert(
            "duration_ms",
            self.fields.get("duration_ms").cloned().unwrap_or(Value::Int(0)),
        );
        let failed = !self.text("error").is_empty();
        if failed {
            end.insert("error", Value::text(self.text("error")));
        } else {
            if !self.text("model").is_empty() {
                end.insert("model", Value::text(self.text("model")));
            }
            if let Some(response) = response(self.fields.get("response")) {
                end.insert("response", response);
            }
            if let Some(transcript) = self.fields.get("transcript").and_then(Value::as_map) {
                end.insert("transcript_ref", Value::Map(transcript_ref(transcript, &id, files)));
            }
            let mut usage = Map::new();
            for (from, to) in [("prompt_tokens", "input_tokens"), ("response_tokens", "output_tokens")] {
                if let Some(count) = self.positive(from) {
                    usage.insert(to, count);
                }
            }
            let mut meta = Map::new();
            if !usage.is_empty() {
                meta.insert("usage", Value::Map(usage));
            }
            if let Some(cost) = self.positive("cost_usd") {
                meta.insert("cost_usd", cost);
            }
            if !meta.is_empty() {
                end.insert("meta", Value::Map(meta));
            }
        }
        let mut ended = Event::new(
            if failed {
                "agent.call.error"
            } else {
                "agent.call.complete"
            },
            end,
        );
        ended.call_id = id.into();
        vec![started, ended]
    }
}

/// The recorded answer: text that begins like JSON is JSON.
fn response(value: Option<&Value>) -> Option<Value> {
    match value? {
        Value::Str(text) if text.is_empty() => None,
        Value::Str(text) if text.starts_with(['{', '[']) => {
            let json = serde_json::from_str::<serde_json::Value>(text).ok();
            Some(json.map_or_else(|| Value::Str(text.clone()), |json| value::from_json(&json)))
        }
        Value::Nil => None,
        other => Some(other.clone()),
    }
}

fn transcript_ref(transcript: &Map, id: &str, files: &mut Vec<(String, String)>) -> Map {
    let mut lines = String::new();
    let mut count = 0;
    for event in transcript
        .get("events")
        .and_then(Value::as_list)
        .into_iter()
        .flat_map(|l| l.iter())
    {
        match event {
            Value::Str(text) => lines.push_str(text),
            other => lines.push_str(&kitsoki_runtime::json::sorted(other)),
        }
        lines.push('\n');
        count += 1;
    }
    let path = format!("transcripts/{id}.jsonl");
    let timings = transcript.get("timings").and_then(Value::as_list);
    if let Some(timings) = timings.filter(|t| !t.is_empty()) {
        let text: String = timings
            .iter()
            .enumerate()
            .map(|(n, ms)| format!("{n} {}\n", value::number(Some(ms))))
            .collect();
        files.push((format!("transcripts/{id}.timings"), text));
    }
    files.push((path.clone(), lines));
    value::map([
        ("format", transcript.get("format").cloned().unwrap_or(Value::text(""))),
        ("path", Value::text(path)),
        ("events", Value::Int(count)),
        ("schema_version", Value::Int(1)),
    ])
}

/// The id of an agent call that an episode answers: the same in every run.
fn call_id(app: &str, episode: &str, count: u64) -> String {
    use std::fmt::Write;
    let digest = Sha256::digest(format!("agent-call:{app}:{episode}:{count}"));
    digest.iter().take(8).fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_calls_are_derived() {
        assert_eq!(call_id("agent-call-complete", "e1", 0), "0d68c4123493ce8f");
    }
}
