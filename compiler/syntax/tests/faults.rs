//! What breaks a text, where the fault points and what its fix gives: one row for each mistake that people make.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a row that fails says which one")]

use kitsoki_syntax::{Fault, FaultKind, Parse, Severity, TextRange, parse};

fn at(text: &str, range: TextRange) -> &str {
    &text[std::ops::Range::<usize>::from(range)]
}

fn fixed(text: &str, fault: &Fault) -> Option<String> {
    let fix = fault.fix.as_ref()?;
    let mut out = text.to_owned();
    for (range, new) in fix.edits.iter().rev() {
        out.replace_range(std::ops::Range::<usize>::from(*range), new);
    }
    Some(out)
}

/// A broken text, the kind of its only fault, what is underlined, and the text after the fix.
type Row = (&'static str, FaultKind, &'static str, Option<&'static str>);

fn check(rows: &[Row]) {
    for (text, kind, underlined, fix) in rows {
        let parse = parse(text);
        let [fault] = parse.faults.as_slice() else {
            panic!("one fault is expected of {text:?}, not {:#?}", parse.faults)
        };
        assert_eq!(fault.kind, *kind, "{text:?}: {}", fault.message);
        assert_eq!(at(text, fault.range), *underlined, "{text:?}: {}", fault.message);
        assert_eq!(fixed(text, fault).as_deref(), *fix, "{text:?}: {}", fault.message);
        if let Some(fixed) = fix {
            let again = kitsoki_syntax::parse(fixed);
            assert_eq!(again.faults, [], "the fix of {text:?}");
        }
        let first = fault.message.chars().next().unwrap();
        assert!(
            !first.is_uppercase() && !fault.message.ends_with('.'),
            "{}",
            fault.message
        );
        assert!(
            !fault.label.is_empty() && fault.label != fault.message,
            "{}",
            fault.label
        );
    }
}

#[test]
fn quotes() {
    use FaultKind::{Syntax, UnclosedQuote};
    check(&[
        ("a: \"b\nc: 1\n", UnclosedQuote, "\"", Some("a: \"b\"\nc: 1\n")),
        ("a: 'b\n", UnclosedQuote, "'", Some("a: 'b'\n")),
        (
            "a: \"b\nc: \"d\"\ne: 1\n",
            UnclosedQuote,
            "\"",
            Some("a: \"b\"\nc: \"d\"\ne: 1\n"),
        ),
        (
            "when: \"x\" == world.a\n",
            Syntax,
            "== world.a",
            Some("when: '\"x\" == world.a'\n"),
        ),
        ("a: 'it's'\n", Syntax, "s'", Some("a: 'it''s'\n")),
        (
            "a: \"he said \"hi\" there\"\n",
            Syntax,
            "hi\" there\"",
            Some("a: \"he said \\\"hi\\\" there\"\n"),
        ),
        ("a: \"b\\qc\"\n", Syntax, "\\q", Some("a: \"b\\\\qc\"\n")),
        ("a: \"b \\$c\"\n", Syntax, "\\$", Some("a: \"b $c\"\n")),
        ("a: \"\\u12\"\n", Syntax, "\\u12", None),
    ]);
}

#[test]
fn brackets() {
    use FaultKind::{Syntax, UnclosedBracket};
    check(&[
        ("a: [b, c\nd: 1\n", UnclosedBracket, "[", Some("a: [b, c]\nd: 1\n")),
        ("a: { b: 1 \nd: 1\n", UnclosedBracket, "{", Some("a: { b: 1 }\nd: 1\n")),
        ("a: { b: [c }\n", UnclosedBracket, "[", None),
        ("a: [b,, c]\n", Syntax, ",", Some("a: [b, c]\n")),
        ("a: [\"b\" \"c\"]\n", Syntax, "\"c\"", Some("a: [\"b\", \"c\"]\n")),
        ("a: [b] c\n", Syntax, "c", Some("a: \"[b] c\"\n")),
    ]);
}

#[test]
fn templates_and_characters() {
    use FaultKind::{ReservedCharacter, Syntax, UnknownAlias, UnquotedTemplate};
    check(&[
        (
            "a: {{ world.b }}\nc: 1\n",
            UnquotedTemplate,
            "{{ world.b }}",
            Some("a: \"{{ world.b }}\"\nc: 1\n"),
        ),
        (
            "a: {{ b }} cups # c\n",
            UnquotedTemplate,
            "{{ b }} cups",
            Some("a: \"{{ b }} cups\" # c\n"),
        ),
        (
            "a: { b: {{ c }}, d: 1 }\n",
            UnquotedTemplate,
            "{{ c }}",
            Some("a: { b: \"{{ c }}\", d: 1 }\n"),
        ),
        (
            "a: {{ b|default:\"x\" }}\n",
            UnquotedTemplate,
            "{{ b|default:\"x\" }}",
            Some("a: '{{ b|default:\"x\" }}'\n"),
        ),
        (
            "a: {% if b %}c{% endif %}\n",
            UnquotedTemplate,
            "{% if b %}c{% endif %}",
            Some("a: \"{% if b %}c{% endif %}\"\n"),
        ),
        (
            "target: @exit:done\n",
            ReservedCharacter,
            "@exit:done",
            Some("target: \"@exit:done\"\n"),
        ),
        ("include: *.yaml\n", UnknownAlias, ".yaml", Some("include: '*.yaml'\n")),
        (
            "when: !world.a && world.b\n",
            Syntax,
            "&&",
            Some("when: \"!world.a && world.b\"\n"),
        ),
        ("a: *\n", Syntax, "*", Some("a: \"*\"\n")),
    ]);
}

#[test]
fn colons_and_dashes() {
    use FaultKind::{Indentation, MissingColon, Syntax};
    check(&[
        (
            "a:\n  b \"c\"\n  d: 1\n",
            MissingColon,
            "b \"c\"",
            Some("a:\n  b: \"c\"\n  d: 1\n"),
        ),
        ("a:\n  b:c\n  d: 1\n", MissingColon, "b:c", Some("a:\n  b: c\n  d: 1\n")),
        (
            "app\n  id: x\nroot: y\n",
            MissingColon,
            "app",
            Some("app:\n  id: x\nroot: y\n"),
        ),
        (
            "a { b: \"c\" }\nd: 1\n",
            MissingColon,
            "a { b: \"c\" }",
            Some("a: { b: \"c\" }\nd: 1\n"),
        ),
        (
            "# one\n two\n# three\na: 1\n",
            MissingColon,
            "two",
            Some("# one\n# two\n# three\na: 1\n"),
        ),
        ("a: b: c\n", Syntax, ":", Some("a: \"b: c\"\n")),
        ("a: - b\n", Syntax, "-", Some("a: [b]\n")),
        ("a: 1\n- b\n", Indentation, "-", None),
        ("- a\n-b\n- c\n", Syntax, "-b", Some("- a\n- b\n- c\n")),
        ("a: [b: c: d]\n", Syntax, ":", None),
        (
            "a:\n    b: 1\n  - c: 1\n  - d: 2\n",
            Indentation,
            "  b",
            Some("a:\n  - b: 1\n  - c: 1\n  - d: 2\n"),
        ),
    ]);
}

#[test]
fn indentation() {
    use FaultKind::{Indentation, TabIndent};
    check(&[
        (
            "a:\n  b: 1\n    c: 2\n  d: 3\n",
            Indentation,
            "c",
            Some("a:\n  b: 1\n  c: 2\n  d: 3\n"),
        ),
        ("a:\n    b: 1\n  c: 2\n", Indentation, "b", Some("a:\n  b: 1\n  c: 2\n")),
        // The first key of an item stands behind its dash; the odd one is the third.
        (
            "a:\n   - b: 1\n     c: 2\n    d: 3\n",
            Indentation,
            "d",
            Some("a:\n   - b: 1\n     c: 2\n     d: 3\n"),
        ),
        (
            "a:\n  b: 1\nc: [2]\n  d: 3\n",
            Indentation,
            "c",
            Some("a:\n  b: 1\n  c: [2]\n  d: 3\n"),
        ),
        (
            "a:\n  - b: 1\n    c: 2\n  d: 3\n",
            Indentation,
            "d",
            Some("a:\n  - b: 1\n    c: 2\n    d: 3\n"),
        ),
        ("a: |\n  b\n c\n", Indentation, "c", Some("a: |\n  b\n  c\n")),
        ("a: |\n     \n  b\n", Indentation, "     ", Some("a: |\n\n  b\n")),
        (
            "a:\n  - b: |\n    c\n    d\n  e: 1\n",
            Indentation,
            "- b",
            Some("a:\n  b: |\n    c\n    d\n  e: 1\n"),
        ),
        ("\tb: 1\n", TabIndent, "\t", Some("b: 1\n")),
        ("-\ta: 1\n", TabIndent, "\t", Some("- a: 1\n")),
        ("a:\n\tb: 1\n", TabIndent, "\t", Some("a:\n  b: 1\n")),
        ("a:\n  b: 1\n\tc: 2\n", TabIndent, "\t", Some("a:\n  b: 1\n  c: 2\n")),
    ]);
}

#[test]
fn duplicate_keys_have_both_places() {
    let text = "a: 1\n\"a\": 2\nb: 3\n";
    let parse = parse(text);
    let fault = &parse.faults[0];
    assert_eq!(fault.kind, FaultKind::DuplicateKey);
    assert_eq!(at(text, fault.range), "\"a\"");
    assert_eq!(at(text, fault.related[0].0), "a");
    assert_eq!(fault.fix, None, "the values differ");
    let same = "a: 1\na: 1\n";
    let parse = kitsoki_syntax::parse(same);
    assert_eq!(fixed(same, &parse.faults[0]).as_deref(), Some("a: 1\n"));
}

#[test]
fn keys_in_a_row_that_stand_twice_are_one_fault() {
    let text = "- when: a\n  target: b\n  when: c\n  target: d\n";
    let parse = parse(text);
    assert_eq!(parse.faults.len(), 1, "{:#?}", parse.faults);
    assert!(parse.faults[0].help.as_ref().unwrap().contains("dash"));
}

#[test]
fn a_comment_that_touches_is_a_warning() {
    let text = "a: { b: \"main\" }# the branch\nc: [d]#e\nf: 'g'# h\n";
    let Parse { faults, tree } = parse(text);
    assert_eq!(faults.len(), 3);
    for fault in &faults {
        assert_eq!(
            (fault.kind, fault.severity),
            (FaultKind::CommentTouchesToken, Severity::Warning)
        );
        assert_eq!(at(text, fault.range), "#");
    }
    assert_eq!(fixed(text, &faults[0]).unwrap(), text.replace("}#", "} #"));
    assert_eq!(tree.comments().len(), 3);
    assert_eq!(tree.skipped(), []);
}

#[test]
fn a_pair_without_a_blank_is_a_warning() {
    let text = "a: {b:1, c: 2, http://x, \"d\":3}\n";
    let Parse { faults, tree } = parse(text);
    assert_eq!(faults.len(), 1);
    assert_eq!(
        fixed(text, &faults[0]).as_deref(),
        Some("a: {b: 1, c: 2, http://x, \"d\":3}\n")
    );
    let value = tree.get(tree.root().unwrap(), "a").unwrap().value;
    assert_eq!(at(text, tree.node(tree.get(value, "b").unwrap().value).range), "1");
}

#[test]
fn conflict_marks_are_one_fault_and_the_first_version_is_read() {
    let text = "a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> other\nc: 4\n";
    let Parse { faults, tree } = parse(text);
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].kind, FaultKind::ConflictMarker);
    assert_eq!(at(text, faults[0].range), "<<<<<<< HEAD");
    let value = |key| tree.as_int(tree.get(tree.root().unwrap(), key).unwrap().value).unwrap();
    assert_eq!([value("a"), value("b"), value("c")], [1, 2, 4]);
}

#[test]
fn an_empty_first_document_is_told() {
    let text = "---\n# nothing\n...\n---\na: 1\n";
    let parse = parse(text);
    assert_eq!(parse.faults.len(), 1);
    assert_eq!(parse.faults[0].kind, FaultKind::EmptyDocument);
    assert_eq!(at(text, parse.faults[0].range), "---");
    assert_eq!(parse.faults[0].range.start(), 18.into());
}
