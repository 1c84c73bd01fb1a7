//! What every form makes of the same findings, and of texts that want to do harm.

use kitsoki_syntax::{FileId, Span, TextRange};

use super::*;
use crate::{Fix, Fixable, MemorySources, Registry, Rule};

const RULE: Rule = Rule {
    id: "target-unknown",
    level: Level::Error,
    summary: "an arc leads to a room that does not exist",
    fixable: Fixable::Sometimes,
};
const WARNING: Rule = Rule {
    id: "dead-end",
    level: Level::Warning,
    summary: "a dead end",
    fixable: Fixable::Never,
};

fn span(file: FileId, a: u32, b: u32) -> Span {
    Span::new(file, TextRange::new(a.into(), b.into()))
}

fn sample() -> (Vec<Diagnostic>, MemorySources) {
    let mut sources = MemorySources::new();
    let desk = sources.add(
        "rooms/desk.yaml",
        "states:\n  desk:\n    on:\n      go: [{ target: hal }]\n",
        true,
    );
    let app = sources.add("app.yaml", "app: { id: a }\nstates:\n  hall: {}\n", true);
    let finding = RULE
        .at(span(desk, 45, 48), "this arc leads nowhere")
        .message("no room is called `hal`")
        .label(span(app, 25, 29), "a room with a similar name")
        .help("change it to `hall`")
        .fix(
            Fix::replace(span(desk, 45, 48), "hall")
                .title("change it to `hall`")
                .safe_if(true),
        );
    (vec![finding], sources)
}

