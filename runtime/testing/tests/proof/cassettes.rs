//! A recording answers the call that was recorded: another one is told, with its place and field by field.

use kitsoki_testing::{Options, Report, flows};
use serde_json::Value as Json;

use crate::support::on_disk;

const STORY: &str = r#"
app: { id: desk, version: "1" }
root: desk
hosts: [host.run]
world:
  out: { type: string, default: "" }
intents:
  go: { description: Go. }
states:
  desk:
    view: "{{ world.out }}{{ world.last_error }}"
    on:
      go:
        - target: .
          effects:
            - { invoke: host.run, with: { cmd: "CMD", env: { A: "1" } }, bind: { out: stdout } }
"#;

const FLOW: &str = "
test_kind: flow
initial_state: desk
host_cassette: ../tape.yaml
turns:
  - intent: { name: go }
";

/// Runs flows of the story with a command, against a cassette.
fn report(cmd: &str, tape: &str, flow_files: &[(&str, &str)], strict: bool) -> Report {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    std::fs::create_dir(dir.path().join("flows")).unwrap();
    write("app.yaml", &STORY.replace("CMD", cmd));
    write("tape.yaml", tape);
    for (name, text) in flow_files {
        write(&format!("flows/{name}"), text);
    }
    let program = on_disk(dir.path());
    let files = flows::expand(&[flows::default_pattern(&dir.path().join("app.yaml"))]).unwrap();
    let options = Options {
        strict_cassettes: strict,
        ..Options::default()
    };
    flows::run(&program, &files, options, &|_| Ok(None), &|_, _| ()).unwrap()
}

fn json(report: &Report) -> Json {
    serde_json::from_str(&report.json()).unwrap()
}

