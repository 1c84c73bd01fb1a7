//! Runs compiled expressions on a stack of values.

use super::{Fault, Outcome, access, arithmetic, compare, describe, membership, pattern, to_int};
use crate::env::Env;
use crate::expr::Expr;
use crate::expr::ast::{Access, NodeId, NodeKind};
use crate::expr::code::{Code, Instr};
use crate::expr::lexer::Op;
use crate::expr::limits::{MEMORY_BUDGET, TEXT_BUDGET};
use crate::value::{Helper, List, ListKind, MAX_VALUE_DEPTH, Native, Value};
use crate::{ErrorClass, ExprError};

/// Runs the code of an expression.
pub(crate) fn run(expr: &Expr, code: &Code, env: &Env) -> Result<Value, ExprError> {
    let mut machine = Machine {
        env,
        stack: Vec::with_capacity(8),
        elements: 0,
        bytes: 0,
    };
    let mut at = 0;
    while let Some(op) = code.ops.get(at) {
        match machine.step(op) {
            Ok(None) => at += 1,
            // Jumps only go forwards, so a run ends after as many steps as there are operations.
            Ok(Some(to)) => at = to.max(at + 1),
            Err(fault) => {
                let node = code.nodes.get(at).copied().unwrap_or(expr.root);
                return Err(located(expr, node, op, fault));
            }
        }
    }
    Ok(machine.stack.pop().unwrap_or_default())
}

struct Machine<'a> {
    env: &'a Env,
    stack: Vec<Value>,
    /// List elements made so far.
    elements: u64,
    /// Bytes of text made so far.
    bytes: u64,
}

