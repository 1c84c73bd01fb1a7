//! Definitions, types, implementations, references, highlights.

use kitsoki_lsp::features::definition;
use kitsoki_lsp::features::rename::highlights;
use kitsoki_lsp::features::symbol_at::{Reach, hits, uses};
use kitsoki_lsp::index::schema::Role;

use crate::fixture::fixture;

#[track_caller]
fn goes_to(text: &str, expected: &[&str]) {
    let f = fixture(text);
    let found: Vec<String> = definition::definition(&f.snapshot, f.at)
        .into_iter()
        .map(|t| f.show(t.place))
        .collect();
    assert_eq!(found, expected);
}

#[track_caller]
fn used_at(text: &str, expected: &[&str]) {
    let f = fixture(text);
    let mut found = Vec::new();
    for hit in hits(&f.snapshot, f.at) {
        for u in uses(&f.snapshot, &hit.symbol, Reach::Everywhere) {
            let role = match u.role {
                Role::Definition => "def",
                Role::Write => "write",
                Role::Read => "read",
                Role::Call => "call",
            };
            found.push(format!("{role} {}", f.show(u.place)));
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn a_target_leads_to_its_room() {
    goes_to(
        "app: { id: a }\nroot: pier\nintents: { go: {} }\nstates:\n  pier: { on: { go: [{ target: de$0ck }] } }\n  deck: {}\n",
        &["app.yaml:6 deck"],
    );
}

#[test]
fn a_relative_target_is_resolved_from_its_room() {
    let story = "app: { id: a }\nroot: bar\nintents: { go: {} }\nstates:\n  bar:\n    initial: dark\n    states:\n      dark: { on: { go: [{ target: ../li$0t }] } }\n      lit: {}\n  lit: {}\n";
    goes_to(story, &["app.yaml:9 lit"]);
    goes_to(&story.replace("../li$0t", "li$0t"), &["app.yaml:10 lit"]);
    goes_to(&story.replace("../li$0t", "bar/li$0t"), &["app.yaml:9 lit"]);
    goes_to(&story.replace("../li$0t", "b$0ar.lit"), &["app.yaml:5 bar"]);
    goes_to(
        &story
            .replace("../li$0t", "x")
            .replace("initial: dark", "initial: da$0rk"),
        &["app.yaml:8 dark"],
    );
}

#[test]
fn names_in_included_files_lead_back() {
    goes_to(
        "//- /s/app.yaml\napp: { id: a }\nroot: pier\ninclude: [rooms/*.yaml]\nworld: { note: { type: string } }\n//- /s/rooms/pier.yaml\nstates:\n  pier:\n    view: 'a {{ world.no$0te }}'\n",
        &["app.yaml:4 note"],
    );
}

const PARENT: &str = "//- /s/app.yaml\napp: { id: a }\nroot: k\nimports:\n  k: { source: ./child, entry: cold, world_in: { note: 'x' }, exits: { done: { to: end } } }\nintents: { go: {} }\nstates:\n  end: { view: 'b {{ world.k__note }}', on: { go: [{ target: k.warm }] } }\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: cold\nworld: { note: { type: string } }\nexits: { done: {} }\nintents: { go: {} }\nstates:\n  cold: { on: { go: [{ target: warm, effects: [{ set: { note: y } }] }] } }\n  warm: { on: { go: [{ target: '@exit:done' }] } }\n";

#[track_caller]
fn with_cursor(text: &str, before: &str, after: &str) -> String {
    let both = format!("{before}{after}");
    assert_eq!(text.matches(&both).count(), 1, "{both}");
    text.replace(&both, &format!("{before}$0{after}"))
}

#[test]
fn names_lead_through_the_alias_of_an_import() {
    goes_to(&with_cursor(PARENT, "world.k__no", "te"), &["child/app.yaml:3 note"]);
    goes_to(&with_cursor(PARENT, "target: k.wa", "rm"), &["child/app.yaml:8 warm"]);
    goes_to(&with_cursor(PARENT, "entry: co", "ld"), &["child/app.yaml:7 cold"]);
    goes_to(&with_cursor(PARENT, "world_in: { no", "te"), &["child/app.yaml:3 note"]);
    goes_to(
        &with_cursor(PARENT, "exits: { do", "ne: { to"),
        &["child/app.yaml:4 done"],
    );
    goes_to(&with_cursor(PARENT, "'@exit:do", "ne'"), &["child/app.yaml:4 done"]);
    goes_to(&with_cursor(PARENT, "{ to: e", "nd"), &["app.yaml:7 end"]);
    // The alias leads to the story.
    goes_to(&with_cursor(PARENT, "world.k", "__note"), &["child/app.yaml:1 "]);
    goes_to(&with_cursor(PARENT, "source: ./ch", "ild"), &["child/app.yaml:1 "]);
}

#[test]
fn references_are_found_from_the_story_that_is_imported() {
    let expected = [
        "write app.yaml:4 note",
        "read app.yaml:7 note",
        "def child/app.yaml:3 note",
        "write child/app.yaml:7 note",
    ];
    used_at(&with_cursor(PARENT, "world: { no", "te"), &expected);
    used_at(&with_cursor(PARENT, "set: { no", "te"), &expected);
    used_at(&with_cursor(PARENT, "world.k__no", "te"), &expected);
}

#[test]
fn an_alias_is_used_in_every_name_that_it_begins() {
    used_at(
        &with_cursor(PARENT, "world.k", "__note"),
        &[
            "call app.yaml:2 k",
            "def app.yaml:4 k",
            "read app.yaml:7 k",
            "call app.yaml:7 k",
        ],
    );
}

#[test]
fn fixtures_and_cassettes_are_searched() {
    used_at(
        "//- /s/app.yaml\napp: { id: a }\nroot: pier\nintents: { board: { slots: { who: { type: string } } } }\nworld: { n: { type: int } }\nstates:\n  pi$0er: {}\n//- /s/flows/a.yaml\ntest_kind: flow\ninitial_state: pier\nturns:\n  - intent: { name: board, slots: { who: x } }\n    expect_state: pier\n    expect_world: { n: 1 }\n//- /s/cassettes/b.yaml\nkind: host_cassette\nepisodes:\n  - match: { phase: pier }\n",
        &[
            "call app.yaml:2 pier",
            "def app.yaml:6 pier",
            "call cassettes/b.yaml:3 pier",
            "call flows/a.yaml:2 pier",
            "call flows/a.yaml:5 pier",
        ],
    );
}

#[test]
fn a_local_intent_is_not_the_storys() {
    let story = "app: { id: a }\nroot: pier\nintents: { go: {} }\nstates:\n  pier:\n    intents: { go: { slots: { n: { type: int } } } }\n    on: { g$0o: [{ target: deck, when: 'slots.n > 1' }] }\n  deck: { on: { go: [{ target: pier }] } }\n";
    goes_to(story, &["app.yaml:6 go"]);
    let story = story.replace("g$0o:", "go:");
    goes_to(&with_cursor(&story, "deck: { on: { g", "o"), &["app.yaml:3 go"]);
    goes_to(&with_cursor(&story, "slots.", "n > 1"), &["app.yaml:6 n"]);
}

#[test]
fn texts_with_escapes_and_folds_keep_their_places() {
    goes_to(
        "app: { id: a }\nroot: pier\nworld: { note: { type: string } }\nstates:\n  pier:\n    view:\n      - prose: >\n          caf\u{e9} and\n          {{ world.no$0te }}\n      - prose: \"\\u00e9 {{ world.note }}\"\n",
        &["app.yaml:3 note"],
    );
    goes_to(
        "app: { id: a }\nroot: pier\nworld: { note: { type: string } }\nstates:\n  pier:\n    view: \"\\u00e9\\n {{ world.no$0te }}\"\n",
        &["app.yaml:3 note"],
    );
}

#[test]
fn what_a_macro_made_leads_to_what_caused_it() {
    goes_to(
        "//- /s/p.md\nhi\n//- /s/s.json\n{}\n//- /s/app.yaml\napp: { id: a, version: 0.1.0 }\nroot: pier\nhosts: [host.agent.task]\ntoolboxes: { t: { tools: [Write], effect: write } }\nagents: { w: { system_prompt: x, toolbox: t } }\nstates:\n  pier:\n    workbench: { agent: w, prompt: p.md, acceptance_schema: s.json }\n    view: '{{ world.pier_re$0quest }}'\n",
        &["app.yaml:8 workbench"],
    );
}

#[test]
fn agents_toolboxes_and_hosts_lead_to_their_declarations() {
    let story = "app: { id: a }\nroot: pier\nhosts: [host.agent.task]\ntoolboxes: { box: { tools: [Read] } }\nagents: { ann: { toolbox: bo$0x } }\nstates:\n  pier:\n    on_enter:\n      - invoke: host.agent.task\n        with: { agent: ann }\n";
    goes_to(story, &["app.yaml:4 box"]);
    goes_to(
        &with_cursor(&story.replace("$0", ""), "agent: an", "n }"),
        &["app.yaml:5 ann"],
    );
}

#[test]
fn a_path_leads_to_its_file() {
    goes_to(
        "//- /s/app.yaml\napp: { id: a, context_path: docs/a$0.md }\nroot: x\n//- /s/docs/a.md\nhello\n",
        &["docs/a.md:1 "],
    );
}

#[test]
fn an_interface_leads_to_what_answers_it() {
    let text = "//- /s/app.yaml\napp: { id: a }\nroot: k\nimports:\n  k: { source: ./child, host_bindings: { vcs: host.git } }\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: x\nhost_interfaces: { vcs: { operations: { go: {} }, default: host.local } }\nstates:\n  x: { on_enter: [{ invoke: iface.v$0cs.go }] }\n";
    goes_to(text, &["child/app.yaml:3 vcs"]);
    let f = fixture(text);
    let found: Vec<String> = definition::implementation(&f.snapshot, f.at)
        .into_iter()
        .map(|t| f.show(t.place))
        .collect();
    assert_eq!(found, ["child/app.yaml:3 host.local", "app.yaml:4 host.git"]);
}

#[test]
fn a_world_key_of_a_submission_has_the_schema_as_its_type() {
    let f = fixture(
        "//- /s/app.yaml\napp: { id: a }\nroot: x\nworld: { plan: { type: object } }\nstates:\n  x:\n    on_enter:\n      - invoke: host.agent.decide\n        with: { schema: plan.json, prompt: hi }\n        bind: { plan: submitted }\n    view: '{{ world.pl$0an }}'\n//- /s/plan.json\n{}\n",
    );
    let found: Vec<String> = definition::type_definition(&f.snapshot, f.at)
        .into_iter()
        .map(|t| f.show(t.place))
        .collect();
    assert_eq!(found, ["plan.json:1 ", "app.yaml:3 plan"]);
}

#[test]
fn highlights_tell_reads_from_writes() {
    let f = fixture(
        "app: { id: a }\nroot: x\nworld: { n$0: { type: int } }\nintents: { go: {} }\nstates:\n  x:\n    view: '{{ world.n }}'\n    on: { go: [{ when: 'world.n < 3', effects: [{ set: { n: '{{ world.n + 1 }}' } }, { increment: { n: 1 } }] }] }\n",
    );
    let roles: Vec<Role> = highlights(&f.snapshot, f.at).into_iter().map(|(_, r)| r).collect();
    assert_eq!(
        roles,
        [
            Role::Definition,
            Role::Read,
            Role::Read,
            Role::Write,
            Role::Read,
            Role::Write
        ]
    );
}
