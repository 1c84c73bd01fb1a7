//! The promises, over every shipped story and over texts made by chance: the tree before and after is the same but for
//! places, every comment is there, a second run changes nothing, and what is broken is left alone.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_compiler::db::{Database, Db as _, OverlaySystem, RealSystem};
use kitsoki_compiler::{emit, pipeline};
use kitsoki_fmt::{Why, edits, format};
use kitsoki_syntax::{NodeId, NodeKind, Tree, parse};
use proptest::prelude::*;

/// The words of a text in the order of its tree, without places; not the code that the formatter checks itself with.
fn shape(text: &str) -> String {
    let parse = parse(text);
    let mut out = String::new();
    for root in parse.tree.documents() {
        node(&parse.tree, *root, &mut out);
        out.push('\n');
    }
    out
}

fn node(tree: &Tree, id: NodeId, out: &mut String) {
    let node_ = tree.node(id);
    if let Some(tag) = &node_.tag {
        out.push_str(&tag.text);
    }
    if let Some(anchor) = &node_.anchor {
        out.push('&');
        out.push_str(&anchor.name);
    }
    match &node_.kind {
        NodeKind::Scalar(scalar) => out.push_str(&format!("{:?}{:?}", scalar.style, scalar.text)),
        NodeKind::Alias(alias) => out.push_str(&format!("*{}", alias.name)),
        NodeKind::Error => out.push('!'),
        NodeKind::Mapping(entries) => {
            out.push_str(if node_.flow { "{" } else { "<" });
            for entry in entries {
                node(tree, entry.key, out);
                out.push(':');
                node(tree, entry.value, out);
                out.push(',');
            }
            out.push('}');
        }
        NodeKind::Sequence(items) => {
            out.push_str(if node_.flow { "[" } else { "-" });
            for item in items {
                node(tree, *item, out);
                out.push(',');
            }
            out.push(']');
        }
    }
}

fn comments(text: &str) -> Vec<String> {
    let parse = parse(text);
    let ranges = parse.tree.comments().iter();
    let mut all: Vec<String> = ranges
        .map(|range| text[std::ops::Range::<usize>::from(*range)].trim_end().to_owned())
        .collect();
    all.sort();
    all
}

/// Checks every promise; whether the text was formatted.
fn holds(text: &str) -> Result<bool, String> {
    let formatted = match format(text) {
        Ok(formatted) => formatted,
        Err(Why::Faulty(_)) => return Ok(false),
        Err(Why::Unsure) => return Err("the formatter is not sure of itself".to_owned()),
    };
    let differs = |what: &str| Err(format!("{what}\n--- before\n{text}\n--- after\n{formatted}"));
    if shape(text) != shape(&formatted) {
        return differs("another tree");
    }
    if comments(text) != comments(&formatted) {
        return differs("other comments");
    }
    match format(&formatted) {
        Ok(again) if again == formatted => {}
        again => return differs(&format!("a second run changes more: {again:?}")),
    }
    let mut edited = text.to_owned();
    for edit in edits(text, &formatted).into_iter().rev() {
        edited.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
    }
    if edited != formatted {
        return differs("the edits lead elsewhere");
    }
    Ok(true)
}

fn stories() -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../stories")
        .canonicalize_utf8()
        .unwrap()
}

fn yaml_files(dir: &Utf8Path, out: &mut Vec<Utf8PathBuf>) {
    for entry in dir.read_dir_utf8().unwrap() {
        let path = entry.unwrap().path().to_owned();
        if path.is_dir() {
            yaml_files(&path, out);
        } else if path.extension() == Some("yaml") {
            out.push(path);
        }
    }
}

fn shipped() -> Vec<(Utf8PathBuf, String)> {
    let mut files = Vec::new();
    yaml_files(&stories(), &mut files);
    files.sort();
    assert!(files.len() > 40, "the shipped stories are not where they were");
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect()
}

#[test]
fn shipped_stories_are_as_they_should_be() {
    for (path, text) in shipped() {
        assert_eq!(holds(&text), Ok(true), "{path}");
        assert_eq!(format(&text).unwrap(), text, "{path}: run `kitsoki fmt` on it");
    }
}

/// The same text as another author might lay it out.
fn messy(text: &str) -> String {
    let mut out = String::new();
    let mut in_text = None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let bare = line.trim();
        // The content of block texts moves with its key.
        if let Some(of) = in_text {
            if bare.is_empty() || indent > of {
                out.push_str(&if bare.is_empty() {
                    line.to_owned()
                } else {
                    format!("{}{line}", " ".repeat(of))
                });
                continue;
            }
            in_text = None;
        }
        // Two blanks more behind every dash, as the content of an item moves by its own two.
        let dashes = line
            .trim_start()
            .bytes()
            .take_while(|b| matches!(b, b'-' | b' '))
            .count();
        let code = bare.split(" #").next().unwrap_or_default().trim_end();
        if code.ends_with(['|', '>']) || code.ends_with("|-") || code.ends_with(">-") {
            in_text = Some(indent + if bare.starts_with("- ") { dashes } else { 0 });
        }
        let (marks, rest) = line.split_at(indent + if bare.starts_with("- ") { dashes } else { 0 });
        out.push_str(&" ".repeat(indent));
        out.push_str(&marks.replace("- ", "-   "));
        out.push_str(rest);
        if line.len() % 7 == 0 && !bare.is_empty() && in_text.is_none() {
            out.push_str("\n\n");
        }
    }
    out
}

