//! Effects, calls and redirects as lines.

use super::{Printer, quoted, word};
use crate::effect::{Action, Bind, BindFrom, Effect, Invoke, Redirect};

/// An effect list.
pub(super) fn effects(p: &mut Printer<'_>, effects: &[Effect]) {
    for effect in effects {
        p.from(effect.at, |p| one(p, effect));
    }
}

fn one(p: &mut Printer<'_>, effect: &Effect) {
    let when = effect.when.map(|w| format!(" when {}", p.expr(w))).unwrap_or_default();
    match &effect.action {
        Action::None => {}
        Action::Set(assigns) => {
            for a in assigns {
                p.line(format!("set {} = {}{when}", p.key(a.key), p.value(&a.value)));
            }
        }
        Action::Increment(increments) => {
            for i in increments {
                p.line(format!("add {} += {}{when}", p.key(i.key), i.by));
            }
        }
        Action::Commit { world, keep_open } => {
            p.line(format!(
                "commit operation{}{when}",
                if *keep_open { " and keep it open" } else { "" }
            ));
            p.inner(|p| {
                for a in world {
                    p.line(format!("{} = {}", p.key(a.key), p.value(&a.value)));
                }
            });
        }
        Action::PersistDraft { id, title, world } => {
            p.line(format!("persist draft {} {}{when}", p.value(id), p.value(title)));
            p.inner(|p| {
                for key in world {
                    p.line(p.key(*key));
                }
            });
        }
        Action::Discard { reason } => p.line(format!("discard operation {}{when}", quoted(reason))),
        Action::Say(text) => p.line(format!("say {}{when}", p.text(text))),
        Action::Invoke(call) => invoke(p, call, &when),
    }
    if let Some(emit) = &effect.emit_intent {
        p.line(format!("emit intent {}{when}", p.text(&emit.name)));
        p.inner(|p| {
            for (slot, value) in &emit.slots {
                p.line(format!("slot {} = {}", word(slot), p.value(value)));
            }
        });
    }
    if let Some(event) = &effect.emit {
        p.line(format!("emit event {}", word(event)));
    }
    if let Some(target) = &effect.target {
        p.line(format!("-> {}{when}", redirect(p, target)));
    }
}

fn invoke(p: &mut Printer<'_>, call: &Invoke, when: &str) {
    let host = p
        .story
        .hosts
        .get(call.host)
        .map_or_else(|| "?".to_owned(), |h| word(&h.name));
    let mut head = format!("call {host}");
    if let Some(id) = &call.id {
        head += &match id.literal() {
            Some(id) => format!(" as {}", word(id)),
            None => format!(" as {}", p.text(id)),
        };
    }
    if call.once {
        head += " once";
    }
    if call.background {
        head += " in background";
    }
    if let Some(plugin) = &call.plugin {
        head += &format!(" through {}", word(plugin));
    }
    p.line(head + when);
    p.inner(|p| {
        for (name, value) in &call.with {
            p.line(format!("with {} = {}", word(name), p.value(value)));
        }
        for Bind { key, from } in &call.bind {
            let from = match from {
                BindFrom::Path(path) => word(path),
                BindFrom::Template(id) => p.template(*id),
            };
            p.line(format!("bind {} <- {from}", p.key(*key)));
        }
        if let Some(target) = &call.on_error {
            p.line(format!("on error -> {}", redirect(p, target)));
        }
        if !call.on_complete.is_empty() {
            p.line("on complete");
            p.inner(|p| effects(p, &call.on_complete));
        }
    });
}

/// A redirect's target.
pub(super) fn redirect(p: &Printer<'_>, redirect: &Redirect) -> String {
    match redirect {
        Redirect::State(id) => p.state(*id),
        Redirect::Relative(path) => word(path),
        Redirect::Template(id) => p.template(*id),
        Redirect::Nowhere(name) => format!("{} (no such room)", word(name)),
    }
}
