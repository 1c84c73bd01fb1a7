//! The commands agree: what `check` takes a session opens, what it refuses a session refuses for the same reason. Over shipped
//! stories with mistakes put into them. No call of a story is made: what a mistake makes of a command is not to be tried out.
#![expect(clippy::expect_used, reason = "a test stops at the first surprise")]

use kitsoki_mutants::choices::Choices;
use kitsoki_mutants::mutate;
use kitsoki_mutants::originals::originals;

use support::{Folder, err, out};

mod support;

/// How many stories are tried.
const STORIES: u64 = 24;

#[test]
fn a_session_opens_exactly_when_check_takes_the_story() {
    let mut taken = 0;
    for seed in 0..STORIES {
        let mut choices = Choices::seeded(seed);
        let original = choices.pick(originals()).expect("stories are there");
        let mut files = original.files.clone();
        let done = mutate::several(original, &mut files, &mut choices, 1);
        let files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
        let folder = Folder::new(&files);
        std::fs::write(folder.path("boot.yaml"), "test_kind: flow\nturns: []\n").expect("a file");
        let manifest = original.manifest();

        let check = folder.run(&["check", "--format", "concise", "--width", "100", &manifest]);
        let drive = folder.run(&["drive", &manifest, "--replay", "boot.yaml"]);
        let what = format!(
            "seed {seed}, {} with {done:?}:\n{}{}",
            original.name,
            out(&check),
            err(&drive)
        );
        let refused = check.status.code() == Some(1);
        taken += u64::from(!refused);
        assert_eq!(drive.status.code(), Some(if refused { 2 } else { 0 }), "{what}");
        // The first error, as a line of `check` has it: `PLACE: error[RULE] HEADLINE (HELP)`.
        let report = out(&check);
        if !refused {
            assert!(out(&drive).contains("\"state\":"), "{what}");
        }
        let Some(error) = report.lines().find_map(|line| line.split_once(": error[")) else {
            assert!(!refused, "{what}");
            continue;
        };
        let (place, (rule, _)) = (error.0, error.1.split_once(']').expect("a rule"));
        let said = err(&drive);
        let first = said.lines().find(|line| line.contains("error[")).unwrap_or_default();
        assert!(first.contains(&format!("error[{rule}]")), "{what}");
        assert!(said.contains(place), "{what}");
    }
    assert!((4..STORIES - 4).contains(&taken), "{taken} of {STORIES} were taken");
}
