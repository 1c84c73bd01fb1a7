//! What a pongo template names. Names that the template itself introduces are marked where they are in scope.

use smol_str::SmolStr;
use text_size::TextRange;

use super::TemplateP;
use super::tree::{BodyId, FilterCall, Name, Node, Part, PartKind, Pe, PeKind, Relation, Target, Template};
use crate::reference::{Argument, LiteralComparison, RefKind, Reference, Segment, Step};
use crate::value::Value;

impl TemplateP {
    /// Every name that the template uses, in text order: roots, calls, filters, tags, blocks, files, locals.
    #[must_use]
    pub fn references(&self) -> Vec<Reference> {
        let mut walk = Walk::new(&self.template);
        for tag in &self.template.tags {
            let name = Name {
                text: SmolStr::new(self.template.slice(*tag)),
                range: *tag,
            };
            walk.named(&name, RefKind::Tag, false);
        }
        walk.body(self.template.root);
        let mut found = walk.references;
        found.sort_by_key(|reference| (reference.range.start(), reference.range.end()));
        found
    }

    /// Every comparison of a chain with literals, in text order.
    #[must_use]
    pub fn literal_comparisons(&self) -> Vec<LiteralComparison> {
        let mut walk = Walk::new(&self.template);
        walk.body(self.template.root);
        let mut found = walk.comparisons;
        found.sort_by_key(|comparison| (comparison.range.start(), comparison.range.end()));
        found
    }
}

/// A walk in the order of the text, with the names in scope.
pub(crate) struct Walk<'a> {
    template: &'a Template,
    references: Vec<Reference>,
    comparisons: Vec<LiteralComparison>,
    /// Names by level: a loop, a `with` and a macro open one.
    scopes: Vec<Vec<SmolStr>>,
}

impl<'a> Walk<'a> {
    fn new(template: &'a Template) -> Self {
        Self {
            template,
            references: Vec::new(),
            comparisons: Vec::new(),
            scopes: vec![Vec::new()],
        }
    }

    fn place(&self, range: TextRange) -> TextRange {
        self.template.remap.source(range)
    }

    fn is_local(&self, name: &str) -> bool {
        self.scopes.iter().flatten().any(|local| local == name)
    }

    fn declare(&mut self, name: &Name) {
        self.named(name, RefKind::Bind, true);
        self.hide(name.text.clone());
    }

