//! The tests that `docs/reference/diagnostics.md` names exist.

use std::path::Path;

#[test]
fn every_promise_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/reference/diagnostics.md")).unwrap();
    let rows: Vec<&str> = page
        .lines()
        .filter(|l| l.starts_with("| ") && l.as_bytes()[2].is_ascii_digit())
        .collect();
    assert_eq!(rows.len(), 25);
    let mut named = 0;
    for row in rows {
        let shown = row.trim_end_matches([' ', '|']).rsplit(" | ").next().unwrap();
        let mut source = String::new();
        for word in shown.split('`').skip(1).step_by(2) {
            if word.ends_with(".rs") {
                source = std::fs::read_to_string(root.join(word)).unwrap_or_default();
                assert!(!source.is_empty(), "{word} does not exist");
            } else {
                assert!(
                    source.contains(&format!("#[test]\nfn {word}(")) || source.contains(&format!("    fn {word}(")),
                    "no test `{word}`: {row}"
                );
                named += 1;
            }
        }
    }
    assert!(named > 40, "{named}");
}
