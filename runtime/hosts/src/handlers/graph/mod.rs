//! `host.graph`: the read side of a catalog of typed nodes (`hosts` 11.5). Every failure is one of infrastructure.
//!
//! What writes to a catalog is not part of this version and says so.

mod catalog;
mod find;
mod lint;
mod neighbors;

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, Kind, data};
use crate::plain::quoted;
use catalog::{Catalog, Node, Type};

/// Every operation of the handler.
const OPERATIONS: [&str; 18] = [
    "load",
    "lint",
    "diff",
    "apply",
    "propose",
    "authorize",
    "withdraw",
    "rebase",
    "query",
    "project",
    "presentation",
    "open",
    "get",
    "find",
    "neighbors",
    "type_census",
    "changeset",
    "history",
];

/// The most nodes that one `get` gives.
const MAX_GET: usize = 20;

/// Answers a call.
pub(super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let op = args.text("op");
    if !OPERATIONS.contains(&op) {
        let known = OPERATIONS.join(", ");
        return Err(infra(format!(
            "host.graph: unknown op {}; there are {known}",
            quoted(op)
        )));
    }
    let named = format!("host.graph.{op}");
    let own = args.named(&named);
    let answer = match op {
        "load" => load(call, &args),
        "lint" => lint_op(call, &args),
        "query" => query(call, &args, &own),
        "get" => get(call, &args, &own),
        "find" => find::call(&catalog(call, &args)?, &own),
        "neighbors" => neighbors::call(&catalog(call, &args)?, &own),
        "type_census" => census(call, &args),
        "changeset" => changeset(call, &args, &own),
        _ => Err(own.outside("not available in this version of kitsoki")),
    };
    answer.map_err(|failure| infra(failure.message))
}

fn infra(message: String) -> Box<Failure> {
    Failure::infra(Kind::Outside, message)
}

fn catalog(call: &Call<'_>, args: &Arguments<'_>) -> Result<Catalog, Box<Failure>> {
    let path = args.raw("catalog_path");
    if path.is_empty() {
        return Err(args.wrong("missing required arg \"catalog_path\""));
    }
    let overlay = args.telling("overlay_path").map(|o| call.context.path(o));
    Catalog::load(&call.context.path(path), overlay.as_deref()).map_err(|e| args.outside(e))
}

fn load(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let catalog = catalog(call, args)?;
    let ids: Vec<&String> = catalog.nodes.keys().collect();
    Ok(data(
        json!({"node_count": ids.len(), "node_ids": ids, "warnings": catalog.warnings}),
    ))
}

fn lint_op(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let issues = lint::all(&catalog(call, args)?);
    let count = issues.len();
    Ok(data(
        json!({"issues": issues, "issue_count": count, "clean": count == 0}),
    ))
}

fn query(call: &Call<'_>, args: &Arguments<'_>, own: &Arguments<'_>) -> Answer {
    let catalog = catalog(call, args)?;
    match own.text("mode") {
        "explain-type" => {
            let target = own.text("target");
            let found = catalog.types.get(target);
            found
                .map(explain)
                .ok_or_else(|| own.outside(format!("unknown type {}", quoted(target))))
        }
        other => Err(own.outside(format!(
            "mode {} is not available in this version of kitsoki",
            quoted(other)
        ))),
    }
}

/// A type with what it inherits.
fn explain(found: &Type) -> Data {
    let edges: Vec<Json> = found
        .edges
        .iter()
        .map(|e| {
            json!({
                "id": e.id,
                "target_type": e.target,
                "cardinality": if e.many { "many" } else { "one" },
                "storage": e.storage,
                "acyclic": e.acyclic,
                "renders": e.renders,
                "nests_under": e.nests_under,
            })
        })
        .collect();
    data(json!({
        "type_id": found.id,
        "schema": found.schema,
        "extends": found.extends,
        "summary": found.summary,
        "required_fields": found.required,
        "edge_fields": edges,
        "ancestry": found.ancestry,
    }))
}

/// A node on one line.
fn row(node: &Node) -> Json {
    json!({"id": node.id, "type": node.type_id, "status": node.status, "title": node.title})
}

