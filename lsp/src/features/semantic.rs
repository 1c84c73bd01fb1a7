//! Colours inside of guards and templates, and names where the language has them.

use kitsoki_compiler::db::SourceFile;
use kitsoki_compiler::pipeline;
use kitsoki_expr::tokens::{self, Token, TokenClass};
use kitsoki_syntax::{Entry, NodeId, NodeKind, TextRange, TextSize, Tree};

use super::Snapshot;
use crate::index::form::{roots, start};
use crate::index::names::{Piece, Source, names, pieces};
use crate::index::schema::{Kind, Role, Sem, Ty};
use crate::index::walk::{KeyOf, Scope, Visitor, walk};

/// The classes of coloured words, in the order of their numbers in the protocol.
pub const TYPES: &[&str] = &[
    "keyword",
    "variable",
    "property",
    "function",
    "string",
    "number",
    "operator",
    "comment",
    "macro",
    "class",
    "event",
    "enumMember",
    "namespace",
    "parameter",
    "interface",
];

/// The marks of coloured words, in the order of their bits.
pub const MODIFIERS: &[&str] = &["declaration", "modification", "defaultLibrary"];

/// One coloured word, on one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coloured {
    /// Its bytes in the whole file.
    pub range: TextRange,
    /// Its class: a place in [`TYPES`].
    pub class: u32,
    /// Its marks: bits for [`MODIFIERS`].
    pub marks: u32,
}

/// The coloured words of a file that touch `within`, in order, never overlapping.
#[must_use]
pub fn tokens(snapshot: &Snapshot, file: SourceFile, within: Option<TextRange>) -> Vec<Coloured> {
    let db = &snapshot.db;
    let mut out = Vec::new();
    if !super::symbol_at::is_ours(snapshot, file) {
        return out;
    }
    for piece in pieces(db, file) {
        let Some(text) = piece.file.shown_text(db) else {
            continue;
        };
        let all = TextRange::at(piece.offset, TextSize::of(&**text));
        if within.is_some_and(|w| w.intersect(all).is_none()) {
            continue;
        }
        out.extend(of_piece(snapshot, &piece, text));
    }
    if let Some(within) = within {
        out.retain(|c| c.range.intersect(within).is_some());
    }
    out
}

fn of_piece(snapshot: &Snapshot, piece: &Piece, text: &str) -> Vec<Coloured> {
    let db = &snapshot.db;
    let tree = &pipeline::shown_parse(db, piece.file).tree;
    let mut painter = Painter {
        tree,
        text,
        out: Vec::new(),
    };
    for root in roots(db, piece.file, tree) {
        walk(tree, *root, start(db, piece.file), &mut Scope::default(), &mut painter);
    }
    let mut inside = painter.out;
    // What a name is wins over the word of the expression that spells it.
    for o in names(db, piece.file).iter() {
        let class = match o.kind {
            Kind::State => "class",
            Kind::Intent => "event",
            Kind::Slot | Kind::Parameter => "parameter",
            Kind::World => "property",
            Kind::Host => "function",
            Kind::Interface => "interface",
            Kind::Import => "namespace",
            _ => "variable",
        };
        let mut marks = 0;
        if o.role == Role::Definition {
            marks |= 1;
        }
        if o.role == Role::Write {
            marks |= 2;
        }
        if o.kind == Kind::Host {
            marks |= 4;
        }
        inside.retain(|c| c.range != o.range);
        inside.push(Coloured {
            range: o.range,
            class: class_of(class),
            marks,
        });
    }
    inside.sort_by_key(|c| (c.range.start(), c.range.end()));
    let mut out: Vec<Coloured> = Vec::with_capacity(inside.len());
    for c in inside {
        for line in by_line(text, c) {
            let clash = out
                .last()
                .is_some_and(|l: &Coloured| l.range.end() > line.range.start());
            if !clash && !line.range.is_empty() {
                out.push(line);
            }
        }
    }
    for c in &mut out {
        c.range += piece.offset;
    }
    out
}

fn class_of(name: &str) -> u32 {
    let at = TYPES.iter().position(|t| *t == name).unwrap_or(0);
    u32::try_from(at).unwrap_or(0)
}

/// A word that spans lines as one word a line.
fn by_line(text: &str, c: Coloured) -> Vec<Coloured> {
    let range: std::ops::Range<usize> = c.range.into();
    let Some(part) = text.get(range.clone()) else {
        return Vec::new();
    };
    if !part.contains('\n') {
        return vec![c];
    }
    let mut out = Vec::new();
    let mut at = range.start;
    for line in part.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        let lead = body.len() - body.trim_start_matches(' ').len();
        let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
        if body.len() > lead {
            out.push(Coloured {
                range: TextRange::new(size(at + lead), size(at + body.len())),
                ..c
            });
        }
        at += line.len();
    }
    out
}

struct Painter<'t> {
    tree: &'t Tree,
    text: &'t str,
    out: Vec<Coloured>,
}

impl Visitor for Painter<'_> {
    fn key(&mut self, _entry: Entry, _of: KeyOf, _scope: &Scope) {}

    fn scalar(&mut self, node: NodeId, ty: &Ty, _scope: &Scope) {
        let (Ty::Text(sem) | Ty::Any(sem)) = ty else { return };
        let NodeKind::Scalar(scalar) = &self.tree.node(node).kind else {
            return;
        };
        let text = scalar.text.as_str();
        let templated = text.contains("{{") || text.contains("{%") || text.contains("{#");
        let found: Vec<Token> = match sem {
            Sem::Expr => tokens::of_expr(text),
            Sem::View if templated => tokens::of_p(text),
            Sem::Words(words) if words.contains(&text) => vec![Token {
                range: TextRange::up_to(TextSize::of(text)),
                class: TokenClass::Constant,
            }],
            Sem::Value | Sem::Bind | Sem::EmitIntent | Sem::Target | Sem::Name(..) | Sem::ExitTarget | Sem::Path(_)
                if templated =>
            {
                tokens::of_t(text)
            }
            _ => return,
        };
        if found.is_empty() {
            return;
        }
        let source = Source::of(self.tree, self.text, node);
        for token in found {
            let class = match token.class {
                TokenClass::Delimiter => "macro",
                TokenClass::Keyword => "keyword",
                TokenClass::Root | TokenClass::Name => "variable",
                TokenClass::Member => "property",
                TokenClass::Function | TokenClass::Filter => "function",
                TokenClass::Text => "string",
                TokenClass::Number => "number",
                TokenClass::Constant => "enumMember",
                TokenClass::Operator | TokenClass::Punctuation => "operator",
                TokenClass::Comment => "comment",
                TokenClass::Error => continue,
            };
            let library = matches!(
                token.class,
                TokenClass::Root | TokenClass::Function | TokenClass::Filter
            );
            self.out.push(Coloured {
                range: source.range(token.range),
                class: class_of(class),
                marks: if library { 4 } else { 0 },
            });
        }
    }
}
