//! `kitsoki check --fix`: applies fixes in passes until nothing changes, and never leaves a story that checks worse.
//!
//! Beside `fmt` the only command that writes to files of the user. A file is written whole beside itself and then moved
//! into place, with the same mode, and never through a link that leads out of the current directory.

use std::collections::BTreeMap;
use std::io::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::Db as _;
use kitsoki_diagnostics::fixes::{self, Which};
use kitsoki_diagnostics::{Sources as _, render};
use miette::{IntoDiagnostic as _, WrapErr as _, miette};

use crate::app::Exit;
use crate::args::CheckArgs;
use crate::check::LevelsOfStories;
use crate::session::Session;
use crate::sources::SessionSources;
use crate::{check, output};

/// Passes before the search for fixes ends: a fix may make another one visible.
const PASSES: usize = 10;

/// Runs `check --fix`.
///
/// # Errors
/// When a file cannot be written.
pub fn run(args: &CheckArgs, paths: &[Utf8PathBuf], levels: &LevelsOfStories) -> miette::Result<Exit> {
    let which = if args.unsafe_fixes { Which::Unsafe } else { Which::Safe };
    let mut session = Session::with_overlay()?;
    let mut before: BTreeMap<Utf8PathBuf, String> = BTreeMap::new();
    let mut titles: Vec<(&'static str, String)> = Vec::new();
    let mut report = check::report(&session, args, paths, levels)?;
    for _ in 0..PASSES {
        let sources = SessionSources::new(&session, &report.findings, &report.files, &report.named);
        let applied = fixes::apply(&report.findings, &sources, which);
        if applied.texts.is_empty() {
            break;
        }
        let worse = render::counts(&report.findings);
        let mut undo: Vec<(Utf8PathBuf, String)> = Vec::new();
        for (id, text) in &applied.texts {
            let Some(file) = session.db.file_by_id(*id) else {
                continue;
            };
            let path = file.path(&session.db).clone();
            undo.push((path.clone(), sources.text(*id).to_owned()));
            session.overlay(&path, Some(text.as_str()));
        }
        let next = check::report(&session, args, paths, levels)?;
        let now = render::counts(&next.findings);
        if now.errors > worse.errors || (now.errors == worse.errors && now.warnings > worse.warnings) {
            // These fixes together make it worse: they are not for this story.
            for (path, text) in undo {
                session.overlay(&path, Some(&text));
            }
            report = check::report(&session, args, paths, levels)?;
            break;
        }
        for (path, text) in undo {
            before.entry(path).or_insert(text);
        }
        titles.extend(applied.titles);
        report = next;
    }
    let mut diff = String::new();
    for (path, old) in &before {
        let new = session.text(session.file(path));
        if *new == **old {
            continue;
        }
        if args.diff {
            diff.push_str(&fixes::unified(&session.display(path), old, &new));
        } else {
            write_source(&session, path, old, &new)?;
        }
    }
    if args.diff {
        output::print(&output::visible(&diff))?;
        if diff.is_empty() && !report.findings.is_empty() {
            let unsafe_ones = report.findings.iter().filter(|f| f.best_fix().is_some()).count();
            let more = match unsafe_ones {
                0 => String::new(),
                n => format!("; {n} have one that needs a look: --unsafe-fixes"),
            };
            output::error(&format!("no finding of {} has a safe fix{more}", report.findings.len()));
        }
        return Ok(if diff.is_empty() { Exit::Clean } else { Exit::Findings });
    }
    if !titles.is_empty()
        && matches!(
            check::format(args),
            crate::args::Format::Full | crate::args::Format::Concise
        )
    {
        output::error(&format!("{} fixes in {} files", titles.len(), before.len()));
    }
    check::show(&session, args, &report)
}

/// Writes a fixed file back, when it still holds what was read.
fn write_source(session: &Session, path: &Utf8Path, old: &str, new: &str) -> miette::Result<()> {
    let shown = session.display(path);
    let now = std::fs::read(path)
        .into_diagnostic()
        .wrap_err_with(|| format!("`{shown}` cannot be read again"))?;
    if now != old.as_bytes() {
        return Err(miette!("`{shown}` changed while it was checked; it was left as it is"));
    }
    let real = path.canonicalize_utf8().into_diagnostic()?;
    let here = session.here.canonicalize_utf8().into_diagnostic()?;
    if !real.starts_with(&here) {
        return Err(miette!(
            "`{shown}` leads out of the current directory; it was left as it is"
        ));
    }
    write_atomically(&real, new.as_bytes())
        .wrap_err_with(|| format!("`{shown}` cannot be written; it was left as it is"))
}

/// Writes a file beside itself and moves it into place; the mode of an old file is kept.
///
/// # Errors
/// When anything fails; the old file is whole then.
pub fn write_atomically(path: &Utf8Path, bytes: &[u8]) -> miette::Result<()> {
    let dir = path
        .parent()
        .filter(|d| !d.as_str().is_empty())
        .unwrap_or(Utf8Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".kitsoki-")
        .tempfile_in(dir)
        .into_diagnostic()?;
    file.write_all(bytes).into_diagnostic()?;
    file.as_file().sync_all().into_diagnostic()?;
    if let Ok(meta) = std::fs::metadata(path) {
        file.as_file().set_permissions(meta.permissions()).into_diagnostic()?;
    } else {
        default_mode(file.as_file())?;
    }
    file.persist(path).map_err(|e| miette!("{}", e.error))?;
    Ok(())
}

/// A new file is readable like any other; temporary files are not.
#[cfg(unix)]
fn default_mode(file: &std::fs::File) -> miette::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
        .into_diagnostic()
}

#[cfg(not(unix))]
fn default_mode(_file: &std::fs::File) -> miette::Result<()> {
    Ok(())
}
