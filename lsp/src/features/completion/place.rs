//! From the keys around a cursor to what may stand there.

use kitsoki_compiler::db::SourceFile;
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use super::super::Snapshot;
use super::super::context::{Context, Step};
use crate::index::form::{Form, root};
use crate::index::resolve::package_names;
use crate::index::schema::{Decl, Keys, Kind, Ty};
use crate::index::walk::{RoomScope, Scope, argument_of};
use crate::index::{fixtures, language};

/// What may stand at a cursor, and what stands around it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The type; `None` where nothing is known.
    pub(crate) ty: Option<&'static Ty>,
    /// The scope, as the walk over the tree would have it.
    pub(crate) scope: Scope,
}

/// Follows the steps of a context through the table.
pub(crate) fn of(snapshot: &Snapshot, package: Option<SourceFile>, form: Form, context: &Context) -> Place {
    let mut scope = Scope::default();
    let mut ty: Option<&'static Ty> = Some(root(form));
    for step in &context.path {
        let Some(now) = ty else { break };
        ty = follow(snapshot, package, now, step, &mut scope);
    }
    // What the last declaration says about the key that is typed in it.
    if let Some(Ty::Decl(decl)) = ty
        && let super::super::context::Typing::Key { siblings, .. } = &context.typing
    {
        declared(decl, siblings, &mut scope);
    }
    Place { ty, scope }
}

fn follow(
    snapshot: &Snapshot,
    package: Option<SourceFile>,
    ty: &'static Ty,
    step: &Step,
    scope: &mut Scope,
) -> Option<&'static Ty> {
    match (ty, &step.key) {
        (Ty::Form(form), None) => follow(snapshot, package, form.list.as_ref()?, step, scope),
        (Ty::Form(form), Some(_)) => follow(snapshot, package, form.map.as_ref()?, step, scope),
        (Ty::List(item), None) => Some(item),
        // A declaration that stands where a list is meant.
        (Ty::List(item), Some(_)) => follow(snapshot, package, item, step, scope),
        (Ty::Any(_), _) => Some(ty),
        (Ty::Decl(decl), Some(key)) => {
            declared(decl, &step.siblings, scope);
            scope.key = key.clone();
            decl.key(key)
        }
        (Ty::Map(keys, value), Some(key)) => {
            scope.key = key.clone();
            match keys {
                Keys::Define(Kind::State) | Keys::ImportedStates => {
                    if *keys == Keys::ImportedStates {
                        scope.inside = scope.alias.clone();
                    }
                    let path = match scope.room() {
                        "" => key.clone(),
                        around => format_smolstr!("{around}.{key}"),
                    };
                    let intents = local_intents(snapshot, package, &path);
                    scope.rooms.push(RoomScope { path, intents });
                }
                Keys::Define(Kind::Intent) | Keys::Use(Kind::Intent, _) => {
                    scope.intent = Some(scope.intent_of(key));
                }
                Keys::Define(Kind::Import) => scope.alias = Some(key.clone()),
                Keys::Define(Kind::Template) => scope.template = Some(key.clone()),
                Keys::Arguments | Keys::Recorded => {
                    if let Some(ty) = argument_of(*keys, scope.verb.as_deref(), key) {
                        return Some(ty);
                    }
                }
                _ => {}
            }
            Some(value)
        }
        _ => None,
    }
}

fn local_intents(snapshot: &Snapshot, package: Option<SourceFile>, room: &str) -> FxHashSet<SmolStr> {
    let Some(package) = package else {
        return FxHashSet::default();
    };
    package_names(&snapshot.db, package)
        .of_kind(Kind::Intent)
        .filter(|(_, owner, _)| owner.as_str() == room && !room.is_empty())
        .map(|(name, _, _)| name.clone())
        .collect()
}

/// What the keys of a declaration say about everything inside of it.
fn declared(decl: &'static Decl, siblings: &[(SmolStr, String)], scope: &mut Scope) {
    let text = |key: &str| {
        let found = siblings.iter().find(|(k, _)| k == key)?;
        let value = found.1.split(" #").next().unwrap_or_default().trim();
        let value = value.trim_matches(['"', '\'']);
        (!value.is_empty()).then(|| SmolStr::new(value))
    };
    if decl.is(&language::EFFECT) || decl.is(&language::EXECUTE) {
        scope.verb = text("invoke");
        if let Some(intent) = text("emit_intent") {
            scope.intent = Some(scope.intent_of(&intent));
        }
    }
    let named = [
        &language::CHOICE,
        &language::CHOICE_ITEM,
        &language::PREREQUISITE_ACTION,
    ];
    if named.iter().any(|d| decl.is(d))
        && let Some(intent) = text("intent")
    {
        scope.intent = Some(scope.intent_of(&intent));
    }
    if decl.is(&fixtures::HOST_CALL) {
        scope.verb = text("handler");
    }
    if decl.is(&fixtures::NAMED_INTENT)
        && let Some(intent) = text("name")
    {
        scope.intent = Some(scope.intent_of(&intent));
    }
}
