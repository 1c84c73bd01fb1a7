//! What people stumble over when a story runs, as flows: data that looks like a template, and a view that shows what an entry
//! has just brought.
#![expect(clippy::expect_used, reason = "a test stops at the first surprise")]

use support::{Folder, err, out};

mod support;

const HEAD: &str = "app: { id: t, version: 0.1.0 }\nroot: a\nintents: { go: { examples: [go] } }\n";

fn run(story: &str, flow: &str) -> (Option<i32>, String) {
    let story = format!("{HEAD}{story}");
    let folder = Folder::new(&[("app.yaml", &story), ("flows/f.yaml", flow)]);
    let output = folder.run(&["test", "flows", "app.yaml"]);
    (output.status.code(), format!("{}{}", out(&output), err(&output)))
}

/// The note holds every mark that a template knows; a secret stands beside it.
#[test]
fn data_with_template_marks_is_data() {
    let story = "\
world: { note: { type: string, default: '' }, secret: { type: string, default: hunter2 }, copy: { type: string, default: '' } }
states:
  a:
    on: { go: [{ target: b, effects: [{ set: { copy: '{{ world.note }}' } }] }] }
  b:
    terminal: true
    view: 'Note: {{ world.note }} / {{ world.copy }}'
";
    let flow = |note: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == ' ';
        let pattern: String = note
            .chars()
            .map(|c| if plain(c) { c.to_string() } else { format!("[{c}]") })
            .collect();
        format!(
            "test_kind: flow\ninitial_state: a\ninitial_world: {{ note: \"{note}\" }}\nturns:\n  - intent: {{ name: go }}\n    expect_world: {{ copy: \"{note}\" }}\n    expect_view_matches: \"^Note: {pattern} / {pattern}$\"\n"
        )
    };
    for note in [
        "x {% endraw %}{{ world.secret }} {%",
        "{% include '/etc/passwd' %}",
        "{# {{ world.secret }} #}",
        "}} {{ world.secret",
    ] {
        let (status, text) = run(story, &flow(note));
        assert_eq!(status, Some(0), "{note}: {text}");
    }
}

/// The view of a room is rendered after its entry is done, and only then.
#[test]
fn a_view_shows_what_the_entry_brought() {
    let story = "\
hosts: [host.run]
world: { out: { type: string, default: before } }
states:
  a: { on: { go: [{ target: b }] } }
  b:
    on_enter: [{ invoke: host.run, id: r, with: { cmd: x }, bind: { out: stdout } }]
    view: 'out={{ world.out }}'
    on: { go: [{ target: a }] }
";
    let flow = |view: &str| {
        format!(
            "test_kind: flow\ninitial_state: a\nhost_handlers: {{ host.run: {{ data: {{ stdout: '7' }} }} }}\nturns:\n  - intent: {{ name: go }}\n    expect_state: b\n    expect_view_matches: '{view}'\n"
        )
    };
    let (status, text) = run(story, &flow("^out=7$"));
    assert_eq!(status, Some(0), "{text}");
    let (status, text) = run(story, &flow("before"));
    assert_eq!(status, Some(1), "{text}");
}
