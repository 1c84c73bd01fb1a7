//! What a report says about cassettes: calls that are not as they were recorded, and episodes that nobody asked for.
//!
//! A recording is worth something only while the calls are those that were recorded. So a miss shows the episode that comes
//! nearest, an answer to a changed call is told, and so is an episode that no flow of the run used.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use kitsoki_expr::Value;
use kitsoki_runtime::{json as engine_json, value};
use serde_json::{Map as JsonMap, Value as Json, json};

use crate::cassette::{Cassette, Difference, Near};
use crate::doc::Warning;
use crate::report::{FlowResult, visible};

/// The longest value that the text report shows, in characters.
const SHOWN: usize = 160;

/// What stands for a value of a file whose content is not told.
const UNTOLD: &str = "(not shown: the cassette lies outside of the current directory)";

/// A call that is not as the cassette recorded it.
#[derive(Clone, Debug)]
pub struct Stray {
    /// The turn of the fixture, from 0.
    pub turn: usize,
    /// The handler.
    pub handler: String,
    /// Where the session rested.
    pub state: String,
    /// Whether it was answered all the same.
    pub answered: bool,
    /// The cassette.
    pub file: PathBuf,
    /// What it says may be shown: it is a file of the current directory.
    pub ours: bool,
    /// The episode that answered, or came nearest.
    pub episode: Option<Near>,
}

impl Stray {
    /// What happened, in one line.
    #[must_use]
    pub fn headline(&self) -> String {
        let Self { handler, state, .. } = self;
        match (&self.episode, self.answered) {
            (Some(near), true) => format!(
                "episode `{}` answered {handler} in \"{state}\" although the call is not the recorded one",
                near.id
            ),
            _ => format!("no episode fits {handler} in \"{state}\""),
        }
    }

    /// What the cassette says of a field; nothing of a file outside of the current directory.
    fn recorded(&self, difference: &Difference) -> Option<Value> {
        let recorded = difference.recorded.as_ref()?;
        Some(if self.ours {
            recorded.clone()
        } else {
            Value::text(UNTOLD)
        })
    }

    /// The lines of the text report.
    pub(crate) fn text(&self, out: &mut String) {
        let word = if self.answered { "loose" } else { "miss " };
        let _ = writeln!(
            out,
            "        {word}   turn {}: {}",
            self.turn + 1,
            visible(&self.headline())
        );
        let Some(near) = &self.episode else { return };
        let place = format!("{}:{} `{}`", self.file.display(), near.line, near.id);
        let said = if self.answered { "recorded in" } else { "nearest is" };
        let _ = writeln!(out, "                {said} {}", visible(&place));
        if near.used_up {
            out.push_str("                it has answered already: `replay: any` lets an episode answer again\n");
        }
        for difference in &near.differences {
            let recorded = shown(self.recorded(difference).as_ref());
            let asked = shown(difference.asked.as_ref());
            let path = visible(&difference.path);
            let _ = writeln!(out, "                  {path}: recorded {recorded}, asked {asked}");
        }
    }

    /// The entry of the JSON report.
    pub(crate) fn json(&self) -> Json {
        let mut out = json!({
            "turn": self.turn,
            "handler": self.handler,
            "state": self.state,
            "answered": self.answered,
        });
        if let (Some(near), Some(object)) = (&self.episode, out.as_object_mut()) {
            let differences = near.differences.iter().map(|d| {
                let mut entry = JsonMap::new();
                entry.insert("path".into(), d.path.as_str().into());
                for (side, found) in [("recorded", self.recorded(d)), ("asked", d.asked.clone())] {
                    if let Some(found) = found {
                        entry.insert(side.into(), value::to_json(&found));
                    }
                }
                Json::Object(entry)
            });
            let differences: Vec<Json> = differences.collect();
            object.insert(
                "episode".into(),
                json!({"id": near.id, "file": self.file.to_string_lossy(), "line": near.line, "used_up": near.used_up}),
            );
            object.insert("differences".into(), differences.into());
        }
        out
    }
}

/// A value on one line of a terminal.
fn shown(found: Option<&Value>) -> String {
    let Some(found) = found else { return "nothing".into() };
    let text = engine_json::sorted(found);
    if text.chars().count() <= SHOWN {
        return visible(&text);
    }
    let cut: String = text.chars().take(SHOWN).collect();
    visible(&cut) + "…"
}

/// What a flow made of its cassette.
#[derive(Clone, Debug, Default)]
pub struct CassetteUse {
    file: PathBuf,
    /// Line, id and whether it answered.
    episodes: Vec<(u32, String, bool)>,
    lints: Vec<Warning>,
}

impl CassetteUse {
    /// After the last turn.
    #[must_use]
    pub fn of(cassette: &Cassette) -> Self {
        let seen = |e: &crate::cassette::Episode| (e.line, e.id.clone(), e.played);
        Self {
            file: cassette.file.clone(),
            episodes: cassette.episodes.iter().map(seen).collect(),
            lints: cassette.lints(),
        }
    }
}

/// The warnings about the cassettes of a run: what is loose about them, and episodes that no flow used.
#[must_use]
pub fn warnings(results: &[FlowResult]) -> Vec<Warning> {
    let mut files: BTreeMap<PathBuf, (CassetteUse, usize)> = BTreeMap::new();
    for seen in results.iter().filter_map(|r| r.cassette.as_ref()) {
        // One file under two spellings (`flows/../tape.yaml`) is one file.
        let key = seen.file.canonicalize().unwrap_or_else(|_| seen.file.clone());
        let (all, flows) = files.entry(key).or_insert_with(|| (seen.clone(), 0));
        *flows += 1;
        for (all, own) in all.episodes.iter_mut().zip(&seen.episodes) {
            all.2 |= own.2;
        }
    }
    let mut out = Vec::new();
    for (seen, flows) in files.into_values() {
        out.extend(seen.lints);
        let who = if flows == 1 {
            "the flow that uses"
        } else {
            "any of the flows of this run that use"
        };
        for (line, id, _) in seen.episodes.into_iter().filter(|(.., played)| !played) {
            out.push(Warning {
                file: seen.file.clone(),
                line,
                column: 1,
                message: format!("episode `{id}` was not asked for by {who} the cassette"),
            });
        }
    }
    out.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    out
}
