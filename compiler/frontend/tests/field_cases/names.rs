//! Names: one cause is one finding, at the word, with the arm and the room it stands in.

use kitsoki_diagnostics::fixes::Which;

use super::support::{HEAD, fixed, said, said_of, said_of_files};

#[test]
fn a_missing_bracket_in_an_included_file_is_one_error() {
    let mut rooms = String::new();
    for i in 0..10 {
        rooms.push_str(&format!(
            "  r{i}: {{ on: {{ go: [{{ target: b }}], back: [{{ target: a }}] }} }}\n"
        ));
    }
    let story = format!(
        "{HEAD}include: [rooms/*.yaml]\nstates:\n  a: {{ on: {{ go: [{{ target: r0 }}] }} }}\n{rooms}//- rooms/b.yaml\nstates: {{ b: {{ on: {{ go: [{{ target: c }} }} }} }}\n"
    );
    insta::assert_snapshot!(said(&story), @r"
    error yaml-syntax rooms/b.yaml:1:26-27 this `[` is closed by `}`
      here: `]` is expected to close this
      help: close the brackets in the reverse order of opening them
      included from app.yaml:4:11-23
    ");
}

#[test]
fn an_unknown_target_is_told_at_the_word_and_explains_the_room_that_was_meant() {
    let body = "states:\n  a: { on: { go: [{ target: confrim }] } }\n  confirm: { terminal: true }\n";
    insta::assert_snapshot!(said_of(body), @r#"
    error target-unknown app.yaml:5:29-36 no room is called `confrim`
      here: this arc leads nowhere
      also app.yaml:6:3-10: a room with a similar name
      help: change it to `confirm`
      fix (unsafe): change it to `confirm`; app.yaml:5:29-36 becomes "confirm"
    "#);
    let story = format!("{HEAD}{body}");
    assert_eq!(fixed(&story, Which::Safe)[0].1, story, "a guess is not applied unasked");
    assert_eq!(said_of_files(&fixed(&story, Which::Unsafe)), "");
}

#[test]
fn an_undeclared_key_is_told_with_its_arm_and_its_room() {
    insta::assert_snapshot!(said_of("states:
  a:
    on:
      go:   [{ target: a, effects: [{ set: { n: 1 } }] }]
      back: [{ target: a, effects: [{ set: { m: 1 } }] }]
world: { n: { type: int, default: 0 } }
"), @r#"
    warning undeclared-world-key app.yaml:8:46-47 no world key is called `m`
      here: written here, declared nowhere
      help: the world keys are `n`
      note: in an arm of `back` in room `a`
    "#);
}

/// Every position of an arm in which a world key can stand.
#[test]
fn every_part_of_an_arm_names_the_arm() {
    for arm in [
        "target: a, when: 'world.m > 1'",
        "target: '{{ world.m }}'",
        "target: a, effects: [{ set: { m: 1 } }]",
        "target: a, effects: [{ increment: { m: 1 } }]",
        "target: a, effects: [{ set: { n: '{{ world.m }}' } }]",
        "target: a, effects: [{ say: 'so {{ world.m }}' }]",
        "target: a, effects: [{ invoke: host.run, with: { cmd: '{{ world.m }}' } }]",
        "target: a, effects: [{ invoke: host.run, with: { cmd: x }, bind: { m: stdout } }]",
        "target: a, effects: [{ invoke: host.run, with: { cmd: x }, on_complete: [{ set: { m: 1 } }] }]",
        "target: a, view: 'so {{ world.m }}'",
    ] {
        let found = said_of(&format!(
            "hosts: [host.run]\nstates:\n  a:\n    on:\n      go: [{{ target: a }}]\n      back: [{{ {arm} }}]\nworld: {{ n: {{ type: int, default: 0 }} }}\n"
        ));
        let told: Vec<&str> = found
            .split_inclusive('\n')
            .skip_while(|l| !l.contains("undeclared-world-key"))
            .collect();
        assert!(
            told[0].contains(" app.yaml:9:") && told[0].contains("`m`"),
            "{arm}: {found}"
        );
        assert!(
            told.contains(&"  note: in an arm of `back` in room `a`\n"),
            "{arm}: {found}"
        );
        assert!(!found.contains("`go`"), "{arm}: {found}");
    }
    let found =
        said_of("states: { a: { view: '{{ world.m }}', states: { b: { view: '{{ world.o }}' } }, terminal: true } }\n");
    assert!(
        found.contains("note: in room `a`\n") && found.contains("note: in room `a.b`\n"),
        "{found}"
    );
}

#[test]
fn a_key_of_an_imported_story_is_told_in_the_words_of_its_file() {
    let story = format!(
        "{HEAD}imports: {{ core: {{ source: ./child, exits: {{ done: {{ to: end }} }} }} }}
states: {{ a: {{ on: {{ go: [{{ target: core }}] }} }}, end: {{ terminal: true }} }}
//- child/app.yaml
app: {{ id: c, version: 0.1.0 }}
root: in
exits: {{ done: {{}} }}
intents: {{ leave: {{ examples: [leave] }} }}
states: {{ in: {{ on: {{ leave: [{{ target: '@exit:done', when: 'world.lost > 1' }}] }} }} }}
"
    );
    let found = said(&story);
    assert!(found.contains(" child/app.yaml:5:"), "{found}");
    assert!(found.contains("  note: in an arm of `leave` in room `in`\n"), "{found}");
    assert!(found.contains("  imported from app.yaml:4:28-35\n"), "{found}");
}

#[test]
fn a_call_that_cannot_work_is_told_before_it_runs() {
    insta::assert_snapshot!(said_of("hosts: [host.run]
states:
  a: { on_enter: [{ invoke: host.agent.decide, with: { prompt: p.md, schema: s.json }, bind: { d: submitted } }], terminal: true }
world: { d: { type: object, default: {} } }
"), @r#"
    error host-not-allowed app.yaml:6:29-46 `host.agent.decide` is not in `hosts`
      here: not in the list of allowed verbs
      also app.yaml:4:9-17: the allowed verbs are listed here
      help: the allowed verbs are `host.run`
      fix (unsafe): add `host.agent.decide` to `hosts`; app.yaml:4:17-17 becomes ", host.agent.decide"
    warning schema-file-missing app.yaml:6:64-68 the prompt `p.md` does not exist
      here: no such prompt
      help: write the file, or name one that is there: paths count from the folder of the story
    warning schema-file-missing app.yaml:6:78-84 the schema `s.json` does not exist
      here: no such schema
      help: write the file, or name one that is there: paths count from the folder of the story
    "#);
}

#[test]
fn four_findings_of_one_line_stay_four() {
    let found =
        said_of("states: { a: { on: { go: [{ target: x, when: \"world.q > 1\" }], gone: [{ target: y }] } } }\n");
    let heads: Vec<&str> = found.lines().filter(|l| !l.starts_with(' ')).collect();
    assert_eq!(
        heads,
        [
            "error target-unknown app.yaml:4:37-38 no room is called `x`",
            "warning undeclared-world-key app.yaml:4:53-54 no world key is called `q`",
            "error intent-undeclared app.yaml:4:64-68 no intent is called `gone`",
            "error target-unknown app.yaml:4:81-82 no room is called `y`",
        ]
    );
}

/// In an imported story a slip is mended as it is in a story of its own.
#[test]
fn a_slip_in_an_imported_story_is_recognised() {
    let story = |arm: &str| {
        let child = format!(
            "app: {{ id: c, version: 0.1.0 }}
root: in
exits: {{ done: {{}} }}
intents: {{ leave: {{ examples: [leave] }} }}
world: {{ note: {{ type: string, default: '' }} }}
states:
  in: {{ on: {{ leave: [{{ {arm} }}] }} }}
  garden: {{ on: {{ leave: [{{ target: '@exit:done' }}] }} }}
"
        );
        format!(
            "{HEAD}imports: {{ core: {{ source: ./child, exits: {{ done: {{ to: end }} }} }} }}
states: {{ a: {{ on: {{ go: [{{ target: core }}] }} }}, end: {{ terminal: true }} }}
hosts: [host.run]
//- child/app.yaml
{child}"
        )
    };
    for (arm, meant) in [
        ("target: gadren", "garden"),
        ("target: Garden", "garden"),
        ("target: garden, when: world.noet", "note"),
        ("target: garden, effects: [{ set: { noet: x } }]", "note"),
        ("target: garden, effects: [{ set: { last_errro: x } }]", "last_error"),
        ("target: '@exit:doen'", "@exit:done"),
    ] {
        let found = said(&story(arm));
        assert!(found.contains("; child/app.yaml:7:"), "{arm}: {found}");
        assert!(found.contains(&format!("becomes \"{meant}\"")), "{arm}: {found}");
    }
}

/// Every class of names that a story declares, with a slip in a use of it.
#[test]
fn a_slip_of_every_kind_of_name_is_recognised() {
    let story = "app: { id: t, version: 0.1.0 }
root: hall
hosts: [host.run, host.agent.ask]
intents: { open: { slots: { door: { type: enum, values: [front, back] } } }, leave: { examples: [leave] }, tell: { slots: { what: { type: string, required: true } } } }
world: { count: { type: int, default: 0 }, mood: { type: string, values: [calm, angry], default: calm } }
agents: { porter: { system_prompt: Open doors. } }
operations: { sweep: { mode: interactive } }
states:
  hall:
    default_intent: tell
    on_enter: [{ invoke: host.agent.ask, with: { agent: porter, prompt: p.md }, on_error: cellar }]
    on:
      open: [{ target: cellar, when: \"slots.door == 'front' && world.mood == 'calm'\", effects: [{ set: { count: 1 } }] }]
      leave: [{ target: cellar, operation: sweep }]
      tell: [{ target: cellar }]
  cellar: { terminal: true }
//- p.md
Ask.
";
    assert_eq!(said(story), "");
    for (right, wrong) in [
        ("target: cellar,", "target: celler,"),
        ("on_error: cellar", "on_error: celar"),
        ("root: hall", "root: hal"),
        ("default_intent: tell", "default_intent: tall"),
        ("\n      leave:", "\n      leaves:"),
        ("slots.door", "slots.dor"),
        ("world.mood", "world.mod"),
        ("== 'calm'", "== 'clam'"),
        ("set: { count:", "set: { conut:"),
        ("agent: porter", "agent: poter"),
        ("invoke: host.agent.ask", "invoke: host.agent.aks"),
        ("operation: sweep", "operation: swep"),
        ("prompt: p.md", "prompt: P.md"),
        ("terminal:", "terminl:"),
        ("type: enum", "type: enumm"),
    ] {
        let text = story.replacen(right, wrong, 1);
        assert_ne!(text, story, "{right}");
        let found = said(&text);
        let head = found.lines().next().unwrap_or_default();
        assert!(found.contains("becomes \""), "{wrong}: {found}");
        assert_eq!(
            found.lines().filter(|l| !l.starts_with(' ')).count(),
            1,
            "{wrong}: {head}\n{found}"
        );
        assert!(
            fixed(&text, Which::Unsafe) == super::support::files(story),
            "{wrong}: {found}"
        );
    }
    // A word that is like none of them is not explained away.
    let found = said(&story.replacen("target: cellar,", "target: zeppelin,", 1));
    assert!(!found.contains("becomes \""), "{found}");
}

#[test]
fn a_name_that_is_missing_thirty_times_is_one_finding() {
    let arms: String = (0..30)
        .map(|i| format!("  r{i}: {{ on: {{ go: [{{ target: celler }}], back: [{{ target: a }}] }} }}\n"))
        .collect();
    let found = said_of(&format!("states:\n  a: {{ on: {{ go: [{{ target: r0 }}] }} }}\n{arms}"));
    let lost: Vec<&str> = found.lines().filter(|l| l.contains("`celler`")).collect();
    assert_eq!(lost.len(), 1, "{found}");
    assert_eq!(found.matches("used here as well").count(), 8, "{found}");
    assert!(found.contains("  note: 30 uses in all\n"), "{found}");
}

/// A file that cannot be read hides nothing in the others.
#[test]
fn a_broken_file_hides_nothing_of_the_others() {
    let found = said_of(
        "include: [rooms/*.yaml]
states: { a: { on: { go: [{ target: a, when: '1 +' }] } } }
//- rooms/b.yaml
states: { b: { on: { go: [{ target: c } } } }
//- rooms/c.yaml
states: { c: { vieww: x, terminal: true } }
",
    );
    let heads: Vec<&str> = found.lines().filter(|l| !l.starts_with(' ')).collect();
    assert_eq!(heads.len(), 3, "{found}");
    assert!(heads[0].starts_with("error expr-syntax app.yaml:5:"), "{found}");
    assert!(heads[1].starts_with("error yaml-syntax rooms/b.yaml:1:"), "{found}");
    assert!(heads[2].starts_with("error unknown-key rooms/c.yaml:1:"), "{found}");
}

/// A slot that an `emit_intent` of an imported story passes is there, although the import renames the intent.
#[test]
fn a_slot_that_an_imported_story_passes_to_itself_is_known() {
    let found = said(&format!(
        "{HEAD}imports: {{ core: {{ source: ./child, exits: {{ done: {{ to: end }} }} }} }}
states: {{ a: {{ on: {{ go: [{{ target: core }}] }} }}, end: {{ terminal: true }} }}
//- child/app.yaml
app: {{ id: c, version: 0.1.0 }}
root: in
exits: {{ done: {{}} }}
intents: {{ leave: {{ examples: [leave] }} }}
world: {{ why: {{ type: string, default: '' }} }}
states:
  in:
    on_enter: [{{ emit_intent: leave, slots: {{ reason: tired }} }}]
    on: {{ leave: [{{ target: '@exit:done', effects: [{{ set: {{ why: '{{{{ slots.reason }}}}' }} }}] }}] }}
"
    ));
    assert_eq!(found, "");
}

/// Short forms of other tools: one finding each, which says the long form, and nothing about what the short form lacks.
#[test]
fn a_declaration_in_a_short_form_is_one_finding_with_the_long_form() {
    let body = "hosts: [host.agent.ask]
agents: { cook: hello }
include: rooms/*.yaml
imports: { oven: ../oven }
states:
  a: { on: { go: b, back: { target: a } } }
  b: { terminal: yes }
";
    insta::assert_snapshot!(said_of(body), @r#"
    error wrong-kind app.yaml:5:17-22 `cook` takes a mapping (an agent), not a text
      here: what stands behind the key
      help: write it as a mapping with the key `system_prompt`
      fix (unsafe): write it out; app.yaml:5:17-17 becomes "{ system_prompt: "; app.yaml:5:22-22 becomes " }"
    error wrong-kind app.yaml:6:10-22 `include` takes a list, not a text
      here: what stands behind the key
      help: write a list of one item
      fix (unsafe): make it a list; app.yaml:6:10-10 becomes "["; app.yaml:6:22-22 becomes "]"
    error wrong-kind app.yaml:7:18-25 `oven` takes a mapping (an import), not a text
      here: what stands behind the key
      help: write it as a mapping with the key `source`
      fix (unsafe): write it out; app.yaml:7:18-18 becomes "{ source: "; app.yaml:7:25-25 becomes " }"
    error wrong-kind app.yaml:9:18-19 `go` takes a list, not a text
      here: what stands behind the key
      help: write a list of one item with the key `target`
      fix (unsafe): make it a list; app.yaml:9:18-18 becomes "[{ target: "; app.yaml:9:19-19 becomes " }]"
    error wrong-kind app.yaml:9:27-40 `back` takes a list, not a mapping
      here: what stands behind the key
      help: write a list of one item
      fix (unsafe): make it a list; app.yaml:9:27-27 becomes "["; app.yaml:9:40-40 becomes "]"
    error wrong-kind app.yaml:10:18-21 `terminal` takes `true` or `false`, not a text
      here: what stands behind the key
      help: `yes`, `no`, `on` and `off` are texts
      fix (unsafe): change it to `true`; app.yaml:10:18-21 becomes "true"
    "#);
}

#[test]
fn the_value_of_a_key_from_elsewhere_is_read_as_that_of_the_key_that_is_meant() {
    let body = "states:
  a: { on: { go: [{ goto: c1 }], back: [{ target: b2 }] } }
  b2: { on: { back: [{ to: [a] }] } }
imports: { oven: { path: ../oven } }
root_: a
";
    insta::assert_snapshot!(said_of(body), @r#"
    error unknown-key app.yaml:5:21-25 an arc has no key `goto`
      here: no key of an arc
      help: here this is called `target`
      fix (unsafe): change it to `target`; app.yaml:5:21-25 becomes "target"
    error unknown-key app.yaml:6:24-26 an arc has no key `to`
      here: no key of an arc
      help: here this is called `target`
      fix (unsafe): change it to `target`; app.yaml:6:24-26 becomes "target"
    error unknown-key app.yaml:7:20-24 an import has no key `path`
      here: no key of an import
      help: here this is called `source`
      fix (unsafe): change it to `source`; app.yaml:7:20-24 becomes "source"
    error import-unreadable app.yaml:7:26-33 the story `../oven` cannot be read
      here: no story here
      help: name a manifest, or a folder that holds `app.yaml`
      note: it would be `/oven`
    error unknown-key app.yaml:8:1-6 a story has no key `root_`
      here: no key of a story
      help: `kitsoki explain story` lists its keys
    "#);
}

#[test]
fn a_slip_in_a_phase_or_its_template_is_recognised() {
    let story = "app: { id: t, version: 0.1.0 }
root: start
intents: { begin: { examples: [begin] }, done: { examples: [done] } }
world: { count: { type: int, default: 0 } }
phase_templates:
  step:
    parameters: { label: { type: string, required: true }, minutes: { type: int, default: 30 } }
    states:
      \"{id}_executing\":
        view: \"{{ tpl.label }} for {{ tpl.minutes }}, {{ world.count }}\"
        on: { done: [{ target: \"{{ phase.next.onward }}\" }] }
phases:
  template: step
  graph:
    wash: { label: Wash, minutes: 20, next: { onward: dry } }
    dry: { label: Dry, next: { onward: ended } }
states:
  start: { on: { begin: [{ target: wash_executing }] } }
  ended: { terminal: true }
";
    assert_eq!(said(story), "");
    for (right, wrong) in [
        ("template: step", "template: stp"),
        ("{ label: Wash", "{ lable: Wash"),
        ("{{ tpl.label }}", "{{ tpl.lable }}"),
        ("phase.next.onward", "phase.next.onwrd"),
    ] {
        let text = story.replacen(right, wrong, 1);
        assert_ne!(text, story, "{right}");
        let found = said(&text);
        assert_eq!(
            found.lines().filter(|l| !l.starts_with(' ')).count(),
            1,
            "{wrong}\n{found}"
        );
        assert!(
            fixed(&text, Which::Unsafe) == super::support::files(story),
            "{wrong}: {found}"
        );
    }
}

#[test]
fn a_world_key_in_a_view_without_its_root_is_recognised() {
    let story = |view: &str| {
        format!(
            "{HEAD}world: {{ loaves: {{ type: int, default: 0 }} }}\nstates:\n  a: {{ view: \"{view}\", on: {{ go: [{{ target: b }}] }} }}\n  b: {{ terminal: true }}\n"
        )
    };
    let (right, wrong) = (story("{{ world.loaves }} left"), story("{{ loaves }} left"));
    assert_eq!(said(&right), "");
    assert!(
        said(&wrong).contains("help: `world.loaves` is probably meant"),
        "{}",
        said(&wrong)
    );
    assert_eq!(fixed(&wrong, Which::Unsafe)[0].1, right);
}
