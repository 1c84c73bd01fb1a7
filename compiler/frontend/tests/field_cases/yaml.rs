//! Reading YAML: words that are not what they look like, keys given twice, empty files, conflict marks, unclosed quotes, small
//! files with a gigantic meaning, templates without quotes.

use kitsoki_diagnostics::fixes::Which;

use super::support::{HEAD, files, fixed, said, said_of, said_of_files};
use crate::story::Story;

#[test]
fn on_yes_no_and_off_are_names_and_texts() {
    let story = "app: { id: t, version: 0.1.0 }
root: a
intents: { yes: { examples: [yes] }, no: { examples: [no] }, off: { examples: [off] } }
states:
  a: { on: { yes: [{ target: b }], no: [{ target: a }], off: [{ target: on }] } }
  b: { description: off, terminal: true }
  on: { terminal: true }
";
    assert_eq!(said(story), "");
}

#[test]
fn a_truth_value_in_other_words_is_told_where_one_is_wanted() {
    for (word, value) in [("on", true), ("off", false), ("yes", true), ("no", false)] {
        let story =
            format!("world: {{ w: {{ type: bool, default: {word} }} }}\nstates: {{ a: {{ terminal: true }} }}\n");
        let found = said_of(&story);
        assert_eq!(found.lines().filter(|l| !l.starts_with(' ')).count(), 1, "{found}");
        assert!(
            found.starts_with("warning world-default-type app.yaml:4:36-"),
            "{found}"
        );
        assert!(found.contains(&format!("becomes \"{value}\"")), "{found}");
    }
}