impl Machine<'_> {
    fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or_default()
    }

    fn top(&self) -> &Value {
        self.stack.last().unwrap_or(&Value::Nil)
    }

    fn step(&mut self, op: &Instr) -> Outcome<Option<usize>> {
        let result = match op {
            Instr::Push(value) => value.clone(),
            Instr::Load(name) => self.load(name)?,
            Instr::Fetch => {
                let key = self.pop();
                let base = self.pop();
                access::fetch(&base, &key)?
            }
            Instr::FetchName(name) => {
                let base = self.pop();
                match &base {
                    // The common case, without making a key.
                    Value::Map(map) => map.get(name).cloned().unwrap_or_default(),
                    _ => access::fetch(&base, &Value::Str(name.clone()))?,
                }
            }
            Instr::SliceEnd => access::length_for_slice(self.top())?,
            Instr::Slice => {
                let from = self.pop();
                let to = self.pop();
                let base = self.pop();
                access::slice(&base, &from, &to)?
            }
            Instr::Pop => {
                self.pop();
                return Ok(None);
            }
            Instr::Jump(to) => return Ok(Some(*to)),
            Instr::JumpIf(when, to) => return Ok((truth(self.top())? == *when).then_some(*to)),
            Instr::JumpNil(when, to) => return Ok((self.top().is_nil() == *when).then_some(*to)),
            Instr::PlainNil => {
                let value = self.pop();
                if value.is_nil() { Value::Nil } else { value }
            }
            Instr::NilToList => {
                let value = self.pop();
                if value.is_nil() { Value::list(Vec::new()) } else { value }
            }
            Instr::Not => {
                let value = self.pop();
                Value::Bool(!truth(&value)?)
            }
            Instr::Negate => {
                let value = self.pop();
                arithmetic::negate(&value)?
            }
            Instr::Binary(op) => {
                let right = self.pop();
                let left = self.pop();
                self.binary(*op, &left, &right)?
            }
            Instr::EqualInts => {
                let right = self.pop();
                let left = self.pop();
                Value::Bool(compare::equal_ints(&left, &right)?)
            }
            Instr::EqualTexts => {
                let right = self.pop();
                let left = self.pop();
                Value::Bool(compare::equal_texts(&left, &right)?)
            }
            Instr::InTexts(set) => match self.pop() {
                Value::Str(text) => Value::Bool(set.contains(&text)),
                Value::Nil => Value::Bool(set.contains("")),
                other => {
                    let found = describe(&other);
                    return Err(Fault::kind(format!(
                        "the list holds texts only, and {found} is looked for"
                    )));
                }
            },
            Instr::InInts(set) => {
                let value = self.pop();
                match (value.as_int(), &value) {
                    (Some(value), _) => Value::Bool(set.contains(&value)),
                    (None, Value::Nil) => Value::Bool(set.contains(&0)),
                    (None, other) => {
                        let found = describe(other);
                        return Err(Fault::kind(format!(
                            "the list holds integers only, and {found} is looked for"
                        )));
                    }
                }
            }
            Instr::InRange(from, to) => {
                let value = self.pop();
                let inside = compare::ordered(Op::MoreEqual, &value, &Value::Int(*from))?
                    && compare::ordered(Op::LessEqual, &value, &Value::Int(*to))?;
                Value::Bool(inside)
            }
            Instr::Matches(regex) => match self.pop() {
                value if value.is_nil() => Value::Bool(false),
                Value::Str(text) => Value::Bool(regex.is_match(&text)),
                Value::List(list) if list.kind() == ListKind::Bytes => {
                    Value::Bool(regex.is_match(&text_of_bytes(&list)))
                }
                other => return Err(no_match(&other)),
            },
            Instr::List(count) => {
                self.spend(*count as u64)?;
                let items = self.stack.split_off(self.stack.len().saturating_sub(*count));
                let list = List::new(items);
                if list.depth() > MAX_VALUE_DEPTH {
                    return Err(Fault::new(ErrorClass::Budget, "the value is nested too deeply"));
                }
                Value::List(list)
            }
            Instr::Call(function, count) => {
                let args = self.stack.split_off(self.stack.len().saturating_sub(*count));
                let value = function.call(&args, self.env.now)?;
                self.account(&value)?;
                value
            }
            Instr::Helper(helper) => {
                let intent = self.pop();
                self.ask(*helper, &intent)?
            }
        };
        self.stack.push(result);
        Ok(None)
    }

    fn load(&self, name: &str) -> Outcome {
        if name == "$env" {
            return Ok(Value::Native(Native::Environment(std::sync::Arc::new(
                self.env.clone(),
            ))));
        }
        self.env
            .root(name)
            .ok_or_else(|| Fault::new(ErrorClass::Undefined, format!("`{name}` has no value")))
    }

    fn ask(&self, helper: Helper, intent: &Value) -> Outcome {
        let Value::Str(intent) = intent else {
            return Err(Fault::kind(format!(
                "an intent is named by a text, not by {}",
                describe(intent)
            )));
        };
        if !self.env.helpers {
            return Err(Fault::new(ErrorClass::Call, "view helpers can be called in views only"));
        }
        Ok(self.env.ask(helper, intent))
    }

    fn binary(&mut self, op: Op, left: &Value, right: &Value) -> Outcome {
        Ok(match op {
            Op::Equal => Value::Bool(compare::equal(left, right)),
            Op::Less | Op::LessEqual | Op::More | Op::MoreEqual => Value::Bool(compare::ordered(op, left, right)?),
            Op::Plus => {
                let sum = arithmetic::add(left, right)?;
                self.account(&sum)?;
                sum
            }
            Op::Minus => arithmetic::subtract(left, right)?,
            Op::Star => arithmetic::multiply(left, right)?,
            Op::Slash => arithmetic::divide(left, right)?,
            Op::Percent => arithmetic::remainder(left, right)?,
            Op::Power | Op::Caret => arithmetic::power(left, right)?,
            Op::Range => self.range(left, right)?,
            Op::In => Value::Bool(membership::contains(left, right)?),
            Op::Contains => Value::Bool(membership::texts("contains", left, right, |a, b| a.contains(b))?),
            Op::StartsWith => Value::Bool(membership::texts("startsWith", left, right, |a, b| a.starts_with(b))?),
            Op::EndsWith => Value::Bool(membership::texts("endsWith", left, right, |a, b| a.ends_with(b))?),
            Op::Matches => Value::Bool(matches(left, right)?),
            _ => Value::Nil,
        })
    }

    fn range(&mut self, from: &Value, to: &Value) -> Outcome {
        let (from, to) = (to_int(from)?, to_int(to)?);
        let size = u64::try_from(to.wrapping_sub(from).wrapping_add(1)).unwrap_or(0);
        self.spend(size)?;
        let items = (0..i64::try_from(size).unwrap_or(0))
            .map(|step| Value::Int(from.wrapping_add(step)))
            .collect();
        Ok(Value::List(List::with_kind(ListKind::Ints, items)))
    }

    fn spend(&mut self, elements: u64) -> Outcome<()> {
        self.elements = self.elements.saturating_add(elements);
        if self.elements >= MEMORY_BUDGET {
            return Err(Fault::new(
                ErrorClass::Budget,
                "lists of more than a million elements in one expression",
            ));
        }
        Ok(())
    }

    /// Counts text that was made, so that no expression fills the memory.
    fn account(&mut self, value: &Value) -> Outcome<()> {
        self.bytes += match value {
            Value::Str(text) => text.len() as u64,
            Value::List(list) => 32 * list.len() as u64,
            _ => 0,
        };
        if self.bytes > TEXT_BUDGET {
            return Err(Fault::new(
                ErrorClass::Budget,
                "more than 64 MB of text in one expression",
            ));
        }
        Ok(())
    }
}