fn get(call: &Call<'_>, args: &Arguments<'_>, own: &Arguments<'_>) -> Answer {
    let catalog = catalog(call, args)?;
    let ids = strings(own, "ids")?;
    if ids.is_empty() || ids.len() > MAX_GET {
        return Err(own.wrong(format!("\"ids\" takes 1 to {MAX_GET} ids, got {}", ids.len())));
    }
    let fields = strings(own, "fields")?;
    let incoming = catalog.incoming();
    let (mut nodes, mut missing) = (Vec::new(), Vec::new());
    for id in ids {
        let Some(node) = catalog.nodes.get(&id) else {
            missing.push(json!({"id": id, "suggestions": catalog.nearest(&id)}));
            continue;
        };
        let wanted = |k: &String| fields.is_empty() || fields.contains(k);
        let kept: Data = node
            .fields
            .iter()
            .filter(|(k, _)| wanted(k))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        let kept = if node.fields.is_empty() && fields.is_empty() {
            Json::Null
        } else {
            Json::Object(kept)
        };
        let edges: Data = catalog
            .edges_of(node)
            .filter(|(_, targets)| !targets.is_empty())
            .map(|(edge, targets)| (edge.id.clone(), json!(targets)))
            .collect();
        let refs: Vec<Json> = incoming
            .get(&id)
            .into_iter()
            .flatten()
            .map(|(from, edge)| json!({"node": from, "edge_field": edge}))
            .collect();
        nodes.push(json!({
            "id": node.id,
            "type_id": node.type_id,
            "schema": node.schema,
            "title": node.title,
            "status": node.status,
            "visibility": node.visibility,
            "sources": node.sources,
            "fields": kept,
            "edges": edges,
            "refs_in": refs,
        }));
    }
    Ok(data(json!({"nodes": nodes, "missing": missing})))
}

fn census(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let catalog = catalog(call, args)?;
    let of = |id: &str| {
        catalog
            .nodes
            .values()
            .filter(|n| catalog.is_a(&n.type_id, id))
            .collect::<Vec<_>>()
    };
    let wanted = args.text("type_id");
    if !wanted.is_empty() {
        let found = catalog.types.get(wanted);
        let mut out = explain(found.ok_or_else(|| args.outside(format!("unknown type {}", quoted(wanted))))?);
        let instances = of(wanted);
        out.insert("instance_count".to_owned(), json!(instances.len()));
        out.insert("status_breakdown".to_owned(), json!(statuses(&instances)));
        return Ok(out);
    }
    let rows: Vec<Json> = catalog
        .types
        .values()
        .filter(|t| t.id != "core-node")
        .map(|t| {
            let extends = if t.extends.is_empty() {
                Json::Null
            } else {
                json!(t.extends)
            };
            json!({"id": t.id, "summary": t.summary, "extends": extends, "instance_count": of(&t.id).len()})
        })
        .collect();
    Ok(data(json!({ "types": rows })))
}

fn statuses(nodes: &[&Node]) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    for node in nodes {
        *out.entry(node.status.clone()).or_insert(0) += 1;
    }
    out
}

fn changeset(call: &Call<'_>, args: &Arguments<'_>, own: &Arguments<'_>) -> Answer {
    let catalog = catalog(call, args)?;
    let all: Vec<&Node> = catalog.nodes.values().filter(|n| n.type_id == "changeset").collect();
    let brief = |n: &Node| json!({"id": n.id, "title": n.title, "status": n.status});
    let operations = |n: &Node| {
        n.fields
            .get("operations")
            .and_then(Json::as_array)
            .cloned()
            .unwrap_or_default()
    };
    match own.text("action") {
        "list" => {
            let rows: Vec<Json> = all.iter().map(|n| brief(n)).collect();
            Ok(data(json!({"changesets": rows, "status_counts": statuses(&all)})))
        }
        "get" => {
            let id = own.text("changeset_id");
            let found = all.iter().find(|n| n.id == id);
            let node = found.ok_or_else(|| own.outside(format!("no changeset {}", quoted(id))))?;
            let mut out = data(brief(node));
            out.insert("operations".to_owned(), Json::Array(operations(node)));
            Ok(out)
        }
        "touching" => {
            let id = json!(own.required("node_id")?);
            let touches = |op: &Json| ["node", "from", "to"].iter().any(|key| op.get(*key) == Some(&id));
            let rows: Vec<Json> = all
                .iter()
                .filter(|n| operations(n).iter().any(touches))
                .map(|n| brief(n))
                .collect();
            Ok(data(json!({ "touching": rows })))
        }
        other => Err(own.wrong(format!(
            "unknown action {}; there are list, get, touching",
            quoted(other)
        ))),
    }
}

