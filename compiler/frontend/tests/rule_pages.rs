//! Every rule has a page, and every story on a page does what the page says.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db, MemorySystem};
use kitsoki_compiler::{pipeline, rules};
use kitsoki_diagnostics::{Diagnostic, Level};
use kitsoki_syntax::LineIndex;

use pages::{Promise, Story, pages_dir, stories};

mod pages;

/// Rules whose fault no story in text can show.
const WITHOUT_FAILING_STORY: &[(&str, &str)] = &[
    ("file-not-utf8", "the page is UTF-8"),
    ("file-unreadable", "the files of a page can be read"),
    ("yaml-limit", "the story would be larger than the page may be"),
    ("yaml-alias-growth", "the story would be larger than the page may be"),
    ("import-too-large", "the stories would be larger than the page may be"),
    ("import-source-override", "it needs a variable of the environment"),
];

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
    pipeline::findings(&db, root)
        .into_iter()
        .map(|finding| {
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

/// The rules of stories and those of comments that suppress findings; stories of the latter are those of their own tests.
fn listed() -> Vec<&'static kitsoki_diagnostics::Rule> {
    let mut rules = rules::all();
    rules.extend(kitsoki_diagnostics::suppress::RULES);
    rules
}

#[test]
fn every_page_belongs_to_a_rule() {
    let known: BTreeSet<String> = listed().iter().map(|r| format!("{}.md", r.id)).collect();
    let mute: Vec<&String> = known.iter().filter(|page| !pages_dir().join(page).is_file()).collect();
    assert!(mute.is_empty(), "rules without a page: {mute:?}");
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

/// Rules some of whose findings bring neither a help nor a fix, with the reason.
const WITHOUT_HELP: &[(&str, &str)] = &[];

#[test]
fn every_finding_of_the_pages_says_what_to_do() {
    let mut silent: std::collections::BTreeMap<&'static str, BTreeSet<String>> = std::collections::BTreeMap::new();
    for rule in rules::all() {
        let page = std::fs::read_to_string(pages_dir().join(format!("{}.md", rule.id))).unwrap();
        for found in stories(&page).iter().flat_map(check) {
            let finding = found.finding;
            if finding.helps.is_empty() && finding.fixes.is_empty() {
                silent.entry(finding.rule).or_default().insert(finding.message);
            }
        }
    }
    let excused: BTreeSet<&str> = WITHOUT_HELP.iter().map(|(rule, _)| *rule).collect();
    let mut report = String::new();
    for (rule, messages) in silent.iter().filter(|(rule, _)| !excused.contains(*rule)) {
        let _ = writeln!(report, "{rule}:");
        for message in messages {
            let _ = writeln!(report, "  {message}");
        }
    }
    for rule in excused.iter().filter(|rule| !silent.contains_key(*rule)) {
        let _ = writeln!(report, "{rule}: it always says what to do, and is excused");
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn the_list_of_the_pages_is_that_of_the_rules() {
    let list = std::fs::read_to_string(pages_dir().join("README.md")).unwrap();
    let mut rules = listed();
    rules.sort_by_key(|r| r.id);
    let wanted: Vec<String> = rules
        .iter()
        .map(|r| format!("| [{0}]({0}.md) | {1} | {2} |", r.id, r.level.as_str(), r.summary))
        .collect();
    let rows: Vec<&str> = list.lines().filter(|l| l.starts_with("| [")).collect();
    let missing: Vec<&String> = wanted.iter().filter(|w| !rows.contains(&w.as_str())).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    assert_eq!(rows.len(), wanted.len(), "{rows:#?}");
}

#[test]
fn every_story_of_the_guides_does_what_it_says() {
    let mut report = String::new();
    let mut told = 0;
    for folder in ["guide", "reference"] {
        let pages = std::fs::read_dir(pages_dir().join("..").join(folder)).unwrap();
        for page in pages.map(|e| e.unwrap().path()) {
            let name = page.file_stem().unwrap().to_string_lossy().into_owned();
            for story in stories(&std::fs::read_to_string(&page).unwrap()) {
                told += 1;
                let rule = story.expected.first().map(|e| e.rule.clone()).unwrap_or_default();
                judge(&rule, &story, &mut report);
                let loud = check(&story)
                    .iter()
                    .filter(|f| f.finding.severity != Level::Hint)
                    .count();
                if story.promise == Promise::Passes && loud > 0 {
                    let _ = writeln!(report, "{name}.md, line {}: {loud} findings", story.at);
                }
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(told > 12, "{told}");
}
