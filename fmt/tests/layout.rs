//! What the formatter changes, and what it leaves: text in, text out.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use kitsoki_fmt::{Why, edits, format};

#[track_caller]
fn becomes(before: &str, after: &str) {
    let formatted = format(before).unwrap_or_else(|why| panic!("{why:?} for\n{before}"));
    assert_eq!(formatted, after, "\nfrom\n{before}");
    assert_eq!(format(&formatted).unwrap(), formatted, "a second run changes more");
    let mut edited = before.to_owned();
    for edit in edits(before, &formatted).into_iter().rev() {
        edited.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
    }
    assert_eq!(edited, formatted, "the edits lead elsewhere");
}

#[track_caller]
fn stays(text: &str) {
    becomes(text, text);
}

#[test]
fn collections_step_by_two() {
    becomes(
        "a:\n    b:\n         - c\n         -   d: 1\n             e: 2\n    f: 3\n",
        "a:\n  b:\n    - c\n    - d: 1\n      e: 2\n  f: 3\n",
    );
}

#[test]
fn lists_stand_right_of_their_key() {
    becomes("a:\n- b\n- - c\n  - d\n", "a:\n  - b\n  - - c\n    - d\n");
}

#[test]
fn brackets_get_their_blanks() {
    becomes(
        "a: {b: 1,c:   [ 1,2 ,3 ], d: { }, e: [ ]}\nf: [{g: h}]\n",
        "a: { b: 1, c: [1, 2, 3], d: {}, e: [] }\nf: [{ g: h }]\n",
    );
    becomes("a: { \"b\":1, c : d }\n", "a: { \"b\": 1, c: d }\n");
}

#[test]
fn lines_in_brackets_keep_their_breaks() {
    becomes(
        "a: {\n      b: 1,\n   c: [\n 2\n  ]\n  }\nd: [e,\n  f]\n",
        "a: {\n  b: 1,\n  c: [\n    2\n  ]\n}\nd: [e,\n    f]\n",
    );
    becomes(
        "- x: [\n   1,\n   2 ]\n- {\n a: 1\n }\n",
        "- x: [\n    1,\n    2]\n- {\n    a: 1\n  }\n",
    );
}

#[test]
fn values_that_stand_below_each_other_still_do() {
    becomes("a:     1\nbbb:   2\nlonger: 3\n", "a:   1\nbbb: 2\nlonger: 3\n");
    becomes("alone:      1\nother: 2\n", "alone: 1\nother: 2\n");
    stays("- label:  x\n  hint:   y\n  intent: z\n");
}

#[test]
fn rows_that_were_a_table_stay_one() {
    becomes(
        "- {a: regen,    b: \"R\",  c: 1}\n- {a: haste,    b: \"Ha\", c: 2}\n- {a: shield,   b: \"S\",  c: [1,2]}\n",
        "- { a: regen,  b: \"R\",  c: 1 }\n- { a: haste,  b: \"Ha\", c: 2 }\n- { a: shield, b: \"S\",  c: [1, 2] }\n",
    );
    becomes(
        "k:    { type: int,    default: 0 }\nlong: { type: string, default: x }\nx: 1\ny:    { type: int,   default: 0 }\n",
        "k:    { type: int,    default: 0 }\nlong: { type: string, default: x }\nx: 1\ny:    { type: int, default: 0 }\n",
    );
    becomes(
        "- [a,   1]\n- [bbb, 2]\n- [c,      3]\n",
        "- [a,   1]\n- [bbb, 2]\n- [c, 3]\n",
    );
}

#[test]
fn comments_stay_with_what_they_are_about() {
    becomes(
        "a:\n    # about b\n    b: 1\n    # the end of a\n# about c\nc:\n  # about d\n    d: 2\n",
        "a:\n  # about b\n  b: 1\n  # the end of a\n# about c\nc:\n  # about d\n  d: 2\n",
    );
    becomes(
        "a:\n# one\n- b\n# two\n- c\n# three\nd: 1\n",
        "a:\n  # one\n  - b\n  # two\n  - c\n# three\nd: 1\n",
    );
}