/// A list of texts.
fn strings(args: &Arguments<'_>, key: &str) -> Result<Vec<String>, Box<Failure>> {
    match args.get(key) {
        None | Some(Json::Null) => Ok(Vec::new()),
        Some(Json::Array(items)) if items.iter().all(Json::is_string) => {
            Ok(items.iter().filter_map(Json::as_str).map(str::to_owned).collect())
        }
        Some(_) => Err(args.wrong(format!("{} must be a list of texts", quoted(key)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Class;
    use crate::context::Context;
    use crate::environment::Environment;

    const CATALOG: &str = r"
schema: t/catalog/v0
type_registry:
  - {id: core-node, schema: t/core-node/v0}
  - {id: cook, schema: t/cook/v0, extends: core-node}
  - id: dish
    schema: t/dish/v0
    extends: core-node
    summary: Something to eat.
    required_fields: [origin]
    edge_fields:
      - {id: made_by, target_type: cook, cardinality: one, storage: field}
      - {id: goes_with, target_type: dish, cardinality: many, storage: top-level, acyclic: true, renders: true}
nodes:
  - {schema: t/cook/v0, id: ada, title: Ada, status: active, visibility: public}
  - {schema: t/dish/v0, id: soup, title: Soup, status: hot, visibility: public, origin: home, edges: {made_by: [ada]}, goes_with: [bread]}
  - {schema: t/dish/v0, id: bread, title: Bread, status: cold, visibility: internal, goes_with: [soup, ada, nobody]}
";

    fn ask(op: &str, with: Json) -> Answer {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("c.yaml"), CATALOG).unwrap();
        let context = Context::bare(folder.path(), Environment::empty());
        let mut with = data(with);
        with.insert("catalog_path".to_owned(), json!("c.yaml"));
        crate::builtins().invoke(&format!("host.graph.{op}"), with, &context)
    }

    #[test]
    fn a_catalog_is_loaded_and_its_faults_are_told() {
        assert_eq!(
            ask("load", json!({})).unwrap()["node_ids"],
            json!(["ada", "bread", "soup"])
        );
        let issues = ask("lint", json!({})).unwrap();
        let found: Vec<&str> = issues["issues"]
            .as_array()
            .unwrap()
            .iter()
            .map(|i| i["kind"].as_str().unwrap())
            .collect();
        assert_eq!(
            found,
            ["cycle", "type-mismatch", "dangling-ref", "visibility-leak", "cycle"]
        );
    }

    #[test]
    fn a_type_is_explained_with_what_it_inherits() {
        let found = ask("query", json!({"mode": "explain-type", "target": "dish"})).unwrap();
        assert_eq!(found["ancestry"], json!(["core-node", "dish"]));
        assert_eq!(found["edge_fields"][0]["id"], "goes_with");
        let census = ask("type_census", json!({"type_id": "dish"})).unwrap();
        assert_eq!(census["status_breakdown"], json!({"hot": 1, "cold": 1}));
        assert_eq!(
            ask("type_census", json!({})).unwrap()["types"]
                .as_array()
                .unwrap()
                .len(),
            2
        );
    }

    #[test]
    fn nodes_are_got_found_and_walked() {
        let got = ask("get", json!({"ids": ["soup", "sup"], "fields": ["origin"]})).unwrap();
        assert_eq!(
            got["nodes"][0]["edges"],
            json!({"goes_with": ["bread"], "made_by": ["ada"]})
        );
        assert_eq!(got["nodes"][0]["fields"], json!({"origin": "home"}));
        assert_eq!(got["missing"][0]["suggestions"][0], "soup");
        let found = ask("find", json!({"type": "core-node", "text": "a", "limit": 1})).unwrap();
        assert_eq!((&found["total"], &found["truncated"]), (&json!(3), &json!(true)));
        let walked = ask("neighbors", json!({"id": "ada", "depth": 2})).unwrap();
        assert_eq!(walked["rows"][0]["id"], "ada");
        assert!(ask("neighbors", json!({"id": "ada", "direction": "up"})).is_err());
    }

    #[test]
    fn every_failure_is_of_infrastructure() {
        for (op, with) in [
            ("query", json!({"mode": "x"})),
            ("apply", json!({})),
            ("get", json!({"ids": []})),
        ] {
            assert_eq!(ask(op, with).unwrap_err().class, Class::Infra, "{op}");
        }
    }
}
