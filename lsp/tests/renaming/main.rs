//! Renames in the shipped stories change nothing that `check` says.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

mod driver;

#[test]
fn renames_in_the_shipped_stories_leave_the_verdict() {
    let root = camino::Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../stories");
    let root = root.canonicalize_utf8().unwrap();
    let mut good = 0;
    for entry in root.read_dir_utf8().unwrap().flatten() {
        let manifest = entry.path().join("app.yaml");
        if !manifest.is_file() {
            continue;
        }
        let outcome = driver::story(&root, &manifest, 6);
        assert!(outcome.bad.is_empty(), "{manifest}: {:#?}", outcome.bad);
        good += outcome.good;
    }
    assert!(good > 40, "{good}");
}