    /// From here on the name is the template's own.
    fn hide(&mut self, name: SmolStr) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(name);
        }
    }

    fn named(&mut self, name: &Name, kind: RefKind, local: bool) {
        let range = self.place(name.range);
        self.references.push(Reference {
            root: name.text.clone(),
            root_range: range,
            path: Vec::new(),
            range,
            kind,
            local,
        });
    }

    fn body(&mut self, id: BodyId) {
        let template = self.template;
        for node in template.body(id) {
            self.node(node);
        }
    }

    fn scoped(&mut self, names: impl FnOnce(&mut Self), id: BodyId) {
        self.scopes.push(Vec::new());
        names(self);
        self.body(id);
        self.scopes.pop();
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Text(_) | Node::Nothing | Node::Constant(_) | Node::Now { .. } | Node::Lorem { .. } => {}
            Node::Output(expr) => self.expr(expr),
            Node::If { conditions, bodies } => {
                for (index, body) in bodies.iter().enumerate() {
                    if let Some(condition) = conditions.get(index) {
                        self.expr(condition);
                    }
                    self.body(*body);
                }
                for condition in conditions.iter().skip(bodies.len()) {
                    self.expr(condition);
                }
            }
            Node::For {
                key,
                value,
                list,
                body,
                empty,
                ..
            } => {
                self.expr(list);
                let names = |walk: &mut Self| {
                    walk.declare(key);
                    if let Some(value) = value {
                        walk.declare(value);
                    }
                    walk.hide(SmolStr::new_static("forloop"));
                };
                self.scoped(names, *body);
                if let Some(empty) = empty {
                    self.scoped(|walk| walk.hide(SmolStr::new_static("forloop")), *empty);
                }
            }
            Node::With { pairs, body } => {
                for (_, value) in pairs {
                    self.expr(value);
                }
                self.scoped(|walk| pairs.iter().for_each(|(name, _)| walk.declare(name)), *body);
            }
            Node::Set(name, value) => {
                self.expr(value);
                self.declare(name);
            }
            Node::Block(name) => {
                self.named(name, RefKind::Block, false);
                if let Some(body) = self.template.blocks.get(&name.text).copied() {
                    // A block sets its record in the names around it.
                    self.hide(SmolStr::new_static("block"));
                    self.body(body);
                }
            }
            Node::Include { target, with, .. } => {
                match target {
                    Target::File(file) => self.file(*file),
                    Target::Computed(name) => self.expr(name),
                }
                for (name, value) in with {
                    self.named(name, RefKind::Bind, true);
                    self.expr(value);
                }
            }
            Node::Ssi { file, .. } => self.file(*file),
            Node::Import { file, macros } => {
                self.file(*file);
                for (_, here) in macros {
                    self.declare(here);
                }
            }
            Node::Macro(index) => self.macro_node(*index),
            Node::FirstOf(args) => self.exprs(args),
            Node::Cycle { args, name, .. } => {
                self.exprs(args);
                if let Some(name) = name {
                    self.declare(name);
                }
            }
            Node::IfChanged {
                watched,
                body,
                otherwise,
                ..
            } => {
                self.exprs(watched);
                self.body(*body);
                if let Some(otherwise) = otherwise {
                    self.body(*otherwise);
                }
            }
            Node::IfEqual {
                left,
                right,
                wanted,
                body,
                otherwise,
            } => {
                self.expr(left);
                self.expr(right);
                let operator = if *wanted { Relation::Equal } else { Relation::NotEqual };
                self.comparison(left, operator, right, left.range.cover(right.range));
                self.body(*body);
                if let Some(otherwise) = otherwise {
                    self.body(*otherwise);
                }
            }
            Node::FilterTag { body, filters, .. } => {
                for (_, name, argument) in filters {
                    self.named(name, RefKind::Filter, false);
                    self.exprs(argument.as_slice());
                }
                self.body(*body);
            }
            Node::Spaceless(body) | Node::AutoEscape { body, .. } => self.body(*body),
            Node::WidthRatio {
                current,
                max,
                width,
                name,
            } => {
                self.expr(current);
                self.expr(max);
                self.expr(width);
                if let Some(name) = name {
                    self.declare(name);
                }
            }
        }
    }

    fn macro_node(&mut self, index: usize) {
        let template = self.template;
        let Some(definition) = template.macros.get(index) else {
            return;
        };
        self.declare(&definition.name);
        for (_, default) in &definition.params {
            self.exprs(default.as_slice());
        }
        self.scoped(
            |walk| definition.params.iter().for_each(|(name, _)| walk.declare(name)),
            definition.body,
        );
    }

    fn file(&mut self, file: usize) {
        let template = self.template;
        if let Some(file) = template.files.get(file) {
            self.named(&file.name, RefKind::File, false);
        }
    }

    fn exprs(&mut self, exprs: &[Pe]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Pe) {
        match &expr.kind {
            PeKind::Int(_) | PeKind::Float(_) | PeKind::Str(_) | PeKind::Bool(_) => {}
            PeKind::Path(parts) => self.path(parts),
            PeKind::Filtered(base, filters) => {
                self.expr(base);
                for FilterCall { name, argument, .. } in filters {
                    self.named(name, RefKind::Filter, false);
                    self.exprs(argument.as_slice());
                }
            }
            PeKind::Logic(operands, _) | PeKind::Product(operands, _) | PeKind::Power(operands) => self.exprs(operands),
            PeKind::Sum { terms, .. } => self.exprs(terms),
            PeKind::Relation(operands, operators) => {
                self.exprs(operands);
                if let ([left, right], [operator]) = (operands.as_slice(), operators.as_slice()) {
                    self.comparison(left, *operator, right, expr.range);
                }
            }
        }
    }

    fn path(&mut self, parts: &[Part]) {
        self.references.extend(self.chain(parts));
        for part in parts {
            if let PartKind::Subscript(inner) = &part.kind {
                self.expr(inner);
            }
            self.exprs(part.call.as_deref().unwrap_or_default());
        }
    }

    /// The chain of a path, up to its first call.
    fn chain(&self, parts: &[Part]) -> Option<Reference> {
        let (first, rest) = parts.split_first()?;
        let PartKind::Name(root) = &first.kind else { return None };
        let root_range = self.place(first.range);
        let mut path = Vec::new();
        let mut kind = RefKind::Read;
        let mut range = root_range;
        if let Some(arguments) = &first.call {
            kind = RefKind::Call(self.arguments(arguments));
        } else {
            for part in rest {
                let step = match &part.kind {
                    PartKind::Name(name) => Step::Name(name.clone()),
                    PartKind::Index(index) => Step::Index(i64::try_from(*index).unwrap_or(i64::MAX)),
                    PartKind::Subscript(inner) => match &inner.kind {
                        PeKind::Str(name) => Step::Name(name.clone()),
                        PeKind::Int(index) => Step::Index(*index),
                        _ => Step::Computed,
                    },
                };
                let at = self.place(part.range);
                range = range.cover(at);
                path.push(Segment { step, range: at });
                if let Some(arguments) = &part.call {
                    kind = RefKind::Call(self.arguments(arguments));
                    break;
                }
            }
        }
        Some(Reference {
            root: root.clone(),
            root_range,
            path,
            range,
            kind,
            local: self.is_local(root),
        })
    }

    fn arguments(&self, arguments: &[Pe]) -> Vec<Argument> {
        arguments
            .iter()
            .map(|argument| Argument {
                literal: literal(argument),
                range: self.place(argument.range),
            })
            .collect()
    }

    fn comparison(&mut self, left: &Pe, operator: Relation, right: &Pe, range: TextRange) {
        let (path, value, mirrored) = match (&left.kind, &right.kind) {
            (PeKind::Path(path), _) => (path, right, false),
            (_, PeKind::Path(path)) if operator != Relation::In => (path, left, true),
            _ => return,
        };
        let operator = match (operator, mirrored) {
            (Relation::Equal, _) => "==",
            (Relation::NotEqual, _) => "!=",
            (Relation::Less, false) | (Relation::More, true) => "<",
            (Relation::More, false) | (Relation::Less, true) => ">",
            (Relation::LessEqual, false) | (Relation::MoreEqual, true) => "<=",
            (Relation::MoreEqual, false) | (Relation::LessEqual, true) => ">=",
            (Relation::In, _) => return,
        };
        if let (Some(subject), Some(literal)) = (self.chain(path), literal(value)) {
            let literals = vec![(literal, self.place(value.range))];
            let range = self.place(range);
            self.comparisons.push(LiteralComparison {
                subject,
                operator: SmolStr::new_static(operator),
                literals,
                range,
            });
        }
    }
}

fn literal(expr: &Pe) -> Option<Value> {
    Some(match &expr.kind {
        PeKind::Int(value) => Value::Int(*value),
        PeKind::Float(value) => Value::Float(*value),
        PeKind::Str(text) => Value::Str(text.clone()),
        PeKind::Bool(value) => Value::Bool(*value),
        PeKind::Sum {
            negative: true,
            negated: false,
            terms,
            ..
        } => match terms.as_slice() {
            [
                Pe {
                    kind: PeKind::Int(value),
                    ..
                },
            ] => Value::Int(value.wrapping_neg()),
            [
                Pe {
                    kind: PeKind::Float(value),
                    ..
                },
            ] => Value::Float(-value),
            _ => return None,
        },
        _ => return None,
    })
}
