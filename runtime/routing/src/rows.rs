//! The rows of the menu that can be chosen (`dispatch` 5.4, `machine` 17).

use kitsoki_expr::{Map, Value};
use kitsoki_ir::{ElementKind, Intent, Slot, Text, View};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::place::{Place, Tried};
use crate::situation::{MenuRow, Situation};

/// The rows of a place, in order.
pub(crate) fn rows(place: &Place<'_>) -> Vec<MenuRow> {
    let labels = labels(place);
    let mut rows: Vec<(i64, MenuRow)> = Vec::new();
    for name in place.allowed() {
        let Some(intent) = place.definition(name).filter(|i| !i.hidden) else {
            continue;
        };
        let Expanded {
            rows: mut of_intent,
            single,
        } = expand(place, name, intent);
        if let ([row], Some(label), true) = (of_intent.as_mut_slice(), labels.get(name.as_str()), single)
            && !row.missing.is_empty()
        {
            row.display = (*label).to_owned();
        }
        rows.extend(of_intent.into_iter().map(|row| (intent.priority, row)));
    }
    rows.sort_by(|(p, a), (q, b)| q.cmp(p).then_with(|| a.display.cmp(&b.display)));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The rows of one intent that can be chosen, and whether there is no other row, blocked ones counted.
struct Expanded {
    rows: Vec<MenuRow>,
    single: bool,
}

fn expand(place: &Place<'_>, name: &SmolStr, intent: &Intent) -> Expanded {
    let mut required: Vec<&Slot> = intent.required().collect();
    required.sort_by(|a, b| a.name.cmp(&b.name));
    let row = |chosen: Option<(&Slot, &SmolStr)>| {
        let mut display = name.to_string();
        let mut slots = Map::new();
        let mut missing = Vec::new();
        for slot in &required {
            display.push(' ');
            match chosen {
                Some((of, value)) if of.name == slot.name => {
                    display.push_str(value);
                    slots.insert(slot.name.clone(), Value::Str(value.clone()));
                }
                _ => {
                    display.push_str(&format!("<{}:{}>", slot.name, slot.ty));
                    missing.push(slot.name.clone());
                }
            }
        }
        MenuRow {
            display,
            intent: name.clone(),
            slots,
            missing,
        }
    };
    if required.is_empty() {
        let open = !matches!(
            place.try_arms(name, &Map::new()),
            Tried::Blocked | Tried::Default { blocked: true }
        );
        return Expanded {
            rows: open.then(|| row(None)).into_iter().collect(),
            single: true,
        };
    }
    let Some(choice) = required.iter().copied().find(|s| !s.values.is_empty()) else {
        return Expanded {
            rows: vec![row(None)],
            single: true,
        };
    };
    let mut listed = 0;
    let mut rows = Vec::new();
    for value in &choice.values {
        let row = row(Some((choice, value)));
        let tried = place.try_arms(name, &row.slots);
        // A value that only the catch-all takes is no offer.
        listed += usize::from(!matches!(tried, Tried::Default { .. }));
        if matches!(tried, Tried::Open | Tried::Unresolved) {
            rows.push(row);
        }
    }
    Expanded {
        rows,
        single: listed == 1,
    }
}

/// The labels that the view of the leaf gives to intents: the first one without a template each.
fn labels<'a>(place: &'a Place<'_>) -> FxHashMap<&'a str, &'a str> {
    let mut labels = FxHashMap::default();
    let story = place.story();
    let room = (!place.is_parallel()).then(|| story.states.get(place.leaf())).flatten();
    let Some(View::Elements(elements)) = room.and_then(|r| r.view.as_ref()) else {
        return labels;
    };
    let choices = elements.iter().filter_map(|e| match &e.show {
        ElementKind::Choice(choice) => Some(choice),
        _ => None,
    });
    for item in choices.flat_map(|choice| &choice.items) {
        let label = match item.label {
            Text::Literal(ref text) => text.as_str(),
            Text::Template(id) => story.templates.get(id).map_or("", |t| t.text.as_str()),
        };
        if !item.intent.is_empty() && !label.is_empty() && !label.contains("{{") {
            labels.entry(item.intent.as_str()).or_insert(label);
        }
    }
    labels
}
