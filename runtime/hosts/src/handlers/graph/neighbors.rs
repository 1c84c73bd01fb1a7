//! Walking the edges from a node.

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value as Json, json};

use super::catalog::Catalog;
use super::{row, strings};
use crate::arguments::Arguments;
use crate::call::{Answer, data};
use crate::plain::quoted;

/// One step.
struct Hop {
    other: String,
    edge: String,
    out: bool,
}

pub(super) fn call(catalog: &Catalog, args: &Arguments<'_>) -> Answer {
    let root = args.raw("id");
    if !catalog.nodes.contains_key(root) {
        let near: Vec<&str> = catalog.nearest(root).into_iter().map(String::as_str).collect();
        return Err(args.outside(format!("unknown node {}; nearest: {}", quoted(root), near.join(", "))));
    }
    let (outwards, inwards) = match args.raw("direction") {
        "" | "both" => (true, true),
        "out" => (true, false),
        "in" => (false, true),
        other => return Err(args.wrong(format!("\"direction\" must be in, out or both, got {}", quoted(other)))),
    };
    let kinds = strings(args, "edges")?;
    let known = |edge: &String| catalog.types.values().any(|t| t.edges.iter().any(|e| e.id == *edge));
    if let Some(unknown) = kinds.iter().find(|k| !known(k)) {
        return Err(args.wrong(format!("unknown edge {}", quoted(unknown))));
    }
    let depth = args.integer("depth").unwrap_or(1);
    if !(1..=3).contains(&depth) {
        return Err(args.wrong(format!("\"depth\" must be 1..3, got {depth}")));
    }
    let limit = args
        .integer("limit")
        .filter(|n| *n > 0)
        .and_then(|n| usize::try_from(n).ok());
    let limit = limit.unwrap_or(usize::MAX);
    let incoming = catalog.incoming();
    let wanted = |edge: &str| kinds.is_empty() || kinds.iter().any(|k| k == edge);
    let mut seen: BTreeSet<String> = BTreeSet::from([root.to_owned()]);
    let mut ends: BTreeSet<String> = BTreeSet::new();
    let mut queue: VecDeque<(String, i64)> = VecDeque::from([(root.to_owned(), 0)]);
    let mut triples = Vec::new();
    'walk: while let Some((id, at)) = queue.pop_front() {
        if at >= depth {
            continue;
        }
        let mut hops = Vec::new();
        if let Some(node) = catalog.nodes.get(&id).filter(|_| outwards) {
            for (edge, targets) in catalog.edges_of(node).filter(|(e, _)| wanted(&e.id)) {
                hops.extend(targets.into_iter().map(|other| Hop {
                    other,
                    edge: edge.id.clone(),
                    out: true,
                }));
            }
        }
        for (from, edge) in incoming.get(&id).filter(|_| inwards).into_iter().flatten() {
            if wanted(edge) {
                hops.push(Hop {
                    other: from.clone(),
                    edge: edge.clone(),
                    out: false,
                });
            }
        }
        hops.sort_by(|a, b| (&a.other, &a.edge, a.out).cmp(&(&b.other, &b.edge, b.out)));
        for hop in hops {
            if triples.len() >= limit {
                break 'walk;
            }
            let (from, to) = if hop.out { (&id, &hop.other) } else { (&hop.other, &id) };
            let direction = if hop.out { "out" } else { "in" };
            triples.push(json!({"from": from, "edge": hop.edge, "to": to, "direction": direction, "depth": at + 1}));
            ends.insert(hop.other.clone());
            if seen.insert(hop.other.clone()) {
                queue.push_back((hop.other, at + 1));
            }
        }
    }
    let rows: Vec<Json> = ends.iter().filter_map(|id| catalog.nodes.get(id)).map(row).collect();
    Ok(data(json!({"triples": triples, "rows": rows})))
}
