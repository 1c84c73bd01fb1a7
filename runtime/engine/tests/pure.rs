//! The engine opens nothing, waits for nothing and draws nothing: what it could do so with is not in its sources, and not
//! in its dependencies.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};

/// What no source of the engine names, tests inside of it included.
const FORBIDDEN: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time",
    "std::path",
    "core::time",
    "SystemTime",
    "Instant::",
    "env!(",
    "option_env!(",
    "include_str!(",
    "include_bytes!(",
    "println!(",
    "eprintln!(",
    "thread_local!",
    "static mut",
    "RandomState",
    "DefaultHasher",
    "rand::",
    "tokio",
    "rayon",
];

/// What the engine may depend on: its own neighbours, data formats and a hash.
const ALLOWED: &[&str] = &[
    "kitsoki-expr",
    "kitsoki-ir",
    "kitsoki-routing",
    "serde_json",
    "sha2",
    "smol_str",
    "thiserror",
];

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// What a text names of the forbidden things, line by line; comments may speak of them.
fn found(text: &str) -> Vec<String> {
    let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    code.filter(|l| FORBIDDEN.iter().any(|f| l.contains(f)))
        .map(|l| l.trim().to_owned())
        .collect()
}

#[test]
fn the_sources_name_no_clock_file_environment_process_or_chance() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut files);
    // What it asks about words is a part of it.
    sources(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../routing/src")),
        &mut files,
    );
    assert!(files.len() > 20, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(found(&text), Vec::<String>::new(), "{}", file.display());
    }
}

#[test]
fn what_is_forbidden_is_found() {
    assert_eq!(
        found("// std::fs is not used\nuse std::fs;\nlet now = SystemTime::now();\n").len(),
        2
    );
}

#[test]
fn the_dependencies_are_those_that_are_known_to_be_pure() {
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
    let (_, rest) = manifest.split_once("[dependencies]").expect("dependencies");
    let own = rest.split("\n[").next().unwrap_or_default();
    let names = own
        .lines()
        .filter_map(|l| l.split(['.', ' ', '=']).next())
        .filter(|n| !n.is_empty());
    for name in names {
        assert!(
            ALLOWED.contains(&name),
            "the engine depends on {name}: see that it is pure"
        );
    }
}
