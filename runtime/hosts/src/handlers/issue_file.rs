//! Tickets and threads as files: front matter, a text, and comments at its end.
//!
//! Written back, the keys of the front matter are sorted. Comments keep their text exactly; the reference adds a blank line
//! to every earlier one at each rewrite.

use std::io;
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Map, Value as Json};

use crate::{place, time};

/// The largest file, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// What begins a comment.
const HEADING: &str = "## Comment ";

/// A file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct IssueFile {
    /// The keys at the top.
    pub(super) front: Map<String, Json>,
    /// The text before the first comment.
    pub(super) body: String,
    /// The comments, oldest first.
    pub(super) comments: Vec<Comment>,
}

/// A comment.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Comment {
    /// When, as the file says it; empty when it does not.
    pub(super) time: String,
    /// Who; without a time the rest of the heading.
    pub(super) author: String,
    /// The text as the file has it, which begins with the blank line after the heading.
    pub(super) body: String,
}

/// Why a file could not be read.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// The system says no.
    Io(io::Error),
    /// It is no such file.
    Malformed(String),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(e) => f.write_str(&place::words(e)),
            Self::Malformed(why) => f.write_str(why),
        }
    }
}

impl IssueFile {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Self, Unreadable> {
        let text = place::read_text(path, MAX_FILE).map_err(Unreadable::Io)?;
        Self::parse(&text).map_err(Unreadable::Malformed)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let (front, rest) = split_front(text)?;
        let mut out = Self {
            front,
            ..Self::default()
        };
        let mut lines = rest.split_inclusive('\n').peekable();
        while let Some(line) = lines.next_if(|l| !l.starts_with(HEADING)) {
            out.body.push_str(line);
        }
        if lines.peek().is_some() {
            out.body.truncate(out.body.trim_end_matches('\n').len());
            out.body.push('\n');
        }
        for line in lines {
            if let Some(heading) = line.strip_prefix(HEADING) {
                out.comments.push(Comment::headed(heading.trim()));
            } else if let Some(comment) = out.comments.last_mut() {
                comment.body.push_str(line);
            }
        }
        for comment in &mut out.comments {
            comment.body.truncate(comment.body.trim_end_matches('\n').len());
        }
        Ok(out)
    }

    /// A text of the front matter; empty when it is absent or no text.
    pub(super) fn front_text(&self, key: &str) -> &str {
        self.front.get(key).and_then(Json::as_str).unwrap_or_default()
    }

    /// Adds a comment.
    pub(super) fn comment(&mut self, now: SystemTime, author: &str, body: &str) {
        self.comments.push(Comment {
            time: time::seconds(now),
            // A heading is one line.
            author: author.replace(['\n', '\r'], " "),
            body: format!("\n{}", body.trim_end_matches('\n')),
        });
    }

    /// The text of the file.
    pub(super) fn print(&self) -> Result<String, String> {
        let mut out = "---\n".to_owned();
        if self.front.is_empty() {
            // Other readers take two rules without anything between them for an open front matter.
            out.push_str("{}\n");
        } else {
            let mut sorted: Vec<_> = self.front.iter().collect();
            sorted.sort_by(|a, b| a.0.cmp(b.0));
            let sorted: Map<String, Json> = sorted.into_iter().map(|(k, v)| (k.clone(), v.clone())).collect();
            let front = serde_saphyr::to_string(&sorted).map_err(|e| e.to_string())?;
            out.push_str(front.trim_end());
            out.push('\n');
        }
        out.push_str("---\n");
        let body = self.body.trim_end_matches('\n');
        if !body.is_empty() {
            out.push_str(body);
            out.push('\n');
        }
        for comment in &self.comments {
            let by = match (comment.time.as_str(), comment.author.as_str()) {
                ("", author) => author.to_owned(),
                (time, "") => time.to_owned(),
                (time, author) => format!("{time} by {author}"),
            };
            out.push_str(&format!("\n{HEADING}{by}\n{}\n", comment.body));
        }
        Ok(out)
    }

    /// Writes the file as a whole.
    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        place::replace(path, self.print()?.as_bytes()).map_err(|e| place::words(&e))
    }
}

impl Comment {
    fn headed(heading: &str) -> Self {
        let (time, author) = heading.split_once(" by ").unwrap_or((heading, ""));
        let (time, author) = (time.trim(), author.trim());
        let is_time = time.len() >= 20 && time.starts_with(|c: char| c.is_ascii_digit()) && time.contains('T');
        let (time, author) = match (is_time, author) {
            (true, author) => (time, author),
            (false, "") => ("", time),
            (false, _) => ("", heading),
        };
        Self {
            time: time.to_owned(),
            author: author.to_owned(),
            body: String::new(),
        }
    }
}

/// The front matter, and the rest of the text.
fn split_front(text: &str) -> Result<(Map<String, Json>, &str), String> {
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return Ok((Map::new(), text));
    };
    let closed = if rest.starts_with("---") {
        Some(0)
    } else {
        rest.find("\n---").map(|at| at + 1)
    };
    let end = closed.ok_or("the front matter has no closing ---")?;
    let (front, tail) = rest.split_at(end);
    let tail = tail.strip_prefix("---").unwrap_or(tail);
    let tail = tail.strip_prefix('\r').unwrap_or(tail);
    let tail = tail.strip_prefix('\n').unwrap_or(tail);
    let read = kitsoki_starlark::document::read(front).map_err(|e| format!("front matter: {e}"))?;
    match read.to_json() {
        Json::Object(map) => Ok((map, tail)),
        Json::Null => Ok((Map::new(), tail)),
        _ => Err("the front matter is no mapping".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "---\nassignee: ada\nstatus: open\ntitle: \"a: b\"\n---\nText.\n\n## Comment 2026-01-02T03:04:05Z by Bob\n\nSeen.\n\nTwice.\n\n## Comment odd\nno blank\n";

    #[test]
    fn a_file_is_written_as_it_was_read() {
        let file = IssueFile::parse(TEXT).unwrap();
        assert_eq!(file.front_text("title"), "a: b");
        assert_eq!(file.body, "Text.\n");
        assert_eq!(file.comments.len(), 2);
        assert_eq!(file.comments[0].body, "\nSeen.\n\nTwice.");
        assert_eq!(file.comments[1].author, "odd");
        let printed = file.print().unwrap();
        assert_eq!(IssueFile::parse(&printed).unwrap(), file);
        assert_eq!(IssueFile::parse(&printed).unwrap().print().unwrap(), printed);
    }

    #[test]
    fn a_comment_cannot_forge_a_heading() {
        let mut file = IssueFile::default();
        file.comment(SystemTime::UNIX_EPOCH, "a\n## Comment x", "b");
        assert_eq!(IssueFile::parse(&file.print().unwrap()).unwrap().comments.len(), 1);
    }

    #[test]
    fn front_matter_must_end() {
        assert!(IssueFile::parse("---\ntitle: A\n").is_err());
        let empty = IssueFile::parse("---\n---\nx\n").unwrap();
        assert_eq!((empty.front.len(), empty.body.as_str()), (0, "x\n"));
    }
}
