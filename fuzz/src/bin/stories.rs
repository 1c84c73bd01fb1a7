//! Whole stories of many files, changed as authors change them: all that is promised of every story holds, edits lead to the findings of
//! a fresh look, and a story without errors opens a session and takes turns.
//!
//! The bytes are decisions: which story, how often it is changed, how and where, and what happens in the session. With
//! `KITSOKI_FUZZ_SHOW` set the changed story is written to the folder that the variable names, and what was done to standard error.
#![no_main]

use kitsoki_diagnostics::fixes::Which;
use kitsoki_mutants::choices::Choices;
use kitsoki_mutants::originals::{Files, Original, originals};
use kitsoki_mutants::workspace::Workspace;
use kitsoki_mutants::{Held, mutate, play, promises};
use libfuzzer_sys::fuzz_target;

/// Most changes of one story.
const CHANGES: usize = 5;
/// Most turns of one session.
const TURNS: usize = 6;

fn hold(original: &Original, states: &[Files], choices: &mut Choices<'_>) -> Held {
    let manifest = original.manifest();
    let Some(files) = states.last() else { return Ok(()) };
    let workspace = Workspace::check(files, &manifest);
    promises::findings(&workspace)?;
    promises::ir(&workspace)?;
    // What costs a second check of the story is asked of some of them.
    match choices.below(6) {
        0 => promises::forms(&workspace)?,
        1 => promises::repeatable(&workspace, files, &manifest)?,
        2 => promises::edited(states, &manifest)?,
        3 => promises::fixes(&workspace, files, &manifest, Which::Safe)?,
        4 => promises::fixes(&workspace, files, &manifest, Which::Unsafe)?,
        _ => {}
    }
    let turns = choices.below(TURNS);
    play::opens(&workspace, choices, turns)
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::of(bytes);
    let Some(original) = choices.pick(originals()) else {
        return;
    };
    let mut states = vec![original.files.clone()];
    let mut done = Vec::new();
    for _ in 0..=choices.below(CHANGES) {
        let mut files = states.last().cloned().unwrap_or_default();
        done.extend(mutate::once(original, &mut files, &mut choices));
        states.push(files);
    }
    if let Some(folder) = std::env::var_os("KITSOKI_FUZZ_SHOW") {
        show(&folder, &done, &states);
    }
    if let Err(words) = hold(original, &states, &mut choices) {
        panic!("{} with {done:?}: {words}", original.name);
    }
});

/// Writes a changed story out, for whoever looks into a finding.
fn show(folder: &std::ffi::OsStr, done: &[String], states: &[Files]) {
    eprintln!("{done:#?}");
    for (path, text) in states.last().into_iter().flatten() {
        let path = std::path::Path::new(folder).join(path);
        let made = path
            .parent()
            .map(std::fs::create_dir_all)
            .transpose()
            .and_then(|_| std::fs::write(&path, text));
        if let Err(error) = made {
            eprintln!("{}: {error}", path.display());
        }
    }
}
