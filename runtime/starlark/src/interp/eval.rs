//! Expressions.

use super::arguments::Args;
use super::iterate::not_iterable;
use super::machine::{Frame, Machine, Slot};
use super::table::Table;
use super::value::{List, Value};
use super::{attribute, index, meter, operate, show};
use crate::fault::{Fault, Res};
use crate::language::ast::{
    BinaryOp, Binding, Call, Clause, Comprehension, DictEntry, Expr, FunctionDef, Name, Operand, ParameterKind, Slice,
};

pub(super) fn at(i: u32) -> usize {
    usize::try_from(i).unwrap_or(usize::MAX)
}

impl Machine {
    /// The value of an expression.
    pub(crate) fn eval(&mut self, frame: &mut Frame<'_>, expr: &Expr) -> Res<Value> {
        self.enter()?;
        let result = self.eval_inner(frame, expr);
        self.leave();
        result
    }

    fn eval_inner(&mut self, frame: &mut Frame<'_>, expr: &Expr) -> Res<Value> {
        meter::steps(1)?;
        match expr {
            Expr::Name(name) => self.lookup(frame, name),
            Expr::Int(i) => Ok(Value::Int(*i)),
            Expr::BigInt(i) => Value::big((**i).clone()),
            Expr::Float(f) => Ok(Value::Float(*f)),
            Expr::Text(t) => Value::text(&**t),
            Expr::Bytes(b) => Value::bytes(&**b),
            Expr::List { items, .. } => Value::list(self.eval_all(frame, items)?),
            Expr::Tuple { items, .. } => Value::tuple(self.eval_all(frame, items)?),
            Expr::Dict { entries, .. } => self.dict(frame, entries),
            Expr::Comprehension(c) => self.comprehension(frame, c),
            Expr::Conditional(c) => {
                let branch = if self.eval(frame, &c.condition)?.truth() {
                    &c.yes
                } else {
                    &c.no
                };
                self.eval(frame, branch)
            }
            Expr::Lambda(def) => self.closure(frame, def),
            Expr::Unary { op, at, operand } => {
                let value = self.eval(frame, operand)?;
                operate::unary(*op, &value).map_err(|f| f.or_at(*at))
            }
            Expr::Binary { first, rest } => self.chain(frame, first, rest),
            Expr::Dot { object, dot, name } => {
                let object = self.eval(frame, object)?;
                attribute::get(&object, name).map_err(|f| f.or_at(*dot))
            }
            Expr::Index { object, bracket, index } => {
                let object = self.eval(frame, object)?;
                let i = self.eval(frame, index)?;
                index::get(&object, &i).map_err(|f| f.or_at(*bracket))
            }
            Expr::Slice(slice) => self.slice(frame, slice),
            Expr::Call(call) => self.call_expr(frame, call),
        }
    }

