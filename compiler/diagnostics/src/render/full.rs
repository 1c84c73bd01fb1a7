//! The form for people: source lines with underlines through codespan-reporting, then what to do, a fix as a small patch,
//! and where to read on.

use std::fmt::Write as _;
use std::ops::Range;

use codespan_reporting::diagnostic as cs;
use codespan_reporting::files::{Error as FilesError, Files};
use codespan_reporting::term;
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use kitsoki_syntax::{FileId, Span};

use super::entrance;
use crate::model::{Diagnostic, Fix};
use crate::rule::Level;
use crate::sanitize::{clamp, one_line, visible, visible_char};
use crate::sources::{Sources, place};

/// How findings are shown to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FullOptions {
    /// With terminal colours.
    pub color: bool,
    /// Columns; longer source lines are cut around what is underlined.
    pub width: usize,
}

impl Default for FullOptions {
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
        }
    }
}

/// Renders findings for people.
#[must_use]
pub fn full(findings: &[Diagnostic], sources: &dyn Sources, options: FullOptions) -> String {
    let mut out = Vec::new();
    for finding in findings {
        if options.color {
            one(finding, sources, options, &mut Ansi::new(&mut out));
        } else {
            one(finding, sources, options, &mut NoColor::new(&mut out));
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn one(finding: &Diagnostic, sources: &dyn Sources, options: FullOptions, out: &mut dyn WriteColor) {
    let severity = match finding.severity {
        Level::Error => cs::Severity::Error,
        Level::Warning => cs::Severity::Warning,
        Level::Hint | Level::Off => cs::Severity::Note,
    };
    let mut excerpts = Excerpts::new(sources, options.width);
    let mut notes = Vec::new();
    let mut diagnostic = cs::Diagnostic::new(severity)
        .with_code(finding.rule)
        .with_message(one_line(&finding.message));
    if let Some(primary) = &finding.primary {
        match excerpts.label(primary.span) {
            Some((file, range)) => {
                diagnostic =
                    diagnostic.with_label(cs::Label::primary(file, range).with_message(one_line(&primary.message)));
            }
            None => notes.push(bare_place("at", sources, primary.span)),
        }
    }
    // Many places of one cause: the first few are shown, the rest is counted.
    let shown = finding.labels.iter().take(MAX_LABELS);
    for label in shown {
        match excerpts.label(label.span) {
            Some((file, range)) => {
                diagnostic =
                    diagnostic.with_label(cs::Label::secondary(file, range).with_message(one_line(&label.message)));
            }
            None => notes.push(bare_place(&label.message, sources, label.span)),
        }
    }
    if finding.labels.len() > MAX_LABELS {
        notes.push(format!("note: and {} more places", finding.labels.len() - MAX_LABELS));
    }
    let said = |h: &&String| finding.best_fix().is_none_or(|f| f.title != **h);
    notes.extend(
        finding
            .helps
            .iter()
            .filter(said)
            .map(|h| format!("help: {}", visible(h))),
    );
    if let Some(fix) = finding.best_fix() {
        notes.push(patch(fix, sources));
    }
    notes.extend(finding.notes.iter().map(|n| format!("note: {}", visible(n))));
    notes.extend(
        finding
            .entrances
            .iter()
            .map(|e| format!("note: {}", entrance(e, sources))),
    );
    notes.push(format!("see: kitsoki explain {}", finding.rule));
    let config = term::Config {
        tab_width: 4,
        start_context_lines: 1,
        end_context_lines: 1,
        ..term::Config::default()
    };
    let diagnostic = diagnostic.with_notes(notes);
    let rendered = if out.supports_color() {
        term::emit_to_write_style(out, &config, &excerpts, &diagnostic)
    } else {
        let mut text = String::new();
        let result = term::emit_to_string(&mut text, &config, &excerpts, &diagnostic);
        let _ = out.write_all(text.as_bytes());
        result
    };
    if rendered.is_err() {
        let at = finding
            .primary
            .as_ref()
            .map(|p| bare_place("", sources, p.span))
            .unwrap_or_default();
        let _ = writeln!(
            out,
            "{}[{}] {} {at}",
            finding.severity.as_str(),
            finding.rule,
            one_line(&finding.message)
        );
    }
}

/// Labels that are drawn for one finding.
const MAX_LABELS: usize = 6;

/// A place in words, for a file that must not be quoted.
fn bare_place(what: &str, sources: &dyn Sources, span: Span) -> String {
    let at = place(sources, span);
    format!(
        "{}: {}:{}:{}",
        one_line(if what.is_empty() { "at" } else { what }),
        one_line(&at.path),
        at.line,
        at.column
    )
}

/// A fix as the lines before and after.
fn patch(fix: &Fix, sources: &dyn Sources) -> String {
    let mut text = format!("fix: {}", one_line(&fix.title));
    if !fix.is_safe() {
        text.push_str(" (needs a look)");
    }
    let quotable = fix.edits.iter().all(|e| sources.quotable(e.span.file));
    let (Some(first), true) = (fix.edits.first(), quotable) else {
        return text;
    };
    let file = first.span.file;
    let source = sources.text(file);
    let index = sources.line_index(file);
    let mut lines: Vec<(u32, String, String)> = Vec::new();
    for edit in fix.edits.iter().filter(|e| e.span.file == file) {
        let range = clamp(source, edit.span.range);
        let (from, to) = (index.line_col(range.start()).line, index.line_col(range.end()).line);
        let start = usize::from(index.line_range(from).start());
        let end = usize::from(index.line_range(to).end());
        let (a, b) = (usize::from(range.start()), usize::from(range.end()));
        let old = source.get(start..end.max(b)).unwrap_or_default();
        let new = format!(
            "{}{}{}",
            source.get(start..a).unwrap_or_default(),
            edit.text,
            source.get(b..end.max(b)).unwrap_or_default()
        );
        if old.len() + new.len() > MAX_PATCH || lines.len() > 4 {
            return text;
        }
        lines.push((from, old.to_owned(), new));
    }
    for (line, old, new) in lines {
        for (sign, body) in [('-', &old), ('+', &new)] {
            for (n, l) in body.trim_end_matches(['\n', '\r']).split('\n').enumerate() {
                let number = line as usize + n;
                let l: String = l.trim_end_matches('\r').chars().map(visible_char).collect();
                let _ = write!(text, "\n{number:>5} {sign} {l}");
            }
        }
    }
    text
}

/// The longest patch that is drawn, in bytes.
const MAX_PATCH: usize = 2_000;

/// What codespan sees of a file: the lines around the labels, with control characters visible and long lines cut.
///
/// Cutting keeps the cost of a finding independent of the length of the file.
struct Excerpts<'a> {
    sources: &'a dyn Sources,
    width: usize,
    files: Vec<Excerpt>,
}

struct Excerpt {
    file: FileId,
    path: String,
    lines: Vec<Line>,
}

struct Line {
    number: u32,
    /// Where the line begins in the excerpt.
    start: usize,
    text: String,
    /// The column of the first character that is shown.
    cut: u32,
}

impl<'a> Excerpts<'a> {
    fn new(sources: &'a dyn Sources, width: usize) -> Self {
        Self {
            sources,
            width: width.clamp(40, 400),
            files: Vec::new(),
        }
    }

    /// The excerpt and the range in it for a span; `None` when nothing of the file may be shown.
    fn label(&mut self, span: Span) -> Option<(usize, Range<usize>)> {
        if !self.sources.quotable(span.file) {
            return None;
        }
        let at = self.files.iter().position(|f| f.file == span.file).unwrap_or_else(|| {
            let path = one_line(self.sources.path(span.file));
            self.files.push(Excerpt {
                file: span.file,
                path,
                lines: Vec::new(),
            });
            self.files.len() - 1
        });
        let source = self.sources.text(span.file);
        let range = clamp(source, span.range);
        let index = self.sources.line_index(span.file);
        let (first, last) = (index.line_col(range.start()).line, index.line_col(range.end()).line);
        // A finding over many lines is shown at its first.
        let end = if last > first + 2 {
            index.line_range(first).end()
        } else {
            range.end()
        };
        let last = last.min(first + 2);
        let mut cuts = Vec::new();
        for number in first..=last {
            let whole = index.line_range(number);
            let (from, to) = (usize::from(whole.start()), usize::from(whole.end()));
            let text = source.get(from..to).unwrap_or_default().trim_end_matches(['\n', '\r']);
            let a = usize::from(range.start()).clamp(from, from + text.len()) - from;
            let b = usize::from(end).clamp(from + a, from + text.len()) - from;
            cuts.push((number, cut(text, a..b, self.width)));
        }
        let file = self.files.get_mut(at)?;
        let mut start_at = None;
        let mut end_at = None;
        for (number, (text, shown, skipped)) in cuts {
            let line = file.line(number, text, skipped);
            start_at.get_or_insert(line + shown.start);
            end_at = Some(line + shown.end);
        }
        Some((at, start_at?..end_at?))
    }
}

impl Excerpt {
    /// Adds a line and gives its start. A line that is there already stays as it is.
    fn line(&mut self, number: u32, text: String, cut: u32) -> usize {
        if let Some(line) = self.lines.iter().find(|l| l.number == number && l.text == text) {
            return line.start;
        }
        let start = self.lines.last().map_or(0, |l| l.start + l.text.len() + 1);
        self.lines.push(Line {
            number,
            start,
            text,
            cut,
        });
        start
    }
}

/// A line made visible and cut to `width` around `shown`: the text, the range in it, and how many characters are gone.
fn cut(line: &str, shown: Range<usize>, width: usize) -> (String, Range<usize>, u32) {
    let before = line.get(..shown.start).unwrap_or_default();
    let inside = line.get(shown.clone()).unwrap_or_default();
    let after = line.get(shown.end..).unwrap_or_default();
    let room = width.saturating_sub(12);
    let skip = before.chars().count().saturating_sub(room / 2);
    let long = line.chars().take(room + 1).count() > room;
    let mut text = String::new();
    let skipped = if long && skip > 0 { skip } else { 0 };
    if skipped > 0 {
        text.push('…');
    }
    text.extend(before.chars().skip(skipped).map(visible_char));
    let start = text.len();
    let mut left = room.saturating_sub(text.chars().count()).max(room / 2);
    let push = |part: &str, left: &mut usize, text: &mut String| {
        for c in part.chars() {
            if *left == 0 {
                text.push('…');
                return;
            }
            *left -= 1;
            text.push(visible_char(c));
        }
    };
    push(inside, &mut left, &mut text);
    let end = text.len();
    push(after, &mut left, &mut text);
    (text, start..end, u32::try_from(skipped).unwrap_or(0))
}

impl<'f> Files<'f> for Excerpts<'_> {
    type FileId = usize;
    type Name = String;
    type Source = String;

    fn name(&'f self, id: usize) -> Result<String, FilesError> {
        self.files
            .get(id)
            .map(|f| f.path.clone())
            .ok_or(FilesError::FileMissing)
    }

    fn source(&'f self, id: usize) -> Result<String, FilesError> {
        let file = self.files.get(id).ok_or(FilesError::FileMissing)?;
        Ok(file.lines.iter().map(|l| format!("{}\n", l.text)).collect())
    }

    fn line_index(&'f self, id: usize, byte: usize) -> Result<usize, FilesError> {
        let file = self.files.get(id).ok_or(FilesError::FileMissing)?;
        Ok(file.lines.partition_point(|l| l.start <= byte).saturating_sub(1))
    }

    fn line_number(&'f self, id: usize, line: usize) -> Result<usize, FilesError> {
        let line = self.files.get(id).and_then(|f| f.lines.get(line));
        Ok(line.map_or(line_past(self, id), |l| l.number as usize))
    }

    fn column_number(&'f self, id: usize, line: usize, byte: usize) -> Result<usize, FilesError> {
        let line = self
            .files
            .get(id)
            .and_then(|f| f.lines.get(line))
            .ok_or(FilesError::FileMissing)?;
        let inside = line.text.get(..byte.saturating_sub(line.start)).unwrap_or(&line.text);
        let ellipsis = usize::from(line.cut > 0);
        Ok(inside.chars().count() + line.cut as usize - ellipsis.min(inside.chars().count()) + 1)
    }

    fn line_range(&'f self, id: usize, line: usize) -> Result<Range<usize>, FilesError> {
        let file = self.files.get(id).ok_or(FilesError::FileMissing)?;
        match file.lines.get(line) {
            Some(l) => Ok(l.start..l.start + l.text.len() + 1),
            None => {
                let end = file.lines.last().map_or(0, |l| l.start + l.text.len() + 1);
                Ok(end..end)
            }
        }
    }
}

fn line_past(excerpts: &Excerpts<'_>, id: usize) -> usize {
    excerpts
        .files
        .get(id)
        .and_then(|f| f.lines.last())
        .map_or(1, |l| l.number as usize + 1)
}
