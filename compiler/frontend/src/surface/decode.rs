//! Reading the surface story from a tree: wrong shapes and unknown keys are found here, all of them in one run.
//!
//! A faulty part is left out and reading goes on; the conversions are those of `language` 2.4.

use std::sync::Arc as Shared;

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{FileId, NodeId, NodeKind, Resolved, Span, TextRange, Tree};
use smol_str::SmolStr;

use super::decl::Surface;
use super::effect::Effect;
use super::field::Field;
use super::manifest::Manifest;
use super::text::{Flag, Float, Int, List, Text};
use super::value::{Any, AnyEntry, AnyKind};
use crate::rules::decoding;
use crate::story::Incomplete;
use crate::surface::Optional;

/// Reads nodes of one file into declarations and gathers what is wrong.
pub struct Decoder<'t> {
    tree: &'t Tree,
    file: FileId,
    /// Findings in the order of the file.
    pub findings: Vec<Diagnostic>,
    /// The nodes on the way from the root: an alias that leads back into one of them is recursive.
    open: Vec<NodeId>,
    shapes: Vec<Shape>,
    /// The value that is read and the key that holds it, for what is said about its shape.
    under: Option<(NodeId, SmolStr)>,
    /// How many nodes may still be read: aliases multiply, a file must not.
    budget: usize,
}

/// Nodes that the aliases of one file may add to it.
const ALIAS_BUDGET: usize = 300_000;

/// Where the reader is, when another rule than the usual one speaks about a wrong shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Inside of a `choice`.
    Choice,
    /// Inside of a view written as a mapping, where every key is checked.
    StrictView,
    /// Inside of a list item.
    ListItem,
    /// Inside of the body of a view element, where unknown keys vanish in the reference.
    ElementBody,
}

/// A key with fixed meaning and its value.
pub struct KeyEntry {
    /// The key as text.
    pub key: SmolStr,
    /// The place of the key, quotes included.
    pub key_span: Span,
    /// The value behind aliases.
    pub value: NodeId,
    /// The value as written: the alias itself when it is one.
    pub written: NodeId,
}

/// A key that the author chose and its value.
pub struct NamedEntry {
    /// The key as text.
    pub name: Text,
    /// The value behind aliases.
    pub value: NodeId,
    /// The value as written: the alias itself when it is one.
    pub written: NodeId,
}

/// Reads a whole manifest or included file. `None` after a finding: it is no mapping.
#[must_use]
pub fn decode_manifest(tree: &Tree, file: FileId) -> (Option<Manifest>, Vec<Diagnostic>) {
    let mut cx = Decoder::new(tree, file);
    let manifest = match tree.root() {
        Some(root) => {
            let root = tree.resolve_alias(root);
            let head = Span::start_of(file);
            if matches!(tree.node(root).kind, NodeKind::Error) {
                None
            } else {
                cx.enter(root, |cx| Manifest::decode(cx, root, head))
                    .map(|mut manifest| {
                        // The first key stands for the whole file: the end of the text says nothing.
                        let first = tree.entries(root).first().map(|e| cx.span(e.key));
                        manifest.span = first.unwrap_or(manifest.span);
                        manifest
                    })
            }
        }
        None => Some(Manifest::blank(Span::start_of(file), Span::start_of(file))),
    };
    let routing = manifest.as_ref().and_then(|m| m.routing.value());
    cx.findings.extend(routing.and_then(decoding::duration_invalid));
    (manifest, cx.findings)
}

/// Reads a list of effects that stands in a free position (`phases.graph.<id>.on_enter`).
#[must_use]
pub fn decode_effects(tree: &Tree, file: FileId, node: NodeId) -> (Option<List<Effect>>, Vec<Diagnostic>) {
    let mut cx = Decoder::new(tree, file);
    let head = cx.span(node);
    let effects = List::decode(&mut cx, node, head);
    (effects, cx.findings)
}

impl<'t> Decoder<'t> {
    /// A reader of `tree`, whose places belong to `file`.
    #[must_use]
    pub fn new(tree: &'t Tree, file: FileId) -> Self {
        Self {
            tree,
            file,
            findings: Vec::new(),
            open: Vec::new(),
            shapes: Vec::new(),
            under: None,
            // A node is counted once where it is entered and once where it is read freely.
            budget: tree.len().saturating_mul(2).saturating_add(ALIAS_BUDGET),
        }
    }

    /// The tree that is read.
    #[must_use]
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// A range of this file as a span.
    #[must_use]
    pub fn span_of(&self, range: TextRange) -> Span {
        Span::new(self.file, range)
    }