#[test]
fn a_repeated_key_is_one_error_with_both_places() {
    insta::assert_snapshot!(said_of("states:
  a: { on: { go: [{ target: b }] } }
  b: { terminal: true }
  a: { on: { back: [{ target: b }] } }
"), @r"
    error yaml-duplicate-key app.yaml:7:3-4 the key `a` stands twice in one mapping
      here: given again here
      also app.yaml:5:3-4: given first here
      help: keep one of them, or give one another name
    ");
}

#[test]
fn a_repeated_key_is_found_in_every_kind_of_mapping() {
    let story = |body: &str| said_of(body);
    for (body, at) in [
        (
            "states: { a: { terminal: true }, \"a\": { terminal: true } }\n",
            "4:34-37",
        ),
        (
            "states: { a: { on: { go: [{ target: . }], go: [{ target: . }] } } }\n",
            "4:43-45",
        ),
        (
            "world: { w: { type: int }, w: { type: int } }\nstates: { a: { terminal: true } }\n",
            "4:28-29",
        ),
        (
            "states: { a: { intents: { say: { slots: { x: {}, x: {} } } }, terminal: true } }\n",
            "4:50-51",
        ),
    ] {
        let found = story(body);
        let heads: Vec<&str> = found.lines().filter(|l| !l.starts_with(' ')).collect();
        assert_eq!(heads.len(), 1, "{found}");
        assert!(
            heads[0].starts_with(&format!("error yaml-duplicate-key app.yaml:{at} ")),
            "{found}"
        );
        assert!(found.contains("  also app.yaml:4:"), "{found}");
    }
}

#[test]
fn an_empty_story_is_one_error_with_a_story_to_begin_with() {
    insta::assert_snapshot!(said("# todo\n"), @r#"
    error app-id-missing app.yaml:1:1-1 the file is empty: a story begins with an `app:` block
      here: no `app:` block
      help: write a story with an id, a room to begin in, and a way out of it
      fix (unsafe): write the smallest story; app.yaml:2:1-1 becomes "app:\n  id: s\n  version: 0.1.0\nroot: start\nintents:\n  finish: { examples: [finish] }\nstates:\n  start:\n    view: Say what happens here.\n    on:\n      finish: [{ target: end }]\n  end:\n    terminal: true\n"
    "#);
    for empty in [
        "",
        "---\n",
        "\u{feff}",
        "# todo",
        "# a\n\n# b\n",
        "---\n# todo\n",
        "\n\n",
    ] {
        let found = said(empty);
        let heads: Vec<&str> = found.lines().filter(|l| !l.starts_with(' ')).collect();
        assert_eq!(heads.len(), 1, "{empty:?}: {found}");
        assert!(
            heads[0].starts_with("error app-id-missing app.yaml:1:1-1 "),
            "{empty:?}: {found}"
        );
        let mended = fixed(empty, Which::Unsafe);
        assert!(mended[0].1.starts_with(empty), "a comment is lost: {mended:?}");
        assert_eq!(said_of_files(&mended), "", "{mended:?}");
    }
}

#[test]
fn an_empty_included_file_is_a_warning() {
    let story = |room: &str| {
        let mut all = files(&format!(
            "{HEAD}include: [rooms/*.yaml]\nstates: {{ a: {{ terminal: true }} }}\n"
        ));
        all.push(("rooms/b.yaml".to_owned(), room.to_owned()));
        said_of_files(&all)
    };
    insta::assert_snapshot!(story("# later\n"), @r"
    warning include-empty rooms/b.yaml:1:1-8 this file is included and brings nothing
      here: nothing, or comments only
      help: write `states:`, `intents:` or another section, or take the file out of `include`
      included from app.yaml:4:11-23
    ");
    for empty in ["", "---\n", "# a\n# b\n", "\u{feff}"] {
        let found = story(empty);
        assert_eq!(found.lines().filter(|l| !l.starts_with(' ')).count(), 1, "{found}");
        assert!(found.starts_with("warning include-empty rooms/b.yaml:1:1-"), "{found}");
    }
}

const CONFLICT: &str = "states:
  a:
<<<<<<< HEAD
    on: { go: [{ target: b }] } # ours
=======
    on: { back: [{ target: b }] } # theirs
>>>>>>> other
  b: { terminal: true }
";

#[test]
fn a_merge_conflict_is_one_error_and_the_rest_is_read() {
    insta::assert_snapshot!(said_of(CONFLICT), @r#"
    error yaml-syntax app.yaml:6:1-13 the file holds an unresolved merge conflict
      here: the first version starts here
      also app.yaml:8:1-8: the second version starts here
      also app.yaml:10:1-14: the conflict ends here
      help: keep one version and remove the three marks
      fix (choice): keep the first version; app.yaml:6:1-7:1 becomes ""; app.yaml:8:1-11:1 becomes ""
      fix (choice): keep the second version; app.yaml:6:1-9:1 becomes ""; app.yaml:10:1-11:1 becomes ""
      fix (choice): keep both versions; app.yaml:6:1-7:1 becomes ""; app.yaml:8:1-9:1 becomes ""; app.yaml:10:1-11:1 becomes ""
    "#);
    // The rest of the file is looked at.
    let more = CONFLICT.replace("terminal: true", "terminal: true, on: { gone: [{ target: a }] }");
    let found = said_of(&more);
    assert!(
        found.contains("error intent-undeclared app.yaml:11:30-34 no intent is called `gone`"),
        "{found}"
    );
    assert_eq!(found.matches("\nerror").count(), 1, "{found}");
}

#[test]
fn nobody_chooses_a_version_for_the_author() {
    let story = format!("{HEAD}{CONFLICT}");
    assert_eq!(fixed(&story, Which::Unsafe)[0].1, story);
    let findings = Story::check(&files(&story)).findings;
    let after: Vec<String> = findings[0]
        .fixes
        .iter()
        .map(|fix| {
            let mut text = story.clone();
            for edit in fix.edits.iter().rev() {
                text.replace_range(std::ops::Range::<usize>::from(edit.span.range), &edit.text);
            }
            text.lines().skip(5).map(str::trim).collect::<Vec<_>>().join("|")
        })
        .collect();
    assert_eq!(
        after,
        [
            "on: { go: [{ target: b }] } # ours|b: { terminal: true }",
            "on: { back: [{ target: b }] } # theirs|b: { terminal: true }",
            "on: { go: [{ target: b }] } # ours|on: { back: [{ target: b }] } # theirs|b: { terminal: true }",
        ]
    );
}

#[test]
fn an_unclosed_quote_is_told_where_it_opens() {
    insta::assert_snapshot!(said_of("states:
  a:
    description: \"unclosed
    on: { go: [{ target: b }] }
  b: { terminal: true }
"), @r#"
    error yaml-syntax app.yaml:6:18-19 this `"` is never closed
      here: the quoted text starts here
      help: write the closing quote; a text that goes on over lines is better written with `|`
      fix (unsafe): close the quote at the end of the line; app.yaml:6:27-27 becomes "\""
    "#);
    // `b` is known, and what leads nowhere there is told.
    let found = said_of(
        "states:\n  a:\n    description: 'unclosed\n    on: { go: [{ target: b }] }\n  b: { on: { go: [{ target: c }] } }\n",
    );
    assert!(found.starts_with("error yaml-syntax app.yaml:6:18-19 "), "{found}");
}

/// A chain of `levels` anchors, each a list of nine aliases of the one before.
fn aliases(levels: usize) -> String {
    let mut out = "world:\n  k0: &k0 { default: [x,x,x,x,x,x,x,x,x] }\n".to_owned();
    for level in 1..levels {
        let before = vec![format!("*k{}", level - 1); 9].join(",");
        out.push_str(&format!("  k{level}: &k{level} {{ default: [{before}] }}\n"));
    }
    out + "states: { a: { terminal: true } }\n"
}

#[test]
fn aliases_that_stand_for_too_much_are_told_where_the_limit_is_crossed() {
    let found = said_of(&aliases(10));
    let first = found.lines().next().unwrap();
    assert!(first.starts_with("error yaml-"), "{found}");
    assert!(first.contains(" app.yaml:1"), "{found}");
    assert!(found.contains("  also app.yaml:"), "{found}");
    // Far below the limit nothing is wrong with aliases.
    let few = said_of(&aliases(2));
    assert!(!few.contains("yaml-"), "{few}");
}

#[test]
fn deep_nesting_is_told_at_the_bracket() {
    let flow = said_of(&format!(
        "states: {{ a: {{ terminal: true }} }}\nworld: {{ x: {{ default: {} }} }}\n",
        "[".repeat(20_000)
    ));
    assert!(
        flow.lines().any(|l| l.starts_with("error yaml-limit app.yaml:5:")),
        "{flow}"
    );
    let mut block = "states: { a: { terminal: true } }\nworld:\n".to_owned();
    for depth in 0..2_000 {
        block.push_str(&format!("{}k:\n", " ".repeat(depth + 1)));
    }
    let block = said_of(&block);
    assert!(
        block.lines().any(|l| l.starts_with("error yaml-limit app.yaml:")),
        "{block}"
    );
}

#[test]
fn a_template_without_quotes_is_told_exactly_and_the_rest_is_read() {
    insta::assert_snapshot!(said_of("states:
  a:
    on:
      go:
        - target: {{ world.next }}
          effects: [{ set: { n: {{ world.n + 1 }} } }]
      gone: [{ target: b }]
  b: { view: ok, terminal: true }
world: { n: { type: int, default: 0 }, next: { type: string, default: b } }
"), @r#"
    error unquoted-template app.yaml:8:19-35 a template without quotes is no text
      here: YAML reads these braces as a mapping
      fix (safe): put it in quotes; app.yaml:8:19-35 becomes "\"{{ world.next }}\""
    error unquoted-template app.yaml:9:33-50 a template without quotes is no text
      here: YAML reads these braces as a mapping
      fix (safe): put it in quotes; app.yaml:9:33-50 becomes "\"{{ world.n + 1 }}\""
    "#);
}

#[test]
fn quotes_around_a_template_are_a_safe_fix() {
    let story = format!(
        "{HEAD}states:\n  a:\n    on: {{ go: [{{ target: {{{{ world.next }}}} }}] }} # on\n  b: {{ terminal: true }}\nworld: {{ next: {{ type: string, default: b }} }}\n"
    );
    let mended = fixed(&story, Which::Safe);
    assert!(
        mended[0].1.contains("target: \"{{ world.next }}\" }] } # on"),
        "{mended:?}"
    );
    assert_eq!(said_of_files(&mended), "");
}
