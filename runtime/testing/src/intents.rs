//! Intent fixtures: what texts are understood as, by the routing of the story (`test routing`) or by a recording
//! (`test intents`) (`testing` 12.2, 12.3).

use std::fmt::Write;
use std::path::{Path, PathBuf};

use kitsoki_expr::{Map, Value};
use kitsoki_routing::verdict::Verdict;
use kitsoki_routing::{Phrases, Services, classify};
use kitsoki_runtime::machine::Machine;
use kitsoki_runtime::{Program, Standing, World, value};
use serde_json::{Value as Json, json};

use crate::doc::{self, Fatal};
use crate::recording::Recording;
use crate::report::visible;

/// One group of texts.
#[derive(Clone, Debug, Default)]
struct Group {
    id: String,
    inputs: Vec<String>,
    intent: Option<(String, Map)>,
    min_pass_rate: Option<f64>,
    any_of: Option<Vec<String>>,
    fallthrough: bool,
    defers: bool,
}

/// One document.
#[derive(Clone, Debug, Default)]
struct Sheet {
    state: String,
    min_pass_rate: Option<f64>,
    groups: Vec<Group>,
}

/// The result of one text.
#[derive(Clone, Debug)]
pub struct PhraseResult {
    /// The text.
    pub input: String,
    /// Whether it was understood as expected.
    pub passed: bool,
    /// What it was understood as; `None`: nothing.
    pub intent: Option<String>,
    /// Nobody knows: it is not recorded.
    pub unknown: bool,
}

/// The result of one group.
#[derive(Clone, Debug)]
pub struct GroupResult {
    /// The file.
    pub file: PathBuf,
    /// The state.
    pub state: String,
    /// The group's id.
    pub id: String,
    /// Whether it passed.
    pub passed: bool,
    /// Its texts.
    pub phrases: Vec<PhraseResult>,
    /// What is wrong with the group itself.
    pub fault: Option<String>,
}

/// What is asked of fixtures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The routing tiers that need no model.
    Routing,
    /// A recording.
    Recorded,
}

/// Runs the intent fixtures of files. `only`: groups of this state.
///
/// # Errors
/// When a fixture or the recording cannot be read.
pub fn run(
    program: &Program,
    files: &[PathBuf],
    way: Way,
    recording: Option<&Path>,
    only: Option<&str>,
    now: i128,
) -> Result<Vec<GroupResult>, Fatal> {
    let phrases = Phrases::new(&program.story);
    let recording = match (way, recording) {
        (Way::Recorded, Some(path)) => Some(Recording::load(path)?),
        (Way::Recorded, None) => return Err(Fatal("test intents needs a recording".into())),
        (Way::Routing, _) => None,
    };
    let mut results = Vec::new();
    for file in files {
        for sheet in load(file)? {
            if only.is_some_and(|state| state != sheet.state) {
                continue;
            }
            for group in &sheet.groups {
                let mut result = GroupResult {
                    file: file.clone(),
                    state: sheet.state.clone(),
                    id: group.id.clone(),
                    passed: true,
                    phrases: Vec::new(),
                    fault: None,
                };
                match way {
                    Way::Routing => routed(program, &phrases, &sheet, group, now, &mut result),
                    Way::Recorded => {
                        if let Some(recording) = &recording {
                            recorded(program, recording, &sheet, group, &mut result);
                        }
                    }
                }
                results.push(result);
            }
        }
    }
    Ok(results)
}

fn routed(program: &Program, phrases: &Phrases, sheet: &Sheet, group: &Group, now: i128, result: &mut GroupResult) {
    let place = match Standing::at(program, &sheet.state, World::of_story(&program.story)) {
        Ok(place) => place,
        Err(_) => {
            result.passed = false;
            result.fault = Some(format!("no state is called \"{}\"", sheet.state));
            return;
        }
    };
    let services = Services {
        now,
        ..Services::default()
    };
    for input in &group.inputs {
        let verdict = classify(phrases, &place, input, &services);
        let (intent, slots) = match &verdict {
            None => (None, Map::new()),
            Some(Verdict::Hit(hit)) => (Some(hit.intent.to_string()), hit.slots.clone()),
            Some(Verdict::Tie(_)) => (Some(String::new()), Map::new()),
        };
        let passed = if group.defers {
            intent.is_none()
        } else if let Some((name, wanted)) = &group.intent {
            intent.as_ref() == Some(name)
                && wanted
                    .iter()
                    .all(|(key, want)| slots.get(key).is_some_and(|got| printed(got) == printed(want)))
        } else {
            true
        };
        result.passed &= passed;
        let intent = match verdict {
            Some(Verdict::Tie(candidates)) => {
                let names: Vec<&str> = candidates.iter().map(|c| c.intent.as_str()).collect();
                Some(format!("({})", names.join(" or ")))
            }
            _ => intent,
        };
        result.phrases.push(PhraseResult {
            input: input.clone(),
            passed,
            intent,
            unknown: false,
        });
    }
}

/// A value as routing compares it: a number without fraction is the integer.
fn printed(value: &Value) -> String {
    match value {
        Value::Float(n) if n.fract() == 0.0 && n.abs() < 1e15 => format!("{}", *n as i64),
        other => value::text(other),
    }
}

