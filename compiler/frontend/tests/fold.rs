//! What a story is after its imports were folded: names, targets, exits, entry effects, places.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::{Database, Db, MemorySystem, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_compiler::surface::Surface;
use kitsoki_diagnostics::{Diagnostic, Level};
use serde_json::{Value as Json, json};

const KETTLE: &str = r#"
app: { id: kettle, version: 0.2.0 }
hosts: [host.run]
world:
  litres: { type: int, default: 1 }
  temp: { type: int, default: 20 }
  last_error: { type: string, default: "" }
intents:
  heat: { description: "Heat {{ world.litres }} litres." }
  pour: { description: "Pour it." }
exports: { intents: [pour] }
exits:
  poured: { requires: [temp] }
root: cold
states:
  cold:
    view: "{{ world.litres }} l at {{ world.temp }}"
    on:
      heat: [{ target: hot, when: "available('pour')", effects: [{ set: { temp: 100 } }] }]
  hot:
    relevant_world: [temp, last_error]
    on:
      pour:
        - target: "@exit:poured"
          effects: [{ set: { temp: "{{ world.temp - 10 }}" } }]
    states:
      rest: { on: { heat: [{ target: cold }] } }
"#;

const KITCHEN: &str = r#"
app: { id: kitchen, version: 0.1.0 }
hosts: [host.run]
world:
  cups: { type: int, default: 2 }
  drink: { type: int, default: 0 }
intents: { brew: { description: "Make tea." } }
root: table
imports:
  k:
    source: ../kettle
    version: "^0.2.0"
    world_in: { litres: "{{ world.cups }}" }
    exits:
      poured: { to: table, set: { drink: "{{ world.k__temp }}" } }
states:
  table:
    on: { brew: [{ target: k }] }
"#;

fn load(files: &[(&str, &str)]) -> (Database, SourceFile) {
    let db = Database::new(Arc::new(MemorySystem::new(files.iter().copied())));
    let root = db.file(Utf8Path::new(files[0].0));
    (db, root)
}

