//! `grammar-subset`: the schema of a grammar-bound decision is outside of what the grammar can say (`language` 4.5.3).

use kitsoki_syntax::Span;
use serde_json::{Map as JsonMap, Value as Json};

use super::super::calls::Call;
use super::super::prelude::*;
use super::grammar_schema_unreadable;

pub(crate) const RULE: Rule = Rule {
    id: "grammar-subset",
    level: Level::Error,
    summary: "a schema that the grammar of a local model cannot express",
    fixable: Fixable::Never,
};

/// Keywords that no grammar can say.
const REFUSED: [&str; 10] = [
    "$ref",
    "$defs",
    "definitions",
    "uniqueItems",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "contains",
];

/// Checks one `host.agent.decide`.
pub(super) fn check(cx: &StoryCx<'_>, call: &Call<'_>, out: &mut Vec<Diagnostic>) {
    let Some(grammar) = grammar_of(cx, call) else { return };
    let Some(schema) = call.arg("schema").and_then(Any::as_text) else {
        return;
    };
    if schema.is_blank() || schema.is_templated() || call.room.is_none() {
        return;
    }
    let path = cx.base_dir().join(schema.as_str().trim());
    let file = cx.db.file(&path);
    let Some(text) = file.contents(cx.db).text() else {
        out.push(grammar_schema_unreadable::at(cx, schema, grammar).level(call.level()));
        return;
    };
    let problem = match serde_json::from_str::<Json>(text) {
        Ok(json) => outside(&json, "the schema"),
        Err(_) => Some("it is not JSON".to_owned()),
    };
    let Some(problem) = problem else { return };
    out.push(
        RULE.at(cx.inside(schema), problem)
            .message("this schema is outside of what a local model's grammar can say")
            .label(grammar, "the grammar is switched on here")
            .help("write it with `properties`, `items`, `enum` and plain types only")
            .level(call.level()),
    );
}

/// The key that switches the grammar on for the plugin of this call.
fn grammar_of(cx: &StoryCx<'_>, call: &Call<'_>) -> Option<Span> {
    let alias = call.effect?.agent.as_ref()?;
    let plugin = cx.story.manifest.agent_plugins.as_ref()?.value.get(alias.as_str())?;
    let local = plugin
        .plugin
        .as_ref()
        .is_some_and(|p| p.as_str() == "builtin.local_llm");
    plugin
        .grammar
        .as_ref()
        .filter(|g| local && g.value.value)
        .map(|g| g.key)
}

/// The first construct outside of the subset. A `null` says nothing wherever a schema may stand.
fn outside(schema: &Json, at: &str) -> Option<String> {
    let mut stack: Vec<(&Json, String)> = vec![(schema, at.to_owned())];
    while let Some((node, at)) = stack.pop() {
        let node = match node {
            Json::Null => continue,
            Json::Object(node) => node,
            _ => return Some(format!("{at} is no object")),
        };
        if let Some(found) = here(node, &at, &mut stack) {
            return Some(found);
        }
    }
    None
}

fn here<'j>(node: &'j JsonMap<String, Json>, at: &str, stack: &mut Vec<(&'j Json, String)>) -> Option<String> {
    if let Some(key) = REFUSED.iter().find(|k| node.contains_key(**k)) {
        return Some(format!("{at} uses `{key}`"));
    }
    for key in ["anyOf", "oneOf"] {
        let Some(branches) = node.get(key) else { continue };
        if node.contains_key("properties") || node.contains_key("type") {
            return Some(format!("{at} has `{key}` beside `properties` or `type`"));
        }
        match branches {
            Json::Null => {}
            Json::Array(branches) => {
                stack.extend(
                    branches
                        .iter()
                        .enumerate()
                        .map(|(i, b)| (b, format!("branch {} of `{key}`", i + 1))),
                );
            }
            _ => return Some(format!("`{key}` is no list")),
        }
    }
    match node.get("pattern") {
        None => {}
        Some(Json::String(p)) if p.starts_with('^') && p.ends_with('$') => {}
        Some(_) => return Some(format!("the pattern of {at} does not begin with `^` and end with `$`")),
    }
    for key in ["properties", "patternProperties"] {
        match node.get(key) {
            None | Some(Json::Null) => {}
            Some(Json::Object(properties)) => {
                stack.extend(properties.iter().map(|(name, p)| (p, format!("`{name}`"))));
            }
            Some(_) => return Some(format!("`{key}` is no mapping")),
        }
    }
    match node.get("items") {
        None => {}
        Some(items @ (Json::Object(_) | Json::Null)) => stack.push((items, format!("the items of {at}"))),
        Some(_) => return Some(format!("the items of {at} are a tuple")),
    }
    if let Some(more @ Json::Object(_)) = node.get("additionalProperties") {
        stack.push((more, format!("the additional properties of {at}")));
    }
    None
}
