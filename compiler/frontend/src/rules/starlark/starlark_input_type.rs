//! `starlark-input-type`: an input of a kind that the sidecar excludes (`language` D91).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-input-type",
    level: Level::Error,
    summary: "an input of a kind that the sidecar excludes",
    fixable: Fixable::Never,
};

use super::sidecar::Declared;

/// A finding when the value can never have the declared type.
pub(super) fn check(entry: &AnyEntry, declared: &Declared) -> Option<Diagnostic> {
    let (word, place) = declared.ty.as_ref()?;
    let value = &entry.value;
    let fits = match (&value.kind, word.as_str()) {
        (AnyKind::Text(text), "string") => return mixed_is_text(text),
        (AnyKind::Text(text), _) if text.is_templated() => {
            return (!sole(text.as_str())).then(|| {
                RULE.at(value.span, "a template beside other text is always a text")
                    .message(format!(
                        "the input {} can never be of type {}",
                        code(entry.name.as_str()),
                        code(word)
                    ))
                    .label(*place, "the declared type")
                    .help("pass the template alone: then the value keeps its type")
                    .level(Level::Warning)
            });
        }
        // Block tags stay text; that is the business of `wrong-engine`.
        (AnyKind::Text(text), _) if text.as_str().contains("{%") => true,
        (AnyKind::Bool(_), "bool")
        | (AnyKind::Map(_), "object")
        | (AnyKind::List(_), "list")
        | (AnyKind::Int(_) | AnyKind::Uint(_) | AnyKind::Float(_), "int" | "number") => true,
        _ => false,
    };
    (!fits).then(|| {
        RULE.at(value.span, format!("{} here", value.kind_word()))
            .message(format!(
                "the input {} can never be of type {}",
                code(entry.name.as_str()),
                code(word)
            ))
            .label(*place, "the declared type")
    })
}

/// Any text fits to `string`.
fn mixed_is_text(_text: &Text) -> Option<Diagnostic> {
    None
}

/// `inputs` that are no mapping count as empty.
pub(super) fn not_mapping(value: &Any) -> Diagnostic {
    RULE.at(value.span, format!("{} counts as no inputs at all", value.kind_word()))
        .message("`inputs` is a mapping of names")
        .level(Level::Warning)
}

/// One template and nothing else.
pub(crate) fn sole(text: &str) -> bool {
    let text = text.trim();
    text.strip_prefix("{{")
        .and_then(|t| t.strip_suffix("}}"))
        .is_some_and(|inner| !inner.contains("{{") && !inner.contains("}}"))
}
