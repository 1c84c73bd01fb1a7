//! A place covers the word that is meant, however the text around it is written.

use kitsoki_diagnostics::Diagnostic;

use super::support::{HEAD, files, said_of};
use crate::story::Story;

/// The words under the findings of one rule, each with its line and column.
fn words(text: &str, rule: &str) -> Vec<(String, u32, u32)> {
    let story = Story::check(&files(text));
    let of_rule = story.findings.iter().filter(|f| f.rule == rule);
    let word = |f: &Diagnostic| {
        let at = kitsoki_diagnostics::place(&story, f.primary.as_ref().unwrap().span);
        (
            text[at.offset as usize..at.end_offset as usize].to_owned(),
            at.line,
            at.column,
        )
    };
    of_rule.map(word).collect()
}

/// A guard in every style of YAML, with everything before the word that moves bytes away from columns.
#[test]
fn a_word_in_a_guard_is_underlined_in_every_style() {
    for guard in [
        "world.n > 1 && world.lost",
        "'world.s == ''é'' && world.lost'",
        r#""world.s == \"\u00e9\t\" && world.lost""#,
        "\"world.s == '🍵漢字' && world.lost\"",
    ] {
        let story = format!(
            "{HEAD}world: {{ n: {{ type: int, default: 0 }}, s: {{ type: string, default: '' }} }}
states:
  a:
    on:
      go:
        - target: a
          when: {guard}
"
        );
        let before = format!("          when: {}", guard.split("lost").next().unwrap());
        let place = (
            "lost".to_owned(),
            10,
            u32::try_from(before.chars().count()).unwrap() + 1,
        );
        assert_eq!(
            words(&story, "undeclared-world-key"),
            std::slice::from_ref(&place),
            "{guard}"
        );
        // Line ends of two bytes and a byte order mark move nothing.
        let other = format!("\u{feff}{}", story.replace('\n', "\r\n"));
        assert_eq!(words(&other, "undeclared-world-key"), [place], "{guard}");
    }
}

#[test]
fn a_word_in_a_text_over_lines_is_underlined_on_its_line() {
    for (mark, line) in [("|", 9), (">", 9), (">-", 9), ("|2-", 9)] {
        let indent = if mark == "|2-" { "      " } else { "        " };
        let story = format!(
            "{HEAD}world: {{ n: {{ type: int, default: 0 }} }}
states:
  a:
    view: {mark}
{indent}Tee 🍵 {{{{ world.n }}}}
{indent}und {{{{ world.lost }}}}
    terminal: true
"
        );
        let column = u32::try_from(indent.len()).unwrap() + 14;
        assert_eq!(
            words(&story, "undeclared-world-key"),
            [("lost".to_owned(), line, column)],
            "{mark}"
        );
    }
}

#[test]
fn a_key_a_value_and_a_name_are_underlined_without_what_stands_around_them() {
    let found = said_of(
        "states:
  a:
    terminal: \"yes\"
    vieww: x
    on: { \"gone\": [{ target: 'nowhere' }] }
",
    );
    for place in ["5:3-4", "6:15-20", "7:5-10", "8:11-17", "8:30-39"] {
        assert!(
            !found.contains(&format!("app.yaml:{place} ")) || place != "5:3-4",
            "{found}"
        );
    }
    assert!(found.contains("error wrong-kind app.yaml:6:15-20 "), "{found}");
    assert!(found.contains("error unknown-key app.yaml:7:5-10 "), "{found}");
    assert!(found.contains("error intent-undeclared app.yaml:8:12-16 "), "{found}");
    assert!(found.contains("error target-unknown app.yaml:8:31-38 "), "{found}");
}

/// What is missing is told at the smallest thing that lacks it.
#[test]
fn what_is_missing_is_told_where_it_is_missing() {
    let found = said_of(
        "states:
  a: { on: { go: [{ target: b }] } }
  b: { timeout: { target: a }, type: compound, states: { c: { terminal: true } } }
",
    );
    assert!(found.contains("timeout-after-missing app.yaml:6:8-15 "), "{found}");
    assert!(found.contains("compound-no-initial app.yaml:6:"), "{found}");
}

/// A mistake in a template of phases is one of the template, told once, in the template.
#[test]
fn a_mistake_in_a_phase_template_is_told_once_where_it_was_written() {
    let found = said_of(
        "phase_templates:
  step:
    parameters: { label: { type: string, required: true } }
    states:
      \"{id}_work\":
        view: '{{ tpl.label }}: {{ world.lost }}'
        on: { go: [{ target: a }] }
phases:
  template: step
  graph: { one: { label: One }, two: { label: Two }, three: { label: Three } }
states:
  a: { on: { go: [{ target: two_work, when: 'world.lost' }, { target: one_work }] } }
",
    );
    let lost: Vec<&str> = found.lines().filter(|l| l.contains("`lost`")).collect();
    assert_eq!(lost.len(), 1, "{found}");
    assert!(lost[0].contains(" app.yaml:9:42-46 "), "{found}");
    assert_eq!(found.lines().filter(|l| !l.starts_with(' ')).count(), 1, "{found}");
}

#[test]
fn what_three_phases_repeat_is_told_once_with_how_often() {
    let found = said_of(
        "phase_templates:
  step:
    parameters: { label: { type: string, required: true } }
    states:
      \"{id}_work\":
        view: '{{ tpl.label|lenght }}: {{ world.n|uper }}'
        on: { go: [{ target: a }] }
phases:
  template: step
  graph: { one: { label: One }, two: { label: Two }, three: { label: Three } }
world: { n: { type: int, default: 0 } }
states:
  a: { on: { go: [{ target: two_work, when: 'world.n > 1' }, { target: one_work }] } }
",
    );
    let told: Vec<&str> = found
        .lines()
        .filter(|l| l.contains("no filter is called `uper`"))
        .collect();
    assert_eq!(told.len(), 1, "{found}");
    assert!(found.contains("note: the same in 3 uses of this text"), "{found}");
}
