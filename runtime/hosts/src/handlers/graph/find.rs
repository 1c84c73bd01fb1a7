//! Finding nodes by type, status, edges, fields and text.

use serde_json::{Value as Json, json};

use super::catalog::{Catalog, Node};
use super::{row, strings};
use crate::arguments::Arguments;
use crate::call::{Answer, Data, data};
use crate::value;

/// How many nodes an answer has unless the call says otherwise.
const LIMIT: i64 = 25;

pub(super) fn call(catalog: &Catalog, args: &Arguments<'_>) -> Answer {
    let number = |key: &str, default: i64| match args.get(key) {
        None => Ok(default),
        Some(given) if given.is_number() => match args.integer(key) {
            Some(n) if n >= 0 => Ok(n),
            _ => Err(args.wrong(format!("\"{key}\" must be >= 0"))),
        },
        Some(_) => Err(args.wrong(format!("\"{key}\" must be an integer"))),
    };
    let limit = usize::try_from(number("limit", LIMIT)?).unwrap_or(usize::MAX);
    let offset = usize::try_from(number("offset", 0)?).unwrap_or(usize::MAX);
    let statuses = strings(args, "status")?;
    let object = |key: &str| args.get(key).and_then(Json::as_object);
    let incoming = catalog.incoming();
    let kind = args.raw("type");
    let visibility = args.raw("visibility");
    let fits = |node: &&Node| {
        (kind.is_empty() || catalog.is_a(&node.type_id, kind))
            && (statuses.is_empty() || statuses.contains(&node.status))
            && (visibility.is_empty() || node.visibility == visibility)
            && object("edge").is_none_or(|f| has_edge(catalog, node, f))
            && object("no_inbound").is_none_or(|f| {
                let by = text(f, "edge");
                let mut refs = incoming.get(&node.id).into_iter().flatten();
                refs.all(|(_, edge)| !by.is_empty() && edge != by)
            })
            && object("no_outbound").is_none_or(|f| {
                let by = text(f, "edge");
                let mut edges = catalog.edges_of(node).filter(|(e, _)| by.is_empty() || e.id == by);
                edges.all(|(_, targets)| targets.is_empty())
            })
            && object("field").is_none_or(|f| has_field(node, f))
            && has_text(node, args.raw("text"))
    };
    let found: Vec<&Node> = catalog.nodes.values().filter(fits).collect();
    let total = found.len();
    if args.flag("count_only") {
        return Ok(data(json!({"total": total, "rows": [], "truncated": false})));
    }
    let rows: Vec<Json> = found.iter().skip(offset).take(limit).map(|n| row(n)).collect();
    let truncated = total.saturating_sub(offset) > limit;
    Ok(data(json!({"total": total, "rows": rows, "truncated": truncated})))
}

fn text<'a>(map: &'a Data, key: &str) -> &'a str {
    map.get(key).and_then(Json::as_str).unwrap_or_default()
}

fn has_edge(catalog: &Catalog, node: &Node, filter: &Data) -> bool {
    let to = text(filter, "to");
    let edge = catalog.edges_of(node).find(|(e, _)| e.id == text(filter, "field"));
    edge.is_some_and(|(_, targets)| {
        if to.is_empty() {
            !targets.is_empty()
        } else {
            targets.iter().any(|t| t == to)
        }
    })
}

fn has_field(node: &Node, filter: &Data) -> bool {
    let Some(field) = node.fields.get(text(filter, "key")) else {
        return false;
    };
    match (filter.get("equals"), filter.get("contains").and_then(Json::as_str)) {
        (Some(wanted), _) => value::argument(field) == value::argument(wanted),
        (None, Some(part)) => value::argument(field).contains(part),
        (None, None) => true,
    }
}

fn has_text(node: &Node, text: &str) -> bool {
    let fields = || node.fields.values().any(|v| value::argument(v).contains(text));
    node.id.contains(text) || node.title.contains(text) || fields()
}
