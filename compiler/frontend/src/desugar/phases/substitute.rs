//! Placeholders of a phase template: `{{ tpl.p }}`, `{{ phase.next.arc }}`, and `{p}` in the names of rooms (`macros` 2.4).

use std::cell::RefCell;
use std::ops::Range;

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{TextRange, text_range};

use super::parameters::Parameters;
use crate::db::Db;
use crate::rules::cx::place;
use crate::rules::phases as rules;
use crate::surface::{Any, AnyEntry, AnyKind, Field, List, Map, Text};

/// Substitutes the values of one phase.
pub(super) struct Substitution<'a> {
    db: &'a dyn Db,
    parameters: &'a Parameters<'a>,
    findings: RefCell<Vec<Diagnostic>>,
}

impl<'a> Substitution<'a> {
    pub fn new(db: &'a dyn Db, parameters: &'a Parameters<'a>) -> Self {
        Self {
            db,
            parameters,
            findings: RefCell::default(),
        }
    }

    pub fn parameters(&self) -> &Parameters<'a> {
        self.parameters
    }

    /// References that nothing replaces.
    pub fn findings(&self) -> Vec<Diagnostic> {
        self.findings.take()
    }

    /// The name of a room.
    ///
    /// # Errors
    /// The place of a parameter that does not exist.
    pub fn state_name(&self, name: &Text) -> Result<Text, TextRange> {
        let mut changes = Vec::new();
        for braces in single_braces(name.as_str()) {
            let word = name.as_str().get(braces.start + 1..braces.end - 1).unwrap_or_default();
            match self.parameters.get(word) {
                Some(value) => changes.push((braces, value.text.to_string())),
                None => return Err(text_range(braces.start, braces.end)),
            }
        }
        Ok(name.replaced(&changes))
    }

    /// A text with its placeholders replaced. A placeholder that is the whole text gives the value with its own place.
    pub fn text(&self, text: &Text) -> Text {
        let s = text.as_str();
        if !kitsoki_expr::has_delimiters(s) {
            return text.clone();
        }
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        for (block, inner) in blocks(s) {
            let value = reference(
                s.get(inner.clone()).unwrap_or_default(),
                s.get(block.start..block.start + 2) == Some("{{"),
            );
            let near = value.as_ref().and_then(|reference| self.parameters.near(reference));
            let value = value.and_then(|reference| match reference {
                Reference::Parameter(name) => self.parameters.get(name),
                Reference::Next(arc) => self.parameters.next(arc),
            });
            match value {
                Some(value) if block == (0..s.len()) => return value.clone(),
                Some(value) => changes.push((block, value.text.to_string())),
                None if mentions(s.get(inner).unwrap_or_default()) => {
                    let at = place(self.db, text, text_range(block.start, block.end));
                    self.findings.borrow_mut().push(rules::phase_reference_unknown(
                        at,
                        s.get(block).unwrap_or_default(),
                        near,
                    ));
                }
                None => {}
            }
        }
        text.replaced(&changes)
    }

    pub fn field(&self, field: &Option<Field<Text>>) -> Option<Field<Text>> {
        field.as_ref().map(|f| Field::new(f.key, self.text(&f.value)))
    }

    /// A free value; the keys of its mappings stay.
    pub fn any(&self, any: &Any) -> Any {
        let kind = match &any.kind {
            AnyKind::Text(text) => AnyKind::Text(self.text(text)),
            AnyKind::List(items) => AnyKind::List(items.iter().map(|i| self.any(i)).collect()),
            AnyKind::Map(entries) => {
                let entry = |e: &AnyEntry| AnyEntry {
                    name: e.name.clone(),
                    value: self.any(&e.value),
                };
                AnyKind::Map(entries.iter().map(entry).collect())
            }
            other => other.clone(),
        };
        Any { kind, span: any.span }
    }

    /// A mapping with `name` and `value` for its parts; of two keys that become the same text the first stays.
    pub fn map<T, U>(
        &self,
        map: &Option<Field<Map<T>>>,
        name: impl Fn(&Text) -> Text,
        value: impl Fn(&T) -> U,
    ) -> Option<Field<Map<U>>> {
        let map = map.as_ref()?;
        let mut seen = rustc_hash::FxHashSet::default();
        let entries = map.value.entries.iter().filter_map(|e| {
            let name = name(&e.name);
            seen.insert(name.text.clone()).then(|| crate::surface::MapEntry {
                name,
                value: value(&e.value),
                null: e.null,
                broken: e.broken,
            })
        });
        Some(Field::new(
            map.key,
            Map {
                entries: entries.collect(),
                span: map.value.span,
            },
        ))
    }

    pub fn list<T>(&self, list: &Option<Field<List<T>>>, item: impl Fn(&T) -> T) -> Option<Field<List<T>>> {
        let list = list.as_ref()?;
        let items = list.value.items.iter().map(item).collect();
        Some(Field::new(
            list.key,
            List {
                items,
                span: list.value.span,
            },
        ))
    }
}

