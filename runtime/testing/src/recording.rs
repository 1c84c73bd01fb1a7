//! Recordings: what free texts were understood as (`testing` 12.1).

use std::path::Path;

use kitsoki_expr::Map;
use kitsoki_runtime::Call;
use smol_str::SmolStr;

use crate::doc::{self, Doc, Fatal};

/// A recording.
#[derive(Debug, Default)]
pub struct Recording {
    entries: Vec<Entry>,
}

#[derive(Debug, Default)]
struct Entry {
    state: String,
    texts: Vec<String>,
    intent: SmolStr,
    slots: Option<Map>,
    clarify: bool,
    message: String,
}

impl Recording {
    /// Reads a recording.
    ///
    /// # Errors
    /// When it cannot be read or is none.
    pub fn load(file: &Path) -> Result<Self, Fatal> {
        Self::load_any(file).map_err(|e| doc::discreet(file, e))
    }

    fn load_any(file: &Path) -> Result<Self, Fatal> {
        let text = doc::read(file)?;
        let doc = Doc::whole(file, &text)?;
        let bad = |why: &str| Fatal(format!("recording {}: {why}", file.display()));
        let mut out = Self::default();
        let mut kind = String::new();
        for (key, item, _) in doc.root().map_or(Ok(Vec::new()), |r| r.entries("the recording"))? {
            match key.as_str() {
                "kind" => kind = item.text("kind")?,
                "entries" => {
                    for item in item.items("entries")? {
                        let mut entry = Entry::default();
                        let mut input = String::new();
                        let mut has_intent = false;
                        for (key, item, _) in item.entries("entries")? {
                            match key.as_str() {
                                "state" => entry.state = item.text("state")?,
                                "input" => input = item.text("input")?,
                                "clarify" => entry.clarify = item.flag("clarify")?,
                                "message" => entry.message = item.text("message")?,
                                "paraphrases" => entry.texts = item.texts("paraphrases")?,
                                "intent" => {
                                    for (key, item, _) in item.entries("intent")? {
                                        match key.as_str() {
                                            "name" => entry.intent = item.text("name")?.into(),
                                            "slots" if item.is_null() => {}
                                            "slots" => entry.slots = Some(item.map("slots")?),
                                            _ => {}
                                        }
                                    }
                                    has_intent = !entry.intent.is_empty();
                                }
                                _ => {}
                            }
                        }
                        if entry.state.is_empty() || input.is_empty() {
                            return Err(bad("an entry needs `state` and `input`"));
                        }
                        if has_intent == entry.clarify {
                            return Err(bad("an entry has either an `intent` or `clarify: true`"));
                        }
                        if entry.texts.iter().any(|t| t.trim().is_empty()) {
                            return Err(bad("a paraphrase is blank"));
                        }
                        entry.texts.insert(0, input);
                        out.entries.push(entry);
                    }
                }
                _ => {}
            }
        }
        if kind != "recording" {
            return Err(bad("`kind` is not `recording`"));
        }
        if out.entries.is_empty() {
            return Err(bad("it has no entries"));
        }
        Ok(out)
    }

    /// What a text means in a state, without regard to case and blanks at its ends; paraphrases and questions do not count.
    #[must_use]
    pub fn find_plain(&self, state: &str, text: &str) -> Option<Call> {
        let normal = |t: &str| t.trim().to_lowercase();
        let wanted = normal(text);
        let found = self
            .entries
            .iter()
            .find(|e| e.state == state && !e.clarify && e.texts.first().is_some_and(|t| normal(t) == wanted))?;
        Some(Call {
            intent: found.intent.clone(),
            slots: Some(found.slots.clone().unwrap_or_default()),
        })
    }

    /// What a text means in a state: as it is written, else without regard to case and blanks.
    ///
    /// # Errors
    /// The text of a miss, or the question that was recorded.
    pub fn find(&self, state: &str, text: &str) -> Result<Call, String> {
        let here = || self.entries.iter().filter(|e| e.state == state);
        let normal = |t: &str| t.trim().to_lowercase();
        let found = here()
            .find(|e| e.texts.iter().any(|t| t == text))
            .or_else(|| here().find(|e| e.texts.iter().any(|t| normal(t) == normal(text))));
        match found {
            None => Err(format!("recording miss for state=\"{state}\" input=\"{text}\"")),
            Some(entry) if entry.clarify => Err(format!("the recording asks back: {}", entry.message)),
            Some(entry) => Ok(Call {
                intent: entry.intent.clone(),
                slots: Some(entry.slots.clone().unwrap_or_default()),
            }),
        }
    }
}
