//! A walk over a tree with the table of the language in hand: every key and every text with what it means at its place.
//!
//! The walk needs no declarations: it works on the tree of a file that cannot be read as a story yet, and on a piece of a
//! large one.

use kitsoki_syntax::{Entry, NodeId, NodeKind, Tree};
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use super::schema::{Decl, Keys, Kind, Role, Sem, Ty};
use super::{fixtures, language};

/// A room around a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoomScope {
    /// Its dotted path.
    pub path: SmolStr,
    /// The intents that it declares itself.
    pub intents: FxHashSet<SmolStr>,
}

/// An intent as a place names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntentRef {
    /// Its name.
    pub name: SmolStr,
    /// The room that declares it; empty for one of the story.
    pub owner: SmolStr,
}

impl IntentRef {
    /// What its slots are stored under.
    #[must_use]
    pub fn key(&self) -> SmolStr {
        if self.owner.is_empty() {
            self.name.clone()
        } else {
            format_smolstr!("{}/{}", self.owner, self.name)
        }
    }
}

/// What stands around a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// The rooms, outermost first.
    pub rooms: Vec<RoomScope>,
    /// The intent of the arc, choice or emission.
    pub intent: Option<IntentRef>,
    /// The verb of the effect.
    pub verb: Option<SmolStr>,
    /// The import that is declared here.
    pub alias: Option<SmolStr>,
    /// The alias of the imported story in whose names this is written: inside of `overrides`.
    pub inside: Option<SmolStr>,
    /// The phase template that is declared here.
    pub template: Option<SmolStr>,
    /// The key that holds the value at hand.
    pub key: SmolStr,
}

impl Scope {
    /// The dotted path of the room around; empty outside of rooms.
    #[must_use]
    pub fn room(&self) -> &str {
        self.rooms.last().map_or("", |r| r.path.as_str())
    }

    /// The intent that a name means here.
    #[must_use]
    pub fn intent_of(&self, name: &str) -> IntentRef {
        let owner = self.rooms.iter().rev().find(|r| r.intents.contains(name));
        IntentRef {
            name: SmolStr::new(name),
            owner: owner.map(|r| r.path.clone()).unwrap_or_default(),
        }
    }
}

/// Whose key a key is.
#[derive(Clone, Copy, Debug)]
pub enum KeyOf {
    /// Of a declaration with fixed keys.
    Fixed(&'static Decl),
    /// Of a mapping with the author's keys.
    Chosen(Keys),
}

/// Who wants to see a tree.
pub trait Visitor {
    /// Whether what lies inside of a node is of interest.
    fn enter(&mut self, node: NodeId) -> bool {
        let _ = node;
        true
    }

    /// A key with its value.
    fn key(&mut self, entry: Entry, of: KeyOf, scope: &Scope);

    /// A scalar.
    fn scalar(&mut self, node: NodeId, ty: &Ty, scope: &Scope);

