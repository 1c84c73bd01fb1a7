//! `kitsoki test`: a story's own tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::Utf8PathBuf;
use kitsoki_compiler::pipeline;
use kitsoki_runtime::gate::Gates;
use kitsoki_runtime::{Program, ViewFiles};
use kitsoki_testing::fixture::Flow;
use kitsoki_testing::intents::{self, Way};
use kitsoki_testing::scripts::Scripts;
use kitsoki_testing::{Fatal, Options, Report, coverage, flows, tracefile};

use crate::app::Exit;
use crate::args::{CoverageArgs, FlowsArgs, GatesArg, IntentsArgs, TestArgs, TestCommand};
use crate::discover::DiscoverError;
use crate::session::Session;
use crate::{discover, output, outside};

/// Runs the command. What keeps a run from going on is said with the name of the command, and ends with status 2.
///
/// # Errors
/// When the output cannot be written.
pub fn run(args: &TestArgs) -> miette::Result<Exit> {
    let (name, result) = match &args.command {
        TestCommand::Flows(args) => ("flows", run_flows(args)),
        TestCommand::Intents(args) => ("intents", run_intents(args, Way::Recorded)),
        TestCommand::Routing(args) => ("routing", run_intents(args, Way::Routing)),
        TestCommand::FlowCoverage(args) => ("flow-coverage", run_coverage(args)),
    };
    Ok(result.unwrap_or_else(|error| {
        output::error(&format!("kitsoki test {name}: {error}"));
        Exit::Usage
    }))
}

/// The one story that a path stands for.
pub fn one(path: &Utf8PathBuf) -> Result<Utf8PathBuf, Fatal> {
    discover::manifest(path).map_err(|error| match error {
        DiscoverError::Several(..) => Fatal(format!("{error}: name one of its manifests")),
        _ => Fatal(error.to_string()),
    })
}

