//! World variables: their type words, their defaults, and names that the engine owns (`language` 3.3).

use super::super::names::{self, unknown_word};
use super::super::prelude::*;
use crate::story::{ENGINE_WORLD_KEYS, RESERVED_WORLD_KEYS};

pub(crate) const TYPE_UNKNOWN: Rule = Rule {
    id: "world-type-unknown",
    level: Level::Warning,
    summary: "a world type that means nothing",
    fixable: Fixable::Sometimes,
};

pub(crate) const DEFAULT_TYPE: Rule = Rule {
    id: "world-default-type",
    level: Level::Warning,
    summary: "a default that contradicts the type or the values",
    fixable: Fixable::Sometimes,
};

pub(crate) const RESERVED_DECLARED: Rule = Rule {
    id: "reserved-key-declared",
    level: Level::Hint,
    summary: "a world variable with the name of an engine key",
    fixable: Fixable::Never,
};

/// The type words in use, with other spellings of them.
const TYPES: [&str; 16] = [
    "string", "str", "text", "int", "integer", "float", "number", "bool", "boolean", "object", "obj", "map", "list",
    "array", "enum", "any",
];

/// The words that are offered.
const OFFERED: [&str; 8] = ["string", "int", "float", "number", "bool", "object", "list", "enum"];

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    for entry in cx
        .story
        .manifest
        .world
        .value()
        .into_iter()
        .flat_map(|w| w.entries.iter())
    {
        let var = &entry.value;
        if entry.name.made.is_some() || !var.origin.is_written() {
            continue;
        }
        // The engine's own keys without a prefix: `imports` says what becomes of them in a child.
        if RESERVED_WORLD_KEYS.contains(&entry.name.as_str()) || ENGINE_WORLD_KEYS.contains(&entry.name.as_str()) {
            out.push(
                RESERVED_DECLARED
                    .at(entry.name.span, "written by the engine")
                    .message(format!("{} is a key of the engine", code(entry.name.as_str())))
                    .help("it can be read without a declaration"),
            );
        }
        let word = var.type_word().trim().to_ascii_lowercase();
        if let Some(ty) = var
            .ty
            .as_ref()
            .filter(|t| !t.is_blank() && !TYPES.contains(&t.as_str()))
        {
            let finding = unknown_word(cx, &TYPE_UNKNOWN, &ty.value, "type of a world key", &OFFERED);
            out.push(finding.note("the load accepts any word and converts nothing"));
        }
        default(cx, &entry.name, var, &word, out);
    }
}

fn default(cx: &StoryCx<'_>, name: &Text, var: &WorldVar, word: &str, out: &mut Vec<Diagnostic>) {
    let Some(default) = var.default_value() else { return };
    if let Some(values) = var.values.as_ref().filter(|v| !v.is_empty()) {
        let is_one = default
            .as_str()
            .is_none_or(|text| text.is_empty() || values.iter().any(|v| v.text == text));
        if !is_one {
            let text = default.as_text();
            let known: Vec<&str> = values.iter().map(Text::as_str).collect();
            let near = text.and_then(|t| super::super::words::did_you_mean(t.as_str(), known.iter().copied()));
            let finding = DEFAULT_TYPE
                .at(default.span, "none of its values")
                .message(format!(
                    "the default of {} is none of its values",
                    code(&names::spelled(cx, name))
                ))
                .label(values.value.span, "its values");
            out.push(match (near, text) {
                (Some(near), Some(text)) => {
                    finding.fix(Fix::replace(cx.inside(text), near).title(format!("change it to {}", code(near))))
                }
                _ => finding,
            });
            return;
        }
    }
    let fits = match (word, &default.kind) {
        // A template is rendered nowhere, but what it was meant to become is unknown.
        (_, AnyKind::Text(text)) if text.is_templated() => true,
        ("string" | "str" | "text", kind) => matches!(kind, AnyKind::Text(_)),
        ("enum", kind) => !matches!(kind, AnyKind::List(_) | AnyKind::Map(_)),
        ("int" | "integer", AnyKind::Float(x)) => x.fract() == 0.0,
        ("int" | "integer", kind) => matches!(kind, AnyKind::Int(_) | AnyKind::Uint(_)),
        ("float" | "number", kind) => matches!(kind, AnyKind::Int(_) | AnyKind::Uint(_) | AnyKind::Float(_)),
        ("bool" | "boolean", kind) => matches!(kind, AnyKind::Bool(_)),
        ("list" | "array", kind) => matches!(kind, AnyKind::List(_)),
        ("object" | "obj" | "map", kind) => matches!(kind, AnyKind::Map(_) | AnyKind::List(_)),
        _ => true,
    };
    if fits {
        return;
    }
    let shown = default.kind_word();
    let finding = DEFAULT_TYPE
        .at(default.span, format!("this is {shown}"))
        .message(format!(
            "the default of {} is {shown}, its type {}",
            code(&names::spelled(cx, name)),
            code(word)
        ));
    let finding = match &var.ty {
        Some(ty) => finding.label(ty.span, "its type"),
        None => finding,
    };
    out.push(repair(cx, word, default, finding));
}

/// `yes` and `on` are texts here, and a number is a text only in quotes.
fn repair(cx: &StoryCx<'_>, word: &str, default: &Any, finding: Diagnostic) -> Diagnostic {
    let flag = match default.as_str().map(str::to_ascii_lowercase).as_deref() {
        Some("yes" | "on" | "y" | "true") => Some("true"),
        Some("no" | "off" | "n" | "false") => Some("false"),
        _ => None,
    };
    match (word, flag) {
        ("bool" | "boolean", Some(flag)) => finding
            .help(format!("write {flag}: `yes`, `no`, `on` and `off` are texts"))
            .fix(Fix::replace(default.span, flag).title(format!("change it to {}", code(flag)))),
        ("string" | "str" | "text", _) if !matches!(default.kind, AnyKind::List(_) | AnyKind::Map(_)) => {
            match cx.slice(default.span) {
                Some(source) => {
                    finding.fix(Fix::replace(default.span, format!("\"{source}\"")).title("put it in quotes"))
                }
                None => finding,
            }
        }
        _ => finding,
    }
}
