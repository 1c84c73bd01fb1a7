//! `plan: true`: the acceptance schema must carry the plan that planner and rooms agree on (`macros` 3.5).
//!
//! The contract is small on purpose: an object `properties.plan` that requires `goal`, `step` and `verify`. References are
//! not followed.

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{NodeId, NodeKind, Resolved, Span, TextRange, TextSize, Tree};

use super::expansion::Expansion;
use crate::db::{Contents, SourceFile};
use crate::pipeline::parse;
use crate::rules::macros as rules;
use crate::surface::{Field, Text};

/// What a plan must require, in the order in which it is asked for.
const REQUIRED: [&str; 3] = ["goal", "step", "verify"];

/// Checks the schema that a workbench names; `plan_key` is the place of `plan`.
pub(super) fn check(cx: &Expansion<'_>, schema: &Field<Text>, plan_key: Span) -> Option<Diagnostic> {
    let file = cx.db.file(&cx.story.dir.join(schema.value.as_str()));
    let name = schema.value.span;
    let text = match file.contents(cx.db) {
        Contents::Text(text) => text,
        Contents::NotText(_) => return Some(rules::workbench_plan_not_json(name, name, "it is not text")),
        Contents::Failed(error) => return Some(rules::workbench_plan_unreadable(name, plan_key, error)),
    };
    let whole = || {
        Span::new(
            file.file_id(cx.db),
            TextRange::new(0.into(), TextSize::of(text.get(..1).unwrap_or_default())),
        )
    };
    let value: serde_json::Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            let at = place_of(cx, file, text, error.line(), error.column());
            return Some(rules::workbench_plan_not_json(at, name, "it is not JSON"));
        }
    };
    let tree = &parse(cx.db, file).tree;
    let span = |node: NodeId| Span::new(file.file_id(cx.db), tree.node(node).range);
    if !value.is_object() {
        let at = tree.root().map_or_else(whole, span);
        return Some(rules::workbench_plan_not_json(at, name, "it is no JSON object"));
    }
    let Some(plan) = value
        .get("properties")
        .and_then(|p| p.get("plan"))
        .filter(|p| p.is_object())
    else {
        return Some(rules::workbench_plan_no_property(name, plan_key));
    };
    let required = plan.get("required").and_then(serde_json::Value::as_array);
    let has = |word: &str| required.is_some_and(|r| r.iter().any(|v| v.as_str() == Some(word)));
    let missing = REQUIRED.into_iter().find(|word| !has(word))?;
    // A plan behind a reference may well require it elsewhere: the schema as a whole is what does not do.
    if plan.get("$ref").is_some() {
        return Some(rules::workbench_plan_required(name, plan_key, missing, true));
    }
    let at = plan_place(tree).map_or(name, span);
    Some(rules::workbench_plan_required(at, name, missing, false))
}

/// The list of required names, else the key `plan`.
fn plan_place(tree: &Tree) -> Option<NodeId> {
    let properties = tree.get(tree.root()?, "properties")?.value;
    let plan = tree.get(properties, "plan")?;
    match tree.get(plan.value, "required") {
        Some(required) if matches!(tree.node(required.value).kind, NodeKind::Sequence(_)) => Some(required.value),
        Some(required) if tree.value(required.value) != Resolved::Null => Some(required.value),
        _ => Some(plan.key),
    }
}

/// A place that a JSON reader names by line and column, as one character.
fn place_of(cx: &Expansion<'_>, file: SourceFile, text: &str, line: usize, column: usize) -> Span {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let len = text
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .map_or(0, char::len_utf8);
    let small = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
    Span::new(file.file_id(cx.db), TextRange::new(small(at), small(at + len)))
}
