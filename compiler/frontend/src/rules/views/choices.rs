//! A choice as far as its parts are sound: its intents, and the texts in its free values.

use crate::surface::{Any, Choice, ChoiceMode, Optional, Text};

/// The intents that a choice names, of its items or of itself.
pub(crate) fn intents(choice: &Choice) -> Vec<&Text> {
    let own = choice.intent.iter();
    let items = choice.items.value().into_iter().flat_map(|i| i.iter());
    let fields: Vec<&Any> = match choice.mode() {
        Some(ChoiceMode::Single) => items.filter_map(|i| i.intent.as_ref()).map(|i| &i.value).collect(),
        Some(_) => own.map(|i| &i.value).collect(),
        None => Vec::new(),
    };
    fields
        .into_iter()
        .filter_map(Any::as_text)
        .filter(|t| is_name(t.as_str()))
        .collect()
}

/// Whether a text has the form of an intent in a choice: a plain identifier.
pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let head = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    head && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
