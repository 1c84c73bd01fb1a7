//! One file as a story: loading, every rule and every form of findings end, and never panic.
#![no_main]

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db, MemorySystem};
use kitsoki_compiler::pipeline;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let path = Utf8Path::new("/s/app.yaml");
    let db = Database::new(Arc::new(MemorySystem::new([(path, text)])));
    let root = db.file(path);
    for finding in pipeline::findings(&db, root) {
        if let Some(primary) = finding.primary {
            let file = db.file_by_id(primary.span.file).expect("a finding is in a file that exists");
            let text = file.contents(&db).text().map_or("", |t| t);
            assert!(text.get(std::ops::Range::<usize>::from(primary.span.range)).is_some(), "{}", finding.rule);
        }
    }
});