    /// The place of a node.
    #[must_use]
    pub fn span(&self, node: NodeId) -> Span {
        self.span_of(self.tree.node(node).range)
    }

    /// The mark for a mapping that is a list item and has no key of its own.
    #[must_use]
    pub fn item_head(&self) -> Span {
        Span::start_of(FileId(u32::MAX - 1))
    }

    /// Whether `head` is [`Self::item_head`].
    #[must_use]
    pub fn is_item(&self, head: Span) -> bool {
        head.file == FileId(u32::MAX - 1)
    }

    /// Whether the node says nothing.
    #[must_use]
    pub fn is_null(&self, node: NodeId) -> bool {
        matches!(self.tree.node(node).kind, NodeKind::Scalar(_)) && matches!(self.tree.value(node), Resolved::Null)
    }

    /// Whether the node is what a broken text left behind; the syntax fault has been reported.
    #[must_use]
    pub fn is_broken(&self, node: NodeId) -> bool {
        matches!(self.tree.node(node).kind, NodeKind::Error)
    }

    /// Runs `f` inside of `node`; an alias that leads back into an open node is reported and not followed.
    pub fn enter<T>(&mut self, node: NodeId, f: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.open.contains(&node) {
            self.findings
                .push(decoding::alias_recursive(self.span(node), self.span(node)));
            return None;
        }
        if !self.spend(node) {
            return None;
        }
        self.open.push(node);
        let value = f(self);
        self.open.pop();
        value
    }

    /// Reads a value that stands behind `written`. In free values an alias of an open node is null; elsewhere it is a fault.
    pub fn value<T: Surface>(&mut self, written: NodeId, node: NodeId, head: Span) -> Option<T> {
        if self.lone_tag(node, T::FREE) {
            return T::FREE.then(|| T::empty(self.span(node), head));
        }
        if self.open.contains(&node) {
            if T::FREE {
                return Some(T::empty(self.span(written), head));
            }
            let one = kitsoki_syntax::TextSize::new(1);
            let alias = self.tree.node(written).range;
            let anchor = self.tree.node(node).anchor.as_ref().map(|a| a.range);
            let name = |range: TextRange| TextRange::new((range.start() + one).min(range.end()), range.end());
            let finding = decoding::alias_recursive(
                self.span_of(name(alias)),
                self.span_of(name(anchor.unwrap_or(self.tree.node(node).range))),
            );
            self.findings.push(finding);
            return None;
        }
        self.enter(node, |cx| T::decode(cx, node, head))
    }

    /// Whether `node` is a tag without a value of its own; it is reported. The reference then takes whatever node follows
    /// in the file, or null when nothing does (`language` 2.3).
    fn lone_tag(&mut self, node: NodeId, free: bool) -> bool {
        let at = self.tree.node(node);
        let Some(tag) = at.tag.as_ref().filter(|t| !t.text.starts_with("!!")) else {
            return false;
        };
        let alone = matches!(&at.kind, NodeKind::Scalar(s) if s.text.is_empty() && s.style == kitsoki_syntax::ScalarStyle::Plain);
        if !alone {
            return false;
        }
        let last = self.tree.ids().last().is_none_or(|id| id <= node);
        let next = (!last).then(|| {
            let mut after = self.tree.ids().skip(node.index() + 1);
            after.find(|id| self.tree.node(*id).range.start() > tag.range.end())
        });
        let next = next.flatten().map(|id| self.span(id));
        let text = tag.text.to_string();
        let finding = decoding::lone_tag(self.span_of(tag.range), &text, next, free);
        self.findings.push(finding);
        true
    }

    /// Counts a node; `false` when the file has grown too large through its aliases.
    fn spend(&mut self, node: NodeId) -> bool {
        match self.budget.checked_sub(1) {
            Some(left) => {
                self.budget = left;
                if left == 0 {
                    self.findings.push(decoding::alias_growth(self.span(node)));
                }
                left > 0
            }
            None => false,
        }
    }

    /// Runs `f` inside of `shape`.
    pub fn shaped<T>(&mut self, shape: Shape, f: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.shapes.push(shape);
        let value = f(self);
        self.shapes.pop();
        value
    }

    /// Whether `shape` is open.
    #[must_use]
    pub fn is_shaped(&self, shape: Shape) -> bool {
        self.shapes.contains(&shape)
    }

