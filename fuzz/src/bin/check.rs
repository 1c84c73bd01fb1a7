//! One file as a story: all that is promised of every story holds, and one that has no errors opens a session.
#![no_main]

use kitsoki_diagnostics::fixes::Which;
use kitsoki_mutants::choices::Choices;
use kitsoki_mutants::workspace::Workspace;
use kitsoki_mutants::{Held, play, promises};
use libfuzzer_sys::fuzz_target;

const MANIFEST: &str = "s/app.yaml";

fn hold(text: &str) -> Held {
    let files = vec![(MANIFEST.to_owned(), text.to_owned())];
    let workspace = Workspace::check(&files, MANIFEST);
    promises::findings(&workspace)?;
    promises::forms(&workspace)?;
    promises::ir(&workspace)?;
    promises::repeatable(&workspace, &files, MANIFEST)?;
    promises::fixes(&workspace, &files, MANIFEST, Which::Safe)?;
    play::opens(&workspace, &mut Choices::seeded(text.len() as u64), 4)
}

fuzz_target!(|text: &str| {
    if let Err(words) = hold(text) {
        panic!("{words}");
    }
});