pub(super) enum Reference<'t> {
    Parameter(&'t str),
    Next(&'t str),
}

/// What a block refers to, when it is exactly one reference.
fn reference(inner: &str, output: bool) -> Option<Reference<'_>> {
    if !output {
        return None;
    }
    let mut parts = inner.trim_matches(|c: char| c.is_ascii_whitespace()).split('.');
    let (root, first, second) = (parts.next()?, parts.next()?, parts.next());
    let good = |word: &str| is_identifier(word);
    if parts.next().is_some() || !good(first) || !second.is_none_or(good) {
        return None;
    }
    match (root, first, second) {
        // A further segment is swallowed.
        ("tpl", name, _) => Some(Reference::Parameter(name)),
        ("phase", "next", Some(arc)) => Some(Reference::Next(arc)),
        _ => None,
    }
}

fn is_identifier(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a block speaks of the template's values at all.
fn mentions(inner: &str) -> bool {
    ["tpl.", "phase."].iter().any(|root| {
        inner.match_indices(root).any(|(at, _)| {
            let before = at.checked_sub(1).and_then(|i| inner.as_bytes().get(i));
            !before.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
        })
    })
}

/// The `{{ … }}` and `{% … %}` of a text with their insides.
fn blocks(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('{')).map(|i| at + i) {
        let close = match text.as_bytes().get(open + 1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            _ => {
                at = open + 1;
                continue;
            }
        };
        let Some(len) = text.get(open + 2..).and_then(|rest| rest.find(close)) else {
            at = open + 2;
            continue;
        };
        let end = open + 2 + len;
        // The innermost opening counts: `{{ x {{ tpl.p }}`.
        let start = text
            .get(open + 1..end)
            .and_then(|i| i.rfind("{{"))
            .map_or(open, |i| open + 1 + i);
        found.push((start..end + 2, start + 2..end));
        at = end + 2;
    }
    found
}

/// The `{name}` of a room's name.
fn single_braces(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('{') {
        let rest = text.get(open + 1..).unwrap_or_default();
        if let Some((word, _)) = rest.split_once('}')
            && is_identifier(word)
        {
            found.push(open..open + word.len() + 2);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_braces() {
        let text = "a {{ tpl.x }} {% if tpl.y %} {{ open";
        let found: Vec<&str> = blocks(text).into_iter().map(|(b, _)| &text[b]).collect();
        assert_eq!(found, ["{{ tpl.x }}", "{% if tpl.y %}"]);
        assert_eq!(single_braces("{id}_{a b}_{x"), std::slice::from_ref(&(0..4)));
    }

    #[test]
    fn only_one_reference_alone_counts() {
        assert!(matches!(reference(" tpl.x ", true), Some(Reference::Parameter("x"))));
        assert!(matches!(reference("tpl.x.y", true), Some(Reference::Parameter("x"))));
        assert!(matches!(reference("phase.next.go", true), Some(Reference::Next("go"))));
        assert!(reference("phase.next", true).is_none() && reference("tpl.x + 1", true).is_none());
        assert!(reference("tpl.x", false).is_none() && reference("tpl.x.y.z", true).is_none());
        assert!(mentions("tpl.x | upper") && !mentions("mytpl.x") && !mentions("world.tpl.x"));
    }
}
