//! A broken text keeps the tree of everything around the break.

use kitsoki_syntax::{NodeKind, Resolved, Tree, parse};

fn text_at<'t>(tree: &'t Tree, path: &[&str]) -> Option<&'t str> {
    let mut id = tree.root()?;
    for key in path {
        id = tree.get(id, key)?.value;
    }
    match tree.value(id) {
        Resolved::Str(text) => Some(text),
        _ => None,
    }
}

#[test]
fn what_stands_around_a_break_is_read() {
    let text = "a: x\nb:\n  c: \"y\n  d: z\ne: w\n";
    let parse = parse(text);
    assert_eq!(parse.faults.len(), 1);
    for (path, want) in [(&["a"][..], "x"), (&["b", "c"], "y"), (&["b", "d"], "z"), (&["e"], "w")] {
        assert_eq!(text_at(&parse.tree, path), Some(want), "{path:?}");
    }
}

#[test]
fn two_breaks_apart_are_two_faults_and_two_beside_each_other_are_one() {
    let apart = "a: @x\nb: 1\nc: 1\nd: @y\ne: z\n";
    let parse = parse(apart);
    assert_eq!(parse.faults.len(), 2);
    assert_eq!(text_at(&parse.tree, &["e"]), Some("z"));
    let beside = "a: b: c: d\ne: f: g: h\ni: z\n";
    let parse = kitsoki_syntax::parse(beside);
    assert_eq!(parse.faults.len(), 1, "{:#?}", parse.faults);
    assert_eq!(text_at(&parse.tree, &["i"]), Some("z"));
}

#[test]
fn a_part_that_is_passed_over_is_an_error_node_and_marks_its_mapping() {
    let text = "a:\n  b: |x\n    c\n  d: 1\ne: 2\n";
    let parse = parse(text);
    let tree = &parse.tree;
    assert_eq!(parse.faults.len(), 1, "{:#?}", parse.faults);
    let root = tree.root().unwrap();
    let a = tree.get(root, "a").unwrap().value;
    assert_eq!(tree.as_int(tree.get(a, "d").unwrap().value), Ok(1));
    assert_eq!(tree.as_int(tree.get(root, "e").unwrap().value), Ok(2));
}

#[test]
fn nothing_that_can_be_read_is_told_as_missing() {
    let text = "a:\n  &\n  b: 1\n";
    let parse = parse(text);
    assert!(!parse.faults.is_empty());
    let skipped = parse.tree.skipped();
    let broken = parse
        .tree
        .ids()
        .any(|id| matches!(parse.tree.node(id).kind, NodeKind::Error));
    assert!(broken || !skipped.is_empty() || parse.tree.root().is_some());
}

#[test]
fn limits_end_in_a_fault() {
    use kitsoki_syntax::{FaultKind, Limits, parse_with};
    let limits = Limits {
        max_bytes: 1_000,
        max_depth: 10,
        max_nodes: 100,
        max_alias_expansion: 50,
    };
    let laughs = "a: &a [x, x, x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\nd: [*c, *c]\n";
    for (text, kind) in [
        ("x".repeat(1_001), FaultKind::TooLarge),
        ("[".repeat(20), FaultKind::Depth),
        ("- ".repeat(20), FaultKind::Depth),
        ("- x\n".repeat(200), FaultKind::TooManyNodes),
        (laughs.to_owned(), FaultKind::AliasBudget),
    ] {
        let parse = parse_with(&text, &limits);
        assert_eq!(
            parse.faults.iter().map(|fault| fault.kind).collect::<Vec<_>>(),
            [kind],
            "{text:.40}"
        );
    }
    assert_eq!(parse_with(laughs, &Limits::default()).faults, []);
}

#[test]
fn a_bomb_expands_to_no_more_than_the_limit() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..30 {
        let last = level - 1;
        let item = format!("*a{last}");
        text += &format!("a{level}: &a{level} [{}]\n", [item.as_str(); 9].join(", "));
    }
    let parse = parse(&text);
    assert_eq!(parse.faults.len(), 1);
    let json = kitsoki_syntax::decode::any(&parse.tree, parse.tree.root().unwrap()).to_json();
    assert!(json.len() < 20_000_000);
}

#[test]
fn deep_nesting_of_every_kind_ends() {
    for unit in ["[", "{a: ", "- ", "? ", "!t ", "&a ", "{? ", "[? ", "- - ? "] {
        let parse = parse(&unit.repeat(100_000));
        assert!(!parse.faults.is_empty(), "{unit:?}");
    }
}
