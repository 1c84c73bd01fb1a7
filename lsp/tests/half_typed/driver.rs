//! Half-typed text: a shipped story with lines taken out, cut at its tokens, and with something left open. What is said stays
//! near, completion answers at the cut, nothing panics.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, OverlaySystem, RealSystem, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::Level;
use kitsoki_lsp::features::actions::actions;
use kitsoki_lsp::features::completion::completion;
use kitsoki_lsp::features::hover::hover;
use kitsoki_lsp::features::semantic::tokens;
use kitsoki_lsp::features::{At, Snapshot, Workspace};
use kitsoki_syntax::{TextRange, TextSize};

/// A shipped story whose texts can be replaced.
struct Bench {
    overlay: Arc<OverlaySystem>,
    snapshot: Snapshot,
    root: SourceFile,
}

impl Bench {
    fn new(story: &str) -> Self {
        let stories = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("stories");
        let dir = Utf8PathBuf::from_path_buf(stories.canonicalize().unwrap()).unwrap();
        let overlay = Arc::new(OverlaySystem::new(Arc::new(RealSystem)));
        let db = Database::for_editing(overlay.clone());
        let snapshot = Snapshot {
            db,
            workspace: Arc::new(Workspace {
                folders: vec![dir.clone()],
                ..Workspace::default()
            }),
        };
        let root = snapshot.file(&dir.join(story).join("app.yaml"));
        Self {
            overlay,
            snapshot,
            root,
        }
    }

    /// The files of the story that are written by hand.
    fn files(&self) -> Vec<(Utf8PathBuf, String)> {
        let db = &self.snapshot.db;
        pipeline::story(db, self.root)
            .files
            .iter()
            .map(|f| (f.path(db).clone(), self.snapshot.text(*f).to_string()))
            .collect()
    }

    fn set(&mut self, path: &Utf8Path, text: &str) {
        self.overlay.set(path, Some(Arc::from(text)));
        self.snapshot.db.refresh(path);
    }

    /// The rules whose errors stand further than [`NEAR`] from a line of `path`.
    fn far(&self, path: &Utf8Path, line: u32) -> BTreeSet<&'static str> {
        let db = &self.snapshot.db;
        let mut rules = BTreeSet::new();
        for finding in pipeline::findings(db, self.root) {
            if finding.severity != Level::Error {
                continue;
            }
            let place = finding.primary.as_ref().and_then(|p| self.snapshot.place(p.span));
            let near = place.is_some_and(|place| {
                let at = self.snapshot.lines(place.file).line_col(place.range.start()).line;
                place.file.path(db) == path && at.abs_diff(line) <= NEAR
            });
            if !near {
                rules.insert(finding.rule);
            }
        }
        rules
    }

    fn at(&self, path: &Utf8Path, offset: usize) -> At {
        At {
            file: self.snapshot.file(path),
            offset: TextSize::new(u32::try_from(offset).unwrap()),
        }
    }
}

/// The shipped stories.
pub const STORIES: [&str; 5] = ["cloak", "dev-story", "git-hub", "pipeline", "workbench-smoke"];

/// Far from an edit is more than so many lines.
const NEAR: u32 = 3;
/// Most rules that speak far from one edit.
const MOST_FAR: usize = 6;

/// What was done to a story.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// How many edits were made.
    pub edits: usize,
    /// Rules that spoke far from them, counted for each edit.
    pub far: usize,
    /// Places at which completion had to have something.
    pub asked: usize,
}

impl std::ops::AddAssign for Done {
    fn add_assign(&mut self, other: Self) {
        self.edits += other.edits;
        self.far += other.far;
        self.asked += other.asked;
    }
}

impl Bench {
    /// Sets a text and looks at what is said far from a line of it.
    fn edit(&mut self, path: &Utf8Path, text: &str, line: usize, what: &str, done: &mut Done) {
        self.set(path, text);
        let line = u32::try_from(line).unwrap() + 1;
        let rules = self.far(path, line);
        done.edits += 1;
        done.far += rules.len();
        assert!(rules.len() <= MOST_FAR, "{path}:{line} {what}: {rules:?}");
    }
}

