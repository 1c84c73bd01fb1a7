//! What the page about the language server promises is tested: every test that its tables name exists.

use std::path::{Path, PathBuf};

/// The Rust texts below some folders.
fn sources(folders: &[PathBuf]) -> String {
    let mut all = String::new();
    let mut waiting = folders.to_vec();
    while let Some(dir) = waiting.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                all.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    all
}

#[test]
fn every_test_that_the_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = std::fs::read_to_string(root.join("docs/editor.md")).unwrap();
    let sources = sources(&["lsp", "fmt", "cli/tests", "compiler/frontend"].map(|f| root.join(f)));
    let mut tables = 0;
    let mut named = 0;
    let mut tested = false;
    for line in page.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if !line.starts_with('|') {
            tested = false;
        } else if cells.last() == Some(&"Test") {
            tested = true;
            tables += 1;
        } else if tested && !line.starts_with("|---") {
            let tests: Vec<&str> = cells.last().unwrap().split('`').skip(1).step_by(2).collect();
            assert!(!tests.is_empty(), "no test is named: {line}");
            for test in tests {
                assert!(sources.contains(&format!("fn {test}()")), "no test is called `{test}`");
                named += 1;
            }
        }
    }
    assert!(tables == 2 && named > 40, "{tables} tables, {named} tests");
}
