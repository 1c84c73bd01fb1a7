//! Uses of intents that do not exist: one finding per name for arcs, sinks, lanes, choices and prerequisites alike.
//!
//! Each use belongs to a rule of its own; what is said is said by the rule of the use that the load refuses first.

use kitsoki_diagnostics::{Diagnostic, Level, Rule, code};

use super::super::cx::{RoomCx, StoryCx};
use super::super::names::{Known, Lost, Near, Use, Words, nearest_to, of_map};
use super::super::views::{choice_intent_undeclared, choices};
use super::{
    contextual_routing_intent_undeclared, default_intent_undeclared, intent_undeclared, media_intent_unknown,
    menu_unknown_intent, prerequisite_action_intent_undeclared,
};
use crate::surface::{ElementKind, Optional, Text};

/// Finds every use and reports the missing names.
pub(super) fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
    if cx.story.incomplete.intents || cx.lacks("intents") {
        return;
    }
    let mut lost = Lost::new(cx);
    for room in cx.rooms().filter(|r| !cx.is_damaged(*r)) {
        arcs(room, &mut lost);
        names(room, &mut lost);
        in_views(room, &mut lost);
    }
    let mut known = of_map(cx.story.manifest.intents.value());
    known.retain(|k| !is_engine(k));
    let words = Words {
        kind: "an intent",
        kinds: "intents",
    };
    lost.report_with(
        &words,
        &known,
        |f, name, used| describe(cx, f, name, used),
        |used| near(cx, used, &known),
        out,
    );
}

/// An arc sees the room's own intents and the global ones, not those of the rooms around it (`language` 3.4).
fn arcs<'a>(room: RoomCx<'a>, lost: &mut Lost<'a>) {
    let own = room.room().intents.value();
    for entry in room.room().on.iter().flat_map(|on| on.entries.iter()) {
        let name = entry.name.as_str();
        if name != "*" && room.story.intent(name).is_none() && !own.is_some_and(|i| i.has(name)) {
            lost.add(
                name,
                used(&entry.name, room, &intent_undeclared::RULE, "no such intent"),
            );
        }
    }
}

/// Everything that names an intent of the room, a room around it, or the story.
fn names<'a>(room: RoomCx<'a>, lost: &mut Lost<'a>) {
    let body = room.room();
    let mut add = |text: &'a Text, rule: &'static Rule, label: &'static str| {
        if !text.text.is_empty() && room.intent(text.as_str()).is_none() {
            lost.add(text.as_str(), used(text, room, rule, label));
        }
    };
    if let Some(sink) = &body.default_intent {
        add(&sink.value, &default_intent_undeclared::RULE, "no such intent");
    }
    if let Some(routing) = body
        .contextual_routing
        .value()
        .filter(|r| r.enabled.as_ref().is_some_and(|e| e.value.value))
    {
        for lane in [
            &routing.room_chat,
            &routing.plan_accept_intent,
            &routing.plan_refine_intent,
        ]
        .into_iter()
        .flatten()
        {
            add(
                &lane.value,
                &contextual_routing_intent_undeclared::RULE,
                "no such intent",
            );
        }
    }
    for prerequisite in body.prerequisites.value().into_iter().flat_map(|p| p.iter()) {
        let intent = prerequisite.action.as_ref().and_then(|a| a.intent.as_ref());
        if let Some(intent) = intent.filter(|i| !i.is_blank()) {
            add(
                &intent.value,
                &prerequisite_action_intent_undeclared::RULE,
                "no such intent",
            );
        }
    }
    for name in body.menu.value().into_iter().flat_map(|m| m.iter()) {
        add(name, &menu_unknown_intent::RULE, "no such intent");
    }
}

fn in_views<'a>(room: RoomCx<'a>, lost: &mut Lost<'a>) {
    let body = room.room();
    let arcs = body
        .on
        .iter()
        .flat_map(|on| on.entries.iter())
        .flat_map(|e| e.value.iter());
    let views = body
        .view
        .value()
        .into_iter()
        .chain(arcs.filter_map(|arc| arc.view.value()));
    for (element, in_block) in views.flat_map(|v| v.elements()) {
        match &element.kind {
            ElementKind::Choice(choice) if !in_block => {
                for intent in choices::intents(choice) {
                    if room.intent(intent.as_str()).is_none() {
                        lost.add(
                            intent.as_str(),
                            used(intent, room, &choice_intent_undeclared::RULE, "no such intent"),
                        );
                    }
                }
            }
            ElementKind::Media(media) => {
                let intent = media.annotate_intent.as_ref().map(|i| &i.value);
                if let Some(intent) =
                    intent.filter(|i| !i.is_blank() && !i.is_templated() && room.intent(i.as_str()).is_none())
                {
                    lost.add(
                        intent.as_str(),
                        used(intent, room, &media_intent_unknown::RULE, "no such intent"),
                    );
                }
            }
            _ => {}
        }
    }
}

fn used<'a>(text: &'a Text, room: RoomCx<'a>, rule: &'static Rule, label: &'static str) -> Use<'a> {
    Use::whole(text, room.path(), rule, label)
}

fn describe<'a>(cx: &'a StoryCx<'a>, finding: Diagnostic, name: &str, used: &Use<'a>) -> Diagnostic {
    if name == "*" {
        let arc = cx
            .room(used.room)
            .and_then(|r| r.room().on.value()?.entry("*").map(|e| e.name.span));
        let finding = finding.message("`*` is an arc and no intent");
        return match arc {
            Some(arc) => finding.label(arc, "this arc takes what no other arc takes"),
            None => finding,
        };
    }
    let finding = finding.message(format!("no intent is called {}", code(name)));
    let Some(room) = cx.room(used.room) else { return finding };
    let outer = room.chain().skip(1).find_map(|r| r.room().intents.value()?.entry(name));
    if let Some(outer) = outer {
        return finding
            .label(outer.name.span, "declared in a room around this one")
            .help("an arc sees the intents of its own room and of the story: declare it in one of the two");
    }
    match cx
        .rooms()
        .find_map(|r| r.room().intents.value()?.entry(used.text.as_str()))
    {
        Some(local) if used.level == Level::Error => finding.label(local.name.span, "declared in this room alone"),
        _ => finding,
    }
}

/// An intent of the story or of the rooms around the use.
fn near<'a>(cx: &'a StoryCx<'a>, used: &Use<'a>, known: &[Known<'a>]) -> Option<Near<'a>> {
    if used.spelled(cx) == "*" {
        return None;
    }
    let local: Vec<Known<'a>> = cx
        .room(used.room)
        .into_iter()
        .flat_map(|r| r.chain())
        .flat_map(|r| of_map(r.room().intents.value()))
        .collect();
    nearest_to(cx, used, &local)
        .or_else(|| nearest_to(cx, used, known))
        .filter(|n| n.spelling != used.spelled(cx))
}

fn is_engine(known: &Known<'_>) -> bool {
    known.at.is_none_or(|t| t.made.is_some())
}
