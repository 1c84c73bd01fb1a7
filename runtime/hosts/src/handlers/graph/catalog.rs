//! Catalogs: types that extend one another, and nodes with typed edges, in one file or a folder.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value as Json;

use crate::call::Data;
use crate::place;
use crate::plain::quoted;

/// The largest file of a catalog, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// A kind of edge.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Edge {
    pub(super) id: String,
    pub(super) target: String,
    pub(super) many: bool,
    pub(super) storage: String,
    pub(super) acyclic: bool,
    pub(super) renders: bool,
    pub(super) nests_under: bool,
}

/// A type with everything that it inherits.
#[derive(Debug, Clone, Default)]
pub(super) struct Type {
    pub(super) id: String,
    pub(super) schema: String,
    pub(super) extends: String,
    pub(super) summary: String,
    pub(super) required: Vec<String>,
    pub(super) edges: Vec<Edge>,
    /// From the root of the types down to this one.
    pub(super) ancestry: Vec<String>,
    /// Fields that must name a script of an assertion, by the check that wants them.
    pub(super) script_fields: Vec<(String, String)>,
}

/// A node.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) schema: String,
    pub(super) type_id: String,
    pub(super) title: String,
    pub(super) status: String,
    pub(super) visibility: String,
    pub(super) sources: Vec<String>,
    pub(super) edges: BTreeMap<String, Vec<String>>,
    /// Everything else.
    pub(super) fields: Data,
}

/// A catalog.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    pub(super) types: BTreeMap<String, Type>,
    pub(super) nodes: BTreeMap<String, Node>,
    pub(super) warnings: Vec<String>,
    /// The type and the edge that every public node of it must have.
    pub(super) membership: (String, String),
}

fn text<'a>(map: &'a Data, key: &str) -> &'a str {
    map.get(key).and_then(Json::as_str).unwrap_or_default()
}

fn texts(json: Option<&Json>) -> Vec<String> {
    match json {
        Some(Json::Array(items)) => items.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        Some(Json::String(one)) => vec![one.clone()],
        _ => Vec::new(),
    }
}

fn objects<'a>(json: Option<&'a Json>) -> impl Iterator<Item = &'a Data> + use<'a> {
    json.and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(Json::as_object)
}

fn read(path: &Path) -> Result<Json, String> {
    let shown = path.display();
    let text = place::read_text(path, MAX_FILE).map_err(|e| format!("read {shown}: {}", place::words(&e)))?;
    let read = kitsoki_starlark::document::read(&text).map_err(|e| format!("parse {shown}: {e}"))?;
    Ok(read.to_json())
}

impl Catalog {
    /// Loads a file or a folder, and nodes laid over it.
    pub(super) fn load(path: &Path, overlay: Option<&Path>) -> Result<Self, String> {
        let mut out = Self::default();
        let (types, nodes) = if path.is_dir() {
            let types = path.join("type_registry.yaml");
            let types = if types.exists() { read(&types)? } else { Json::Null };
            let mut files: Vec<_> = std::fs::read_dir(path.join("nodes"))
                .into_iter()
                .flatten()
                .filter_map(Result::ok)
                .map(|e| e.path())
                .filter(|p| p.extension().is_some_and(|e| e == "yaml"))
                .collect();
            files.sort();
            let mut nodes = Vec::new();
            for file in files {
                if let Json::Array(batch) = read(&file)? {
                    nodes.extend(batch);
                }
            }
            (types, Json::Array(nodes))
        } else {
            let file = read(path)?;
            let hint = file.pointer("/lint_hints/orphan_membership").and_then(Json::as_object);
            out.membership = match hint {
                Some(hint) => (text(hint, "type").to_owned(), text(hint, "edge").to_owned()),
                None => (String::new(), String::new()),
            };
            let part = |key: &str| file.get(key).cloned().unwrap_or_default();
            (part("type_registry"), part("nodes"))
        };
        if out.membership.0.is_empty() {
            out.membership = ("feature".to_owned(), "in_area".to_owned());
        }
        out.add_types(&types)?;
        out.add_nodes(&nodes)?;
        if let Some(overlay) = overlay {
            let file = read(overlay)?;
            out.add_nodes(file.get("nodes").unwrap_or(&Json::Null))?;
        }
        Ok(out)
    }