fn recorded(program: &Program, recording: &Recording, sheet: &Sheet, group: &Group, result: &mut GroupResult) {
    let machine = Machine::new(program);
    if machine.allowed_names(&sheet.state).is_empty() {
        result.passed = false;
        result.fault = Some(format!(
            "state \"{}\" allows no intents: is the name right?",
            sheet.state
        ));
        return;
    }
    let mut passed = 0_usize;
    for input in &group.inputs {
        let call = recording.find_plain(&sheet.state, input);
        let (ok, intent, unknown) = match call {
            None => (true, None, group.any_of.is_none()),
            Some(call) => {
                let verdict = machine.validate(&sheet.state, &call);
                let ok = match (&group.any_of, &verdict) {
                    (Some(codes), Err(no)) => codes.iter().any(|c| c == "clarify" || c == no.code.as_str()),
                    (Some(_), Ok(_)) | (None, Err(_)) => false,
                    (None, Ok(_)) if group.fallthrough => true,
                    (None, Ok(_)) => group.intent.as_ref().is_none_or(|(name, wanted)| {
                        let none = Map::new();
                        let slots = call.slots.as_ref().unwrap_or(&none);
                        call.intent == name.as_str()
                            && wanted
                                .iter()
                                .all(|(k, want)| value::same(slots.get(k).unwrap_or(&Value::Nil), want))
                    }),
                };
                (ok, Some(call.intent.to_string()), false)
            }
        };
        passed += usize::from(ok);
        result.phrases.push(PhraseResult {
            input: input.clone(),
            passed: ok,
            intent,
            unknown,
        });
    }
    let rate = if group.inputs.is_empty() {
        1.0
    } else {
        passed as f64 / group.inputs.len() as f64
    };
    let wanted = group.min_pass_rate.or(sheet.min_pass_rate).unwrap_or(0.9);
    result.passed = rate >= wanted;
}

fn load(file: &Path) -> Result<Vec<Sheet>, Fatal> {
    let text = doc::read(file)?;
    let mut sheets = Vec::new();
    for doc in doc::documents(file, &text)? {
        let Some(root) = doc.root() else { continue };
        let entries = root.entries("the document")?;
        if doc::test_kind(&entries).as_deref() != Some("intents") {
            continue;
        }
        let mut sheet = Sheet::default();
        for (key, item, _) in entries {
            match key.as_str() {
                "state" => sheet.state = item.text("state")?,
                "defaults" => {
                    for (key, item, _) in item.entries("defaults")? {
                        if key == "min_pass_rate" {
                            sheet.min_pass_rate = item.value().as_float();
                        }
                    }
                }
                "fixtures" => {
                    for item in item.items("fixtures")? {
                        sheet.groups.push(group(item)?);
                    }
                }
                _ => {}
            }
        }
        sheets.push(sheet);
    }
    Ok(sheets)
}

fn group(item: doc::Item<'_>) -> Result<Group, Fatal> {
    let mut group = Group::default();
    for (key, item, _) in item.entries("fixtures")? {
        match key.as_str() {
            "id" => group.id = item.text("id")?,
            "inputs" => group.inputs = item.texts("inputs")?,
            "min_pass_rate" => group.min_pass_rate = item.value().as_float(),
            "expect_fallthrough" => group.fallthrough = item.flag("expect_fallthrough")?,
            "defers_to_interpreter" => group.defers = item.flag("defers_to_interpreter")?,
            "expect_failure" if !item.is_null() => {
                let mut codes = Vec::new();
                for (key, item, _) in item.entries("expect_failure")? {
                    if key == "any_of" {
                        codes = item.texts("any_of")?;
                    }
                }
                group.any_of = Some(codes);
            }
            "intent" if !item.is_null() => {
                let mut wanted = (String::new(), Map::new());
                for (key, item, _) in item.entries("intent")? {
                    match key.as_str() {
                        "name" => wanted.0 = item.text("name")?,
                        "slots" => wanted.1 = item.map("slots")?,
                        _ => {}
                    }
                }
                group.intent = Some(wanted);
            }
            _ => {}
        }
    }
    Ok(group)
}

/// The report for people.
#[must_use]
pub fn text(results: &[GroupResult]) -> String {
    let mut out = String::new();
    let mut before = String::new();
    let mut unknown = 0;
    for group in results {
        let place = format!("{} [{}]", group.file.display(), group.state);
        if place != before {
            let _ = writeln!(out, "{}", visible(&place));
            before = place;
        }
        let word = if group.passed { "PASS" } else { "FAIL" };
        let _ = writeln!(out, "  {word}  {}", visible(&group.id));
        if let Some(fault) = &group.fault {
            let _ = writeln!(out, "        ✗ {}", visible(fault));
        }
        for phrase in &group.phrases {
            unknown += usize::from(phrase.unknown);
            let word = if phrase.unknown {
                "?   "
            } else if phrase.passed {
                "ok  "
            } else {
                "FAIL"
            };
            let shown = match &phrase.intent {
                Some(intent) => intent.clone(),
                None if phrase.unknown => "(not recorded)".into(),
                None => "(deferred to interpreter)".into(),
            };
            let _ = writeln!(
                out,
                "        {word}  {:?} → {}",
                visible(&phrase.input),
                visible(&shown)
            );
        }
    }
    let passed = results.iter().filter(|g| g.passed).count();
    if unknown > 0 {
        let _ = writeln!(out, "\n{unknown} texts are not recorded and count as passed");
    }
    let _ = writeln!(out, "\nSummary: {passed}/{} fixtures pass", results.len());
    out
}

/// The report as JSON.
#[must_use]
pub fn to_json(results: &[GroupResult]) -> String {
    let groups: Vec<Json> = results
        .iter()
        .map(|g| {
            let phrases: Vec<Json> = g
                .phrases
                .iter()
                .map(|p| json!({"input": p.input, "passed": p.passed, "intent": p.intent, "recorded": !p.unknown}))
                .collect();
            json!({
                "file": g.file.to_string_lossy(),
                "state": g.state,
                "id": g.id,
                "passed": g.passed,
                "fault": g.fault,
                "phrases": phrases,
            })
        })
        .collect();
    let passed = results.iter().filter(|g| g.passed).count();
    let document = json!({"groups": groups, "passed": passed, "failed": results.len() - passed});
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