    /// A value of any form, before what lies inside.
    fn value(&mut self, node: NodeId, ty: &Ty, scope: &Scope) {
        let _ = (node, ty, scope);
    }
}

/// Walks a node.
pub fn walk(tree: &Tree, node: NodeId, ty: &'static Ty, scope: &mut Scope, visitor: &mut dyn Visitor) {
    if !visitor.enter(node) {
        return;
    }
    visitor.value(node, ty, scope);
    let kind = &tree.node(node).kind;
    match (ty, kind) {
        // What an alias stands for is seen where it is written.
        (_, NodeKind::Alias(_) | NodeKind::Error) => {}
        (Ty::Form(form), _) => {
            let part = match kind {
                NodeKind::Scalar(_) => &form.scalar,
                NodeKind::Sequence(_) => &form.list,
                _ => &form.map,
            };
            if let Some(part) = part {
                walk(tree, node, part, scope, visitor);
            }
        }
        (Ty::Decl(decl), NodeKind::Mapping(entries)) => declaration(tree, decl, entries, scope, visitor),
        (Ty::List(item), NodeKind::Sequence(items)) => {
            for node in items {
                walk(tree, *node, item, scope, visitor);
            }
        }
        // One item may be written without its dash while it is typed.
        (Ty::List(item), _) => walk(tree, node, item, scope, visitor),
        (Ty::Map(keys, value), NodeKind::Mapping(entries)) => {
            mapping(tree, *keys, value, entries, scope, visitor);
        }
        (Ty::Any(_), NodeKind::Mapping(entries)) => {
            for entry in entries {
                visitor.key(*entry, KeyOf::Chosen(Keys::Free), scope);
                walk(tree, entry.value, ty, scope, visitor);
            }
        }
        (Ty::Any(_), NodeKind::Sequence(items)) => {
            for node in items {
                walk(tree, *node, ty, scope, visitor);
            }
        }
        (_, NodeKind::Scalar(_)) => visitor.scalar(node, ty, scope),
        _ => {}
    }
}

/// The text of a key.
#[must_use]
pub fn key_text(tree: &Tree, entry: Entry) -> Option<&SmolStr> {
    scalar(tree, entry.key)
}

/// The text of a scalar.
#[must_use]
pub fn scalar(tree: &Tree, node: NodeId) -> Option<&SmolStr> {
    match &tree.node(node).kind {
        NodeKind::Scalar(s) => Some(&s.text),
        _ => None,
    }
}

fn value_of(tree: &Tree, entries: &[Entry], key: &str) -> Option<NodeId> {
    let found = entries.iter().find(|e| key_text(tree, **e).is_some_and(|k| k == key));
    found.map(|e| e.value)
}

fn text_of(tree: &Tree, entries: &[Entry], key: &str) -> Option<SmolStr> {
    scalar(tree, value_of(tree, entries, key)?).cloned()
}

fn declaration(tree: &Tree, decl: &'static Decl, entries: &[Entry], scope: &mut Scope, visitor: &mut dyn Visitor) {
    let saved = enter_declaration(tree, decl, entries, scope);
    for entry in entries {
        let Some(key) = key_text(tree, *entry) else { continue };
        visitor.key(*entry, KeyOf::Fixed(decl), scope);
        let before = std::mem::replace(&mut scope.key, key.clone());
        match decl.key(key) {
            Some(ty) => walk(tree, entry.value, ty, scope, visitor),
            // Parameters of a phase are free.
            None if decl.is(&language::PHASE) => walk(tree, entry.value, &FREE, scope, visitor),
            None => {}
        }
        scope.key = before;
    }
    saved.restore(scope);
}

static FREE: Ty = Ty::Any(Sem::Free);
static CALL_ARGUMENT: Ty = Ty::Any(Sem::Name(Kind::Call, Role::Call));
static AGENT_ARGUMENT: Ty = Ty::Any(Sem::Name(Kind::Agent, Role::Read));
static SCRIPT_ARGUMENT: Ty = Ty::Any(Sem::Path(super::schema::Files::Script));
static SCHEMA_ARGUMENT: Ty = Ty::Any(Sem::Path(super::schema::Files::Schema));
static PROMPT_ARGUMENT: Ty = Ty::Any(Sem::Path(super::schema::Files::Prompt));

/// What an argument of a verb is, where it is more than a value.
#[must_use]
pub fn argument(verb: Option<&str>, argument: &str) -> Option<&'static Ty> {
    let verb = verb.unwrap_or_default();
    let agent = verb.starts_with("host.agent.");
    Some(match argument {
        "agent" if agent || verb.is_empty() => &AGENT_ARGUMENT,
        "schema" if agent => &SCHEMA_ARGUMENT,
        "prompt_path" if agent => &PROMPT_ARGUMENT,
        "script" if verb == "host.starlark.run" => &SCRIPT_ARGUMENT,
        _ => return None,
    })
}

/// What an argument is where it is written, or where a run wrote it down.
#[must_use]
pub fn argument_of(keys: Keys, verb: Option<&str>, name: &str) -> Option<&'static Ty> {
    match (keys, name) {
        (Keys::Recorded, "call") => Some(&CALL_ARGUMENT),
        _ => argument(verb, name),
    }
}

/// What a declaration changed of the scope.
struct Saved {
    intent: Option<IntentRef>,
    verb: Option<SmolStr>,
}

impl Saved {
    fn restore(self, scope: &mut Scope) {
        scope.intent = self.intent;
        scope.verb = self.verb;
    }
}

