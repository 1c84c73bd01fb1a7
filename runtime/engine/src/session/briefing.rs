//! What a model is told of a session: the interpreter of texts about the story and the place (`hosts` 15.1), an answering
//! agent about its room (`dispatch` 14).
//!
//! Texts only. Names are sorted, so that the same session says the same in every process.

use std::collections::BTreeMap;
use std::fmt::Write;

use kitsoki_expr::{Map, Value};
use kitsoki_ir::intent::{Intent, Slot};
use kitsoki_ir::state::State;
use smol_str::SmolStr;

use super::Journey;
use super::port::Interpretation;
use super::task::Task;
use crate::event::{Event, kind};
use crate::json;
use crate::value::{map, texts};

/// How many earlier texts an interpreter is told of.
const RECENT: usize = 5;

/// The longest value that is shown, in bytes.
const SHOWN: usize = 400;

/// An earlier text, and what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Recent {
    turn: u64,
    input: String,
    intent: SmolStr,
    to: SmolStr,
    outcome: SmolStr,
}

/// The last turns that a text was interpreted for. What came by a menu, a router or a fixture is not among them.
pub(super) fn recent(log: &[Event]) -> Vec<Recent> {
    let mut turns: BTreeMap<u64, Recent> = BTreeMap::new();
    for event in log {
        match event.kind.as_str() {
            kind::TURN_START if !event.text("input").is_empty() && !event.payload.contains_key("direct") => {
                let began = Recent {
                    turn: event.turn,
                    input: event.text("input").to_owned(),
                    ..Recent::default()
                };
                turns.insert(event.turn, began);
            }
            kind::TOOL_CALL | kind::TRANSITION => {
                if let Some(turn) = turns.get_mut(&event.turn).filter(|t| t.intent.is_empty()) {
                    turn.intent = event.text("intent").into();
                }
            }
            kind::TURN_END => {
                if let Some(turn) = turns.get_mut(&event.turn) {
                    turn.to = event.text("to").into();
                    turn.outcome = event.text("outcome").into();
                }
            }
            _ => {}
        }
    }
    let mut ended: Vec<Recent> = turns.into_values().filter(|t| !t.outcome.is_empty()).collect();
    ended.split_off(ended.len().saturating_sub(RECENT))
}

/// The question to the interpreter. `note`: what was wrong with its last answer.
pub(super) fn interpretation(
    task: &Task,
    text: &str,
    recent: &[Recent],
    journey: &Journey,
    note: &str,
) -> Interpretation {
    let machine = task.machine();
    let allowed = machine.allowed_names(&journey.state);
    let known: Vec<&Intent> = allowed
        .iter()
        .filter_map(|name| machine.intent(&journey.state, name))
        .collect();
    let mut prompt = format!("Room: {}\n", journey.state);
    if let Some(room) = task
        .program
        .resting(&journey.state)
        .filter(|r| !r.description.is_empty())
    {
        let _ = writeln!(prompt, "{}", room.description.trim());
    }
    let view = machine.render(&journey.state, &journey.world).unwrap_or_default();
    if !view.trim().is_empty() {
        let _ = writeln!(prompt, "\nWhat the person sees:\n{}", view.trim_end());
    }
    let _ = writeln!(prompt, "\nAllowed intents: {}", allowed.join(", "));
    if !recent.is_empty() {
        prompt.push_str("\nEarlier texts:\n");
        for turn in recent {
            let led = match turn.outcome.as_str() {
                "transitioned" => format!("{}, now in {}", turn.intent, turn.to),
                other => format!("{}: {other}", turn.intent),
            };
            let _ = writeln!(
                prompt,
                "- turn {}: {} → {led}",
                turn.turn,
                json::sorted(&Value::text(&turn.input))
            );
        }
    }
    prompt.push_str("\nWorld:\n");
    for (key, value) in journey.world.vars.sorted() {
        let _ = writeln!(prompt, "- {key}: {}", cut(&json::sorted(value)));
    }
    if !note.is_empty() {
        let _ = writeln!(prompt, "\nYour last answer could not be used: {note}.");
    }
    let _ = write!(prompt, "\nThe person says:\n{text}\n");
    Interpretation {
        instructions: instructions(task),
        prompt,
        schema: schema(&allowed, &known),
        room: journey.state.clone(),
    }
}

fn instructions(task: &Task) -> String {
    let story = &task.program.story;
    let mut out = format!("The story is {}.\nIts intents:\n", named(task));
    let mut all: Vec<&Intent> = story.intents.iter().collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all.dedup_by(|a, b| a.name == b.name);
    for intent in all {
        let _ = write!(out, "- {}", intent.name);
        for text in [&intent.title, &intent.description] {
            if !text.trim().is_empty() {
                let _ = write!(out, ": {}", one_line(text));
            }
        }
        out.push('\n');
        if !intent.examples.is_empty() {
            let _ = writeln!(out, "  for example: {}", intent.examples.join(" | "));
        }
        for slot in &intent.slots {
            let _ = writeln!(out, "  slot {}", slot_line(slot));
        }
    }
    out.push_str(
        "Hand in the intent that the person means with the tool `submit`: one of those that are allowed now, with the slots \
         that the text gives, and how sure you are. Invent no slot. If you cannot say which intent is meant, hand in nothing \
         and ask in one sentence.\n",
    );
    out
}

