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
