//! Which scripts the flows of a story run, and which of their functions and lines.
//!
//! Arms and effects are followed in the fixtures; lines are not, they are seen by running the flows. What a flow fails at
//! does not matter here, only how far it came.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use kitsoki_runtime::Program;
use kitsoki_starlark::Reached;
use serde_json::{Value as Json, json};

use crate::doc;
use crate::report::{FlowResult, visible};

/// A script of a story.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its path, below the folder of the story when it lies there.
    pub path: String,
    /// Its functions and lines.
    pub reached: Reached,
    /// The flows that run it.
    pub flows: BTreeSet<String>,
}

/// The scripts of a story.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    /// By path.
    pub all: Vec<Script>,
    /// Flows that could not be run to their end, and why.
    pub problems: Vec<String>,
}

impl Scripts {
    /// What the flows that were run have reached, with the scripts that the story names and no flow runs.
    #[must_use]
    pub fn of(program: &Program, named: &BTreeSet<String>, results: &[FlowResult]) -> Self {
        let dir = Path::new(program.story.dir.as_str());
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut all: BTreeMap<PathBuf, (Reached, BTreeSet<String>)> = BTreeMap::new();
        for name in named {
            let path = real(&dir.join(name));
            // One that cannot be read, or is no script, is a finding of the story, not of its flows.
            let source = doc::read(&path).ok();
            if let Some(nothing) = source.and_then(|s| Reached::nothing(&s).ok()) {
                all.entry(path).or_insert_with(|| (nothing, BTreeSet::new()));
            }
        }
        for result in results {
            let flow = result.file.to_string_lossy().into_owned();
            for (path, own) in result.scripts.iter().filter_map(|(p, own)| Some((p, own.as_ref()?))) {
                let (reached, flows) = all.entry(real(path)).or_insert_with(|| (own.clone(), BTreeSet::new()));
                reached.merge(own);
                flows.insert(flow.clone());
            }
        }
        let dir = real(dir);
        let shown = |path: &Path| path.strip_prefix(&dir).unwrap_or(path).to_string_lossy().into_owned();
        let script = |(path, (reached, flows)): (PathBuf, _)| Script {
            path: shown(&path),
            reached,
            flows,
        };
        Self {
            all: all.into_iter().map(script).collect(),
            problems: Vec::new(),
        }
    }

    /// Scripts that were run, and all of them.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.all.iter().filter(|s| !s.flows.is_empty()).count(), self.all.len())
    }

    /// The part of the report for people; empty without scripts.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        if self.all.is_empty() {
            return out;
        }
        let (run, all) = self.counts();
        let (lines, of) = self.lines();
        let _ = writeln!(out, "scripts  {run}/{all} run, {lines}/{of} lines");
        for script in &self.all {
            let path = visible(&script.path);
            if script.flows.is_empty() {
                let _ = writeln!(out, "  not run: {path}");
                continue;
            }
            let (lines, of) = counted(&script.reached);
            let _ = writeln!(out, "  {path}: {lines}/{of} lines");
            let idle = script.reached.functions.iter().filter(|f| !script.reached.entered(f));
            for function in idle {
                let _ = writeln!(
                    out,
                    "    never called: {} (line {})",
                    visible(&function.name),
                    function.line
                );
            }
            let missed = script.reached.missed();
            if !missed.is_empty() {
                let _ = writeln!(out, "    never run: line {}", ranges(&missed));
            }
        }
        for problem in &self.problems {
            let _ = writeln!(out, "  not run to its end: {}", visible(problem));
        }
        out
    }

    /// The part of the report for programs.
    #[must_use]
    pub fn json(&self) -> Json {
        let scripts = self.all.iter().map(|script| {
            let (lines, of) = counted(&script.reached);
            let functions = script.reached.functions.iter().map(|f| {
                let run = f.body.iter().filter(|l| script.reached.lines.get(l) == Some(&true));
                json!({
                    "name": f.name, "line": f.line, "called": script.reached.entered(f),
                    "lines": {"covered": run.count(), "total": f.body.len()},
                })
            });
            json!({
                "path": script.path,
                "covered": !script.flows.is_empty(),
                "lines": {"covered": lines, "total": of},
                "missed_lines": script.reached.missed(),
                "functions": functions.collect::<Vec<Json>>(),
                "flow_files": script.flows,
            })
        });
        let (run, all) = self.counts();
        let (lines, of) = self.lines();
        json!({
            "scripts": scripts.collect::<Vec<Json>>(),
            "covered": run, "total": all,
            "lines": {"covered": lines, "total": of},
            "problems": self.problems,
        })
    }

    fn lines(&self) -> (usize, usize) {
        let counts = self.all.iter().map(|s| counted(&s.reached));
        counts.fold((0, 0), |(a, b), (run, all)| (a + run, b + all))
    }
}

/// Lines that were run, and all of them.
fn counted(reached: &Reached) -> (usize, usize) {
    (reached.lines.values().filter(|run| **run).count(), reached.lines.len())
}

/// Numbers that follow each other as one range: `3-5, 9`.
fn ranges(lines: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match parts.last_mut() {
            Some((_, end)) if *end + 1 == *line => *end = *line,
            _ => parts.push((*line, *line)),
        }
    }
    let part = |(from, to): &(u32, u32)| {
        if from == to {
            from.to_string()
        } else {
            format!("{from}-{to}")
        }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_follow_each_other_are_one_range() {
        assert_eq!(ranges(&[3, 4, 5, 9]), "3-5, 9");
        assert_eq!(ranges(&[]), "");
    }
}
