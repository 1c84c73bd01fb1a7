//! A JSON document as YAML lines. What comes out is YAML that reads back to the same document.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kitsoki_ir::text::{Line, is_hidden};
use serde_json::Value as Json;

/// One name inside of a path: a dot in it has a backslash before it.
pub(super) fn segment(name: &str) -> String {
    if name.contains('.') {
        name.replace('.', "\\.")
    } else {
        name.to_owned()
    }
}

/// The lines of a document, each with the note of the innermost path that has one.
pub(super) fn lines(document: &Json, notes: &BTreeMap<String, String>) -> Vec<Line> {
    lines_at(document, "", notes)
}

/// The same for a part whose path is `place`.
pub(super) fn lines_at(document: &Json, place: &str, notes: &BTreeMap<String, String>) -> Vec<Line> {
    let mut writer = Writer {
        notes,
        lines: Vec::new(),
    };
    let note = writer.note(place, None);
    if is_block(document) {
        writer.block(document, place, 0, None, note);
    } else {
        writer.push(inline(document), note);
    }
    writer.lines
}

struct Writer<'n> {
    notes: &'n BTreeMap<String, String>,
    lines: Vec<Line>,
}

impl<'n> Writer<'n> {
    fn note(&self, path: &str, around: Option<&'n str>) -> Option<&'n str> {
        self.notes.get(path).map(String::as_str).or(around)
    }

    fn push(&mut self, text: String, note: Option<&str>) {
        self.lines.push(Line {
            text,
            note: note.map(str::to_owned),
        });
    }

    /// A mapping or list that is not empty, at a column. `first` stands before its first line in place of spaces: the
    /// dash of a list item. Depth is that of the printed story, which the parser bounds.
    fn block(&mut self, value: &Json, path: &str, column: usize, first: Option<String>, note: Option<&'n str>) {
        let join = |name: &str| {
            if path.is_empty() {
                name.to_owned()
            } else {
                format!("{path}.{name}")
            }
        };
        let mut first = first;
        let mut lead = || first.take().unwrap_or_else(|| " ".repeat(column));
        match value {
            Json::Object(map) => {
                for (name, inner) in map {
                    let head = format!("{}{}:", lead(), key(name));
                    self.entry(inner, &join(&segment(name)), column, head, note);
                }
            }
            Json::Array(items) => {
                for (index, inner) in items.iter().enumerate() {
                    let head = format!("{}- ", lead());
                    let path = join(&index.to_string());
                    let note = self.note(&path, note);
                    if is_block(inner) {
                        self.block(inner, &path, column + 2, Some(head), note);
                    } else {
                        self.push(head + &inline(inner), note);
                    }
                }
            }
            _ => {}
        }
    }

    /// What stands behind a key.
    fn entry(&mut self, value: &Json, path: &str, column: usize, head: String, around: Option<&'n str>) {
        let note = self.note(path, around);
        if is_block(value) {
            self.push(head, note);
            self.block(value, path, column + 2, None, note);
        } else if let Some((mark, text)) = value.as_str().and_then(literal) {
            self.push(format!("{head} {mark}"), note);
            for line in text.split('\n') {
                let line = if line.is_empty() {
                    String::new()
                } else {
                    format!("{}{line}", " ".repeat(column + 2))
                };
                self.push(line, note);
            }
        } else {
            self.push(format!("{head} {}", inline(value)), note);
        }
    }
}

fn is_block(value: &Json) -> bool {
    match value {
        Json::Object(map) => !map.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => false,
    }
}

/// A text of several lines that can stand as it is, with the mark of its form.
fn literal(text: &str) -> Option<(&'static str, &str)> {
    let (mark, body) = match text.strip_suffix('\n') {
        Some(body) => ("|", body),
        None => ("|-", text),
    };
    let plain = |line: &str| !line.starts_with([' ', '\t']) || !line.trim().is_empty();
    let fits = body.contains('\n')
        && !body.ends_with('\n')
        && !body.starts_with([' ', '\t', '\n'])
        && body.split('\n').all(plain)
        && !body.chars().any(|c| c != '\n' && is_hidden(c));
    fits.then_some((mark, body))
}

/// A text as a value: without quotes where it cannot be taken for anything else.
pub(crate) fn word(text: &str) -> String {
    let reserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    if reserved.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        quoted(text)
    } else {
        key(text)
    }
}

fn inline(value: &Json) -> String {
    match value {
        Json::String(text) => word(text),
        Json::Object(_) => "{}".to_owned(),
        Json::Array(_) => "[]".to_owned(),
        other => other.to_string(),
    }
}

/// A text without quotes where it cannot be taken for anything else.
fn key(text: &str) -> String {
    let start = text
        .chars()
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '/'));
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '@' | '-' | ' ');
    let words = ["true", "false", "null"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    if start && !words && text.chars().all(plain) && !text.ends_with(' ') {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// In double quotes, with YAML's escapes.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_hidden(c) => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(document: &Json) -> String {
        lines(document, &BTreeMap::new())
            .into_iter()
            .map(|l| l.text + "\n")
            .collect()
    }

    #[test]
    fn blocks_are_indented_and_words_stay_plain() {
        let document = serde_json::json!({
            "on": {"go": [{"target": "hall", "effects": [{"say": "Off: you go"}]}, {"default": true}]},
            "empty": {}, "answer": "no", "n": "12", "text": "one\n  two\n"
        });
        let expected = "\
on:
  go:
    - target: hall
      effects:
        - say: \"Off: you go\"
    - default: true
empty: {}
answer: \"no\"
n: \"12\"
text: |
  one
    two
";
        assert_eq!(text(&document), expected);
    }

    #[test]
    fn what_is_printed_reads_back_as_the_same_document() {
        let document = serde_json::json!({
            "a: b": ["- x", "# y", "", "  led", "tab\there", "\u{202e}", "\u{1}", "~", "1.0", "null", "a\n\nb", "\n", "x\n\n"],
            "nested": [[1, [2.5, null]], [], {"k": {"l": [{"m": "trailing "}]}}],
        });
        let read = kitsoki_syntax::decode::document(&text(&document)).unwrap().to_json();
        assert_eq!(serde_json::from_str::<Json>(&read).unwrap(), document);
    }

    #[test]
    fn a_note_holds_for_everything_below_its_path() {
        let notes = BTreeMap::from([("a.b".to_owned(), "made".to_owned())]);
        let all = lines(&serde_json::json!({"a": {"b": {"c": 1}, "d": 2}}), &notes);
        let noted: Vec<_> = all.iter().map(|l| (l.text.as_str(), l.note.is_some())).collect();
        assert_eq!(
            noted,
            [("a:", false), ("  b:", true), ("    c: 1", true), ("  d: 2", false)]
        );
    }
}
