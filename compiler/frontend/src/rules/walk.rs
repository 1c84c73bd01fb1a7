//! Walks over a room: its effects and its texts, each with the role of its position (`language` 6.1).

use crate::surface::{
    Any, AnyKind, Arc, Choice, Effect, Element, ElementKind, Field, ListItem, Made, Map, Optional, Prerequisite, Room,
    Text, View, ViewForm,
};

/// Where an effect stands in its room.
#[derive(Clone, Copy, Debug)]
pub struct EffectSite<'a> {
    /// The effect.
    pub effect: &'a Effect,
    /// The arc that owns it; `None` for `on_enter`.
    pub arc: Option<&'a Arc>,
    /// The intent of that arc.
    pub intent: Option<&'a Text>,
    /// How many `on_complete` lists are around it.
    pub on_complete: u32,
    /// It stands inside of an `effects` list, which never runs.
    pub in_effects: bool,
}

/// Every effect of a room (not of its children), in the order arcs (sorted), `on_enter`, with everything nested.
pub fn effects<'a>(room: &'a Room) -> Vec<EffectSite<'a>> {
    effects_of(room, true)
}

/// The effects of a room without those of arcs that the free-form fallback copied here: for whatever is the same in every
/// room, so that one long arc and many rooms do not cost their product.
pub fn own_effects<'a>(room: &'a Room) -> Vec<EffectSite<'a>> {
    effects_of(room, false)
}

fn effects_of<'a>(room: &'a Room, copies: bool) -> Vec<EffectSite<'a>> {
    let mut out = Vec::new();
    if let Some(on_enter) = &room.on_enter {
        for effect in on_enter.iter() {
            nested(effect, None, None, &mut out);
        }
    }
    if let Some(on) = &room.on {
        for entry in on.sorted() {
            if !copies && is_copy(&entry.name) {
                continue;
            }
            for arc in entry.value.iter() {
                for effect in arc.effects.value().into_iter().flat_map(|e| e.iter()) {
                    nested(effect, Some(arc), Some(&entry.name), &mut out);
                }
            }
        }
    }
    out
}

/// An effect outside of any arc with everything nested in it, outermost first.
#[must_use]
pub fn nested_in(effect: &Effect) -> Vec<EffectSite<'_>> {
    let mut out = Vec::new();
    nested(effect, None, None, &mut out);
    out
}

/// An effect with everything nested in it, outermost first.
fn nested<'a>(effect: &'a Effect, arc: Option<&'a Arc>, intent: Option<&'a Text>, out: &mut Vec<EffectSite<'a>>) {
    let site = EffectSite {
        effect,
        arc,
        intent,
        on_complete: 0,
        in_effects: false,
    };
    if effect.on_complete.is_none() && effect.effects.is_none() {
        out.push(site);
        return;
    }
    let mut stack = vec![site];
    while let Some(site) = stack.pop() {
        out.push(site);
        let mut inner = Vec::new();
        for effect in site.effect.on_complete.value().into_iter().flat_map(|e| e.iter()) {
            inner.push(EffectSite {
                effect,
                on_complete: site.on_complete + 1,
                ..site
            });
        }
        for effect in site.effect.effects.value().into_iter().flat_map(|e| e.iter()) {
            inner.push(EffectSite {
                effect,
                in_effects: true,
                ..site
            });
        }
        stack.extend(inner.into_iter().rev());
    }
}

/// Which language a text is in, by its position (`language` 6.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A guard: an expression that must be boolean.
    Guard,
    /// A guard by truthiness, evaluated while rendering.
    Truthy,
    /// Any expression.
    Expr,
    /// An expression that the load does not look at.
    LateExpr,
    /// A brace template of a value (set, with, slots…), compiled at load.
    Value,
    /// `emit_intent`: a brace template rendered as text.
    EmitIntent,
    /// A `bind` value: a path, or a brace template over `result`, not compiled at load.
    Bind,
    /// An `on_complete` target: a brace template, not compiled at load.
    CompleteTarget,
    /// A view template (pongo).
    View,
    /// A view template that the load also parses (choice slots, template, placeholder, min, max, default).
    ViewChecked,
    /// A text of a prerequisite: checked as a value template, rendered as a view template.
    Both,
    /// A position that is never rendered.
    Literal,
}

/// What a text can see when it is evaluated (`expressions` 7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scene {
    /// A guard or target of an arc, or the room's own `initial`.
    Guard,
    /// An effect.
    Effect,
    /// A view or a prerequisite.
    View,
}

/// One text of a room.
#[derive(Clone, Copy, Debug)]
pub struct TextSite<'a> {
    /// The text.
    pub text: &'a Text,
    /// Its language.
    pub role: Role,
    /// The key it stands under (`when`, `set`, `prose`…).
    pub key: &'static str,
    /// The effect around it.
    pub effect: Option<EffectSite<'a>>,
    /// The intent of the arc around it.
    pub intent: Option<&'a Text>,
    /// What it can see.
    pub scene: Scene,
}

