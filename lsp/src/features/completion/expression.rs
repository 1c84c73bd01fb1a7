//! Words of expressions and templates: roots, members, functions, filters, tags, values of enumerations.

use kitsoki_compiler::db::SourceFile;
use kitsoki_expr::names;
use serde_json::Value as Json;

use super::super::definition::path_target;
use super::super::facts;
use super::{Cx, ItemKind};
use crate::index::schema::{Files, Kind};

/// Which language a text is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    /// A bare expression.
    Expr,
    /// A brace template.
    Value,
    /// A view template.
    View,
}

/// What is open before the cursor.
enum Open<'t> {
    /// The inside of an expression, up to the cursor.
    Inside(&'t str),
    /// The inside of a tag, up to the cursor.
    Tag(&'t str),
}

/// The part of a template that is open at its end.
fn open(text: &str) -> Option<Open<'_>> {
    let expression = text.rfind("{{").map(|at| (at, "}}", false));
    let tag = text.rfind("{%").map(|at| (at, "%}", true));
    let (at, close, is_tag) = match (expression, tag) {
        (Some(e), Some(t)) if t.0 > e.0 => t,
        (Some(e), _) => e,
        (None, Some(t)) => t,
        (None, None) => return None,
    };
    let inside = text.get(at + 2..)?;
    if inside.contains(close) {
        return None;
    }
    let inside = inside.strip_prefix('-').unwrap_or(inside);
    Some(if is_tag {
        Open::Tag(inside)
    } else {
        Open::Inside(inside)
    })
}

/// The chain of names at the end of an expression: `world.note.ti` is `["world", "note", "ti"]`.
fn chain(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '?');
    let head = text.trim_end_matches(is_part);
    let chain = text.get(head.len()..).unwrap_or_default();
    // A list or call before the first dot: nothing is known about its members.
    if chain.starts_with('.') {
        return Vec::new();
    }
    chain.split('.').map(|part| part.trim_end_matches('?')).collect()
}

/// The call or comparison whose quoted text is open at the end of an expression.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match open {
            Some((_, quote)) if c == quote => open = None,
            None if matches!(c, '"' | '\'') => open = Some((at, c)),
            _ => {}
        }
    }
    let (at, _) = open?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

