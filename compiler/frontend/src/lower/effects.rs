//! Effects: of everything on one effect the first action runs, so the first action is what is lowered (`language` 3.10).

use kitsoki_ir::{Action, Assign, Bind, BindFrom, Dialect, Effect, Emit, Increment, Invoke, Redirect, WorldKeyId};
use smol_str::SmolStr;

use super::{Lowering, flag, off, some_text, tables};
use crate::surface::{self, Any, Field, List, Map, Selection, Text};

/// The room around an effect: base of paths, imports of places.
#[derive(Clone, Copy)]
pub(super) struct Owner<'o> {
    pub path: &'o str,
    pub imports: &'o [SmolStr],
}

/// An effect list.
pub(super) fn effects(
    cx: &mut Lowering<'_>,
    owner: Owner<'_>,
    list: &Option<Field<List<surface::Effect>>>,
) -> Vec<Effect> {
    // Depth is bounded by the parser: each level is one more list of the author's.
    list.iter()
        .flat_map(|l| l.value.items.iter())
        .map(|e| effect(cx, owner, e))
        .collect()
}

fn effect(cx: &mut Lowering<'_>, owner: Owner<'_>, e: &surface::Effect) -> Effect {
    Effect {
        at: cx.places.node(e.origin, e.head, owner.imports),
        when: cx.code.guard(&e.when),
        action: action(cx, owner, e),
        emit_intent: e
            .emit_intent
            .as_ref()
            .filter(|i| !i.value.text.is_empty())
            .map(|name| Emit {
                name: cx.code.effect(&name.value.text),
                slots: cx.code.values(&e.slots),
            }),
        emit: some_text(&e.emit),
        target: e
            .target
            .as_ref()
            .filter(|t| !t.value.text.is_empty())
            .map(|t| redirect(cx, &t.value, true)),
    }
}

fn action(cx: &mut Lowering<'_>, owner: Owner<'_>, e: &surface::Effect) -> Action {
    if let Some(set) = e.set.as_ref().filter(|s| !s.value.entries.is_empty()) {
        return Action::Set(assigns(cx, &set.value));
    }
    if let Some(increment) = e.increment.as_ref().filter(|i| !i.value.entries.is_empty()) {
        let entries = increment.value.sorted();
        let all = entries.into_iter().map(|i| Increment {
            key: tables::written_key(cx, &i.name),
            by: i.value.value,
        });
        return Action::Increment(all.collect());
    }
    if let Some(commit) = &e.commit_operation {
        let world = commit
            .value
            .world
            .as_ref()
            .map(|w| assigns(cx, &w.value))
            .unwrap_or_default();
        return Action::Commit {
            world,
            keep_open: off(&commit.value.clear),
        };
    }
    if let Some(draft) = &e.persist_draft {
        let value = |cx: &mut Lowering<'_>, field: &Option<Field<Text>>| match field {
            Some(text) => match cx.code.effect(&text.value.text) {
                kitsoki_ir::Text::Literal(text) => kitsoki_ir::Value::Text(text),
                kitsoki_ir::Text::Template(id) => kitsoki_ir::Value::Template(id),
            },
            None => kitsoki_ir::Value::Null,
        };
        let keys: Vec<Text> = draft
            .value
            .world
            .iter()
            .flat_map(|w| w.value.items.iter().cloned())
            .collect();
        return Action::PersistDraft {
            id: value(cx, &draft.value.id),
            title: value(cx, &draft.value.title),
            world: keys.iter().map(|k| tables::written_key(cx, k)).collect(),
        };
    }
    if let Some(discard) = &e.discard_operation {
        return Action::Discard {
            reason: some_text(&discard.value.reason).unwrap_or_else(|| "explicit".into()),
        };
    }
    if let Some(say) = e.say.as_ref().filter(|s| !s.value.text.is_empty()) {
        return Action::Say(cx.code.view(&say.value.text));
    }
    match e.invoke.as_ref().filter(|i| !i.value.text.is_empty()) {
        Some(verb) => Action::Invoke(Box::new(invoke(cx, owner, e, &verb.value))),
        None => Action::None,
    }
}

fn assigns(cx: &mut Lowering<'_>, set: &Map<Any>) -> Vec<Assign> {
    let entries = set.sorted();
    let assign = |cx: &mut Lowering<'_>, e: &surface::MapEntry<Any>| Assign {
        key: tables::written_key(cx, &e.name),
        value: cx.code.value(&e.value),
    };
    entries.into_iter().map(|e| assign(cx, e)).collect()
}

fn invoke(cx: &mut Lowering<'_>, owner: Owner<'_>, e: &surface::Effect, verb: &Text) -> Invoke {
    Invoke {
        host: tables::host(cx, &verb.text),
        with: cx.code.values(&e.with),
        id: some_text(&e.id).map(|id| cx.code.effect(&id)),
        bind: e.bind.as_ref().map(|b| binds(cx, &b.value)).unwrap_or_default(),
        on_error: e
            .on_error
            .as_ref()
            .filter(|t| !t.value.text.is_empty())
            .map(|t| redirect(cx, &t.value, false)),
        once: flag(&e.once),
        background: flag(&e.background),
        on_complete: effects(cx, owner, &e.on_complete),
        plugin: some_text(&e.agent),
        selection: e.selection.as_ref().map(|s| selection(&s.value)).unwrap_or_default(),
    }
}

fn binds(cx: &mut Lowering<'_>, bind: &Map<Text>) -> Vec<Bind> {
    let mut all = Vec::with_capacity(bind.entries.len());
    for entry in bind.sorted() {
        let key: WorldKeyId = tables::written_key(cx, &entry.name);
        let text = &entry.value.text;
        let from = if text.contains("{{") {
            BindFrom::Template(cx.code.template(Dialect::Effect, text))
        } else {
            BindFrom::Path(text.clone())
        };
        all.push(Bind { key, from });
    }
    all
}

fn selection(s: &Selection) -> Vec<(SmolStr, SmolStr)> {
    let fields = [
        ("profile", &s.profile),
        ("model", &s.model),
        ("effort", &s.effort),
        ("evidence", &s.evidence),
        ("fallback_profile", &s.fallback_profile),
    ];
    fields
        .into_iter()
        .filter_map(|(name, field)| Some((name.into(), some_text(field)?)))
        .collect()
}

/// A room outside of arcs. Only targets of `on_complete` are rendered.
pub(super) fn redirect(cx: &mut Lowering<'_>, target: &Text, rendered: bool) -> Redirect {
    let text = &target.text;
    if rendered && text.contains("{{") {
        return Redirect::Template(cx.code.template(Dialect::Effect, text));
    }
    if text.starts_with("..") {
        return Redirect::Relative(text.clone());
    }
    match cx.names.state(&text.replace('/', ".")) {
        Some(id) => Redirect::State(id),
        None => Redirect::Nowhere(text.clone()),
    }
}
