//! What is wrong with a catalog: edges that lead nowhere or to the wrong type, circles, internal nodes that public ones
//! show, nodes that belong nowhere.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::catalog::{Catalog, Node};
use crate::plain::quoted;

struct Issue {
    node: String,
    kind: &'static str,
    error: bool,
    message: String,
}

/// All issues, by node and message.
pub(super) fn all(catalog: &Catalog) -> Vec<Json> {
    let mut issues = Vec::new();
    targets(catalog, &mut issues);
    circles(catalog, &mut issues);
    leaks(catalog, &mut issues);
    for node in catalog.nodes.values() {
        orphan(catalog, node, &mut issues);
        scripts(catalog, node, &mut issues);
    }
    issues.sort_by(|a, b| (&a.node, &a.message).cmp(&(&b.node, &b.message)));
    let told = issues.into_iter().map(|i| {
        let severity = if i.error { "error" } else { "warning" };
        json!({"node": i.node, "kind": i.kind, "severity": severity, "message": i.message})
    });
    told.collect()
}

fn targets(catalog: &Catalog, issues: &mut Vec<Issue>) {
    for node in catalog.nodes.values() {
        for (edge, targets) in catalog.edges_of(node) {
            for target in targets {
                let (edge_id, shown) = (quoted(&edge.id), quoted(&target));
                let (kind, message) = match catalog.nodes.get(&target) {
                    None => (
                        "dangling-ref",
                        format!("edge {edge_id} points at {shown}, which does not exist"),
                    ),
                    Some(other) if !edge.target.is_empty() && !catalog.is_a(&other.type_id, &edge.target) => {
                        let (is, must) = (quoted(&other.type_id), quoted(&edge.target));
                        let text = format!("edge {edge_id} points at {shown} (type {is}), which is not a {must}");
                        ("type-mismatch", text)
                    }
                    Some(_) => continue,
                };
                issues.push(Issue {
                    node: node.id.clone(),
                    kind,
                    error: true,
                    message,
                });
            }
        }
    }
}

/// Nodes on a circle of edges that must have none. Without recursion: a catalog can be a long chain.
fn circles(catalog: &Catalog, issues: &mut Vec<Issue>) {
    let next = |node: &Node| -> Vec<String> {
        let edges = catalog.edges_of(node).filter(|(e, _)| e.acyclic);
        edges.flat_map(|(_, targets)| targets).collect()
    };
    let mut done: BTreeSet<&str> = BTreeSet::new();
    let mut told: BTreeSet<String> = BTreeSet::new();
    for start in catalog.nodes.values() {
        // The way down so far, each with the targets that are still to be looked at.
        let mut way: Vec<(&Node, Vec<String>)> = Vec::new();
        if done.insert(&start.id) {
            way.push((start, next(start)));
        }
        while let Some((_, left)) = way.last_mut() {
            let Some(target) = left.pop() else {
                way.pop();
                continue;
            };
            let Some(node) = catalog.nodes.get(&target) else {
                continue;
            };
            if let Some(at) = way.iter().position(|(n, _)| n.id == target) {
                let circle: Vec<String> = way.iter().skip(at).map(|(n, _)| n.id.clone()).collect();
                let message = format!("acyclic edges form a circle: {} -> {target}", circle.join(" -> "));
                for id in circle {
                    if told.insert(id.clone()) {
                        issues.push(Issue {
                            node: id,
                            kind: "cycle",
                            error: true,
                            message: message.clone(),
                        });
                    }
                }
            } else if done.insert(&node.id) {
                way.push((node, next(node)));
            }
        }
    }
}

/// Internal nodes that a public one shows through edges that render.
fn leaks(catalog: &Catalog, issues: &mut Vec<Issue>) {
    let mut reached: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for root in catalog.nodes.values().filter(|n| n.visibility == "public") {
        let mut seen: BTreeSet<String> = BTreeSet::from([root.id.clone()]);
        let mut queue = vec![root];
        while let Some(node) = queue.pop() {
            for target in catalog.edges_of(node).filter(|(e, _)| e.renders).flat_map(|(_, t)| t) {
                let Some(other) = catalog.nodes.get(&target) else {
                    continue;
                };
                if !seen.insert(target.clone()) {
                    continue;
                }
                if other.visibility == "internal" {
                    reached.entry(target).or_default().insert(&root.id);
                } else {
                    queue.push(other);
                }
            }
        }
    }
    for (node, roots) in reached {
        let roots: Vec<&str> = roots.into_iter().collect();
        issues.push(Issue {
            node,
            kind: "visibility-leak",
            error: true,
            message: format!("internal node reachable from public node(s): {}", roots.join(", ")),
        });
    }
}

/// A public node without the edge that says where it belongs.
fn orphan(catalog: &Catalog, node: &Node, issues: &mut Vec<Issue>) {
    let (kind, edge) = &catalog.membership;
    if node.visibility != "public" || !catalog.is_a(&node.type_id, kind) {
        return;
    }
    let declared = catalog.edges_of(node).find(|(e, _)| e.id == *edge);
    if declared.is_some_and(|(_, targets)| targets.is_empty()) {
        issues.push(Issue {
            node: node.id.clone(),
            kind: "orphan-feature",
            error: true,
            message: format!("public {kind} has no {edge} targets"),
        });
    }
}

/// A node without the script that a check of its type wants.
fn scripts(catalog: &Catalog, node: &Node, issues: &mut Vec<Issue>) {
    let wanted = catalog
        .types
        .get(&node.type_id)
        .map(|t| t.script_fields.as_slice())
        .unwrap_or_default();
    for (check, field) in wanted {
        let empty = match node.fields.get(field) {
            None => true,
            Some(Json::String(text)) => text.trim().is_empty(),
            Some(_) => false,
        };
        if empty {
            let (check, field) = (quoted(check), quoted(field));
            issues.push(Issue {
                node: node.id.clone(),
                kind: "missing-materialize-check",
                error: false,
                message: format!("check {check} needs the field {field} to name a script"),
            });
        }
    }
}
