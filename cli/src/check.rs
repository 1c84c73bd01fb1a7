//! `kitsoki check`: findings of stories in any form; `--fix`, `--watch`, baselines and levels.

use camino::Utf8PathBuf;
use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::{pipeline, rules};
use kitsoki_diagnostics::{Diagnostic, Level, Registry, baseline::Baseline, levels::Levels, render, suppress};
use kitsoki_syntax::FileId;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};

use crate::app::Exit;
use crate::args::{CheckArgs, Format};
use crate::session::Session;
use crate::sources::SessionSources;
use crate::{config, discover, fix, output, outside, watch};

/// The findings of one run, as they are reported.
pub struct Report {
    /// The findings in order.
    pub findings: Vec<Diagnostic>,
    /// The files that were read.
    pub files: Vec<SourceFile>,
    /// The files of the command line.
    pub named: Vec<SourceFile>,
    /// Stories in which the compiler itself failed.
    pub faults: Vec<Utf8PathBuf>,
    /// Findings that the baseline holds.
    pub known: usize,
}

/// Runs the command.
///
/// # Errors
/// Arguments and files that cannot be used.
pub fn run(args: &CheckArgs) -> miette::Result<Exit> {
    let paths = discover::manifests(&args.paths)?;
    let levels = configured(args, &paths)?;
    if args.watch {
        return watch::run(args, &paths, &levels);
    }
    if args.fix {
        return fix::run(args, &paths, &levels);
    }
    let session = Session::once()?;
    let report = report(&session, args, &paths, &levels)?;
    show(&session, args, &report)
}

/// The levels of every story: those of its configuration file, and of the command line, which wins.
pub struct LevelsOfStories {
    /// Each configuration once.
    levels: Vec<Levels>,
    /// Per story, in the order of the paths, which of them is its own.
    own: Vec<usize>,
}

/// The levels of the configuration files and of the command line.
///
/// # Errors
/// When a rule or a level does not exist.
pub fn configured(args: &CheckArgs, paths: &[Utf8PathBuf]) -> miette::Result<LevelsOfStories> {
    let registry = rules::registry();
    let mut files: Vec<Option<Utf8PathBuf>> = Vec::new();
    let mut found = LevelsOfStories {
        levels: Vec::new(),
        own: Vec::new(),
    };
    for path in paths {
        let file = config::find(path);
        if let Some(known) = files.iter().position(|f| *f == file) {
            found.own.push(known);
            continue;
        }
        let mut levels = match &file {
            Some(file) => config::read(file, &registry)?,
            None => Levels::default(),
        };
        for (rules, level) in [
            (&args.error, Level::Error),
            (&args.warn, Level::Warning),
            (&args.allow, Level::Off),
        ] {
            for rule in rules {
                levels.set(&registry, rule, level).map_err(|e| miette!("{e}"))?;
            }
        }
        found.own.push(files.len());
        files.push(file);
        found.levels.push(levels);
    }
    Ok(found)
}

