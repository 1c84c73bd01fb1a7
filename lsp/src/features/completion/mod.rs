//! What may stand at the cursor: keys by place, names, words of expressions, files.
//!
//! The place is found in the text alone ([`super::context`]), its meaning in the table of the language; names come from the
//! declarations of the package and of what it imports.

mod expression;
pub(crate) mod place;
mod values;

use kitsoki_compiler::db::SourceFile;
use kitsoki_syntax::{TextRange, TextSize};
use smol_str::SmolStr;

use super::context::{Typing, context};
use super::{At, Snapshot};
use crate::index::form::{Form, form};
use crate::index::resolve::Symbol;
use crate::index::schema::{Decl, Keys, Kind, Sem, Ty};

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// A key of a declaration.
    Key,
    /// A name.
    Name(Kind),
    /// A word of a fixed vocabulary.
    Word,
    /// A function or helper.
    Function,
    /// A filter.
    Filter,
    /// A tag.
    Tag,
    /// A root or a member of a value.
    Member,
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// One thing that may stand at the cursor.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// What is shown and matched.
    pub label: String,
    /// What it is.
    pub kind: ItemKind,
    /// A short word beside it.
    pub detail: String,
    /// A sentence, when it costs nothing to know.
    pub doc: Option<String>,
    /// What is written.
    pub insert: String,
    /// What is replaced, in the whole file.
    pub range: TextRange,
    /// The declaration to ask about it.
    pub symbol: Option<Symbol>,
    /// Items of a lower rank come first.
    pub rank: u8,
}

/// What is needed to find items.
pub(crate) struct Cx<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) file: SourceFile,
    /// The package in whose names the file is written.
    pub(crate) package: Option<SourceFile>,
    pub(crate) place: place::Place,
    pub(crate) range: TextRange,
    pub(crate) out: Vec<Item>,
}

