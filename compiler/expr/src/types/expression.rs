//! Types of bare expressions against declared shapes: one pass over the arena.

use smol_str::SmolStr;
use text_size::TextRange;

use std::sync::Arc;

use super::{FindingKind, Type, TypeEnv, TypeFinding};
use crate::expr::Expr;
use crate::expr::ast::{Access, NodeId, NodeKind};
use crate::expr::lexer::Op;

pub(super) fn infer(expr: &Expr, env: &TypeEnv) -> (Type, Vec<TypeFinding>) {
    let mut pass = Pass {
        expr,
        env,
        types: Vec::with_capacity(expr.nodes.len()),
        findings: Vec::new(),
    };
    for id in expr.ids() {
        let found = pass.node(id);
        pass.types.push(found);
    }
    let root = pass.of(expr.root).clone();
    pass.findings.sort_by_key(|finding| finding.range.start());
    (root, pass.findings)
}

struct Pass<'a> {
    expr: &'a Expr,
    env: &'a TypeEnv,
    types: Vec<Type>,
    findings: Vec<TypeFinding>,
}

impl Pass<'_> {
    fn of(&self, id: NodeId) -> &Type {
        self.types.get(id.index()).unwrap_or(&Type::Any)
    }

    fn range(&self, id: NodeId) -> TextRange {
        self.expr.node(id).range
    }

    fn text(&self, id: NodeId) -> &str {
        self.expr.slice(self.range(id))
    }

    fn report(&mut self, kind: FindingKind, range: TextRange, message: String) {
        self.findings.push(TypeFinding { kind, range, message });
    }

    fn node(&mut self, id: NodeId) -> Type {
        match self.expr.kind(id) {
            NodeKind::Error | NodeKind::Predicate(_) | NodeKind::Pointer { .. } | NodeKind::Pair { .. } => Type::Any,
            NodeKind::Nil => Type::Nil,
            NodeKind::Bool(_) => Type::Bool,
            NodeKind::Int(_) => Type::Int,
            NodeKind::Float(_) => Type::Float,
            NodeKind::Str(_) => Type::String,
            NodeKind::Bytes(_) | NodeKind::Map(_) => Type::Any,
            NodeKind::Ident { name, binding } => match binding {
                Some(value) => self.of(*value).clone(),
                None => self.env.roots.get(name.as_str()).cloned().unwrap_or_default(),
            },
            NodeKind::Unary { op, operand } => match op {
                Op::Not | Op::Bang => {
                    self.want_bool(*operand);
                    Type::Bool
                }
                Op::Minus => {
                    self.want(*operand, "-", Type::is_number);
                    numeric(self.of(*operand))
                }
                _ => self.of(*operand).clone(),
            },
            NodeKind::Binary { op, left, right } => self.binary(id, *op, *left, *right),
            NodeKind::Chain(inner) => {
                let inner = self.of(*inner);
                if *inner == Type::Any {
                    Type::Any
                } else {
                    inner.or(&Type::Nil)
                }
            }
            NodeKind::Member {
                base,
                property,
                optional,
                access,
                ..
            } => self.member(*base, *property, *optional, *access),
            NodeKind::Slice { base, .. } => self.of(*base).without_nil(),
            NodeKind::Call { callee, .. } => match self.expr.kind(*callee) {
                NodeKind::Ident { name, .. } => match name.as_str() {
                    "available" | "blocked" => Type::Bool,
                    "blocked_reason" | "intent_status" => Type::String,
                    _ => Type::Any,
                },
                _ => Type::Any,
            },
            NodeKind::Builtin { name, args } => self.builtin(name, args),
            NodeKind::Let { body, .. } => self.of(*body).clone(),
            NodeKind::Sequence(parts) => parts.last().map_or(Type::Any, |last| self.of(*last).clone()),
            NodeKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                if condition != then {
                    self.want_bool(*condition);
                }
                self.of(*then).or(self.of(*otherwise))
            }
            NodeKind::List(items) => {
                let mut element: Option<Type> = None;
                for item in items {
                    let item = self.of(*item);
                    element = Some(element.map_or_else(|| item.clone(), |element| element.or(item)));
                }
                Type::List(Arc::new(element.unwrap_or_default()))
            }
        }
    }

    /// An operand that must be a bool.
    fn want_bool(&mut self, id: NodeId) {
        let found = self.of(id).clone();
        let text = short(self.text(id));
        if !found.may_be(|part| matches!(part, Type::Bool | Type::Nil)) {
            let message = format!("`{text}` is {}, and a bool is needed", found.describe());
            self.report(FindingKind::NotBool, self.range(id), message);
        } else if found.has_nil() {
            self.report(
                FindingKind::MaybeNil,
                self.range(id),
                format!("`{text}` can be nil, and a bool is needed"),
            );
        }
    }

    /// An operand of certain kinds.
    fn want(&mut self, id: NodeId, operator: &str, accepts: impl Fn(&Type) -> bool) {
        let found = self.of(id).clone();
        let text = short(self.text(id));
        if !found.may_be(|part| *part == Type::Nil || accepts(part)) {
            let message = format!("`{operator}` does not work on `{text}`, which is {}", found.describe());
            self.report(FindingKind::BadOperand, self.range(id), message);
        } else if found.has_nil() {
            let message = format!("`{text}` can be nil, which `{operator}` does not take");
            self.report(FindingKind::MaybeNil, self.range(id), message);
        }
    }

    fn binary(&mut self, id: NodeId, op: Op, left: NodeId, right: NodeId) -> Type {
        let sign = op.as_str();
        match op {
            Op::And | Op::AndAnd | Op::Or | Op::OrOr => {
                self.want_bool(left);
                let result = self.of(right);
                if result.may_be(|part| matches!(part, Type::Bool | Type::Nil)) {
                    return Type::Bool.or(result);
                }
                let (text, found) = (short(self.text(right)), result.describe());
                let message = format!("`{text}` is {found}, and a bool is needed");
                self.report(FindingKind::NotBool, self.range(right), message);
                Type::Bool
            }
            Op::Equal | Op::NotEqual => {
                self.equality(id, op, left, right);
                Type::Bool
            }
            Op::In => {
                self.membership(id, left, right);
                Type::Bool
            }
            Op::Less | Op::LessEqual | Op::More | Op::MoreEqual => {
                let ordered = |part: &Type| part.is_number() || part.is_text();
                self.want(left, sign, ordered);
                self.want(right, sign, ordered);
                let (l, r) = (self.of(left).without_nil(), self.of(right).without_nil());
                let mixed = |a: &Type, b: &Type| !a.may_be(Type::is_text) && !b.may_be(Type::is_number);
                if mixed(&l, &r) || mixed(&r, &l) {
                    let message = format!("`{sign}` does not work between {} and {}", l.describe(), r.describe());
                    self.report(FindingKind::BadOperand, self.range(id), message);
                }
                Type::Bool
            }
            Op::Contains | Op::StartsWith | Op::EndsWith | Op::Matches => {
                for side in [left, right] {
                    let found = self.of(side).clone();
                    if !found.may_be(|part| *part == Type::Nil || part.is_text()) {
                        let message = format!("`{sign}` works on texts, not on {}", found.describe());
                        self.report(FindingKind::BadOperand, self.range(side), message);
                    }
                }
                Type::Bool
            }
            Op::Coalesce => {
                let l = self.of(left);
                if l.has_nil() || *l == Type::Any {
                    let kept = if *l == Type::Nil {
                        self.of(right).clone()
                    } else {
                        l.without_nil().or(self.of(right))
                    };
                    return kept;
                }
                l.clone()
            }
            Op::Plus => {
                let adds = |part: &Type| part.is_number() || part.is_text() || *part == Type::Any;
                self.want(left, sign, adds);
                self.want(right, sign, adds);
                let (l, r) = (self.of(left).without_nil(), self.of(right).without_nil());
                let texts = !l.may_be(Type::is_number) || !r.may_be(Type::is_number);
                let numbers = !l.may_be(Type::is_text) || !r.may_be(Type::is_text);
                match (texts, numbers) {
                    (true, true) => {
                        let message = format!("`+` does not work between {} and {}", l.describe(), r.describe());
                        self.report(FindingKind::BadOperand, self.range(id), message);
                        Type::Any
                    }
                    (true, false) => Type::String,
                    (false, true) => promoted(&l, &r),
                    (false, false) => Type::Any,
                }
            }
            Op::Minus | Op::Star | Op::Slash | Op::Percent | Op::Power | Op::Caret | Op::Range => {
                self.want(left, sign, Type::is_number);
                self.want(right, sign, Type::is_number);
                match op {
                    Op::Slash | Op::Power | Op::Caret => Type::Float,
                    Op::Percent => Type::Int,
                    Op::Range => Type::List(Arc::new(Type::Int)),
                    _ => promoted(&self.of(left).without_nil(), &self.of(right).without_nil()),
                }
            }
            _ => Type::Any,
        }
    }

    fn equality(&mut self, id: NodeId, op: Op, left: NodeId, right: NodeId) {
        for (subject, other) in [(left, right), (right, left)] {
            if let NodeKind::Str(literal) = self.expr.kind(other)
                && let Some(known) = closed_enum(self.of(subject))
            {
                if !known.contains(literal) {
                    self.not_in_enum(other, literal.clone(), known);
                }
                return;
            }
        }
        let (l, r) = (self.of(left), self.of(right));
        if !l.overlaps(r) {
            let message = format!("{} is never equal to {}", l.describe(), r.describe());
            let always = op == Op::NotEqual;
            self.report(FindingKind::ConstantComparison { always }, self.range(id), message);
        }
    }

    fn membership(&mut self, id: NodeId, left: NodeId, right: NodeId) {
        let expr = self.expr;
        if let NodeKind::List(items) = expr.kind(right) {
            if let Some(known) = closed_enum(self.of(left)) {
                for item in items {
                    if let NodeKind::Str(literal) = expr.kind(*item)
                        && !known.contains(literal)
                    {
                        self.not_in_enum(*item, literal.clone(), Arc::clone(&known));
                    }
                }
                return;
            }
            let l = self.of(left);
            if !items.is_empty() && items.iter().all(|item| !l.overlaps(self.of(*item))) {
                let message = format!("{} is never in this list", l.describe());
                self.report(
                    FindingKind::ConstantComparison { always: false },
                    self.range(id),
                    message,
                );
            }
            return;
        }
        let container = self.of(right).clone();
        if !container.may_be(|part| matches!(part, Type::Nil | Type::List(_) | Type::Map(_))) {
            let message = format!("`in` looks into lists and maps, not into {}", container.describe());
            self.report(FindingKind::BadOperand, self.range(right), message);
        }
    }

    fn not_in_enum(&mut self, at: NodeId, literal: SmolStr, known: Arc<[SmolStr]>) {
        let message = format!("`{literal}` is none of the declared values");
        self.report(FindingKind::NotInEnum { literal, known }, self.range(at), message);
    }

    fn member(&mut self, base: NodeId, property: NodeId, optional: bool, access: Access) -> Type {
        let found = self.of(base).clone();
        let name = match self.expr.kind(property) {
            NodeKind::Str(name) => Some(name.clone()),
            _ => None,
        };
        let text = short(self.text(base));
        if found.has_nil() && !optional {
            let message = format!("`{text}` can be nil, and then nothing can be read from it");
            self.report(FindingKind::MaybeNil, self.range(base), message);
        }
        let mut result: Option<Type> = None;
        let mut missing: Option<Vec<SmolStr>> = None;
        let mut readable = false;
        for part in found.parts() {
            let member = match (part, &name) {
                (Type::Any, _) => Type::Any,
                (Type::Nil, _) => continue,
                (Type::Map(map), Some(name)) => match (map.fields.get(name.as_str()), &map.rest) {
                    (Some(field), _) => field.clone(),
                    (None, Some(rest)) => rest.clone(),
                    (None, None) => {
                        missing = Some(map.fields.keys().cloned().collect());
                        continue;
                    }
                },
                (Type::Map(_), None) => Type::Any,
                (Type::List(element), None) => (**element).clone(),
                (Type::String | Type::Enum(_), None) => Type::Int,
                _ => continue,
            };
            readable = true;
            result = Some(result.map_or_else(|| member.clone(), |result| result.or(&member)));
        }
        if !readable {
            if let (Some(known), Some(name)) = (missing, name) {
                let message = format!("`{text}` has no field `{name}`");
                let base = self.text(base).to_owned();
                self.report(
                    FindingKind::UnknownField { base, name, known },
                    self.range(property),
                    message,
                );
            } else if found.parts().iter().any(|part| *part != Type::Nil) {
                let what = if access == Access::Dot { "members" } else { "elements" };
                let message = format!("`{text}` is {}, which has no {what}", found.without_nil().describe());
                self.report(FindingKind::BadOperand, self.range(property), message);
            }
        }
        result.unwrap_or_default()
    }

    fn builtin(&mut self, name: &str, args: &[NodeId]) -> Type {
        let texts = |pass: &mut Self| {
            for arg in args.iter().take(2) {
                pass.want(*arg, name, Type::is_text);
            }
        };
        let first = args.first().copied();
        match name {
            "len" => {
                if let Some(arg) = first {
                    let found = self.of(arg).clone();
                    let sized =
                        |part: &Type| matches!(part, Type::Nil | Type::List(_) | Type::Map(_)) || part.is_text();
                    if !found.may_be(sized) {
                        let message = format!("`len` does not take {}", found.describe());
                        self.report(FindingKind::BadOperand, self.range(arg), message);
                    }
                }
                Type::Int
            }
            "trim" | "upper" | "lower" => {
                texts(self);
                Type::String
            }
            "hasPrefix" | "hasSuffix" => {
                texts(self);
                Type::Bool
            }
            "split" => {
                texts(self);
                Type::List(Arc::new(Type::String))
            }
            "join" => {
                if let Some(list) = first {
                    self.want(list, name, |part| matches!(part, Type::List(_)));
                }
                Type::String
            }
            "int" | "float" => {
                if let Some(arg) = first {
                    self.want(arg, name, |part| part.is_number() || part.is_text());
                }
                if name == "int" { Type::Int } else { Type::Float }
            }
            "abs" | "round" => {
                if let Some(arg) = first {
                    self.want(arg, name, Type::is_number);
                }
                if name == "round" {
                    Type::Float
                } else {
                    first.map_or(Type::Any, |arg| numeric(self.of(arg)))
                }
            }
            "keys" => {
                if let Some(arg) = first {
                    self.want(arg, name, |part| matches!(part, Type::Map(_)));
                }
                Type::List(Arc::new(Type::String))
            }
            "string" | "type" => Type::String,
            "get" => match (
                first.map(|arg| self.of(arg)),
                args.get(1).map(|key| self.expr.kind(*key)),
            ) {
                (Some(Type::Map(map)), Some(NodeKind::Str(key))) => {
                    let field = map.fields.get(key.as_str()).or(map.rest.as_ref());
                    field.map_or(Type::Nil, |field| {
                        if *field == Type::Any {
                            Type::Any
                        } else {
                            field.or(&Type::Nil)
                        }
                    })
                }
                (Some(Type::List(element)), _) if **element != Type::Any => element.or(&Type::Nil),
                _ => Type::Any,
            },
            _ => Type::Any,
        }
    }
}

/// The texts of a type that is an enum, or an enum or nil.
fn closed_enum(found: &Type) -> Option<Arc<[SmolStr]>> {
    match found.without_nil() {
        Type::Enum(known) => Some(known),
        _ => None,
    }
}

fn numeric(found: &Type) -> Type {
    match found.without_nil() {
        known @ (Type::Int | Type::Float) => known,
        _ => Type::Int.or(&Type::Float),
    }
}

fn promoted(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Int, Type::Int) => Type::Int,
        (Type::Float, _) | (_, Type::Float) => Type::Float,
        _ => Type::Int.or(&Type::Float),
    }
}

fn short(text: &str) -> String {
    if text.chars().count() <= 40 {
        text.to_owned()
    } else {
        text.chars().take(39).chain(['…']).collect()
    }
}
