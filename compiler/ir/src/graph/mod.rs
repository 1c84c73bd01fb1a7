//! A story as a graph: rooms, and what leads from one to another, for pictures.
//!
//! What an operator causes is an arc; what nobody asks for (an intent that an effect queues, a timeout, a failed or finished
//! host call) is another kind of edge and is drawn dashed. What the program itself adds to every story is left out unless
//! it is asked for. [`Graph`] is plain data: [`to_dot`] and [`to_mermaid`] draw it, serde stores it.

mod build;
mod dot;
mod mermaid;

pub use build::graph;
pub use dot::to_dot;
pub use mermaid::to_mermaid;

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use smol_str::SmolStr;

/// A story as a graph.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Graph {
    /// Application id.
    pub id: SmolStr,
    /// Title, or the id.
    pub title: SmolStr,
    /// The story's folder: base of [`Place::file`].
    pub dir: SmolStr,
    /// Index of the room in which a session begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<usize>,
    /// Rooms, parents before children.
    pub nodes: Vec<Node>,
    /// What leads from one to another, by room in the order of declaration.
    pub edges: Vec<Edge>,
}

/// A room, or a place that only a template knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Node {
    /// Dotted path; for a template its text.
    pub path: SmolStr,
    /// Index of the room around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// What it is.
    pub kind: NodeKind,
    /// Alias, when it is the wrapper of an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Option<SmolStr>,
    /// The child of the room around it that is entered first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub initial: bool,
    /// End state.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub terminal: bool,
    /// Location line.
    #[serde(skip_serializing_if = "SmolStr::is_empty")]
    pub description: SmolStr,
    /// Where it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// What a [`Node`] is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// A session rests in it.
    Atomic,
    /// One of its children is entered.
    Compound,
    /// All of its children are entered.
    Parallel,
    /// A target that is known only when a session runs.
    Template,
    /// A name that no room has.
    Unknown,
}

/// What leads from one room to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Edge {
    /// Index of a node.
    pub from: usize,
    /// Index of a node; the same as `from` for an arc that stays.
    pub to: usize,
    /// What causes it.
    pub kind: EdgeKind,
    /// The intent, the host verb or the duration.
    pub label: SmolStr,
    /// The guard as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<SmolStr>,
    /// Taken when no arm before it was.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub default: bool,
    /// It does not leave the room.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stays: bool,
    /// Where it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// What causes an [`Edge`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// An intent of the operator.
    Arc,
    /// An intent that an effect queues.
    Emit,
    /// Time.
    Timeout,
    /// A host call that failed.
    Error,
    /// A background job that ended.
    Complete,
}

/// A place in the author's files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    /// Relative to the story's folder where it lies in it.
    pub file: SmolStr,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

impl Edge {
    /// Whether nobody asks for it: drawn dashed.
    #[must_use]
    pub fn is_automatic(&self) -> bool {
        self.kind != EdgeKind::Arc
    }

    /// What is written beside it.
    #[must_use]
    pub fn text(&self) -> String {
        let label = &self.label;
        let mut text = match self.kind {
            EdgeKind::Arc => label.to_string(),
            EdgeKind::Emit => format!("emits {label}"),
            EdgeKind::Timeout => format!("after {label}"),
            EdgeKind::Error => format!("{label} fails"),
            EdgeKind::Complete => format!("{label} ends"),
        };
        if let Some(guard) = &self.guard {
            text.push_str(&format!(" [{}]", shorten(guard)));
        } else if self.default {
            text.push_str(" [otherwise]");
        }
        text
    }
}

/// Characters of a guard that fit into a picture.
const WIDTH: usize = 60;

/// A text on one line, cut to what fits into a picture.
pub(crate) fn shorten(text: &str) -> String {
    let mut short = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == WIDTH {
            short.push('…');
            break;
        }
        short.push(if c.is_control() { ' ' } else { c });
    }
    short
}

impl Graph {
    /// The nodes inside of each node, and at the top. A node that holds others is drawn as a frame.
    #[must_use]
    pub fn inside(&self) -> HashMap<Option<usize>, Vec<usize>> {
        let mut inside: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        for (index, node) in self.nodes.iter().enumerate() {
            inside.entry(node.parent).or_default().push(index);
        }
        inside
    }

    /// The nodes with an edge of their own or from within: what is true in every room inside of them. In a picture such an edge
    /// cannot begin or end at the frame; a node in it stands for it.
    #[must_use]
    pub fn spokesmen(&self) -> HashSet<usize> {
        let frames = self.inside();
        let mut out = HashSet::new();
        for edge in &self.edges {
            if frames.contains_key(&Some(edge.from)) {
                out.insert(edge.from);
            }
            if frames.contains_key(&Some(edge.to)) && self.is_within(edge.from, edge.to) {
                out.insert(edge.to);
            }
        }
        out
    }

    /// Whether a node is another one or inside of it.
    #[must_use]
    pub fn is_within(&self, node: usize, frame: usize) -> bool {
        // A parent comes before its children, so the way outwards ends.
        std::iter::successors(Some(node), |at| {
            self.nodes.get(*at)?.parent.filter(|parent| parent < at)
        })
        .any(|at| at == frame)
    }

    /// Edges between the same rooms of the same kind, with all their texts.
    #[must_use]
    pub fn joined(&self) -> Vec<(&Edge, Vec<String>)> {
        let mut out: Vec<(&Edge, Vec<String>)> = Vec::new();
        let mut at = HashMap::new();
        for edge in &self.edges {
            let key = (edge.from, edge.to, edge.is_automatic());
            let index = *at.entry(key).or_insert_with(|| {
                out.push((edge, Vec::new()));
                out.len() - 1
            });
            let text = edge.text();
            if let Some((_, texts)) = out.get_mut(index).filter(|(_, texts)| !texts.contains(&text)) {
                texts.push(text);
            }
        }
        out
    }
}
