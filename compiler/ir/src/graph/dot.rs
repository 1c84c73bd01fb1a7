//! A graph in the language of Graphviz.

use std::collections::HashSet;

use super::mermaid::{Inside, ends, label, told};
use super::{Graph, Node, NodeKind};

/// The text of a Graphviz digraph.
#[must_use]
pub fn to_dot(graph: &Graph) -> String {
    let mut out = format!("digraph \"{}\" {{\n", escape(&graph.id));
    out.push_str("  compound=true\n  rankdir=TB\n  node [shape=box, style=rounded, fontname=\"sans-serif\"]\n");
    out.push_str("  edge [fontname=\"sans-serif\", fontsize=10]\n");
    out.push_str(&format!("  label=\"{}\"\n", escape(&graph.title)));
    let inside = graph.inside();
    let spokesmen = graph.spokesmen();
    nodes(graph, &spokesmen, &inside, None, 1, &mut out);
    for (edge, texts) in graph.joined() {
        let told: Vec<String> = told(&texts).iter().map(|text| escape(text)).collect();
        let mut attributes = vec![format!("label=\"{}\"", told.join("\\n"))];
        // An edge into a frame ends at its border: a point inside of it stands for it.
        let (from, to) = ends(graph, &spokesmen, edge);
        if inside.contains_key(&Some(edge.to)) && !to.ends_with("any") {
            attributes.push(format!("lhead=cluster_{}", edge.to));
        }
        if edge.is_automatic() {
            attributes.push("style=dashed".to_owned());
        }
        out.push_str(&format!("  {from} -> {to} [{}]\n", attributes.join(", ")));
    }
    out.push_str("}\n");
    out
}

fn nodes(
    graph: &Graph,
    spokesmen: &HashSet<usize>,
    inside: &Inside,
    parent: Option<usize>,
    depth: usize,
    out: &mut String,
) {
    let pad = "  ".repeat(depth);
    for index in inside.get(&parent).into_iter().flatten().copied() {
        let Some(node) = graph.nodes.get(index) else { continue };
        let text = escape(&label(graph, index, node));
        if inside.contains_key(&Some(index)) {
            out.push_str(&format!(
                "{pad}subgraph cluster_{index} {{\n{pad}  label=\"{text}\"\n{pad}  style=rounded\n"
            ));
            out.push_str(&format!("{pad}  n{index} [shape=point, style=invis, width=0]\n"));
            if spokesmen.contains(&index) {
                out.push_str(&format!(
                    "{pad}  n{index}any [label=\"anywhere in it\", style=dashed]\n"
                ));
            }
            nodes(graph, spokesmen, inside, Some(index), depth + 1, out);
            out.push_str(&format!("{pad}}}\n"));
            continue;
        }
        let more = match node {
            _ if graph.root == Some(index) || node.initial => ", penwidth=2",
            Node { terminal: true, .. } => ", peripheries=2",
            Node {
                kind: NodeKind::Template | NodeKind::Unknown,
                ..
            } => ", style=dashed",
            _ => "",
        };
        out.push_str(&format!("{pad}n{index} [label=\"{text}\"{more}]\n"));
    }
}

/// A text in double quotes. Its backslashes are those of the author, not commands.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
