//! Completion.

use kitsoki_lsp::features::completion::{Item, completion};

use crate::fixture::{Fixture, fixture};

fn items(f: &Fixture) -> Vec<Item> {
    completion(&f.snapshot, f.at)
}

fn labels(f: &Fixture) -> Vec<String> {
    items(f).into_iter().map(|i| i.label).collect()
}

/// Every one of `wanted` is offered, none of `unwanted`.
#[track_caller]
fn offers(text: &str, wanted: &[&str], unwanted: &[&str]) {
    let f = fixture(text);
    let found = labels(&f);
    for word in wanted {
        assert!(found.iter().any(|l| l == word), "no `{word}` in {found:?}");
    }
    for word in unwanted {
        assert!(!found.iter().any(|l| l == word), "`{word}` in {found:?}");
    }
}

/// The text after one of the items is taken.
#[track_caller]
fn taking(text: &str, label: &str, after: &str) {
    let f = fixture(text);
    let found = items(&f);
    let Some(item) = found.iter().find(|i| i.label == label) else {
        panic!("no `{label}` in {:?}", labels(&f));
    };
    let place = kitsoki_lsp::features::Place {
        file: f.at.file,
        range: item.range,
    };
    assert_eq!(f.edited(&[(place, item.insert.clone())]), after);
}

const HEAD: &str = "app: { id: a, version: 0.1.0 }\nroot: pier\nhosts: [host.run]\nworld: { note: { type: string }, mood: { type: enum, values: [calm, cross] } }\nintents: { board: { slots: { who: { type: enum, values: [ann, bob] } } }, leave: {} }\nagents: { ann: { system_prompt: x, effect: read } }\nexits: { done: {} }\n";

fn story(states: &str) -> String {
    format!("{HEAD}states:\n{states}")
}

#[test]
fn keys_of_the_declaration_at_hand_without_those_that_are_there() {
    offers(
        &story("  pier:\n    view: x\n    $0\n    terminal: true\n"),
        &["on", "on_enter", "description"],
        &["view", "terminal", "target", "app"],
    );
    offers(
        "app: { id: a }\nroot: x\n$0\nstates: {}\n",
        &["world", "intents", "imports"],
        &["app", "root", "states"],
    );
    offers(&story("  pier: { view: x, $0 }\n"), &["on"], &["view"]);
    offers(
        &story("  pier:\n    view:\n      - $0\n"),
        &["prose", "choice", "when"],
        &["view"],
    );
    offers(
        &story("  pier:\n    view:\n      - prose: x\n        $0\n"),
        &["when"],
        &["prose", "list"],
    );
}

#[test]
fn a_key_is_written_with_the_indentation_of_its_place() {
    taking(
        &story("  pier:\n    on:\n      board:\n        - target: pier\n          $0\n"),
        "effects",
        &story("  pier:\n    on:\n      board:\n        - target: pier\n          effects:\n            - \n"),
    );
    taking(
        &story("  pier:\n    on_enter:\n      $0\n"),
        "invoke",
        &story("  pier:\n    on_enter:\n      - invoke: \n"),
    );
    taking(
        &story("  pier:\n    on_enter:\n      - $0\n"),
        "with",
        &story("  pier:\n    on_enter:\n      - with:\n          \n"),
    );
    taking(&story("  pier:\n    vi$0\n"), "view", &story("  pier:\n    view: \n"));
    taking(
        &story("  pier:\n    vi$0ew: x\n"),
        "view",
        &story("  pier:\n    view: x\n"),
    );
    taking(
        &story("  pier: { ter$0 }\n"),
        "terminal",
        &story("  pier: { terminal:  }\n"),
    );
}

#[test]
fn targets_are_rooms_of_this_story_and_of_what_it_imports() {
    let text = "//- /s/app.yaml\napp: { id: a }\nroot: bar\nexits: { done: {} }\nintents: { go: {} }\nimports: { k: { source: ./child } }\nstates:\n  bar:\n    states:\n      dark: { on: { go: [{ target: $0 }] } }\n      lit: {}\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: x\nstates: { x: {} }\n";
    offers(
        text,
        &["bar", "bar.dark", "bar.lit", "../lit", "k", "k.x", "@exit:done", "."],
        &["../dark", "x"],
    );
    taking(
        &story("  pier: { on: { board: [{ target: pi$0 }] } }\n"),
        "pier",
        &story("  pier: { on: { board: [{ target: pier }] } }\n"),
    );
}

