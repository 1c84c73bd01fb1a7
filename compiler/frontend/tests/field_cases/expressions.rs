//! Guards that hide what follows, values of unknown shape, text that is half written.

use super::support::{said, said_of};

#[test]
fn an_arm_behind_a_guard_that_always_holds_can_never_fire() {
    insta::assert_snapshot!(said_of("states:
  a:
    on:
      go:
        - { target: b, when: \"world.n >= 0 || world.n < 0\" }
        - { target: c }
        - { target: d, default: true }
  b: { terminal: true }
  c: { on: { go: [{ target: e }] } }
  d: { terminal: true }
  e: { terminal: true }
world: { n: { type: int, default: 0 } }
"), @r"
    warning unreachable-arm app.yaml:9:13-19 2 arms of `go` can never fire
      here: never tried
      also app.yaml:10:13-19: never tried
      also app.yaml:8:31-58: this guard always holds
      help: arms are tried in order, and the first whose guard holds is taken
      note: nothing else leads to the rooms `c`, `d` and `e`
    ");
}

/// The arms of `go` in a story with keys of every kind, and what is said of them.
fn arms(arms: &[&str]) -> String {
    let arms: Vec<String> = arms.iter().map(|a| format!("        - {{ target: b{a} }}\n")).collect();
    said_of(&format!(
        "world:
  n: {{ type: int, default: 0 }}
  f: {{ type: float, default: 0.5 }}
  b: {{ type: bool, default: false }}
  c: {{ type: bool, default: true }}
  s: {{ type: string, default: x }}
  e: {{ type: string, values: [x, y], default: x }}
  late: {{ type: int }}
  any: {{ default: 1 }}
states:
  a:
    on:
      go:
{}  b: {{ terminal: true }}
",
        arms.concat()
    ))
}

#[test]
fn an_arm_inside_of_an_earlier_one_can_never_fire() {
    insta::assert_snapshot!(arms(&[", when: 'world.n > 3'", ", when: 'world.n > 5'"]), @r"
    warning unreachable-arm app.yaml:18:13-19 an arm of `go` can never fire
      here: never tried
      also app.yaml:17:31-42: this guard holds whenever the later one does
      help: arms are tried in order, and the first whose guard holds is taken
    ");
    assert_eq!(arms(&[", when: 'world.n > 5'", ", when: 'world.n > 3'"]), "");
}

#[test]
fn guards_that_leave_nothing_are_told_together() {
    for list in [
        [", when: world.b", ", when: '!world.b'", ""],
        [", when: \"world.e == 'x'\"", ", when: \"world.e != 'x'\"", ""],
        [", when: 'world.n < 3'", ", when: '3 <= world.n'", ", when: world.c"],
        [
            ", when: 'world.b && world.c'",
            ", when: '!world.c'",
            ", when: 'world.b'",
        ],
        [
            ", when: \"world.s in ['x', 'y']\"",
            ", when: \"world.s == 'z'\"",
            ", when: \"world.s == 'y'\"",
        ],
    ] {
        let found = arms(&list);
        assert!(
            found.contains("warning unreachable-arm app.yaml:19:13-19 an arm of `go` can never fire"),
            "{list:?}: {found}"
        );
        assert_eq!(found.matches("unreachable-arm").count(), 1, "{list:?}: {found}");
        assert!(found.contains("  also app.yaml:17:"), "{list:?}: {found}");
    }
}

#[test]
fn what_may_be_something_else_is_left_alone() {
    for list in [
        // Not a number is neither; nothing is neither; a key without a type is anything.
        [", when: 'world.f >= 1'", ", when: 'world.f < 1'", ""],
        [", when: 'world.late >= 1'", ", when: 'world.late < 1'", ""],
        [", when: 'world.any >= 1'", ", when: 'world.any < 1'", ""],
        // Values that a declaration lists are not the only ones that a session may hold.
        [", when: \"world.e == 'x'\"", ", when: \"world.e == 'y'\"", ""],
        // Texts are ordered by their bytes.
        [", when: \"world.s > 'a'\"", ", when: \"world.s <= 'a'\"", ""],
        [", when: world.b", ", when: '!world.c'", ""],
    ] {
        let found = arms(&list);
        assert!(!found.contains("unreachable-arm"), "{list:?}: {found}");
    }
}

/// A key with a wish for a type: a host binds what it likes to it.
#[test]
fn a_declared_type_that_a_host_may_break_is_not_trusted() {
    let found = said_of(
        "hosts: [host.agent.ask]
world: { n: { type: int, default: 0 } }
states:
  a:
    on_enter: [{ invoke: host.agent.ask, with: { prompt: Count. }, bind: { n: submitted.n } }]
    on:
      go:
        - { target: b, when: 'world.n >= 0 || world.n < 0' }
        - { target: a }
  b: { terminal: true }
",
    );
    assert!(!found.contains("unreachable-arm"), "{found}");
}

#[test]
fn a_value_of_unknown_shape_is_not_complained_about() {
    let story = "hosts: [host.agent.decide]
world: { r: { type: object, default: {} } }
agents: { judge: { system_prompt: Judge. } }
states:
  a:
    on_enter: [{ invoke: host.agent.decide, with: { agent: judge, prompt: Judge., schema: s.json }, bind: { r: submitted } }]
    view: '{% for i in world.r.items %}{{ i.name }}{% endfor %}'
    on: { go: [{ when: 'world.r.scoer > 3', target: b }] }
  b: { terminal: true }
//- s.json
";
    let unknown = said_of(&format!("{story}{{}}\n"));
    assert!(!unknown.contains("unknown-field"), "{unknown}");
    let known =
        "{\"type\":\"object\",\"properties\":{\"score\":{\"type\":\"integer\"},\"items\":{\"type\":\"array\"}}}\n";
    let found = said_of(&format!("{story}{known}"));
    assert!(
        found.contains("warning unknown-field app.yaml:11:33-38 `world.r` has no field `scoer`"),
        "{found}"
    );
    assert!(
        found.contains("  fix (unsafe): change it to `score`; app.yaml:11:33-38 becomes \"score\""),
        "{found}"
    );
}

const WHOLE: &str = "app: { id: t, version: 0.1.0 }
root: a
intents: { go: { examples: [go] } }
world: { n: { type: int, default: 0 } }
states:
  a:
    view: \"n is {{ world.n }}\"
    on:
      go:
        - target: b
          when: \"world.n > 3\"
          effects: [{ set: { n: '{{ world.n + 1 }}' } }]
        - { target: a }
  b: { terminal: true }
  c: { on: { lost: [{ target: b }] } }
";

/// The beginnings of a story, and the story without one of its bytes, one at a time.
#[test]
fn no_half_written_text_ends_the_compiler() {
    let mut texts: Vec<String> = (0..WHOLE.len()).step_by(2).map(|end| WHOLE[..end].to_owned()).collect();
    for at in (0..WHOLE.len()).step_by(2) {
        texts.push(format!("{}{}", &WHOLE[..at], &WHOLE[at + 1..]));
    }
    let mut silent = Vec::new();
    for text in &texts {
        if said(text).is_empty() {
            silent.push(text.len());
        }
    }
    // `c` is wrong in the whole story: only beginnings that end before it, and texts in which a byte made it right, say nothing.
    assert!(silent.iter().all(|len| *len + 1 < WHOLE.len()), "{silent:?}");
}

/// What the author is typing in one room takes nothing away from what is said about another.
#[test]
fn an_unfinished_line_leaves_the_rest_as_it_was() {
    let told = "error intent-undeclared app.yaml:15:14-18 no intent is called `lost`";
    assert!(said(WHOLE).contains(told));
    for (line, typed) in [
        ("        - target: b", "        - target:"),
        ("          when: \"world.n > 3\"", "          when: \""),
        ("    view: \"n is {{ world.n }}\"", "    view: \"n is {{ world."),
        ("    view: \"n is {{ world.n }}\"", "    view: \"n is {{ world.\""),
        (
            "          effects: [{ set: { n: '{{ world.n + 1 }}' } }]",
            "          effects: [{ set: {",
        ),
        ("          when: \"world.n > 3\"", "          wh"),
    ] {
        let text = WHOLE.replacen(line, typed, 1);
        assert_ne!(text, WHOLE);
        let found = said(&text);
        assert!(found.contains(told), "{typed}: {found}");
    }
}

#[test]
fn a_story_without_faults_says_nothing() {
    let story = "states: { a: { on: { go: [{ target: end }] } }, end: { terminal: true } }\n";
    assert_eq!(said_of(story), "");
}

/// How other tools write the same thing.
#[test]
fn habits_of_other_tools_are_recognised() {
    for (wrong, right) in [
        ("when: world.n = 1", "=="),
        ("when: world.n === 1", "=="),
        ("when: world.n > 1 AND world.b", "&&"),
        ("if: world.b", "when"),
        ("goto: b", "target"),
        ("when: ${{ world.b }}", "world.b"),
        ("when: '{{ world.b }}'", "world.b"),
        ("when: world.b == True", "true"),
        ("when: world.s == null", "nil"),
    ] {
        let found = said_of(&format!(
            "world: {{ n: {{ type: int, default: 0 }}, b: {{ type: bool, default: false }}, s: {{ type: string, default: '' }} }}
states:
  a:
    on:
      go:
        - {wrong}
          effects: [{{ set: {{ n: 1 }} }}]
  b: {{ terminal: true }}
"
        ));
        let told = found.split("\nwarning unreachable").next().unwrap_or_default();
        assert!(told.contains(right) && told.contains("app.yaml:9:"), "{wrong}: {found}");
    }
}

/// A guard that a parameter of a phase fills in holds in one phase and not in the next: its arm hides nothing.
#[test]
fn a_guard_that_differs_from_phase_to_phase_hides_nothing() {
    for guard in ["{{ tpl.fort }}", "{{ tpl.fort }} && world.open"] {
        let found = said_of(&format!(
            "phase_templates:
  leg:
    parameters: {{ fort: {{ default: false }} }}
    states:
      \"{{id}}_x\":
        on:
          go:
            - {{ when: \"{guard}\", target: done }}
            - {{ default: true, target: . }}
phases:
  template: leg
  graph:
    one: {{ fort: true }}
    two: {{ fort: false }}
world: {{ open: {{ type: bool, default: true }} }}
states: {{ a: {{ on: {{ go: [{{ target: one_x }}] }} }}, done: {{ terminal: true }} }}
"
        ));
        assert!(!found.contains("unreachable-arm"), "{found}");
        assert!(!found.contains("error"), "the phases are not expanded: {found}");
    }
}