    /// Runs `f` inside of an element's body: unknown keys are warnings unless the view is a mapping.
    pub fn lenient<T>(&mut self, f: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.is_shaped(Shape::StrictView) {
            f(self)
        } else {
            self.shaped(Shape::ElementBody, f)
        }
    }

    /// Reports that `node` is not `expected` (a phrase with its article).
    pub fn wrong_kind(&mut self, node: NodeId, expected: &str) {
        self.wrong_kind_with(node, expected, |finding| finding);
    }

    /// The same with what `more` adds: what to do about it.
    fn wrong_kind_with(&mut self, node: NodeId, expected: &str, more: impl FnOnce(Diagnostic) -> Diagnostic) {
        if self.is_broken(node) {
            return;
        }
        let shape = self.shapes.last().copied();
        let under = self.under.as_ref().filter(|(value, _)| *value == node);
        let key = under.map(|(_, key)| key.as_str());
        let finding = decoding::wrong_kind(self.tree, self.file, node, expected, key, shape);
        self.findings.push(if finding.rule == decoding::WRONG_KIND.id {
            more(finding)
        } else {
            finding
        });
    }

    /// Says that `node`, which is about to be read, stands behind `key`.
    pub fn comes_under(&mut self, node: NodeId, key: &str) {
        self.under = Some((node, SmolStr::new(key)));
    }

    /// The entries of a mapping with fixed keys.
    pub fn fixed_mapping(&mut self, node: NodeId, kind: &str) -> Option<Vec<KeyEntry>> {
        if !matches!(self.tree.node(node).kind, NodeKind::Mapping(_)) {
            let (tree, file) = (self.tree, self.file);
            self.wrong_kind_with(node, &format!("a mapping ({kind})"), |finding| {
                decoding::wrap_lone(finding, tree, file, node, kind)
            });
            return None;
        }
        self.findings
            .extend(decoding::merge_conflicts(self.tree, self.file, node));
        self.merged_lists(node);
        let mut found = Vec::new();
        for entry in self.tree.entries(node) {
            let key = self.tree.resolve_alias(entry.key);
            let key_span = self.span(entry.key);
            let value = self.tree.resolve_alias(entry.value);
            match self.tree.value(key) {
                Resolved::Str(text) => {
                    found.push(KeyEntry {
                        key: SmolStr::new(text),
                        key_span,
                        value,
                        written: entry.value,
                    });
                }
                _ if self.is_broken(key) => {}
                _ => self.findings.push(decoding::non_string_key(key_span, kind)),
            }
        }
        Some(found)
    }

    /// Reports lists of merges: they are legal only where the author chose the keys. What cannot be merged at all is a fault
    /// of the tree.
    fn merged_lists(&mut self, node: NodeId) {
        let NodeKind::Mapping(entries) = &self.tree.node(node).kind else {
            return;
        };
        let tree = self.tree;
        let plain = kitsoki_syntax::ScalarStyle::Plain;
        let is_merge =
            |key: NodeId| matches!(&tree.node(key).kind, NodeKind::Scalar(s) if s.text == "<<" && s.style == plain);
        let is_mapping = |value: NodeId| matches!(tree.node(tree.resolve_alias(value)).kind, NodeKind::Mapping(_));
        for entry in entries.iter().filter(|e| is_merge(e.key)) {
            let value = tree.resolve_alias(entry.value);
            if matches!(&tree.node(value).kind, NodeKind::Sequence(items) if items.iter().all(|i| is_mapping(*i))) {
                self.wrong_kind(entry.value, "one mapping to merge");
            }
        }
    }

    /// The entries of a mapping whose keys the author chose; keys become text (`language` 2.6).
    pub fn named_mapping(&mut self, node: NodeId) -> Option<Vec<NamedEntry>> {
        if !matches!(self.tree.node(node).kind, NodeKind::Mapping(_)) {
            self.wrong_kind(node, "a mapping of names");
            return None;
        }
        self.findings
            .extend(decoding::merge_overwrites(self.tree, self.file, node));
        let mut found: Vec<NamedEntry> = Vec::new();
        let mut seen: rustc_hash::FxHashMap<SmolStr, (Span, NodeId)> = rustc_hash::FxHashMap::default();
        for entry in self.tree.entries(node) {
            let key = self.tree.resolve_alias(entry.key);
            let span = self.span(entry.key);
            if self.is_broken(key) {
                continue;
            }
            let Some(text) = self.scalar_text(key) else { continue };
            let value = self.tree.resolve_alias(entry.value);
            if let Some((first, earlier)) = seen.get(&text) {
                // Of keys that are written alike the reader of the file has spoken.
                if !written_alike(self.tree, *earlier, entry.key) {
                    self.findings.push(decoding::duplicate_name(span, *first, &text));
                }
                continue;
            }
            seen.insert(text.clone(), (span, entry.key));
            found.push(NamedEntry {
                name: Text::new(text, span),
                value,
                written: entry.value,
            });
        }
        Some(found)
    }