#[test]
fn full_shows_both_places_the_patch_and_where_to_read_on() {
    let (findings, sources) = sample();
    insta::assert_snapshot!(full(&findings, &sources, FullOptions::default()), @r"
    error[target-unknown]: no room is called `hal`
      ┌─ rooms/desk.yaml:4:22
      │
    4 │       go: [{ target: hal }]
      │                      ^^^ this arc leads nowhere
      │
      ┌─ app.yaml:3:3
      │
    3 │   hall: {}
      │   ---- a room with a similar name
      │
      = fix: change it to `hall`
            4 -       go: [{ target: hal }]
            4 +       go: [{ target: hall }]
      = see: kitsoki explain target-unknown
    ");
}

#[test]
fn concise_is_one_line() {
    let (findings, sources) = sample();
    assert_eq!(
        concise(&findings, &sources),
        "rooms/desk.yaml:4:22: error[target-unknown] no room is called `hal` (change it to `hall`)\n"
    );
}

#[test]
fn json_has_the_documented_shape() {
    let (findings, sources) = sample();
    let json: serde_json::Value = serde_json::from_str(&json(&findings, &sources, 2)).unwrap();
    assert_eq!(json["schema"], 1);
    let first = &json["diagnostics"][0];
    assert_eq!(
        first["primary"]["range"]["start"],
        serde_json::json!({ "line": 4, "column": 22, "offset": 45 })
    );
    assert_eq!(first["labels"][0]["file"], "app.yaml");
    assert_eq!(
        first["fixes"][0]["edits"][0],
        serde_json::json!({ "file": "rooms/desk.yaml", "start": 45, "end": 48, "text": "hall" })
    );
    assert_eq!(
        json["summary"],
        serde_json::json!({ "errors": 1, "warnings": 0, "hints": 0, "files": 2 })
    );
}

#[test]
fn github_lets_no_text_start_a_command() {
    let mut sources = MemorySources::new();
    let file = sources.add("a,b:c.yaml", "x", true);
    let finding = RULE
        .at(span(file, 0, 1), "")
        .message("one\n::error::two 100%")
        .help("three\n::error::four");
    assert_eq!(
        github(&[finding], &sources),
        "::error title=target-unknown,file=a%2Cb%3Ac.yaml,line=1,col=1,endLine=1,endColumn=2::one␤::error::two 100%25%0Ahelp: three%0A::error::four\n"
    );
}

#[test]
fn junit_is_well_formed_whatever_the_texts_hold() {
    let mut sources = MemorySources::new();
    let file = sources.add("a\"<.yaml", "x", true);
    let finding = RULE.at(span(file, 0, 1), "").message("<b>&\u{1b}\u{ffff}");
    let text = junit(&[finding], &sources);
    assert!(text.contains("&lt;b&gt;&amp;\u{241b}\u{fffd}"), "{text}");
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn sarif_names_rules_places_and_fixes() {
    let (findings, sources) = sample();
    let registry = Registry::new(vec![&RULE]);
    let json: serde_json::Value = serde_json::from_str(&sarif(&findings, &sources, &registry, "0.1.0")).unwrap();
    let run = &json["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "target-unknown");
    let result = &run["results"][0];
    assert_eq!(result["level"], "error");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startColumn"], 22);
    assert_eq!(
        result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"],
        "hall"
    );
}

#[test]
fn agent_gives_the_edit_and_the_next_command() {
    let (findings, sources) = sample();
    let text = agent(&findings, &sources, 2, "kitsoki check .");
    assert!(text.contains("rooms/desk.yaml:4:22-4:25 -> \"hall\""), "{text}");
    assert!(
        text.ends_with("next: kitsoki check . --fix   (applies 1 safe fixes)\n"),
        "{text}"
    );
}

#[test]
fn nothing_of_a_foreign_file_is_quoted() {
    let mut sources = MemorySources::new();
    let file = sources.add("/etc/secret", "password: hunter2\n", false);
    let finding = RULE
        .at(span(file, 10, 17), "here")
        .fix(Fix::replace(span(file, 10, 17), "x"));
    let everything = [
        full(std::slice::from_ref(&finding), &sources, FullOptions::default()),
        agent(std::slice::from_ref(&finding), &sources, 1, "x"),
        concise(std::slice::from_ref(&finding), &sources),
    ];
    for text in everything {
        assert!(!text.contains("hunter2"), "{text}");
        assert!(text.contains("/etc/secret:1:11"), "{text}");
    }
}

#[test]
fn escapes_in_a_source_line_never_reach_a_terminal() {
    let mut sources = MemorySources::new();
    let file = sources.add("a\u{1b}[2J.yaml", "k: \u{1b}[31mred\u{202e}\n", true);
    let finding = RULE.at(span(file, 3, 8), "la\u{1b}bel").message("mess\u{7}age");
    for text in [
        full(std::slice::from_ref(&finding), &sources, FullOptions::default()),
        concise(&[finding], &sources),
    ] {
        assert!(
            !text.chars().any(|c| c == '\u{1b}' || c == '\u{7}' || c == '\u{202e}'),
            "{text:?}"
        );
    }
}

#[test]
fn a_very_long_line_is_cut_around_the_place() {
    let mut sources = MemorySources::new();
    let text = format!("{}HERE{}\n", "a".repeat(500_000), "b".repeat(500_000));
    let file = sources.add("a.yaml", text, true);
    let text = full(
        &[RULE.at(span(file, 500_000, 500_004), "x")],
        &sources,
        FullOptions::default(),
    );
    assert!(
        text.contains("HERE") && text.contains('…') && text.len() < 2_000,
        "{}",
        text.len()
    );
    assert!(text.contains("a.yaml:1:500001"), "{text}");
}

#[test]
fn any_span_of_any_text_renders() {
    let mut sources = MemorySources::new();
    let texts = ["", "\n", "é\r\n\t漢字: \u{1f600}\n", "a\r\nb\n\nc"];
    let files: Vec<FileId> = texts.iter().map(|t| sources.add("f.yaml", *t, true)).collect();
    for file in files.iter().copied().chain([FileId(99)]) {
        for a in 0..26u32 {
            for b in a..26u32 {
                let finding = WARNING.at(span(file, a, b), "label").label(span(file, b, b), "end");
                let text = full(
                    std::slice::from_ref(&finding),
                    &sources,
                    FullOptions { color: true, width: 40 },
                );
                assert!(text.contains("dead-end"));
                assert!(concise(&[finding], &sources).ends_with('\n'));
            }
        }
    }
}

#[test]
fn the_summary_counts_in_words() {
    let (findings, _) = sample();
    assert_eq!(summary(&findings, 1), "1 error in 1 file");
    assert_eq!(summary(&[], 3), "nothing is wrong in 3 files");
}
