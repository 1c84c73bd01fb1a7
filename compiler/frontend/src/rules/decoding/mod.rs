//! Rules that speak while a file is read: wrong shapes, unknown keys, forms with a reading of their own.
//!
//! The reader ([`crate::surface::Decoder`]) calls the functions here; which rule speaks depends on the position.

mod bash_profile_form;
mod choice_form;
mod choice_schema;
mod duration_invalid;
mod element_many_kinds;
mod element_no_kind;
mod host_binding_form;
mod ignored_key;
mod int_overflow;
mod list_item_invalid;
mod merge_key_conflict;
mod merge_overwrites;
mod nested_when;
mod non_string_key;
mod number_becomes_text;
mod number_truncated;
mod off_ramp_form;
mod tag_value;
mod unknown_key;
mod view_form;
mod view_template_file_exclusive;
mod world_inline_default;
mod wrong_kind;
mod yaml_alias_growth;
mod yaml_alias_recursive;

use kitsoki_diagnostics::{Diagnostic, Rule};
use kitsoki_syntax::{FileId, NodeId, NodeKind, Resolved, Span, TextRange, Tree};

use crate::surface::{Decoder, KeyEntry, Shape, WorldVar};

/// The rules of this group.
pub const RULES: &[&Rule] = &[
    &bash_profile_form::RULE,
    &choice_form::RULE,
    &choice_schema::RULE,
    &duration_invalid::RULE,
    &element_many_kinds::RULE,
    &element_no_kind::RULE,
    &host_binding_form::RULE,
    &ignored_key::RULE,
    &int_overflow::RULE,
    &non_string_key::RULE,
    &list_item_invalid::RULE,
    &merge_key_conflict::RULE,
    &merge_overwrites::RULE,
    &nested_when::RULE,
    &number_becomes_text::RULE,
    &number_truncated::RULE,
    &off_ramp_form::RULE,
    &tag_value::RULE,
    &unknown_key::RULE,
    &view_form::RULE,
    &view_template_file_exclusive::RULE,
    &world_inline_default::RULE,
    &wrong_kind::RULE,
    &yaml_alias_growth::RULE,
    &yaml_alias_recursive::RULE,
];

pub(crate) use bash_profile_form::{
    at as bash_profile_form, dropped as bash_profile_dropped, empty as bash_profile_empty,
};
pub(crate) use choice_schema::RULE as CHOICE_SCHEMA;
pub(crate) use duration_invalid::check as duration_invalid;
pub(crate) use host_binding_form::at as host_binding_form;
pub(crate) use ignored_key::{at as ignored_key, later_document};
pub(crate) use list_item_invalid::{
    blank as list_item_blank, form as list_item_form, no_label as list_item_no_label, null as list_item_null,
};
pub(crate) use non_string_key::at as non_string_key;
pub(crate) use off_ramp_form::{at as off_ramp_form, key as off_ramp_key};
pub(crate) use tag_value::at as lone_tag;
pub(crate) use unknown_key::{RULE as UNKNOWN_KEY, meant as meant_key};
pub(crate) use wrong_kind::{RULE as WRONG_KIND, switch_word, wrap_item, wrap_lone};
pub(crate) use yaml_alias_growth::at as alias_growth;
pub(crate) use yaml_alias_recursive::{RULE as YAML_ALIAS_RECURSIVE, at as alias_recursive};

/// The name of the rule about aliases that multiply a file.
pub(crate) const ALIAS_GROWTH: &str = yaml_alias_growth::RULE.id;

/// What a node is, in the author's words.
fn found(tree: &Tree, node: NodeId) -> &'static str {
    match &tree.node(node).kind {
        NodeKind::Mapping(_) => "a mapping",
        NodeKind::Sequence(_) => "a list",
        NodeKind::Scalar(_) => match tree.value(node) {
            Resolved::Null => "nothing",
            Resolved::Bool(_) => "`true` or `false`",
            Resolved::Int(_) | Resolved::Uint(_) => "an integer",
            Resolved::Float(_) => "a number",
            _ => "a text",
        },
        NodeKind::Alias(_) | NodeKind::Error => "something unreadable",
    }
}

