//! The inspect cassette (`starlark` 9): answers from a file, each once.

use super::{Inspected, Inspection, Inspector, ProbeAnswer};
use crate::data::{Data, DataMap};
use crate::document;
use crate::fault::{Class, Fault};

/// A cassette.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InspectCassette {
    /// The interactions in the order of the file.
    pub interactions: Vec<Interaction>,
}

/// One recorded interaction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Interaction {
    /// `read`, `exists`, `glob`, `write` or `probe`.
    pub op: String,
    /// The path, pattern or probe.
    pub target: String,
    /// The exit status of a probe.
    pub exit: i64,
    /// The content, the answer, or what must be written.
    pub out: String,
}

fn text(map: &DataMap, key: &str) -> Result<String, String> {
    match map.get(key) {
        None | Some(Data::Null) => Ok(String::new()),
        Some(Data::Text(s)) => Ok(s.clone()),
        Some(Data::Bool(b)) => Ok(b.to_string()),
        Some(Data::Int(i)) => Ok(i.to_string()),
        Some(Data::Float(f)) => Ok(f.to_string()),
        Some(other) => Err(format!("{key} must be a text, got {}", other.kind())),
    }
}

impl InspectCassette {
    /// Reads a cassette.
    ///
    /// # Errors
    ///
    /// The text is none: what is wrong, in words.
    pub fn parse(source: &str) -> Result<Self, String> {
        let wrap = |e: String| format!("starlark inspect cassette: {e}");
        let map = match document::read(source).map_err(|f| wrap(format!("parse: {f}")))? {
            Data::Null => DataMap::new(),
            Data::Map(map) => map,
            other => return Err(wrap(format!("expected a mapping, got {}", other.kind()))),
        };
        let items = match map.get("interactions") {
            None | Some(Data::Null) => &[][..],
            Some(Data::List(items)) => items,
            Some(other) => return Err(wrap(format!("interactions must be a list, got {}", other.kind()))),
        };
        let mut interactions = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let at = |e: String| wrap(format!("interactions[{i}]: {e}"));
            let map = match item {
                Data::Null => &DataMap::new(),
                Data::Map(map) => map,
                other => return Err(at(format!("must be a mapping, got {}", other.kind()))),
            };
            let exit = match map.get("exit") {
                None | Some(Data::Null) => 0,
                Some(Data::Int(exit)) => *exit,
                Some(other) => return Err(at(format!("exit must be an integer, got {}", other.kind()))),
            };
            interactions.push(Interaction {
                op: text(map, "op").map_err(at)?,
                target: text(map, "target").map_err(at)?,
                exit,
                out: text(map, "out").map_err(at)?,
            });
        }
        Ok(Self { interactions })
    }
}

/// Answers from a cassette. It serves every script of a fixture, so used interactions stay used.
pub struct ReplayInspector {
    interactions: Vec<Interaction>,
    used: Vec<bool>,
    inspections: Vec<Inspection>,
}

impl ReplayInspector {
    /// An inspector over a cassette.
    pub fn new(cassette: InspectCassette) -> Self {
        let used = vec![false; cassette.interactions.len()];
        Self {
            interactions: cassette.interactions,
            used,
            inspections: Vec::new(),
        }
    }

    /// The interactions that nothing asked for, for reports.
    pub fn unused(&self) -> Vec<&Interaction> {
        self.interactions
            .iter()
            .zip(&self.used)
            .filter(|(_, used)| !**used)
            .map(|(i, _)| i)
            .collect()
    }

    fn take(&mut self, op: &'static str, target: &str) -> Inspected<Interaction> {
        let found = self
            .interactions
            .iter()
            .zip(&mut self.used)
            .find(|(interaction, used)| !**used && interaction.op == op && interaction.target == target);
        if let Some((interaction, used)) = found {
            *used = true;
            return Ok(interaction.clone());
        }
        let names: Vec<String> = self
            .interactions
            .iter()
            .map(|i| format!("{} {}", i.op, i.target))
            .collect();
        let text = format!(
            "starlark inspect replay: no interaction matched {op} {target}; available: {}",
            names.join(", ")
        );
        Err(Fault::new(Class::InspectMiss, text))
    }

    fn note(&mut self, op: &'static str, target: &str, status: impl Into<String>) {
        self.inspections.push(Inspection::new(op, target, status));
    }
}

impl Inspector for ReplayInspector {
    fn read(&mut self, path: &str) -> Inspected<Vec<u8>> {
        let interaction = self.take("read", path)?;
        self.note("read", path, "ok");
        Ok(interaction.out.into_bytes())
    }

    fn exists(&mut self, path: &str) -> Inspected<bool> {
        let there = self.take("exists", path)?.out.trim().eq_ignore_ascii_case("true");
        self.note("exists", path, if there { "ok" } else { "missing" });
        Ok(there)
    }

    fn glob(&mut self, pattern: &str) -> Inspected<Vec<String>> {
        let out = self.take("glob", pattern)?.out;
        let out = out.trim();
        let found: Vec<String> = if out.is_empty() {
            Vec::new()
        } else {
            out.split('\n').map(str::to_owned).collect()
        };
        self.note("glob", pattern, format!("matched:{}", found.len()));
        Ok(found)
    }

    fn write(&mut self, path: &str, content: &[u8]) -> Inspected<String> {
        if self.take("write", path)?.out.as_bytes() != content {
            let text = format!("starlark inspect replay: write {path} content mismatch");
            return Err(Fault::new(Class::InspectMismatch, text));
        }
        self.note("write", path, "ok");
        Ok(path.to_owned())
    }

    fn probe(&mut self, name: &str, _: &[String]) -> Inspected<ProbeAnswer> {
        let interaction = self.take("probe", name)?;
        self.note("probe", name, format!("exit:{}", interaction.exit));
        Ok(ProbeAnswer {
            exit: interaction.exit,
            out: interaction.out,
        })
    }

    fn inspections(&self) -> Vec<Inspection> {
        self.inspections.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inspector(text: &str) -> ReplayInspector {
        ReplayInspector::new(InspectCassette::parse(text).unwrap())
    }

    #[test]
    fn an_interaction_answers_once() {
        let mut replay =
            inspector("interactions: [{ op: exists, target: a, out: \"TRUE \" }, { op: read, target: b }]");
        assert!(replay.exists("a").unwrap());
        let fault = replay.exists("a").unwrap_err();
        assert_eq!(fault.class, Class::InspectMiss);
        assert!(fault.text.ends_with("available: exists a, read b"), "{}", fault.text);
        assert_eq!(replay.unused().len(), 1);
        assert_eq!(replay.inspections(), [Inspection::new("exists", "a", "ok")]);
    }

    #[test]
    fn what_is_written_must_be_what_was_recorded() {
        let mut replay = inspector("interactions: [{ op: write, target: a, out: \"x\\n\" }]");
        assert_eq!(replay.write("a", b"x").unwrap_err().class, Class::InspectMismatch);
    }

    #[test]
    fn a_glob_keeps_the_recorded_order() {
        let mut replay = inspector("interactions: [{ op: glob, target: '*', out: \"b\\na\\n\" }]");
        assert_eq!(replay.glob("*").unwrap(), ["b", "a"]);
    }

    #[test]
    fn malformed_cassettes_are_said() {
        for text in [
            "[]",
            "interactions: x",
            "interactions: [1]",
            "interactions: [{ exit: a }]",
            "interactions: [",
        ] {
            assert!(InspectCassette::parse(text).is_err(), "{text}");
        }
    }
}