    /// The items of a list: as written, and behind aliases. `kind` is what an item is, when it has keys.
    pub fn sequence(&mut self, node: NodeId, kind: &str) -> Option<Vec<(NodeId, NodeId)>> {
        match &self.tree.node(node).kind {
            NodeKind::Sequence(items) => Some(items.iter().map(|i| (*i, self.tree.resolve_alias(*i))).collect()),
            _ => {
                let (tree, file) = (self.tree, self.file);
                self.wrong_kind_with(node, "a list", |finding| {
                    decoding::wrap_item(finding, tree, file, node, kind)
                });
                None
            }
        }
    }

    /// Reads the value of a key; `None` when it says nothing or its shape is wrong.
    pub fn field<T: Surface>(&mut self, entry: &KeyEntry) -> Option<Field<T>> {
        if self.is_broken(entry.value) {
            return None;
        }
        if self.lone_tag(entry.value, T::FREE) {
            return None;
        }
        let value = if self.is_null(entry.value) {
            let value = T::null(self.span(entry.value), entry.key_span);
            self.null_entry(entry.written, value.is_some());
            value?
        } else {
            self.comes_under(entry.value, &entry.key);
            self.value(entry.written, entry.value, entry.key_span)?
        };
        Some(Field::new(entry.key_span, value))
    }

    /// A null where something is due: a choice converts nothing, so that it must not stand there.
    pub fn null_entry(&mut self, node: NodeId, may_be_null: bool) {
        if !may_be_null && self.shapes.last() == Some(&Shape::Choice) {
            self.wrong_kind(node, "a mapping or list");
        }
    }

