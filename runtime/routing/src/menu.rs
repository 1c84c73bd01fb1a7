//! The tier of the menu: a text that is a row of the menu, or an example of one (`dispatch` 5.4).
//!
//! Nothing is cut into words here: the text, trimmed and in lower case, must be the row as it is shown. What two rows
//! claim, none has.

use rustc_hash::FxHashMap;

use crate::fold;
use crate::situation::{MenuRow, Situation, outermost};

/// How a text is a row of the menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MenuMatch {
    /// It is what the row shows.
    Display,
    /// It is an example of the row's intent, or of the value that the row fills in.
    Example,
}

impl MenuMatch {
    /// The word for it in provenance.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Display => "display",
            Self::Example => "example",
        }
    }
}

/// The row that a text means.
#[must_use]
pub fn row<'a>(at: &'a dyn Situation, text: &str) -> Option<(&'a MenuRow, MenuMatch)> {
    let rows = at.menu();
    let text = fold::label(text);
    let mut shown = rows.iter().filter(|row| fold::label(&row.display) == text);
    if let (Some(row), None) = (shown.next(), shown.next()) {
        return Some((row, MenuMatch::Display));
    }
    if text.is_empty() {
        return None;
    }
    // Many rows may be of one intent; its examples are looked through once.
    let mut examples: FxHashMap<&str, bool> = FxHashMap::default();
    let mut claims = rows.iter().filter(|row| row.missing.is_empty()).filter(|row| {
        let Some(intent) = outermost(at, &row.intent) else {
            return false;
        };
        let of_intent = *examples
            .entry(row.intent.as_str())
            .or_insert_with(|| intent.examples.iter().any(|e| fold::label(e) == text));
        of_intent
            || intent.slots.iter().any(|slot| {
                let filled = row.slots.get(&slot.name).and_then(|v| v.as_str());
                filled.is_some_and(|value| fold::label(value) == text)
                    && slot.examples.iter().any(|e| fold::label(e) == text)
            })
    });
    match (claims.next(), claims.next()) {
        (Some(row), None) => Some((row, MenuMatch::Example)),
        _ => None,
    }
}
