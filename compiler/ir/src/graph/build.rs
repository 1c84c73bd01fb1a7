//! The graph of a story.

use std::collections::HashMap;

use smol_str::SmolStr;

use super::{Edge, EdgeKind, Graph, Node, NodeKind, Place};
use crate::arc::{Guard, Target};
use crate::arena::{ExprId, OriginId, StateId, TemplateId};
use crate::code::Text;
use crate::effect::{Action, Effect, Emit, Redirect};
use crate::provenance::Made;
use crate::state::{State, StateKind};
use crate::story::Story;

/// The graph of a story; with `all`, also what the program adds to every story.
#[must_use]
pub fn graph(story: &Story, all: bool) -> Graph {
    let mut build = Build {
        story,
        all,
        nodes: Vec::new(),
        edges: Vec::new(),
        places: HashMap::new(),
        others: HashMap::new(),
    };
    for (id, state) in story.states.pairs() {
        build.room(id, state);
    }
    for (id, state) in story.states.pairs() {
        if let Some(from) = build.places.get(&id).copied() {
            build.edges_of(id, state, from);
        }
    }
    let title = [&story.app.title, &story.app.id]
        .into_iter()
        .find(|text| !text.is_empty());
    Graph {
        id: story.app.id.clone(),
        title: title.cloned().unwrap_or_default(),
        dir: story.dir.clone(),
        root: story.root.and_then(|root| build.places.get(&root).copied()),
        nodes: build.nodes,
        edges: build.edges,
    }
}

struct Build<'s> {
    story: &'s Story,
    all: bool,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    places: HashMap<StateId, usize>,
    /// Templates and unknown names as targets.
    others: HashMap<(NodeKind, SmolStr), usize>,
}

/// What is known of an edge before its end.
struct Cause {
    kind: EdgeKind,
    label: SmolStr,
    guard: Option<SmolStr>,
    default: bool,
    at: OriginId,
    /// The room that owns it.
    owner: StateId,
    from: usize,
}