#[test]
fn intents_slots_and_words() {
    offers(
        &story("  pier:\n    on:\n      $0\n      board: []\n"),
        &["leave"],
        &["board"],
    );
    offers(&story("  pier:\n    default_intent: $0\n"), &["board", "leave"], &[]);
    offers(&story("  pier:\n    menu: [board, $0]\n"), &["leave"], &[]);
    offers(&story("  pier:\n    write_mode: $0\n"), &["open", "read_only"], &[]);
    offers(&story("  pier:\n    terminal: $0\n"), &["true", "false"], &[]);
    offers(
        &story("  pier:\n    on: { leave: [{ effects: [{ emit_intent: board, slots: { $0 } }] }] }\n"),
        &["who"],
        &[],
    );
    offers(
        &story(
            "  pier:\n    view:\n      - choice:\n          mode: single\n          items:\n            - label: x\n              intent: board\n              slots:\n                $0\n",
        ),
        &["who"],
        &[],
    );
}

#[test]
fn local_intents_are_offered_in_their_room_alone() {
    let states = "  pier:\n    intents: { shout: {} }\n    default_intent: $0\n  deck: {}\n";
    offers(&story(states), &["shout", "board"], &[]);
    let states = "  pier:\n    intents: { shout: {} }\n  deck:\n    default_intent: $0\n";
    offers(&story(states), &["board"], &["shout"]);
}

#[test]
fn world_keys_and_slots_in_guards_and_templates() {
    offers(
        &story("  pier: { on: { board: [{ when: 'world.$0' }] } }\n"),
        &["note", "mood"],
        &["board", "len"],
    );
    offers(
        &story("  pier: { on: { board: [{ when: 'slots.$0' }] } }\n"),
        &["who"],
        &["note"],
    );
    offers(
        &story("  pier: { on: { board: [{ when: \"slots.who == '$0\" }] } }\n"),
        &["ann", "bob"],
        &["world"],
    );
    offers(
        &story("  pier: { on: { board: [{ when: \"world.mood == '$0\" }] } }\n"),
        &["calm", "cross"],
        &["world"],
    );
    offers(
        &story("  pier: { on: { board: [{ when: \"available('$0\" }] } }\n"),
        &["leave"],
        &["world"],
    );
    offers(
        &story("  pier: { on: { board: [{ when: '$0' }] } }\n"),
        &["world", "slots", "len", "available"],
        &["wordwrap", "if"],
    );
    offers(&story("  pier: { view: 'a {{ world.n$0 }} b' }\n"), &["note"], &[]);
    offers(
        &story("  pier: { view: 'a {{ world.note | $0 }}' }\n"),
        &["upper", "default"],
        &["world"],
    );
    offers(&story("  pier: { view: '{% $0 %}' }\n"), &["if", "for"], &["world"]);
    offers(&story("  pier: { view: 'plain wo$0rds' }\n"), &[], &["world"]);
    offers(
        &story("  pier:\n    view: |\n      hello\n      {{ world.$0\n"),
        &["note"],
        &[],
    );
    offers(
        &story("  pier:\n    on_enter:\n      - set:\n          $0\n"),
        &["note"],
        &[],
    );
    offers(
        &story("  pier:\n    on_enter:\n      - set: { note: '{{ $0' }\n"),
        &["world"],
        &["wordwrap"],
    );
}

#[test]
fn verbs_and_their_arguments() {
    offers(
        &story("  pier:\n    on_enter:\n      - invoke: $0\n"),
        &["host.run", "host.git"],
        &[],
    );
    offers(
        &story("  pier:\n    on_enter:\n      - invoke: host.run\n        with:\n          cmd: ls\n          $0\n"),
        &["args", "cwd"],
        &["cmd"],
    );
    offers(
        &story("  pier:\n    on_enter:\n      - { invoke: host.run, with: { $0 } }\n"),
        &["cmd"],
        &[],
    );
    offers(
        &story("  pier:\n    on_enter:\n      - invoke: host.agent.task\n        with:\n          agent: $0\n"),
        &["ann"],
        &[],
    );
    let interface = "app: { id: a }\nroot: x\nhost_interfaces: { vcs: { operations: { push: { input: { branch: string } } }, default: host.git } }\nstates:\n  x:\n    on_enter:\n      - invoke: iface.vcs.push\n        with:\n          $0\n";
    offers(interface, &["branch"], &[]);
    offers(
        &interface.replace("iface.vcs.push", "$0").replace("          $0\n", ""),
        &["iface.vcs.push"],
        &[],
    );
}

