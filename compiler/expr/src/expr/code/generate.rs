//! Tree to operations, with a list of pending work instead of recursion.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::super::ast::{Access, Expr, NodeId, NodeKind};
use super::super::check::Nature;
use super::super::lexer::Op;
use super::super::limits::MAX_CODE;
use super::fold::{Folded, fold};
use super::{Code, Instr};
use crate::eval::pattern;
use crate::functions::Function;
use crate::value::{Helper, List, ListKind, Value};
use crate::{ErrorClass, ExprError};

/// A place in the code that is not known yet.
type Label = usize;

enum Work {
    Node(NodeId),
    Emit(Instr, NodeId),
    Jump(Label, NodeId),
    JumpIf(bool, Label, NodeId),
    JumpNil(bool, Label, NodeId),
    Place(Label),
    EndChain,
}

/// Makes the code of a checked expression.
pub(crate) fn generate(expr: &Expr, natures: &[Nature]) -> Result<Code, ExprError> {
    let folded = fold(expr)?;
    let mut generator = Generator {
        expr,
        natures,
        folded,
        code: Code::default(),
        work: vec![Work::Node(expr.root)],
        labels: Vec::new(),
        jumps: Vec::new(),
        chains: Vec::new(),
    };
    generator.run()?;
    Ok(generator.finish())
}

struct Generator<'a> {
    expr: &'a Expr,
    natures: &'a [Nature],
    folded: Vec<Folded>,
    code: Code,
    work: Vec<Work>,
    /// Where each label is.
    labels: Vec<usize>,
    /// Jumps whose target is a label.
    jumps: Vec<(usize, Label)>,
    /// The ends of the optional chains around.
    chains: Vec<Label>,
}