#[test]
fn comments_behind_lines_keep_their_gap_and_their_column() {
    becomes(
        "a: {b: 1}  # x\nc:   1     # y\nd: 1 # z\n",
        "a: { b: 1 }  # x\nc: 1         # y\nd: 1 # z\n",
    );
    becomes(
        "a: 1   # one\n       # two\nb: 2\n",
        "a: 1   # one\n       # two\nb: 2\n",
    );
    becomes("a: { b: 1 }# touching\n", "a: { b: 1 } # touching\n");
}

#[test]
fn texts_in_blocks_move_as_a_whole() {
    becomes(
        "a:\n    b: |\n          one\n            two  \n\n          three\n    c: >-   # why\n       d\n",
        "a:\n  b: |\n    one\n      two  \n\n    three\n  c: >-   # why\n    d\n",
    );
    becomes("a:\n    b: |2\n        x\n      y\n", "a:\n  b: |2\n      x\n    y\n");
}

#[test]
fn blank_lines_that_belong_to_a_text_stay() {
    stays("a: |+\n  b\n\n\n\nc: 1\n");
    stays("a: |+\n  b\n\n\n");
    becomes("a: |\n  b\n\n\n\nc: 1\n", "a: |\n  b\n\nc: 1\n");
    stays("a: \"b\n\n\n  c\"\n");
    stays("a: |\n  b\n     \n  c\n");
}

#[test]
fn folded_lines_stand_below_their_text() {
    becomes(
        "a:   some text\n       that goes on\n",
        "a: some text\n  that goes on\n",
    );
    becomes(
        "a:   \"some text\n      that goes on\"\n",
        "a: \"some text\n    that goes on\"\n",
    );
    stays("a: \"one \\\n  two \\n\\\n  \\  three\"\n");
}

#[test]
fn one_blank_line_and_one_line_end() {
    becomes("\n\na: 1\n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n");
    becomes("a: 1   \nb: 2", "a: 1\nb: 2\n");
    becomes("a: 1\r\n\r\n\r\nb:   2", "a: 1\r\n\r\nb: 2\r\n");
    // A final line end would become part of the text.
    stays("a: |\n  b");
}

#[test]
fn marks_anchors_tags_and_merges_stay() {
    becomes(
        "\u{FEFF}%YAML 1.2\n---\nbase:   &b\n    x: 1\nuse:\n    <<:   *b\n    y: !!str   2\n...\n---   # second\n- &c   d\n- *c\n",
        "\u{FEFF}%YAML 1.2\n---\nbase: &b\n  x: 1\nuse:\n  <<: *b\n  y: !!str 2\n...\n---   # second\n- &c d\n- *c\n",
    );
    stays("{ *a : 1, b: *a , c: &a }\n");
    becomes("?   a\n:   b\n?  'c'\n:\n    - d\n", "? a\n: b\n? 'c'\n:\n  - d\n");
}

#[test]
fn templates_and_long_lines_stay() {
    let long = format!("a: {}\n", "word ".repeat(200).trim_end());
    stays(&long);
    stays("a: \"{{   world.note   }}\"\nb: '{% if x %}  y{% endif %}'\n");
}

#[test]
fn colons_that_only_we_read_as_such_stay_as_they_are() {
    let formatted = format("a: {b:1, c: 2}\n").unwrap();
    assert_eq!(formatted, "a: { b:1, c: 2 }\n");
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    for text in [
        "a: [1\n",
        "a: \"b\n",
        "a:\n\tb: 1\n",
        "a: {{ b }}\n",
        "<<<<<<< ours\na: 1\n=======\na: 2\n>>>>>>> theirs\n",
        "a: 1\n b: 2\n",
    ] {
        assert!(matches!(format(text), Err(Why::Faulty(_))), "{text}");
    }
}

#[test]
fn nothing_stays_nothing() {
    stays("");
    stays("\n\n");
    becomes(
        "# only a comment\n\n\n\n# and one\n\n",
        "# only a comment\n\n# and one\n",
    );
}
