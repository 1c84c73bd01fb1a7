//! Host cassettes: recorded answers, matched by what a call says (`testing` 11).
//!
//! An episode may also keep the arguments of the call that it was recorded for (`args`, ours). Then a call must bring the
//! same ones, or those that `match_on` names; the reference reads neither key.

mod agent;
mod compare;
mod read;

use std::path::{Path, PathBuf};

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::event::Event;
use kitsoki_runtime::path;
use regex::Regex;
use smol_str::SmolStr;

pub use compare::{Difference, Miss, Near, differences};

use crate::doc::{self, Doc, Fatal, Warning};
use crate::fixture::Envelope;
use agent::AgentRecord;
use compare::Asked;

/// A cassette.
#[derive(Debug, Default)]
pub struct Cassette {
    /// Its file.
    pub file: PathBuf,
    /// Part of the ids of agent calls.
    pub app_id: String,
    /// `none` or `new_episodes`.
    pub record_mode: String,
    phase_from: Option<Regex>,
    /// The arguments that are compared with recorded ones, when they are not all.
    match_on: Option<Vec<String>>,
    /// Where that is said.
    match_on_line: u32,
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
    /// The arguments of the recorded call.
    args: Option<Map>,
    /// The recorded arguments that count, in place of those of the cassette.
    match_on: Option<Vec<String>>,
    /// Its line in the file, from 1.
    pub line: u32,
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
    /// The episode and what it passed over: how the call differs from the recorded one.
    pub loose: Option<Near>,
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
        let text = read::included(&text, file)?;
        let doc = Doc::whole(file, &text)?;
        let bad = |why: String| Fatal(format!("cassette {}: {why}", file.display()));
        let mut out = Self {
            file: file.to_owned(),
            ..Self::default()
        };
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
                // A word that is no list has no meaning here, and never had one.
                "match_on" => {
                    out.match_on = item.texts("match_on").ok();
                    out.match_on_line = doc.place(item.range()).0;
                }
                "episodes" => {
                    for item in item.items("episodes")? {
                        out.episodes.push(read::episode(item).map_err(|e| bad(e.0))?);
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

    /// The episodes that never answered.
    pub fn remaining(&self) -> impl Iterator<Item = &Episode> {
        self.episodes.iter().filter(|e| !e.played)
    }

    /// What is obviously loose about the cassette: a changed request would be answered as before.
    #[must_use]
    pub fn lints(&self) -> Vec<Warning> {
        let warning = |line: u32, message: String| Warning {
            file: self.file.clone(),
            line,
            column: 1,
            message,
        };
        let mut out = Vec::new();
        let blind = |e: &&Episode| {
            let looks = |key: &str| !matches!(key, "handler" | "phase");
            e.args.is_none() && !e.matches.iter().any(|(key, _)| looks(key))
        };
        let loose: Vec<&Episode> = self.episodes.iter().filter(blind).filter(|e| e.again).collect();
        if let Some(first) = loose.first() {
            out.push(warning(
                first.line,
                format!(
                    "{} of {} episodes answer again and again and look at nothing that a call says but its handler: a changed request is answered as before. Put the arguments that matter under `match`, or record them as `args`",
                    loose.len(),
                    self.episodes.len()
                ),
            ));
        }
        if let Some(names) = &self.match_on
            && self.episodes.iter().all(|e| e.args.is_none())
        {
            out.push(warning(
                self.match_on_line,
                format!(
                    "`match_on: [{}]` decides nothing here: a call must say what stands under `match`, and all else of it may change unseen. Record the arguments of an episode as `args` to have them compared",
                    names.join(", ")
                ),
            ));
        }
        for episode in &self.episodes {
            let (Some(args), Some(names)) = (&episode.args, episode.match_on.as_ref().or(self.match_on.as_ref()))
            else {
                continue;
            };
            let counts = |key: &str| names.iter().any(|n| n.strip_prefix("args.").unwrap_or(n) == key);
            let mut left: Vec<&str> = args.iter().map(|(k, _)| k.as_str()).filter(|k| !counts(k)).collect();
            left.retain(|key| !episode.matches.iter().any(|(own, _)| own == key));
            if !left.is_empty() {
                left.sort_unstable();
                out.push(warning(
                    episode.line,
                    format!(
                        "episode `{}` is matched on less than it records: `match_on` leaves out {}",
                        episode.id,
                        left.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ")
                    ),
                ));
            }
        }
        out
    }

    /// The first episode that fits.
    ///
    /// # Errors
    /// The miss: what was called with what, what there is, and what comes nearest.
    pub fn play(&mut self, handler: &str, args: &Map, state: &str) -> Result<Played<'_>, Box<Miss>> {
        let phase = match &self.phase_from {
            None => path::top(state).to_owned(),
            Some(regex) => {
                let found = regex.captures(state).and_then(|c| c.get(1));
                found.map_or_else(String::new, |m| m.as_str().to_owned())
            }
        };
        let schema = args.get("schema").and_then(Value::as_str).unwrap_or_default();
        let asked = Asked {
            handler,
            args,
            phase: &phase,
            schema: schema.rsplit('/').next().unwrap_or_default(),
        };
        let match_on = self.match_on.as_deref();
        let fits = |e: &Episode| (e.again || !e.played) && e.fits(asked, match_on);
        let found = self.episodes.iter().position(fits);
        let Some(index) = found else {
            return Err(Box::new(self.missed(asked, state)));
        };
        let Some(episode) = self.episodes.get_mut(index) else {
            return Err(Box::default());
        };
        episode.played = true;
        let passed_over = episode.differs(asked);
        let loose = (!passed_over.is_empty()).then(|| Near {
            id: episode.id.clone(),
            line: episode.line,
            used_up: false,
            differences: passed_over,
        });
        let count = match self.counts.iter_mut().find(|(own, _)| *own == episode.id) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.counts.push((episode.id.clone(), 0));
                0
            }
        };
        let mut files = Vec::new();
        let notes = match &episode.agent {
            Some(agent) => agent.notes(&self.app_id, &episode.id, count, &mut files),
            None => Vec::new(),
        };
        Ok(Played {
            response: &episode.response,
            delay_ms: doc::duration_ms(&episode.delay).unwrap_or(0),
            notes,
            files,
            loose,
        })
    }

    fn missed(&self, asked: Asked<'_>, state: &str) -> Miss {
        let ids: Vec<&str> = self.episodes.iter().map(|e| e.id.as_str()).collect();
        let shown = kitsoki_runtime::json::sorted(&Value::Map(asked.args.clone()));
        let shown: String = shown.chars().take(400).collect();
        Miss {
            message: format!(
                "cassette miss: no episode fits {} with {shown} in \"{state}\"; episodes: [{}]",
                asked.handler,
                ids.join(", ")
            ),
            nearest: self.nearest(asked),
        }
    }
}
