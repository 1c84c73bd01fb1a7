//! Every name that one file uses or declares, with its bytes and its role.
//!
//! The names are those of the manifest that the file belongs to, as its author spells them; which story really declares
//! `k__note` is the business of [`super::resolve`]. A large file is looked at piece by piece, so that an edit costs one piece.

use std::sync::Arc;

use kitsoki_compiler::db::{Db, SourceFile};
use kitsoki_compiler::pipeline;
use kitsoki_expr::{RefKind, Reference, parse_expr, parse_p, parse_p_file, parse_t};
use kitsoki_syntax::{Entry, NodeId, NodeKind, ScalarMap, TextRange, TextSize, Tree, text_range};
use smol_str::{SmolStr, format_smolstr};

use super::form::{Form, form, roots, start};
use super::schema::{Keys, Kind, Role, Sem, Ty};
use super::scripts;
use super::walk::{KeyOf, Scope, Visitor, scalar, walk};

/// One use of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// What it names.
    pub kind: Kind,
    /// What is done with it.
    pub role: Role,
    /// The name in the manifest's own names; of a room its dotted path.
    pub name: SmolStr,
    /// What the name belongs to: the room of a local intent, the intent of a slot, the template of a parameter.
    pub owner: SmolStr,
    /// The bytes that spell the end of the name.
    pub range: TextRange,
    /// How many bytes at the beginning of the name stand elsewhere.
    pub hidden: u32,
    /// Of a declaration all of it; otherwise the same as `range`.
    pub full: TextRange,
}

impl Occurrence {
    /// The part of the name that is written at its place.
    #[must_use]
    pub fn written(&self) -> &str {
        self.name.get(self.hidden as usize..).unwrap_or(&self.name)
    }
}

/// One piece of a file with its names. A small file is one piece.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The input that holds its text.
    pub file: SourceFile,
    /// Where it begins in the whole file.
    pub offset: TextSize,
}

/// The pieces of a whole file in order.
#[must_use]
pub fn pieces(db: &dyn Db, file: SourceFile) -> Vec<Piece> {
    let chunks = file.chunks(db);
    if chunks.is_empty() {
        return vec![Piece {
            file,
            offset: TextSize::new(0),
        }];
    }
    let layout = file.layout(db);
    let piece = |file: &SourceFile| Piece {
        file: *file,
        offset: TextSize::new(layout.get(&file.id(db)).copied().unwrap_or(0)),
    };
    chunks.iter().map(piece).collect()
}

/// The piece that holds an offset of a whole file.
#[must_use]
pub fn piece_at(db: &dyn Db, file: SourceFile, offset: TextSize) -> Piece {
    let all = pieces(db, file);
    let after = all.partition_point(|p| p.offset <= offset);
    let found = after.checked_sub(1).and_then(|at| all.get(at)).cloned();
    found.unwrap_or(Piece {
        file,
        offset: TextSize::new(0),
    })
}

/// The names of a piece as it is shown, in the order of the text. Ranges count from the start of the piece.
#[must_use]
pub fn names(db: &dyn Db, piece: SourceFile) -> &Arc<[Occurrence]> {
    if piece.shown(db).is_some() {
        shown_names(db, piece)
    } else {
        settled_names(db, piece)
    }
}

/// The names of a piece as the compiler reads it. While words wait they are the same names at other places: whoever asks for
/// no places asks here.
#[salsa::tracked(returns(ref))]
pub fn settled_names(db: &dyn Db, piece: SourceFile) -> Arc<[Occurrence]> {
    match piece.contents(db).text() {
        Some(text) => names_in(db, piece, text, || &pipeline::parse(db, piece).tree),
        None => Arc::from([]),
    }
}

#[salsa::tracked(returns(ref), lru = 16)]
fn shown_names(db: &dyn Db, piece: SourceFile) -> Arc<[Occurrence]> {
    match piece.shown_text(db) {
        Some(text) => names_in(db, piece, text, || &pipeline::shown_parse(db, piece).tree),
        None => Arc::from([]),
    }
}

