//! What holds for every text, good or broken.

use kitsoki_syntax::{FaultKind, LineIndex, Node, NodeId, NodeKind, Parse, Severity, TextSize, Tree, parse};
use proptest::prelude::*;

/// Pieces that YAML texts are made of, good and bad.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => proptest::sample::select(vec![
            "a", "b: ", "c:\n", "key: value\n", "- ", "- x\n", "  ", "    ", "\n", "\n\n", "\r\n", "\t", " ", "# c\n", " # c\n",
            "[", "]", "{", "}", ", ", ",", ": ", ":", "? ", "\"", "'", "\"x\"", "'y'", "\"\\n\\u00e9\"", "\\", "''", "|\n", ">-\n",
            "|2\n", "> # c\n", "&x ", "*x", "<<: ", "!!str ", "!t ", "---\n", "...\n", "%YAML 1.2\n", "@", "`", "{{ x }}", "{% if %}",
            "\u{FEFF}", "\u{85}", "\u{2028}", "é", "🍵", "~", "0x1F", "1.5", "true", "\0", "\u{1}", "<<<<<<< a\n", "=======\n", ">>>>>>> b\n",
        ]).prop_map(str::to_owned),
        1 => "[ -~\n]{0,12}",
        1 => any::<String>(),
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

/// A mapping of scalars in every style, with the texts that they stand for.
fn scalars() -> impl Strategy<Value = (String, Vec<String>)> {
    let word = "[a-zé🍵]{1,6}";
    let line = proptest::collection::vec(word, 1..4).prop_map(|words| words.join(" "));
    let lines = proptest::collection::vec(prop_oneof![4 => line, 1 => Just(String::new())], 1..5);
    let one = (lines, 0..5_usize, proptest::bool::ANY);
    proptest::collection::vec(one, 1..6).prop_map(|values| {
        let (mut text, mut want) = (String::new(), Vec::new());
        for (index, (mut lines, style, crlf)) in values.into_iter().enumerate() {
            let end = if crlf { "\r\n" } else { "\n" };
            // An empty first or last line is the business of the block headers; every style starts and ends with text.
            if lines.first().is_some_and(String::is_empty) {
                lines.insert(0, "first".to_owned());
            }
            if lines.last().is_some_and(String::is_empty) {
                lines.push("last".to_owned());
            }
            let mut folded = String::new();
            let mut empty = 0;
            for (at, line) in lines.iter().enumerate() {
                if line.is_empty() {
                    empty += 1;
                    continue;
                }
                if at > 0 {
                    folded.push_str(&if empty > 0 { "\n".repeat(empty) } else { " ".to_owned() });
                }
                empty = 0;
                folded.push_str(line);
            }
            let indented = |pad: &str| lines.iter().map(|l| format!("{pad}{l}")).collect::<Vec<_>>().join(end);
            let body = lines.join(&format!("{end}  "));
            let (value, decoded) = match style {
                0 => (body, folded),
                1 => (format!("'it''s {body}'"), format!("it's {folded}")),
                2 => (format!("\"\\t\\u00e9\\\"{body}\\\\\""), format!("\té\"{folded}\\")),
                3 => (format!("|{end}{}", indented("    ")), format!("{}\n", lines.join("\n"))),
                _ => (format!(">-{end}{}", indented("   ")), folded),
            };
            text.push_str(&format!("k{index}: {value}{end}"));
            want.push(decoded);
        }
        (text, want)
    })
}

fn is_boundary(text: &str, at: TextSize) -> bool {
    text.is_char_boundary(at.into())
}

/// The nodes below a node, in the order of the text.
fn children(node: &Node) -> Vec<NodeId> {
    match &node.kind {
        NodeKind::Mapping(entries) => entries.iter().flat_map(|entry| [entry.key, entry.value]).collect(),
        NodeKind::Sequence(items) => items.clone(),
        _ => Vec::new(),
    }
}

