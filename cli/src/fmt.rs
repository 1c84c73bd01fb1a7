//! `kitsoki fmt`: files in their canonical spacing. Beside `check --fix` the only command that writes to files of the user.

use std::io::Read as _;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_diagnostics::fixes;
use kitsoki_syntax::LineIndex;
use miette::{IntoDiagnostic as _, WrapErr as _, miette};

use crate::app::Exit;
use crate::args::FmtArgs;
use crate::fix::write_atomically;
use crate::{discover, output};

/// Larger files are no stories: they are left alone.
const LARGEST: u64 = 64 << 20;

/// What became of the files.
#[derive(Default)]
struct Tally {
    changed: usize,
    unchanged: usize,
    left: usize,
    /// Could not be read or written.
    failed: usize,
}

/// Runs the command.
///
/// # Errors
/// When a path stands for nothing, or a file cannot be read or written.
pub fn run(args: &FmtArgs) -> miette::Result<Exit> {
    if args.paths.iter().any(|path| path == "-") {
        if args.paths.len() > 1 {
            return Err(miette!("`-` is standard input: give it alone"));
        }
        return stdin(args);
    }
    let files = discover::yaml_files(&args.paths)?;
    let mut tally = Tally::default();
    for path in &files {
        if let Err(error) = file(args, path, &mut tally) {
            tally.failed += 1;
            output::report(&error);
        }
    }
    let summary = summary(args, &tally);
    if args.diff {
        // Standard output is the patch.
        output::error(&summary);
    } else {
        output::print(&format!("{summary}\n"))?;
    }
    Ok(match tally {
        Tally { failed: 1.., .. } => Exit::Usage,
        Tally { left: 1.., .. } => Exit::Findings,
        Tally { changed: 1.., .. } if args.check || args.diff => Exit::Findings,
        _ => Exit::Clean,
    })
}

fn summary(args: &FmtArgs, tally: &Tally) -> String {
    let what = if args.check || args.diff {
        "would change"
    } else {
        "formatted"
    };
    let mut parts = vec![
        format!("{} {what}", files(tally.changed)),
        format!("{} already as they should be", tally.unchanged),
    ];
    if tally.left > 0 {
        parts.push(format!("{} left alone", tally.left));
    }
    if tally.failed > 0 {
        parts.push(format!("{} failed", tally.failed));
    }
    parts.join(", ")
}

fn files(count: usize) -> String {
    if count == 1 {
        "1 file".to_owned()
    } else {
        format!("{count} files")
    }
}

fn stdin(args: &FmtArgs) -> miette::Result<Exit> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .into_diagnostic()
        .wrap_err("standard input cannot be read")?;
    let Some((text, formatted)) = formatted("standard input", &bytes) else {
        return Ok(Exit::Findings);
    };
    let changed = formatted != text;
    if args.diff {
        output::print(&output::visible(&fixes::unified("standard input", text, &formatted)))?;
    } else if !args.check {
        output::print(&formatted)?;
    }
    let asked = args.check || args.diff;
    Ok(if changed && asked { Exit::Findings } else { Exit::Clean })
}

fn file(args: &FmtArgs, path: &Utf8Path, tally: &mut Tally) -> miette::Result<()> {
    let length = std::fs::metadata(path).map_or(0, |meta| meta.len());
    if length > LARGEST {
        output::error(&format!("{path}: larger than 64 MB; left as it is"));
        tally.left += 1;
        return Ok(());
    }
    let bytes = std::fs::read(path)
        .into_diagnostic()
        .wrap_err_with(|| format!("`{path}` cannot be read"))?;
    let Some((text, formatted)) = formatted(path.as_str(), &bytes) else {
        tally.left += 1;
        return Ok(());
    };
    if formatted == text {
        tally.unchanged += 1;
        return Ok(());
    }
    if args.diff {
        output::print(&output::visible(&fixes::unified(path.as_str(), text, &formatted)))?;
    } else if args.check {
        output::print(&format!("would change: {}\n", output::visible(path.as_str())))?;
    } else {
        write(path, &bytes, &formatted)?;
    }
    tally.changed += 1;
    Ok(())
}

/// The text of a file and its formatted form; `None` when it is left as it is, which has been said then.
fn formatted<'b>(name: &str, bytes: &'b [u8]) -> Option<(&'b str, String)> {
    let text = match kitsoki_syntax::decode_utf8(bytes) {
        Ok(text) => text,
        Err(fault) => {
            output::error(&format!("{name}: {}; left as it is", fault.message));
            return None;
        }
    };
    match kitsoki_fmt::format(text) {
        Ok(formatted) => Some((text, formatted)),
        Err(kitsoki_fmt::Why::Faulty(fault)) => {
            let place = LineIndex::new(text).line_col(fault.range.start());
            let (line, col) = (place.line, place.col);
            output::error(&format!("{name}:{line}:{col}: {}; left as it is", fault.message));
            None
        }
        Err(why) => {
            output::error(&format!("{name}: {why}; left as it is"));
            None
        }
    }
}

/// Writes a formatted file when it still holds what was read and lies where the user works.
fn write(path: &Utf8Path, before: &[u8], formatted: &str) -> miette::Result<()> {
    let real = path.canonicalize_utf8().into_diagnostic()?;
    let is_link = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.file_type().is_symlink());
    let folder = |path: &Utf8Path| path.parent().map(Utf8Path::to_owned).unwrap_or_default();
    // A path that the user names may lie anywhere; a link may not lead there.
    let named = folder(&real) == real_folder(path)? && !is_link;
    let here = Utf8PathBuf::from_path_buf(std::env::current_dir().into_diagnostic()?)
        .map_err(|path| miette!("the name of the current directory is not UTF-8: {}", path.display()))?
        .canonicalize_utf8()
        .into_diagnostic()?;
    if !named && !real.starts_with(&here) {
        return Err(miette!(
            "`{path}` is a link that leads out of the current directory; it was left as it is"
        ));
    }
    let now = std::fs::read(&real)
        .into_diagnostic()
        .wrap_err_with(|| format!("`{path}` cannot be read again"))?;
    if now != before {
        return Err(miette!("`{path}` changed while it was formatted; it was left as it is"));
    }
    write_atomically(&real, formatted.as_bytes())
        .wrap_err_with(|| format!("`{path}` cannot be written; it was left as it is"))
}

/// The folder of a path, links resolved.
fn real_folder(path: &Utf8Path) -> miette::Result<Utf8PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
    folder
        .unwrap_or(Utf8Path::new("."))
        .canonicalize_utf8()
        .into_diagnostic()
}
