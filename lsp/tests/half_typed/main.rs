//! Half-typed text in the shipped stories: some places of each. Every place: `cargo run --release -p kitsoki-lsp --example half_typed`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

mod driver;

use driver::{Done, STORIES};

fn all(of_one: impl Fn(&str) -> Done) -> Done {
    let mut done = Done::default();
    for story in STORIES {
        done += of_one(story);
    }
    done
}

#[test]
fn without_a_line_what_is_said_stays_near() {
    // A line may hold a declaration that the rest of the story is built on: its uses are told, and little else.
    let done = all(|story| driver::without_lines(story, 7));
    assert!(done.edits > 120 && done.far * 3 <= done.edits, "{done:?}");
}

#[test]
fn something_left_open_is_reported_near() {
    let done = all(|story| driver::left_open(story, 17));
    assert!(done.edits > 200 && done.far <= done.edits, "{done:?}");
}

#[test]
fn cut_at_a_token_completion_still_answers() {
    let done = all(|story| driver::cut_at_tokens(story, 19));
    assert!(done.asked > 5 && done.far <= done.edits, "{done:?}");
}

#[test]
fn a_text_put_back_has_its_old_findings() {
    STORIES.into_iter().for_each(driver::put_back);
}
