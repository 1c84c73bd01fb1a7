//! Half-typed text: every shipped story with lines taken out, cut at its tokens, and with something left open. What is said
//! stays near, completion answers at the cut, nothing panics.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, OverlaySystem, RealSystem, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_diagnostics::Level;
use kitsoki_lsp::features::completion::completion;
use kitsoki_lsp::features::hover::hover;
use kitsoki_lsp::features::semantic::tokens;
use kitsoki_lsp::features::{At, Snapshot, Workspace};
use kitsoki_syntax::TextSize;

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

const STORIES: [&str; 5] = ["cloak", "dev-story", "git-hub", "pipeline", "workbench-smoke"];

/// Far from an edit is more than so many lines.
const NEAR: u32 = 3;
/// Most rules that speak far from one edit.
const MOST_FAR: usize = 6;

#[test]
fn without_a_line_what_is_said_stays_near() {
    // A line may hold a declaration that the rest of the story is built on: its uses are told, and little else.
    let (mut edits, mut far) = (0usize, 0usize);
    for story in STORIES {
        let mut bench = Bench::new(story);
        for (path, text) in bench.files() {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            for n in (0..lines.len()).step_by(7) {
                if lines[n].trim().is_empty() || lines[n].trim_start().starts_with('#') {
                    continue;
                }
                let edited: String = lines
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| *i != n)
                    .map(|(_, l)| *l)
                    .collect();
                bench.set(&path, &edited);
                let at = u32::try_from(n).unwrap() + 1;
                let rules = bench.far(&path, at);
                edits += 1;
                far += rules.len();
                assert!(
                    rules.len() <= MOST_FAR,
                    "{path}:{at} without `{}`: {rules:?}",
                    lines[n].trim_end()
                );
            }
            bench.set(&path, &text);
        }
    }
    assert!(edits > 120, "{edits}");
    assert!(far * 3 <= edits, "{far} rules far from {edits} edits");
}

#[test]
fn something_left_open_is_reported_near() {
    for story in STORIES {
        let mut bench = Bench::new(story);
        for (path, text) in bench.files() {
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            for (k, open) in ["{", "\"", "{{ ", "["].iter().enumerate() {
                for n in (k..lines.len()).step_by(17) {
                    let line = lines[n].trim_end();
                    if line.trim().is_empty() || line.trim_start().starts_with('#') || !line.contains(": ") {
                        continue;
                    }
                    let edited: String = lines
                        .iter()
                        .enumerate()
                        .map(|(i, l)| {
                            if i == n {
                                let (key, value) = line.split_once(": ").unwrap();
                                format!("{key}: {open}{value}\n")
                            } else {
                                (*l).to_owned()
                            }
                        })
                        .collect();
                    bench.set(&path, &edited);
                    let at = u32::try_from(n).unwrap() + 1;
                    // Text inside of a block or a template may hold the sign without harm.
                    let rules = bench.far(&path, at);
                    assert!(rules.len() <= MOST_FAR, "{path}:{at} `{open}`: {rules:?}");
                }
            }
            bench.set(&path, &text);
        }
    }
}

#[test]
fn cut_at_a_token_completion_still_answers() {
    let mut asked = 0usize;
    for story in STORIES {
        let mut bench = Bench::new(story);
        for (path, text) in bench.files() {
            let cuts = text
                .char_indices()
                .filter(|(_, c)| matches!(c, ':' | '.' | ' ' | '{' | '[' | '"' | '\'' | '-'))
                .map(|(at, c)| at + c.len_utf8());
            for at in cuts.step_by(19) {
                // The rest of the line is not written yet.
                let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
                let edited = format!("{}{}", &text[..at], &text[end..]);
                bench.set(&path, &edited);
                let place = bench.at(&path, at);
                let items = completion(&bench.snapshot, place);
                let _ = hover(&bench.snapshot, place);
                let _ = tokens(&bench.snapshot, place.file, None);
                let before = text[..at].lines().last().unwrap_or_default();
                let prose = before.contains('#')
                    || (before.contains("world.") && !before.contains("{{") && !before.contains("when:"));
                if !prose
                    && ["world.", "target: ", "intent: ", "invoke: "]
                        .iter()
                        .any(|w| before.ends_with(w))
                {
                    asked += 1;
                    assert!(!items.is_empty(), "{path}: nothing behind `{before}`");
                }
            }
            bench.set(&path, &text);
        }
    }
    assert!(asked > 5, "{asked}");
}

#[test]
fn a_text_put_back_has_its_old_findings() {
    for story in STORIES {
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
}