fn check_tree(text: &str, tree: &Tree) -> Result<(), TestCaseError> {
    for id in tree.ids() {
        let node = tree.node(id);
        prop_assert!(
            is_boundary(text, node.range.start()) && is_boundary(text, node.range.end()),
            "{node:?}"
        );
        let mut before = node.range.start();
        for child in children(node) {
            let range = tree.node(child).range;
            prop_assert!(
                node.range.contains_range(range),
                "{node:?} holds {:?}",
                tree.node(child)
            );
            prop_assert!(
                range.start() >= before,
                "{:?} stands before its sibling",
                tree.node(child)
            );
            before = range.end();
        }
        // Whatever can be asked of a node has an answer.
        let _ = (
            tree.value(id),
            tree.entries(id),
            tree.as_string(id),
            tree.as_int(id),
            tree.as_float(id),
            tree.as_bool(id),
        );
        let map = tree.scalar_map(text, id);
        for at in [0, 1, map.text().len(), usize::MAX] {
            prop_assert!(node.range.contains_inclusive(map.source(at)), "{node:?} {at}");
        }
    }
    for comment in tree.comments() {
        prop_assert!(text[std::ops::Range::<usize>::from(*comment)].starts_with('#'));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_tree_in_order(text in text()) {
        let Parse { tree, faults } = parse(&text);
        check_tree(&text, &tree)?;
        for fault in &faults {
            prop_assert!(is_boundary(&text, fault.range.start()) && is_boundary(&text, fault.range.end()), "{fault:?}");
            for (at, new) in fault.fix.iter().flat_map(|fix| &fix.edits) {
                prop_assert!(is_boundary(&text, at.start()) && is_boundary(&text, at.end()), "{fault:?}");
                prop_assert!(!at.is_empty() || !new.is_empty(), "{fault:?}");
            }
            prop_assert!(!fault.message.is_empty() && !fault.message.contains('\n'), "{fault:?}");
        }
        let json = kitsoki_syntax::decode::document(&text).map(|value| value.to_json());
        prop_assert_eq!(json.is_err(), faults.iter().any(|fault| fault.severity == Severity::Error));
    }

    #[test]
    fn every_scalar_is_decoded_the_same_again(text in text()) {
        let Parse { tree, faults } = parse(&text);
        // Where the text was read with an edit in mind the source says something else.
        if faults.iter().any(|fault| fault.severity == Severity::Error) {
            return Ok(());
        }
        for id in tree.ids() {
            if let NodeKind::Scalar(scalar) = &tree.node(id).kind {
                let map = tree.scalar_map(&text, id);
                prop_assert_eq!(map.text(), scalar.text.as_str(), "{:?}", tree.node(id));
            }
        }
    }

    #[test]
    fn a_place_in_a_scalar_leads_to_the_same_character((text, want) in scalars()) {
        let Parse { tree, faults } = parse(&text);
        prop_assert_eq!(&faults, &[]);
        let root = tree.root().unwrap();
        for (index, want) in want.iter().enumerate() {
            let id = tree.get(root, &format!("k{index}")).unwrap().value;
            let map = tree.scalar_map(&text, id);
            prop_assert_eq!(map.text(), want.as_str());
            for (at, c) in want.char_indices() {
                let range = map.source_range(at..at + c.len_utf8());
                let source = &text[std::ops::Range::<usize>::from(range)];
                let same = source.starts_with(c) || source.starts_with('\\') || source == "''" || (c.is_whitespace() && source.trim().is_empty());
                prop_assert!(same, "{c:?} of {want:?} leads to {source:?}");
            }
        }
    }

    #[test]
    fn node_at_is_a_path(text in text(), at in 0..200_u32) {
        let tree = parse(&text).tree;
        let at = TextSize::new(at);
        let path = tree.node_at(at);
        for pair in path.windows(2) {
            prop_assert!(children(tree.node(pair[0])).contains(&pair[1]));
        }
        for id in path {
            prop_assert!(tree.node(id).range.contains_inclusive(at));
        }
    }

    #[test]
    fn lines_and_columns_lead_back(text in text()) {
        let index = LineIndex::new(&text);
        let line_end = |at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
        for (at, c) in text.char_indices().filter(|(at, c)| !(line_end(*at) || *at == 0 && *c == '\u{FEFF}')) {
            let at = TextSize::try_from(at).unwrap();
            prop_assert_eq!(index.offset(index.line_col(at)), at, "{:?}", c);
            let (line, column) = index.utf16(at);
            prop_assert_eq!(index.offset_utf16(line, column), at, "{:?}", c);
        }
    }

    #[test]
    fn a_text_that_is_cut_off_is_no_more_than_broken(text in text(), cut in 0..400_usize) {
        let mut cut = cut.min(text.len());
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let Parse { tree, faults } = parse(&text[..cut]);
        check_tree(&text[..cut], &tree)?;
        prop_assert!(faults.iter().all(|fault| fault.kind != FaultKind::NotUtf8));
    }
}