#[test]
fn fields_come_from_the_schema_and_the_default() {
    let text = "//- /s/app.yaml\napp: { id: a }\nroot: x\nworld: { plan: { type: object }, box: { type: object, default: { lid: open } } }\nstates:\n  x:\n    on_enter:\n      - invoke: host.agent.decide\n        with: { schema: plan.json, prompt: hi }\n        bind: { plan: submitted }\n    view: '{{ world.plan.$0 }}'\n//- /s/plan.json\n{\"properties\": {\"goal\": {\"type\": \"string\"}, \"step\": {\"properties\": {\"kind\": {}}}}}\n";
    offers(text, &["goal", "step"], &["kind"]);
    offers(
        &text.replace("world.plan.$0", "world.plan.step.$0"),
        &["kind"],
        &["goal"],
    );
    offers(&text.replace("world.plan.$0", "world.box.$0"), &["lid"], &[]);
}

#[test]
fn names_of_an_imported_story() {
    let text = "//- /s/app.yaml\napp: { id: a }\nroot: k\nimports:\n  k:\n    source: ./child\n    $0\nstates: { e: { view: '{{ world.k__note }}' } }\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: x\nworld: { note: {} }\nexits: { done: {} }\nstates: { x: {} }\n";
    offers(&text.replace("$0", "entry: $0"), &["x"], &["e"]);
    offers(&text.replace("$0", "exits: { $0 }"), &["done"], &[]);
    offers(&text.replace("$0", "world_in: { $0 }"), &["note"], &[]);
    offers(
        &text.replace("$0", "").replace("world.k__note", "world.$0"),
        &["k__note"],
        &["note"],
    );
}

#[test]
fn files_by_what_the_key_wants() {
    let text = "//- /s/app.yaml\napp: { id: a, context_path: $0 }\nroot: x\n//- /s/docs/a.md\nhello\n//- /s/b.json\n{}\n//- /s/c.md\nx\n";
    offers(text, &["docs/", "c.md"], &["b.json", "app.yaml"]);
    offers(&text.replace("$0", "docs/$0"), &["a.md"], &["c.md"]);
    taking(
        "//- /s/app.yaml\napp: { id: a, context_path: docs/$0 }\nroot: x\n//- /s/docs/a.md\nhello\n",
        "a.md",
        "//- /s/app.yaml\napp: { id: a, context_path: docs/a.md }\nroot: x\n//- /s/docs/a.md\nhello\n",
    );
}

#[test]
fn fixtures_complete_the_names_of_their_story() {
    let text = "//- /s/app.yaml\napp: { id: a }\nroot: pier\nworld: { note: {} }\nintents: { board: { slots: { who: {} } } }\nstates: { pier: {} }\n//- /s/flows/a.yaml\ntest_kind: flow\ninitial_state: $0\nturns:\n  - intent: { name: board, slots: {} }\n";
    offers(text, &["pier"], &[]);
    offers(&text.replace("$0", "pier\ninitial_world: { $0 }"), &["note"], &[]);
    offers(
        &text.replace("$0", "pier").replace("slots: {} }\n", "slots: { $0 } }\n"),
        &["who"],
        &[],
    );
    offers(
        &text.replace("$0", "pier\n$0"),
        &["expect_terminal"],
        &["initial_state", "test_kind"],
    );
}

#[test]
fn half_typed_text_is_completed() {
    offers(
        &story("  pier:\n    on:\n      board:\n        - target: '$0\n      leave: [\n"),
        &["pier"],
        &[],
    );
    offers(&story("  pier:\n    view: \"{{ world.$0\n  deck: {}\n"), &["note"], &[]);
    offers(&story("  pier: { on: { board: [{ target: $0\n"), &["pier"], &[]);
    offers(
        &format!("broken: [\n{}", story("  pier:\n    on_enter:\n      - invoke: $0\n")),
        &["host.run"],
        &[],
    );
}

#[test]
fn a_file_of_another_tool_is_left_alone() {
    let f = fixture("runtime: go\nhandlers:\n  - $0\n");
    assert_eq!(labels(&f), Vec::<String>::new());
    // Also beside a story.
    let f = fixture(
        "//- /s/app.yaml\napp: { id: a }\nroot: x\nstates: { x: {} }\n//- /s/compose.yaml\nservices: { web: {} }\nproviders:\n  $0\n",
    );
    assert_eq!(labels(&f), Vec::<String>::new());
    assert_eq!(
        kitsoki_lsp::features::semantic::tokens(&f.snapshot, f.at.file, None),
        []
    );
    // A part of a story that nobody includes yet is not foreign.
    offers(
        "//- /s/app.yaml\napp: { id: a }\nroot: x\nstates: { x: {} }\n//- /s/new.yaml\nstates:\n  y:\n    $0\n",
        &["view"],
        &[],
    );
}
