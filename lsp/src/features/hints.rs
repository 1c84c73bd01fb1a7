//! What a line does not say and a reader wants to know: the effect class of a call, where a short name leads, which arm is
//! left when no guard holds.

use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::pipeline;
use kitsoki_syntax::{Entry, NodeId, NodeKind, TextRange, TextSize, Tree};

use super::symbol_at::packages;
use super::{Snapshot, facts};
use crate::index::form::start;
use crate::index::hosts;
use crate::index::language;
use crate::index::names::pieces;
use crate::index::resolve::{package_names, symbol};
use crate::index::schema::{Kind, Sem, Ty};
use crate::index::walk::{KeyOf, Scope, Visitor, scalar, walk};

/// One hint, shown behind a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Behind which byte.
    pub at: TextSize,
    /// What is shown.
    pub label: String,
    /// A sentence about it.
    pub tooltip: String,
}

/// The hints of a range of a file.
#[must_use]
pub fn hints(snapshot: &Snapshot, file: SourceFile, within: TextRange) -> Vec<Hint> {
    let db = &snapshot.db;
    let package = packages(snapshot, file).first().copied();
    let mut out = Vec::new();
    if package.is_none() {
        return out;
    }
    for piece in pieces(db, file) {
        let Some(text) = piece.file.shown_text(db) else {
            continue;
        };
        let all = TextRange::at(piece.offset, TextSize::of(&**text));
        if within.intersect(all).is_none() {
            continue;
        }
        let tree = &pipeline::shown_parse(db, piece.file).tree;
        let Some(root) = tree.root() else { continue };
        let mut found = Finder {
            snapshot,
            package,
            tree,
            out: Vec::new(),
        };
        walk(tree, root, start(db, piece.file), &mut Scope::default(), &mut found);
        out.extend(found.out.into_iter().map(|h| Hint {
            at: h.at + piece.offset,
            ..h
        }));
    }
    out.retain(|h| within.contains_inclusive(h.at));
    out.sort_by_key(|h| h.at);
    out
}

struct Finder<'a> {
    snapshot: &'a Snapshot,
    package: Option<SourceFile>,
    tree: &'a Tree,
    out: Vec<Hint>,
}

impl Finder<'_> {
    fn push(&mut self, node: NodeId, label: String, tooltip: String) {
        self.out.push(Hint {
            at: self.tree.node(node).range.end(),
            label,
            tooltip,
        });
    }

    /// The effect class of a verb, or of an operation of an interface.
    fn verb(&mut self, node: NodeId, text: &str) {
        if let Some(rest) = text.strip_prefix("iface.") {
            let (Some(package), Some((name, operation))) = (self.package, rest.split_once('.')) else {
                return;
            };
            let found = symbol(&self.snapshot.db, package, Kind::Interface, name, "");
            let manifest = facts::manifest(self.snapshot, found.manifest);
            let interface = manifest.host_interfaces.as_ref().and_then(|i| i.value.get(&found.name));
            let declared = interface
                .and_then(|i| i.operations.as_ref())
                .and_then(|o| o.value.get(operation));
            let effect = declared.and_then(|o| o.effect.as_ref()).map(|e| e.as_str().to_owned());
            if let Some(effect) = effect.filter(|e| language::CLASSES.contains(&e.as_str())) {
                self.push(node, effect, "effect class of the operation".to_owned());
            }
        } else if let Some(verb) = hosts::find(text) {
            self.push(node, verb.effect.to_owned(), "effect class of the verb".to_owned());
        }
    }

    /// The effect class of an agent.
    fn agent(&mut self, node: NodeId, text: &str) {
        let Some(package) = self.package else { return };
        let found = symbol(&self.snapshot.db, package, Kind::Agent, text, "");
        let manifest = facts::manifest(self.snapshot, found.manifest);
        let agent = manifest.agents.as_ref().and_then(|a| a.value.get(&found.name));
        let effect = agent.and_then(|a| a.effect.as_ref()).map(|e| e.as_str().to_owned());
        if let Some(effect) = effect.filter(|e| language::CLASSES.contains(&e.as_str())) {
            self.push(node, effect, "effect class of the agent".to_owned());
        }
    }

    /// The whole path behind a relative target.
    fn target(&mut self, node: NodeId, text: &str, scope: &Scope) {
        let room = scope.room();
        let short = text.starts_with("..") || text == ".";
        if !short || room.is_empty() || room.contains('{') {
            return;
        }
        if let Some(path) = kitsoki_compiler::rules::cx::resolve_target(room, text) {
            let known = self.package.is_none_or(|p| {
                let names = package_names(&self.snapshot.db, p);
                !names.declarations(Kind::State, &path, "").is_empty()
            });
            if known {
                self.push(node, format!("→ {path}"), "the room that this means here".to_owned());
            }
        }
    }
}

impl Visitor for Finder<'_> {
    fn key(&mut self, _entry: Entry, _of: KeyOf, _scope: &Scope) {}

    fn value(&mut self, node: NodeId, ty: &Ty, _scope: &Scope) {
        // The arm that is taken when no guard before it holds.
        let Ty::List(item) = ty else { return };
        let arms = matches!(item, Ty::Decl(decl) if decl.is(&language::ARC));
        let NodeKind::Sequence(items) = &self.tree.node(node).kind else {
            return;
        };
        if !arms || items.len() < 2 {
            return;
        }
        let guarded = |id: &NodeId| match &self.tree.node(*id).kind {
            NodeKind::Mapping(entries) => entries
                .iter()
                .any(|e| scalar(self.tree, e.key).is_some_and(|k| k == "when" || k == "default")),
            _ => true,
        };
        if let Some(last) = items.last().filter(|last| !guarded(last))
            && let NodeKind::Mapping(entries) = &self.tree.node(*last).kind
            && let Some(first) = entries.first()
        {
            let at = self.tree.node(first.value).range.end();
            if matches!(self.tree.node(first.value).kind, NodeKind::Scalar(_)) {
                self.out.push(Hint {
                    at,
                    label: "otherwise".to_owned(),
                    tooltip: "taken when no guard above holds".to_owned(),
                });
            }
        }
    }

    fn scalar(&mut self, node: NodeId, ty: &Ty, scope: &Scope) {
        let (Ty::Text(sem) | Ty::Any(sem)) = ty else { return };
        let Some(text) = scalar(self.tree, node).cloned() else {
            return;
        };
        match sem {
            Sem::Verb => self.verb(node, &text),
            Sem::Name(Kind::Agent, _) => self.agent(node, &text),
            Sem::Target => self.target(node, &text, scope),
            _ => {}
        }
    }
}
