//! `iface.<name>.<op>` becomes the verb of the bound handler (`imports` 9.4).
//!
//! The last dot separates the operation. Lists under `effects:` are left alone, as the reference leaves them: they never
//! run.

use kitsoki_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

use super::InterfaceOverrides;
use super::expansion::Expansion;
use super::make::{Make, list_in};
use super::rooms;
use crate::rules::macros as rules;
use crate::surface::{Effect, Made, Room, Text};

const PREFIX: &str = "iface.";

/// Replaces default handlers by those of the caller; unknown names are ignored.
pub(super) fn rebind(cx: &mut Expansion<'_>, overrides: &InterfaceOverrides) {
    let Some(interfaces) = &mut cx.story.manifest.host_interfaces else {
        return;
    };
    for entry in &mut interfaces.value.entries {
        if let Some(handler) = overrides.get(&entry.name.text).filter(|_| !entry.null) {
            let make = Make {
                made: Made::Builtin,
                site: entry.name.span,
            };
            entry.value.default = make.text_field(handler.clone());
        }
    }
}

/// What a call needs of an interface.
struct Interface {
    /// `None` when the missing handler has been reported: its calls are fine otherwise.
    handler: Option<SmolStr>,
    operations: FxHashSet<SmolStr>,
}

/// Resolves every call and adds the verbs to the allow-list.
pub(super) fn resolve(cx: &mut Expansion<'_>) {
    let table = table(cx);
    let calling: Vec<_> = rooms::walk(&cx.story.manifest)
        .into_iter()
        .filter(|at| rooms::entry(&cx.story.manifest, at).is_some_and(|e| calls(&e.value)))
        .collect();
    let mut verbs: Vec<(SmolStr, Span)> = Vec::new();
    let mut broken: Vec<Text> = Vec::new();
    for at in calling {
        let Some(room) = rooms::room_mut(&mut cx.story.manifest, &at) else {
            continue;
        };
        each_effect(room, &mut |effect| {
            let Some(invoke) = effect.invoke.as_mut().filter(|i| i.text.starts_with(PREFIX)) else {
                return;
            };
            match split(&invoke.text).and_then(|(name, op)| Some((table.get(name)?, op))) {
                Some((interface, op)) if interface.operations.contains(op) => {
                    let Some(handler) = &interface.handler else { return };
                    let verb = format_smolstr!("{handler}.{op}");
                    verbs.push((verb.clone(), invoke.value.span));
                    let whole = 0..invoke.value.text.len() - op.len() - 1;
                    invoke.value = invoke.value.replaced(&[(whole, handler.to_string())]);
                }
                _ => broken.push(invoke.value.clone()),
            }
        });
    }
    report(cx, &table, broken);
    allow(cx, verbs);
}

/// Name and operation of a call; `None` when there is no name or no operation.
fn split(invoke: &str) -> Option<(&str, &str)> {
    let (name, op) = invoke.strip_prefix(PREFIX)?.rsplit_once('.')?;
    (!name.is_empty()).then_some((name, op))
}

fn table(cx: &mut Expansion<'_>) -> FxHashMap<SmolStr, Interface> {
    let mut table = FxHashMap::default();
    let mut findings = Vec::new();
    for entry in cx.story.manifest.host_interfaces.iter().flat_map(|i| i.entries.iter()) {
        if entry.null {
            findings.push(rules::iface_null(cx.inside(&entry.name), &cx.spelling(&entry.name)));
            continue;
        }
        let handler = entry
            .value
            .default
            .as_ref()
            .map(|d| d.text.clone())
            .filter(|d| !d.is_empty());
        if handler.is_none() {
            findings.push(rules::iface_no_default(
                cx.inside(&entry.name),
                &cx.spelling(&entry.name),
            ));
        }
        let operations = entry.value.operations.iter().flat_map(|o| o.entries.iter());
        let operations = operations.map(|o| o.name.text.clone()).collect();
        table.insert(entry.name.text.clone(), Interface { handler, operations });
    }
    findings.into_iter().for_each(|f| cx.report(f));
    table
}

/// Whether a room has a call to resolve: only then it is copied.
fn calls(room: &Room) -> bool {
    let lists = room.on_enter.iter().map(|e| &e.value);
    let arcs = room
        .on
        .iter()
        .flat_map(|on| on.entries.iter())
        .flat_map(|e| e.value.items.iter());
    let mut stack: Vec<&Effect> = lists
        .chain(arcs.filter_map(|a| a.effects.as_ref()).map(|e| &e.value))
        .flat_map(|l| l.items.iter())
        .collect();
    while let Some(effect) = stack.pop() {
        if effect.invoke.as_ref().is_some_and(|i| i.text.starts_with(PREFIX)) {
            return true;
        }
        stack.extend(effect.on_complete.iter().flat_map(|e| e.value.items.iter()));
    }
    false
}