/// Sets what a declaration says about everything inside of it.
fn enter_declaration(tree: &Tree, decl: &'static Decl, entries: &[Entry], scope: &mut Scope) -> Saved {
    let saved = Saved {
        intent: scope.intent.clone(),
        verb: scope.verb.clone(),
    };
    if decl.is(&language::EFFECT) || decl.is(&language::EXECUTE) {
        scope.verb = text_of(tree, entries, "invoke");
        if let Some(intent) = text_of(tree, entries, "emit_intent") {
            scope.intent = Some(scope.intent_of(&intent));
        }
    }
    let names_intent = [
        &language::CHOICE,
        &language::CHOICE_ITEM,
        &language::PREREQUISITE_ACTION,
    ];
    if names_intent.iter().any(|d| decl.is(d))
        && let Some(intent) = text_of(tree, entries, "intent")
    {
        scope.intent = Some(scope.intent_of(&intent));
    }
    if decl.is(&fixtures::NAMED_INTENT)
        && let Some(intent) = text_of(tree, entries, "name")
    {
        scope.intent = Some(scope.intent_of(&intent));
    }
    // What a turn expects is about the intent that it submits.
    if (decl.is(&fixtures::TURN) || decl.is(&fixtures::PHRASES))
        && let Some(intent) = value_of(tree, entries, "intent")
        && let NodeKind::Mapping(inner) = &tree.node(intent).kind
        && let Some(name) = text_of(tree, inner, "name")
    {
        scope.intent = Some(scope.intent_of(&name));
    }
    if decl.is(&fixtures::HOST_CALL) {
        scope.verb = text_of(tree, entries, "handler");
    }
    if decl.is(&fixtures::STUB) {
        scope.verb = Some(scope.key.clone());
    }
    saved
}

fn mapping(
    tree: &Tree,
    keys: Keys,
    value: &'static Ty,
    entries: &[Entry],
    scope: &mut Scope,
    visitor: &mut dyn Visitor,
) {
    for entry in entries {
        let Some(key) = key_text(tree, *entry) else { continue };
        if key == "<<" {
            continue;
        }
        visitor.key(*entry, KeyOf::Chosen(keys), scope);
        let before = std::mem::replace(&mut scope.key, key.clone());
        let mut value = value;
        match keys {
            Keys::Define(Kind::State) | Keys::ImportedStates => {
                let inside = scope.inside.clone();
                if keys == Keys::ImportedStates {
                    scope.inside = scope.alias.clone();
                }
                push_room(tree, scope, key, entry.value);
                walk(tree, entry.value, value, scope, visitor);
                scope.rooms.pop();
                scope.inside = inside;
                scope.key = before;
                continue;
            }
            Keys::Define(Kind::Intent) | Keys::Use(Kind::Intent, _) => {
                let intent = std::mem::take(&mut scope.intent);
                scope.intent = Some(scope.intent_of(key));
                walk(tree, entry.value, value, scope, visitor);
                scope.intent = intent;
                scope.key = before;
                continue;
            }
            Keys::Define(Kind::Import) => {
                let alias = scope.alias.replace(key.clone());
                walk(tree, entry.value, value, scope, visitor);
                scope.alias = alias;
                scope.key = before;
                continue;
            }
            Keys::Define(Kind::Template) => {
                let template = scope.template.replace(key.clone());
                walk(tree, entry.value, value, scope, visitor);
                scope.template = template;
                scope.key = before;
                continue;
            }
            Keys::Arguments | Keys::Recorded => {
                if let Some(ty) = argument_of(keys, scope.verb.as_deref(), key) {
                    value = ty;
                }
            }
            _ => {}
        }
        walk(tree, entry.value, value, scope, visitor);
        scope.key = before;
    }
}

fn push_room(tree: &Tree, scope: &mut Scope, name: &str, body: NodeId) {
    let path = match scope.room() {
        "" => SmolStr::new(name),
        around => format_smolstr!("{around}.{name}"),
    };
    let mut intents = FxHashSet::default();
    if let NodeKind::Mapping(entries) = &tree.node(body).kind
        && let Some(own) = value_of(tree, entries, "intents")
        && let NodeKind::Mapping(entries) = &tree.node(own).kind
    {
        intents.extend(entries.iter().filter_map(|e| key_text(tree, *e)).cloned());
    }
    scope.rooms.push(RoomScope { path, intents });
}
