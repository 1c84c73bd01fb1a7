//! Standard output and standard error: colour, closed pipes, and texts that must not reach a terminal as they are.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU8, Ordering};

use crate::args::ColorChoice;

static COLOR: AtomicU8 = AtomicU8::new(0);

/// Remembers the choice of the command line.
pub fn set_color(choice: ColorChoice) {
    COLOR.store(choice as u8, Ordering::Relaxed);
}

/// Whether colour goes to standard output.
#[must_use]
pub fn color() -> bool {
    match COLOR.load(Ordering::Relaxed) {
        x if x == ColorChoice::Always as u8 => true,
        x if x == ColorChoice::Never as u8 => false,
        _ => {
            let off = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
            !off && !dumb && std::io::stdout().is_terminal()
        }
    }
}

/// Variables that coding agents set for the programs they run.
const AGENT_VARIABLES: [&str; 8] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
    "AIDER_MODEL",
    "AI_AGENT",
];

/// Whether a coding agent seems to have started this program.
#[must_use]
pub fn coding_agent() -> bool {
    !std::io::stdout().is_terminal()
        && AGENT_VARIABLES
            .iter()
            .any(|v| std::env::var_os(v).is_some_and(|v| !v.is_empty()))
}

/// Columns of the terminal, 100 where there is none.
#[must_use]
pub fn width() -> usize {
    std::env::var("COLUMNS")
        .ok()
        .and_then(|c| c.parse().ok())
        .filter(|c| (20..=1000).contains(c))
        .unwrap_or(100)
}

/// Writes to standard output. A reader that went away is no error.
///
/// # Errors
/// When the output cannot be written, a full disk for example.
pub fn stdout(bytes: &[u8]) -> miette::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(miette::miette!("the output cannot be written: {error}"))
        }
        _ => Ok(()),
    }
}

/// Writes a text to standard output.
///
/// # Errors
/// As [`stdout`].
pub fn print(text: &str) -> miette::Result<()> {
    stdout(text.as_bytes())
}

/// Writes a text for people to standard output: where the locale says that UTF-8 is not understood, in ASCII.
///
/// # Errors
/// As [`stdout`].
pub fn show(text: &str) -> miette::Result<()> {
    print(&readable(text))
}

/// Writes a line to standard error, control characters made visible.
pub fn error(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", readable(&visible(text)));
}

fn readable(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !ascii_only(|name| std::env::var(name).ok()) {
        return Cow::Borrowed(text);
    }
    // One character for one, so that underlines stay where they are.
    let plain = |c: char| match c {
        c if c.is_ascii() => c,
        '│' | '┃' => '|',
        '─' => '-',
        '┌' | '└' | '╭' | '╰' | '├' | '┼' => '+',
        '→' => '>',
        '✗' => 'x',
        '…' => '~',
        _ => '?',
    };
    Cow::Owned(text.chars().map(plain).collect())
}

/// Whether the locale names another encoding than UTF-8. No locale at all says nothing: UTF-8 is what is usual.
fn ascii_only(variable: impl Fn(&str) -> Option<String>) -> bool {
    let said = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()));
    said.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

/// Writes an error of the application itself.
pub fn report(report: &miette::Report) {
    let mut text = format!("error: {report}");
    if let Some(help) = report.help() {
        text.push_str(&format!("\n  help: {help}"));
    }
    let mut source = report.source();
    while let Some(cause) = source {
        text.push_str(&format!("\n  because: {cause}"));
        source = cause.source();
    }
    error(&text);
}

pub use kitsoki_diagnostics::sanitize::visible;

#[cfg(test)]
mod tests {
    use super::ascii_only;

    #[test]
    fn the_first_locale_that_says_something_counts() {
        let with = |vars: &'static [(&str, &str)]| {
            ascii_only(|name| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
        };
        assert!(!with(&[]));
        assert!(with(&[("LANG", "C")]) && with(&[("LANG", "de_DE.ISO-8859-1")]));
        assert!(!with(&[("LC_ALL", ""), ("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]));
        assert!(with(&[("LC_ALL", "POSIX"), ("LANG", "en_US.utf8")]));
    }
}
