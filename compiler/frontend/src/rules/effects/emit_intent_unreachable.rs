//! `emit-intent-unreachable`: an emitted intent that neither the room nor one around it handles (`language` D31).
//!
//! Not intents but arcs are looked at; a `*` arc handles only an emitted `*`. Templates are not checked. The room to which
//! the arc leads does not count.

use super::super::names::{Known, Lost, Use, Words, nearest_to};
use super::super::prelude::*;
use super::super::words::did_you_mean;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "emit-intent-unreachable",
    level: Level::Error,
    summary: "an emitted intent for which the room has no arc",
    fixable: Fixable::Sometimes,
};

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, sites: &[Site<'a>], out: &mut Vec<Diagnostic>) {
    for site in sites.iter().filter(|s| !s.in_effects) {
        let Some(name) = site.effect.emit_intent.as_ref().map(|e| &e.value) else {
            continue;
        };
        if name.text.is_empty() || name.is_templated() {
            continue;
        }
        let known = arcs(site);
        if known.iter().any(|k| k.name == name.as_str()) || is_import(site, name.as_str()) {
            continue;
        }
        if site.room.is_some_and(|r| cx.is_damaged(r)) {
            continue;
        }
        if cx.story.incomplete.intents && site.room.is_none_or(|r| r.room().on.is_none()) {
            continue;
        }
        // A misspelt arc has been reported at the arc: this is the same fault.
        let misspelt = |k: &&Known<'_>| cx.intent(k.name).is_none() && k.name != "*";
        let lost_arcs = known.iter().filter(misspelt).map(|k| k.name);
        if cx.intent(name.as_str()).is_some() && did_you_mean(name.as_str(), lost_arcs).is_some() {
            continue;
        }
        let mut lost = Lost::new(cx);
        lost.add(
            name.as_str(),
            Use::whole(name, site.path(), &RULE, "nothing handles it here"),
        );
        let words = Words {
            kind: "an arc",
            kinds: "arcs of this room",
        };
        lost.report_with(
            &words,
            &known,
            |finding, spelled, _| {
                let finding = finding.message(format!(
                    "the emitted intent {} has no arc {}",
                    code(spelled),
                    room_words(site)
                ));
                note(site, name, &known, finding)
            },
            |used| nearest_to(cx, used, &known),
            out,
        );
    }
}

fn room_words(site: &Site<'_>) -> String {
    match site.room {
        Some(room) => format!("in room {}", code(&super::super::names::spelled(site.cx, room.name()))),
        None => "in a proposal, which belongs to no room".to_owned(),
    }
}

/// The arcs of the room and of the rooms around it.
fn arcs<'a>(site: &Site<'a>) -> Vec<Known<'a>> {
    let rooms = site.room.into_iter().flat_map(|r| r.chain());
    let entries = rooms.flat_map(|r| r.room().on.value().into_iter().flat_map(|on| on.entries.iter()));
    entries
        .map(|e| Known {
            name: e.name.as_str(),
            at: Some(&e.name),
        })
        .collect()
}

/// The names that a fold changed still count in their written form.
fn is_import(site: &Site<'_>, name: &str) -> bool {
    let mut chain = site.room.into_iter().flat_map(|r| r.chain());
    chain.any(|r| r.room().intent_aliases.iter().any(|(written, _)| written == name))
}

/// Where an arc of that name stands although it does not count, or that `*` is not enough.
fn note<'a>(site: &Site<'a>, name: &Text, known: &[Known<'a>], finding: Diagnostic) -> Diagnostic {
    if let Some(wildcard) = known.iter().find(|k| k.name == "*").and_then(|k| k.at) {
        return finding.label(wildcard.span, "this arc does not handle emitted intents");
    }
    let Some(room) = site.room else { return finding };
    let children = room.room().states.value();
    let child = children
        .into_iter()
        .flat_map(|s| s.entries.iter())
        .find_map(|c| arc_of(&c.value, name));
    if let Some(arc) = child {
        return finding.label(arc.span, "a child's arc does not count");
    }
    let elsewhere = site.intent.and_then(|intent| {
        let arms = room.room().on.value()?.get(intent.as_str())?;
        arms.iter().find_map(|arm| {
            let path = room.resolve(arm.target.as_ref()?.as_str())?;
            arc_of(site.cx.room(&path)?.room(), name)
        })
    });
    match elsewhere {
        Some(arc) => finding
            .label(
                arc.span,
                "this room has the arc, but the effect belongs to the other one",
            )
            .help("emit it in the `on_enter` of that room"),
        None => finding,
    }
}

fn arc_of<'a>(room: &'a Room, name: &Text) -> Option<&'a Text> {
    room.on.value()?.entry(name.as_str()).map(|e| &e.name)
}
