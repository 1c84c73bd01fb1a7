//! Renaming.

use kitsoki_lsp::features::rename::{prepare, rename};

use crate::fixture::fixture;

#[track_caller]
fn becomes(before: &str, new: &str, after: &str) {
    let f = fixture(before);
    let edits = rename(&f.snapshot, f.at, new).unwrap();
    assert_eq!(f.edited(&edits), after);
}

#[track_caller]
fn is_refused(text: &str, new: &str, why: &str) {
    let f = fixture(text);
    let refused = rename(&f.snapshot, f.at, new).unwrap_err();
    assert!(refused.contains(why), "{refused}");
}

#[test]
fn a_room_is_renamed_with_its_paths_in_every_file() {
    becomes(
        "//- /s/app.yaml\napp: { id: a }\nroot: bar.dark\nintents: { go: {} }\nstates:\n  bar:\n    initial: dark\n    states:\n      dark: { on: { go: [{ target: ../lit }] } }\n      l$0it: { on: { go: [{ target: bar.dark }, { target: \"bar/lit\" }] } }\n  lit: {}\n//- /s/flows/a.yaml\ntest_kind: flow\ninitial_state: bar.lit\n",
        "bright",
        "//- /s/app.yaml\napp: { id: a }\nroot: bar.dark\nintents: { go: {} }\nstates:\n  bar:\n    initial: dark\n    states:\n      dark: { on: { go: [{ target: ../bright }] } }\n      bright: { on: { go: [{ target: bar.dark }, { target: \"bar/bright\" }] } }\n  lit: {}\n//- /s/flows/a.yaml\ntest_kind: flow\ninitial_state: bar.bright\n",
    );
}

#[test]
fn a_world_key_is_renamed_in_stories_that_import_it() {
    becomes(
        "//- /s/app.yaml\napp: { id: a }\nroot: k\nimports: { k: { source: ./child, world_in: { note: x } } }\nstates: { e: { view: '{{ world.k__note }}' } }\n//- /s/flows/a.yaml\ntest_kind: flow\ninitial_world: { k__note: x, note: y }\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: x\nworld: { no$0te: {} }\nstates: { x: { view: 'the {{ world.note ?? world.notes }}' } }\n",
        "memo",
        "//- /s/app.yaml\napp: { id: a }\nroot: k\nimports: { k: { source: ./child, world_in: { memo: x } } }\nstates: { e: { view: '{{ world.k__memo }}' } }\n//- /s/flows/a.yaml\ntest_kind: flow\ninitial_world: { k__memo: x, note: y }\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: x\nworld: { memo: {} }\nstates: { x: { view: 'the {{ world.memo ?? world.notes }}' } }\n",
    );
}

#[test]
fn an_alias_is_renamed_in_every_name_that_it_begins() {
    becomes(
        "//- /s/app.yaml\napp: { id: a }\nroot: k\nimports: { $0k: { source: ./child } }\nstates: { e: { view: '{{ world.k__note }}', on: { k__go: [{ target: k.x }] } } }\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: x\nintents: { go: {} }\nworld: { note: {} }\nstates: { x: {} }\n",
        "kid",
        "//- /s/app.yaml\napp: { id: a }\nroot: kid\nimports: { kid: { source: ./child } }\nstates: { e: { view: '{{ world.kid__note }}', on: { kid__go: [{ target: kid.x }] } } }\n//- /s/child/app.yaml\napp: { id: c, version: 1.0.0 }\nroot: x\nintents: { go: {} }\nworld: { note: {} }\nstates: { x: {} }\n",
    );
}

#[test]
fn an_intent_and_its_slots_are_renamed_where_they_are_meant() {
    let story = "app: { id: a }\nroot: x\nintents: { go: { slots: { to: {} } }, see: { slots: { to: {} } } }\nstates:\n  x:\n    menu: [go]\n    default_intent: go\n    on:\n      go: [{ when: \"slots.to == 'a' && available('go')\", target: x }]\n      see: [{ when: slots.to, effects: [{ emit_intent: go, slots: { to: x } }] }]\n    view: [{ choice: { mode: single, items: [{ label: l, intent: go, slots: { to: b } }] } }]\n";
    let after = story
        .replace("{ go: { slots: { to", "{ leave: { slots: { to")
        .replace("menu: [go]", "menu: [leave]")
        .replace("default_intent: go", "default_intent: leave")
        .replace("      go: [", "      leave: [")
        .replace("available('go')", "available('leave')")
        .replace("emit_intent: go", "emit_intent: leave")
        .replace("intent: go,", "intent: leave,");
    becomes(&story.replace("menu: [go]", "menu: [g$0o]"), "leave", &after);
    let after = story
        .replace("{ go: { slots: { to", "{ go: { slots: { dest")
        .replace("slots.to == 'a'", "slots.dest == 'a'")
        .replace("slots: { to: x }", "slots: { dest: x }")
        .replace("slots: { to: b }", "slots: { dest: b }");
    becomes(
        &story.replace("{ go: { slots: { to", "{ go: { slots: { t$0o"),
        "dest",
        &after,
    );
}

