//! All flows of a story: which files, side by side, one report (`testing` 1.1, 2).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kitsoki_runtime::Program;
use rayon::prelude::*;

use crate::doc::Fatal;
use crate::fixture::{self, Flow};
use crate::report::{FlowResult, Report, TurnResult};
use crate::run::{self, Options};
use crate::strays;

/// A program in which interfaces are bound otherwise; `None` when a flow binds none.
pub type Rebind<'f> = &'f (dyn Fn(&Flow) -> Result<Option<Arc<Program>>, Fatal> + Sync);

/// The files that patterns name. Several in one text are cut at commas; each pattern must match something.
///
/// # Errors
/// When a pattern matches nothing, or is none.
pub fn expand(patterns: &[String]) -> Result<Vec<PathBuf>, Fatal> {
    let mut files: Vec<PathBuf> = Vec::new();
    for pattern in patterns
        .iter()
        .flat_map(|p| p.split(','))
        .map(str::trim)
        .filter(|p| !p.is_empty())
    {
        let found = glob(pattern)?;
        if found.is_empty() {
            return Err(Fatal(format!("no flow fixtures matched \"{pattern}\"")));
        }
        for file in found {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    if files.is_empty() {
        return Err(Fatal("no flow fixtures were named".into()));
    }
    Ok(files)
}

/// The pattern for the flows of a manifest when nobody names one.
#[must_use]
pub fn default_pattern(manifest: &Path) -> String {
    let folder = manifest
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let own = folder.join("flows");
    if own.is_dir() {
        return escape(&own) + "/*.yaml";
    }
    if Path::new("flows").is_dir() {
        return "flows/*.yaml".into();
    }
    let stem = manifest.with_extension("");
    format!("{}-flows/*.yaml", escape(&stem))
}

/// A path in which nothing is a pattern.
fn escape(path: &Path) -> String {
    let mut out = String::new();
    for c in path.to_string_lossy().chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The files of one pattern, sorted: `*`, `?` and `[...]` within one name, folder by folder.
fn glob(pattern: &str) -> Result<Vec<PathBuf>, Fatal> {
    let special = |part: &str| part.contains(['*', '?', '[', '\\']);
    let mut found = vec![if pattern.starts_with('/') {
        PathBuf::from("/")
    } else {
        PathBuf::new()
    }];
    for part in pattern.split('/').filter(|p| !p.is_empty()) {
        let mut next = Vec::new();
        if !special(part) {
            next.extend(found.iter().map(|base| base.join(part)).filter(|p| p.exists()));
        } else {
            let matcher = globset::GlobBuilder::new(part)
                .literal_separator(true)
                .backslash_escape(true)
                .build()
                .map_err(|e| Fatal(format!("`{pattern}` is no pattern: {e}")))?
                .compile_matcher();
            for base in &found {
                let dir = if base.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    base
                };
                let Ok(entries) = std::fs::read_dir(dir) else { continue };
                let mut names: Vec<_> = entries.flatten().map(|e| e.file_name()).collect();
                names.sort();
                next.extend(names.into_iter().filter(|n| matcher.is_match(n)).map(|n| base.join(n)));
            }
        }
        found = next;
    }
    found.sort();
    Ok(found)
}

/// Runs the flows of files, side by side; the report is in their order.
///
/// # Errors
/// The first thing, in the order of the files, that ends the whole run.
pub fn run(
    program: &Arc<Program>,
    files: &[PathBuf],
    options: Options<'_>,
    rebind: Rebind<'_>,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Report, Fatal> {
    let mut report = Report::default();
    let mut flows = Vec::new();
    for file in files {
        let loaded = fixture::load(file)?;
        report.warnings.extend(loaded.warnings);
        flows.extend(loaded.flows);
        // Whoever emptied a flow, or meant to write one, must not be told that all is well.
        if loaded.empty {
            report.results.push(FlowResult {
                file: file.clone(),
                turns: vec![TurnResult {
                    failures: vec![
                        "the file holds no flow: a flow begins with `test_kind: flow` and has `turns`".to_owned(),
                    ],
                    ..TurnResult::default()
                }],
                ..FlowResult::default()
            });
        }
    }
    let total = flows.len();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let one = |flow: &Flow| -> Result<Option<FlowResult>, Fatal> {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let bound = rebind(flow)?;
        let result = run::run(bound.as_ref().unwrap_or(program), flow, options);
        if result.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        result.map(Some)
    };
    // One trace file for all flows, and a run that stops at a failure, go one after the other.
    let results: Vec<Result<Option<FlowResult>, Fatal>> = if options.trace.is_some() || options.fail_fast {
        let mut results = Vec::new();
        let mut failed_file: Option<PathBuf> = None;
        for flow in &flows {
            if options.fail_fast && failed_file.as_ref().is_some_and(|f| *f != flow.file) {
                break;
            }
            let result = one(flow);
            if let Ok(Some(r)) = &result
                && !r.passed
                && !r.skipped
            {
                failed_file.get_or_insert_with(|| flow.file.clone());
            }
            let over = result.is_err();
            results.push(result);
            if over {
                break;
            }
        }
        results
    } else {
        // What works on real files goes one after the other, in the order of the files; all else has nothing in common.
        let alone: Vec<bool> = flows.iter().map(|flow| touches_files(program, flow)).collect();
        let mut results: Vec<Option<Result<Option<FlowResult>, Fatal>>> = flows
            .par_iter()
            .zip(&alone)
            .map(|(flow, alone)| (!alone).then(|| one(flow)))
            .collect();
        for (flow, result) in flows.iter().zip(&mut results) {
            if result.is_none() {
                *result = Some(one(flow));
            }
        }
        results.into_iter().flatten().collect()
    };
    for result in results {
        report.results.extend(result?);
    }
    report.warnings.extend(strays::warnings(&report.results));
    Ok(report)
}

/// Whether a flow may work on real files: built-in handlers, or scripts without an inspect cassette.
fn touches_files(program: &Program, flow: &Flow) -> bool {
    if !flow.host_bindings.is_empty() {
        return true;
    }
    let script = "host.starlark.run";
    let stubbed = flow
        .stubs
        .iter()
        .any(|(name, _)| script == name.as_str() || script.starts_with(&format!("{name}.")));
    let has_scripts = program
        .story
        .hosts
        .iter()
        .any(|h| h.script.is_some() || (h.name == script && !stubbed));
    has_scripts && flow.inspect_cassette.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_keep_their_order_and_name_a_file_once() {
        let dir = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
        for name in ["b.yaml", "a.yaml", "c.yml"] {
            std::fs::write(dir.path().join(name), "").unwrap_or_default();
        }
        let base = dir.path().to_string_lossy();
        let files = expand(&[format!("{base}/b*.yaml,{base}/*.yaml")]).unwrap_or_default();
        let names: Vec<_> = files.iter().filter_map(|f| f.file_name()).collect();
        assert_eq!(names, ["b.yaml", "a.yaml"]);
        assert!(expand(&[format!("{base}/*.json")]).is_err());
    }
}