    fn add_types(&mut self, declared: &Json) -> Result<(), String> {
        let mut raw: BTreeMap<String, Data> = BTreeMap::new();
        for one in objects(Some(declared)) {
            let id = text(one, "id").to_owned();
            if !is_kebab(&id) {
                return Err(format!("type registry: type id {} is not kebab-case", quoted(&id)));
            }
            if raw.insert(id.clone(), one.clone()).is_some() {
                return Err(format!("type registry: duplicate type id {}", quoted(&id)));
            }
        }
        let ids: Vec<String> = raw.keys().cloned().collect();
        for id in ids {
            self.resolve(&id, &raw, &mut Vec::new())?;
        }
        Ok(())
    }

    fn resolve(&mut self, id: &str, raw: &BTreeMap<String, Data>, chain: &mut Vec<String>) -> Result<Type, String> {
        if let Some(done) = self.types.get(id) {
            return Ok(done.clone());
        }
        chain.push(id.to_owned());
        let way = chain.join(" -> ");
        if chain.len() > 100 || chain.iter().filter(|c| *c == id).count() > 1 {
            return Err(format!("type registry: cyclic extends chain: {way}"));
        }
        let Some(declared) = raw.get(id) else {
            return Err(format!(
                "type registry: unknown type {} referenced by extends chain {way}",
                quoted(id)
            ));
        };
        let old = text(declared, "derives_from");
        let extends = match text(declared, "extends") {
            "" => old,
            extends => extends,
        };
        if text(declared, "extends").is_empty() && !old.is_empty() {
            let warning = format!(
                "type {} uses the old word derives_from; the word is extends",
                quoted(id)
            );
            self.warnings.push(warning);
        }
        let mut out = if extends.is_empty() {
            Type::default()
        } else {
            self.resolve(extends, raw, chain)?
        };
        id.clone_into(&mut out.id);
        text(declared, "schema").clone_into(&mut out.schema);
        extends.clone_into(&mut out.extends);
        text(declared, "summary").clone_into(&mut out.summary);
        for field in texts(declared.get("required_fields")) {
            if !out.required.contains(&field) {
                out.required.push(field);
            }
        }
        for edge in objects(declared.get("edge_fields")) {
            let edge = Edge::parse(id, edge)?;
            match out.edges.iter().find(|e| e.id == edge.id) {
                None => out.edges.push(edge),
                Some(same) if *same == edge => {}
                Some(_) => {
                    let edge = quoted(&edge.id);
                    return Err(format!(
                        "type registry: {} redeclares inherited edge field {edge}",
                        quoted(id)
                    ));
                }
            }
        }
        if !extends.is_empty() {
            out.edges.sort_by(|a, b| a.id.cmp(&b.id));
        }
        if let Some(materialize) = declared.get("materialize") {
            let checks = objects(materialize.get("checks"));
            let named = checks.map(|c| (text(c, "id").to_owned(), text(c, "script_field").to_owned()));
            out.script_fields = named.filter(|(_, field)| !field.is_empty()).collect();
        } else {
            out.script_fields.clear();
        }
        out.ancestry.push(id.to_owned());
        self.types.insert(id.to_owned(), out.clone());
        chain.pop();
        Ok(out)
    }

    fn add_nodes(&mut self, declared: &Json) -> Result<(), String> {
        for one in objects(Some(declared)) {
            let node = self.node(one)?;
            let id = node.id.clone();
            if self.nodes.insert(id.clone(), node).is_some() {
                return Err(format!("duplicate node id {}", quoted(&id)));
            }
        }
        Ok(())
    }

