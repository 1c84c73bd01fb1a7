//! `default-intent-slot-shape`: the sink's intent does not take exactly one required text (`language` D16).

use super::super::names;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "default-intent-slot-shape",
    level: Level::Error,
    summary: "a free-text sink whose intent does not take exactly one required text",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(sink) = room.room().default_intent.as_ref().filter(|d| !d.text.is_empty()) else {
        return;
    };
    let Some(intent) = room.intent(sink.as_str()) else {
        return;
    };
    if room.story.is_faulty(intent.span) {
        return;
    }
    if let Some(wrong) = text_slot(intent) {
        let spelled = names::spelled(room.story, &sink.value);
        // A sink that a macro made is no fault of the room: the author's part is the intent.
        let made = sink.value.made.is_some() && intent.origin.is_written();
        let place = if made {
            intent.head
        } else {
            room.story.inside(&sink.value)
        };
        out.push(wrong.say(
            RULE.at(place, "free text cannot go here").message(format!(
                "the intent {} does not take exactly one required text",
                code(&spelled)
            )),
            intent,
        ));
    }
}

/// Why free text cannot go into an intent.
pub(crate) enum Misfit<'a> {
    /// No slot is required.
    None,
    /// Several are.
    Several(&'a Text),
    /// The one that is required takes no text.
    Type(&'a Text, &'a Text),
}

/// `None` when the intent has exactly one required slot and that one takes text.
pub(crate) fn text_slot(intent: &Intent) -> Option<Misfit<'_>> {
    let slots = intent.slots.value().into_iter().flat_map(|s| s.entries.iter());
    let mut required = slots.filter(|s| s.value.required.as_ref().is_some_and(|r| r.value.value));
    let Some(first) = required.next() else {
        return Some(Misfit::None);
    };
    if let Some(second) = required.next() {
        return Some(Misfit::Several(&second.name));
    }
    let ty = first
        .value
        .ty
        .as_ref()
        .filter(|t| !["", "string"].contains(&t.as_str()))?;
    Some(Misfit::Type(&first.name, &ty.value))
}

impl Misfit<'_> {
    /// Adds the reason to a finding.
    pub(crate) fn say(&self, finding: Diagnostic, intent: &Intent) -> Diagnostic {
        match self {
            Misfit::None => finding
                .label(intent.head, "no slot of it is required")
                .help("give it one slot with `type: string` and `required: true`"),
            Misfit::Several(second) => finding.label(second.span, "a second required slot"),
            Misfit::Type(slot, ty) => finding
                .label(slot.span, format!("this slot takes {}", code(ty.as_str())))
                .help("the slot that takes free text has the type `string`"),
        }
    }
}
