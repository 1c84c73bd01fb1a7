//! Fixes keep their promises: over shipped stories with a mistake put into them, applying what is offered loses no comment,
//! leaves nothing worse, comes to an end, and two fixes do not get into each other's way.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use kitsoki_diagnostics::fixes::Which;
use kitsoki_diagnostics::{Applicability, Diagnostic, Fix, Level};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use story::{Files, Story};

mod story;

/// The shipped stories, each with the files that a story is made of.
fn shipped() -> &'static [Files] {
    static ALL: LazyLock<Vec<Files>> = LazyLock::new(|| {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../stories");
        let mut dirs: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
        dirs.retain(|d| d.join("app.yaml").is_file());
        dirs.sort();
        dirs.iter()
            .map(|dir| {
                let mut files = Files::new();
                read(dir, dir, &mut files);
                files.sort();
                files
            })
            .collect()
    });
    &ALL
}

fn read(root: &Path, dir: &Path, out: &mut Files) {
    for entry in std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            read(root, &entry, out);
        } else if let Ok(text) = std::fs::read_to_string(&entry) {
            let path = entry.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            out.push((path, text));
        }
    }
}

/// A mistake of somebody who types: what it does to a text, at a place between 0 and 1.
type Slip = fn(&str, f64) -> Option<String>;

/// How many of [`SLIPS`], from the first, have safe fixes.
const SAFE: usize = 6;

/// The mistakes, with their names.
const SLIPS: &[(&str, Slip)] = &[
    ("no blank behind a colon", |t, at| {
        line(t, at, |l| l.contains(": ").then(|| l.replacen(": ", ":", 1)))
    }),
    ("a comma more", |t, at| {
        line(t, at, |l| l.find('}').map(|i| format!("{},{}", &l[..i], &l[i..])))
    }),
    ("a tab", |t, at| {
        line(t, at, |l| l.starts_with("  ").then(|| l.replacen("  ", "\t", 1)))
    }),
    ("a line twice", |t, at| {
        line(t, at, |l| l.contains(':').then(|| format!("{l}{l}")))
    }),
    ("a comment that touches", |t, at| {
        line(t, at, |l| l.contains(" # ").then(|| l.replacen(" # ", "# ", 1)))
    }),
    ("a template without quotes", |t, at| {
        line(t, at, |l| {
            l.contains("\"{{")
                .then(|| l.replacen("\"{{", "{{", 1).replacen("}}\"", "}}", 1))
        })
    }),
    ("a letter less", |t, at| {
        word(t, at, |w| Some(format!("{}{}", w.get(..1)?, w.get(2..)?)))
    }),
    ("a letter twice", |t, at| {
        word(t, at, |w| Some(format!("{}{}", w.get(..2)?, w.get(1..)?)))
    }),
    ("two letters changed", |t, at| {
        word(t, at, |w| {
            let (a, b, rest) = (w.get(..1)?, w.get(1..2)?, w.get(2..)?);
            (a != b).then(|| format!("{b}{a}{rest}"))
        })
    }),
    ("another underscore", |t, at| {
        word(t, at, |w| w.contains('_').then(|| w.replace('_', "-")))
    }),
    ("no colon", |t, at| {
        line(t, at, |l| l.trim_end().ends_with(':').then(|| l.replacen(':', "", 1)))
    }),
    ("a quote less", |t, at| {
        line(t, at, |l| l.rfind('"').map(|i| format!("{}{}", &l[..i], &l[i + 1..])))
    }),
    ("a bracket less", |t, at| {
        line(t, at, |l| {
            l.rfind([']', '}']).map(|i| format!("{}{}", &l[..i], &l[i + 1..]))
        })
    }),
    ("a step in", |t, at| {
        line(t, at, |l| l.starts_with(' ').then(|| format!(" {l}")))
    }),
    ("a step out", |t, at| {
        line(t, at, |l| l.strip_prefix(' ').map(str::to_owned))
    }),
    ("no dash", |t, at| {
        line(t, at, |l| {
            l.trim_start().starts_with("- ").then(|| l.replacen("- ", "", 1))
        })
    }),
];

fn at(place: f64, len: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a place"
    )]
    let at = (place * len as f64) as usize;
    at.min(len.saturating_sub(1))
}

/// Changes the first word behind a place that can be changed; comments stay as they are.
fn word(text: &str, place: f64, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut from = at(place, text.len());
    while !text.is_char_boundary(from) {
        from += 1;
    }
    for (start, _) in text[from..].match_indices(|c: char| c.is_ascii_lowercase()).take(200) {
        let start = from + start;
        let fresh = !text[..start].ends_with(part);
        let end = text[start..].find(|c| !part(c)).map_or(text.len(), |e| start + e);
        let line = text[..start].rfind('\n').map_or(0, |i| i + 1);
        if !fresh || end - start < 3 || text[line..start].contains('#') {
            continue;
        }
        if let Some(new) = change(&text[start..end]) {
            return Some(format!("{}{new}{}", &text[..start], &text[end..]));
        }
    }
    None
}

/// Changes the first line behind a place that can be changed and is no comment.
fn line(text: &str, place: f64, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let from = at(place, lines.len());
    let found = lines.iter().enumerate().skip(from).take(60).find_map(|(i, l)| {
        let new = (!l.trim_start().starts_with('#')).then(|| change(l))??;
        (new != *l).then_some((i, new))
    });
    let (i, new) = found?;
    Some(
        lines
            .iter()
            .enumerate()
            .map(|(j, l)| if i == j { new.as_str() } else { l })
            .collect(),
    )
}

/// A story with one to three mistakes.
#[derive(Debug, Clone)]
struct Case {
    story: prop::sample::Index,
    /// The file, the mistake, the place.
    slips: Vec<(prop::sample::Index, usize, f64)>,
}

