//! `view-bind-no-fallback`: a view shows a key that the room binds on entry, without a fallback (`language` W3, 6.4).
//!
//! A hint: a session draws the view after the entry; only a call in the background, or a program around the session that draws
//! earlier, shows the default.

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "view-bind-no-fallback",
    level: Level::Hint,
    summary: "a view shows a key before it is bound",
    fixable: Fixable::Never,
};

/// Checks one room: its own view against the binds of its `on_enter`, nested ones included.
pub(super) fn check(cx: &StoryCx<'_>, room: &RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let (Some(view), Some(on_enter)) = (&room.room().view, &room.room().on_enter) else {
        return;
    };
    if matches!(view.form, ViewForm::File(_)) {
        return;
    }
    let mut keys: Vec<&Text> = Vec::new();
    for site in on_enter.iter().flat_map(super::super::walk::nested_in) {
        if site.effect.invoke.as_ref().is_some_and(|i| !i.text.is_empty()) {
            keys.extend(
                site.effect
                    .bind
                    .value()
                    .into_iter()
                    .flat_map(|b| b.entries.iter())
                    .map(|e| &e.name),
            );
        }
    }
    if keys.is_empty() {
        return;
    }
    let mut texts: Vec<&Text> = Vec::new();
    if let ViewForm::Text(text) = &view.form {
        texts.push(text);
    }
    for (element, _) in view.elements() {
        // Whoever shows an element under a condition has thought of the time before.
        if element.when.as_ref().is_some_and(|w| w.text.contains("world")) {
            continue;
        }
        if let ElementKind::Prose(t) | ElementKind::Heading(t) | ElementKind::Code(t) | ElementKind::Template(t) =
            &element.kind
        {
            texts.push(t);
        }
    }
    texts.retain(|t| t.made.is_none() && t.as_str().contains("world"));
    let mut seen: Vec<&str> = Vec::new();
    for key in keys {
        if seen.contains(&key.as_str()) {
            continue;
        }
        seen.push(key.as_str());
        let Some((text, start, len)) = texts
            .iter()
            .find_map(|t| bare(t.as_str(), key.as_str()).map(|(s, l)| (*t, s, l)))
        else {
            continue;
        };
        out.push(
            RULE.at(
                cx.place(text, kitsoki_syntax::text_range(start, start + len)),
                "shown without a fallback",
            )
            .message(format!(
                "the view can be drawn before {} is bound",
                code(&cx.spelling_of(key))
            ))
            .label(cx.inside(key), "bound on entry")
            .help("give it a fallback: `?? \"…\"` or `|default:\"…\"`"),
        );
    }
}

/// A reference to `world.key` itself that no fallback follows.
fn bare(text: &str, key: &str) -> Option<(usize, usize)> {
    let forms = [
        format!("world.{key}"),
        format!("world[\"{key}\"]"),
        format!("world['{key}']"),
        format!("world[`{key}`]"),
    ];
    for (i, form) in forms.iter().enumerate() {
        for (start, found) in text.match_indices(form.as_str()) {
            let rest = text.get(start + found.len()..).unwrap_or_default();
            if i == 0 && rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')) {
                continue;
            }
            let rest = rest.trim_start_matches([' ', '\t', '\r', '\n']);
            let filter = rest
                .strip_prefix('|')
                .map(|r| r.trim_start_matches([' ', '\t', '\r', '\n']));
            if rest.starts_with("??") || filter.is_some_and(|f| f.starts_with("default")) {
                continue;
            }
            return Some((start, found.len()));
        }
    }
    None
}