fn names_in<'db>(
    db: &'db dyn Db,
    piece: SourceFile,
    text: &str,
    tree: impl FnOnce() -> &'db Tree,
) -> Arc<[Occurrence]> {
    match form(db, piece) {
        Form::View => return view_file(text),
        Form::Script => return scripts::names(text).into(),
        _ => {}
    }
    let tree = tree();
    let mut found = Collector {
        tree,
        text,
        out: Vec::new(),
    };
    for root in roots(db, piece, tree) {
        walk(tree, *root, start(db, piece), &mut Scope::default(), &mut found);
    }
    let mut out = found.out;
    out.sort_by_key(|o| (o.range.start(), o.range.end()));
    out.into()
}

/// The names in a template file of views.
fn view_file(text: &str) -> Arc<[Occurrence]> {
    let nothing = Tree::default();
    let mut found = Collector {
        tree: &nothing,
        text,
        out: Vec::new(),
    };
    let (template, _) = parse_p_file(text);
    let source = Source::Plain(TextSize::new(0));
    found.references(&Scope::default(), &template.references(), &source, text);
    found.out.sort_by_key(|o| (o.range.start(), o.range.end()));
    found.out.into()
}

struct Collector<'t> {
    tree: &'t Tree,
    text: &'t str,
    out: Vec<Occurrence>,
}

/// Where the bytes of a decoded text stand.
pub enum Source {
    /// Byte for byte, from here.
    Plain(TextSize),
    /// Through quotes, escapes or folding.
    Mapped(Box<ScalarMap>),
}

impl Source {
    /// The map of a scalar.
    #[must_use]
    pub fn of(tree: &Tree, text: &str, node: NodeId) -> Self {
        let range = tree.node(node).range;
        let written = text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
        let Some(decoded) = scalar(tree, node) else {
            return Source::Plain(range.start());
        };
        if written == decoded {
            return Source::Plain(range.start());
        }
        let quoted = written.get(1..written.len().saturating_sub(1));
        if quoted == Some(decoded) && written.starts_with(['"', '\'']) {
            return Source::Plain(range.start() + TextSize::new(1));
        }
        Source::Mapped(Box::new(tree.scalar_map(text, node)))
    }

    /// The bytes of a range of the decoded text.
    #[must_use]
    pub fn range(&self, range: TextRange) -> TextRange {
        match self {
            Source::Plain(start) => range + *start,
            Source::Mapped(map) => map.source_range(range.start().into()..range.end().into()),
        }
    }

    /// The byte of the decoded text for a byte of the file; the nearest one before it.
    #[must_use]
    pub fn decoded(&self, offset: TextSize, len: usize) -> usize {
        match self {
            Source::Plain(start) => usize::from(offset.checked_sub(*start).unwrap_or_default()).min(len),
            Source::Mapped(map) => {
                let (mut low, mut high) = (0, len);
                while low < high {
                    let middle = (low + high).div_ceil(2);
                    if map.source(middle) <= offset {
                        low = middle;
                    } else {
                        high = middle - 1;
                    }
                }
                low
            }
        }
    }
}

/// What is known of a name before it is stored.
struct Found<'n> {
    kind: Kind,
    role: Role,
    name: &'n str,
    owner: SmolStr,
    range: TextRange,
    hidden: usize,
    full: TextRange,
}