fn ir(root: &Utf8Path, overlay: &[(Utf8PathBuf, String)]) -> serde_json::Value {
    let system = Arc::new(OverlaySystem::new(Arc::new(RealSystem)));
    for (path, text) in overlay {
        system.set(path, Some(Arc::from(text.as_str())));
    }
    let db = Database::new(system);
    let file = db.file(root);
    let findings = pipeline::findings(&db, file);
    let errors: Vec<_> = findings
        .iter()
        .filter(|f| f.severity == kitsoki_diagnostics::Level::Error)
        .collect();
    assert!(errors.is_empty(), "{root}: {errors:?}");
    let request = emit::Request {
        stage: emit::Stage::Ir,
        format: emit::Format::Json,
        room: None,
        diff: false,
        within: None,
    };
    let mut json: serde_json::Value = serde_json::from_str(&emit::emit(&db, file, &request).unwrap()).unwrap();
    json["story"].as_object_mut().unwrap().remove("provenance");
    json
}

#[test]
fn the_ir_is_the_same_but_for_places() {
    let files = shipped();
    let mut changed = 0;
    for (root, _) in files.iter().filter(|(path, _)| path.file_name() == Some("app.yaml")) {
        let mess: Vec<_> = files.iter().map(|(path, text)| (path.clone(), messy(text))).collect();
        let tidy: Vec<_> = mess
            .iter()
            .map(|(path, text)| {
                (
                    path.clone(),
                    format(text).unwrap_or_else(|why| panic!("{path}: {why:?}\n{text}")),
                )
            })
            .collect();
        changed += mess.iter().zip(&tidy).filter(|(a, b)| a != b).count();
        let before = ir(root, &mess);
        assert!(before == ir(root, &tidy), "{root} means something else when formatted");
        assert!(before == ir(root, &[]), "{root}: the messy text says something else");
    }
    assert!(changed > 100, "the messy texts were not messy");
}

#[test]
fn broken_stories_are_left_alone_or_keep_their_meaning() {
    let mut formatted = 0;
    let mut left = 0;
    for (path, text) in shipped() {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for gone in (0..lines.len()).step_by(3) {
            let mut all = lines.clone();
            all.remove(gone);
            let text = all.concat();
            match holds(&text) {
                Ok(true) => formatted += 1,
                Ok(false) => left += 1,
                Err(why) => panic!("{path} without line {}: {why}", gone + 1),
            }
        }
        for (at, _) in text.char_indices().step_by(397) {
            for insert in ["{", "\"", "'", "{{", "\t", "- ", "#", "\n", ": ", "  "] {
                let broken = format!("{}{insert}{}", &text[..at], &text[at..]);
                match holds(&broken) {
                    Ok(true) => formatted += 1,
                    Ok(false) => left += 1,
                    Err(why) => panic!("{path} with {insert:?} at {at}: {why}"),
                }
            }
        }
    }
    assert!(formatted > 1000 && left > 1000, "{formatted} formatted, {left} left");
}

