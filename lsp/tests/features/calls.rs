//! Signatures, arcs, expansions.

use kitsoki_compiler::emit;
use kitsoki_lsp::features::arcs::{into_room, out_of_room, room_at};
use kitsoki_lsp::features::expand;
use kitsoki_lsp::features::signature::signature;

use crate::fixture::fixture;

#[track_caller]
fn wants(text: &str, label: &str, active: Option<usize>) {
    let f = fixture(text);
    let found = signature(&f.snapshot, f.at).expect("a signature");
    assert!(found.label.starts_with(label), "{}", found.label);
    assert_eq!(found.active, active, "{found:?}");
}

fn room(body: &str) -> String {
    format!(
        "app: {{ id: a }}\nroot: x\nhost_interfaces: {{ vcs: {{ operations: {{ push: {{ input: {{ branch: string }} }} }} }} }}\nstates:\n  x:\n{body}"
    )
}

#[test]
fn a_call_says_what_it_wants() {
    wants(
        &room("    on_enter:\n      - invoke: host.run\n        with:\n          cm$0\n"),
        "host.run(cmd*",
        None,
    );
    wants(
        &room("    on_enter:\n      - invoke: host.run\n        with:\n          cwd: $0\n"),
        "host.run(cmd*",
        Some(3),
    );
    wants(
        &room("    on_enter:\n      - { invoke: iface.vcs.push, with: { branch: $0 } }\n"),
        "iface.vcs.push(branch: string)",
        Some(0),
    );
    wants(
        &room("    on: { go: [{ when: 'split(world.a, $0' }] }\n"),
        "split(text, separator",
        Some(1),
    );
    wants(
        &room("    on: { go: [{ when: 'len(split(world.a, \",\"$0' }] }\n"),
        "split(",
        Some(1),
    );
    wants(
        &room("    view: '{{ world.a|default:$0 }}'\n"),
        "x|default:other",
        Some(0),
    );
    let f = fixture(&room("    view: 'plain (te$0xt'\n"));
    assert_eq!(signature(&f.snapshot, f.at), None);
}

#[test]
fn arcs_in_and_out_of_a_room() {
    let f = fixture(
        "//- /s/app.yaml\napp: { id: a }\nroot: bar\nimports: { k: { source: ./child, exits: { done: { to: foyer } } } }\nstates:\n  bar:\n    states:\n      dark: { on: { go: [{ target: ../lit }, { target: fo$0yer }], in: [{ target: k.x }] } }\n      lit: { timeout: { after: 1s, target: foyer } }\n  foyer: { on: { go: [{ target: bar.lit }] } }\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: x\nexits: { done: {} }\nstates: { x: {} }\n",
    );
    let rooms = room_at(&f.snapshot, f.at);
    let foyer = rooms.first().unwrap();
    let names = |all: Vec<kitsoki_lsp::features::arcs::Arcs>| -> Vec<String> {
        all.into_iter()
            .map(|a| format!("{} {}", a.room.name, a.places.len()))
            .collect()
    };
    assert_eq!(names(into_room(&f.snapshot, foyer)), ["bar.dark 1", "bar.lit 1"]);
    assert_eq!(names(out_of_room(&f.snapshot, foyer)), ["bar.lit 1"]);
    let dark = into_room(&f.snapshot, foyer).remove(0).room;
    assert_eq!(names(out_of_room(&f.snapshot, &dark)), ["bar.lit 1", "foyer 1", "x 1"]);
}

const BENCH: &str = "//- /s/p.md\nhi\n//- /s/s.json\n{}\n//- /s/app.yaml\napp: { id: a, version: 0.1.0 }\nroot: pier\nhosts: [host.agent.task]\ntoolboxes: { t: { tools: [Write], effect: write } }\nagents: { w: { system_prompt: x, toolbox: t } }\nstates:\n  pier:\n    work$0bench: { agent: w, prompt: p.md, acceptance_schema: s.json }\n  dock: {}\n";

#[test]
fn an_expansion_is_the_text_of_compile() {
    let f = fixture(BENCH);
    let expanded = expand::at(&f.snapshot, f.at).unwrap();
    let request = emit::Request {
        stage: emit::Stage::Ir,
        format: emit::Format::Text,
        room: Some("pier".to_owned()),
        diff: false,
        within: None,
    };
    assert_eq!(expanded.text, emit::emit(&f.snapshot.db, f.at.file, &request).unwrap());
    assert!(expanded.text.contains("call host.agent.task"), "{}", expanded.text);
}

#[test]
fn lines_of_an_expansion_lead_back_to_what_caused_them() {
    let f = fixture(BENCH);
    let expanded = expand::at(&f.snapshot, f.at).unwrap();
    let call = expanded
        .text
        .lines()
        .position(|l| l.contains("call host.agent.task"))
        .unwrap();
    let (_, place) = expanded
        .origins
        .iter()
        .find(|(line, _)| *line as usize == call)
        .unwrap();
    assert_eq!(
        f.show(*place),
        "app.yaml:8 workbench: { agent: w, prompt: p.md, acceptance_schema: s.json }"
    );
}

#[test]
fn a_file_of_no_story_has_no_expansion() {
    let f = fixture("//- /x/notes.yaml\na: $0b\n");
    assert_eq!(
        expand::at(&f.snapshot, f.at).unwrap_err(),
        "this file belongs to no story"
    );
}