fn run_intents(args: &IntentsArgs, way: Way) -> Result<Exit, Fatal> {
    let manifest = one(&args.path)?;
    let folder = manifest
        .parent()
        .filter(|p| !p.as_str().is_empty())
        .unwrap_or("".into());
    let pattern = match &args.intents {
        Some(pattern) => pattern.clone(),
        None if folder.join("intents").is_dir() => folder.join("intents/*.yaml").into_string(),
        None => "intents/*.yaml".into(),
    };
    let files = flows::expand(std::slice::from_ref(&pattern)).map_err(|_| {
        Fatal(format!(
            "{manifest}: no intent fixture fits `{pattern}`\n  help: write `intents/NAME.yaml` beside the manifest, or name yours with --intents"
        ))
    })?;
    let recording = args.recording.clone().unwrap_or_else(|| folder.join("recording.yaml"));
    if matches!(way, Way::Recorded) && !recording.is_file() {
        return Err(Fatal(format!(
            "there is no recording `{recording}`\n  help: name one with --recording; `kitsoki test routing` needs none"
        )));
    }
    let session = Session::new().map_err(|e| Fatal(e.to_string()))?;
    let program = compiled(&session, &manifest)?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = now.map_or(0, |d| i128::try_from(d.as_nanos()).unwrap_or(0));
    let results = intents::run(
        &program,
        &files,
        way,
        Some(recording.as_std_path()),
        args.only.as_deref(),
        now,
    )?;
    output::show(&intents::text(&results)).map_err(|e| Fatal(e.to_string()))?;
    if let Some(path) = &args.json {
        write_report(path, &intents::to_json(&results))?;
    }
    Ok(if results.iter().all(|g| g.passed) {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

fn run_coverage(args: &CoverageArgs) -> Result<Exit, Fatal> {
    let manifest = one(&args.path)?;
    let patterns = if args.flows.is_empty() {
        vec![flows::default_pattern(manifest.as_std_path())]
    } else {
        args.flows.clone()
    };
    let files = fixture_files(&patterns, &manifest)?;
    let session = Session::new().map_err(|e| Fatal(e.to_string()))?;
    let program = compiled(&session, &manifest)?;
    let mut measured = coverage::measure(&program, &files)?;
    if !measured.named_scripts.is_empty() {
        measured.scripts = scripts_of(&program, &measured.named_scripts, &files);
    }
    let failures = measured.failures(coverage::Gates {
        min_branch: args.min_branch,
        all_branches: args.require_all_branches,
        min_effect: args.min_effect,
        all_effects: args.require_all_effects,
        host_assertions: args.require_host_assertions,
    });
    let mut text = measured.text();
    for failure in &failures {
        text.push_str(&format!("✗ {}\n", kitsoki_testing::report::visible(failure)));
    }
    text.push_str(if failures.is_empty() { "PASS\n" } else { "FAIL\n" });
    output::show(&text).map_err(|e| Fatal(e.to_string()))?;
    if let Some(path) = &args.json {
        let app = program.story.app.id.as_str();
        write_report(
            path,
            &measured.json(app, manifest.as_str(), &patterns.join(","), failures.is_empty()),
        )?;
    }
    Ok(if failures.is_empty() {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

/// What of the story's scripts its flows run. One flow that cannot go on does not end the measuring.
fn scripts_of(program: &Arc<Program>, named: &BTreeSet<String>, files: &[PathBuf]) -> Scripts {
    let builtins = crate::real::Builtins::new();
    let options = Options {
        gates: Gates::Assume,
        covers: true,
        real: Some(&builtins),
        ..Options::default()
    };
    let mut results = Vec::new();
    let mut problems = Vec::new();
    for file in files {
        let one = std::slice::from_ref(file);
        match flows::run(program, one, options, &|flow| Ok(rebound(program, flow)), &|_, _| ()) {
            Ok(report) => results.extend(report.results),
            Err(error) => problems.push(error.to_string()),
        }
    }
    let mut scripts = Scripts::of(program, named, &results);
    scripts.problems = problems;
    scripts
}

fn run_flows(args: &FlowsArgs) -> Result<Exit, Fatal> {
    let session = Session::new().map_err(|e| Fatal(e.to_string()))?;
    if args.watch {
        return watch(session, args);
    }
    flows_once(&session, args)
}

/// Runs again whenever a file of the stories or a fixture changes.
fn watch(mut session: Session, args: &FlowsArgs) -> Result<Exit, Fatal> {
    loop {
        if let Err(error) = flows_once(&session, args) {
            output::error(&format!("kitsoki test flows: {error}"));
        }
        output::error("watching for changes; stop with Ctrl-C");
        let fixtures = |session: &Session| {
            let mut stamps = session.stamps();
            for manifest in discover::manifests(&args.paths).unwrap_or_default() {
                for file in fixture_files(&args.flows, &manifest).unwrap_or_default() {
                    let meta = std::fs::metadata(&file).ok();
                    let stamp = meta.and_then(|m| Some((m.modified().ok()?, m.len())));
                    stamps.insert(Utf8PathBuf::from(file.to_string_lossy().into_owned()), stamp);
                }
            }
            stamps
        };
        let seen = fixtures(&session);
        let changed = loop {
            std::thread::sleep(std::time::Duration::from_millis(250));
            let now = fixtures(&session);
            let changed = crate::watch::difference(&seen, &now);
            if !changed.is_empty() {
                break changed;
            }
        };
        for path in changed {
            session.db.refresh(&path);
        }
    }
}

/// The fixtures of a story: what the patterns name, else what lies in its folder. A pattern in vain is told with the story
/// that it was for.
fn fixture_files(patterns: &[String], manifest: &Utf8PathBuf) -> Result<Vec<PathBuf>, Fatal> {
    if !patterns.is_empty() {
        let here = "patterns are relative to the current directory, not to the story";
        return flows::expand(patterns).map_err(|e| Fatal(format!("{manifest}: {e}\n  help: {here}")));
    }
    flows::expand(&[flows::default_pattern(manifest.as_std_path())]).map_err(|_| {
        let folder = manifest.parent().filter(|p| !p.as_str().is_empty()).unwrap_or(".".into());
        Fatal(format!(
            "{manifest}: the story has no flows: no file fits `{folder}/flows/*.yaml`\n  help: write one, or name yours with --flows"
        ))
    })
}

/// What came of one story.
enum Story {
    /// It has no flows, and nobody asked for it by name.
    Without,
    /// It cannot be run.
    Broken(Fatal),
    /// Its report.
    Run(Report),
}

fn flows_once(session: &Session, args: &FlowsArgs) -> Result<Exit, Fatal> {
    let manifests = discover::manifests(&args.paths).map_err(|e| Fatal(e.to_string()))?;
    let several = manifests.len() > 1;
    let run = |session: &Session, manifest: &Utf8PathBuf| {
        let files = match fixture_files(&args.flows, manifest) {
            Ok(files) => files,
            // Among several stories one without flows is nothing to complain about.
            Err(_) if several && args.flows.is_empty() => return Story::Without,
            Err(error) => return Story::Broken(error),
        };
        match compiled(session, manifest).and_then(|program| run_story(args, &program, &files)) {
            Ok(report) => Story::Run(report),
            Err(error) => Story::Broken(error),
        }
    };
    let stories = session.each(&manifests, run);
    let mut all = Report::default();
    let mut text = String::new();
    let mut broken = Vec::new();
    for (manifest, story) in manifests.iter().zip(stories) {
        match story {
            Story::Without => {}
            Story::Broken(error) if !several => return Err(error),
            Story::Broken(error) => broken.push(error),
            Story::Run(report) => {
                if several {
                    text.push_str(&format!("story {manifest}\n"));
                }
                text.push_str(&report.text());
                if several {
                    text.push('\n');
                }
                all.results.extend(report.results);
                all.warnings.extend(report.warnings);
            }
        }
    }
    if several {
        text.push_str(&format!(
            "All stories: {}/{} flows pass\n",
            all.passed(),
            all.passed() + all.failed()
        ));
    }
    output::show(&text).map_err(|e| Fatal(e.to_string()))?;
    if all.results.is_empty() && broken.is_empty() {
        broken.push(Fatal(
            "no flow was run: none of the files holds one, or none of the stories has flows".to_owned(),
        ));
    }
    for error in &broken {
        output::error(&format!("kitsoki test flows: {error}"));
    }
    for (path, content) in [
        (&args.json, Report::json as fn(&Report) -> String),
        (&args.junit, Report::junit),
    ] {
        if let Some(path) = path {
            write_report(path, &content(&all))?;
        }
    }
    Ok(if !broken.is_empty() {
        Exit::Usage
    } else if all.failed() > 0 {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

fn write_report(path: &Utf8PathBuf, text: &str) -> Result<(), Fatal> {
    use std::io::Write;
    let mut file = tracefile::create(path.as_std_path())?;
    file.write_all(text.as_bytes())
        .map_err(|e| Fatal(format!("{path}: {e}")))
}

fn run_story(args: &FlowsArgs, program: &Arc<Program>, files: &[PathBuf]) -> Result<Report, Fatal> {
    let builtins = crate::real::Builtins::new();
    let options = Options {
        gates: match args.gates {
            GatesArg::Assume => Gates::Assume,
            GatesArg::Strict => Gates::Strict,
        },
        fail_fast: args.fail_fast,
        recording: args.recording.as_deref().map(camino::Utf8Path::as_std_path),
        allow_missing_recording: args.allow_missing_recording,
        trace: args.trace_out.as_deref().map(camino::Utf8Path::as_std_path),
        strict_cassettes: args.strict_cassettes,
        covers: false,
        real: Some(&builtins),
    };
    let shown = AtomicUsize::new(0);
    let live = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let progress = |done: usize, total: usize| {
        // A long run says where it is, on a terminal only.
        if live && total > 50 && done * 20 / total > shown.swap(done * 20 / total, Ordering::Relaxed) {
            output::error(&format!("{done} of {total} flows"));
        }
    };
    flows::run(program, files, options, &|flow| Ok(rebound(program, flow)), &progress)
}

/// A story with interfaces bound to other handlers, as a flow wants them.
pub fn rebound(program: &Arc<Program>, flow: &Flow) -> Option<Arc<Program>> {
    let mut story = None;
    for (name, to) in &flow.host_bindings {
        for interface in program.story.interfaces.iter().filter(|i| i.name == *name) {
            if interface.handler == to.as_str() {
                continue;
            }
            let story = story.get_or_insert_with(|| kitsoki_ir::Story::clone(&program.story));
            for operation in &interface.operations {
                let old = format!("{}.{}", interface.handler, operation.name);
                let found = program
                    .story
                    .hosts
                    .pairs()
                    .find(|(_, h)| h.name == old.as_str())
                    .map(|(id, _)| id);
                if let Some(host) = found.and_then(|id| story.hosts.get_mut(id)) {
                    host.name = format!("{to}.{}", operation.name).into();
                    host.script = None;
                }
            }
        }
    }
    story.map(|story| Arc::new(Program::new(Arc::new(story), Arc::new(DiskViews))))
}

/// A story ready to run.
///
/// # Errors
/// The findings that refuse it.
pub fn compiled(session: &Session, manifest: &Utf8PathBuf) -> Result<Arc<Program>, Fatal> {
    let root = session.file(manifest);
    if let Some(errors) = outside::refusal(session, root, false) {
        let plural = if errors == 1 { "" } else { "s" };
        return Err(Fatal(format!(
            "{manifest}: the story does not load ({errors} error{plural})"
        )));
    }
    let story = pipeline::lowered(&session.db, root);
    Ok(Arc::new(Program::new(Arc::clone(story), Arc::new(DiskViews))))
}

/// View files on the disk, inside of the folder of their story.
pub struct DiskViews;

impl ViewFiles for DiskViews {
    fn read(&self, dir: &str, name: &str) -> Option<Arc<str>> {
        let root = Path::new(dir).canonicalize().ok()?;
        let path = root
            .join("views")
            .join(name.trim_start_matches('/'))
            .canonicalize()
            .ok()?;
        let meta = path.metadata().ok()?;
        if !path.starts_with(&root) || !meta.is_file() || meta.len() > 16 << 20 {
            return None;
        }
        std::fs::read_to_string(path).ok().map(Arc::from)
    }
}
