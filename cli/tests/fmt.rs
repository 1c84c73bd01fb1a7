//! `kitsoki fmt` on real files: exit statuses, links, modes, standard input. And that `graph` and `schema` print what they say.
#![expect(clippy::expect_used, reason = "a test stops at the first surprise")]

use std::io::Write as _;
use std::process::Stdio;

use support::{Folder, err, kitsoki, out};

mod support;

const MESSY: &str = "app:   {id: a}\nroot:   x\nstates:\n    x: {view:   y}\n";
const TIDY: &str = "app: { id: a }\nroot: x\nstates:\n  x: { view: y }\n";

#[test]
fn a_folder_is_formatted_once() {
    let story = Folder::new(&[("app.yaml", MESSY), ("rooms/a.yaml", "states:   {}\n")]);
    let first = story.run(&["fmt", "."]);
    assert_eq!(first.status.code(), Some(0), "{}", err(&first));
    assert!(out(&first).contains("2 files formatted"), "{}", out(&first));
    assert_eq!(story.read("app.yaml"), TIDY);
    assert_eq!(story.read("rooms/a.yaml"), "states: {}\n");
    let second = story.run(&["fmt", "--check", "."]);
    assert_eq!(second.status.code(), Some(0), "{}", out(&second));
}

#[test]
fn check_and_diff_write_nothing() {
    let story = Folder::new(&[("app.yaml", MESSY)]);
    let check = story.run(&["fmt", "--check", "app.yaml"]);
    assert_eq!(check.status.code(), Some(1));
    assert!(out(&check).contains("would change: app.yaml"), "{}", out(&check));
    let diff = story.run(&["fmt", "--diff", "app.yaml"]);
    assert_eq!(diff.status.code(), Some(1));
    assert!(out(&diff).contains("+root: x"), "{}", out(&diff));
    assert_eq!(story.read("app.yaml"), MESSY);
}

#[test]
fn files_of_other_tools_are_touched_only_by_name() {
    let other = "services:   {}\n";
    let all = Folder::new(&[("s/app.yaml", MESSY), ("compose.yaml", other)]);
    all.run(&["fmt", "."]);
    assert_eq!(all.read("s/app.yaml"), TIDY);
    assert_eq!(all.read("compose.yaml"), other);
    all.run(&["fmt", "compose.yaml"]);
    assert_eq!(all.read("compose.yaml"), "services: {}\n");
    let none = Folder::new(&[("compose.yaml", other)]);
    assert_eq!(none.run(&["fmt", "."]).status.code(), Some(2));
}

#[test]
fn a_broken_file_is_left_and_named() {
    let broken = "app:   {id: a}\nroot: [\n";
    let story = Folder::new(&[("app.yaml", broken), ("b.yaml", "a:   1\n")]);
    let run = story.run(&["fmt", "app.yaml", "b.yaml"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(err(&run).contains("app.yaml:2:"), "{}", err(&run));
    assert_eq!(story.read("app.yaml"), broken);
    assert_eq!(story.read("b.yaml"), "a: 1\n", "the others are formatted");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let here = Folder::new(&[]);
    let mut child = kitsoki(here.0.path(), &["fmt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(MESSY.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(out(&output), TIDY);
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn the_mode_stays_and_links_lead_nowhere_outside() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let outside = Folder::new(&[("far.yaml", MESSY)]);
    let story = Folder::new(&[("app.yaml", MESSY), ("near.yaml", MESSY)]);
    let here = story.0.path();
    std::fs::set_permissions(here.join("app.yaml"), std::fs::Permissions::from_mode(0o640)).expect("a mode");
    symlink(outside.0.path().join("far.yaml"), here.join("out.yaml")).expect("a link");
    symlink("near.yaml", here.join("in.yaml")).expect("a link");

    assert_eq!(story.run(&["fmt", "app.yaml", "in.yaml"]).status.code(), Some(0));
    let mode = std::fs::metadata(here.join("app.yaml"))
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(story.read("near.yaml"), TIDY, "a link inside is followed");
    assert!(here.join("in.yaml").is_symlink(), "and stays a link");

    let out = story.run(&["fmt", "out.yaml"]);
    assert_eq!(out.status.code(), Some(2), "{}", err(&out));
    assert_eq!(outside.read("far.yaml"), MESSY);
}

#[test]
fn a_graph_is_drawn_also_of_a_story_with_errors() {
    let story = Folder::new(&[(
        "app.yaml",
        "app: { id: a }\nroot: x\nstates:\n  x: { on: { go: [{ target: nowhere }] } }\n",
    )]);
    let run = story.run(&["graph", "app.yaml", "--format", "json"]);
    assert_eq!(run.status.code(), Some(1));
    assert!(out(&run).contains("\"unknown\""), "{}", out(&run));
    assert!(err(&run).contains("error"), "{}", err(&run));
}

#[test]
fn the_schema_is_a_document() {
    let run = Folder::new(&[]).run(&["schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert!(schema.pointer("/definitions/Manifest/properties/states").is_some());
}