#[test]
fn a_room_with_a_workbench_takes_the_made_names_along() {
    becomes(
        "//- /s/p.md\nhi\n//- /s/s.json\n{}\n//- /s/app.yaml\napp: { id: a, version: 0.1.0 }\nroot: pier\nhosts: [host.agent.task]\ntoolboxes: { t: { tools: [Write], effect: write } }\nagents: { w: { system_prompt: x, toolbox: t } }\nstates:\n  pi$0er:\n    workbench: { agent: w, prompt: p.md, acceptance_schema: s.json }\n    view: '{{ world.pier_request }}'\n",
        "dock",
        "//- /s/p.md\nhi\n//- /s/s.json\n{}\n//- /s/app.yaml\napp: { id: a, version: 0.1.0 }\nroot: dock\nhosts: [host.agent.task]\ntoolboxes: { t: { tools: [Write], effect: write } }\nagents: { w: { system_prompt: x, toolbox: t } }\nstates:\n  dock:\n    workbench: { agent: w, prompt: p.md, acceptance_schema: s.json }\n    view: '{{ world.dock_request }}'\n",
    );
}

#[test]
fn what_cannot_be_renamed_says_why() {
    let story = "app: { id: a }\nroot: x\nworld: { n$0: {}, m: {} }\nstates: { x: { on_enter: [{ invoke: host.run }], view: '{{ world.q }}' } }\n";
    is_refused(story, "m", "taken");
    is_refused(story, "last_error", "taken");
    is_refused(story, "a b", "no name");
    is_refused(story, "2", "no name");
    is_refused(story, "true", "no name");
    is_refused(
        &story.replace("n$0", "n").replace("host.run", "host.ru$0n"),
        "x",
        "engine's name",
    );
    is_refused(
        &story.replace("n$0", "n").replace("world.q", "world.q$0"),
        "x",
        "declared nowhere",
    );
    is_refused(
        &story.replace("n$0", "n").replace("app:", "a$0pp:"),
        "x",
        "no name here",
    );
}

#[test]
fn what_is_renamed_is_the_name_alone() {
    let f = fixture("app: { id: a }\nroot: x\nworld: { note: {} }\nstates: { x: { view: 'a {{ world.no$0te }}' } }\n");
    let prepared = prepare(&f.snapshot, f.at).unwrap();
    assert_eq!(prepared.name, "note");
    assert_eq!(usize::from(prepared.range.len()), 4);
}

#[test]
fn a_world_key_is_renamed_in_view_files_and_scripts() {
    becomes(
        "//- /s/app.yaml\napp: { id: a }\nroot: x\nworld: { no$0te: {} }\nstates: { x: { view: { template_file: card.pongo } } }\n//- /s/views/card.pongo\n{% block body %}{{ world.note|upper }} {{ args.note }}{% if world.note == 'note' %}note{% endif %}{% endblock %}\n//- /s/scripts/read.star\ndef main(ctx):\n    note = ctx.world.get(\"note\") or ctx.inputs[\"note\"]\n    return {\"note\": pick(ctx.world, 'note')}\n//- /s/notes/card.pongo\n{{ world.note }}\n//- /s/k/app.yaml\napp: { id: k }\nroot: x\nstates: { x: {} }\n//- /s/k/scripts/read.star\nctx.world.get(\"note\")\n",
        "memo",
        "//- /s/app.yaml\napp: { id: a }\nroot: x\nworld: { memo: {} }\nstates: { x: { view: { template_file: card.pongo } } }\n//- /s/views/card.pongo\n{% block body %}{{ world.memo|upper }} {{ args.note }}{% if world.memo == 'note' %}note{% endif %}{% endblock %}\n//- /s/scripts/read.star\ndef main(ctx):\n    note = ctx.world.get(\"memo\") or ctx.inputs[\"note\"]\n    return {\"note\": pick(ctx.world, 'memo')}\n//- /s/notes/card.pongo\n{{ world.note }}\n//- /s/k/app.yaml\napp: { id: k }\nroot: x\nstates: { x: {} }\n//- /s/k/scripts/read.star\nctx.world.get(\"note\")\n",
    );
}

#[test]
fn a_world_key_is_renamed_where_it_chooses_a_file() {
    let story = "app: { id: a }\nroot: x\nworld: { no$0te: {} }\nstates: { x: { on_enter: [{ invoke: host.starlark.run, with: { script: '{{ world.note.path }}' } }] } }\n";
    let after = story.replace("no$0te", "memo").replace("world.note", "world.memo");
    becomes(story, "memo", &after);
}

#[test]
fn a_rename_may_begin_in_a_view_file_or_a_script() {
    let story = "//- /s/app.yaml\napp: { id: a }\nroot: x\nworld: { note: {} }\nstates: { x: {} }\n";
    for file in [
        "//- /s/views/v.pongo\n{{ world.no$0te }}\n",
        "//- /s/v.star\nctx.world.get('no$0te')\n",
    ] {
        let f = fixture(&format!("{story}{file}"));
        let edits = rename(&f.snapshot, f.at, "memo").unwrap();
        assert!(f.edited(&edits).contains("world: { memo: {} }"));
        assert_eq!(edits.len(), 2);
    }
}