impl Generator<'_> {
    fn run(&mut self) -> Result<(), ExprError> {
        while let Some(work) = self.work.pop() {
            if self.code.ops.len() > MAX_CODE {
                let range = self.expr.node(self.expr.root).range;
                let message = "the expression takes too many steps: parts of it are used again and again";
                return Err(ExprError::compile(ErrorClass::Limit, range, message));
            }
            match work {
                Work::Node(id) => self.node(id)?,
                Work::Emit(op, id) => self.emit(op, id),
                Work::Jump(label, id) => self.jump(Instr::Jump(0), label, id),
                Work::JumpIf(when, label, id) => self.jump(Instr::JumpIf(when, 0), label, id),
                Work::JumpNil(when, label, id) => self.jump(Instr::JumpNil(when, 0), label, id),
                Work::Place(label) => {
                    let here = self.code.ops.len();
                    if let Some(place) = self.labels.get_mut(label) {
                        *place = here;
                    }
                }
                Work::EndChain => {
                    self.chains.pop();
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Code {
        for (at, label) in std::mem::take(&mut self.jumps) {
            let place = self.labels.get(label).copied().unwrap_or(usize::MAX);
            if let Some(Instr::Jump(to) | Instr::JumpIf(_, to) | Instr::JumpNil(_, to)) = self.code.ops.get_mut(at) {
                *to = place;
            }
        }
        self.code
    }

    fn emit(&mut self, op: Instr, id: NodeId) {
        self.code.ops.push(op);
        self.code.nodes.push(id);
    }

    fn jump(&mut self, op: Instr, label: Label, id: NodeId) {
        self.jumps.push((self.code.ops.len(), label));
        self.emit(op, id);
    }

    fn label(&mut self) -> Label {
        self.labels.push(usize::MAX);
        self.labels.len() - 1
    }

    /// Does these one after the other, before anything that waits already.
    fn then(&mut self, steps: impl IntoIterator<Item = Work, IntoIter: DoubleEndedIterator>) {
        self.work.extend(steps.into_iter().rev());
    }

    fn nature(&self, id: NodeId) -> &Nature {
        self.natures.get(id.index()).unwrap_or(&Nature::Unknown)
    }

    /// The constant that a node is after folding.
    fn constant(&self, id: NodeId) -> Option<Value> {
        if let Some(Folded::Constant(value)) = self.folded.get(id.index()) {
            return Some(value.clone());
        }
        Some(match self.expr.kind(id) {
            NodeKind::Nil => Value::Nil,
            NodeKind::Bool(value) => Value::Bool(*value),
            NodeKind::Int(value) => Value::Int(*value),
            NodeKind::Float(value) => Value::Float(*value),
            NodeKind::Str(text) => Value::Str(text.clone()),
            NodeKind::Bytes(bytes) => {
                let items = bytes.iter().map(|byte| Value::Uint(u64::from(*byte))).collect();
                Value::List(List::with_kind(ListKind::Bytes, items))
            }
            _ => return None,
        })
    }

    fn node(&mut self, id: NodeId) -> Result<(), ExprError> {
        if let Some(Folded::Alias(target)) = self.folded.get(id.index()) {
            let target = *target;
            self.work.push(Work::Node(target));
            return Ok(());
        }
        if let Some(value) = self.constant(id) {
            self.emit(Instr::Push(value), id);
            return Ok(());
        }
        let expr = self.expr;
        match expr.kind(id) {
            NodeKind::Ident { name, .. } => self.emit(Instr::Load(name.clone()), id),
            NodeKind::Unary { op, operand } => match op {
                Op::Plus => self.then([Work::Node(*operand)]),
                Op::Minus => self.then([Work::Node(*operand), Work::Emit(Instr::Negate, id)]),
                _ => self.then([Work::Node(*operand), Work::Emit(Instr::Not, id)]),
            },
            NodeKind::Binary { op, left, right } => self.binary(id, *op, *left, *right)?,
            NodeKind::Chain(inner) => {
                let end = self.label();
                self.chains.push(end);
                self.then([
                    Work::Node(*inner),
                    Work::Place(end),
                    Work::EndChain,
                    Work::Emit(Instr::PlainNil, id),
                ]);
            }
            NodeKind::Member {
                base,
                property,
                optional,
                access,
                ..
            } => {
                let name = match expr.kind(*property) {
                    NodeKind::Str(name) if *access == Access::Dot => Some(name.clone()),
                    _ => None,
                };
                let skip = self
                    .chains
                    .last()
                    .filter(|_| *optional)
                    .map(|end| Work::JumpNil(true, *end, id));
                let fetch: Vec<Work> = match name {
                    Some(name) => vec![Work::Emit(Instr::FetchName(name), id)],
                    None => vec![Work::Node(*property), Work::Emit(Instr::Fetch, id)],
                };
                self.then(
                    std::iter::once(Work::Node(*base))
                        .chain(skip)
                        .chain(fetch)
                        .collect::<Vec<_>>(),
                );
            }
            NodeKind::Slice { base, from, to } => {
                let end = to.map_or(Work::Emit(Instr::SliceEnd, id), Work::Node);
                let start = from.map_or(Work::Emit(Instr::Push(Value::Int(0)), id), Work::Node);
                self.then([Work::Node(*base), end, start, Work::Emit(Instr::Slice, id)]);
            }
            NodeKind::Call { callee, args } => {
                let helper = helper(expr, *callee);
                let call = helper.map(|helper| Work::Emit(Instr::Helper(helper), id));
                self.then(args.iter().map(|arg| Work::Node(*arg)).chain(call).collect::<Vec<_>>());
            }
            NodeKind::Builtin { name, args } => self.builtin(id, name, args),
            NodeKind::Sequence(parts) => {
                let mut steps = Vec::with_capacity(parts.len() * 2);
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        steps.push(Work::Emit(Instr::Pop, id));
                    }
                    steps.push(Work::Node(*part));
                }
                self.then(steps);
            }
            NodeKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                self.conditional(id, *condition, *then, *otherwise);
            }
            NodeKind::List(items) => {
                let list = Work::Emit(Instr::List(items.len()), id);
                self.then(
                    items
                        .iter()
                        .map(|item| Work::Node(*item))
                        .chain([list])
                        .collect::<Vec<_>>(),
                );
            }
            // The rest never passes the check.
            _ => self.emit(Instr::Push(Value::Nil), id),
        }
        Ok(())
    }

    fn conditional(&mut self, id: NodeId, condition: NodeId, then: NodeId, otherwise: NodeId) {
        let end = self.label();
        if condition == then {
            // `a ?: b`: the condition is the result when it is true.
            self.then([
                Work::Node(condition),
                Work::JumpIf(true, end, id),
                Work::Emit(Instr::Pop, id),
                Work::Node(otherwise),
                Work::Place(end),
            ]);
            return;
        }
        let no = self.label();
        self.then([
            Work::Node(condition),
            Work::JumpIf(false, no, id),
            Work::Emit(Instr::Pop, id),
            Work::Node(then),
            Work::Jump(end, id),
            Work::Place(no),
            Work::Emit(Instr::Pop, id),
            Work::Node(otherwise),
            Work::Place(end),
        ]);
    }

    fn builtin(&mut self, id: NodeId, name: &str, args: &[NodeId]) {
        let Some(function) = Function::named(name) else {
            self.emit(Instr::Push(Value::Nil), id);
            return;
        };
        let mut steps: Vec<Work> = args.iter().map(|arg| Work::Node(*arg)).collect();
        if function == Function::Len
            && let [arg] = args
            && !matches!(self.expr.kind(*arg), NodeKind::Binary { op: Op::Coalesce, .. })
        {
            steps.push(Work::Emit(Instr::NilToList, id));
        }
        steps.push(Work::Emit(Instr::Call(function, args.len()), id));
        self.then(steps);
    }

    fn binary(&mut self, id: NodeId, op: Op, left: NodeId, right: NodeId) -> Result<(), ExprError> {
        let both = |op| [Work::Node(left), Work::Node(right), Work::Emit(op, id)];
        match op {
            Op::And | Op::AndAnd | Op::Or | Op::OrOr => {
                let end = self.label();
                let when = matches!(op, Op::Or | Op::OrOr);
                self.then([
                    Work::Node(left),
                    Work::JumpIf(when, end, left),
                    Work::Emit(Instr::Pop, id),
                    Work::Node(right),
                    Work::Place(end),
                ]);
            }
            Op::Coalesce => {
                let end = self.label();
                self.then([
                    Work::Node(left),
                    Work::JumpNil(false, end, id),
                    Work::Emit(Instr::Pop, id),
                    Work::Node(right),
                    Work::Place(end),
                ]);
            }
            Op::Equal | Op::NotEqual => {
                let equal = match (self.nature(left), self.nature(right)) {
                    (Nature::Int, Nature::Int) => Instr::EqualInts,
                    (Nature::Str, Nature::Str) => Instr::EqualTexts,
                    _ => Instr::Binary(Op::Equal),
                };
                let not = (op == Op::NotEqual).then_some(Work::Emit(Instr::Not, id));
                self.then(both(equal).into_iter().chain(not).collect::<Vec<_>>());
            }
            Op::Matches => match self.constant(right) {
                Some(Value::Str(source)) => {
                    let regex = pattern::compile(&source).map_err(|message| {
                        ExprError::compile(ErrorClass::Regex, self.expr.node(right).range, message)
                    })?;
                    self.then([Work::Node(left), Work::Emit(Instr::Matches(Box::new(regex)), id)]);
                }
                _ => self.then(both(Instr::Binary(op))),
            },
            Op::In => match self.membership(left, right) {
                Some(op) => self.then([Work::Node(left), Work::Emit(op, id)]),
                None => self.then(both(Instr::Binary(op))),
            },
            _ => self.then(both(Instr::Binary(op))),
        }
        Ok(())
    }

    /// The short forms of `in`, which behave differently from a walk over the list.
    fn membership(&self, left: NodeId, right: NodeId) -> Option<Instr> {
        let ints = *self.nature(left) == Nature::Int;
        match self.expr.kind(right) {
            NodeKind::List(items) if !items.is_empty() => {
                if ints {
                    let set: Option<FxHashSet<i64>> = items
                        .iter()
                        .map(|item| match self.expr.kind(*item) {
                            NodeKind::Int(value) => Some(*value),
                            _ => None,
                        })
                        .collect();
                    if let Some(set) = set {
                        return Some(Instr::InInts(set));
                    }
                }
                let set: Option<FxHashSet<SmolStr>> = items
                    .iter()
                    .map(|item| match self.expr.kind(*item) {
                        NodeKind::Str(text) => Some(text.clone()),
                        _ => None,
                    })
                    .collect();
                set.map(Instr::InTexts)
            }
            NodeKind::Binary {
                op: Op::Range,
                left: from,
                right: to,
            } if ints => match (self.constant(*from), self.constant(*to)) {
                (Some(Value::Int(from)), Some(Value::Int(to))) => Some(Instr::InRange(from, to)),
                _ => None,
            },
            _ => None,
        }
    }
}

fn helper(expr: &Expr, callee: NodeId) -> Option<Helper> {
    let NodeKind::Ident { name, .. } = expr.kind(callee) else {
        return None;
    };
    Some(match name.as_str() {
        "available" => Helper::Available,
        "blocked" => Helper::Blocked,
        "blocked_reason" => Helper::BlockedReason,
        "intent_status" => Helper::IntentStatus,
        _ => return None,
    })
}
