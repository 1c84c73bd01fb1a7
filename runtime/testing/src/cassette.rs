//! Host cassettes: recorded answers, matched by what a call says (`testing` 11).

use std::path::{Component, Path, PathBuf};

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::event::Event;
use kitsoki_runtime::{path, value};
use regex::Regex;
use sha2::{Digest, Sha256};
use smol_str::SmolStr;

use crate::doc::{self, Doc, Fatal, Item};
use crate::fixture::Envelope;

/// Prompts longer than this stand in a file beside the trace.
const INLINE_PROMPT: usize = 1024;

/// A cassette.
#[derive(Debug, Default)]
pub struct Cassette {
    /// Part of the ids of agent calls.
    pub app_id: String,
    /// `none` or `new_episodes`.
    pub record_mode: String,
    phase_from: Option<Regex>,
    /// The episodes in the order of the file.
    pub episodes: Vec<Episode>,
    /// How often an id has answered; equal ids count together.
    counts: Vec<(String, u64)>,
}

/// One recorded answer.
#[derive(Debug, Default)]
pub struct Episode {
    /// Its id.
    pub id: String,
    /// What a call must say.
    matches: Vec<(SmolStr, Value)>,
    /// The answer.
    pub response: Envelope,
    /// Time before the answer.
    pub delay: String,
    /// It may answer more than once.
    again: bool,
    /// Whether it has answered.
    pub played: bool,
    agent: Option<AgentRecord>,
}

/// What an agent did, for the trace.
#[derive(Debug, Default)]
struct AgentRecord {
    fields: Map,
}

/// An answer of a cassette.
#[derive(Debug)]
pub struct Played<'c> {
    /// The answer.
    pub response: &'c Envelope,
    /// Time before it, in milliseconds.
    pub delay_ms: i64,
    /// Events of the agent call.
    pub notes: Vec<Event>,
    /// Files that belong beside the trace: name and content.
    pub files: Vec<(String, String)>,
}

impl Cassette {
    /// Reads a cassette.
    ///
    /// # Errors
    /// When it cannot be read, is none, or an include leads outside of its folder.
    pub fn load(file: &Path) -> Result<Self, Fatal> {
        Self::load_any(file).map_err(|e| doc::discreet(file, e))
    }

    fn load_any(file: &Path) -> Result<Self, Fatal> {
        let text = doc::read(file)?;
        let text = included(&text, file)?;
        let doc = Doc::whole(file, &text)?;
        let bad = |why: String| Fatal(format!("cassette {}: {why}", file.display()));
        let mut out = Self::default();
        let mut kind = String::new();
        let entries = doc.root().map_or(Ok(Vec::new()), |root| root.entries("the cassette"))?;
        for (key, item, _) in entries {
            match key.as_str() {
                "kind" => kind = item.text("kind")?,
                "app_id" => out.app_id = item.text("app_id")?,
                "record_mode" => out.record_mode = item.text("record_mode")?,
                "phase_from" => {
                    let source = item.text("phase_from")?;
                    if !source.is_empty() {
                        let regex = Regex::new(&source).map_err(|e| bad(format!("phase_from `{source}`: {e}")))?;
                        out.phase_from = Some(regex);
                    }
                }
                "episodes" => {
                    for item in item.items("episodes")? {
                        out.episodes.push(episode(item).map_err(|e| bad(e.0))?);
                    }
                }
                _ => {}
            }
        }
        if kind != "host_cassette" {
            return Err(bad(format!("`kind` is `{kind}`, not `host_cassette`")));
        }
        if !matches!(out.record_mode.as_str(), "" | "none" | "new_episodes") {
            return Err(bad(format!(
                "record_mode `{}` is not known: use none or new_episodes",
                out.record_mode
            )));
        }
        Ok(out)
    }

    /// The handlers that episodes name.
    #[must_use]
    pub fn handlers(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for episode in &self.episodes {
            let named = episode
                .matches
                .iter()
                .find(|(key, _)| key == "handler")
                .and_then(|(_, v)| v.as_str());
            if let Some(name) = named.filter(|n| !n.is_empty())
                && !names.iter().any(|n| n == name)
            {
                names.push(name.into());
            }
        }
        names
    }

    /// The ids of episodes that never answered.
    #[must_use]
    pub fn remaining(&self) -> Vec<&str> {
        self.episodes
            .iter()
            .filter(|e| !e.played)
            .map(|e| e.id.as_str())
            .collect()
    }

    /// The first episode that fits.
    ///
    /// # Errors
    /// The text of a miss: what was called with what, and what there is.
    pub fn play(&mut self, handler: &str, args: &Map, state: &str) -> Result<Played<'_>, String> {
        let phase = match &self.phase_from {
            None => path::top(state).to_owned(),
            Some(regex) => {
                let found = regex.captures(state).and_then(|c| c.get(1));
                found.map_or_else(String::new, |m| m.as_str().to_owned())
            }
        };
        let schema = args.get("schema").and_then(Value::as_str).unwrap_or_default();
        let schema = schema.rsplit('/').next().unwrap_or_default();
        let found = self
            .episodes
            .iter()
            .position(|e| (e.again || !e.played) && e.fits(handler, args, &phase, schema));
        let Some(index) = found else {
            let ids: Vec<&str> = self.episodes.iter().map(|e| e.id.as_str()).collect();
            let args = kitsoki_runtime::json::sorted(&Value::Map(args.clone()));
            let args: String = args.chars().take(400).collect();
            return Err(format!(
                "cassette miss: no episode fits {handler} with {args} in \"{state}\"; episodes: [{}]",
                ids.join(", ")
            ));
        };
        let Some(episode) = self.episodes.get_mut(index) else {
            return Err("cassette miss".into());
        };
        episode.played = true;
        let id = episode.id.clone();
        let count = match self.counts.iter_mut().find(|(own, _)| *own == id) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.counts.push((id.clone(), 0));
                0
            }
        };
        let Some(episode) = self.episodes.get(index) else {
            return Err("cassette miss".into());
        };
        let mut files = Vec::new();
        let notes = match &episode.agent {
            Some(agent) => agent.notes(&self.app_id, &id, count, &mut files),
            None => Vec::new(),
        };
        Ok(Played {
            response: &episode.response,
            delay_ms: doc::duration_ms(&episode.delay).unwrap_or(0),
            notes,
            files,
        })
    }
}

