//! Baselines: the findings of a day, so that only new ones are reported from then on.
//!
//! A fingerprint survives edits elsewhere in the file: it is made of the rule, the path, the headline and the line's text
//! without its indentation, with a number for the second, third… equal one.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::model::Diagnostic;
use crate::sanitize::clamp;
use crate::sources::Sources;

/// One fingerprint per finding, 16 hex digits, all different.
#[must_use]
pub fn fingerprints(findings: &[Diagnostic], sources: &dyn Sources) -> Vec<String> {
    let mut seen: BTreeMap<u64, u32> = BTreeMap::new();
    findings
        .iter()
        .map(|finding| {
            let mut hash = Fnv::new();
            hash.add(finding.rule);
            hash.add(&finding.message);
            if let Some(primary) = &finding.primary {
                let file = primary.span.file;
                hash.add(sources.path(file));
                let text = sources.text(file);
                let index = sources.line_index(file);
                let line = index.line_range(index.line_col(clamp(text, primary.span.range).start()).line);
                hash.add(
                    text.get(std::ops::Range::<usize>::from(line))
                        .unwrap_or_default()
                        .trim(),
                );
            }
            let again = seen.entry(hash.0).or_insert(0);
            *again += 1;
            if *again > 1 {
                hash.add(&again.to_string());
            }
            format!("{:016x}", hash.0)
        })
        .collect()
}

/// FNV-1a: the same on every machine and in every version.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// A set of known findings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Baseline {
    known: BTreeMap<String, String>,
}

impl Baseline {
    /// The baseline of these findings.
    #[must_use]
    pub fn of(findings: &[Diagnostic], sources: &dyn Sources) -> Self {
        let known = fingerprints(findings, sources)
            .into_iter()
            .zip(findings)
            .map(|(print, f)| (print, format!("{}: {}", f.rule, f.message)))
            .collect();
        Self { known }
    }

    /// Reads a baseline file.
    ///
    /// # Errors
    /// What is wrong with the text, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let json: Json = serde_json::from_str(text).map_err(|e| format!("it is no JSON: {e}"))?;
        if json.get("schema") != Some(&json!(1)) {
            return Err("it is no baseline of this version (`schema` must be 1)".to_owned());
        }
        let known = json
            .get("findings")
            .and_then(Json::as_object)
            .ok_or("it has no `findings`")?;
        Ok(Self {
            known: known
                .iter()
                .map(|(k, v)| (k.clone(), v.as_str().unwrap_or_default().to_owned()))
                .collect(),
        })
    }

    /// The text of the baseline file: sorted, one finding a line.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(&json!({ "schema": 1, "findings": self.known })).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The findings that are not in the baseline, and how many were.
    #[must_use]
    pub fn new_ones(&self, findings: Vec<Diagnostic>, sources: &dyn Sources) -> (Vec<Diagnostic>, usize) {
        let before = findings.len();
        let prints = fingerprints(&findings, sources);
        let new: Vec<Diagnostic> = findings
            .into_iter()
            .zip(prints)
            .filter(|(_, p)| !self.known.contains_key(p))
            .map(|(f, _)| f)
            .collect();
        let known = before - new.len();
        (new, known)
    }
}

#[cfg(test)]
mod tests {
    use kitsoki_syntax::{Span, TextRange};

    use super::*;
    use crate::{Fixable, Level, MemorySources, Rule};

    const RULE: Rule = Rule {
        id: "r",
        level: Level::Warning,
        summary: "s",
        fixable: Fixable::Never,
    };

    fn finding(text: &str, word: &str) -> (Vec<Diagnostic>, MemorySources) {
        let mut sources = MemorySources::new();
        let file = sources.add("app.yaml", text, true);
        let mut found = Vec::new();
        for (at, _) in text.match_indices(word) {
            let range = TextRange::at(u32::try_from(at).unwrap().into(), 1.into());
            found.push(RULE.at(Span::new(file, range), ""));
        }
        (found, sources)
    }

    #[test]
    fn a_known_finding_stays_known_when_lines_move() {
        let (old, sources) = finding("a: 1\nx: 2\n", "x");
        let baseline = Baseline::parse(&Baseline::of(&old, &sources).to_text()).unwrap();
        let (moved, sources) = finding("# new\na: 1\n  x: 2\n", "x");
        assert_eq!(baseline.new_ones(moved, &sources), (Vec::new(), 1));
        let (twice, sources) = finding("x: 2\nx: 2\n", "x");
        let (new, known) = baseline.new_ones(twice, &sources);
        assert_eq!((new.len(), known), (1, 1));
    }

    #[test]
    fn another_files_text_is_refused_in_words() {
        assert!(Baseline::parse("[]").unwrap_err().contains("schema"));
        assert!(Baseline::parse("{").unwrap_err().contains("JSON"));
    }
}