    fn eval_all(&mut self, frame: &mut Frame<'_>, items: &[Expr]) -> Res<Vec<Value>> {
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            out.push(self.eval(frame, item)?);
        }
        Ok(out)
    }

    fn eval_option(&mut self, frame: &mut Frame<'_>, expr: Option<&Expr>) -> Res<Option<Value>> {
        expr.map(|e| self.eval(frame, e)).transpose()
    }

    fn lookup(&mut self, frame: &Frame<'_>, name: &Name) -> Res<Value> {
        let (found, what) = match name.binding.get() {
            Some(Binding::Local(i)) => match frame.slots.get(at(*i)) {
                Some(Slot::Plain(value)) => return Ok(value.clone()),
                Some(Slot::Shared(cell)) => (cell.value.borrow().clone(), "local"),
                _ => (None, "local"),
            },
            Some(Binding::Free(i)) => (frame.free.get(at(*i)).and_then(|c| c.value.borrow().clone()), "local"),
            Some(Binding::Global(i)) => (self.globals.get(at(*i)).cloned().flatten(), "global"),
            Some(Binding::Given(i)) => (self.given.get(at(*i)).cloned(), "predeclared"),
            None => (None, "unresolved"),
        };
        found.ok_or_else(|| {
            Fault::runtime(format!("{what} variable {} referenced before assignment", name.text)).or_at(name.at)
        })
    }

    fn dict(&mut self, frame: &mut Frame<'_>, entries: &[DictEntry]) -> Res<Value> {
        let mut table = Table::new()?;
        for entry in entries {
            let key = self.eval(frame, &entry.key)?;
            let value = self.eval(frame, &entry.value)?;
            let before = table.len();
            let shown = key.clone();
            table.insert(key, value).map_err(|f| f.or_at(entry.colon))?;
            if table.len() == before {
                return Err(Fault::runtime(format!("duplicate key: {}", show::repr(&shown)?)).or_at(entry.colon));
            }
        }
        Ok(Value::dict(table))
    }

    /// A chain of operators of one precedence.
    fn chain(&mut self, frame: &mut Frame<'_>, first: &Expr, rest: &[Operand]) -> Res<Value> {
        let mut left = self.eval(frame, first)?;
        for operand in rest {
            match operand.op {
                BinaryOp::Or if left.truth() => return Ok(left),
                BinaryOp::And if !left.truth() => return Ok(left),
                BinaryOp::Or | BinaryOp::And => left = self.eval(frame, &operand.value)?,
                op => {
                    let right = self.eval(frame, &operand.value)?;
                    meter::steps(1)?;
                    left = operate::binary(self, op, &left, &right).map_err(|f| f.or_at(operand.at))?;
                }
            }
        }
        Ok(left)
    }

    fn slice(&mut self, frame: &mut Frame<'_>, slice: &Slice) -> Res<Value> {
        let object = self.eval(frame, &slice.object)?;
        let low = self.eval_option(frame, slice.low.as_ref())?;
        let high = self.eval_option(frame, slice.high.as_ref())?;
        let step = self.eval_option(frame, slice.step.as_ref())?;
        index::slice(&object, low.as_ref(), high.as_ref(), step.as_ref()).map_err(|f| f.or_at(slice.bracket))
    }

    fn call_expr(&mut self, frame: &mut Frame<'_>, call: &Call) -> Res<Value> {
        let callee = self.eval(frame, &call.function)?;
        let mut args = Args {
            positional: self.eval_all(frame, &call.positional)?,
            named: Vec::new(),
        };
        for (name, expr) in &call.named {
            args.named.push((name.clone(), self.eval(frame, expr)?));
        }
        let star = self.eval_option(frame, call.star.as_ref())?;
        let star_star = self.eval_option(frame, call.star_star.as_ref())?;
        spread(&mut args, star, star_star).map_err(|f| f.or_at(call.bracket))?;
        self.call(&callee, args).map_err(|f| f.or_at(call.bracket))
    }

    /// A function value of a definition: its defaults are evaluated now, what it shares is taken along.
    pub(super) fn closure(&mut self, frame: &mut Frame<'_>, def: &std::rc::Rc<FunctionDef>) -> Res<Value> {
        let mut defaults = Vec::new();
        for parameter in &def.parameters {
            if let ParameterKind::Default(expr) = &parameter.kind {
                defaults.push(self.eval(frame, expr)?);
            }
        }
        let mut free = Vec::new();
        for binding in def.layout.get().map_or(&[][..], |l| &l.free) {
            let cell = match binding {
                Binding::Local(i) => match frame.slots.get(at(*i)) {
                    Some(Slot::Shared(cell)) => Some(cell.clone()),
                    _ => None,
                },
                Binding::Free(i) => frame.free.get(at(*i)).cloned(),
                _ => None,
            };
            free.push(cell.ok_or_else(|| Fault::runtime("variable not shared"))?);
        }
        Value::function(def.clone(), defaults, free)
    }

    fn comprehension(&mut self, frame: &mut Frame<'_>, c: &Comprehension) -> Res<Value> {
        let result = match &c.key {
            Some(_) => Value::dict(Table::new()?),
            None => Value::list(Vec::new())?,
        };
        self.clause(frame, c, &c.clauses, &result)?;
        Ok(result)
    }

    fn clause(&mut self, frame: &mut Frame<'_>, c: &Comprehension, clauses: &[Clause], out: &Value) -> Res<()> {
        let Some((clause, inner)) = clauses.split_first() else {
            return self.collect(frame, c, out);
        };
        match clause {
            Clause::If { condition } => {
                if self.eval(frame, condition)?.truth() {
                    self.clause(frame, c, inner, out)?;
                }
                Ok(())
            }
            Clause::For { at, target, iterable } => {
                let source = self.eval(frame, iterable)?;
                let mut iter = source.iterate().ok_or_else(|| not_iterable(&source).or_at(*at))?;
                while let Some(value) = iter.advance()? {
                    meter::steps(3)?;
                    self.assign(frame, target, value, *at)?;
                    self.enter()?;
                    let result = self.clause(frame, c, inner, out);
                    self.leave();
                    result?;
                }
                Ok(())
            }
        }
    }

    fn collect(&mut self, frame: &mut Frame<'_>, c: &Comprehension, out: &Value) -> Res<()> {
        match (out, &c.key) {
            (Value::Dict(dict), Some((key, colon))) => {
                let key = self.eval(frame, key)?;
                let value = self.eval(frame, &c.value)?;
                dict.table.borrow_mut().insert(key, value).map_err(|f| f.or_at(*colon))
            }
            (Value::List(list), _) => {
                let value = self.eval(frame, &c.value)?;
                List::push(list, value)
            }
            _ => Ok(()),
        }
    }
}

/// `*args` and `**kwargs` of a call.
fn spread(args: &mut Args, star: Option<Value>, star_star: Option<Value>) -> Res<()> {
    if let Some(value) = star {
        let Some(_) = value.iterate() else {
            return Err(Fault::runtime(format!(
                "argument after * must be iterable, not {}",
                value.kind()
            )));
        };
        args.positional.extend(value.elements("call", "*")?);
    }
    if let Some(value) = star_star {
        let Value::Dict(dict) = &value else {
            return Err(Fault::runtime(format!(
                "argument after ** must be a mapping, not {}",
                value.kind()
            )));
        };
        for (key, value) in dict.table.borrow().iter() {
            let Some(name) = key.as_text() else {
                return Err(Fault::runtime(format!("keywords must be strings, not {}", key.kind())));
            };
            meter::work(64)?;
            args.named.push((String::from_utf8_lossy(name).into(), value.clone()));
        }
    }
    Ok(())
}