impl Cx<'_> {
    /// Items for the expression that is open at the end of `typed`.
    pub(super) fn expression(&mut self, typed: &str, language: Language) {
        let inside = match language {
            Language::Expr => typed,
            _ => match open(typed) {
                None => return,
                Some(Open::Inside(inside)) => inside,
                Some(Open::Tag(inside)) => {
                    let word = inside.trim_start();
                    if !word.contains(char::is_whitespace) {
                        for tag in names::TAGS {
                            self.push(tag.name, ItemKind::Tag, tag.signature, Some(tag.doc));
                        }
                        return;
                    }
                    inside
                }
            },
        };
        if let Some((before, _)) = quoted(inside) {
            self.quoted_value(before);
            return;
        }
        let chain = chain(inside);
        match chain.as_slice() {
            [] => {}
            [_] => self.first_words(inside, language),
            [root, path @ .., _] => self.members(root, path),
        }
    }

    fn first_words(&mut self, inside: &str, language: Language) {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let before = inside.trim_end_matches(word).trim_end();
        if language == Language::View && before.ends_with('|') && !before.ends_with("||") {
            for filter in names::FILTERS {
                self.push(filter.name, ItemKind::Filter, filter.signature, Some(filter.doc));
            }
            return;
        }
        let roots = if language == Language::View {
            names::ROOTS_P
        } else {
            names::ROOTS
        };
        for root in roots {
            self.push(root.name, ItemKind::Member, root.signature, Some(root.doc));
            if let Some(last) = self.out.last_mut() {
                last.rank = if matches!(root.name, "world" | "slots") { 1 } else { 4 };
            }
        }
        if language != Language::View {
            for function in names::FUNCTIONS {
                self.push(
                    function.name,
                    ItemKind::Function,
                    function.signature,
                    Some(function.doc),
                );
            }
        }
        for helper in names::HELPERS {
            self.push(helper.name, ItemKind::Function, helper.signature, Some(helper.doc));
        }
        if language == Language::Value && inside.trim_start() == inside.trim() {
            for tag in names::TAGS_T {
                self.push(tag.name, ItemKind::Tag, tag.signature, Some(tag.doc));
            }
        }
    }

    fn members(&mut self, root: &str, path: &[&str]) {
        match (root, path) {
            ("world", []) => self.names(Kind::World),
            ("world", [key, rest @ ..]) => self.fields(key, rest),
            ("slots", []) => self.names(Kind::Slot),
            ("menu", []) => self.words(&["primary", "blocked"]),
            ("run", []) => self.words(&["id", "turn"]),
            ("state", []) => self.words(&["path", "description"]),
            ("prerequisites", []) => self.words(&["all", "met", "unmet", "has_unmet"]),
            ("forloop", []) => self.words(&[
                "Counter",
                "Counter0",
                "Revcounter",
                "Revcounter0",
                "First",
                "Last",
                "Parentloop",
            ]),
            ("block", []) => self.words(&["Super"]),
            _ => {}
        }
    }

    fn words(&mut self, words: &[&str]) {
        for word in words {
            self.push(*word, ItemKind::Member, "", None);
        }
    }

    /// The properties of the schema that a world key's value has been accepted by.
    fn fields(&mut self, key: &str, path: &[&str]) {
        let Some(package) = self.package else { return };
        let symbol = crate::index::resolve::symbol(&self.snapshot.db, package, Kind::World, key, "");
        let manifest = facts::manifest(self.snapshot, symbol.manifest);
        let Some((schema, span)) = facts::schema_of(manifest, &symbol.name) else {
            self.default_fields(symbol.manifest, &symbol.name, path);
            return;
        };
        let Some(from) = self.snapshot.place(span) else { return };
        let Some(file) = path_target(self.snapshot, from.file, Files::Schema, &schema) else {
            return;
        };
        let text = self.snapshot.text(file);
        let Ok(schema) = serde_json::from_str::<Json>(&text) else {
            return;
        };
        let mut at = &schema;
        for part in path {
            let Some(next) = at.pointer(&format!("/properties/{part}")) else {
                return;
            };
            at = next;
        }
        let Some(properties) = at.get("properties").and_then(Json::as_object) else {
            return;
        };
        for (name, property) in properties {
            let ty = property.get("type").and_then(Json::as_str).unwrap_or_default();
            let doc = property.get("description").and_then(Json::as_str);
            self.push(name, ItemKind::Member, ty, None);
            if let Some(last) = self.out.last_mut() {
                last.doc = doc.map(super::super::markdown::plain);
            }
        }
    }

    /// The keys of a world key's default.
    fn default_fields(&mut self, manifest: SourceFile, key: &str, path: &[&str]) {
        let manifest = facts::manifest(self.snapshot, manifest);
        let var = manifest.world.as_ref().and_then(|w| w.value.get(key));
        let Some(mut at) = var.and_then(|v| v.default_value()) else {
            return;
        };
        for part in path {
            let Some(next) = at.get(part) else { return };
            at = next;
        }
        let names: Vec<String> = at
            .as_map()
            .into_iter()
            .flatten()
            .map(|e| e.name.text.to_string())
            .collect();
        for name in names {
            self.push(name, ItemKind::Member, "", None);
        }
    }

    /// A text in quotes: the intent of a helper, or a value that is compared.
    fn quoted_value(&mut self, before: &str) {
        let before = before.trim_end();
        if let Some(call) = before.strip_suffix('(') {
            let helpers = ["available", "blocked", "blocked_reason", "intent_status"];
            if helpers.iter().any(|h| call.ends_with(h)) {
                self.names(Kind::Intent);
            }
            return;
        }
        let operand = ["==", "!="].iter().find_map(|op| before.strip_suffix(op));
        let Some(operand) = operand else { return };
        let chain = chain(operand.trim_end());
        let (Some(package), [root, key]) = (self.package, chain.as_slice()) else {
            return;
        };
        let values: Vec<String> = match *root {
            "world" => {
                let symbol = crate::index::resolve::symbol(&self.snapshot.db, package, Kind::World, key, "");
                let manifest = facts::manifest(self.snapshot, symbol.manifest);
                let var = manifest.world.as_ref().and_then(|w| w.value.get(&symbol.name));
                let values = var.and_then(|v| v.values.as_ref());
                values
                    .into_iter()
                    .flat_map(|v| v.value.items.iter())
                    .map(|t| t.text.to_string())
                    .collect()
            }
            "slots" => {
                let Some(intent) = self.place.scope.intent.as_ref() else {
                    return;
                };
                let owner = intent.key();
                let manifest = facts::manifest(self.snapshot, package);
                let slot = facts::slot(manifest, key, &owner);
                let values = slot.and_then(|s| s.values.as_ref());
                values
                    .into_iter()
                    .flat_map(|v| v.value.items.iter())
                    .map(|t| t.text.to_string())
                    .collect()
            }
            _ => return,
        };
        for value in values {
            self.push(value, ItemKind::Word, "", None);
        }
    }
}
