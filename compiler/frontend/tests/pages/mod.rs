//! The stories of the pages in `docs/rules`.
//!
//! A block ```` ```story fails ```` holds a story with an error of the page's rule, `story warns` one with a warning or hint and
//! no error, `story passes` one without either. A line `# path` with the name of a file begins that file. Under a line, a line
//! `#   ^^^^ rule: message` says that a finding of that rule stands exactly there and begins with that message; a `#` that
//! touches the carets counts as one. These lines are not part of the story.
#![allow(dead_code, reason = "no test needs all of it")]

use std::path::PathBuf;

/// The folder of the pages.
pub fn pages_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules")
}

/// What a block promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    Fails,
    Warns,
    Passes,
}

/// A finding that a page asserts.
#[derive(Debug)]
pub struct Expected {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters; the end is exclusive.
    pub columns: (u32, u32),
    pub rule: String,
    pub message: String,
}

/// A block of a page.
#[derive(Debug)]
pub struct Story {
    pub promise: Promise,
    /// Line of the page at which the block begins.
    pub at: usize,
    pub files: Vec<(String, String)>,
    pub expected: Vec<Expected>,
}

fn header(line: &str) -> Option<&str> {
    let name = line.strip_prefix("# ")?;
    let simple = name.chars().all(|c| c.is_ascii_alphanumeric() || "._-/@".contains(c));
    (simple && name.contains('.') && !name.ends_with('.')).then_some(name)
}

/// `#   ^^^^ rule: message`: the columns and the rest.
fn assertion(line: &str) -> Option<((u32, u32), &str, &str)> {
    let rest = line.strip_prefix('#')?;
    let blanks = rest.chars().take_while(|c| *c == ' ').count();
    let carets = rest.trim_start_matches(' ').chars().take_while(|c| *c == '^').count();
    if carets == 0 {
        return None;
    }
    let said = rest.trim_start_matches(' ').trim_start_matches('^').trim();
    let (rule, message) = said.split_once(':')?;
    let small = |n: usize| u32::try_from(n).unwrap();
    let columns = if blanks == 0 {
        (1, small(carets) + 2)
    } else {
        (small(blanks) + 2, small(blanks + carets) + 2)
    };
    Some((columns, rule.trim(), message.trim()))
}

/// The stories of a page.
pub fn stories(page: &str) -> Vec<Story> {
    let mut out: Vec<Story> = Vec::new();
    let mut open: Option<Story> = None;
    for (number, line) in page.lines().enumerate() {
        if let Some(story) = &mut open {
            if line == "```" {
                out.extend(open.take());
                continue;
            }
            if let Some(name) = header(line) {
                story.files.push((name.to_owned(), String::new()));
            } else if let Some((columns, rule, message)) = assertion(line) {
                let (file, text) = story.files.last().unwrap();
                story.expected.push(Expected {
                    file: file.clone(),
                    line: u32::try_from(text.lines().count()).unwrap(),
                    columns,
                    rule: rule.to_owned(),
                    message: message.to_owned(),
                });
            } else if let Some((_, text)) = story.files.last_mut() {
                text.push_str(line);
                text.push('\n');
            } else {
                panic!("line {}: a story begins with `# app.yaml`", number + 1);
            }
            continue;
        }
        let promise = match line.strip_prefix("```story") {
            Some(" fails") => Promise::Fails,
            Some(" warns") => Promise::Warns,
            Some(" passes") => Promise::Passes,
            Some(other) => panic!("line {}: no kind of story: `{other}`", number + 1),
            None => continue,
        };
        open = Some(Story {
            promise,
            at: number + 1,
            files: Vec::new(),
            expected: Vec::new(),
        });
    }
    assert!(open.is_none(), "a block is not closed");
    out
}
