//! The compact form for people: one thing a line, and every line that nobody wrote says where it came from.
//!
//! ```text
//! room bench
//!   write_mode read_only                                 ; workbench at rooms/bench.yaml:12
//!   on bench_capture                                     ; workbench at rooms/bench.yaml:12
//!     -> bench                                           ; workbench at rooms/bench.yaml:12
//!       set bench_request = {{ slots.request }}          ; workbench at rooms/bench.yaml:12
//! ```
//!
//! It is a view, not a format: nothing reads it back. Texts are quoted and control characters escaped, so that no story
//! can draw on the terminal.

mod effects;
mod rooms;
mod tables;
mod views;

use std::fmt::Write as _;

use crate::arena::{ExprId, OriginId, StateId, TemplateId, WorldKeyId};
use crate::code::Text;
use crate::story::Story;
use crate::value::Value;

/// One line of the compact form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The line with its indentation, without a line end.
    pub text: String,
    /// Where it came from, when nobody wrote it.
    pub note: Option<String>,
}

/// The whole story.
#[must_use]
pub fn story(story: &Story) -> Vec<Line> {
    let mut p = Printer::new(story);
    tables::head(&mut p);
    tables::world(&mut p, |_| true);
    tables::intents(&mut p, |_| true);
    tables::hosts(&mut p);
    tables::agents(&mut p);
    tables::policies(&mut p);
    for id in story.states.ids() {
        rooms::room(&mut p, id);
    }
    p.lines
}

/// One room, with its children when `deep`.
#[must_use]
pub fn room(story: &Story, room: StateId, deep: bool) -> Vec<Line> {
    let mut p = Printer::new(story);
    let mut stack = vec![room];
    while let Some(id) = stack.pop() {
        rooms::room(&mut p, id);
        if deep {
            stack.extend(story.states.get(id).into_iter().flat_map(|s| s.children.iter().rev()));
        }
    }
    p.lines
}

/// The world keys and intents that `keep` accepts by their origin: what a macro made outside of its room.
#[must_use]
pub fn declarations(story: &Story, keep: impl Fn(OriginId) -> bool) -> Vec<Line> {
    let mut p = Printer::new(story);
    tables::world(&mut p, &keep);
    tables::intents(&mut p, &keep);
    p.lines
}

/// Lines as one text; notes stand behind `;` in a column of their own.
#[must_use]
pub fn render(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(&line.text);
        if let Some(note) = &line.note {
            let width = line.text.chars().count();
            out.extend(std::iter::repeat_n(' ', NOTE_COLUMN.saturating_sub(width).max(1)));
            out.push_str("; ");
            out.push_str(note);
        }
        out.push('\n');
    }
    out
}

/// Where notes begin when lines are short.
const NOTE_COLUMN: usize = 56;

/// `text` in double quotes with everything escaped that is not plain text.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Control characters, and those that change the direction of text.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A name as it is, or quoted when it is more than a word.
#[must_use]
pub fn word(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/' | ':' | '*' | '@');
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// Gathers lines.
struct Printer<'a> {
    story: &'a Story,
    lines: Vec<Line>,
    indent: usize,
    /// Note of the node that is being printed.
    note: Option<String>,
}

impl<'a> Printer<'a> {
    fn new(story: &'a Story) -> Self {
        Self {
            story,
            lines: Vec::new(),
            indent: 0,
            note: None,
        }
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let text = format!("{:indent$}{}", "", text.as_ref(), indent = self.indent * 2);
        self.lines.push(Line {
            text,
            note: self.note.clone(),
        });
    }

    /// Runs `f` one level deeper.
    fn inner(&mut self, f: impl FnOnce(&mut Self)) {
        self.indent += 1;
        f(self);
        self.indent -= 1;
    }

    /// Runs `f` with the note of `at`: that of a made node, or none for a written one.
    fn from(&mut self, at: OriginId, f: impl FnOnce(&mut Self)) {
        let provenance = &self.story.provenance;
        let note = provenance.made(at).map(|_| provenance.describe(at));
        let before = std::mem::replace(&mut self.note, note);
        f(self);
        self.note = before;
    }

    /// As [`Self::from`] when there is an origin; else as it is.
    fn maybe_from(&mut self, at: Option<OriginId>, f: impl FnOnce(&mut Self)) {
        match at {
            Some(at) => self.from(at, f),
            None => f(self),
        }
    }

    fn expr(&self, id: ExprId) -> String {
        one_line(self.story.exprs.get(id).map_or("?", |e| e.text.as_str()))
    }

    fn template(&self, id: TemplateId) -> String {
        let text = self.story.templates.get(id).map_or("?", |t| t.text.as_str());
        if text.contains(['\n', '\t']) || text.chars().any(is_hidden) {
            quoted(text)
        } else {
            text.to_owned()
        }
    }

    fn text(&self, text: &Text) -> String {
        match text {
            Text::Literal(text) => quoted(text),
            Text::Template(id) => self.template(*id),
        }
    }

    fn key(&self, id: WorldKeyId) -> String {
        self.story
            .world
            .get(id)
            .map_or_else(|| "?".to_owned(), |k| word(&k.name))
    }

    fn state(&self, id: StateId) -> String {
        word(self.story.path(id))
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Bool(b) => b.to_string(),
            Value::Int(n) => n.to_string(),
            Value::Uint(n) => n.to_string(),
            Value::Float(n) => format!("{n:?}"),
            Value::Text(text) => quoted(text),
            Value::Template(id) => self.template(*id),
            Value::List(items) => {
                format!(
                    "[{}]",
                    items.iter().map(|i| self.value(i)).collect::<Vec<_>>().join(", ")
                )
            }
            Value::Map(entries) if entries.is_empty() => "{}".to_owned(),
            Value::Map(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(k, v)| format!("{}: {}", word(k), self.value(v)))
                    .collect();
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }
}

/// A text with its line ends turned into spaces.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect()
}
