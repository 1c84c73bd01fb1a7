//! Includes, imports and paths: which file a finding stands in, how the file comes in, and where a path leads.

use super::support::{HEAD, files, said, said_of, said_of_files};

#[test]
fn an_import_that_is_nowhere_says_where_it_was_looked_for() {
    insta::assert_snapshot!(said_of("imports: { core: { source: \"@kitsoki/dev-story\", exits: {} } }
states: { a: { on: { go: [{ target: core }] } } }
//- .kitsoki-root
//- stories/mine/app.yaml
app: { id: mine, version: 0.1.0 }
root: x
states: { x: { terminal: true } }
"), @r"
    error import-source-not-found app.yaml:4:29-47 the repository has no story `@kitsoki/dev-story`
      here: no such story
      note: it would be `/s/stories/dev-story/app.yaml`
    ");
}

/// The child's own schema counts, also when its importer has another one at the same path.
#[test]
fn a_path_is_relative_to_the_file_that_wrote_it() {
    let story = |importer_has: &str, child_has: &str| {
        let schema = |path: &str, field: &str| {
            format!(
                "//- {path}schemas/x.json\n{{\"type\":\"object\",\"properties\":{{\"{field}\":{{\"type\":\"integer\"}}}}}}\n"
            )
        };
        said(&format!(
            "{HEAD}imports: {{ core: {{ source: ./child, exits: {{ done: {{ to: end }} }} }} }}
states: {{ a: {{ on: {{ go: [{{ target: core }}] }} }}, end: {{ terminal: true }} }}
hosts: [host.agent.decide]
{}//- child/app.yaml
app: {{ id: c, version: 0.1.0 }}
root: in
hosts: [host.agent.decide]
exits: {{ done: {{}} }}
agents: {{ judge: {{ system_prompt: Judge. }} }}
intents: {{ leave: {{ examples: [leave] }} }}
world: {{ d: {{ type: object, default: {{}} }} }}
states:
  in:
    on_enter: [{{ invoke: host.agent.decide, with: {{ agent: judge, prompt: Judge it., schema: schemas/x.json }}, bind: {{ d: submitted }} }}]
    on: {{ leave: [{{ when: 'world.d.score > 1', target: '@exit:done' }}] }}
{}",
            schema("", importer_has),
            if child_has.is_empty() { String::new() } else { schema("child/", child_has) },
        ))
    };
    let child_counts = story("other", "score");
    assert!(!child_counts.contains("unknown-field"), "{child_counts}");
    let wrong = story("score", "other");
    assert!(wrong.contains("warning unknown-field child/app.yaml:11:"), "{wrong}");
    let missing = story("score", "");
    assert!(missing.contains("schema-file-missing child/app.yaml:10:"), "{missing}");
    assert!(missing.contains("note: looked for `child/schemas/x.json`"), "{missing}");
}

#[test]
fn a_finding_in_an_included_file_stands_there_and_says_how_the_file_comes_in() {
    let mut all = files(&format!(
        "{HEAD}# rooms\ninclude: [rooms/*.yaml]\nstates:\n  a: {{ on: {{ go: [{{ target: b }}] }} }}\n"
    ));
    all.push((
        "rooms/b.yaml".to_owned(),
        "\u{feff}states:\r\n  b:\r\n    on: { go: [{ target: nowhere }] }\r\n".to_owned(),
    ));
    insta::assert_snapshot!(said_of_files(&all), @r"
    error target-unknown rooms/b.yaml:3:26-33 no room is called `nowhere`
      here: this arc leads nowhere
      help: the rooms are `a` and `b`
      included from app.yaml:5:11-23
    ");
    // A byte order mark in front of the word itself does not shift it.
    all[1].1 = "\u{feff}stats: {}\r\n".to_owned();
    let found = said_of_files(&all);
    assert!(found.contains("error unknown-key rooms/b.yaml:1:1-6 "), "{found}");
}

#[test]
fn the_way_to_a_file_is_told_outwards() {
    let story = format!(
        "{HEAD}imports:
  core:
    source: ./child
    exits: {{ done: {{ to: end }} }}
states: {{ a: {{ on: {{ go: [{{ target: core }}] }} }}, end: {{ terminal: true }} }}
//- child/app.yaml
app: {{ id: c, version: 0.1.0 }}
root: in
include:
  - rooms/*.yaml
exits: {{ done: {{}} }}
intents: {{ leave: {{ examples: [leave] }} }}
//- child/rooms/in.yaml
states:
  in: {{ on: {{ leave: [{{ target: '@exit:done' }}, {{ target: in, when: 'world.lost == 1' }}] }} }}
"
    );
    let found = said(&story);
    assert!(
        found.contains("  included from child/app.yaml:4:5-17\n  imported from app.yaml:6:13-20\n"),
        "{found}"
    );
    // What stands in the manifest itself comes in by nothing.
    assert!(!said_of("states: { a: { on: { go: [{ target: x }] } } }\n").contains(" from "));
}

#[test]
fn a_file_of_two_patterns_comes_in_by_the_first() {
    let found = said_of(
        "include: [rooms/b.yaml, 'rooms/[c-z]*.yaml', rooms/e.yaml]
states: { a: { terminal: true } }
//- rooms/b.yaml
states: { b: { on: { lost: [{ target: a }] } } }
//- rooms/e.yaml
states: { e: { on: { gone: [{ target: a }] } } }
",
    );
    assert!(
        found.contains("`lost`") && found.contains("  included from app.yaml:4:11-23\n"),
        "{found}"
    );
    assert!(
        found.contains("`gone`") && found.contains("  included from app.yaml:4:25-44\n"),
        "{found}"
    );
}

/// A slip in any name of a path, for every kind of file.
#[test]
fn a_slip_in_a_path_is_recognised() {
    let story = |path: &str, script: &str, pattern: &str| {
        said_of(&format!(
            "hosts: [host.agent.decide, host.starlark.run, host.run]
include: [{pattern}]
world: {{ d: {{ type: object, default: {{}} }} }}
agents: {{ judge: {{ system_prompt: Judge. }} }}
states:
  a:
    on_enter:
      - {{ invoke: host.agent.decide, with: {{ agent: judge, prompt: parts/ask.md, schema: {path} }}, bind: {{ d: submitted }} }}
      - {{ invoke: host.starlark.run, with: {{ script: {script} }} }}
      - {{ invoke: host.run, with: {{ cmd: x, prompt: parts/ask.md, script: no/such/thing.py }} }}
    on: {{ go: [{{ target: b }}] }}
//- rooms/b.yaml
states: {{ b: {{ terminal: true }} }}
//- parts/ask.md
Ask.
//- parts/shape.json
{{}}
//- parts/run.star
def main(ctx):
    return {{}}
//- parts/run.star.yaml
inputs: {{}}
outputs: {{}}
"
        ))
    };
    let right = ("parts/shape.json", "parts/run.star", "rooms/*.yaml");
    assert_eq!(story(right.0, right.1, right.2), "");
    for wrong in [
        "parts/shap.json",
        "part/shape.json",
        "prats/shaep.json",
        "parts/shape.jsn",
    ] {
        let found = story(wrong, right.1, right.2);
        assert!(
            found.starts_with("warning schema-file-missing app.yaml:11:"),
            "{wrong}: {found}"
        );
        assert!(found.contains("becomes \"parts/shape.json\""), "{wrong}: {found}");
    }
    for wrong in ["parts/rnu.star", "pats/run.star"] {
        let found = story(right.0, wrong, right.2);
        assert!(found.contains("becomes \"parts/run.star\""), "{wrong}: {found}");
    }
    let none = story("elsewhere/other.json", right.1, right.2);
    assert!(!none.contains("becomes"), "{none}");
}

#[test]
fn a_pattern_that_misses_its_files_speaks_for_their_names() {
    let story = |pattern: &str| {
        said_of(&format!(
            "include: ['{pattern}']
states: {{ a: {{ on: {{ go: [{{ target: b, when: world.n > 1 }}], look: [{{ target: c }}] }} }} }}
//- rooms/b.yaml
world: {{ n: {{ type: int, default: 0 }} }}
intents: {{ look: {{ examples: [look] }} }}
states: {{ b: {{ terminal: true }}, c: {{ terminal: true }} }}
"
        ))
    };
    assert_eq!(story("rooms/*.yaml"), "");
    for wrong in [
        "roms/*.yaml",
        "rooms/*.yml",
        "rooms/*.ymal",
        "Rooms/*.yaml",
        "rooms/d*.yaml",
        "rooms/bb.yaml",
    ] {
        let found = story(wrong);
        let heads: Vec<&str> = found.lines().filter(|l| !l.starts_with(' ')).collect();
        if wrong == "rooms/d*.yaml" {
            // Nobody can say which files are meant: the names are missed one by one.
            assert_eq!(heads.len(), 5, "{wrong}: {found}");
            continue;
        }
        assert_eq!(heads.len(), 1, "{wrong}: {found}");
        assert!(
            heads[0].starts_with("error include-no-match app.yaml:4:"),
            "{wrong}: {found}"
        );
        assert!(
            found.contains("  note: 4 findings about names that may stand in its files are left out\n"),
            "{wrong}: {found}"
        );
    }
}
