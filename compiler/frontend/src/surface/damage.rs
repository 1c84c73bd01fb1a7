//! Which tables of names a file with faults may lack: a fault in one section says nothing about the names of another.
//!
//! Only where the reader is sure of the borders: every line that begins like a section is one, and the fault and what was
//! passed over because of it lie inside of one section, for rooms inside of one room. Otherwise everything may be missing.

use kitsoki_syntax::{Fault, FaultKind, NodeId, NodeKind, Parse, Severity, TextRange, Tree};

use crate::story::Incomplete;

/// What may be missing of a file.
pub(crate) fn of(parsed: &Parse, text: &str) -> Incomplete {
    let errors: Vec<&Fault> = parsed.faults.iter().filter(|f| f.severity == Severity::Error).collect();
    if errors.is_empty() {
        return Incomplete::default();
    }
    sections(parsed, text, &errors).unwrap_or_else(Incomplete::all)
}

fn sections(parsed: &Parse, text: &str, errors: &[&Fault]) -> Option<Incomplete> {
    let tree = &parsed.tree;
    let [root] = tree.documents() else { return None };
    let sections = Borders::of(tree, *root, text.len())?;
    if errors.iter().any(|f| !is_local(f.kind)) || !every_section_is_read(text, &sections) {
        return None;
    }
    // Faults first: what was passed over is told by one of them.
    let places = errors.iter().map(|f| f.range).chain(tree.skipped().iter().copied());
    let mut missing = Incomplete::default();
    let mut rooms: Vec<NodeId> = Vec::new();
    let end = text.trim_end().len();
    for (number, place) in places.enumerate() {
        // Behind a fault at the end the file may go on: it may have been cut off.
        if usize::from(place.end()) >= end {
            return None;
        }
        let (name, value, whole) = sections.around(place)?;
        match name {
            "states" => {
                let inside = Borders::of(tree, value, usize::from(whole.end()))?;
                let (_, room, body) = inside.around(place)?;
                // A room in which something was passed over is known by a fault in it.
                if number < errors.len() && place.start() <= tree.node(room).range.end() {
                    rooms.push(room);
                }
                // The macro of a room adds names for all.
                let body = text.get(std::ops::Range::<usize>::from(body))?;
                if !rooms.contains(&room) || body.contains("workbench") || body.contains("capture") {
                    return None;
                }
                missing.states = true;
            }
            "intents" => missing.intents = true,
            "world" => missing.world = true,
            "agents" => missing.agents = true,
            "hosts" | "host_interfaces" => missing.hosts = true,
            "operations" => missing.operations = true,
            "toolboxes" | "providers" | "agent_plugins" => {
                missing.agents = true;
                missing.other = true;
            }
            "exits" | "proposals" | "routing" | "app" | "decider" | "meta_modes" => missing.other = true,
            // Imports, includes and phases bring names of every kind; what an unknown key brings nobody knows.
            _ => return None,
        }
    }
    Some(missing)
}

/// Whether a fault says nothing about the rest of the file.
fn is_local(kind: FaultKind) -> bool {
    !matches!(
        kind,
        FaultKind::EmptyDocument
            | FaultKind::Depth
            | FaultKind::TooLarge
            | FaultKind::TooManyNodes
            | FaultKind::AliasBudget
            | FaultKind::NotUtf8
            | FaultKind::ControlCharacter
    )
}

/// The entries of a block mapping, each from its key to the next one.
struct Borders<'t> {
    tree: &'t Tree,
    entries: Vec<(NodeId, NodeId, TextRange)>,
}

impl<'t> Borders<'t> {
    fn of(tree: &'t Tree, id: NodeId, end: usize) -> Option<Self> {
        let node = tree.node(id);
        let NodeKind::Mapping(own) = &node.kind else {
            return None;
        };
        if node.flow || own.iter().any(|e| tree.is_merge_key(e.key)) {
            return None;
        }
        let starts = own.iter().map(|e| usize::from(tree.node(e.key).range.start()));
        let ends = starts.clone().skip(1).chain([end]);
        let entries = own.iter().zip(starts.zip(ends));
        Some(Self {
            tree,
            entries: entries
                .filter(|(_, (a, b))| a <= b)
                .map(|(e, (a, b))| (e.key, e.value, kitsoki_syntax::text_range(a, b)))
                .collect(),
        })
    }

    /// The entry that holds a place: its key, its value, its bytes.
    fn around(&self, place: TextRange) -> Option<(&'t str, NodeId, TextRange)> {
        let (key, value, whole) = self.entries.iter().find(|(_, _, whole)| whole.contains_range(place))?;
        match &self.tree.node(*key).kind {
            NodeKind::Scalar(scalar) => Some((&scalar.text, *value, *whole)),
            _ => None,
        }
    }
}

/// Whether no section was swallowed by a text or a bracket that is never closed.
fn every_section_is_read(text: &str, sections: &Borders<'_>) -> bool {
    let mut at = 0;
    text.split_inclusive('\n').all(|line| {
        let start = at;
        at += line.len();
        let name = line
            .bytes()
            .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
            .count();
        let begins = name > 0 && line.as_bytes().get(name) == Some(&b':');
        !begins
            || sections
                .entries
                .iter()
                .any(|(_, _, whole)| usize::from(whole.start()) == start)
    })
}
