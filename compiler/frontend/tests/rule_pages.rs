//! Every rule has a page, and every story on a page does what the page says.
//!
//! A block ```` ```story fails ```` holds a story with an error of the page's rule, `story warns` one with a warning or hint and
//! no error, `story passes` one without either. A line `# path` with the name of a file begins that file. Under a line, a line
//! `#   ^^^^ rule: message` says that a finding of that rule stands exactly there and begins with that message; a `#` that
//! touches the carets counts as one. These lines are not part of the story.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db, MemorySystem};
use kitsoki_compiler::{pipeline, rules};
use kitsoki_diagnostics::{Diagnostic, Level};
use kitsoki_syntax::LineIndex;

/// Rules whose fault no story in text can show.
const WITHOUT_FAILING_STORY: &[(&str, &str)] = &[
    ("file-not-utf8", "the page is UTF-8"),
    ("file-unreadable", "the files of a page can be read"),
    ("yaml-limit", "the story would be larger than the page may be"),
    ("yaml-alias-growth", "the story would be larger than the page may be"),
    ("import-too-large", "the stories would be larger than the page may be"),
    ("import-source-override", "it needs a variable of the environment"),
];

fn pages_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules")
}

/// What a block promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Promise {
    Fails,
    Warns,
    Passes,
}

/// A finding that a page asserts.
#[derive(Debug)]
struct Expected {
    file: String,
    /// From 1.
    line: u32,
    /// From 1, in characters; the end is exclusive.
    columns: (u32, u32),
    rule: String,
    message: String,
}

#[derive(Debug)]
struct Story {
    promise: Promise,
    /// Line of the page at which the block begins.
    at: usize,
    files: Vec<(String, String)>,
    expected: Vec<Expected>,
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

fn stories(page: &str) -> Vec<Story> {
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

/// A finding with its place in words.
struct Found {
    file: String,
    line: u32,
    columns: (u32, u32),
    finding: Diagnostic,
}

fn check(story: &Story) -> Vec<Found> {
    let files = story
        .files
        .iter()
        .map(|(path, text)| (format!("/story/{path}"), text.as_str()));
    let system = MemorySystem::new(files);
    system.set_env("HOME", "/home/author");
    let db = Database::new(Arc::new(system));
    let root = db.file(Utf8Path::new("/story/app.yaml"));
    pipeline::check(&db, root)
        .iter()
        .map(|finding| {
            let finding = rules::in_whole_files(&db, finding);
            let place = finding.primary.as_ref().map(|p| p.span);
            let file = place.and_then(|s| db.file_by_id(s.file));
            let (Some(span), Some(file)) = (place, file) else {
                return Found {
                    file: String::new(),
                    line: 0,
                    columns: (0, 0),
                    finding,
                };
            };
            let text = file.contents(&db).text().cloned().unwrap_or_else(|| "".into());
            let index = LineIndex::new(&text);
            let (start, end) = (index.line_col(span.range.start()), index.line_col(span.range.end()));
            let path = file.path(&db);
            Found {
                file: path.strip_prefix("/story").unwrap_or(path).to_string(),
                line: start.line,
                columns: (start.col, end.col),
                finding,
            }
        })
        .collect()
}

/// What is wrong with one story of the page about `rule`.
fn judge(rule: &str, story: &Story, out: &mut String) {
    let found = check(story);
    let mut wrong: Vec<String> = Vec::new();
    for e in &story.expected {
        let hit = found.iter().any(|f| {
            f.finding.rule == e.rule
                && f.file == e.file
                && f.line == e.line
                && f.columns == e.columns
                && f.finding.message.starts_with(&e.message)
        });
        if !hit {
            wrong.push(format!(
                "not found: {}:{}:{}-{} {}: {}",
                e.file, e.line, e.columns.0, e.columns.1, e.rule, e.message
            ));
        }
    }
    let errors = found.iter().filter(|f| f.finding.severity == Level::Error).count();
    let about = found.iter().filter(|f| f.finding.rule == rule).count();
    match story.promise {
        Promise::Fails if errors == 0 => wrong.push("no error".to_owned()),
        Promise::Warns | Promise::Passes if errors > 0 => wrong.push("an error".to_owned()),
        Promise::Passes if about > 0 => wrong.push("the rule speaks".to_owned()),
        _ => {}
    }
    if story.promise != Promise::Passes && !story.expected.iter().any(|e| e.rule == rule) {
        wrong.push(format!("nothing is said about `{rule}`"));
    }
    if wrong.is_empty() {
        return;
    }
    let _ = writeln!(out, "{rule}.md, line {}:", story.at);
    for line in wrong {
        let _ = writeln!(out, "  {line}");
    }
    for f in &found {
        let _ = writeln!(
            out,
            "    found {}:{}:{}-{} {}: {}",
            f.file, f.line, f.columns.0, f.columns.1, f.finding.rule, f.finding.message
        );
    }
}

#[test]
fn every_rule_has_a_page_with_stories_that_do_what_it_says() {
    let mut report = String::new();
    for rule in rules::all() {
        let path = pages_dir().join(format!("{}.md", rule.id));
        let Ok(page) = std::fs::read_to_string(&path) else {
            let _ = writeln!(report, "{}: no page", rule.id);
            continue;
        };
        if page.lines().next() != Some(&format!("# {}", rule.id)) {
            let _ = writeln!(report, "{}.md: the first line is not its name", rule.id);
        }
        let stories = stories(&page);
        let excused = WITHOUT_FAILING_STORY.iter().any(|(id, _)| *id == rule.id);
        if !excused && stories.iter().all(|s| s.promise == Promise::Passes) {
            let _ = writeln!(report, "{}.md: no story fails or warns", rule.id);
        }
        if stories.iter().all(|s| s.promise != Promise::Passes) && !excused {
            let _ = writeln!(report, "{}.md: no story passes", rule.id);
        }
        for story in &stories {
            judge(rule.id, story, &mut report);
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn every_page_belongs_to_a_rule() {
    let known: BTreeSet<String> = rules::all().iter().map(|r| format!("{}.md", r.id)).collect();
    let strangers: Vec<String> = std::fs::read_dir(pages_dir())
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".md") && name != "README.md" && !known.contains(name))
        .collect();
    assert!(strangers.is_empty(), "pages without a rule: {strangers:?}");
}

#[test]
fn no_two_rules_share_a_name() {
    let mut seen = BTreeSet::new();
    let twice: Vec<&str> = rules::all()
        .iter()
        .map(|r| r.id)
        .filter(|id| !seen.insert(*id))
        .collect();
    assert!(twice.is_empty(), "{twice:?}");
}