    fn node(&self, declared: &Data) -> Result<Node, String> {
        let id = text(declared, "id");
        let shown = quoted(id);
        if !is_kebab(id) {
            return Err(format!("node {shown} is not a kebab-case id"));
        }
        for key in ["schema", "title", "status", "visibility"] {
            if text(declared, key).is_empty() {
                return Err(format!("node {shown} missing {key}"));
            }
        }
        let schema = text(declared, "schema");
        let parts: Vec<&str> = schema.split('/').collect();
        let [_, type_id, _] = parts.as_slice() else {
            return Err(format!(
                "node {shown}: schema {} must have the form pack/type/version",
                quoted(schema)
            ));
        };
        let Some(kind) = self.types.get(*type_id) else {
            return Err(format!("node {shown} has unknown type {}", quoted(type_id)));
        };
        let visibility = text(declared, "visibility");
        if !matches!(visibility, "public" | "internal") {
            return Err(format!("node {shown} has invalid visibility {}", quoted(visibility)));
        }
        let own = ["schema", "id", "title", "status", "visibility", "sources", "edges"];
        let edges = declared.get("edges").and_then(Json::as_object);
        let node = Node {
            id: id.to_owned(),
            schema: schema.to_owned(),
            type_id: (*type_id).to_owned(),
            title: text(declared, "title").to_owned(),
            status: text(declared, "status").to_owned(),
            visibility: visibility.to_owned(),
            sources: texts(declared.get("sources")),
            edges: edges
                .into_iter()
                .flatten()
                .map(|(k, v)| (k.clone(), texts(Some(v))))
                .collect(),
            fields: declared
                .iter()
                .filter(|(k, _)| !own.contains(&k.as_str()))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect(),
        };
        for edge in &kind.edges {
            let count = node.targets(edge).len();
            if !edge.many && count > 1 {
                let edge = quoted(&edge.id);
                return Err(format!("node {shown} edge {edge} leads to one node, not to {count}"));
            }
        }
        Ok(node)
    }

    /// Whether a type is another or extends it.
    pub(super) fn is_a(&self, id: &str, ancestor: &str) -> bool {
        self.types
            .get(id)
            .is_some_and(|t| t.ancestry.iter().any(|a| a == ancestor))
    }

    /// The edges of a node's type with the node's targets.
    pub(super) fn edges_of<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = (&'a Edge, Vec<String>)> {
        let edges = self
            .types
            .get(&node.type_id)
            .map(|t| t.edges.as_slice())
            .unwrap_or_default();
        edges.iter().map(|edge| (edge, node.targets(edge)))
    }

    /// For each node who leads to it, and by which edge.
    pub(super) fn incoming(&self) -> BTreeMap<String, Vec<(String, String)>> {
        let mut out: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for node in self.nodes.values() {
            for (edge, targets) in self.edges_of(node) {
                for target in targets {
                    out.entry(target).or_default().push((node.id.clone(), edge.id.clone()));
                }
            }
        }
        out
    }

    /// The three ids that are most like a wrong one.
    pub(super) fn nearest(&self, wanted: &str) -> Vec<&String> {
        let mut ids: Vec<(usize, &String)> = self.nodes.keys().map(|id| (distance(wanted, id), id)).collect();
        ids.sort();
        ids.into_iter().take(3).map(|(_, id)| id).collect()
    }
}

impl Edge {
    fn parse(owner: &str, declared: &Data) -> Result<Self, String> {
        let flag = |key: &str| declared.get(key).and_then(Json::as_bool).unwrap_or(false);
        let id = text(declared, "id").to_owned();
        let many = match text(declared, "cardinality") {
            "one" => false,
            "many" => true,
            other => {
                let (owner, id, other) = (quoted(owner), quoted(&id), quoted(other));
                return Err(format!(
                    "type {owner} edge field {id}: cardinality must be \"one\" or \"many\", got {other}"
                ));
            }
        };
        Ok(Self {
            id,
            target: text(declared, "target_type").to_owned(),
            many,
            storage: text(declared, "storage").to_owned(),
            acyclic: flag("acyclic"),
            renders: flag("renders"),
            nests_under: flag("nests_under"),
        })
    }

    /// Whether the targets stand beside the node's other fields instead of below `edges`.
    fn is_field(&self) -> bool {
        matches!(self.storage.as_str(), "top-level" | "top_level")
    }
}

impl Node {
    pub(super) fn targets(&self, edge: &Edge) -> Vec<String> {
        if edge.is_field() {
            texts(self.fields.get(&edge.id))
        } else {
            self.edges.get(&edge.id).cloned().unwrap_or_default()
        }
    }
}

fn is_kebab(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// How many letters must change to make one text of another.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(200).collect();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().take(200).enumerate() {
        let mut line = vec![i + 1];
        for (j, d) in b.iter().enumerate() {
            let at = |line: &[usize], j: usize| line.get(j).copied().unwrap_or(usize::MAX / 2);
            let changed = at(&above, j) + usize::from(c != *d);
            line.push(changed.min(at(&above, j + 1) + 1).min(at(&line, j) + 1));
        }
        above = line;
    }
    above.last().copied().unwrap_or_default()
}
