//! Types in pongo templates. Members of nil are nil there, so only names and literals that cannot fit are odd.

use smol_str::SmolStr;
use text_size::TextRange;

use super::{FindingKind, Type, TypeEnv, TypeFinding};
use crate::TemplateP;
use crate::template::p::tree::{BodyId, Node, Part, PartKind, Pe, PeKind, Relation, Template};

pub(super) fn infer(template: &TemplateP, env: &TypeEnv) -> Vec<TypeFinding> {
    let template = &template.template;
    let mut pass = Pass {
        template,
        env,
        locals: Vec::new(),
        findings: Vec::new(),
    };
    pass.body(template.root);
    for (index, _) in template.macros.iter().enumerate() {
        pass.macro_body(index);
    }
    pass.findings.sort_by_key(|finding| finding.range.start());
    pass.findings
}

struct Pass<'a> {
    template: &'a Template,
    env: &'a TypeEnv,
    /// Names of loops, `with` and `set` with their types, the nearest last.
    locals: Vec<(SmolStr, Type)>,
    findings: Vec<TypeFinding>,
}

impl Pass<'_> {
    fn report(&mut self, kind: FindingKind, range: TextRange, message: String) {
        let range = self.template.remap.source(range);
        self.findings.push(TypeFinding { kind, range, message });
    }

    fn with_locals(&mut self, locals: Vec<(SmolStr, Type)>, body: BodyId) {
        let depth = self.locals.len();
        self.locals.extend(locals);
        self.body(body);
        self.locals.truncate(depth);
    }

    fn macro_body(&mut self, index: usize) {
        let template = self.template;
        if let Some(definition) = template.macros.get(index) {
            let params = definition
                .params
                .iter()
                .map(|(name, _)| (name.text.clone(), Type::Any))
                .collect();
            self.with_locals(params, definition.body);
        }
    }

    fn body(&mut self, id: BodyId) {
        let template = self.template;
        for node in template.body(id) {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Output(expr) => {
                self.expr(expr);
            }
            Node::If { conditions, bodies } => {
                self.exprs(conditions);
                bodies.iter().for_each(|body| self.body(*body));
            }
            Node::For {
                key,
                value,
                list,
                body,
                empty,
                ..
            } => {
                let found = self.expr(list);
                let mut locals = vec![(SmolStr::new_static("forloop"), Type::Any)];
                let (element, entry) = match found.without_nil() {
                    Type::List(element) => ((*element).clone(), Type::Any),
                    Type::Map(map) => (
                        Type::String,
                        map.rest.clone().filter(|_| map.fields.is_empty()).unwrap_or_default(),
                    ),
                    Type::String | Type::Enum(_) => (Type::String, Type::Any),
                    _ => (Type::Any, Type::Any),
                };
                locals.push((key.text.clone(), element));
                if let Some(value) = value {
                    locals.push((value.text.clone(), entry));
                }
                self.with_locals(locals, *body);
                if let Some(empty) = empty {
                    self.body(*empty);
                }
            }
            Node::With { pairs, body } => {
                let locals = pairs
                    .iter()
                    .map(|(name, value)| (name.text.clone(), self.expr(value)))
                    .collect();
                self.with_locals(locals, *body);
            }
            Node::Set(name, value) => {
                self.expr(value);
                // It may be set elsewhere too.
                self.locals.push((name.text.clone(), Type::Any));
            }
            Node::Block(name) => {
                if let Some(body) = self.template.blocks.get(&name.text).copied() {
                    self.locals.push((SmolStr::new_static("block"), Type::Any));
                    self.body(body);
                }
            }
            Node::Include { with, .. } => with.iter().for_each(|(_, value)| {
                self.expr(value);
            }),
            Node::Import { macros, .. } => {
                self.locals
                    .extend(macros.iter().map(|(_, here)| (here.text.clone(), Type::Any)));
            }
            Node::Macro(index) => {
                if let Some(definition) = self.template.macros.get(*index) {
                    self.locals.push((definition.name.text.clone(), Type::Any));
                }
            }
            Node::FirstOf(args) => self.exprs(args),
            Node::Cycle { args, name, .. } => {
                self.exprs(args);
                self.locals
                    .extend(name.iter().map(|name| (name.text.clone(), Type::Any)));
            }
            Node::IfChanged {
                watched,
                body,
                otherwise,
                ..
            } => {
                self.exprs(watched);
                self.body(*body);
                otherwise.iter().for_each(|body| self.body(*body));
            }
            Node::IfEqual {
                left,
                right,
                wanted,
                body,
                otherwise,
            } => {
                let operator = if *wanted { Relation::Equal } else { Relation::NotEqual };
                self.equality(operator, left, right, left.range.cover(right.range));
                self.body(*body);
                otherwise.iter().for_each(|body| self.body(*body));
            }
            Node::FilterTag { body, .. } | Node::Spaceless(body) | Node::AutoEscape { body, .. } => self.body(*body),
            Node::WidthRatio {
                current,
                max,
                width,
                name,
            } => {
                self.expr(current);
                self.expr(max);
                self.expr(width);
                self.locals
                    .extend(name.iter().map(|name| (name.text.clone(), Type::Int)));
            }
            Node::Text(_)
            | Node::Nothing
            | Node::Constant(_)
            | Node::Now { .. }
            | Node::Lorem { .. }
            | Node::Ssi { .. } => {}
        }
    }

    fn exprs(&mut self, exprs: &[Pe]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn expr(&mut self, expr: &Pe) -> Type {
        match &expr.kind {
            PeKind::Int(_) => Type::Int,
            PeKind::Float(_) => Type::Float,
            PeKind::Str(_) => Type::String,
            PeKind::Bool(_) => Type::Bool,
            PeKind::Path(parts) => self.path(parts),
            PeKind::Filtered(base, filters) => {
                let mut found = self.expr(base);
                for call in filters {
                    let argument = call.argument.as_ref().map(|argument| self.expr(argument));
                    found = match call.name.text.as_str() {
                        "default" | "default_if_none" => {
                            argument.map_or(Type::Any, |argument| found.without_nil().or(&argument))
                        }
                        "length" | "integer" | "wordcount" => Type::Int,
                        "float" => Type::Float,
                        "upper" | "lower" | "capfirst" | "title" | "truncatechars" | "col" | "rcol" | "wordwrap" => {
                            Type::String
                        }
                        _ => Type::Any,
                    };
                }
                found
            }
            PeKind::Logic(operands, _) => {
                self.exprs(operands);
                Type::Bool
            }
            PeKind::Relation(operands, operators) => {
                if let ([left, right], [operator]) = (operands.as_slice(), operators.as_slice()) {
                    self.equality(*operator, left, right, expr.range);
                } else {
                    self.exprs(operands);
                }
                Type::Bool
            }
            PeKind::Sum { terms, .. } => {
                self.exprs(terms);
                Type::Any
            }
            PeKind::Product(factors, _) => {
                self.exprs(factors);
                Type::Any
            }
            PeKind::Power(factors) => {
                self.exprs(factors);
                Type::Float
            }
        }
    }

    fn equality(&mut self, operator: Relation, left: &Pe, right: &Pe, range: TextRange) {
        let (l, r) = (self.expr(left), self.expr(right));
        if !matches!(operator, Relation::Equal | Relation::NotEqual) {
            return;
        }
        for (subject, literal) in [(&l, right), (&r, left)] {
            if let (Type::Enum(known), PeKind::Str(text)) = (subject.without_nil(), &literal.kind) {
                if !known.contains(text) {
                    let message = format!("`{text}` is none of the declared values");
                    self.report(
                        FindingKind::NotInEnum {
                            literal: text.clone(),
                            known,
                        },
                        literal.range,
                        message,
                    );
                }
                return;
            }
        }
        if !l.overlaps(&r) {
            let message = format!("{} is never equal to {}", l.describe(), r.describe());
            let always = operator == Relation::NotEqual;
            self.report(FindingKind::ConstantComparison { always }, range, message);
        }
    }

    fn path(&mut self, parts: &[Part]) -> Type {
        for part in parts {
            if let PartKind::Subscript(inner) = &part.kind {
                self.expr(inner);
            }
            self.exprs(part.call.as_deref().unwrap_or_default());
        }
        let Some((first, rest)) = parts.split_first() else {
            return Type::Any;
        };
        let PartKind::Name(root) = &first.kind else {
            return Type::Any;
        };
        if first.call.is_some() {
            return Type::Any;
        }
        let local = self
            .locals
            .iter()
            .rev()
            .find(|(name, _)| name == root)
            .map(|(_, found)| found.clone());
        let mut found = local
            .or_else(|| self.env.roots.get(root.as_str()).cloned())
            .unwrap_or_default();
        let mut base = first.range;
        for part in rest {
            if part.call.is_some() {
                return Type::Any;
            }
            found = self.step(&found, part, base);
            base = base.cover(part.range);
        }
        found
    }

    fn step(&mut self, found: &Type, part: &Part, base: TextRange) -> Type {
        let name = match &part.kind {
            PartKind::Name(name) => Some(name.clone()),
            PartKind::Subscript(inner) => match &inner.kind {
                PeKind::Str(name) => Some(name.clone()),
                _ => None,
            },
            PartKind::Index(_) => None,
        };
        let dotted = matches!(part.kind, PartKind::Name(_));
        match (found.without_nil(), name) {
            (Type::Map(map), Some(name)) => match (map.fields.get(name.as_str()), &map.rest) {
                (Some(field), _) => field.clone(),
                (None, Some(rest)) => rest.clone(),
                (None, None) => {
                    let known = map.fields.keys().cloned().collect();
                    let base = self.template.slice(base).to_owned();
                    let message = format!("`{base}` has no field `{name}`");
                    self.report(FindingKind::UnknownField { base, name, known }, part.range, message);
                    Type::Any
                }
            },
            (Type::List(element), None) => (*element).clone(),
            (
                known @ (Type::String | Type::Enum(_) | Type::Int | Type::Float | Type::Bool | Type::List(_)),
                Some(name),
            ) if dotted && name != "String" => {
                let base = self.template.slice(base).to_owned();
                let message = format!("`{base}` is {}, which has no members", known.describe());
                self.report(FindingKind::BadOperand, part.range, message);
                Type::Any
            }
            _ => Type::Any,
        }
    }
}
