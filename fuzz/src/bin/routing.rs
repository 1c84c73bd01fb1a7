//! Phrases and a text: the last line is routed with the others as synonyms of an intent with slots of every type.
#![no_main]

use std::sync::{Arc, LazyLock};

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db, MemorySystem};
use kitsoki_compiler::pipeline;
use kitsoki_ir::Story;
use kitsoki_routing::{Phrases, Services, classify, route};
use kitsoki_runtime::{NoFiles, Program, Standing, World};
use libfuzzer_sys::fuzz_target;

const MANIFEST: &str = r#"
app: { id: fuzz, version: "1" }
intents:
  go:
    slots:
      i: { type: int }
      m: { type: money }
      d: { type: date }
      b: { type: bool }
      e: { type: enum, values: [red, dark green], synonyms: { red: [hot one] } }
      l: { type: "list[enum]", values: [red, blue] }
      n: { type: "list[list[date]]" }
      s: { type: string }
      f: { type: float }
  stop: { synonyms: [stop, "go {i}"], slots: { i: { type: int, required: true } } }
root: hall
states: { hall: { on: { go: [{ target: hall }], stop: [{ target: hall }] } } }
"#;

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let path = Utf8Path::new("/s/app.yaml");
    let db = Database::new(Arc::new(MemorySystem::new([(path, MANIFEST)])));
    let root = db.file(path);
    Program::new(pipeline::lowered(&db, root).clone(), Arc::new(NoFiles))
});

fuzz_target!(|input: &str| {
    let (phrases, text) = input.rsplit_once('\n').unwrap_or(("", input));
    let mut story = Story::clone(&PROGRAM.story);
    for (id, _) in PROGRAM.story.intents.pairs() {
        let intent = story.intents.get_mut(id).expect("the same story");
        if intent.name == "go" {
            intent.synonyms = phrases.lines().map(Into::into).collect();
        }
    }
    let phrases = Phrases::new(&story);
    let standing = Standing::begin(&PROGRAM, World::of_story(&story)).expect("it has a first room");
    let _ = route(&phrases, &standing, text, &Services::default());
    let _ = classify(&phrases, &standing, text, &Services::default());
});
