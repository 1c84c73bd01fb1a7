//! Hovers.

use kitsoki_lsp::features::hover::hover;

use crate::fixture::fixture;

#[track_caller]
fn shows(text: &str, expected: &str) {
    let f = fixture(text);
    let found = hover(&f.snapshot, f.at).expect("a hover");
    assert_eq!(found.text, expected);
}

#[test]
fn a_world_key_says_its_type_its_default_and_who_uses_it() {
    shows(
        "app: { id: a }\nroot: x\nworld: { n: { type: int, default: 3 } }\nstates:\n  x:\n    view: '{{ world.n$0 }}'\n    on_enter: [{ increment: { n: 1 } }]\n",
        "world key `n`: `int`, default `3`\n\nwritten at `s/app.yaml:7`\n\nread at `s/app.yaml:6`",
    );
}

#[test]
fn an_intent_says_its_slots() {
    shows(
        "app: { id: a }\nroot: x\nintents: { go: { title: Leave, slots: { to: { type: enum, values: [a, b], required: true } } } }\nstates:\n  x: { on: { g$0o: [] } }\n",
        "intent `go`\n\nLeave\n\nslot `to`: `enum`, required\n\nused at `s/app.yaml:5`",
    );
}

#[test]
fn keys_functions_filters_and_verbs_have_a_line() {
    shows(
        "app: { id: a }\nroot: x\nstates:\n  x: { term$0inal: true }\n",
        "`terminal` · a key of a room\n\nEnd state.",
    );
    let f = fixture("app: { id: a }\nroot: x\nstates:\n  x: { on: { go: [{ when: 'le$0n(world.n) > 1' }] } }\n");
    assert!(hover(&f.snapshot, f.at).unwrap().text.starts_with("`len(x)`"));
    let f = fixture("app: { id: a }\nroot: x\nstates:\n  x: { view: '{{ world.n | up$0per }}' }\n");
    assert!(hover(&f.snapshot, f.at).unwrap().text.contains("upper"));
    let f = fixture("app: { id: a }\nroot: x\nstates:\n  x: { on_enter: [{ invoke: host.ru$0n }] }\n");
    let text = hover(&f.snapshot, f.at).unwrap().text;
    assert!(
        text.contains("effect class `write`") && text.contains("`stdout`"),
        "{text}"
    );
    let f =
        fixture("app: { id: a }\nroot: x\nstates:\n  x: { on_enter: [{ invoke: host.run, with: { cm$0d: ls } }] }\n");
    assert!(
        hover(&f.snapshot, f.at)
            .unwrap()
            .text
            .contains("required argument of `host.run`")
    );
}

#[test]
fn an_authors_markup_is_shown_and_never_followed() {
    let f = fixture(
        "app: { id: a }\nroot: x\nstates:\n  x: { description: '[click](command:evil) <img src=http://e/p.png> ![x](http://e)', on: {} }\n  y: { on: { go: [{ target: x$0 }] } }\n",
    );
    let text = hover(&f.snapshot, f.at).unwrap().text;
    assert!(
        !text.contains("](") && !text.contains('<') && !text.contains("://"),
        "{text}"
    );
}

#[test]
fn there_is_nothing_to_say_about_nothing() {
    let f = fixture("app: { id: a }\nroot: x\n$0\nstates:\n  x: {}\n");
    assert_eq!(hover(&f.snapshot, f.at), None);
}
