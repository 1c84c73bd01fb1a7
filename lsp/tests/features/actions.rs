//! Code actions.

use kitsoki_lsp::features::actions::{ActionKind, actions};

use crate::fixture::{Fixture, fixture};

fn titles(f: &Fixture) -> Vec<String> {
    actions(&f.snapshot, f.at.file, f.selection)
        .into_iter()
        .map(|a| a.title)
        .collect()
}

#[test]
fn a_finding_brings_its_fixes() {
    let f = fixture(
        "app: { id: a, version: 0.1.0 }\nroot: pier\nintents: { go: {} }\nstates:\n  pier: { on: { go: [{ target: de$0kc }] } }\n  deck: { terminal: true }\n",
    );
    let found = actions(&f.snapshot, f.at.file, f.selection);
    let fix = found.iter().find(|a| a.title == "change it to `deck`").unwrap();
    assert!(f.edited(&fix.edits).contains("target: deck }"));
    assert_eq!(fix.mends.as_ref().unwrap().0.rule, "target-unknown");
}

#[test]
fn elsewhere_there_is_nothing_to_fix() {
    let f = fixture(
        "app: { id: a, version: 0.1.0 }\nro$0ot: pier\nintents: { go: {} }\nstates:\n  pier: { on: { go: [{ target: dekc }] } }\n  deck: { terminal: true }\n",
    );
    assert!(
        actions(&f.snapshot, f.at.file, f.selection)
            .iter()
            .all(|a| a.kind != ActionKind::Fix)
    );
}

#[test]
fn every_safe_fix_of_a_file_is_one_action() {
    let f = fixture(
        "app: { id: a, version: 0.1.0 }\n$0root: pier\nstates:\n  # kitsoki: allow(target-unknown) not so\n  pier: { terminal: true }\n  # kitsoki: allow(target-unknown) nor here\n  deck: { terminal: true }\n",
    );
    let found = actions(&f.snapshot, f.at.file, f.selection);
    let all = found.iter().find(|a| a.kind == ActionKind::FixAll).unwrap();
    let after = f.edited(&all.edits);
    assert!(!after.contains("kitsoki: allow"), "{after}");
    assert_eq!(titles(&f), ["apply every safe fix of this file"]);
}

#[track_caller]
fn declares(before: &str, title: &str, after: &str) {
    let f = fixture(before);
    let found = actions(&f.snapshot, f.at.file, f.selection);
    let Some(action) = found.iter().find(|a| a.title == title) else {
        panic!("no `{title}` in {:?}", titles(&f));
    };
    assert_eq!(f.edited(&action.edits), after);
}

#[test]
fn what_is_missing_is_declared_in_the_form_of_its_section() {
    declares(
        "app: { id: a }\nroot: pier\nstates:\n    pier:\n        on: { go: [{ target: de$0ck }] }\n\nworld: {}\n",
        "declare a room `deck`",
        "app: { id: a }\nroot: pier\nstates:\n    pier:\n        on: { go: [{ target: deck }] }\n    deck:\n      view: \"deck\"\n\nworld: {}\n",
    );
    declares(
        "app: { id: a }\nroot: x\nworld: { n: {} }\nstates: { x: { view: '{{ world.m$0 }}' } }\n",
        "declare a world key `m`",
        "app: { id: a }\nroot: x\nworld: { n: {}, m: { type: string, default: \"\" } }\nstates: { x: { view: '{{ world.m }}' } }\n",
    );
    declares(
        "app: { id: a }\nroot: x\nworld: {}\nstates: { x: { view: '{{ world.m$0 }}' } }\n",
        "declare a world key `m`",
        "app: { id: a }\nroot: x\nworld: { m: { type: string, default: \"\" } }\nstates: { x: { view: '{{ world.m }}' } }\n",
    );
    declares(
        "app: { id: a }\nroot: x\nstates:\n  x: { menu: [go_ho$0me] }",
        "declare an intent `go_home`",
        "app: { id: a }\nroot: x\nstates:\n  x: { menu: [go_home] }\nintents:\n  go_home:\n    title: \"Go home\"\n",
    );
    declares(
        "//- /s/app.yaml\napp: { id: a }\nroot: x\ninclude: [r.yaml]\nintents:\n//- /s/r.yaml\nstates:\n  x: { default_intent: g$0o }\n",
        "declare an intent `go`",
        "//- /s/app.yaml\napp: { id: a }\nroot: x\ninclude: [r.yaml]\nintents:\n  go:\n    title: \"Go\"\n//- /s/r.yaml\nstates:\n  x: { default_intent: go }\n",
    );
}

#[test]
fn what_belongs_into_another_declaration_is_declared_there() {
    declares(
        "//- /s/app.yaml\napp: { id: a }\nroot: bar\ninclude: [r.yaml]\nstates:\n  x: { on: { go: [{ target: bar.da$0rk }] } }\n//- /s/r.yaml\nstates:\n  bar:\n    states:\n      lit: {}\n",
        "declare a room `dark` in `bar`",
        "//- /s/app.yaml\napp: { id: a }\nroot: bar\ninclude: [r.yaml]\nstates:\n  x: { on: { go: [{ target: bar.dark }] } }\n//- /s/r.yaml\nstates:\n  bar:\n    states:\n      lit: {}\n      dark:\n        view: \"dark\"\n",
    );
    declares(
        "app: { id: a }\nroot: x\nintents:\n  go:\n    title: Go\nstates:\n  x: { on: { go: [{ target: x, when: \"slots.t$0o == 'a'\" }] } }\n",
        "declare a slot `to` in `go`",
        "app: { id: a }\nroot: x\nintents:\n  go:\n    title: Go\n    slots:\n      to: { type: string }\nstates:\n  x: { on: { go: [{ target: x, when: \"slots.to == 'a'\" }] } }\n",
    );
    declares(
        "app: { id: a }\nroot: x\nintents: { go: {} }\nstates:\n  x: { on: { go: [{ target: x, when: \"slots.t$0o == 'a'\" }] } }\n",
        "declare a slot `to` in `go`",
        "app: { id: a }\nroot: x\nintents: { go: { slots: { to: { type: string } } } }\nstates:\n  x: { on: { go: [{ target: x, when: \"slots.to == 'a'\" }] } }\n",
    );
}

#[test]
fn what_is_declared_is_not_declared_again() {
    let f = fixture(
        "app: { id: a }\nroot: x\nworld: { n: {} }\nstates: { x: { view: '{{ world.n$0 }} {{ world.last_error }}' } }\n",
    );
    assert!(titles(&f).iter().all(|t| !t.starts_with("declare")));
    let f = fixture("app: { id: a }\nroot: x\nworld: { n: {} }\nstates: { x: { view: '{{ world.last_err$0or }}' } }\n");
    assert!(titles(&f).iter().all(|t| !t.starts_with("declare")));
}

#[test]
fn a_room_gets_a_flow_of_its_own() {
    let text = "//- /s/app.yaml\napp: { id: a }\nroot: x\nstates: { x$0: {} }\n";
    let f = fixture(text);
    let found = actions(&f.snapshot, f.at.file, f.selection);
    let made = found.iter().find_map(|a| a.creates.as_ref()).unwrap();
    assert_eq!(made.0, "/s/flows/x.yaml");
    assert!(made.1.contains("initial_state: x\n"));
    let f = fixture(&format!("{text}//- /s/flows/x.yaml\ntest_kind: flow\n"));
    assert!(
        actions(&f.snapshot, f.at.file, f.selection)
            .iter()
            .all(|a| a.creates.is_none())
    );
}