/// Takes one text of a part of a room.
type Push<'p, 'a> = &'p mut dyn FnMut(&'a Text, Role, &'static str);

/// Every text of a room (not of its children) that has a language, in a fixed order: prerequisites, view, arcs by sorted
/// intent, effects. Those of arcs that the fallback copied are left out.
pub fn texts<'a>(room: &'a Room) -> Vec<TextSite<'a>> {
    let mut out = Vec::new();
    let mut part = |scene, intent, f: &mut dyn FnMut(Push<'_, 'a>)| {
        f(&mut |text, role, key| {
            out.push(TextSite {
                text,
                role,
                key,
                effect: None,
                intent,
                scene,
            })
        });
    };
    part(Scene::View, None, &mut |mut push| {
        for p in room.prerequisites.value().into_iter().flat_map(|p| p.iter()) {
            prerequisite(p, &mut push);
        }
        opt(&room.footer, Role::View, "footer", &mut push);
        if let Some(view) = &room.view {
            view_texts(view, &mut push);
        }
    });
    part(Scene::Guard, None, &mut |mut push| {
        opt(&room.initial, Role::View, "initial", &mut push);
        opt(&room.description, Role::Literal, "description", &mut push);
        if let Some(timeout) = &room.timeout {
            opt(&timeout.after, Role::Literal, "after", &mut push);
            opt(&timeout.target, Role::Literal, "target", &mut push);
        }
    });
    for entry in room.on.value().map(Map::sorted).unwrap_or_default() {
        if is_copy(&entry.name) {
            continue;
        }
        for arc in entry.value.iter() {
            part(Scene::Guard, Some(&entry.name), &mut |mut push| {
                opt(&arc.when, Role::Guard, "when", &mut push);
                opt(&arc.target, Role::View, "target", &mut push);
                opt(&arc.guard_hint, Role::Literal, "guard_hint", &mut push);
            });
            if let Some(view) = &arc.view {
                part(Scene::View, Some(&entry.name), &mut |mut push| {
                    view_texts(view, &mut push)
                });
            }
        }
    }
    for site in own_effects(room) {
        effect_texts(site, &mut out);
    }
    out
}

/// Whether the free-form fallback copied an arc here. Its texts are those of the source, which is looked at once: a story
/// with one long arc and many rooms would cost their product.
pub fn is_copy(intent: &Text) -> bool {
    intent.made == Some(Made::Fallback)
}

/// The texts of one effect, nested effects not included.
pub fn effect_texts<'a>(site: EffectSite<'a>, out: &mut Vec<TextSite<'a>>) {
    let effect = site.effect;
    let mut push = |text: &'a Text, role, key| {
        out.push(TextSite {
            text,
            role,
            key,
            effect: Some(site),
            intent: site.intent,
            scene: Scene::Effect,
        });
    };
    opt(&effect.when, Role::Guard, "when", &mut push);
    for entry in effect.set.value().into_iter().flat_map(|m| m.entries.iter()) {
        push(&entry.name, Role::Literal, "set");
    }
    any_map(effect.set.as_ref(), Role::Value, "set", &mut push);
    any_map(effect.with.as_ref(), Role::Value, "with", &mut push);
    any_map(effect.slots.as_ref(), Role::Value, "slots", &mut push);
    if let Some(commit) = &effect.commit_operation {
        any_map(commit.world.as_ref(), Role::Value, "commit_operation", &mut push);
    }
    if let Some(draft) = &effect.persist_draft {
        opt(&draft.id, Role::Value, "id", &mut push);
        opt(&draft.title, Role::Value, "title", &mut push);
    }
    opt(&effect.emit_intent, Role::EmitIntent, "emit_intent", &mut push);
    opt(&effect.say, Role::View, "say", &mut push);
    if let Some(bind) = &effect.bind {
        for entry in &bind.entries {
            push(&entry.value, Role::Bind, "bind");
        }
    }
    // Rendered with the arguments when the call is made, and not compiled before.
    opt(&effect.id, Role::CompleteTarget, "id", &mut push);
    opt(&effect.on_error, Role::Literal, "on_error", &mut push);
    opt(&effect.target, Role::CompleteTarget, "target", &mut push);
}

fn opt<'a>(
    field: &'a Option<Field<Text>>,
    role: Role,
    key: &'static str,
    push: &mut impl FnMut(&'a Text, Role, &'static str),
) {
    if let Some(text) = field {
        push(&text.value, role, key);
    }
}

fn any_map<'a>(
    map: Option<&'a Field<Map<Any>>>,
    role: Role,
    key: &'static str,
    push: &mut impl FnMut(&'a Text, Role, &'static str),
) {
    for entry in map.into_iter().flat_map(|m| m.entries.iter()) {
        entry.value.for_each_text(&mut |text| push(text, role, key));
    }
}

