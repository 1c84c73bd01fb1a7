//! `kitsoki test` and `kitsoki trace` on real files: exit statuses, reports, gates, and a trace that becomes a flow.
#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::path::{Path, PathBuf};

use support::{Folder, err, out, run};

#[path = "../../compiler/frontend/tests/pages/mod.rs"]
mod pages;
mod support;

const STORY: &str = "\
app: { id: bakery, version: 0.1.0 }
root: shop
hosts: [host.oven.bake, host.run]
world: { loaves: { type: int, default: 0 } }
intents: { bake: { slots: { n: { type: int, required: true } } }, sweep: {} }
states:
  shop:
    view: \"{{ world.loaves }} loaves\"
    on:
      bake: [{ target: shop, effects: [{ invoke: host.oven.bake, with: { n: \"{{ slots.n }}\" }, bind: { loaves: loaves } }] }]
      sweep: [{ target: back }]
  back:
    write_mode: read_only
    agent_off_ramp: true
    view: \"Swept.\"
    on_enter: [{ invoke: host.run, id: broom, with: { cmd: \"broom\" }, on_error: shop }]
    on: { bake: [{ target: shop }] }
";

const FLOW: &str = "\
test_kind: flow
initial_state: shop
host_handlers: { host.oven.bake: { data: { loaves: 3 } }, host.run: { data: { ok: true } } }
turns:
  - intent: { name: bake, slots: { n: 3 } }
    expect_world: { loaves: 3 }
    expect_view_matches: \"3 loaves\"
  - intent: { name: sweep }
    expect_state: back
";

fn bakery() -> Folder {
    Folder::new(&[("app.yaml", STORY), ("flows/day.yaml", FLOW)])
}

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../stories")
}

#[test]
fn the_shipped_stories_pass_under_strict_gates() {
    let result = run(&shipped(), &["test", "flows", ".", "--gates", "strict"]);
    let text = out(&result);
    assert_eq!(result.status.code(), Some(0), "{text}{}", err(&result));
    assert!(!text.contains("FAIL") && text.contains("All stories: "), "{text}");
    assert!(!text.contains("warning:"), "{text}");
}

#[test]
fn a_change_in_a_read_only_room_is_assumed_or_refused() {
    let story = bakery();
    let assumed = story.run(&["test", "flows", "."]);
    assert_eq!(assumed.status.code(), Some(0), "{}{}", out(&assumed), err(&assumed));
    assert!(
        out(&assumed).contains("host.run in read-only back: granted"),
        "{}",
        out(&assumed)
    );
    let strict = story.run(&["test", "flows", "app.yaml", "--gates", "strict"]);
    assert_eq!(strict.status.code(), Some(1), "{}", out(&strict));
    assert!(
        out(&strict).contains("expect_state: got \"shop\", want \"back\""),
        "{}",
        out(&strict)
    );
}

#[test]
fn reports_say_what_failed_to_programs_too() {
    let story = Folder::new(&[
        ("app.yaml", STORY),
        (
            "flows/day.yaml",
            &FLOW.replace("loaves: 3 }\n    expect", "loaves: 4 }\n    expect"),
        ),
    ]);
    let result = story.run(&["test", "flows", ".", "--json", "out/r.json", "--junit", "out/r.xml"]);
    assert_eq!(result.status.code(), Some(1), "{}", err(&result));
    let json = std::fs::read_to_string(story.path("out/r.json")).expect("a report");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["Failed"], 1);
    let failure = &json["Results"][0]["Turns"][0]["Failures"][0];
    assert_eq!(failure, "expect_world[\"loaves\"]: got 3, want 4");
    let xml = std::fs::read_to_string(story.path("out/r.xml")).expect("a report");
    assert!(
        xml.contains("failures=\"1\"") && xml.contains("turn 1, line 5: expect_world"),
        "{xml}"
    );
}

#[test]
fn what_a_fixture_says_in_vain_is_told_and_changes_nothing() {
    let story = Folder::new(&[
        ("app.yaml", STORY),
        (
            "flows/day.yaml",
            &FLOW.replace("expect_view_matches", "expect_veiw_matches"),
        ),
    ]);
    let result = story.run(&["test", "flows", "."]);
    assert_eq!(result.status.code(), Some(0), "{}", out(&result));
    let text = out(&result);
    assert!(
        text.contains("day.yaml:7:5: a turn has no key `expect_veiw_matches`"),
        "{text}"
    );
    assert!(text.contains("did you mean `expect_view_matches`?"), "{text}");
}

#[test]
fn a_run_that_cannot_go_on_says_why() {
    let story = Folder::new(&[("app.yaml", STORY), ("flows/day.yaml", "test_kind: flow\nturns: 3\n")]);
    let result = story.run(&["test", "flows", "."]);
    assert_eq!((result.status.code(), out(&result).as_str()), (Some(2), ""));
    assert!(
        err(&result).contains("day.yaml:2:8: `turns` wants a list"),
        "{}",
        err(&result)
    );
    let none = story.run(&["test", "flows", ".", "--flows", "none/*.yaml"]);
    assert!(
        err(&none).contains("app.yaml: no flow fixtures matched \"none/*.yaml\""),
        "{}",
        err(&none)
    );
}

#[test]
fn a_trace_is_shown_followed_and_made_into_a_flow_that_passes() {
    let story = bakery();
    let run = story.run(&["test", "flows", ".", "--trace-out", "t.jsonl"]);
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    let shown = story.run(&["trace", "show", "t.jsonl", "--kind", "machine.transition"]);
    assert!(
        out(&shown).contains("turn 2\n  machine.transition shop → back (sweep)"),
        "{}",
        out(&shown)
    );
    let followed = story.run(&["trace", "replay", "t.jsonl", "--app", ".", "--format", "json"]);
    assert_eq!(followed.status.code(), Some(0), "{}", err(&followed));
    let end: serde_json::Value = serde_json::from_str(&out(&followed)).expect("JSON");
    assert_eq!((&end["state"], &end["world"]["loaves"]), (&"back".into(), &3.into()));
    let args = [
        "trace",
        "to-flow",
        "t.jsonl",
        "--app",
        "app.yaml",
        "--out",
        "flows/again.yaml",
        "--acceptance",
    ];
    let made = story.run(&args);
    assert_eq!(made.status.code(), Some(0), "{}", err(&made));
    let again = story.run(&["test", "flows", ".", "--flows", "flows/again.yaml"]);
    assert_eq!(again.status.code(), Some(0), "{}", out(&again));
    assert_eq!(
        story.run(&args).status.code(),
        Some(2),
        "nothing is written over without --force"
    );
}

#[test]
fn a_torn_trace_is_refused_with_its_line() {
    let story = Folder::new(&[(
        "t.jsonl",
        "{\"kind\":\"session.header\",\"schema_version\":1}\n{\"turn\":1,\"seq\":0,\"kind\":\"turn.st",
    )]);
    let result = story.run(&["trace", "replay", "t.jsonl"]);
    assert_eq!(result.status.code(), Some(1), "{}", out(&result));
    assert!(err(&result).contains("t.jsonl:2:"), "{}", err(&result));
}

#[test]
fn reports_never_go_over_files_of_a_story() {
    let story = bakery();
    let result = story.run(&["test", "flows", ".", "--json", "app.yaml"]);
    assert_eq!(result.status.code(), Some(2), "{}", out(&result));
    assert_eq!(
        std::fs::read_to_string(story.path("app.yaml")).expect("the story"),
        STORY
    );
}

#[test]
fn coverage_says_which_lines_of_scripts_flows_run() {
    let script = "def twice(n):\n    return n * 2\n\ndef main(ctx):\n    n = int(ctx.inputs[\"n\"])\n    if n > 3:\n        n = twice(n)\n    return {\"n\": n}\n";
    let sidecar = "inputs:\n  n: { type: any }\noutputs:\n  n: { type: int }\n";
    let story = "\
app: { id: sums, version: 0.1.0 }
root: desk
hosts: [host.starlark.run]
world: { n: { type: int, default: 0 } }
intents: { add: { slots: { n: { type: int, required: true } } }, tidy: {} }
states:
  desk:
    view: \"{{ world.n }}\"
    on:
      add: [{ target: ., effects: [{ invoke: host.starlark.run, with: { script: scripts/sum.star, inputs: { n: \"{{ slots.n }}\" } }, bind: { n: n } }] }]
      tidy: [{ target: ., effects: [{ invoke: host.starlark.run, with: { script: scripts/tidy.star, inputs: { n: \"1\" } } }] }]
";
    let flow = |n: u8| {
        format!(
            "test_kind: flow\ninitial_state: desk\nuse_orchestrator: true\nturns: [{{ intent: {{ name: add, slots: {{ n: {n} }} }} }}]\n"
        )
    };
    let files = |second: &str| {
        Folder::new(&[
            ("app.yaml", story),
            ("scripts/sum.star", script),
            ("scripts/sum.star.yaml", sidecar),
            ("scripts/tidy.star", script),
            ("scripts/tidy.star.yaml", sidecar),
            ("flows/a.yaml", &flow(2)),
            ("flows/b.yaml", second),
        ])
    };
    let part = files("test_kind: other\n");
    let result = part.run(&["test", "flow-coverage", "app.yaml", "--json", "c.json"]);
    let text = out(&result);
    assert_eq!(result.status.code(), Some(0), "{text}{}", err(&result));
    assert!(text.contains("scripts  1/2 run, 5/14 lines"), "{text}");
    assert!(text.contains("not run: scripts/tidy.star"), "{text}");
    assert!(
        text.contains("never called: twice (line 1)") && text.contains("never run: line 2, 7"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&part.read("c.json")).expect("JSON");
    let scripts = &json["script_coverage"]["scripts"];
    assert_eq!(scripts[0]["path"], "scripts/sum.star");
    assert_eq!(scripts[0]["missed_lines"], serde_json::json!([2, 7]));
    assert_eq!(scripts[0]["functions"][0]["called"], false);
    assert_eq!(scripts[1]["covered"], false);
    // A flow that cannot go on is told, and the rest counts.
    let broken = flow(9) + "host_cassette: nowhere.yaml\n";
    let result = files(&broken).run(&["test", "flow-coverage", "app.yaml"]);
    assert!(
        out(&result).contains("not run to its end: "),
        "{}{}",
        out(&result),
        err(&result)
    );
    let whole = files(&flow(9));
    let text = out(&whole.run(&["test", "flow-coverage", "app.yaml"]));
    assert!(
        text.contains("scripts/sum.star: 7/7 lines") && !text.contains("never called"),
        "{text}"
    );
}

#[test]
fn a_failing_turn_is_told_with_its_line_and_what_was_meant() {
    let flow = FLOW.replace("expect_state: back", "expect_state: bakc")
        + "  - intent: { name: bkae, slots: { n: 3 } }\n  - intent: { name: sweep }\n";
    let story = Folder::new(&[("app.yaml", STORY), ("flows/day.yaml", &flow)]);
    let result = story.run(&["test", "flows", ".", "--json", "r.json", "--junit", "r.xml"]);
    let text = out(&result);
    assert_eq!(result.status.code(), Some(1), "{text}");
    for said in [
        "turn 2 → back  (./flows/day.yaml:8)",
        "no room is called `bakc`; `back` is similar",
        "turn 3 → back  (./flows/day.yaml:10)",
        "no intent is called `bkae`; `bake` is similar",
        "allowed here: author_story, bake",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&story.read("r.json")).expect("JSON");
    assert_eq!(json["Results"][0]["Turns"][1]["line"], 8);
    assert!(
        story.read("r.xml").contains("turn 2, line 8: expect_state"),
        "{}",
        story.read("r.xml")
    );
}

#[test]
fn a_run_that_proves_nothing_is_no_success() {
    let empty = Folder::new(&[
        ("app.yaml", STORY),
        ("flows/day.yaml", FLOW),
        ("flows/later.yaml", "# todo\n"),
    ]);
    let result = empty.run(&["test", "flows", "."]);
    assert_eq!(result.status.code(), Some(1), "{}", out(&result));
    assert!(out(&result).contains("FAIL    later.yaml") && out(&result).contains("the file holds no flow"));
    let other = Folder::new(&[
        ("app.yaml", STORY),
        ("flows/a.yaml", "test_kind: intents\nfixtures: []\n"),
    ]);
    let result = other.run(&["test", "flows", "."]);
    assert_eq!(result.status.code(), Some(2), "{}", out(&result));
    assert!(err(&result).contains("no flow was run"), "{}", err(&result));
    let none = Folder::new(&[("app.yaml", STORY)]);
    for (args, said) in [
        (
            &["test", "flows", "."][..],
            "the story has no flows: no file fits `./flows/*.yaml`",
        ),
        (&["test", "routing", "."], "no intent fixture fits `intents/*.yaml`"),
    ] {
        let result = none.run(args);
        assert_eq!(result.status.code(), Some(2), "{args:?}");
        assert!(
            err(&result).contains(said) && err(&result).contains("\n  help: "),
            "{}",
            err(&result)
        );
    }
}

/// A guide shows flows: what it shows passes, and the files are those of the page.
#[test]
fn the_flows_of_the_guides_pass() {
    let guides = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide");
    let mut shown = 0;
    for page in std::fs::read_dir(guides)
        .expect("a folder")
        .map(|e| e.expect("a page").path())
    {
        for story in pages::stories(&std::fs::read_to_string(&page).expect("a page")) {
            let Some(kind) = ["flows", "routing"].into_iter().find(|kind| {
                let folder = if *kind == "flows" { "flows/" } else { "intents/" };
                story.files.iter().any(|(path, _)| path.starts_with(folder))
            }) else {
                continue;
            };
            let files: Vec<(&str, &str)> = story.files.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
            let folder = Folder::new(&files);
            let args: &[&str] = if kind == "flows" {
                &["test", "flows", "."]
            } else {
                &["test", "routing", ".", "--intents", "intents/*.yaml"]
            };
            let result = folder.run(args);
            let text = out(&result) + &err(&result);
            assert_eq!(
                result.status.code(),
                Some(0),
                "{}, line {}\n{text}",
                page.display(),
                story.at
            );
            assert!(!text.contains("warning:"), "{}\n{text}", page.display());
            shown += 1;
        }
    }
    assert!(shown >= 7, "{shown}");
}