fn slot_line(slot: &Slot) -> String {
    let mut out = slot.name.to_string();
    if !slot.ty.is_empty() {
        let _ = write!(out, " ({})", slot.ty);
    }
    if slot.required {
        out.push_str(", needed");
    }
    if !slot.description.trim().is_empty() {
        let _ = write!(out, ": {}", one_line(&slot.description));
    }
    if !slot.values.is_empty() {
        let _ = write!(out, "; one of {}", slot.values.join(", "));
    }
    out
}

/// The form of the interpreter's value: one of the allowed intents, and slots of theirs. The machine says what is needed.
fn schema(allowed: &[SmolStr], known: &[&Intent]) -> Map {
    let mut slots = Map::new();
    for slot in known.iter().flat_map(|i| &i.slots) {
        let own = Value::Map(slot_schema(slot));
        let same = slots.get(&slot.name).is_none_or(|other| *other == own);
        // Two intents with different slots of one name: either will do, the machine knows which.
        slots.insert(slot.name.clone(), if same { own } else { Value::Map(Map::new()) });
    }
    let typed = |word: &'static str| ("type", Value::text(word));
    let slots = map([
        typed("object"),
        ("properties", Value::Map(slots)),
        ("additionalProperties", Value::Bool(false)),
    ]);
    let confidence = map([typed("number"), ("minimum", Value::Int(0)), ("maximum", Value::Int(1))]);
    let intent = map([typed("string"), ("enum", texts(allowed.iter()))]);
    let properties = map([
        ("intent", Value::Map(intent)),
        ("slots", Value::Map(slots)),
        ("confidence", Value::Map(confidence)),
    ]);
    map([
        typed("object"),
        ("properties", Value::Map(properties)),
        ("required", texts(["intent"])),
        ("additionalProperties", Value::Bool(false)),
    ])
}

fn slot_schema(slot: &Slot) -> Map {
    let ty = match slot.ty.as_str() {
        "int" => "integer",
        "float" | "money" => "number",
        "bool" => "boolean",
        "list" => "array",
        "string" | "enum" | "date" | "text" => "string",
        _ => "",
    };
    let mut out = Map::new();
    if !ty.is_empty() && slot.values.is_empty() {
        out.insert("type", Value::text(ty));
    }
    if !slot.values.is_empty() {
        out.insert("enum", texts(slot.values.iter()));
    }
    if !slot.description.trim().is_empty() {
        out.insert("description", Value::text(one_line(&slot.description)));
    }
    out
}

/// What an agent that answers in a room is told of it.
pub(super) fn room_context(task: &Task, room: &State, journey: &Journey) -> String {
    let machine = task.machine();
    let mut out = format!("## Room context\n{}, room {}\n", named(task), journey.state);
    if !room.description.trim().is_empty() {
        let _ = writeln!(out, "Purpose: {}", one_line(&room.description));
    }
    out.push_str("Only commands change things here. You advise: point at the command that does what is wanted.\n");
    let captures = room.off_ramp.as_ref().is_some_and(|r| r.capture_free_text);
    let sink = room.default_intent.as_ref().filter(|_| captures);
    let mut commands = String::new();
    for name in machine.allowed_names(&journey.state) {
        let Some(intent) = machine.intent(&journey.state, &name).filter(|_| sink != Some(&name)) else {
            continue;
        };
        let about = [&intent.description, &intent.title]
            .into_iter()
            .find(|t| !t.trim().is_empty());
        let _ = match about {
            Some(about) => writeln!(commands, "- {name}: {}", one_line(about)),
            None => writeln!(commands, "- {name}"),
        };
    }
    if !commands.is_empty() {
        let _ = write!(out, "\n### Commands\n{commands}");
    }
    let mut state = String::new();
    for key in room
        .relevant_world
        .iter()
        .filter_map(|id| task.program.story.world.get(*id))
    {
        let Some(value) = journey.world.get(&key.name) else {
            continue;
        };
        let shown = match value {
            Value::Nil => String::new(),
            Value::Str(text) => text.to_string(),
            other => json::sorted(other),
        };
        let _ = writeln!(state, "- {}: {}", key.name, cut(&one_line(&shown)));
    }
    if !state.is_empty() {
        let _ = write!(out, "\n### State\n{state}");
    }
    out
}

/// The story by its title and id.
fn named(task: &Task) -> String {
    let app = &task.program.story.app;
    match app.title.trim() {
        "" => app.id.to_string(),
        title => format!("{title} ({})", app.id),
    }
}

fn one_line(text: &str) -> String {
    text.trim().replace(['\n', '\r'], " ")
}

/// As much of a value as is shown.
fn cut(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(SHOWN);
    format!("{}…", text.get(..end).unwrap_or_default())
}
