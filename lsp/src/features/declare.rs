//! What is used and declared nowhere is declared: where, and in the shape of the file.

use kitsoki_compiler::db::SourceFile;
use kitsoki_syntax::{NodeId, NodeKind, TextRange, TextSize, Tree};
use smol_str::SmolStr;

use super::symbol_at::{declarations, hits};
use super::{At, Place, Snapshot};
use crate::index::names::{Form, form};
use crate::index::resolve::Symbol;
use crate::index::schema::Kind;
use crate::index::walk::scalar;

/// A declaration that can be added.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// What it does, as an imperative.
    pub title: String,
    /// Where it is added, and its text.
    pub edit: (Place, String),
}

/// The declarations that the name at a place lacks.
#[must_use]
pub fn missing(snapshot: &Snapshot, at: At) -> Vec<Declaration> {
    let mut out: Vec<Declaration> = Vec::new();
    for hit in hits(snapshot, at) {
        let symbol = &hit.symbol;
        // A name that leads into another story is not declared from here.
        if !declarations(snapshot, symbol).is_empty() || symbol.manifest != hit.package {
            continue;
        }
        let Some(found) = declare(snapshot, symbol) else {
            continue;
        };
        if !out.contains(&found) {
            out.push(found);
        }
    }
    out
}

fn declare(snapshot: &Snapshot, symbol: &Symbol) -> Option<Declaration> {
    let name = symbol.name.as_str();
    if !symbol.owner.is_empty() || name.contains('.') || form(&snapshot.db, symbol.manifest) != Form::Story {
        return None;
    }
    let (section, block, flow) = match symbol.kind {
        Kind::State => (
            "states",
            format!("{name}:\n  view: \"{name}\"\n"),
            format!("{name}: {{ view: \"{name}\" }}"),
        ),
        Kind::Intent => (
            "intents",
            format!("{name}:\n  title: \"{}\"\n", title(name)),
            format!("{name}: {{ title: \"{}\" }}", title(name)),
        ),
        Kind::World => {
            let known = kitsoki_compiler::RESERVED_WORLD_KEYS.contains(&name)
                || kitsoki_compiler::ENGINE_WORLD_KEYS.contains(&name);
            if known {
                return None;
            }
            let entry = format!("{name}: {{ type: string, default: \"\" }}");
            ("world", format!("{entry}\n"), entry)
        }
        Kind::Agent if !kitsoki_compiler::BUILTIN_AGENTS.contains(&name) => (
            "agents",
            format!("{name}:\n  system_prompt: \"\"\n  effect: read\n"),
            format!("{name}: {{ system_prompt: \"\", effect: read }}"),
        ),
        Kind::Exit => ("exits", format!("{name}: {{}}\n"), format!("{name}: {{}}")),
        Kind::Toolbox => (
            "toolboxes",
            format!("{name}:\n  tools: [Read]\n  effect: read\n"),
            format!("{name}: {{ tools: [Read], effect: read }}"),
        ),
        _ => return None,
    };
    let edit = insertion(snapshot, symbol.manifest, section, &block, &flow)?;
    Some(Declaration {
        title: format!("declare {} `{name}`", symbol.kind.word()),
        edit,
    })
}

/// Words from a name: `go_home` is "Go home".
fn title(name: &str) -> String {
    let words = name.replace(['_', '-'], " ");
    let mut chars = words.chars();
    chars
        .next()
        .map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// Where an entry of a section goes, and its text in the section's own form.
fn insertion(snapshot: &Snapshot, file: SourceFile, section: &str, block: &str, flow: &str) -> Option<(Place, String)> {
    let text = snapshot.text(file);
    let parse = kitsoki_syntax::parse(&text);
    let tree = &parse.tree;
    let at = |offset: TextSize, new: String| {
        let place = Place {
            file,
            range: TextRange::empty(offset),
        };
        Some((place, new))
    };
    let Some(value) = value_of(tree, section) else {
        let gap = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        return at(
            TextSize::of(&*text),
            format!("{gap}{section}:\n{}", indented(block, "  ")),
        );
    };
    let node = tree.node(value);
    match &node.kind {
        NodeKind::Mapping(entries) if node.flow => {
            let close = node.range.end().checked_sub(TextSize::new(1))?;
            let new = match entries.last() {
                Some(last) => {
                    let end = tree.node(last.value).range.end().max(tree.node(last.key).range.end());
                    return at(end, format!(", {flow}"));
                }
                None => format!(" {flow} "),
            };
            at(close, new)
        }
        NodeKind::Mapping(entries) => {
            let first = entries.first()?;
            let start = usize::from(tree.node(first.key).range.start());
            let line = text.get(..start)?.rfind('\n').map_or(0, |n| n + 1);
            let indent = text.get(line..start)?;
            let end = end_of_lines(&text, tree, value)?;
            let gap = if text.get(..end)?.ends_with('\n') { "" } else { "\n" };
            let size = TextSize::new(u32::try_from(end).ok()?);
            at(size, format!("{gap}{}", indented(block, indent)))
        }
        // `states:` with nothing behind it.
        NodeKind::Scalar(s) if s.text.is_empty() => {
            let start = usize::from(node.range.start());
            let end = text.get(start..)?.find('\n').map_or(text.len(), |n| start + n + 1);
            let gap = if text.get(..end)?.ends_with('\n') { "" } else { "\n" };
            let size = TextSize::new(u32::try_from(end).ok()?);
            at(size, format!("{gap}{}", indented(block, "  ")))
        }
        _ => None,
    }
}

fn value_of(tree: &Tree, section: &str) -> Option<NodeId> {
    let NodeKind::Mapping(entries) = &tree.node(tree.root()?).kind else {
        return None;
    };
    let found = entries
        .iter()
        .find(|e| scalar(tree, e.key).is_some_and(|k: &SmolStr| k == section));
    found.map(|e| e.value)
}

/// The end of the last line of a block.
fn end_of_lines(text: &str, tree: &Tree, node: NodeId) -> Option<usize> {
    let range = tree.node(node).range;
    let part = text.get(range.start().into()..range.end().into())?;
    let end = usize::from(range.start()) + part.trim_end().len();
    Some(text.get(end..)?.find('\n').map_or(text.len(), |n| end + n + 1))
}

fn indented(block: &str, indent: &str) -> String {
    block.lines().map(|l| format!("{indent}{l}\n")).collect()
}