/// The items for a place.
#[must_use]
pub fn completion(snapshot: &Snapshot, at: At) -> Vec<Item> {
    let db = &snapshot.db;
    let text = snapshot.text(at.file);
    let path = at.file.path(db);
    if !(path.as_str().ends_with(".yaml") || path.as_str().ends_with(".yml")) {
        return Vec::new();
    }
    let packages = super::symbol_at::packages(snapshot, at.file);
    if packages.is_empty() && form(db, at.file) == Form::Story && !kitsoki_compiler::looks_like_story(&text) {
        return Vec::new();
    }
    let found = context(&text, at.offset.into());
    let package = packages.first().copied();
    let place = place::of(snapshot, package, form(db, at.file), &found);
    let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
    let range = TextRange::new(size(found.start), size(found.end.max(found.start)));
    let mut cx = Cx {
        snapshot,
        file: at.file,
        package,
        place,
        range,
        out: Vec::new(),
    };
    let Some(ty) = cx.place.ty else { return Vec::new() };
    match found.typing {
        Typing::Key {
            column,
            siblings,
            flow,
            item,
            colon,
        } => {
            let names: Vec<SmolStr> = siblings.into_iter().map(|(name, _)| name).collect();
            let shape = KeyShape {
                column,
                flow,
                item,
                colon,
            };
            cx.keys(ty, &names, shape);
        }
        Typing::Value {
            text: typed,
            quote,
            flow,
        } => {
            let value_start = at.offset - size(typed.len().min(at.offset.into()));
            cx.values(ty, &typed, quote, flow, value_start);
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    cx.out.retain(|i| seen.insert((i.label.clone(), i.insert.clone())));
    cx.out
}

/// How a key would be written.
#[derive(Clone, Copy)]
struct KeyShape {
    column: usize,
    flow: bool,
    item: bool,
    colon: bool,
}

impl Cx<'_> {
    fn push(&mut self, label: impl Into<String>, kind: ItemKind, detail: &str, doc: Option<&str>) {
        let label = label.into();
        self.out.push(Item {
            insert: label.clone(),
            label,
            kind,
            detail: detail.to_owned(),
            doc: doc.map(str::to_owned),
            range: self.range,
            symbol: None,
            rank: 5,
        });
    }

    /// Keys, or items of a list that begin here.
    fn keys(&mut self, ty: &'static Ty, siblings: &[SmolStr], shape: KeyShape) {
        match ty {
            Ty::Decl(decl) => self.declaration(decl, siblings, shape),
            Ty::Form(form) => {
                if let Some(map) = &form.map {
                    self.keys(map, siblings, shape);
                }
                if shape.item || siblings.is_empty() {
                    if let Some(list @ Ty::List(_)) = &form.list {
                        self.keys(list, siblings, shape);
                    }
                    if let (Some(scalar), true) = (&form.scalar, shape.item) {
                        self.values(scalar, "", None, shape.flow, self.range.start());
                    }
                }
            }
            Ty::List(item) if !shape.item && !shape.flow => {
                // Below a key that holds a list: an item begins with its dash.
                let before = self.out.len();
                self.keys(
                    item,
                    siblings,
                    KeyShape {
                        column: shape.column + 2,
                        item: true,
                        ..shape
                    },
                );
                for new in self.out.iter_mut().skip(before) {
                    new.insert = format!("- {}", new.insert);
                }
            }
            Ty::List(item) => self.keys(item, siblings, shape),
            Ty::Map(keys, value) => self.chosen(*keys, value, siblings, shape),
            Ty::Text(_) | Ty::Flag | Ty::Number | Ty::Any(_) => {
                if shape.item {
                    self.values(ty, "", None, shape.flow, self.range.start());
                }
            }
        }
    }

    fn declaration(&mut self, decl: &'static Decl, siblings: &[SmolStr], shape: KeyShape) {
        // A view's element has one kind.
        let element = decl.is(&crate::index::language::ELEMENT);
        let has_kind = element && siblings.iter().any(|s| s != "when");
        for (key, ty) in decl.keys {
            if siblings.iter().any(|s| s == key) || (has_kind && *key != "when") {
                continue;
            }
            let insert = key_text(key, ty, shape);
            self.out.push(Item {
                label: (*key).to_owned(),
                kind: ItemKind::Key,
                detail: shape_of(ty).to_owned(),
                doc: decl.doc(key).map(str::to_owned),
                insert,
                range: self.range,
                symbol: None,
                rank: 3,
            });
        }
    }

    /// Keys that name what is declared elsewhere.
    fn chosen(&mut self, keys: Keys, value: &'static Ty, siblings: &[SmolStr], shape: KeyShape) {
        let before = self.out.len();
        match keys {
            Keys::Free | Keys::Define(_) | Keys::DefineSlots => {}
            Keys::Use(Kind::Host, _) => self.verbs(false),
            Keys::Use(kind, _) => self.names(kind),
            Keys::Slots => self.names(Kind::Slot),
            Keys::Arguments | Keys::Recorded => self.arguments(),
            Keys::ImportedWorld => self.imported(Kind::World),
            Keys::ImportedExits => self.imported(Kind::Exit),
            Keys::ImportedStates => self.imported(Kind::State),
            Keys::ImportedIntents => self.imported(Kind::Intent),
            Keys::ImportedInterfaces => self.imported(Kind::Interface),
        }
        let mut at = before;
        while let Some(item) = self.out.get_mut(at) {
            if siblings.iter().any(|s| *s == item.label) {
                self.out.remove(at);
            } else {
                item.insert = key_text(&item.label, value, shape);
                at += 1;
            }
        }
    }

    /// Values of a type; `typed` is what stands before the cursor.
    fn values(&mut self, ty: &'static Ty, typed: &str, quote: Option<char>, flow: bool, start: TextSize) {
        match ty {
            Ty::Flag => {
                for word in ["true", "false"] {
                    self.push(word, ItemKind::Word, "", None);
                }
            }
            Ty::Form(form) => {
                for part in [&form.scalar, &form.map].into_iter().flatten() {
                    if matches!(part, Ty::Decl(_)) && !flow {
                        continue;
                    }
                    self.values(part, typed, quote, flow, start);
                }
            }
            // One item, where a list is written in brackets.
            Ty::List(item) if flow => self.values(item, typed, quote, flow, start),
            Ty::Text(sem) | Ty::Any(sem) => self.meaning(*sem, typed, quote, start),
            Ty::List(_) | Ty::Decl(_) | Ty::Map(..) | Ty::Number => {}
        }
    }

    fn meaning(&mut self, sem: Sem, typed: &str, quote: Option<char>, start: TextSize) {
        match sem {
            Sem::Expr => self.expression(typed, expression::Language::Expr),
            Sem::Value | Sem::Bind => self.expression(typed, expression::Language::Value),
            Sem::View => self.expression(typed, expression::Language::View),
            _ if typed.contains("{{") => self.expression(typed, expression::Language::Value),
            _ => self.word_values(sem, typed, quote, start),
        }
    }
}

/// What is written for a key: with its colon, and with the line below where a block follows.
fn key_text(key: &str, ty: &Ty, shape: KeyShape) -> String {
    if shape.colon {
        return key.to_owned();
    }
    if shape.flow {
        return format!("{key}: ");
    }
    let inner = " ".repeat(shape.column + 2);
    match ty {
        Ty::Decl(_) | Ty::Map(..) => format!("{key}:\n{inner}"),
        Ty::List(_) => format!("{key}:\n{inner}- "),
        Ty::Text(_) | Ty::Flag | Ty::Number | Ty::Any(_) | Ty::Form(_) => format!("{key}: "),
    }
}

/// A word for what stands behind a key.
fn shape_of(ty: &Ty) -> &'static str {
    match ty {
        Ty::Decl(decl) => decl.kind,
        Ty::List(_) => "a list",
        Ty::Map(..) => "a mapping",
        Ty::Flag => "true or false",
        Ty::Number => "a number",
        Ty::Text(Sem::Words(_)) => "a word",
        Ty::Text(Sem::Name(kind, _)) => kind.word(),
        Ty::Text(Sem::Target) => "a room",
        Ty::Text(Sem::Expr) => "an expression",
        Ty::Text(Sem::View | Sem::Value) => "a template",
        Ty::Text(Sem::Verb) => "a host verb",
        Ty::Text(Sem::Path(_)) => "a path",
        Ty::Text(Sem::Duration) => "a duration",
        Ty::Text(_) => "a text",
        Ty::Any(_) | Ty::Form(_) => "a value",
    }
}
