//! Outlines and names of the workspace.

use kitsoki_lsp::features::symbols::{Symbol, of_file, of_workspace};

use crate::fixture::fixture;

fn outline(all: &[Symbol], depth: usize, out: &mut String) {
    for s in all {
        let kind = s.kind.map_or("", |k| k.noun());
        out.push_str(&format!("{}{} {kind}\n", "  ".repeat(depth), s.name));
        outline(&s.children, depth + 1, out);
    }
}

const STORY: &str = "app: { id: a }\nroot: bar\nworld:\n  n: { type: int }\nintents:\n  go:\n    slots:\n      to: { type: string }\nstates:\n  bar:\n    intents: { look: {} }\n    states:\n      dark: {}\n      lit: {}\n  foyer: {}\n$0";

#[test]
fn an_outline_is_nested_as_the_file_is() {
    let f = fixture(STORY);
    let mut out = String::new();
    outline(&of_file(&f.snapshot, f.at.file), 0, &mut out);
    assert_eq!(
        out,
        "app \nroot \nworld \n  n world key\nintents \n  go intent\n    to slot\nstates \n  bar room\n    look intent\n    dark room\n    lit room\n  foyer room\n"
    );
}

#[test]
fn a_large_file_has_the_same_outline_as_a_small_one() {
    let padded = format!("{STORY}{}", "# filler\n".repeat(2000));
    let small = fixture(STORY);
    let large = fixture(&padded);
    let show = |f: &crate::fixture::Fixture| {
        let mut out = String::new();
        outline(&of_file(&f.snapshot, f.at.file), 0, &mut out);
        out
    };
    assert_eq!(show(&large), show(&small));
    let ranges = |all: &[Symbol]| {
        all.iter()
            .flat_map(|s| &s.children)
            .map(|s| s.selection)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        ranges(&of_file(&large.snapshot, large.at.file)),
        ranges(&of_file(&small.snapshot, small.at.file))
    );
}

#[test]
fn names_of_the_workspace_are_found_by_some_of_their_letters() {
    let f = fixture(STORY);
    let names = |query: &str| {
        of_workspace(&f.snapshot, query)
            .into_iter()
            .map(|s| s.name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names("lit"), ["bar.lit"]);
    assert_eq!(names("BR"), ["bar", "bar.dark", "bar.lit"]);
    assert_eq!(names("zz"), Vec::<String>::new());
}
