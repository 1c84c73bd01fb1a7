//! What rooms that are alike have in common, and what has to be a parameter.

use kitsoki_syntax::{NodeId, NodeKind, ScalarStyle, TextRange, TextSize, text_range};
use rustc_hash::FxHashSet;
use serde_json::json;
use smol_str::SmolStr;

use super::super::insert::Source;
use crate::index::names;
use crate::index::walk::scalar;

/// A value that differs from room to room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Parameter {
    /// Its name.
    pub name: String,
    /// The value of each phase, in their order.
    pub values: Vec<String>,
}

/// Compares rooms of several phases.
pub(super) struct Unify<'a> {
    pub source: &'a Source,
    /// The ids of the phases.
    pub ids: &'a [&'a str],
    /// The names of all rooms that become phases.
    pub rooms: &'a FxHashSet<&'a str>,
    /// What differs.
    pub parameters: Vec<Parameter>,
    /// What is written otherwise in the first room.
    pub changes: Vec<(TextRange, String)>,
}

impl Unify<'_> {
    /// Compares one node of each phase; `None` when no template has all of them. `key` is the nearest key around.
    pub fn nodes(&mut self, nodes: &[NodeId], key: &str) -> Option<()> {
        let first = *nodes.first()?;
        match &self.source.tree.node(first).kind {
            NodeKind::Mapping(entries) => {
                let all: Vec<&[_]> = nodes.iter().map(|n| self.source.entries(*n)).collect();
                if all.iter().any(|e| e.len() != entries.len()) {
                    return None;
                }
                for at in 0..entries.len() {
                    let column: Vec<_> = all.iter().filter_map(|e| e.get(at)).collect();
                    let keys: Vec<NodeId> = column.iter().map(|e| e.key).collect();
                    let values: Vec<NodeId> = column.iter().map(|e| e.value).collect();
                    self.texts(&keys, None)?;
                    let key = scalar(&self.source.tree, *keys.first()?).cloned().unwrap_or_default();
                    self.nodes(&values, &key)?;
                }
                Some(())
            }
            NodeKind::Sequence(items) => {
                let lists: Option<Vec<&Vec<NodeId>>> = nodes
                    .iter()
                    .map(|n| match &self.source.tree.node(*n).kind {
                        NodeKind::Sequence(other) if other.len() == items.len() => Some(other),
                        _ => None,
                    })
                    .collect();
                let lists = lists?;
                for at in 0..items.len() {
                    let column: Vec<NodeId> = lists.iter().filter_map(|l| l.get(at).copied()).collect();
                    self.nodes(&column, key)?;
                }
                Some(())
            }
            NodeKind::Scalar(_) => self.texts(nodes, Some(key)),
            NodeKind::Alias(_) | NodeKind::Error => None,
        }
    }

    /// Compares texts. Without a key no parameter may stand for them: they are keys themselves.
    fn texts(&mut self, nodes: &[NodeId], key: Option<&str>) -> Option<()> {
        let tree = &self.source.tree;
        let all: Option<Vec<(&SmolStr, bool)>> = nodes
            .iter()
            .map(|n| match &tree.node(*n).kind {
                NodeKind::Scalar(s) => Some((&s.text, s.style == ScalarStyle::Plain)),
                _ => None,
            })
            .collect();
        let all = all?;
        let (text, plain) = *all.first()?;
        let same = all.iter().all(|(t, p)| *t == text && *p == plain);
        let texts: Vec<&str> = all.iter().map(|(t, _)| t.as_str()).collect();
        if let Some(marks) = self.ids_in(&texts, same) {
            self.mark(*nodes.first()?, text, &marks);
            return Some(());
        }
        if same {
            return Some(());
        }
        let name = self.parameter(key?, texts);
        let range = tree.node(*nodes.first()?).range;
        self.changes
            .push((range, json!(format!("{{{{ tpl.{name} }}}}")).to_string()));
        Some(())
    }

    /// Where the id of the phase stands in the first text, when that explains how the texts differ. Of texts that are the same
    /// only the name of one of the rooms is meant.
    fn ids_in(&self, texts: &[&str], same: bool) -> Option<Vec<usize>> {
        let (text, id) = (*texts.first()?, *self.ids.first()?);
        if same {
            let own = texts.len() == 1 && self.rooms.contains(text) && text.starts_with(id);
            return own.then(|| vec![0]);
        }
        let found: Vec<usize> = text.match_indices(id).map(|(at, _)| at).collect();
        let explains = |marks: &[usize]| {
            let made = |other: &str| {
                let mut out = text.to_owned();
                for at in marks.iter().rev() {
                    out.replace_range(*at..at + id.len(), other);
                }
                out
            };
            !marks.is_empty() && texts.iter().zip(self.ids).all(|(t, other)| made(other) == *t)
        };
        if explains(&found) {
            return Some(found);
        }
        found.iter().map(|at| vec![*at]).find(|one| explains(one))
    }

    /// Puts the parameter `id` in the places of a text.
    fn mark(&mut self, node: NodeId, text: &str, marks: &[usize]) {
        const ID: &str = "{{ tpl.id }}";
        let Some(id) = self.ids.first() else { return };
        let (tree, range) = (&self.source.tree, self.source.tree.node(node).range);
        let plain = matches!(&tree.node(node).kind, NodeKind::Scalar(s) if s.style == ScalarStyle::Plain);
        if plain {
            // Braces need quotes.
            let mut new = text.to_owned();
            for at in marks.iter().rev() {
                new.replace_range(*at..at + id.len(), ID);
            }
            self.changes.push((range, json!(new).to_string()));
            return;
        }
        let map = names::Source::of(tree, &self.source.text, node);
        for at in marks {
            self.changes
                .push((map.range(text_range(*at, at + id.len())), ID.to_owned()));
        }
    }

    /// The parameter of some values; two places with the same values share one.
    fn parameter(&mut self, key: &str, texts: Vec<&str>) -> String {
        let values: Vec<String> = texts.into_iter().map(str::to_owned).collect();
        if let Some(known) = self.parameters.iter().find(|p| p.values == values) {
            return known.name.clone();
        }
        let word: String = key
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        // Keys of a phase that mean something else.
        let taken = ["id", "next", "cycle_budgets", "on_enter", ""];
        let word = if taken.contains(&word.as_str()) || word.starts_with(|c: char| c.is_ascii_digit()) {
            format!("value_{word}")
        } else {
            word
        };
        let free = |name: &String| self.parameters.iter().all(|p| p.name != *name);
        let numbered = (2..).map(|n| format!("{word}_{n}"));
        let name = std::iter::once(word.clone()).chain(numbered).find(free).unwrap_or(word);
        self.parameters.push(Parameter {
            name: name.clone(),
            values,
        });
        name
    }
}

/// The text of a range with some of its parts changed.
pub(super) fn changed(source: &Source, range: TextRange, changes: &[(TextRange, String)]) -> Option<String> {
    let mut changes: Vec<&(TextRange, String)> = changes.iter().filter(|(r, _)| range.contains_range(*r)).collect();
    changes.sort_by_key(|(r, _)| r.start());
    let mut out = source.words(range).to_owned();
    for (part, new) in changes.into_iter().rev() {
        let at = |offset: TextSize| usize::from(offset - range.start());
        out.get(at(part.start())..at(part.end()))?;
        out.replace_range(at(part.start())..at(part.end()), new);
    }
    Some(out)
}
