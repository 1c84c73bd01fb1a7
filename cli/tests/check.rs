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

const END: &str = "app: { id: s, title: S, version: 1.0.0 }\nroot: a\nstates:\n  a: { view: over }\n";

#[test]
fn each_story_has_the_levels_of_its_own_configuration() {
    let place = Folder::new(&[
        ("strict/app.yaml", END),
        ("strict/kitsoki.toml", "[rules]\ndead-end = \"error\"\n"),
        ("usual/app.yaml", END),
        ("quiet/app.yaml", END),
        ("quiet/kitsoki.toml", "[rules]\ndead-end = \"off\"\n"),
    ]);
    for order in [["quiet", "strict", "usual"], ["usual", "quiet", "strict"]] {
        let output = place.run(&[&["check", "--format", "concise"][..], &order].concat());
        let text = all(&output);
        let told: std::collections::BTreeSet<&str> = text.lines().filter(|l| l.contains("dead-end")).collect();
        assert_eq!(told.len(), 2, "{text}");
        assert!(text.contains("strict/app.yaml:4:3: error[dead-end]"), "{text}");
        assert!(text.contains("usual/app.yaml:4:3: warning[dead-end]"), "{text}");
    }
}

#[test]
fn where_the_locale_is_not_utf8_the_forms_for_people_are_ascii() {
    let place = Folder::new(&[("app.yaml", &END.replace("over", "vorüber"))]);
    for (locale, ascii) in [("C", true), ("de_DE.ISO-8859-1", true), ("C.UTF-8", false), ("", false)] {
        let mut command = support::kitsoki(place.0.path(), &["check", "app.yaml"]);
        let output = command
            .env("LC_ALL", locale)
            .env_remove("LANG")
            .output()
            .expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(text.is_ascii(), ascii, "{locale}\n{text}");
        assert!(
            !ascii || text.contains("  +- app.yaml:4:3\n  |\n4 |   a: { view: vor?ber }\n"),
            "{text}"
        );
    }
    let mut command = support::kitsoki(place.0.path(), &["compile", "app.yaml", "--format", "json"]);
    let output = command.env("LC_ALL", "C").output().expect("the program runs");
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("vorüber"),
        "what programs read stays UTF-8"
    );
}

#[test]
fn a_path_that_is_no_story_says_what_it_is() {
    let place = Folder::new(&[
        ("app.yaml", END),
        ("flows/f.yaml", "test_kind: flow\nturns: []\n"),
        ("tape.yaml", "kind: host_cassette\nepisodes: []\n"),
        ("many/a/app.yaml", END),
        ("many/b/app.yaml", END),
    ]);
    for (args, said) in [
        (
            &["check", "flows/f.yaml"][..],
            "`flows/f.yaml` is a flow, not the manifest of a story\n  help: `kitsoki test flows",
        ),
        (&["check", "tape.yaml"], "is a cassette"),
        (&["check", "-"], "a story is not read from standard input"),
        (
            &["compile", "many"],
            "`many` holds several stories\n  help: name one of its manifests, such as `many/a/app.yaml`",
        ),
        (&["check", "app.yaml", "--watch", "--fix"], "cannot be used with"),
        (
            &["route", "app.yaml", "--world", "lsat_error=x", "hi"],
            "a world key with a similar name is `last_error`",
        ),
        (&["explain", "rooom"], "a similar name is `room`"),
    ] {
        let output = place.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(all(&output).contains(said), "{args:?}\n{}", all(&output));
    }
    let keys = all(&place.run(&["explain", "an arc"]));
    assert!(keys.contains("  target ") && keys.contains("  guard_hint "), "{keys}");
}

#[test]
fn a_look_at_fixes_says_when_there_are_none() {
    let place = Folder::new(&[("app.yaml", END)]);
    let output = place.run(&["check", "app.yaml", "--fix", "--diff"]);
    assert_eq!(all(&output), "no finding of 1 has a safe fix\n");
}

#[test]
fn what_is_told_about_comments_is_explained() {
    let text = END.replace(
        "states:",
        "# kitsoki: ignore dead-end\n# kitsoki: allow(daed-end) why\n# kitsoki: allow(empty-arc)\nstates:",
    );
    let place = Folder::new(&[("app.yaml", &text)]);
    let told = all(&place.run(&["check", "app.yaml"]));
    let named: std::collections::BTreeSet<&str> = told
        .lines()
        .filter_map(|l| l.split("see: kitsoki explain ").nth(1))
        .collect();
    let wanted = [
        "dead-end",
        "suppression-form",
        "suppression-without-reason",
        "unknown-rule",
        "unused-suppression",
    ];
    assert!(named.iter().eq(&wanted), "{told}");
    let turned_down = all(&place.run(&["check", "app.yaml", "--allow", "suppression-form"]));
    assert!(
        turned_down.contains("unknown-rule") && !turned_down.contains("suppression-form"),
        "{turned_down}"
    );
    for rule in named {
        let page = place.run(&["explain", rule]);
        assert_eq!(page.status.code(), Some(0), "{rule}");
        assert!(all(&page).starts_with(&format!("# {rule}\n")), "{}", all(&page));
    }
}