impl Episode {
    fn fits(&self, handler: &str, args: &Map, phase: &str, schema: &str) -> bool {
        self.matches.iter().all(|(key, wanted)| {
            let own;
            let got = match key.as_str() {
                "handler" => {
                    own = Value::text(handler);
                    &own
                }
                "phase" => {
                    own = Value::text(phase);
                    &own
                }
                "schema_name" => {
                    own = Value::text(schema);
                    &own
                }
                other => args.get(other).unwrap_or(&Value::Nil),
            };
            value::same(got, wanted)
        })
    }
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
    fn notes(&self, app: &str, episode: &str, count: u64, files: &mut Vec<(String, String)>) -> Vec<Event> {
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

fn episode(item: Item<'_>) -> Result<Episode, Fatal> {
    let mut out = Episode::default();
    for (key, item, _) in item.entries("an episode")? {
        match key.as_str() {
            "id" => out.id = item.text("id")?,
            "match" => {
                out.matches = item
                    .entries("match")?
                    .into_iter()
                    .map(|(k, v, _)| (k, v.value()))
                    .collect();
            }
            "response" => {
                for (key, item, _) in item.entries("response")? {
                    match key.as_str() {
                        "data" if item.is_null() => {}
                        "data" => out.response.data = Some(item.map("data")?),
                        "error" => out.response.error = item.text("error")?,
                        "infra_error" => out.response.infra_error = item.text("infra_error")?,
                        _ => {}
                    }
                }
            }
            "delay" => out.delay = item.text("delay")?,
            "replay" => out.again = item.text("replay")? == "any",
            "agent" if item.is_null() => {}
            "agent" => {
                let fields = item.map("agent")?;
                let transcript = fields
                    .get("transcript")
                    .and_then(|t| t.get("events"))
                    .and_then(Value::as_list);
                for (n, event) in transcript.into_iter().flat_map(|l| l.iter()).enumerate() {
                    if let Value::Str(text) = event
                        && serde_json::from_str::<serde_json::Value>(text).is_err()
                    {
                        return Err(Fatal(format!(
                            "episode \"{}\": transcript event[{n}] is no JSON",
                            out.id
                        )));
                    }
                }
                out.agent = Some(AgentRecord { fields });
            }
            _ => {}
        }
    }
    Ok(out)
}

/// Replaces `key: !include path` by the file's content: a JSON file as JSON, any other as one text.
fn included(text: &str, file: &Path) -> Result<String, Fatal> {
    if !text.contains("!include") {
        return Ok(text.to_owned());
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut out = String::with_capacity(text.len());
    for (n, line) in text.split('\n').enumerate() {
        if n > 0 {
            out.push('\n');
        }
        let cut = line.find(": !include ").filter(|at| {
            let key = line.get(..*at).unwrap_or_default().trim_start();
            !key.is_empty() && !key.starts_with(['-', '#']) && !key.contains(' ')
        });
        let Some(at) = cut else {
            out.push_str(line);
            continue;
        };
        let name = line.get(at + ": !include ".len()..).unwrap_or_default().trim();
        let bad = |why: &str| Fatal(format!("cassette {}: !include `{name}`: {why}", file.display()));
        let path = inside(folder, name).map_err(bad)?;
        let content = doc::read(&path).map_err(|_| bad("the file cannot be read"))?;
        let is_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
        let value = if is_json {
            serde_json::from_str(&content).map_err(|_| bad("the file is no JSON"))?
        } else {
            serde_json::Value::String(content)
        };
        out.push_str(line.get(..at).unwrap_or_default());
        out.push_str(": ");
        out.push_str(&value.to_string());
    }
    Ok(out)
}

/// A file below a folder, links resolved.
fn inside(folder: &Path, name: &str) -> Result<PathBuf, &'static str> {
    let name = Path::new(name);
    if name.is_absolute() {
        return Err("the path is absolute");
    }
    let root = folder.canonicalize().map_err(|_| "the folder cannot be read")?;
    let joined = root.join(name);
    if name.components().any(|c| matches!(c, Component::ParentDir)) && !joined.exists() {
        return Err("the path resolves outside the cassette directory");
    }
    let found = joined.canonicalize().map_err(|_| "the file cannot be read")?;
    if found.starts_with(&root) {
        Ok(found)
    } else {
        Err("the path resolves outside the cassette directory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_calls_are_derived() {
        assert_eq!(call_id("agent-call-complete", "e1", 0), "0d68c4123493ce8f");
    }
}