/// Every effect of `on_enter` and of arcs, with those that run when a job ends.
fn each_effect(room: &mut Room, f: &mut impl FnMut(&mut Effect)) {
    let mut stack: Vec<&mut Effect> = Vec::new();
    for entry in room.on.iter_mut().flat_map(|on| on.value.entries.iter_mut()).rev() {
        for arc in std::sync::Arc::make_mut(&mut entry.value).items.iter_mut().rev() {
            stack.extend(arc.effects.iter_mut().flat_map(|e| e.value.items.iter_mut()).rev());
        }
    }
    stack.extend(room.on_enter.iter_mut().flat_map(|e| e.value.items.iter_mut()).rev());
    while let Some(effect) = stack.pop() {
        f(effect);
        stack.extend(
            effect
                .on_complete
                .iter_mut()
                .flat_map(|e| e.value.items.iter_mut())
                .rev(),
        );
    }
}

/// One finding for each missing name, whatever the number of its calls.
fn report(cx: &mut Expansion<'_>, table: &FxHashMap<SmolStr, Interface>, broken: Vec<Text>) {
    let mut by_name: indexmap::IndexMap<SmolStr, Vec<Text>> = indexmap::IndexMap::new();
    for invoke in broken {
        by_name.entry(invoke.text.clone()).or_default().push(invoke);
    }
    let mut findings = Vec::new();
    for invokes in by_name.values() {
        let Some((first, more)) = invokes.split_first() else {
            continue;
        };
        let Some((name, op)) = split(&first.text) else {
            findings.push(rules::iface_shape(cx.inside(first), &first.text));
            continue;
        };
        let end = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (from, to) = (end(PREFIX.len()), end(PREFIX.len() + name.len()));
        let interfaces = cx.story.manifest.host_interfaces.as_ref();
        let spell = |text: &Text| (cx.spelling(text), cx.inside(text));
        match table.get(name) {
            None if cx.story.incomplete.hosts => {}
            None => {
                let more: Vec<Span> = more.iter().map(|m| cx.place(m, from..to)).collect();
                let place = cx.place(first, from..to);
                // Declared without a body counts as not declared, and is what the author should see.
                let null = interfaces.and_then(|i| i.value.entry(name)).map(|e| spell(&e.name));
                let declared = interfaces
                    .into_iter()
                    .flat_map(|i| i.entries.iter())
                    .filter(|e| !e.null);
                let near = cx.near(name, declared.map(|e| e.name.as_str()));
                let near = near.and_then(|n| interfaces?.value.entry(n)).map(|e| spell(&e.name));
                findings.push(rules::iface_undeclared(
                    place,
                    (&cx.slice(place).unwrap_or_else(|| name.to_owned()), op),
                    null,
                    near,
                    &more,
                ));
            }
            Some(_) => {
                let range = to + 1..end(first.text.len());
                let more: Vec<Span> = more.iter().map(|m| cx.place(m, range.clone())).collect();
                let entry = interfaces.and_then(|i| i.value.entry(name));
                let operations = entry.and_then(|e| e.value.operations.as_ref());
                let near = cx.near(op, operations.into_iter().flat_map(|o| o.value.names()));
                let near = near.and_then(|n| operations?.value.entry(n)).map(|e| spell(&e.name));
                let list = entry.map(|e| cx.inside(&e.name));
                let interface = cx.slice(cx.place(first, from..to)).unwrap_or_else(|| name.to_owned());
                findings.push(rules::iface_op_undeclared(
                    cx.place(first, range),
                    op,
                    &interface,
                    near,
                    list,
                    &more,
                ));
            }
        }
    }
    findings.into_iter().for_each(|f| cx.report(f));
}

/// Adds verbs to the allow-list, also to one that was empty: one resolved call switches the check on (`imports` 9.4).
fn allow(cx: &mut Expansion<'_>, verbs: Vec<(SmolStr, Span)>) {
    let hosts = cx.story.manifest.hosts.iter().flat_map(|h| h.items.iter());
    let mut known: FxHashSet<SmolStr> = hosts.map(|h| h.text.clone()).collect();
    for (verb, site) in verbs {
        if known.insert(verb.clone()) {
            let make = Make {
                made: Made::Builtin,
                site,
            };
            list_in(&mut cx.story.manifest.hosts, site).push(make.text(verb));
        }
    }
}