/// A story with fixtures of every kind. `@deck@` is a place at which the room `deck` is named, and so on; the same word without
/// its signs means something else.
const NAMED: &str = "\
//- /s/app.yaml
app: { id: a }
root: pier
world: { @note@: {} }
agents: { @mate@: { system_prompt: note } }
intents: { @go@: { title: go, slots: { @to@: {} }, synonyms: ['sail { @to@ } now', 'to go'] } }
states:
  pier:
    on_enter: [{ invoke: host.agent.ask, id: @ask@, with: { agent: @mate@, prompt: 'ask {{ world.@note@ }}' } }]
    on: { @go@: [{ target: @deck@, when: slots.@to@ == 'to' }] }
  @deck@: { description: deck }
//- /s/flows/a.yaml
test_kind: flow
initial_state: pier
host_handlers: { host.agent: { by_call: { @ask@: { data: { note: ask } } } } }
turns:
  - intent: { name: @go@, slots: { @to@: to } }
    expect_slots: { @to@: to }
    expect_events:
      - { kind: machine.transition, from: pier, to: @deck@ }
      - { kind: world.update, effect: { set: { @note@: note } } }
      - { kind: machine.intent_accepted, effect: { intent: @go@ } }
    expect_host_calls: [{ handler: host.agent.ask, args: { call: @ask@, agent: @mate@, prompt: ask } }]
  - intent: { name: @go@ }
    expect_error: { code: MISSING_SLOTS, missing_slots: [@to@], allowed_contains: [@go@] }
acceptance:
  final_state_in: [@deck@]
  world: { @note@: note }
  host_calls: { required: [{ handler: host.agent.ask, args: { call: @ask@ } }] }
---
test_kind: flow
initial_state: @deck@
expect_world_final: { @note@: go }
//- /s/cassettes/a.yaml
kind: host_cassette
episodes:
  - { id: ask, match: { handler: host.agent.ask, call: @ask@, agent: @mate@ }, response: { data: { note: mate } } }
//- /s/intents/a.yaml
test_kind: intents
state: @deck@
fixtures: [{ id: go, intent: { name: @go@, slots: { @to@: note } }, inputs: [go] }]
//- /s/recording.yaml
kind: recording
entries: [{ state: @deck@, input: go, intent: { name: @go@, slots: { @to@: deck } } }]
";

#[test]
fn fixtures_cassettes_and_recordings_follow_every_name() {
    for (old, new) in [
        ("note", "memo"),
        ("deck", "hold"),
        ("go", "leave"),
        ("to", "goal"),
        ("ask", "question"),
        ("mate", "bosun"),
    ] {
        let mark = format!("@{old}@");
        let plain = |text: &str| text.replace('@', "");
        let at = NAMED.find(&mark).unwrap() + 1;
        let before = format!("{}$0{}", &NAMED[..at], &NAMED[at..]);
        becomes(&plain(&before), new, &plain(&NAMED.replace(&mark, new)));
    }
}

#[test]
fn a_large_fixture_is_read_as_one() {
    // A large file is cut into pieces, most of which do not say what it is.
    let prose = "# so many words\n".repeat(700);
    let story = "//- /s/app.yaml\napp: { id: a }\nroot: x\nworld: { no$0te: {} }\nstates: { x: {} }\n";
    let flow = format!(
        "//- /s/flows/a.yaml\ntest_kind: flow\ninitial_world:\n  note: 1\n{prose}turns:\n  - expect_world: {{ note: 2 }}\n"
    );
    let f = fixture(&format!("{story}{flow}"));
    let edits = rename(&f.snapshot, f.at, "memo").unwrap();
    let text = f.edited(&edits);
    assert!(
        text.contains("  memo: 1\n") && text.contains("{ memo: 2 }"),
        "{}",
        edits.len()
    );
}

#[test]
fn a_call_keeps_its_id_under_an_import() {
    becomes(
        "//- /s/app.yaml\napp: { id: a }\nroot: k\nimports: { k: { source: ./k } }\nstates: { e: {} }\n//- /s/flows/a.yaml\ntest_kind: flow\nhost_handlers: { host.run: { by_call: { list: { data: {} } } } }\n//- /s/k/app.yaml\napp: { id: k, version: 1.0.0 }\nroot: x\nstates: { x: { on_enter: [{ invoke: host.run, id: li$0st }] } }\n",
        "look",
        "//- /s/app.yaml\napp: { id: a }\nroot: k\nimports: { k: { source: ./k } }\nstates: { e: {} }\n//- /s/flows/a.yaml\ntest_kind: flow\nhost_handlers: { host.run: { by_call: { look: { data: {} } } } }\n//- /s/k/app.yaml\napp: { id: k, version: 1.0.0 }\nroot: x\nstates: { x: { on_enter: [{ invoke: host.run, id: look }] } }\n",
    );
}