    /// Reports a key that this kind of declaration does not have. The key that was probably meant, when the story does not
    /// load because of this one: reading the value under that key says what else is wrong, and nobody is told that it is missing.
    pub fn unknown_key<'k>(
        &mut self,
        entry: &KeyEntry,
        kind: &str,
        keys: &[&'k str],
        written: &[KeyEntry],
    ) -> Option<&'k str> {
        let shape = self.shapes.last().copied();
        // A key that is there already is not the one that was meant.
        let free: Vec<&'k str> = keys
            .iter()
            .copied()
            .filter(|key| !written.iter().any(|w| w.key == *key))
            .collect();
        let finding = decoding::unknown_key(entry.key_span, &entry.key, kind, &free, keys.len(), shape);
        let ends = finding.rule == decoding::UNKNOWN_KEY.id;
        self.findings.push(finding);
        ends.then(|| decoding::meant_key(&entry.key, &free)).flatten()
    }

    /// Reads the value of `entry` as that of the key `meant` with `read`, which says whether it could be read. When it could not,
    /// the guess was wrong and nothing is said.
    pub fn read_as(&mut self, entry: &KeyEntry, meant: &str, read: impl FnOnce(&mut Self, &KeyEntry) -> bool) {
        let before = self.findings.len();
        let entry = KeyEntry {
            key: SmolStr::new(meant),
            ..*entry
        };
        if !read(self, &entry) {
            self.findings.truncate(before);
        }
    }

    /// The text of a scalar by the conversions of `language` 2.4, without a finding.
    #[must_use]
    pub fn scalar_text(&self, node: NodeId) -> Option<SmolStr> {
        self.tree.as_string(node).ok()
    }

    /// A text.
    pub fn text(&mut self, node: NodeId) -> Option<Text> {
        match self.tree.as_string(node) {
            Ok(text) => {
                let number = matches!(
                    self.tree.value(node),
                    Resolved::Int(_) | Resolved::Uint(_) | Resolved::Float(_)
                );
                if number && matches!(&self.tree.node(node).kind, NodeKind::Scalar(s) if s.text != text) {
                    self.findings
                        .push(decoding::number_becomes_text(self.tree, self.file, node, &text));
                }
                Some(Text::new(text, self.span(node)))
            }
            Err(_) => {
                self.wrong_kind(node, "a text");
                None
            }
        }
    }

    /// `true` or `false`.
    pub fn flag(&mut self, node: NodeId) -> Option<Flag> {
        match self.tree.as_bool(node) {
            Ok(value) => Some(Flag {
                value,
                span: self.span(node),
            }),
            Err(_) => {
                let (tree, span) = (self.tree, self.span(node));
                self.wrong_kind_with(node, "`true` or `false`", |finding| {
                    decoding::switch_word(finding, tree, span, node)
                });
                None
            }
        }
    }

    /// An integer.
    pub fn int(&mut self, node: NodeId) -> Option<Int> {
        match self.tree.as_int(node) {
            Ok(value) => {
                self.findings
                    .extend(decoding::number_truncated(self.tree, self.file, node, value));
                Some(Int {
                    value,
                    span: self.span(node),
                })
            }
            Err(_) => {
                self.findings.extend(decoding::not_an_int(self.tree, self.file, node));
                None
            }
        }
    }

    /// A number.
    pub fn float(&mut self, node: NodeId) -> Option<Float> {
        match self.tree.as_float(node) {
            Ok(value) => Some(Float {
                value,
                span: self.span(node),
            }),
            Err(_) => {
                self.wrong_kind(node, "a number");
                None
            }
        }
    }

    /// A free value. Aliases into an open node become null (`language` 2.2).
    pub fn any(&mut self, node: NodeId) -> Any {
        let node = self.tree.resolve_alias(node);
        let span = self.span(node);
        let kind = match &self.tree.node(node).kind {
            NodeKind::Scalar(_) => match self.tree.value(node) {
                Resolved::Null => AnyKind::Null,
                Resolved::Bool(b) => AnyKind::Bool(b),
                Resolved::Int(n) => AnyKind::Int(n),
                Resolved::Uint(n) => AnyKind::Uint(n),
                Resolved::Float(x) => AnyKind::Float(x),
                _ => AnyKind::Text(Text::new(self.scalar_text(node).unwrap_or_default(), span)),
            },
            NodeKind::Sequence(items) => {
                let items = items.clone();
                AnyKind::List(items.into_iter().map(|i| self.any_inside(i)).collect())
            }
            NodeKind::Mapping(_) => {
                let mut entries: Vec<AnyEntry> = Vec::new();
                let mut places: rustc_hash::FxHashMap<SmolStr, usize> = rustc_hash::FxHashMap::default();
                for entry in self.tree.entries(node) {
                    let key = self.tree.resolve_alias(entry.key);
                    let name = if self.is_null(key) {
                        SmolStr::new("null")
                    } else {
                        self.scalar_text(key).unwrap_or_default()
                    };
                    let name = Text::new(name, self.span(entry.key));
                    let value = self.any_inside(entry.value);
                    // Keys that become the same text: the later value wins, silently in the reference.
                    match places.get(&name.text).and_then(|i| entries.get_mut(*i)) {
                        Some(old) => old.value = value,
                        None => {
                            places.insert(name.text.clone(), entries.len());
                            entries.push(AnyEntry { name, value });
                        }
                    }
                }
                AnyKind::Map(entries.into())
            }
            NodeKind::Alias(_) | NodeKind::Error => AnyKind::Null,
        };
        Any { kind, span }
    }

    fn any_inside(&mut self, node: NodeId) -> Any {
        let target = self.tree.resolve_alias(node);
        if self.lone_tag(target, true) {
            return Any {
                kind: AnyKind::Null,
                span: self.span(node),
            };
        }
        if self.open.contains(&target) || !self.spend(target) {
            return Any {
                kind: AnyKind::Null,
                span: self.span(node),
            };
        }
        self.open.push(target);
        let value = self.any(target);
        self.open.pop();
        value
    }
}

/// A file's declarations and what is wrong with their shapes.
#[derive(Clone, PartialEq, Debug)]
pub struct Decoded {
    /// `None` when the file is no mapping.
    pub manifest: Option<Shared<Manifest>>,
    /// Findings in the order of the file.
    pub findings: Shared<[Diagnostic]>,
    /// What may be missing because of syntax errors.
    pub incomplete: Incomplete,
}

impl Decoded {
    /// What may be missing of the file's declarations.
    pub(crate) fn missing(&self) -> Incomplete {
        if self.manifest.is_none() {
            return Incomplete::all();
        }
        self.incomplete.clone()
    }
}

/// Whether two keys are the same text, quoted or not: YAML itself takes them for one.
fn written_alike(tree: &Tree, a: NodeId, b: NodeId) -> bool {
    match (&tree.node(a).kind, &tree.node(b).kind) {
        (NodeKind::Scalar(a), NodeKind::Scalar(b)) => a.text == b.text,
        _ => false,
    }
}