impl Collector<'_> {
    fn push(&mut self, scope: &Scope, found: Found<'_>) {
        let Found {
            kind,
            role,
            name,
            owner,
            range,
            hidden,
            full,
        } = found;
        // What a template of phases or an expression still has to make is no name yet.
        if name.is_empty() || name.contains(['{', '}', '$']) || owner.contains('{') {
            return;
        }
        let prefixed = match (&scope.inside, kind) {
            (Some(alias), Kind::State) => Some(format_smolstr!("{alias}.{name}")),
            (
                Some(alias),
                Kind::World | Kind::Intent | Kind::Agent | Kind::Operation | Kind::Interface | Kind::Exit,
            ) => Some(format_smolstr!("{alias}__{name}")),
            _ => None,
        };
        let more = prefixed.as_ref().map_or(0, |p| p.len() - name.len());
        self.out.push(Occurrence {
            kind,
            role,
            name: prefixed.unwrap_or_else(|| SmolStr::new(name)),
            owner,
            range,
            hidden: u32::try_from(hidden + more).unwrap_or(0),
            full,
        });
    }

    fn simple(&mut self, scope: &Scope, kind: Kind, role: Role, name: &str, at: TextRange) {
        let owner = match kind {
            Kind::Intent => scope.intent_of(name).owner,
            Kind::Slot => match &scope.intent {
                Some(intent) => intent.key(),
                None => return,
            },
            Kind::Parameter => scope.template.clone().unwrap_or_default(),
            _ => SmolStr::default(),
        };
        self.push(
            scope,
            Found {
                kind,
                role,
                name,
                owner,
                range: at,
                hidden: 0,
                full: at,
            },
        );
    }

    /// One occurrence per segment of a path to a room. `base` is the path that the first segment continues.
    fn state(&mut self, scope: &Scope, base: &str, text: &str, start: usize, source: &Source) {
        let mut path: Vec<&str> = base.split('.').filter(|s| !s.is_empty()).collect();
        let mut at = start;
        let rest = text.get(start..).unwrap_or_default();
        let relative = rest.starts_with("..");
        let parts: Vec<&str> = if relative {
            rest.split('/').collect()
        } else {
            rest.split(['/', '.']).collect()
        };
        if !relative {
            path.clear();
        }
        for part in parts {
            let place = text_range(at, at + part.len());
            at += part.len() + 1;
            match part {
                "" | "." => {}
                ".." if relative => {
                    path.pop();
                }
                name => {
                    path.push(name);
                    let full = path.join(".");
                    let at = source.range(place);
                    self.push(
                        scope,
                        Found {
                            kind: Kind::State,
                            role: Role::Call,
                            name: &full,
                            owner: SmolStr::default(),
                            range: at,
                            hidden: full.len() - name.len(),
                            full: at,
                        },
                    );
                }
            }
        }
    }

    fn references(&mut self, scope: &Scope, references: &[Reference], source: &Source, text: &str) {
        for reference in references {
            if let RefKind::Call(arguments) = &reference.kind
                && ["available", "blocked", "blocked_reason", "intent_status"].contains(&reference.root.as_str())
                && let Some(first) = arguments.first()
            {
                let quoted = text
                    .get(std::ops::Range::<usize>::from(first.range))
                    .unwrap_or_default();
                let name = quoted.trim_matches(['\'', '"']);
                if name.len() + 2 == quoted.len() {
                    let start = usize::from(first.range.start()) + 1;
                    let at = source.range(text_range(start, start + name.len()));
                    self.simple(scope, Kind::Intent, Role::Read, name, at);
                }
                continue;
            }
            if reference.local {
                continue;
            }
            // `phase.next.onward` of a phase template names an arc.
            let (kind, at) = match reference.root.as_str() {
                "world" => (Kind::World, 0),
                "slots" => (Kind::Slot, 0),
                "phase" => (Kind::Intent, 1),
                _ => continue,
            };
            let Some(segment) = reference.path.get(at) else {
                continue;
            };
            let Some(name) = segment.name() else { continue };
            let mut place = segment.range;
            if usize::from(place.len()) == name.len() + 2 {
                place = TextRange::new(place.start() + TextSize::new(1), place.end() - TextSize::new(1));
            }
            if usize::from(place.len()) != name.len() {
                continue;
            }
            let at = source.range(place);
            self.simple(scope, kind, Role::Read, name, at);
        }
    }

    fn view(&mut self, scope: &Scope, text: &str, source: &Source) {
        if text.contains("{{") || text.contains("{%") {
            let (template, _) = parse_p(text);
            self.references(scope, &template.references(), source, text);
        }
    }

    /// A child of the room around.
    fn child(&mut self, scope: &Scope, name: &str, at: TextRange) {
        let path = format!("{}.{name}", scope.room());
        self.push(
            scope,
            Found {
                kind: Kind::State,
                role: Role::Call,
                name: &path,
                owner: SmolStr::default(),
                range: at,
                hidden: path.len() - name.len(),
                full: at,
            },
        );
    }

    /// The rooms between the tags of `{% if … %}dark{% else %}lit{% endif %}`.
    fn choices(&mut self, scope: &Scope, sem: Sem, text: &str, source: &Source) {
        if text.contains("{{") || !matches!(sem, Sem::Child | Sem::Target) {
            return;
        }
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
            let end = rest.find("{%").unwrap_or(rest.len());
            let word = rest.get(..end).unwrap_or_default();
            let name = word.trim();
            let start = at + word.len() - word.trim_start().len();
            if !name.is_empty() {
                if sem == Sem::Child {
                    self.child(scope, name, source.range(text_range(start, start + name.len())));
                } else if let Some(head) = text.get(..start + name.len()) {
                    self.state(scope, scope.room(), head, start, source);
                }
            }
            let Some(close) = rest.get(end..).and_then(|r| r.find("%}")) else {
                break;
            };
            at += end + close + 2;
        }
    }

    /// The slots in the braces of `release {version}`.
    fn synonym(&mut self, scope: &Scope, text: &str, source: &Source) {
        let mut at = 0;
        while let Some(open) = text.get(at..).and_then(|rest| rest.find('{')).map(|n| at + n) {
            let Some(close) = text.get(open..).and_then(|rest| rest.find('}')).map(|n| open + n) else {
                return;
            };
            let word = text.get(open + 1..close).unwrap_or_default();
            let name = word.trim();
            let start = open + 1 + word.len() - word.trim_start().len();
            if !name.is_empty() && !name.contains('{') {
                let at = source.range(text_range(start, start + name.len()));
                self.simple(scope, Kind::Slot, Role::Read, name, at);
            }
            at = close + 1;
        }
    }

    fn value_template(&mut self, scope: &Scope, text: &str, source: &Source) {
        if text.contains("{{") {
            let (template, _) = parse_t(text);
            self.references(scope, &template.references(), source, text);
        }
    }
}

