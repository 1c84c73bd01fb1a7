//! What a run of flows says: as a text for people, as JSON, as JUnit (`testing` 1.1).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use kitsoki_runtime::Event;
use kitsoki_runtime::value;
use kitsoki_starlark::Reached;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use crate::doc::Warning;
use crate::strays::{CassetteUse, Stray};

/// The results of a run.
#[derive(Debug, Default)]
pub struct Report {
    /// One per flow, in the order of the run.
    pub results: Vec<FlowResult>,
    /// What fixtures say in vain.
    pub warnings: Vec<Warning>,
}

/// The result of one flow.
#[derive(Debug, Default)]
pub struct FlowResult {
    /// The file.
    pub file: PathBuf,
    /// Whether it passed.
    pub passed: bool,
    /// Whether it was left out.
    pub skipped: bool,
    /// Its turns; the pseudo-turn `None` is the session.
    pub turns: Vec<TurnResult>,
    /// Changes in read-only rooms that were let through because the flow says nothing of grants: state and verb.
    pub assumed: Vec<(SmolStr, SmolStr)>,
    /// Calls that are not as its cassette recorded them.
    pub strays: Vec<Stray>,
    /// What it made of its cassette.
    pub cassette: Option<CassetteUse>,
    /// The scripts that it ran; with their lines when the run notes them.
    pub scripts: BTreeMap<PathBuf, Option<Reached>>,
}

/// The result of one turn.
#[derive(Debug, Default)]
pub struct TurnResult {
    /// Its index from 0; `None` for the session as a whole.
    pub index: Option<usize>,
    /// The line of the fixture on which it begins, from 1; 0 for the session as a whole.
    pub line: u32,
    /// Why it failed.
    pub failures: Vec<String>,
    /// Where the session rests.
    pub state: SmolStr,
    /// What is shown.
    pub view: String,
    /// What happened.
    pub events: Vec<Event>,
}

impl Report {
    /// Flows that passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.results.iter().filter(|r| r.passed && !r.skipped).count()
    }

    /// Flows that failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.results.iter().filter(|r| !r.passed && !r.skipped).count()
    }

    /// The report for people. Control characters of stories are made visible.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for result in &self.results {
            let word = if result.skipped {
                "SKIP"
            } else if result.passed {
                "PASS"
            } else {
                "FAIL"
            };
            let _ = writeln!(out, "{word}    {}", visible(&name(&result.file)));
            for turn in &result.turns {
                let word = if turn.failures.is_empty() { "ok  " } else { "FAIL" };
                match turn.index {
                    Some(n) => {
                        let _ = write!(out, "        {word}    turn {} → {}", n + 1, visible(&turn.state));
                        // Where to look is of interest when something is wrong.
                        if !turn.failures.is_empty() && turn.line > 0 {
                            let _ = write!(out, "  ({}:{})", visible(&result.file.to_string_lossy()), turn.line);
                        }
                        out.push('\n');
                    }
                    None => {
                        let _ = writeln!(out, "        {word}    [session]");
                    }
                }
                for failure in &turn.failures {
                    let indented = visible(failure).replace('\n', "\n                  ");
                    let _ = writeln!(out, "                ✗ {indented}");
                }
            }
            for stray in &result.strays {
                stray.text(&mut out);
            }
            for (state, verb) in &result.assumed {
                let _ = writeln!(
                    out,
                    "        note    {} in read-only {}: granted because the flow says nothing of it",
                    visible(verb),
                    visible(state)
                );
            }
        }
        for warning in &self.warnings {
            let _ = writeln!(
                out,
                "warning: {}:{}:{}: {}",
                visible(&warning.file.to_string_lossy()),
                warning.line,
                warning.column,
                visible(&warning.message)
            );
        }
        let counted = self.passed() + self.failed();
        let _ = writeln!(out, "\nSummary: {}/{counted} flows pass", self.passed());
        let _ = writeln!(out, "{}", if self.failed() == 0 { "PASS" } else { "FAIL" });
        out
    }

    /// The report as JSON, in the reference's form with our additions in lower case.
    #[must_use]
    pub fn json(&self) -> String {
        let results: Vec<Json> = self.results.iter().map(result_json).collect();
        let warnings: Vec<Json> = self
            .warnings
            .iter()
            .map(
                |w| json!({"file": w.file.to_string_lossy(), "line": w.line, "column": w.column, "message": w.message}),
            )
            .collect();
        let document = json!({
            "Results": results,
            "Passed": self.passed(),
            "Failed": self.failed(),
            "warnings": warnings,
        });
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }

    /// The report as JUnit XML: a suite per file, a case per flow.
    #[must_use]
    pub fn junit(&self) -> String {
        let skipped = self.results.iter().filter(|r| r.skipped).count();
        let mut out = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{}\" failures=\"{}\" skipped=\"{skipped}\">\n  <testsuite name=\"flows\" tests=\"{}\" failures=\"{}\" skipped=\"{skipped}\">\n",
            self.results.len(),
            self.failed(),
            self.results.len(),
            self.failed()
        );
        for result in &self.results {
            let file = escaped(&result.file.to_string_lossy());
            let name = escaped(&name(&result.file));
            let _ = write!(
                out,
                "    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\""
            );
            if result.skipped {
                out.push_str("><skipped/></testcase>\n");
            } else if result.passed {
                out.push_str("/>\n");
            } else {
                out.push_str(">\n");
                for turn in &result.turns {
                    for failure in &turn.failures {
                        let place = turn.index.map_or_else(
                            || "session".to_owned(),
                            |n| format!("turn {}, line {}", n + 1, turn.line),
                        );
                        let first = failure.lines().next().unwrap_or_default();
                        let _ = writeln!(
                            out,
                            "      <failure message=\"{place}: {}\">{}</failure>",
                            escaped(first),
                            escaped(failure)
                        );
                    }
                }
                out.push_str("    </testcase>\n");
            }
        }
        out.push_str("  </testsuite>\n</testsuites>\n");
        out
    }
}