impl Build<'_> {
    /// Whether the program adds this to every story.
    fn is_added(&self, at: OriginId) -> bool {
        let made = self.story.provenance.made(at);
        !self.all && matches!(made, Some(Made::StoryAuthoring | Made::MetaModes | Made::Builtin))
    }

    fn place(&self, at: OriginId) -> Option<Place> {
        let origin = self.story.provenance.origins.get(at)?;
        let file = self.story.provenance.files.get(origin.file? as usize)?;
        Some(Place {
            file: file.clone(),
            line: origin.line,
            column: origin.column,
        })
    }

    fn expr(&self, id: ExprId) -> Option<SmolStr> {
        self.story.exprs.get(id).map(|expr| expr.text.clone())
    }

    fn template(&self, id: TemplateId) -> SmolStr {
        self.story.templates.get(id).map(|t| t.text.clone()).unwrap_or_default()
    }

    fn words(&self, text: &Text) -> SmolStr {
        match text {
            Text::Literal(text) => text.clone(),
            Text::Template(id) => self.template(*id),
        }
    }

    fn room(&mut self, id: StateId, state: &State) {
        if self.is_added(state.at) {
            return;
        }
        let parent = state.parent.and_then(|parent| self.story.states.get(parent));
        let initial = parent
            .is_some_and(|parent| parent.kind == StateKind::Compound && parent.initial.literal() == Some(state.name()));
        self.places.insert(id, self.nodes.len());
        self.nodes.push(Node {
            path: state.path.clone(),
            parent: state.parent.and_then(|parent| self.places.get(&parent).copied()),
            kind: match state.kind {
                StateKind::Atomic => NodeKind::Atomic,
                StateKind::Compound => NodeKind::Compound,
                StateKind::Parallel => NodeKind::Parallel,
            },
            import: state.import_alias.clone(),
            initial,
            terminal: state.terminal,
            description: state.description.clone(),
            place: self.place(state.at),
        });
    }

    fn other(&mut self, kind: NodeKind, path: SmolStr) -> usize {
        if let Some(index) = self.others.get(&(kind, path.clone())) {
            return *index;
        }
        let index = self.nodes.len();
        self.nodes.push(Node {
            path: path.clone(),
            parent: None,
            kind,
            import: None,
            initial: false,
            terminal: false,
            description: SmolStr::default(),
            place: None,
        });
        self.others.insert((kind, path), index);
        index
    }

    fn push(&mut self, cause: &Cause, to: usize, stays: bool) {
        let edge = Edge {
            from: cause.from,
            to,
            kind: cause.kind,
            label: cause.label.clone(),
            guard: cause.guard.clone(),
            default: cause.default,
            stays,
            place: self.place(cause.at),
        };
        self.edges.push(edge);
    }

    fn edges_of(&mut self, id: StateId, state: &State, from: usize) {
        let story = self.story;
        for handler in &state.on {
            for arc in handler.arcs.iter().filter_map(|arc| story.arcs.get(*arc)) {
                if self.is_added(arc.at) {
                    continue;
                }
                let cause = Cause {
                    kind: EdgeKind::Arc,
                    label: handler.intent.clone(),
                    guard: match arc.guard {
                        Guard::When(expr) => self.expr(expr),
                        _ => None,
                    },
                    default: arc.guard == Guard::Default,
                    at: arc.at,
                    owner: id,
                    from,
                };
                let landing = match &arc.target {
                    Target::State(to) => *to,
                    _ => id,
                };
                match &arc.target {
                    Target::Stay => self.push(&cause, from, true),
                    Target::State(to) => match self.places.get(to).copied() {
                        Some(to) => self.push(&cause, to, false),
                        None => continue,
                    },
                    Target::Template(template) => {
                        let to = self.other(NodeKind::Template, self.template(*template));
                        self.push(&cause, to, false);
                    }
                    Target::Unknown(name) => {
                        let to = self.other(NodeKind::Unknown, name.clone());
                        self.push(&cause, to, false);
                    }
                }
                self.effects(&arc.effects, landing, &mut Vec::new());
            }
        }
        self.effects(&state.on_enter, id, &mut Vec::new());
        if let Some(timeout) = &state.timeout {
            let cause = Cause {
                kind: EdgeKind::Timeout,
                label: timeout.after.clone(),
                guard: None,
                default: false,
                at: timeout.at,
                owner: id,
                from,
            };
            self.redirect(&cause, &timeout.target);
        }
    }

    /// What effects cause that run when the session is on its way into `landing`. `hosts` are the calls around them.
    fn effects(&mut self, effects: &[Effect], landing: StateId, hosts: &mut Vec<SmolStr>) {
        let Some(from) = self.places.get(&landing).copied() else {
            return;
        };
        for effect in effects {
            if self.is_added(effect.at) {
                continue;
            }
            let guard = effect.when.and_then(|when| self.expr(when));
            let cause = |kind, label| Cause {
                kind,
                label,
                guard: guard.clone(),
                default: false,
                at: effect.at,
                owner: landing,
                from,
            };
            if let Some(emit) = &effect.emit_intent {
                self.emit(emit, cause(EdgeKind::Emit, self.words(&emit.name)));
            }
            if let (Some(target), Some(host)) = (&effect.target, hosts.last()) {
                self.redirect(&cause(EdgeKind::Complete, host.clone()), target);
            }
            if let Action::Invoke(invoke) = &effect.action {
                let host = self
                    .story
                    .hosts
                    .get(invoke.host)
                    .map(|h| h.name.clone())
                    .unwrap_or_default();
                if let Some(target) = &invoke.on_error {
                    self.redirect(&cause(EdgeKind::Error, host.clone()), target);
                }
                hosts.push(host);
                self.effects(&invoke.on_complete, landing, hosts);
                hosts.pop();
            }
        }
    }

    /// A queued intent does what its arms do in the room where it is queued, or in a room around it.
    fn emit(&mut self, emit: &Emit, mut cause: Cause) {
        let story = self.story;
        let Some(name) = emit.name.literal().map(str::trim).filter(|name| !name.is_empty()) else {
            let to = self.other(NodeKind::Template, cause.label.clone());
            return self.push(&cause, to, false);
        };
        let name = story.resolve_alias(cause.owner, name);
        cause.label = name.into();
        let found = story
            .chain(cause.owner)
            .find_map(|(id, state)| Some((id, state.handler(name)?)));
        let Some((owner, handler)) = found else { return };
        let mut seen = Vec::new();
        for arc in handler.arcs.iter().filter_map(|arc| story.arcs.get(*arc)) {
            let (to, stays) = match &arc.target {
                Target::Stay => (self.places.get(&owner).copied(), true),
                Target::State(to) => (self.places.get(to).copied(), false),
                Target::Template(template) => (Some(self.other(NodeKind::Template, self.template(*template))), false),
                Target::Unknown(name) => (Some(self.other(NodeKind::Unknown, name.clone())), false),
            };
            if let Some(to) = to.filter(|to| !seen.contains(to)) {
                seen.push(to);
                self.push(&cause, to, stays);
            }
        }
    }

    fn redirect(&mut self, cause: &Cause, target: &Redirect) {
        let to = match target {
            Redirect::State(id) => self.places.get(id).copied(),
            Redirect::Relative(path) => Some(self.other(NodeKind::Template, path.clone())),
            Redirect::Template(template) => Some(self.other(NodeKind::Template, self.template(*template))),
            // The engine stays where it is.
            Redirect::Nowhere(_) => None,
        };
        if let Some(to) = to {
            self.push(cause, to, false);
        }
    }
}
