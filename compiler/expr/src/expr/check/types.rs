//! One pass over the arena that gives every node its nature.

use text_size::TextRange;

use super::super::ast::{Access, Expr, NodeId, NodeKind};
use super::super::lexer::Op;
use super::super::limits::MAX_ERRORS;
use super::nature::{self, Nature};
use super::{access, functions, operators};
use crate::eval::pattern;
use crate::{ErrorClass, ExprError, names};

/// The nature of every node, and every certain type error in text order.
pub(crate) fn natures(expr: &Expr) -> (Vec<Nature>, Vec<ExprError>) {
    let mut pass = Pass {
        expr,
        natures: Vec::with_capacity(expr.nodes.len()),
        errors: Vec::new(),
    };
    for id in expr.ids() {
        let nature = pass.node(id);
        pass.natures.push(nature);
    }
    let errors = pass
        .errors
        .into_iter()
        .map(|(_, error)| error)
        .take(MAX_ERRORS)
        .collect();
    (pass.natures, errors)
}

struct Pass<'a> {
    expr: &'a Expr,
    natures: Vec<Nature>,
    /// Errors with the node that caused them: some calls hide what is wrong in their arguments.
    errors: Vec<(NodeId, ExprError)>,
}

impl Pass<'_> {
    fn of(&self, id: NodeId) -> &Nature {
        self.natures.get(id.index()).unwrap_or(&Nature::Unknown)
    }

    fn all(&self, ids: &[NodeId]) -> Vec<Nature> {
        ids.iter().map(|id| self.of(*id).clone()).collect()
    }

    fn error(&mut self, id: NodeId, range: TextRange, message: String) -> Nature {
        self.errors
            .push((id, ExprError::compile(ErrorClass::Type, range, message)));
        Nature::Unknown
    }

    /// Forgets the errors inside operands that the reference does not look at.
    fn hide(&mut self, ids: &[NodeId]) {
        for id in ids {
            let first = self.expr.node(*id).first;
            self.errors.retain(|(at, _)| *at < first || *at > *id);
        }
    }

    fn node(&mut self, id: NodeId) -> Nature {
        let expr = self.expr;
        let node = expr.node(id);
        match &node.kind {
            NodeKind::Error => Nature::Unknown,
            NodeKind::Nil => Nature::Nil,
            NodeKind::Bool(_) => Nature::Bool,
            NodeKind::Int(_) => Nature::Int,
            NodeKind::Float(_) => Nature::Float,
            NodeKind::Str(_) => Nature::Str,
            NodeKind::Bytes(_) => Nature::Bytes,
            NodeKind::Ident { name, binding } => match binding {
                Some(value) => self.of(*value).clone(),
                None => identifier(name),
            },
            NodeKind::Unary { op, operand } => {
                let found = self.of(*operand);
                if let Some(nature) = operators::unary(*op, found) {
                    return nature;
                }
                let message = format!("`{}` does not work on {}", op.as_str(), found.describe());
                self.error(id, node.focus, message)
            }
            NodeKind::Binary { op, left, right } => self.binary(id, *op, *left, *right),
            NodeKind::Chain(inner) => self.of(*inner).clone(),
            NodeKind::Member {
                base,
                property,
                access,
                method,
                ..
            } => self.member(id, *base, *property, *access, *method),
            NodeKind::Slice { base, from, to } => self.slice(id, *base, *from, *to),
            NodeKind::Call { callee, args } => self.call(id, *callee, args),
            NodeKind::Builtin { name, args } => self.builtin(id, name, args),
            NodeKind::Predicate(body) => Nature::Predicate(std::sync::Arc::new(self.of(*body).clone())),
            NodeKind::Pointer { name, collection } => self.pointer(id, name, *collection),
            NodeKind::Let { name, body, .. } => {
                if nature::root(name).is_some() || names::is_builtin(name) {
                    return self.error(
                        id,
                        node.focus,
                        format!("`{name}` exists already and cannot be redefined"),
                    );
                }
                self.of(*body).clone()
            }
            NodeKind::Sequence(parts) => parts.last().map_or(Nature::Unknown, |last| self.of(*last).clone()),
            NodeKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let found = self.of(*condition);
                if *found != Nature::Bool && !found.is_unknown() {
                    let message = format!("the condition is {}, not a bool", found.describe());
                    return self.error(id, expr.node(*condition).range, message);
                }
                operators::conditional(self.of(*then), self.of(*otherwise))
            }
            NodeKind::List(items) => operators::list(items.iter().map(|item| self.of(*item))),
            NodeKind::Map(_) => Nature::Map,
            NodeKind::Pair { .. } => Nature::Nil,
        }
    }

    fn binary(&mut self, id: NodeId, op: Op, left: NodeId, right: NodeId) -> Nature {
        let expr = self.expr;
        if op == Op::Matches
            && let NodeKind::Str(source) = expr.kind(right)
            && let Err(message) = pattern::compile(source)
        {
            let range = expr.node(right).range;
            self.errors
                .push((id, ExprError::compile(ErrorClass::Regex, range, message)));
            return Nature::Unknown;
        }
        let (l, r) = (self.of(left), self.of(right));
        if let Some(nature) = operators::binary(op, l, r) {
            return nature;
        }
        let (message, help) = binary_message(expr, op, (left, l), (right, r));
        let range = expr.node(id).range;
        let mut error = ExprError::compile(ErrorClass::Type, range, message);
        error.help = help;
        self.errors.push((id, error));
        Nature::Unknown
    }

    fn member(&mut self, id: NodeId, base: NodeId, property: NodeId, access: Access, method: bool) -> Nature {
        let expr = self.expr;
        let key = match expr.kind(property) {
            NodeKind::Str(name) => Some(name.as_str()),
            _ => None,
        };
        if let NodeKind::Ident { name, .. } = expr.kind(base)
            && name == "$env"
        {
            return key.and_then(nature::root).unwrap_or(Nature::Unknown);
        }
        match access::member(self.of(base), self.of(property), key, method) {
            Ok(nature) => nature,
            Err(message) => {
                let range = if access == Access::Dot {
                    expr.node(property).range
                } else {
                    expr.node(id).focus
                };
                self.error(id, range, message)
            }
        }
    }

    fn slice(&mut self, id: NodeId, base: NodeId, from: Option<NodeId>, to: Option<NodeId>) -> Nature {
        let bounds: Vec<NodeId> = from.into_iter().chain(to).collect();
        let sliced = self.of(base).clone();
        if sliced.is_unknown() {
            self.hide(&bounds);
            return Nature::Unknown;
        }
        if sliced != Nature::Str && !sliced.is_list() {
            self.hide(&bounds);
            let message = format!("{} has no parts to take", sliced.describe());
            return self.error(id, self.expr.node(id).focus, message);
        }
        for bound in bounds {
            let found = self.of(bound).clone();
            if found != Nature::Int && !found.is_unknown() {
                let message = format!("a bound is an integer, not {}", found.describe());
                return self.error(id, self.expr.node(bound).range, message);
            }
        }
        sliced
    }

    fn call(&mut self, id: NodeId, callee: NodeId, args: &[NodeId]) -> Nature {
        let expr = self.expr;
        let focus = expr.node(id).focus;
        if let NodeKind::Ident { name, .. } = expr.kind(callee)
            && name == "$env"
        {
            self.hide(args);
            return self.error(id, focus, "`$env` is no function".to_owned());
        }
        let found = self.of(callee).clone();
        match found {
            Nature::Unknown | Nature::Loose => {
                self.hide(args);
                Nature::Unknown
            }
            Nature::Helper { bool } => {
                let natures = self.all(args);
                match functions::helper(expr.slice(focus), &natures) {
                    Ok(()) => {
                        // Once the call has a type, the reference does not look into its arguments again.
                        self.hide(args);
                        if bool { Nature::Bool } else { Nature::Str }
                    }
                    Err(bad) => self.bad_call(id, args, bad),
                }
            }
            other => {
                self.hide(args);
                let message = format!("`{}` is {}, not a function", expr.slice(focus), other.describe());
                self.error(id, focus, message)
            }
        }
    }

    fn builtin(&mut self, id: NodeId, name: &str, args: &[NodeId]) -> Nature {
        if name == "get" {
            return self.get(id, args);
        }
        let mut natures = self.all(args);
        if name == "len"
            && let ([arg], [nature]) = (args, natures.as_mut_slice())
            && !matches!(self.expr.kind(*arg), NodeKind::Binary { op: Op::Coalesce, .. })
        {
            // `len(x)` is compiled as `len(x ?? [])`, which hides what x is.
            let empty = Nature::list_of(Nature::Unknown);
            *nature = operators::binary(Op::Coalesce, nature, &empty).unwrap_or(Nature::Unknown);
        }
        let checked = if names::takes_predicate(name) {
            functions::with_predicate(name, &natures)
        } else {
            functions::builtin(name, &natures)
        };
        match checked {
            Ok(nature) => nature,
            Err(bad) => self.bad_call(id, args, bad),
        }
    }

    fn bad_call(&mut self, id: NodeId, args: &[NodeId], bad: functions::BadCall) -> Nature {
        let argument = bad.argument.and_then(|index| args.get(index));
        let range = argument.map_or(self.expr.node(id).focus, |arg| self.expr.node(*arg).range);
        self.error(id, range, bad.message)
    }

    fn get(&mut self, id: NodeId, args: &[NodeId]) -> Nature {
        let expr = self.expr;
        let &[base, key] = args else {
            let message = format!("`get` takes 2 arguments, not {}", args.len());
            return self.error(id, expr.node(id).focus, message);
        };
        if let NodeKind::Ident { name, .. } = expr.kind(base)
            && name == "$env"
        {
            return match expr.kind(key) {
                NodeKind::Str(name) => nature::root(name).unwrap_or(Nature::Unknown),
                _ => Nature::Unknown,
            };
        }
        match access::get(self.of(base), self.of(key)) {
            Ok(nature) => nature,
            Err((wrong_base, message)) => {
                let range = expr.node(if wrong_base { base } else { key }).range;
                self.error(id, range, message)
            }
        }
    }

    fn pointer(&mut self, id: NodeId, name: &str, collection: Option<NodeId>) -> Nature {
        let found = collection.map_or(Nature::Unknown, |collection| self.of(collection).clone());
        match name {
            "" if found.is_unknown() => Nature::Unknown,
            "" if found.is_list() => found.element(),
            "" => self.error(
                id,
                self.expr.node(id).focus,
                format!("{} has no elements", found.describe()),
            ),
            "index" => Nature::Int,
            "acc" => Nature::Unknown,
            _ => self.error(id, self.expr.node(id).focus, format!("`#{name}` means nothing here")),
        }
    }
}