/// `node` is not `expected`.
pub(crate) fn wrong_kind(
    tree: &Tree,
    file: FileId,
    node: NodeId,
    expected: &str,
    key: Option<&str>,
    shape: Option<Shape>,
) -> Diagnostic {
    let span = Span::new(file, head_of(tree, node));
    match shape {
        Some(Shape::Choice) => choice_form::at(span, found(tree, node), expected),
        Some(Shape::StrictView) => view_form::at(span, found(tree, node)),
        Some(Shape::ListItem) => list_item_invalid::form(span),
        _ => wrong_kind::at(span, found(tree, node), expected, key),
    }
}

/// Where a value begins: the first key of a mapping over lines, the first dash of a list; else all of it.
fn head_of(tree: &Tree, id: NodeId) -> TextRange {
    let node = tree.node(id);
    match &node.kind {
        NodeKind::Mapping(entries) if !node.flow => entries.first().map_or(node.range, |e| tree.node(e.key).range),
        NodeKind::Sequence(_) if !node.flow => TextRange::at(node.range.start(), 1.into()),
        _ => node.range,
    }
}

/// A key that `kind` does not have.
pub(crate) fn unknown_key(
    span: Span,
    key: &str,
    kind: &str,
    keys: &[&str],
    all: usize,
    shape: Option<Shape>,
) -> Diagnostic {
    let body_of_element = ["a list element", "a kv element", "a banner element", "a media element"].contains(&kind);
    if body_of_element && key == "when" && kind != "a media element" {
        return nested_when::at(span, kind);
    }
    match shape {
        Some(Shape::Choice) => choice_schema::key(span, key, kind, keys),
        Some(Shape::ListItem) => list_item_invalid::key(span, key, keys),
        Some(Shape::StrictView) => view_form::key(span, key, keys),
        Some(Shape::ElementBody) if body_of_element => ignored_key::at(span, key, kind, keys),
        _ => unknown_key::at(span, key, kind, keys, all),
    }
}

/// An integer key holds something else.
pub(crate) fn not_an_int(tree: &Tree, file: FileId, node: NodeId) -> Option<Diagnostic> {
    let span = Span::new(file, tree.node(node).range);
    match &tree.node(node).kind {
        NodeKind::Error => None,
        NodeKind::Scalar(scalar) => {
            let text = scalar.text.trim();
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            let is_number = !digits.is_empty() && digits.parse::<f64>().is_ok();
            Some(if is_number {
                int_overflow::at(span, &scalar.text, scalar.style != kitsoki_syntax::ScalarStyle::Plain)
            } else {
                wrong_kind::at(span, found(tree, node), "an integer", None)
            })
        }
        _ => Some(wrong_kind::at(span, found(tree, node), "an integer", None)),
    }
}

/// Keys of a mapping with fixed keys that are both merged and written.
pub(crate) fn merge_conflicts(tree: &Tree, file: FileId, node: NodeId) -> Vec<Diagnostic> {
    let NodeKind::Mapping(entries) = &tree.node(node).kind else {
        return Vec::new();
    };
    let is_merge = |key: NodeId| matches!(&tree.node(key).kind, NodeKind::Scalar(s) if s.text == "<<");
    let mut out = Vec::new();
    for merge in entries.iter().filter(|e| is_merge(e.key)) {
        let source = tree.resolve_alias(merge.value);
        for merged in tree.entries(source) {
            let Ok(name) = tree.as_string(tree.resolve_alias(merged.key)) else {
                continue;
            };
            let own = entries
                .iter()
                .find(|e| !is_merge(e.key) && tree.as_string(tree.resolve_alias(e.key)).is_ok_and(|key| key == name));
            if let Some(own) = own {
                let at = Span::new(file, tree.node(own.key).range);
                out.push(merge_key_conflict::at(
                    at,
                    &name,
                    Span::new(file, tree.node(merged.key).range),
                ));
            }
        }
    }
    out
}

/// Two keys of an author-named mapping that become the same text.
pub(crate) fn duplicate_name(span: Span, first: Span, name: &str) -> Diagnostic {
    super::syntax::duplicate_key(span, first, name)
}

/// An unknown key of a view written as a mapping.
pub(crate) fn view_unknown_key(span: Span, key: &str) -> Diagnostic {
    view_form::key(span, key, &["extends", "blocks", "template_file"])
}