fn result_json(result: &FlowResult) -> Json {
    let turns = if result.turns.is_empty() {
        Json::Null
    } else {
        Json::Array(result.turns.iter().map(turn_json).collect())
    };
    let mut out = json!({
        "File": result.file.to_string_lossy(),
        "Passed": result.passed,
        "Turns": turns,
        "Skipped": result.skipped,
    });
    if !result.strays.is_empty()
        && let Some(object) = out.as_object_mut()
    {
        let list = result.strays.iter().map(Stray::json);
        object.insert("cassette_strays".into(), Json::Array(list.collect()));
    }
    if !result.assumed.is_empty()
        && let Some(object) = out.as_object_mut()
    {
        let list = result
            .assumed
            .iter()
            .map(|(state, verb)| json!({"state": state.as_str(), "verb": verb.as_str()}));
        object.insert("assumed_grants".into(), Json::Array(list.collect()));
    }
    out
}

fn turn_json(turn: &TurnResult) -> Json {
    let index = turn.index.map_or(-1, |n| i64::try_from(n).unwrap_or(i64::MAX));
    let failures = if turn.failures.is_empty() {
        Json::Null
    } else {
        Json::from(turn.failures.clone())
    };
    let events: Vec<Json> = turn
        .events
        .iter()
        .enumerate()
        .map(|(seq, e)| {
            json!({
                "turn": e.turn,
                "seq": seq,
                "kind": e.kind.as_str(),
                "state_path": e.state_path.as_str(),
                "payload": value::to_json(&kitsoki_expr::Value::Map(e.payload.clone())),
            })
        })
        .collect();
    let mut out = json!({
        "TurnIndex": index,
        "Passed": turn.failures.is_empty(),
        "Failures": failures,
        "NewState": turn.state.as_str(),
        "View": turn.view,
        "Events": events,
    });
    if turn.line > 0
        && let Some(object) = out.as_object_mut()
    {
        object.insert("line".into(), Json::from(turn.line));
    }
    out
}

fn name(file: &std::path::Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A text in which no control character reaches a terminal.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            c if (c as u32) < 0x20 => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
            '\u{7f}' => out.push('\u{2421}'),
            '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}

/// A text inside of XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_counts_and_hides_no_failure() {
        let report = Report {
            results: vec![
                FlowResult {
                    file: "flows/a.yaml".into(),
                    passed: true,
                    ..FlowResult::default()
                },
                FlowResult {
                    file: "flows/b.yaml".into(),
                    turns: vec![TurnResult {
                        index: Some(0),
                        failures: vec!["expect_state: got \"a\u{1b}[31m\", want \"b\"".into()],
                        state: "a".into(),
                        ..TurnResult::default()
                    }],
                    ..FlowResult::default()
                },
            ],
            warnings: Vec::new(),
        };
        let text = report.text();
        assert!(text.contains("PASS    a.yaml") && text.contains("turn 1 → a") && text.contains("␛[31m"));
        assert!(text.ends_with("\nSummary: 1/2 flows pass\nFAIL\n"));
        assert!(report.junit().contains("&quot;b&quot;"));
    }
}