fn identifier(name: &str) -> Nature {
    nature::root(name)
        .or_else(|| names::builtin(name).map(Nature::Builtin))
        .unwrap_or(Nature::Unknown)
}

fn binary_message(
    expr: &Expr,
    op: Op,
    (left, l): (NodeId, &Nature),
    (_, r): (NodeId, &Nature),
) -> (String, Option<String>) {
    let message = match op {
        Op::In if *r == Nature::Str => "`in` looks into lists and maps, not into texts".to_owned(),
        _ => format!(
            "`{}` does not work between {} and {}",
            op.as_str(),
            l.describe(),
            r.describe()
        ),
    };
    let help = match (op, expr.kind(left)) {
        (Op::In, _) if *r == Nature::Str => Some("use `contains`: the text first, then what it contains".to_owned()),
        (
            Op::Equal | Op::NotEqual | Op::In,
            NodeKind::Unary {
                op: Op::Not | Op::Bang,
                operand,
            },
        ) => {
            let inner = expr.slice(expr.node(*operand).range);
            Some(format!(
                "`not` binds tighter than `{}`: write `not ({inner} {} …)`",
                op.as_str(),
                op.as_str()
            ))
        }
        (Op::Plus, _) if *l == Nature::Str || *r == Nature::Str => {
            Some("make a text of the other side with `string(…)`".to_owned())
        }
        _ => None,
    };
    (message, help)
}
