//! What fuzzing found, each kind with one small story and what is right for it.

use kitsoki_diagnostics::fixes::Which;
use kitsoki_mutants::workspace::Workspace;

const MANIFEST: &str = "s/app.yaml";

/// The rules that speak of a story, and its text after all that may be applied.
fn fixed(text: &str) -> (Vec<&'static str>, String) {
    let files = vec![(MANIFEST.to_owned(), text.to_owned())];
    let workspace = Workspace::check(&files, MANIFEST);
    let rules = workspace.findings.iter().map(|f| f.rule).collect();
    let mut after = workspace.fixed(&files, Which::Unsafe);
    (rules, after.remove(0).1)
}

#[test]
fn a_name_in_a_block_of_text_is_replaced_with_its_block() {
    let story = |target: &str| {
        format!(
            "app: {{ id: s, version: 0.1.0 }}\nroot: a\nintents: {{ go: {{}} }}\nstates:\n  a:\n    on:\n      go:\n        - target: {target}\n  b: {{ terminal: true }}\n"
        )
    };
    let (rules, after) = fixed(&story("|\n            b"));
    assert_eq!(rules, ["target-unknown"]);
    assert_eq!(after, story("b"));
}

#[test]
fn a_headline_that_quotes_several_lines_is_one() {
    let story = "app: { id: s, version: 0.1.0 }\nroot: a\nstates:\n  a:\n    on_enter:\n      - when: |-\n          1 `b\n          c`\n        say: x\n    terminal: true\n";
    let files = vec![(MANIFEST.to_owned(), story.to_owned())];
    let messages: Vec<String> = Workspace::check(&files, MANIFEST)
        .findings
        .into_iter()
        .map(|f| f.message)
        .collect();
    assert_eq!(messages, ["the text `b␤c` is not expected here"]);
}

/// The importer calls the child what the child calls a room that it does not have.
#[test]
fn a_name_is_not_offered_for_itself() {
    let head = "version: 0.1.0 }\nroot: a\nintents: { go: {} }\n";
    let child = format!(
        "app: {{ id: c, {head}hosts: [host.run]\nstates:\n  a:\n    on_enter: [{{ invoke: host.run, with: {{ cmd: ls }}, on_error: hub }}]\n    on: {{ go: [{{ target: . }}] }}\n"
    );
    let importer = format!(
        "app: {{ id: s, {head}hosts: [host.run]\nimports: {{ hub: {{ source: ./c }} }}\nstates: {{ a: {{ on: {{ go: [{{ target: hub }}] }} }} }}\n"
    );
    let files = vec![(MANIFEST.to_owned(), importer), ("s/c/app.yaml".to_owned(), child)];
    let workspace = Workspace::check(&files, MANIFEST);
    let found = workspace.findings.iter().find(|f| f.rule == "on-error-unknown");
    let found = found.expect("the room does not exist");
    assert_eq!(found.message, "no room is called `hub`");
    assert!(
        found.fixes.is_empty() && !found.helps.iter().any(|h| h.starts_with("change it")),
        "{found:?}"
    );
}
