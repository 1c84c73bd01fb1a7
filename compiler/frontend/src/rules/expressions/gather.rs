//! Every text of a story that has a language, with its place: the rules of this group look at one text after the other.

use std::ops::Deref;
use std::sync::Arc;

use kitsoki_expr::{ExprError, Mode};
use kitsoki_syntax::{Span, TextRange};

use super::super::cx::{RoomCx, StoryCx};
use super::super::walk::{self, Role, Scene, TextSite};
pub(super) use crate::reading::Parsed;
use crate::reading::{PLAIN, Reading, Readings};
use crate::surface::{Intent, Made, Optional, Proposal, Text};

/// One text with its place in the story and what it says.
pub struct Item<'a> {
    /// The text and the role of its position.
    pub site: TextSite<'a>,
    /// The room around it; `None` in proposals and intents.
    pub room: Option<RoomCx<'a>>,
    /// What the load refuses.
    pub refused: Vec<ExprError>,
    /// What fails later.
    pub late: Vec<ExprError>,
    /// What it says; `None` when there is nothing to evaluate.
    reading: Option<Arc<Reading>>,
}

impl Deref for Item<'_> {
    type Target = Reading;

    fn deref(&self) -> &Reading {
        self.reading.as_deref().unwrap_or(&PLAIN)
    }
}

impl<'a> Item<'a> {
    /// The text.
    pub fn text(&self) -> &'a Text {
        self.site.text
    }

    /// Whether every error list is empty: only then the rest says something.
    pub fn is_sound(&self) -> bool {
        self.refused.is_empty() && self.late.is_empty()
    }

    /// Whether an author wrote it, as it is or renamed.
    pub fn is_written(&self) -> bool {
        self.text().made.is_none()
    }

    /// The author's place of a part.
    pub fn place(&self, cx: &StoryCx<'_>, range: TextRange) -> Span {
        cx.place(self.text(), range)
    }

    /// The present text of a part.
    pub fn slice(&self, range: TextRange) -> &'a str {
        self.text()
            .as_str()
            .get(std::ops::Range::<usize>::from(range))
            .unwrap_or_default()
    }
}

/// Every text of the rooms with a language.
pub fn of_rooms<'a>(cx: &'a StoryCx<'a>, out: &mut dyn FnMut(&Item<'a>)) {
    let readings = cx.db.readings();
    for room in cx.rooms() {
        for site in walk::texts(room.room()) {
            if let Some(item) = item(readings, site, Some(room)) {
                out(&item);
            }
        }
    }
}

/// The texts outside of rooms, and those that nothing evaluates.
pub fn outside<'a>(cx: &'a StoryCx<'a>, out: &mut dyn FnMut(&Item<'a>)) {
    let readings = cx.db.readings();
    let local = cx.rooms().filter_map(|r| r.room().intents.value());
    for intents in cx.story.manifest.intents.value().into_iter().chain(local) {
        for intent in &intents.entries {
            validators(readings, &intent.value, out);
        }
    }
    for entry in cx
        .story
        .manifest
        .proposals
        .value()
        .into_iter()
        .flat_map(|p| p.entries.iter())
    {
        of_proposal(readings, &entry.value, out);
    }
}

/// Validators of slots, which nothing evaluates: only whether they can be read is looked at.
fn validators<'a>(readings: &Readings, intent: &'a Intent, out: &mut dyn FnMut(&Item<'a>)) {
    for slot in intent.slots.value().into_iter().flat_map(|s| s.entries.iter()) {
        let Some(text) = slot.value.validator.as_ref() else {
            continue;
        };
        let (role, scene) = (Role::LateExpr, Scene::Guard);
        let site = TextSite {
            text: &text.value,
            role,
            key: "validator",
            effect: None,
            intent: None,
            scene,
        };
        if let Some(item) = item(readings, site, None).filter(|i| !i.late.is_empty()) {
            out(&item);
        }
    }
}

/// The reference compiles nothing of a proposal.
fn of_proposal<'a>(readings: &Readings, proposal: &'a Proposal, out: &mut dyn FnMut(&Item<'a>)) {
    let site = |text, role, key| TextSite {
        text,
        role,
        key,
        effect: None,
        intent: None,
        scene: Scene::Effect,
    };
    let guard = proposal.policy.value().and_then(|p| p.auto_accept_if.as_ref());
    if let Some(item) = guard.and_then(|g| item(readings, site(&g.value, Role::LateExpr, "auto_accept_if"), None)) {
        out(&item);
    }
    let Some(execute) = proposal.execute.value() else {
        return;
    };
    for entry in execute.with.value().into_iter().flat_map(|w| w.entries.iter()) {
        entry.value.for_each_text(&mut |text| {
            if let Some(item) = item(readings, site(text, Role::Bind, "with"), None) {
                out(&item);
            }
        });
    }
}

/// Reads one text; `None` when it is empty or made here.
fn item<'a>(readings: &Readings, site: TextSite<'a>, room: Option<RoomCx<'a>>) -> Option<Item<'a>> {
    let text = site.text.as_str();
    let built_in = matches!(
        site.text.made,
        Some(Made::StoryAuthoring | Made::MetaModes | Made::Builtin)
    );
    if text.is_empty() || built_in {
        return None;
    }
    let mut item = Item {
        site,
        room,
        refused: Vec::new(),
        late: Vec::new(),
        reading: None,
    };
    match site.role {
        Role::Guard => item.read(Some(readings.expression(text, Mode::Guard)), true),
        Role::Expr => item.read(Some(readings.expression(text, Mode::Value)), true),
        Role::Truthy | Role::LateExpr => item.read(Some(readings.expression(text, Mode::Value)), false),
        Role::Value | Role::EmitIntent => item.read(readings.template(text), true),
        Role::Bind | Role::CompleteTarget => item.read(readings.template(text), false),
        Role::View => item.read(readings.view(text), false),
        Role::ViewChecked => item.read(readings.view(text), true),
        Role::Both => {
            if let Some(template) = readings.template(text) {
                item.refused.clone_from(&template.refused);
            }
            if item.refused.is_empty() {
                item.read(readings.view(text), false);
            }
        }
        Role::Literal => {}
    }
    Some(item)
}

impl Item<'_> {
    /// Takes over what the text says; `load` tells whether the load check looks at it.
    fn read(&mut self, reading: Option<Arc<Reading>>, load: bool) {
        if let Some(reading) = &reading {
            if load {
                self.refused.clone_from(&reading.refused);
            } else if reading.refused.is_empty() {
                self.late.clone_from(&reading.faults);
            } else {
                self.late.clone_from(&reading.refused);
            }
        }
        self.reading = reading;
    }
}
