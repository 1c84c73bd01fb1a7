//! A few hundred changed stories, the same every time: what is promised of every story holds of each of them.
#![expect(clippy::expect_used, reason = "a test stops at the first surprise")]

use kitsoki_diagnostics::fixes::Which;
use kitsoki_mutants::choices::Choices;
use kitsoki_mutants::originals::{Files, Original, originals};
use kitsoki_mutants::workspace::Workspace;
use kitsoki_mutants::{mutate, play, promises};

/// A changed story: which, what was done, and its files after each change.
struct Case {
    original: &'static Original,
    done: Vec<String>,
    states: Vec<Files>,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut choices = Choices::seeded(seed);
        let original = choices.pick(originals()).expect("stories are there");
        let mut states = vec![original.files.clone()];
        let mut done = Vec::new();
        for _ in 0..=choices.below(3) {
            let mut files = states.last().expect("a first state").clone();
            done.extend(mutate::several(original, &mut files, &mut choices, 1));
            states.push(files);
        }
        Self { original, done, states }
    }

    fn files(&self) -> &Files {
        self.states.last().expect("a last state")
    }

    fn check(&self) -> Workspace {
        Workspace::check(self.files(), &self.original.manifest())
    }
}

/// A number of the environment.
fn asked(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(otherwise)
}

/// Takes `count` cases and holds each to something; a failure says how to get the case again. `MUTANTS_TIMES` makes it so many
/// times as many, `MUTANTS_FROM` begins with another seed.
fn hold(count: u64, promise: impl Fn(u64, &Case) -> Result<(), String>) {
    let from = asked("MUTANTS_FROM", 0);
    for seed in from..from + count * asked("MUTANTS_TIMES", 1) {
        let case = Case::new(seed);
        if let Err(words) = promise(seed, &case) {
            unreachable!("seed {seed}, {} with {:?}: {words}", case.original.name, case.done);
        }
    }
}

#[test]
fn the_stories_that_are_changed_have_no_errors() {
    assert!(originals().len() >= 6, "the shipped stories and wharf");
    for original in originals() {
        let workspace = Workspace::check(&original.files, &original.manifest());
        let errors: Vec<_> = workspace.errors().map(|f| &f.message).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", original.name);
    }
}

#[test]
fn findings_lie_in_the_text_and_can_be_shown_in_every_form() {
    hold(40, |_, case| {
        let workspace = case.check();
        promises::findings(&workspace)?;
        promises::forms(&workspace)?;
        promises::ir(&workspace)?;
        promises::repeatable(&workspace, case.files(), &case.original.manifest())
    });
}

/// R13: what `check` takes opens and shows its first room, and every turn of it leads to a room.
#[test]
fn a_story_without_errors_opens_and_takes_turns() {
    let opened = std::cell::Cell::new(0);
    hold(150, |seed, case| {
        let workspace = case.check();
        opened.set(opened.get() + usize::from(workspace.errors().next().is_none()));
        play::opens(&workspace, &mut Choices::seeded(seed), 8)
    });
    assert!(opened.get() > 30, "only {} of the stories have no errors", opened.get());
}

#[test]
fn edits_lead_to_the_findings_of_a_fresh_look() {
    hold(16, |_, case| promises::edited(&case.states, &case.original.manifest()));
}

#[test]
fn fixes_come_to_an_end() {
    hold(30, |_, case| {
        let workspace = case.check();
        for which in [Which::Safe, Which::Unsafe] {
            promises::fixes(&workspace, case.files(), &case.original.manifest(), which)?;
        }
        Ok(())
    });
}

#[test]
fn the_changes_are_of_every_kind() {
    let mut kinds: Vec<String> = (0..500)
        .flat_map(|seed| Case::new(seed).done)
        .filter_map(|done| Some(done.rsplit_once(" in ")?.0.to_owned()))
        .collect();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 24, "{kinds:#?}");
}