fn prerequisite<'a>(p: &'a Prerequisite, push: &mut impl FnMut(&'a Text, Role, &'static str)) {
    opt(&p.satisfied_when, Role::Guard, "satisfied_when", push);
    opt(&p.when, Role::Guard, "when", push);
    opt(&p.title, Role::Both, "title", push);
    opt(&p.summary, Role::Both, "summary", push);
    opt(&p.help, Role::Both, "help", push);
    if let Some(action) = &p.action {
        opt(&action.label, Role::Both, "label", push);
        opt(&action.hint, Role::Both, "hint", push);
        any_map(action.slots.as_ref(), Role::Value, "slots", push);
    }
}

/// The texts of a view, in order.
pub fn view_texts<'a>(view: &'a View, push: &mut impl FnMut(&'a Text, Role, &'static str)) {
    if let ViewForm::Text(text) = &view.form {
        push(text, Role::View, "view");
    }
    for (element, _) in view.elements() {
        element_texts(element, push);
    }
}

fn element_texts<'a>(element: &'a Element, push: &mut impl FnMut(&'a Text, Role, &'static str)) {
    let guard = if matches!(element.kind, ElementKind::Choice(_)) {
        Role::Guard
    } else {
        Role::Truthy
    };
    opt(&element.when, guard, "when", push);
    match &element.kind {
        ElementKind::Prose(t) => push(t, Role::View, "prose"),
        ElementKind::Heading(t) => push(t, Role::View, "heading"),
        ElementKind::Code(t) => push(t, Role::View, "code"),
        ElementKind::Template(t) => push(t, Role::View, "template"),
        ElementKind::List(list) => {
            for item in list.items.value().into_iter().flat_map(|i| i.iter()) {
                item_texts(item, push);
            }
        }
        ElementKind::Kv(kv) => any_map(kv.pairs.as_ref(), Role::View, "pairs", push),
        ElementKind::Banner(banner) => {
            opt(&banner.text, Role::View, "text", push);
            opt(&banner.subtitle, Role::View, "subtitle", push);
            opt(&banner.color, Role::View, "color", push);
        }
        ElementKind::Media(media) => {
            opt(&media.handle, Role::View, "handle", push);
            opt(&media.caption, Role::View, "caption", push);
            opt(&media.path, Role::View, "path", push);
            opt(&media.annotate_url, Role::View, "annotate_url", push);
        }
        ElementKind::Choice(choice) => choice_texts(choice, push),
        ElementKind::Broken => {}
    }
}

fn item_texts<'a>(item: &'a ListItem, push: &mut impl FnMut(&'a Text, Role, &'static str)) {
    push(&item.label, Role::View, "label");
    opt(&item.hint, Role::View, "hint", push);
    opt(&item.when, Role::Truthy, "when", push);
}

fn leaf<'a>(
    field: &'a Option<Field<Any>>,
    role: Role,
    key: &'static str,
    push: &mut impl FnMut(&'a Text, Role, &'static str),
) {
    if let Some(AnyKind::Text(text)) = field.as_ref().map(|f| &f.value.kind) {
        push(text, role, key);
    }
}

fn choice_texts<'a>(choice: &'a Choice, push: &mut impl FnMut(&'a Text, Role, &'static str)) {
    leaf(&choice.0.when, Role::Guard, "when", push);
    leaf(&choice.0.prompt, Role::View, "prompt", push);
    leaf(&choice.0.template, Role::ViewChecked, "template", push);
    for item in choice.0.items.value().into_iter().flat_map(|i| i.iter()) {
        leaf(&item.when, Role::Guard, "when", push);
        leaf(&item.label, Role::View, "label", push);
        leaf(&item.hint, Role::View, "hint", push);
        any_map(item.slots.as_ref(), Role::ViewChecked, "slots", push);
        if let Some(param) = &item.param {
            leaf(&param.placeholder, Role::ViewChecked, "placeholder", push);
        }
    }
    for entry in choice.0.fields.value().into_iter().flat_map(|f| f.entries.iter()) {
        let field = &entry.value;
        leaf(&field.when, Role::Guard, "when", push);
        let readonly = field
            .readonly
            .as_ref()
            .is_some_and(|r| r.value.kind == AnyKind::Bool(true));
        leaf(
            &field.expr,
            if readonly { Role::Expr } else { Role::LateExpr },
            "expr",
            push,
        );
        leaf(&field.hint, Role::View, "hint", push);
        for (text, key) in [
            (&field.min, "min"),
            (&field.max, "max"),
            (&field.default, "default"),
            (&field.placeholder, "placeholder"),
        ] {
            leaf(text, Role::ViewChecked, key, push);
        }
    }
}
