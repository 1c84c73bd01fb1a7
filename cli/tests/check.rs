//! `kitsoki check` and `kitsoki compile` as a user runs them, where the tests of the compiler do not reach: the working
//! directory, what may be shown of files outside of it, exit codes.

#![expect(clippy::expect_used, reason = "a test stops at the first surprise")]

use std::process::Output;

use support::{Folder, run};

mod support;

fn all(output: &Output) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8(both).expect("UTF-8")
}

const SECRET: &str = "api-key-of-somebody: 4711\n";

fn story(include: &str) -> String {
    format!(
        "app: {{ id: s, title: S, version: 1.0.0 }}\ninclude: [{include}]\nroot: a\nstates:\n  a: {{ view: hello }}\n"
    )
}

#[test]
fn a_file_outside_is_at_fault_without_being_shown() {
    for include in ["../outside/secret.yaml", "link.yaml", "../out*/secr?t.yaml"] {
        let place = Folder::new(&[
            ("here/app.yaml", &story(include)),
            ("here/flows/f.yaml", "test_kind: flow\napp: ../app.yaml\nturns: []\n"),
            ("outside/secret.yaml", SECRET),
        ]);
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.path("outside/secret.yaml"), place.path("here/link.yaml")).unwrap();
        #[cfg(not(unix))]
        if include == "link.yaml" {
            continue;
        }
        for args in [
            &["check", "app.yaml"][..],
            &["check", "--format", "json", "app.yaml"],
            &["check", "--format", "sarif", "app.yaml"],
            &["check", "--format", "agent", "app.yaml"],
            &["check", "--format", "concise", "app.yaml"],
            &["check", "--format", "jsonl", "app.yaml"],
            &["check", "--format", "github", "app.yaml"],
            &["check", "--format", "gitlab", "app.yaml"],
            &["check", "--format", "junit", "app.yaml"],
            &["compile", "app.yaml"],
            &["test", "flows", "app.yaml"],
        ] {
            let output = run(&place.path("here"), args);
            let text = all(&output);
            assert!(!text.contains("api-key-of-somebody"), "{args:?}\n{text}");
            assert!(!output.status.success(), "{args:?}\n{text}");
            assert!(text.contains("app.yaml"), "{args:?}\n{text}");
        }
    }
}

#[test]
fn a_fault_in_a_file_outside_shows_where_the_file_comes_in() {
    let place = Folder::new(&[
        ("here/app.yaml", &story("../outside/secret.yaml")),
        ("outside/secret.yaml", SECRET),
    ]);
    let text = all(&run(&place.path("here"), &["compile", "app.yaml"]));
    assert!(text.contains("the file comes in here"), "{text}");
    assert!(text.contains("app.yaml:2:11"), "{text}");
}

#[test]
fn a_file_that_the_user_names_is_shown_wherever_it_lies() {
    let place = Folder::new(&[("here/x", ""), ("there/app.yaml", "app: { id: s }\nrot: a\n")]);
    let output = run(&place.path("here"), &["check", "../there/app.yaml"]);
    let text = all(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("rot: a"), "{text}");
}

/// Stories with mistakes in several files each, and a folder that holds them.
fn many() -> Folder {
    let manifest = "app: { id: s, version: 1.0.0 }\ninclude: [rooms/*.yaml]\nroot: a\nintents: { go: {} }\nstates:\n  a: { on: { go: [{ target: lost }], gone: [{ target: a }] } }\n";
    let mut files = Vec::new();
    for story in 0..12 {
        files.push((format!("s{story}/app.yaml"), manifest.to_owned()));
        for room in ["b", "c", "d"] {
            let text =
                format!("states:\n  {room}: {{ on: {{ go: [{{ target: nowhere{story}, when: world.x }}] }} }}\n");
            files.push((format!("s{story}/rooms/{room}.yaml"), text));
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
    Folder::new(&files)
}

#[test]
fn every_run_says_the_same_in_the_same_order() {
    let place = many();
    let said = |threads: &str, format: &str| {
        let mut command = support::kitsoki(place.0.path(), &["check", "--format", format, "."]);
        let output = command
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(1));
        all(&output)
    };
    for format in ["concise", "full", "json", "sarif"] {
        let first = said("1", format);
        for threads in ["2", "8", "8"] {
            assert_eq!(said(threads, format), first, "{format} with {threads} threads");
        }
    }
    // Every mistake of every file is there, by file and place.
    let text = said("8", "concise");
    let lines: Vec<&str> = text.lines().filter(|l| l.contains("[target-unknown]")).collect();
    assert_eq!(lines.len(), 24, "{text}");
}

#[test]
fn the_terminal_form_keeps_to_its_width_and_has_no_colours_unasked() {
    let place = Folder::new(&[(
        "app.yaml",
        &format!(
            "app: {{ id: s, version: 1.0.0 }}\nroot: a\nintents: {{ go: {{}} }}\nstates: {{ a: {{ description: \"{}\", on: {{ go: [{{ target: lost }}] }} }} }}\n",
            "word ".repeat(200)
        ),
    )]);
    for width in ["60", "100"] {
        let text = all(&place.run(&["check", "--format", "full", "--width", width, "app.yaml"]));
        assert!(!text.contains('\u{1b}'), "{text}");
        let limit = width.parse::<usize>().expect("a number");
        let quoted = text.lines().filter(|l| l.contains('│') && !l.contains("= "));
        for line in quoted {
            assert!(line.chars().count() <= limit, "{line}");
        }
        assert!(text.contains("lost"), "{text}");
    }
}