/// Checks stories and applies levels, suppressions and the baseline.
///
/// # Errors
/// When the baseline cannot be used.
pub fn report(
    session: &Session,
    args: &CheckArgs,
    paths: &[Utf8PathBuf],
    levels: &LevelsOfStories,
) -> miette::Result<Report> {
    let registry = rules::registry();
    let checked = session.check(paths);
    // Findings and files by configuration; of a file that several stories read, the first one decides.
    let mut findings: Vec<Vec<Diagnostic>> = vec![Vec::new(); levels.levels.len()];
    let mut ids: Vec<Vec<FileId>> = vec![Vec::new(); levels.levels.len()];
    let mut files: Vec<SourceFile> = Vec::new();
    let mut faults = Vec::new();
    let mut seen_files = rustc_hash::FxHashSet::default();
    let mut seen: rustc_hash::FxHashSet<(FileId, u32, u32, &'static str, String)> = rustc_hash::FxHashSet::default();
    for ((story, path), own) in checked.iter().zip(paths).zip(&levels.own) {
        let new = files.len();
        files.extend(story.files.iter().filter(|f| seen_files.insert(**f)));
        let (Some(findings), Some(ids)) = (findings.get_mut(*own), ids.get_mut(*own)) else {
            continue;
        };
        ids.extend(files.iter().skip(new).map(|f| f.file_id(&session.db)));
        match &story.findings {
            None => faults.push(path.clone()),
            // A child is checked as part of each importer: what is said twice is said once.
            Some(found) => findings.extend(
                found
                    .iter()
                    .filter(|f| {
                        let Some(span) = f.primary.as_ref().map(|p| p.span) else {
                            return true;
                        };
                        let place = (u32::from(span.range.start()), u32::from(span.range.end()));
                        seen.insert((span.file, place.0, place.1, f.rule, f.message.clone()))
                    })
                    .cloned(),
            ),
        }
    }
    let named: Vec<SourceFile> = paths.iter().map(|p| session.file(p)).collect();
    let all: Vec<Diagnostic> = findings.iter().flatten().cloned().collect();
    let sources = SessionSources::new(session, &all, &files, &named);
    let comments = |id: FileId| {
        let file = files.iter().find(|f| f.file_id(&session.db) == id);
        file.map(|f| pipeline::parse(&session.db, *f).tree.comments().to_vec())
            .unwrap_or_default()
    };
    let mut leveled: Vec<Diagnostic> = Vec::with_capacity(all.len());
    for ((findings, ids), levels) in findings.into_iter().zip(&ids).zip(&levels.levels) {
        let findings = outside::discreet(findings, &sources, &registry);
        let findings = suppress::apply(findings, ids, &comments, &sources, &registry);
        leveled.extend(levels.apply(findings));
    }
    let mut findings = leveled;
    kitsoki_diagnostics::sort(&mut findings, files.iter().map(|f| f.file_id(&session.db)));
    let mut known = 0;
    if let Some(path) = args.baseline.as_ref().filter(|_| !args.update_baseline) {
        let text = std::fs::read_to_string(path)
            .into_diagnostic()
            .wrap_err_with(|| format!("the baseline `{path}` cannot be read"))?;
        let baseline = Baseline::parse(&text).map_err(|e| miette!("the baseline `{path}` cannot be used: {e}"))?;
        (findings, known) = baseline.new_ones(findings, &sources);
    }
    Ok(Report {
        findings,
        files,
        named,
        faults,
        known,
    })
}

/// Prints a report and says how the command ends.
///
/// # Errors
/// When the output or the baseline cannot be written.
pub fn show(session: &Session, args: &CheckArgs, report: &Report) -> miette::Result<Exit> {
    let sources = SessionSources::new(session, &report.findings, &report.files, &report.named);
    if let Some(path) = args.baseline.as_ref().filter(|_| args.update_baseline) {
        let text = Baseline::of(&report.findings, &sources).to_text();
        fix::write_atomically(path, text.as_bytes())
            .wrap_err_with(|| format!("the baseline `{path}` cannot be written"))?;
        output::print(&format!(
            "{} findings are in the baseline `{path}`\n",
            report.findings.len()
        ))?;
        return Ok(Exit::Clean);
    }
    let text = rendered(args, report, &sources);
    match format(args) {
        Format::Full | Format::Concise => output::show(&text)?,
        _ => output::print(&text)?,
    }
    for path in &report.faults {
        output::error(&format!(
            "internal error: kitsoki itself failed on `{path}`; the other stories were checked"
        ));
    }
    let counts = render::counts(&report.findings);
    Ok(if !report.faults.is_empty() {
        Exit::Internal
    } else if counts.errors > 0 || (args.deny_warnings && counts.warnings > 0) {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

/// The form that was asked for, or the one that suits the reader.
#[must_use]
pub fn format(args: &CheckArgs) -> Format {
    args.format.unwrap_or_else(|| {
        if output::coding_agent() {
            Format::Agent
        } else {
            Format::Full
        }
    })
}

fn rendered(args: &CheckArgs, report: &Report, sources: &SessionSources) -> String {
    let findings = &report.findings;
    let files = report.files.len();
    let summary = |text: String| {
        let known = match report.known {
            0 => String::new(),
            n => format!(", {n} known from the baseline"),
        };
        format!("{text}{}{known}\n", render::summary(findings, files))
    };
    match format(args) {
        Format::Full => {
            let width = args.width.unwrap_or_else(output::width);
            let options = render::FullOptions {
                color: output::color(),
                width,
            };
            summary(render::full(findings, sources, options))
        }
        Format::Concise => summary(render::concise(findings, sources)),
        Format::Json => render::json(findings, sources, files),
        Format::Jsonl => render::jsonl(findings, sources),
        Format::Sarif => render::sarif(findings, sources, &all_rules(), env!("CARGO_PKG_VERSION")),
        Format::Github => render::github(findings, sources),
        Format::Gitlab => render::gitlab(findings, sources),
        Format::Junit => render::junit(findings, sources),
        Format::Agent => {
            let again: Vec<String> = args.paths.iter().map(ToString::to_string).collect();
            render::agent(findings, sources, files, &format!("kitsoki check {}", again.join(" ")))
        }
    }
}

fn all_rules() -> Registry {
    rules::registry()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::{Utf8Path, Utf8PathBuf};
    use clap::Parser as _;
    use kitsoki_compiler::db::{DirEntry, MemorySystem, PathKind, ReadError, System};

    use super::{configured, report, show};
    use crate::app::Exit;
    use crate::args::{CheckArgs, Cli, Command};
    use crate::session::Session;

    /// A machine on which reading one file is more than the compiler can bear.
    #[derive(Debug)]
    struct Trap(MemorySystem);

    impl System for Trap {
        fn read(&self, path: &Utf8Path) -> Result<Vec<u8>, ReadError> {
            assert!(!path.as_str().contains("trap"), "a fault of the compiler");
            self.0.read(path)
        }

        fn kind(&self, path: &Utf8Path) -> Option<PathKind> {
            self.0.kind(path)
        }

        fn list(&self, dir: &Utf8Path) -> Vec<DirEntry> {
            self.0.list(dir)
        }

        fn canonical(&self, path: &Utf8Path) -> Utf8PathBuf {
            self.0.canonical(path)
        }

        fn env(&self, name: &str) -> Option<String> {
            self.0.env(name)
        }
    }

    fn args(line: &[&str]) -> CheckArgs {
        match Cli::parse_from(line).command {
            Command::Check(args) => args,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_fault_of_the_compiler_in_one_story_is_told_and_the_others_are_checked() {
        let story = "app: { id: s, version: 1.0.0 }\nroot: a\nstates: { a: { on: { go: [{ target: b }] } } }\n";
        let trapped = format!("include: [trap.yaml]\n{story}");
        let files = [
            ("/here/one/app.yaml", story),
            ("/here/two/app.yaml", trapped.as_str()),
            ("/here/two/trap.yaml", ""),
            ("/here/three/app.yaml", story),
        ];
        let session = Session::over(Arc::new(Trap(MemorySystem::new(files))), "/here");
        let paths: Vec<Utf8PathBuf> = ["one", "two", "three"]
            .iter()
            .map(|s| format!("{s}/app.yaml").into())
            .collect();
        let args = args(&["kitsoki", "check", "one", "--format", "concise"]);
        let levels = configured(&args, &paths).unwrap();
        let found = report(&session, &args, &paths, &levels).unwrap();
        assert_eq!(found.faults, ["two/app.yaml"]);
        let files: std::collections::BTreeSet<_> = found
            .findings
            .iter()
            .filter_map(|f| f.primary.as_ref())
            .map(|p| p.span.file)
            .collect();
        assert_eq!(files.len(), 2, "both of the others: {:?}", found.findings);
        assert_eq!(show(&session, &args, &found).unwrap(), Exit::Internal);
    }
}
