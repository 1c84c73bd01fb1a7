//! A graph as a Mermaid flowchart, which many documentation tools draw.

use std::collections::{HashMap, HashSet};

use super::{Edge, Graph, Node, NodeKind, shorten};

pub(super) type Inside = HashMap<Option<usize>, Vec<usize>>;

/// Texts beside one arrow before the rest is only counted.
const MOST: usize = 4;

/// The text of a Mermaid flowchart.
#[must_use]
pub fn to_mermaid(graph: &Graph) -> String {
    let mut out = String::from("flowchart TD\n");
    out.push_str("  classDef start stroke-width:3px\n  classDef terminal stroke-width:3px,stroke-dasharray:0\n");
    out.push_str("  classDef open stroke-dasharray:4 3\n");
    let spokesmen = graph.spokesmen();
    nodes(graph, &spokesmen, &graph.inside(), None, 1, &mut out);
    for (edge, texts) in graph.joined() {
        out.push_str(&arrow(graph, &spokesmen, edge, &texts));
    }
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
        if inside.contains_key(&Some(index)) {
            out.push_str(&format!(
                "{pad}subgraph n{index}[\"{}\"]\n",
                escape(&label(graph, index, node))
            ));
            if spokesmen.contains(&index) {
                out.push_str(&format!("{pad}  n{index}any([\"anywhere in it\"]):::open\n"));
            }
            nodes(graph, spokesmen, inside, Some(index), depth + 1, out);
            out.push_str(&format!("{pad}end\n"));
            continue;
        }
        let text = escape(&label(graph, index, node));
        let shape = match node {
            Node { terminal: true, .. } => format!("([\"{text}\"])"),
            Node {
                kind: NodeKind::Template | NodeKind::Unknown,
                ..
            } => format!("{{{{\"{text}\"}}}}"),
            _ => format!("[\"{text}\"]"),
        };
        let class = match node {
            _ if graph.root == Some(index) || node.initial => ":::start",
            Node { terminal: true, .. } => ":::terminal",
            Node {
                kind: NodeKind::Template | NodeKind::Unknown,
                ..
            } => ":::open",
            _ => "",
        };
        out.push_str(&format!("{pad}n{index}{shape}{class}\n"));
    }
}

/// What stands in a node: its own name below its frame, the whole path at the top.
pub(super) fn label(graph: &Graph, index: usize, node: &Node) -> String {
    let name = match (node.parent, node.kind) {
        (Some(_), NodeKind::Atomic | NodeKind::Compound | NodeKind::Parallel) => {
            node.path.rsplit('.').next().unwrap_or_default()
        }
        _ => node.path.as_str(),
    };
    let mut text = if graph.root == Some(index) || node.initial {
        format!("▶ {}", shorten(name))
    } else {
        shorten(name)
    };
    if node.import.is_some() {
        text.push_str(" (import)");
    } else if node.kind == NodeKind::Parallel {
        text.push_str(" (parallel)");
    }
    text
}

/// The texts beside an arrow: the first few, and how many are not told.
pub(super) fn told(texts: &[String]) -> Vec<String> {
    let mut told: Vec<String> = texts.iter().take(MOST).cloned().collect();
    if texts.len() > MOST {
        told.push(format!("and {} more", texts.len() - MOST));
    }
    told
}

fn arrow(graph: &Graph, spokesmen: &HashSet<usize>, edge: &Edge, texts: &[String]) -> String {
    let line = if edge.is_automatic() { "-.->" } else { "-->" };
    let told: Vec<String> = told(texts).iter().map(|text| escape(text)).collect();
    let (from, to) = ends(graph, spokesmen, edge);
    format!("  {from} {line}|\"{}\"| {to}\n", told.join("<br>"))
}

/// The names of the nodes that an edge connects in a picture.
pub(super) fn ends(graph: &Graph, spokesmen: &HashSet<usize>, edge: &Edge) -> (String, String) {
    let name = |index: usize, spoken_for: bool| {
        let any = if spoken_for { "any" } else { "" };
        format!("n{index}{any}")
    };
    let to = spokesmen.contains(&edge.to) && graph.is_within(edge.from, edge.to);
    (name(edge.from, spokesmen.contains(&edge.from)), name(edge.to, to))
}

/// A text in double quotes: nothing in it is markup.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '<' | '>' | '&' | '#' | ';' | '`' => {
                out.push_str(&format!("#{};", u32::from(c)));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