fn truth(value: &Value) -> Outcome<bool> {
    match value {
        Value::Bool(value) => Ok(*value),
        other => Err(Fault::new(
            ErrorClass::NotBool,
            format!("a bool is needed here, not {}", describe(other)),
        )),
    }
}

fn matches(left: &Value, right: &Value) -> Outcome<bool> {
    if left.is_nil() || right.is_nil() {
        return Ok(false);
    }
    let Value::Str(source) = right else {
        return Err(no_match(right));
    };
    let text = match left {
        Value::Str(text) => text.clone(),
        Value::List(list) if list.kind() == ListKind::Bytes => text_of_bytes(list).into(),
        other => return Err(no_match(other)),
    };
    let regex = pattern::compile(source).map_err(|message| Fault::new(ErrorClass::Regex, message))?;
    Ok(regex.is_match(&text))
}

fn no_match(found: &Value) -> Fault {
    Fault::kind(format!("`matches` works on texts, not on {}", describe(found)))
}

fn text_of_bytes(list: &List) -> String {
    let bytes: Vec<u8> = list
        .iter()
        .filter_map(Value::as_int)
        .filter_map(|byte| u8::try_from(byte).ok())
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Gives a fault its place, and names of the text where they say more.
fn located(expr: &Expr, id: NodeId, op: &Instr, fault: Fault) -> ExprError {
    let node = expr.node(id);
    let mut message = fault.message;
    let mut help = None;
    let range = match (&node.kind, op) {
        (NodeKind::Member { base, access, .. }, Instr::Fetch | Instr::FetchName(_)) => {
            let base_text = short(expr.slice(expr.node(*base).range));
            if fault.class == ErrorClass::NilAccess {
                message = format!("`{base_text}` is nil, so nothing can be read from it");
                help = Some(format!("write `{base_text}?.` to get nil instead"));
            }
            if *access == Access::Dot { node.range } else { node.focus }
        }
        (NodeKind::Binary { left, .. }, Instr::JumpIf(..)) => expr.node(*left).range,
        (NodeKind::Conditional { condition, .. }, Instr::JumpIf(..)) => expr.node(*condition).range,
        _ => node.range,
    };
    let mut error = ExprError::run(fault.class, range, message);
    error.help = help;
    error
}

fn short(text: &str) -> String {
    if text.chars().count() <= 60 {
        text.to_owned()
    } else {
        text.chars().take(59).chain(['…']).collect()
    }
}