const STATUS: &str = "
kind: host_cassette
episodes:
  - id: other
    match: { handler: host.run, cmd: ls }
    response: { data: { stdout: files } }
  - id: status
    match: { handler: host.run }
    args: { cmd: git status, env: { A: \"1\" } }
    response: { data: { stdout: clean } }
";

#[test]
fn a_recorded_call_is_answered_without_a_word() {
    let report = report("git status", STATUS, &[("a.yaml", FLOW)], false);
    assert_eq!(report.passed(), 1);
    assert_eq!(report.results[0].turns[0].view, "clean");
    assert!(report.results[0].strays.is_empty());
}

#[test]
fn a_changed_call_misses_and_the_nearest_episode_is_told_field_by_field() {
    let report = report("git push -f", STATUS, &[("a.yaml", FLOW)], false);
    let view = &report.results[0].turns[0].view;
    assert!(view.contains("cassette miss: no episode fits host.run"), "{view}");
    let stray = &json(&report)["Results"][0]["cassette_strays"][0];
    assert_eq!(stray["turn"], 0);
    assert_eq!(stray["answered"], false);
    assert_eq!(
        (&stray["episode"]["id"], &stray["episode"]["line"]),
        (&"status".into(), &7.into())
    );
    assert_eq!(stray["differences"].as_array().map(Vec::len), Some(1));
    let difference = &stray["differences"][0];
    assert_eq!(
        (&difference["path"], &difference["asked"]),
        (&"cmd".into(), &"git push -f".into())
    );
    // The cassette is no file of the current directory: what it records is not told.
    assert!(difference["recorded"].as_str().unwrap().contains("not shown"));
    assert!(!report.json().contains("git status") && !report.text().contains("git status"));
    assert!(report.text().contains("tape.yaml:7 `status`"), "{}", report.text());
}

#[test]
fn less_than_what_is_recorded_may_be_matched_and_is_told() {
    for (at, tape) in [
        ("episode", STATUS.replace("    args:", "    match_on: [env]\n    args:")),
        (
            "cassette",
            STATUS.replace("episodes:", "match_on: [args.env]\nepisodes:"),
        ),
    ] {
        let loose = report("git push -f", &tape, &[("a.yaml", FLOW)], false);
        assert_eq!(loose.passed(), 1, "{at}");
        assert_eq!(loose.results[0].turns[0].view, "clean", "{at}");
        let stray = &json(&loose)["Results"][0]["cassette_strays"][0];
        assert_eq!(
            (&stray["answered"], &stray["differences"][0]["path"]),
            (&true.into(), &"cmd".into())
        );
        let text = loose.text();
        assert!(
            text.contains("loose   turn 1: episode `status` answered host.run"),
            "{text}"
        );
        assert!(text.contains("`match_on` leaves out `cmd`"), "{text}");
        let strict = report("git push -f", &tape, &[("a.yaml", FLOW)], true);
        assert_eq!(strict.failed(), 1, "{at}");
        // What is named must still be the same.
        let changed = tape.replace("A: \"1\"", "A: \"2\"");
        let missed = report("git push -f", &changed, &[("a.yaml", FLOW)], false);
        assert!(!missed.results[0].strays[0].answered, "{at}");
    }
}

#[test]
fn a_word_that_decides_nothing_is_told() {
    let plain = "
kind: host_cassette
match_on: [op]
episodes:
  - { id: one, match: { handler: host.run }, replay: any, response: { data: { stdout: ok } } }
";
    let report = report("git push -f", plain, &[("a.yaml", FLOW)], false);
    assert_eq!(report.passed(), 1);
    let told: Vec<(u32, &str)> = report.warnings.iter().map(|w| (w.line, w.message.as_str())).collect();
    assert!(
        told[0].0 == 3 && told[0].1.contains("`match_on: [op]` decides nothing"),
        "{told:?}"
    );
    assert!(told[1].0 == 5 && told[1].1.contains("look at nothing"), "{told:?}");
    assert_eq!(told.len(), 2);
}

#[test]
fn an_episode_that_no_flow_asks_for_is_told_once_and_fails_under_the_strict_option() {
    let tape = STATUS.replace("  - id: other", "  - id: other\n    replay: once");
    let both = [("a.yaml", FLOW), ("b.yaml", FLOW)];
    let calm = report("git status", &tape, &both, false);
    let told: Vec<&str> = calm.warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(
        told,
        ["episode `other` was not asked for by any of the flows of this run that use the cassette"]
    );
    assert_eq!((calm.passed(), calm.warnings[0].line), (2, 4));
    let strict = report("git status", &tape, &both, true);
    assert_eq!(strict.failed(), 2);
    assert!(strict.text().contains("unexpected remaining episodes: [other]"));
    // What another flow of the run asks for is not left over.
    let two = FLOW.to_owned() + "  - intent: { name: go }\n";
    let tape = STATUS.replace("cmd: ls", "cmd: git status");
    assert_eq!(
        report("git status", &tape, &[("a.yaml", FLOW)], false).warnings.len(),
        1
    );
    assert_eq!(
        report("git status", &tape, &[("a.yaml", FLOW), ("b.yaml", &two)], false)
            .warnings
            .len(),
        0
    );
}

#[test]
fn an_answer_that_is_used_up_is_named_as_such() {
    let two = FLOW.to_owned() + "  - intent: { name: go }\n";
    let report = report("git status", STATUS, &[("a.yaml", &two)], false);
    let stray = &report.results[0].strays[0];
    let near = stray.episode.as_ref().unwrap();
    assert_eq!((stray.turn, near.id.as_str(), near.used_up), (1, "status", true));
    assert!(report.text().contains("it has answered already: `replay: any`"));
}

#[test]
fn no_escape_of_a_recording_reaches_a_terminal() {
    let tape = STATUS
        .replace("cmd: ls", "cmd: ls, x: 1, y: 1, z: 1")
        .replace("id: status", "id: \"sta\\e[31mtus\"")
        .replace("A: \"1\"", "A: \"1\", \"k\\e]0;x\\a\": \"\\e[2J\\u202e\\x9b\"");
    let report = report(
        "git\\e[5m push",
        &tape.replace("host.run }", "host.run, cmd: \"\\e[9m\" }"),
        &[("a.yaml", FLOW)],
        false,
    );
    let text = report.text();
    assert!(text.contains("sta␛[31mtus") && text.contains("k␛]0;x"), "{text}");
    let raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!text.contains(raw), "{text:?}");
}