impl Visitor for Collector<'_> {
    fn key(&mut self, entry: Entry, of: KeyOf, scope: &Scope) {
        let KeyOf::Chosen(keys) = of else { return };
        let Some(name) = scalar(self.tree, entry.key).cloned() else {
            return;
        };
        let source = Source::of(self.tree, self.text, entry.key);
        let at = source.range(text_range(0, name.len()));
        let all = TextRange::new(
            self.tree.node(entry.key).range.start(),
            self.tree.node(entry.value).range.end().max(at.end()),
        );
        let alias = scope.alias.as_deref().unwrap_or_default();
        let imported = |this: &mut Self, kind: Kind, role: Role, glue: &str| {
            let full = format!("{alias}{glue}{name}");
            this.push(
                scope,
                Found {
                    kind,
                    role,
                    name: &full,
                    owner: SmolStr::default(),
                    range: at,
                    hidden: full.len() - name.len(),
                    full: at,
                },
            );
        };
        match keys {
            Keys::Free | Keys::Arguments | Keys::Recorded => {}
            Keys::Define(kind) => {
                let (path, hidden) = match (kind, scope.room()) {
                    (Kind::State, around) if !around.is_empty() => (format!("{around}.{name}"), around.len() + 1),
                    _ => (name.to_string(), 0),
                };
                let owner = match kind {
                    Kind::Intent => SmolStr::new(scope.room()),
                    Kind::Parameter => scope.template.clone().unwrap_or_default(),
                    _ => SmolStr::default(),
                };
                self.push(
                    scope,
                    Found {
                        kind,
                        role: Role::Definition,
                        name: &path,
                        owner,
                        range: at,
                        hidden,
                        full: all,
                    },
                );
            }
            Keys::DefineSlots => {
                let Some(intent) = &scope.intent else { return };
                // The walk is inside of the declaration: the intent is the one that is declared here.
                let owner = intent.key();
                self.push(
                    scope,
                    Found {
                        kind: Kind::Slot,
                        role: Role::Definition,
                        name: &name,
                        owner,
                        range: at,
                        hidden: 0,
                        full: all,
                    },
                );
            }
            Keys::Use(Kind::State, _) => self.state(scope, "", &name, 0, &source),
            Keys::Use(kind, role) => self.simple(scope, kind, role, &name, at),
            Keys::Slots => self.simple(scope, Kind::Slot, Role::Write, &name, at),
            Keys::ImportedWorld => imported(self, Kind::World, Role::Write, "__"),
            Keys::ImportedExits => imported(self, Kind::Exit, Role::Read, "__"),
            Keys::ImportedStates => imported(self, Kind::State, Role::Read, "."),
            Keys::ImportedIntents => imported(self, Kind::Intent, Role::Read, "__"),
            Keys::ImportedInterfaces => imported(self, Kind::Interface, Role::Read, "__"),
        }
    }

    fn scalar(&mut self, node: NodeId, ty: &Ty, scope: &Scope) {
        let (Ty::Text(sem) | Ty::Any(sem)) = ty else { return };
        if matches!(sem, Sem::Free) {
            return;
        }
        let NodeKind::Scalar(scalar) = &self.tree.node(node).kind else {
            return;
        };
        let text = scalar.text.clone();
        if text.trim().is_empty() {
            return;
        }
        let source = Source::of(self.tree, self.text, node);
        let whole = || source.range(text_range(0, text.len()));
        let templated = text.contains("{{") || text.contains("{%");
        match sem {
            // Of a script or a schema the path may come from the world.
            Sem::Words(_) | Sem::Path(_) | Sem::Duration if templated => self.value_template(scope, &text, &source),
            Sem::Free | Sem::Words(_) | Sem::Path(_) | Sem::Duration => {}
            Sem::Expr => {
                let (expr, _) = parse_expr(&text);
                self.references(scope, &expr.references(), &source, &text);
            }
            Sem::View => self.view(scope, &text, &source),
            Sem::Value => self.value_template(scope, &text, &source),
            Sem::Bind => self.value_template(scope, &text, &source),
            Sem::EmitIntent if templated => self.value_template(scope, &text, &source),
            Sem::Name(..) | Sem::Target | Sem::Child | Sem::ExitTarget if templated => {
                self.view(scope, &text, &source);
                self.choices(scope, *sem, &text, &source);
            }
            Sem::EmitIntent => self.simple(scope, Kind::Intent, Role::Call, &text, whole()),
            Sem::Name(Kind::State, _) => self.state(scope, "", &text, 0, &source),
            Sem::Name(kind, role) => self.simple(scope, *kind, *role, &text, whole()),
            Sem::Child => self.child(scope, &text, whole()),
            Sem::Target | Sem::ExitTarget => {
                if let Some(exit) = text.strip_prefix("@exit:") {
                    let start = text.len() - exit.len();
                    let at = source.range(text_range(start, text.len()));
                    self.simple(scope, Kind::Exit, Role::Call, exit, at);
                } else {
                    self.state(scope, scope.room(), &text, 0, &source);
                }
            }
            Sem::Verb => {
                if let Some(rest) = text.strip_prefix("iface.") {
                    let name = rest.split('.').next().unwrap_or_default();
                    let start = text.len() - rest.len();
                    let at = source.range(text_range(start, start + name.len()));
                    self.simple(scope, Kind::Interface, Role::Call, name, at);
                } else {
                    self.simple(scope, Kind::Host, Role::Call, &text, whole());
                }
            }
            Sem::ImportedState => {
                let alias = scope.alias.as_deref().unwrap_or_default();
                let path = format!("{alias}.{text}");
                let at = whole();
                let hidden = path.len() - text.len();
                self.push(
                    scope,
                    Found {
                        kind: Kind::State,
                        role: Role::Read,
                        name: &path,
                        owner: SmolStr::default(),
                        range: at,
                        hidden,
                        full: at,
                    },
                );
            }
            Sem::ImportedIntent => {
                let alias = scope.alias.as_deref().unwrap_or_default();
                let path = format!("{alias}__{text}");
                let at = whole();
                self.push(
                    scope,
                    Found {
                        kind: Kind::Intent,
                        role: Role::Read,
                        name: &path,
                        owner: SmolStr::default(),
                        range: at,
                        hidden: path.len() - text.len(),
                        full: at,
                    },
                );
            }
            Sem::Synonym => self.synonym(scope, &text, &source),
            Sem::WorldPath => {
                let head = text.split(['.', '[']).next().unwrap_or_default();
                let at = source.range(text_range(0, head.len()));
                self.simple(scope, Kind::World, Role::Read, head, at);
            }
        }
    }
}