fn case() -> impl Strategy<Value = Case> {
    // Half of them are of the kinds that have safe fixes.
    let kind = prop_oneof![0..SLIPS.len(), 0..SAFE];
    let slip = (any::<prop::sample::Index>(), kind, 0.0..1.0f64);
    (
        any::<prop::sample::Index>(),
        prop_oneof![2 => prop::collection::vec(slip.clone(), 1), 1 => prop::collection::vec(slip, 2..=3)],
    )
        .prop_map(|(story, slips)| Case { story, slips })
}

impl Case {
    /// The files with the mistakes, and what was done.
    fn files(&self) -> (Files, Vec<String>) {
        let mut files = self.story.get(shipped()).clone();
        let yaml: Vec<usize> = (0..files.len()).filter(|i| is_story(&files[*i].0)).collect();
        let mut done = Vec::new();
        for (file, slip, place) in &self.slips {
            let file = *file.get(&yaml);
            let (name, slip) = &SLIPS[*slip];
            if let Some(new) = slip(&files[file].1, *place) {
                done.push(format!("{name} in {}", files[file].0));
                files[file].1 = new;
            }
        }
        (files, done)
    }
}

/// Whether a file belongs to the text of the story itself.
fn is_story(path: &str) -> bool {
    path.ends_with(".yaml")
        && ["app.yaml", "phases.yaml", "rooms/", "intents/"]
            .iter()
            .any(|p| path.starts_with(p))
}

fn errors(story: &Story) -> usize {
    story.findings.iter().filter(|f| f.severity == Level::Error).count()
}

/// The comments of the author's own text: what stands behind a `#` at the beginning of a line or behind a blank.
fn comments(files: &[(String, String)]) -> Vec<&str> {
    let lines = files.iter().filter(|(p, _)| is_story(p)).flat_map(|(_, t)| t.lines());
    lines
        .filter(|l| !l.contains(['\'', '"', '{', '|', '>']))
        .filter_map(|l| l.split_once("# ").map(|(_, c)| c.trim()))
        .filter(|c| c.len() > 8)
        .collect()
}

fn keeps_comments(before: &[(String, String)], after: &[(String, String)], what: &str) -> Result<(), TestCaseError> {
    let all: String = after.iter().map(|(_, t)| t.as_str()).collect();
    for comment in comments(before) {
        prop_assert!(all.contains(comment), "{}: the comment `{}` is lost", what, comment);
    }
    Ok(())
}

fn show(finding: &Diagnostic, fix: &Fix) -> String {
    format!(
        "{} ({}): {} — {:?}",
        finding.rule, finding.message, fix.title, fix.edits
    )
}

/// How often the same thing is said.
fn same(story: &Story, finding: &Diagnostic) -> usize {
    let same = |f: &&Diagnostic| f.rule == finding.rule && f.message == finding.message;
    story.findings.iter().filter(same).count()
}

/// Each fix alone: it changes something and loses no comment. Where it is the only mistake, it takes its finding away, and a
/// safe fix leaves no more errors.
fn alone(files: &[(String, String)], done: &[String], counts: &Counts) -> Result<(), TestCaseError> {
    let story = Story::check(files);
    let fixes = story.findings.iter().flat_map(|f| f.fixes.iter().map(move |x| (f, x)));
    for (finding, fix) in fixes.take(3) {
        counts.offered.set(counts.offered.get() + 1);
        let what = format!("{done:?}: {}", show(finding, fix));
        let after = story.with_fix(fix);
        prop_assert_ne!(after.as_slice(), files, "{}: nothing changes", what);
        keeps_comments(files, &after, &what)?;
        if fix.applicability == Applicability::Choice {
            continue;
        }
        let mended = Story::check(&after);
        // Behind one of several mistakes another one may have been hidden.
        if done.len() != 1 {
            continue;
        }
        let (was, is) = (same(&story, finding), same(&mended, finding));
        prop_assert!(is < was, "{}: it is still said", what);
        if fix.is_safe() {
            counts.safe.set(counts.safe.get() + 1);
            let (was, is) = (errors(&story), errors(&mended));
            prop_assert!(is <= was, "{}: {} errors became {}", what, was, is);
        }
    }
    Ok(())
}

/// All that may be applied, as `--fix` does, in passes until nothing changes.
fn together(files: &[(String, String)], done: &[String], which: Which) -> Result<(), TestCaseError> {
    let mut now = Story::check(files);
    let mut text = files.to_vec();
    for pass in 0.. {
        let what = format!("{done:?} {which:?}, pass {pass}");
        prop_assert!(pass < 9, "{}: no end", what);
        let next = now.fixed(which);
        if next == text {
            break;
        }
        keeps_comments(&text, &next, &what)?;
        let mended = Story::check(&next);
        if which == Which::Safe && done.len() == 1 {
            let (was, is) = (errors(&now), errors(&mended));
            prop_assert!(is <= was, "{}: {} errors became {}", what, was, is);
        }
        (now, text) = (mended, next);
    }
    Ok(())
}

/// What was looked at.
#[derive(Default)]
struct Counts {
    safe: std::cell::Cell<usize>,
    offered: std::cell::Cell<usize>,
}

#[test]
fn fixes_keep_their_promises() {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(110);
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 0,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let counts = Counts::default();
    let outcome = runner.run(&case(), |case| {
        let (files, done) = case.files();
        alone(&files, &done, &counts)?;
        together(&files, &done, Which::Safe)?;
        together(&files, &done, Which::Unsafe)
    });
    outcome.unwrap();
    let (safe, offered) = (counts.safe.get(), counts.offered.get());
    assert!(safe > 5 && offered > 60, "{safe} safe ones of {offered}");
}
