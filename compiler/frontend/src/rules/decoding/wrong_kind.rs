//! `wrong-kind`: a value of the wrong kind: text for a flag, a scalar for a list (`language` 2.4).
//!
//! What people mean by a short form is known of some declarations (`back: kitchen` is an arc to the kitchen); then the long
//! form is offered.

use kitsoki_syntax::{FileId, NodeId, NodeKind, ScalarStyle, Span, Tree};

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "wrong-kind",
    level: Level::Error,
    summary: "a value of the wrong YAML kind for its key",
    fixable: Fixable::Sometimes,
};

/// What a text alone stands for, per kind of declaration.
const LONE: &[(&str, &str)] = &[
    ("an arc", "target"),
    ("an import", "source"),
    ("an exit mapping", "to"),
    ("a slot", "type"),
    ("an agent", "system_prompt"),
];

/// What to write instead of a text where there is no short form that could be put right.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "an effect",
        "write what it does as a key, such as `say: \"…\"` or `set: { key: value }`",
    ),
    ("a timeout", "write `{ after: 5m, target: room }`"),
    ("a room", "write its keys below it, such as `view: \"…\"`"),
    ("an intent", "write its keys below it, such as `description: \"…\"`"),
];

/// The value at `span` is `found` where `expected` is due, behind `key` when it stands behind one.
pub(crate) fn at(span: Span, found: &str, expected: &str, key: Option<&str>) -> Diagnostic {
    match key {
        Some(key) => RULE
            .at(span, "what stands behind the key")
            .message(format!("{} takes {expected}, not {found}", code(key))),
        None => RULE
            .at(span, "what stands here")
            .message(format!("expected {expected}, found {found}")),
    }
}

/// What to do about something else than a mapping where a `kind` of declaration is due.
pub(crate) fn wrap_lone(finding: Diagnostic, tree: &Tree, file: FileId, node: NodeId, kind: &str) -> Diagnostic {
    let key = LONE.iter().find(|(of, _)| *of == kind).map(|(_, key)| *key);
    match (key, &tree.node(node).kind) {
        (Some(key), NodeKind::Scalar(_)) => {
            let finding = finding.help(format!("write it as a mapping with the key {}", code(key)));
            around(finding, tree, file, node, &format!("{{ {key}: "), " }", "write it out")
        }
        _ => {
            let example = EXAMPLES.iter().find(|(of, _)| *of == kind).map(|(_, text)| *text);
            let keys = super::unknown_key::all_keys(kind);
            finding.help(example.map_or_else(|| format!("write keys and values; {keys}"), str::to_owned))
        }
    }
}

/// What to do about something else than a list; `kind` is what an item is.
pub(crate) fn wrap_item(finding: Diagnostic, tree: &Tree, file: FileId, node: NodeId, kind: &str) -> Diagnostic {
    let node_kind = &tree.node(node).kind;
    let flow = matches!(node_kind, NodeKind::Mapping(_)) && tree.node(node).flow;
    let lone = LONE.iter().find(|(of, _)| *of == kind).map(|(_, key)| *key);
    match (node_kind, lone) {
        (NodeKind::Scalar(_), Some(key)) => {
            let finding = finding.help(format!("write a list of one item with the key {}", code(key)));
            around(
                finding,
                tree,
                file,
                node,
                &format!("[{{ {key}: "),
                " }]",
                "make it a list",
            )
        }
        (NodeKind::Scalar(_), None) if kind.is_empty() => around(
            finding.help("write a list of one item"),
            tree,
            file,
            node,
            "[",
            "]",
            "make it a list",
        ),
        (NodeKind::Mapping(_), _) if flow && !kind.is_empty() => around(
            finding.help("write a list of one item"),
            tree,
            file,
            node,
            "[",
            "]",
            "make it a list",
        ),
        (NodeKind::Mapping(_), _) if !kind.is_empty() => finding.help(format!(
            "write a list: `- ` before the first key of each item ({kind}), the other keys below it"
        )),
        _ => finding.help("write a list: each item on a line of its own behind `- `"),
    }
}

/// What to do about a word that means `true` or `false` elsewhere.
pub(crate) fn switch_word(finding: Diagnostic, tree: &Tree, span: Span, node: NodeId) -> Diagnostic {
    let NodeKind::Scalar(scalar) = &tree.node(node).kind else {
        return finding.help("write `true` or `false`");
    };
    let meant = match scalar.text.to_ascii_lowercase().as_str() {
        "yes" | "y" | "on" | "1" | "true" => "true",
        "no" | "n" | "off" | "0" | "false" => "false",
        _ => return finding.help("write `true` or `false`"),
    };
    finding
        .help("`yes`, `no`, `on` and `off` are texts")
        .fix(Fix::replace(span, meant).title(format!("change it to `{meant}`")))
}

/// Offers to write `before` and `after` around a value, when the text of it can stand there as it is.
fn around(
    finding: Diagnostic,
    tree: &Tree,
    file: FileId,
    node: NodeId,
    before: &str,
    after: &str,
    title: &str,
) -> Diagnostic {
    let at = tree.node(node);
    let stands = match &at.kind {
        NodeKind::Scalar(scalar) => match scalar.style {
            ScalarStyle::Plain => !scalar.text.contains(['[', ']', '{', '}', ',', '\n', '#']),
            ScalarStyle::Single | ScalarStyle::Double => true,
            _ => false,
        },
        _ => at.flow,
    };
    if !stands || at.anchor.is_some() || at.tag.is_some() {
        return finding;
    }
    let (start, end) = (at.range.start(), at.range.end());
    let insert = |place| Span::new(file, kitsoki_syntax::TextRange::empty(place));
    finding.fix(Fix::edits([(insert(start), before.to_owned()), (insert(end), after.to_owned())]).title(title))
}