/// Texts with every construct, laid out by chance.
fn any_node(depth: u32) -> BoxedStrategy<Vec<String>> {
    let word = prop::sample::select(vec![
        "a",
        "b c",
        "'q # x'",
        "\"d: e\"",
        "12",
        "~",
        "\"{{ x }}\"",
        "&n v",
        "!!str 3",
        "*n",
        "''",
        "é ü",
        "a#b",
        "https://x.y/z",
        "- 1",
        "yes",
    ]);
    let scalar = word
        .prop_filter("no dash", |w| !w.starts_with('-'))
        .prop_map(|w| vec![w.to_owned()]);
    let flow = prop::sample::select(vec![
        "{a: 1,b: [ 2,3 ]}",
        "[]",
        "{ }",
        "[a ,  b]",
        "{ 'k':v, ? x : y }",
        "[a: b, {c: d}]",
        "{a, b: }",
        "[*n , &m ]",
        "{a: 1,  b: 2}",
        "{a: 12, b: 2}",
        "{a: 1,b:   2,  c: [1]}",
    ])
    .prop_map(|f| vec![f.to_owned()]);
    let broken_flow = (0usize..5, any::<bool>()).prop_map(|(n, hang)| {
        let pad = " ".repeat(n);
        if hang {
            vec![
                "{ a: 1,".to_owned(),
                format!("{pad}  # in it"),
                format!("{pad}  b: [ 2 ] }}"),
            ]
        } else {
            vec![
                "[ # here".to_owned(),
                format!("{pad}  x,"),
                String::new(),
                format!("{pad}  {{y: z}}"),
                format!("{pad} ]"),
            ]
        }
    });
    let block = (
        prop::sample::select(vec!["|", ">", "|-", "|+", ">2", "|  # c"]),
        0usize..4,
        0usize..3,
    )
        .prop_map(|(head, extra, blank)| {
            let pad = if head.contains('2') {
                String::new()
            } else {
                " ".repeat(extra)
            };
            let mut lines = vec![
                head.to_owned(),
                format!("{pad}  one  "),
                format!("{pad}    two"),
                format!("{pad}  # no comment"),
            ];
            lines.extend(std::iter::repeat_n(String::new(), blank));
            lines
        });
    let folded = (0usize..5).prop_map(|n| {
        let pad = " ".repeat(n);
        vec![
            "\"one \\".to_owned(),
            format!("{pad}  two"),
            String::new(),
            format!("{pad} three\""),
        ]
    });
    let plain = (0usize..5).prop_map(|n| vec!["plain".to_owned(), format!("{}goes on", " ".repeat(n + 1))]);
    let leaf = prop_oneof![6 => scalar, 3 => flow, 1 => broken_flow, 1 => block, 1 => folded, 1 => plain].boxed();
    if depth == 0 {
        return leaf;
    }
    let child = || any_node(depth - 1);
    let noise = || prop::sample::select(vec!["", "", "", "", " # c", "   # cc", "  "]);
    let above = || prop::sample::select(vec!["", "", "", "", "\n", "# own\n", "  # right\n", "\n\n\n"]);
    let pair = (
        prop::sample::select(vec!["k", "longer key", "'q'", "&a x", "k "]),
        1usize..6,
        1usize..5,
        noise(),
        above(),
        child(),
    );
    let mapping = prop::collection::vec(pair, 1..4).prop_map(|pairs| {
        let mut out = Vec::new();
        let step = pairs.first().map_or(2, |pair| pair.2);
        for (n, (key, gap, _, noise, above, value)) in pairs.into_iter().enumerate() {
            out.extend(above.lines().map(str::to_owned));
            let key = format!("{key}{n}");
            push_value(&mut out, &format!("{key}:"), gap, step, noise, value);
        }
        out
    });
    let item = (1usize..4, noise(), above(), child());
    let list = prop::collection::vec(item, 1..4).prop_map(|items| {
        let mut out = Vec::new();
        let gap = items.first().map_or(1, |item| item.0);
        for (_, noise, above, value) in items {
            out.extend(above.lines().map(str::to_owned));
            if is_block(&value) && !value[0].starts_with('#') && !value[0].is_empty() {
                let pad = " ".repeat(gap + 1);
                for (n, line) in value.into_iter().enumerate() {
                    out.push(match (n, line.is_empty()) {
                        (0, _) => format!("-{}{line}", " ".repeat(gap)),
                        (_, true) => line,
                        _ => format!("{pad}{line}"),
                    });
                }
            } else {
                push_value(&mut out, "-", gap, 2, noise, value);
            }
        }
        out
    });
    prop_oneof![2 => leaf, 3 => mapping, 2 => list].boxed()
}

fn is_block(value: &[String]) -> bool {
    value.iter().any(|line| {
        line.starts_with("- ")
            || line.starts_with('#')
            || line.contains("0:") && !line.starts_with(['{', '[', '"', '\''])
    })
}

fn push_value(out: &mut Vec<String>, head: &str, gap: usize, step: usize, noise: &str, value: Vec<String>) {
    let pad = " ".repeat(step);
    let own_line = is_block(&value) || value[0].is_empty();
    if own_line {
        out.push(format!("{head}{noise}"));
    }
    let one = value.len() == 1;
    for (n, line) in value.into_iter().enumerate() {
        out.push(if n == 0 && !own_line {
            format!("{head}{}{line}{}", " ".repeat(gap), if one { noise } else { "" })
        } else if line.is_empty() {
            line
        } else {
            format!("{pad}{line}")
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_layout_keeps_its_meaning(lines in any_node(4), end in prop::sample::select(vec!["\n", "", "\n\n", "\r\n"])) {
        let line_end = if end == "\r\n" { "\r\n" } else { "\n" };
        let text = format!("{}{end}", lines.join(line_end));
        if let Err(why) = holds(&text) {
            return Err(TestCaseError::fail(why));
        }
    }

    #[test]
    fn any_text_keeps_its_meaning(text in "([ab:#'\"|>&*!?%\\-\\[\\]{},]|  ?|\n *|\t|\r\n|- |: |---\n|# c)*") {
        // Of noise it may be unsure.
        if format(&text) != Err(Why::Unsure)
            && let Err(why) = holds(&text)
        {
            return Err(TestCaseError::fail(why));
        }
    }
}