/// `template_file` beside another form; the later key of the file is the wrong one.
pub(crate) fn view_file_exclusive(file_key: Span, other: Span, word: &str) -> Diagnostic {
    if file_key.range.start() > other.range.start() {
        view_template_file_exclusive::at(file_key, "template_file", other, word)
    } else {
        view_template_file_exclusive::at(other, word, file_key, "template_file")
    }
}

/// A mapping that is no view.
pub(crate) fn view_form(span: Span, entries: &[KeyEntry]) -> Diagnostic {
    match entries.first() {
        Some(first) if first.key == "blocks" => view_form::at(first.key_span, "blocks of which template?"),
        _ => view_form::at(span, "says nothing"),
    }
}

/// An element that is no mapping.
pub(crate) fn element_not_mapping(span: Span) -> Diagnostic {
    view_form::at(span, "an element is a mapping with one kind, as in `- prose: text`")
}

/// An element without a kind.
pub(crate) fn element_no_kind(first: Span, span: Span, entries: &[KeyEntry]) -> Diagnostic {
    let keys: Vec<(Span, &str)> = entries
        .iter()
        .filter(|e| e.key != "when")
        .map(|e| (e.key_span, e.key.as_str()))
        .collect();
    element_no_kind::at(if entries.is_empty() { span } else { first }, &keys)
}

/// An unknown key beside the kind of an element.
pub(crate) fn element_unknown_key(span: Span, key: &str, strict: bool) -> Diagnostic {
    if strict {
        view_form::key(span, key, &["when"])
    } else {
        ignored_key::at(span, key, "a view element", &["when"])
    }
}

/// An element with two kinds.
pub(crate) fn element_many_kinds(second: Span, second_word: &str, first: Span, first_word: &str) -> Diagnostic {
    element_many_kinds::at(second, second_word, first, first_word)
}

/// A world variable without any of its keys, one of which looks misspelt.
pub(crate) fn world_var_misspelt(cx: &Decoder<'_>, node: NodeId) -> Option<Diagnostic> {
    cx.tree().entries(node).into_iter().find_map(|entry| {
        let key = cx.scalar_text(cx.tree().resolve_alias(entry.key))?;
        let near = super::words::did_you_mean(&key, WorldVar::KEYS.iter().copied())?;
        Some(world_inline_default::at(cx.span(entry.key), &key, near))
    })
}

/// The source of a scalar, without what the tree does not know.
fn source(tree: &Tree, node: NodeId) -> &str {
    match &tree.node(node).kind {
        NodeKind::Scalar(scalar) => scalar.text.as_str(),
        _ => "",
    }
}

/// A number that changes its spelling when it becomes text.
pub(crate) fn number_becomes_text(tree: &Tree, file: FileId, node: NodeId, text: &str) -> Diagnostic {
    number_becomes_text::at(Span::new(file, tree.node(node).range), source(tree, node), text)
}

/// A fraction that is cut off.
pub(crate) fn number_truncated(tree: &Tree, file: FileId, node: NodeId, value: i64) -> Option<Diagnostic> {
    let exact = source(tree, node).trim().replace('_', "").parse::<f64>().ok()?;
    let cut = exact.fract() != 0.0;
    cut.then(|| number_truncated::at(Span::new(file, tree.node(node).range), source(tree, node), value))
}

/// Merges of an author-named mapping that overwrite keys written before them.
pub(crate) fn merge_overwrites(tree: &Tree, file: FileId, node: NodeId) -> Vec<Diagnostic> {
    let NodeKind::Mapping(entries) = &tree.node(node).kind else {
        return Vec::new();
    };
    let name = |key: NodeId| tree.as_string(tree.resolve_alias(key)).unwrap_or_default();
    let Some(at) = entries.iter().position(|e| source(tree, e.key) == "<<") else {
        return Vec::new();
    };
    let Some(merge) = entries.get(at) else {
        return Vec::new();
    };
    let merged: rustc_hash::FxHashSet<String> = tree
        .entries(tree.resolve_alias(merge.value))
        .iter()
        .map(|e| name(e.key).to_string())
        .collect();
    let before = entries
        .iter()
        .take(at)
        .filter(|e| merged.contains(name(e.key).as_ref() as &str));
    let span = |id: NodeId| Span::new(file, tree.node(id).range);
    before
        .map(|e| merge_overwrites::at(span(merge.key), &name(e.key), span(e.key)))
        .collect()
}