fn folded(files: &[(&str, &str)]) -> Json {
    let (db, root) = load(files);
    let loaded = pipeline::loaded(&db, root);
    let errors: Vec<&str> = errors(&loaded.findings).map(|f| f.message.as_str()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    loaded.manifest.emit()
}

fn errors(findings: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    findings.iter().filter(|f| f.severity == Level::Error)
}

/// The source text under the primary range of the first finding of a rule.
fn underlined(files: &[(&str, &str)], rule: &str) -> (String, String) {
    let (db, root) = load(files);
    let all = pipeline::findings(&db, root);
    let found = all.iter().find(|f| f.rule == rule);
    let found = found.unwrap_or_else(|| {
        unreachable!(
            "{rule} is not among {:?}",
            all.iter().map(|f| f.rule).collect::<Vec<_>>()
        )
    });
    let span = found.primary.as_ref().unwrap().span;
    let file = db.file_by_id(span.file).unwrap();
    let text = file.contents(&db).text().unwrap();
    (
        file.path(&db).to_string(),
        text[std::ops::Range::<usize>::from(span.range)].to_owned(),
    )
}

#[test]
fn a_child_becomes_a_compound_room_under_its_alias() {
    let story = folded(&[("/s/kitchen/app.yaml", KITCHEN), ("/s/kettle/app.yaml", KETTLE)]);
    let k = &story["states"]["k"];
    assert_eq!(k["type"], "compound");
    assert_eq!(k["initial"], "cold");
    // Resets first, sorted; the key that is pushed in is not reset, the engine's key is nobody's.
    assert_eq!(
        k["on_enter"],
        json!([{ "set": { "k__temp": 20 } }, { "set": { "k__litres": "{{ world.cups }}" } }])
    );
    let cold = &k["states"]["cold"];
    assert_eq!(cold["view"], "{{ world.k__litres }} l at {{ world.k__temp }}");
    let arc = &cold["on"]["k__heat"][0];
    assert_eq!(arc["target"], "../hot");
    assert_eq!(arc["when"], "available('k__pour')");
    assert_eq!(arc["effects"], json!([{ "set": { "k__temp": 100 } }]));
    assert_eq!(cold["intent_aliases"], json!({ "heat": "k__heat" }));
    let hot = &k["states"]["hot"];
    assert_eq!(hot["relevant_world"], json!(["k__temp", "last_error"]));
    assert_eq!(hot["states"]["rest"]["on"]["k__heat"][0]["target"], "../../cold");
    let exit = &hot["on"]["k__pour"][0];
    assert_eq!(exit["target"], "table");
    assert_eq!(
        exit["effects"],
        json!([{ "set": { "k__temp": "{{ world.k__temp - 10 }}" } }, { "set": { "drink": "{{ world.k__temp }}" } }])
    );
    let names = |section: &str| -> Vec<String> { story[section].as_object().unwrap().keys().cloned().collect() };
    assert_eq!(names("world"), ["cups", "drink", "k__litres", "k__temp"]);
    assert_eq!(names("intents"), ["brew", "k__heat", "k__pour"]);
    assert_eq!(
        story["intents"]["k__heat"]["description"],
        "Heat {{ world.k__litres }} litres."
    );
    assert_eq!(story["hosts"], json!(["host.run"]));
    assert!(story.get("imports").is_none());
}

#[test]
fn a_grandchild_is_folded_twice() {
    let house = r#"
app: { id: house, version: 0.1.0 }
root: t
imports: { t: { source: ../kitchen } }
"#;
    let files = [
        ("/s/house/app.yaml", house),
        ("/s/kitchen/app.yaml", KITCHEN),
        ("/s/kettle/app.yaml", KETTLE),
    ];
    let story = folded(&files);
    let cold = &story["states"]["t"]["states"]["k"]["states"]["cold"];
    assert_eq!(cold["on"]["t__k__heat"][0]["target"], "../hot");
    assert_eq!(
        cold["intent_aliases"],
        json!({ "heat": "t__k__heat", "k__heat": "t__k__heat" })
    );
    // The exit of the inner story leads to a room beside its wrapper.
    let pour = &story["states"]["t"]["states"]["k"]["states"]["hot"]["on"]["t__k__pour"][0];
    assert_eq!(pour["target"], "../../table");
    assert_eq!(
        pour["effects"][1],
        json!({ "set": { "t__drink": "{{ world.t__k__temp }}" } })
    );
    assert_eq!(story["states"]["t"]["on_enter"].as_array().unwrap().len(), 4);
}

#[test]
fn a_fault_two_layers_down_is_underlined_in_the_authors_file() {
    let house = "app: { id: house, version: 0.1.0 }\nroot: t\nimports: { t: { source: ../kitchen } }\n";
    let kettle = KETTLE.replace("target: hot,", "target: hto,");
    let files = [
        ("/s/house/app.yaml", house),
        ("/s/kitchen/app.yaml", KITCHEN),
        ("/s/kettle/app.yaml", &kettle),
    ];
    assert_eq!(
        underlined(&files, "target-unknown"),
        ("/s/kettle/app.yaml".to_owned(), "hto".to_owned())
    );
    let kettle = KETTLE.replace(
        "when: \"available('pour')\"",
        "when: \"available('pour') && world.temp >\"",
    );
    let files = [
        ("/s/house/app.yaml", house),
        ("/s/kitchen/app.yaml", KITCHEN),
        ("/s/kettle/app.yaml", &kettle),
    ];
    assert_eq!(underlined(&files, "expr-syntax").0, "/s/kettle/app.yaml");
}

#[test]
fn a_child_under_two_aliases_is_blamed_once() {
    let kitchen = KITCHEN.replace(
        "states:\n",
        "  m:\n    source: ../kettle\n    exits: { poured: { to: table } }\nstates:\n",
    );
    let kettle = KETTLE.replace("target: hot,", "target: hot, colour: red,");
    let (db, root) = load(&[("/s/kitchen/app.yaml", &kitchen), ("/s/kettle/app.yaml", &kettle)]);
    let found = &pipeline::loaded(&db, root).findings;
    assert_eq!(found.iter().filter(|f| f.rule == "unknown-key").count(), 1);
    assert_eq!(pipeline::loaded(&db, root).wrappers.len(), 2);
}

#[test]
fn an_exit_without_mapping_is_one_finding_with_every_place() {
    let kitchen = KITCHEN.replace(
        "      poured: { to: table, set: { drink: \"{{ world.k__temp }}\" } }\n",
        "      {}\n",
    );
    let kettle = KETTLE.replace("target: cold }", "target: \"@exit:poured\" }");
    let files = [
        ("/s/kitchen/app.yaml", kitchen.as_str()),
        ("/s/kettle/app.yaml", kettle.as_str()),
    ];
    let (db, root) = load(&files);
    let all = pipeline::findings(&db, root);
    let errors: Vec<&Diagnostic> = errors(&all).collect();
    assert_eq!(
        errors.iter().map(|f| f.rule).collect::<Vec<_>>(),
        ["import-exit-unmapped"]
    );
    assert_eq!(errors[0].labels.len(), 2);
}

#[test]
fn layers_that_double_end_with_a_finding() {
    let leaf = (
        "/s/l0/app.yaml".to_owned(),
        "app: { id: l, version: 1.0.0 }\nroot: r\nstates: { r: { terminal: true } }\n".to_owned(),
    );
    let layers = (1..=20).map(|i| {
        let below = i - 1;
        let text = format!(
            "app: {{ id: l{i}, version: 1.0.0 }}\nroot: a\nimports: {{ a: {{ source: ../l{below} }}, b: {{ source: ../l{below} }} }}\n"
        );
        (format!("/s/l{i}/app.yaml"), text)
    });
    let db = Database::new(Arc::new(MemorySystem::new(std::iter::once(leaf).chain(layers))));
    let root = db.file(Utf8Path::new("/s/l20/app.yaml"));
    let loaded = pipeline::loaded(&db, root);
    assert!(loaded.findings.iter().any(|f| f.rule == "import-too-large"));
    assert!(loaded.folded < 250_000);
}

#[test]
fn a_broken_child_is_reported_and_its_names_are_not_missed() {
    let kettle = "app: { id: kettle, version: 0.2.0 }\nroot: cold\nstates:\n  cold: { view: [\n";
    let (db, root) = load(&[("/s/kitchen/app.yaml", KITCHEN), ("/s/kettle/app.yaml", kettle)]);
    let all = pipeline::findings(&db, root);
    let rules: Vec<&str> = errors(&all).map(|f| f.rule).collect();
    assert_eq!(rules, ["yaml-syntax"]);
}

#[test]
fn paths_of_a_child_lead_to_its_folder() {
    let kettle = KETTLE.replace(
        "    relevant_world: [temp, last_error]\n",
        "    on_enter: [{ invoke: host.agent.task, with: { prompt: prompts/a.md, acceptance: { schema: ../s.json }, args: { prompt: b.md } } }]\n",
    );
    let story = folded(&[("/s/kitchen/app.yaml", KITCHEN), ("/s/kettle/app.yaml", &kettle)]);
    let with = &story["states"]["k"]["states"]["hot"]["on_enter"][0]["with"];
    assert_eq!(with["prompt"], "/s/kettle/prompts/a.md");
    assert_eq!(with["acceptance"]["schema"], "/s/s.json");
    assert_eq!(with["args"]["prompt"], "b.md");
}

#[test]
fn an_included_file_keeps_its_own_toolboxes_and_folder() {
    let app = "app: { id: desk, version: 0.1.0 }\nroot: desk\ninclude: [\"parts/*.yaml\"]\nstates: { desk: { terminal: true } }\n";
    let part = "toolboxes: { box: { tools: [Read, Edit] } }\nagents:\n  clerk: { system_prompt_path: clerk.md, toolbox: box, tools_remove: [Edit], tools_add: [Grep] }\n";
    let story = folded(&[
        ("/s/app.yaml", app),
        ("/s/parts/staff.yaml", part),
        ("/s/parts/clerk.md", "Be brief."),
    ]);
    let clerk = &story["agents"]["clerk"];
    assert_eq!(clerk["system_prompt"], "Be brief.");
    assert_eq!(clerk["tools"], json!(["host.Read", "host.Grep"]));
    assert_eq!(clerk["effect"], "read");
}