fn says_something(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

/// A text with one of its lines replaced.
fn with_line(lines: &[&str], n: usize, new: &str) -> String {
    let line = |(i, line): (usize, &&str)| if i == n { new.to_owned() } else { (*line).to_owned() };
    lines.iter().enumerate().map(line).collect()
}

/// Takes out one line at a time, every `step`th of each file.
pub fn without_lines(story: &str, step: usize) -> Done {
    let mut done = Done::default();
    let mut bench = Bench::new(story);
    for (path, text) in bench.files() {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for n in (0..lines.len()).step_by(step) {
            if says_something(lines[n]) {
                let what = format!("without `{}`", lines[n].trim_end());
                bench.edit(&path, &with_line(&lines, n, ""), n, &what, &mut done);
            }
        }
        bench.set(&path, &text);
    }
    done
}

/// Leaves something open before the value of every `step`th line.
pub fn left_open(story: &str, step: usize) -> Done {
    let mut done = Done::default();
    let mut bench = Bench::new(story);
    for (path, text) in bench.files() {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for (k, open) in ["{", "\"", "'", "{{ ", "["].iter().enumerate() {
            for n in (k % step..lines.len()).step_by(step) {
                let line = lines[n].trim_end();
                if let Some((key, value)) = line.split_once(": ").filter(|_| says_something(line)) {
                    let new = format!("{key}: {open}{value}\n");
                    let what = format!("with `{open}`");
                    bench.edit(&path, &with_line(&lines, n, &new), n, &what, &mut done);
                }
            }
        }
        bench.set(&path, &text);
    }
    done
}

/// Cuts the rest of a line behind every `step`th token, and asks there for what somebody who types sees.
pub fn cut_at_tokens(story: &str, step: usize) -> Done {
    let mut done = Done::default();
    let mut bench = Bench::new(story);
    for (path, text) in bench.files() {
        let cuts = text
            .char_indices()
            .filter(|(_, c)| matches!(c, ':' | '.' | ' ' | '{' | '[' | '"' | '\'' | '-' | '|' | ','))
            .map(|(at, c)| at + c.len_utf8());
        for at in cuts.step_by(step) {
            let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
            let edited = format!("{}{}", &text[..at], &text[end..]);
            let before = text[..at].rsplit('\n').next().unwrap_or_default();
            let line = text[..at].matches('\n').count();
            bench.edit(&path, &edited, line, &format!("cut behind `{before}`"), &mut done);
            let place = bench.at(&path, at);
            let items = completion(&bench.snapshot, place);
            let _ = hover(&bench.snapshot, place);
            let _ = tokens(&bench.snapshot, place.file, None);
            let _ = actions(&bench.snapshot, place.file, TextRange::empty(place.offset));
            if wants_a_name(before) {
                done.asked += 1;
                assert!(!items.is_empty(), "{path}: nothing behind `{before}`");
            }
        }
        bench.set(&path, &text);
    }
    done
}

/// Whether a line, as far as it is typed, ends where a name must follow.
fn wants_a_name(before: &str) -> bool {
    let prose =
        before.contains('#') || (before.contains("world.") && !before.contains("{{") && !before.contains("when:"));
    let ends = ["world.", "target: ", "intent: ", "invoke: "];
    !prose && ends.iter().any(|w| before.ends_with(w))
}

/// Breaks every file of a story and puts it back; what is said must be what was said.
pub fn put_back(story: &str) {
    let mut bench = Bench::new(story);
    let before = pipeline::findings(&bench.snapshot.db, bench.root);
    for (path, text) in bench.files() {
        for cut in [text.len() / 3, text.len() / 2] {
            let cut = (cut..).find(|c| text.is_char_boundary(*c)).unwrap();
            bench.set(&path, &text[..cut]);
            let _ = pipeline::findings(&bench.snapshot.db, bench.root);
            bench.set(&path, &text);
        }
    }
    assert_eq!(pipeline::findings(&bench.snapshot.db, bench.root), before, "{story}");
}
