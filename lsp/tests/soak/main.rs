//! A session of edits says what a fresh server says. The long form is `cargo run --release --example soak`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

mod driver;

#[test]
fn after_many_edits_a_server_says_what_a_fresh_one_says() {
    let root = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../stories");
    let root = root.canonicalize_utf8().unwrap();
    let mut compared = 0;
    driver::soak(&root, 20, 300, 50, |_| compared += 1);
    assert_eq!(compared, 6);
}
