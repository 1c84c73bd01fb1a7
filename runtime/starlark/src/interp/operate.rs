//! Operators between two values.

use std::ops::{BitAnd, BitOr, BitXor};

use memchr::memmem;

use super::machine::Machine;
use super::number;
use super::value::{ELEMENT, List, Value};
use super::{compare, format, meter};
use crate::fault::{Class, Fault, Res};
use crate::language::ast::{BinaryOp, UnaryOp};

/// More elements than this are refused outright when something is repeated.
const MAX_REPEAT: i64 = 1 << 30;

fn unknown(a: &Value, op: BinaryOp, b: &Value) -> Box<Fault> {
    Fault::runtime(format!("unknown binary op: {} {} {}", a.kind(), op.sign(), b.kind()))
}

/// `a op b`; `and` and `or` never come here.
pub(crate) fn binary(machine: &mut Machine, op: BinaryOp, a: &Value, b: &Value) -> Res<Value> {
    let numbers = number::is_number(a) && number::is_number(b);
    let integers = numbers && !matches!(a, Value::Float(_)) && !matches!(b, Value::Float(_));
    match op {
        BinaryOp::Eq => Ok(Value::Bool(compare::equal(a, b)?)),
        BinaryOp::Ne => Ok(Value::Bool(!compare::equal(a, b)?)),
        BinaryOp::Lt => Ok(Value::Bool(compare::order(a, b, op)?.is_lt())),
        BinaryOp::Gt => Ok(Value::Bool(compare::order(a, b, op)?.is_gt())),
        BinaryOp::Le => Ok(Value::Bool(compare::order(a, b, op)?.is_le())),
        BinaryOp::Ge => Ok(Value::Bool(compare::order(a, b, op)?.is_ge())),
        BinaryOp::In => Ok(Value::Bool(contains(a, b)?)),
        BinaryOp::NotIn => Ok(Value::Bool(!contains(a, b)?)),
        BinaryOp::Plus if numbers => number::add(a, b),
        BinaryOp::Plus => plus(a, b),
        BinaryOp::Minus if numbers => number::subtract(a, b),
        BinaryOp::Star if numbers => number::multiply(a, b),
        BinaryOp::Star => repeat(a, b)
            .or_else(|| repeat(b, a))
            .unwrap_or_else(|| Err(unknown(a, op, b))),
        BinaryOp::Slash if numbers => number::divide(a, b),
        BinaryOp::SlashSlash if numbers => number::floor_divide(a, b),
        BinaryOp::Percent if numbers => number::modulo(a, b),
        BinaryOp::Percent => match a {
            Value::Text(t) => format::interpolate(machine, &t.bytes, b),
            _ => Err(unknown(a, op, b)),
        },
        BinaryOp::Pipe if integers => number::bitwise(a, b, i64::bitor, |a, b| a | b),
        BinaryOp::Caret if integers => number::bitwise(a, b, i64::bitxor, |a, b| a ^ b),
        BinaryOp::Amp if integers => number::bitwise(a, b, i64::bitand, |a, b| a & b),
        BinaryOp::ShiftLeft if matches!(a, Value::Int(_) | Value::Big(_)) => number::shift(a, b, true),
        BinaryOp::ShiftRight if matches!(a, Value::Int(_) | Value::Big(_)) => number::shift(a, b, false),
        BinaryOp::Pipe => match (a, b) {
            (Value::Dict(x), Value::Dict(y)) => {
                let mut table = super::table::Table::new()?;
                for (key, value) in x.table.borrow().iter().chain(y.table.borrow().iter()) {
                    meter::work(64)?;
                    table.insert(key.clone(), value.clone())?;
                }
                Ok(Value::dict(table))
            }
            _ => Err(unknown(a, op, b)),
        },
        _ => Err(unknown(a, op, b)),
    }
}

fn plus(a: &Value, b: &Value) -> Res<Value> {
    match (a, b) {
        (Value::Text(x), Value::Text(y)) => {
            meter::room((x.bytes.len() + y.bytes.len()).saturating_mul(2))?;
            let mut bytes = Vec::with_capacity(x.bytes.len() + y.bytes.len());
            bytes.extend_from_slice(&x.bytes);
            bytes.extend_from_slice(&y.bytes);
            Value::text(bytes)
        }
        (Value::List(x), Value::List(y)) => {
            let (x, y) = (x.items.borrow(), y.items.borrow());
            Value::list(join(&x, &y)?)
        }
        (Value::Tuple(x), Value::Tuple(y)) => Value::tuple(join(&x.items, &y.items)?),
        _ => Err(unknown(a, BinaryOp::Plus, b)),
    }
}

fn join(a: &[Value], b: &[Value]) -> Res<Vec<Value>> {
    meter::room((a.len() + b.len()).saturating_mul(ELEMENT))?;
    let mut out = Vec::with_capacity(a.len() + b.len());
    out.extend_from_slice(a);
    out.extend_from_slice(b);
    Ok(out)
}

/// `sequence * count`; `None` when these are not of that kind.
fn repeat(sequence: &Value, count: &Value) -> Option<Res<Value>> {
    if !matches!(
        sequence,
        Value::Text(_) | Value::Bytes(_) | Value::List(_) | Value::Tuple(_)
    ) {
        return None;
    }
    let len = i64::try_from(sequence.length()?).ok()?;
    let n = match count {
        Value::Int(n) if i32::try_from(*n).is_ok() => *n,
        Value::Int(_) | Value::Big(_) => {
            let n = number::decimal(count);
            let class = if n.starts_with('-') {
                Class::Runtime
            } else {
                Class::LimitMemory
            };
            return Some(Err(Fault::new(class, format!("repeat count {n} too large"))));
        }
        _ => return None,
    };
    Some(repeated(sequence, len, n.max(0)))
}

fn repeated(sequence: &Value, len: i64, n: i64) -> Res<Value> {
    let total = len.saturating_mul(n);
    if total >= MAX_REPEAT {
        return Err(Fault::new(
            Class::LimitMemory,
            format!("excessive repeat ({len} * {n} elements)"),
        ));
    }
    let n = usize::try_from(n).unwrap_or(0);
    let total = usize::try_from(total).unwrap_or(0);
    let items = |items: &[Value]| -> Res<Vec<Value>> {
        meter::room(total.saturating_mul(ELEMENT))?;
        let mut out = Vec::with_capacity(total);
        if !items.is_empty() {
            for _ in 0..n {
                out.extend_from_slice(items);
            }
        }
        Ok(out)
    };
    let bytes = |bytes: &[u8]| -> Res<Vec<u8>> {
        meter::room(total.saturating_mul(2))?;
        Ok(if bytes.is_empty() { Vec::new() } else { bytes.repeat(n) })
    };
    match sequence {
        Value::Text(t) => Value::text(bytes(&t.bytes)?),
        Value::Bytes(t) => Value::bytes(bytes(&t.bytes)?),
        Value::List(l) => Value::list(items(&l.items.borrow())?),
        Value::Tuple(t) => Value::tuple(items(&t.items)?),
        _ => Ok(Value::None),
    }
}

/// `needle in haystack`.
fn contains(needle: &Value, haystack: &Value) -> Res<bool> {
    match haystack {
        Value::List(l) => any_equal(&l.items.borrow(), needle),
        Value::Tuple(t) => any_equal(&t.items, needle),
        // A key that cannot be hashed is in no dict.
        Value::Dict(d) => Ok(d.table.borrow().get(needle).ok().flatten().is_some()),
        Value::Text(t) => match needle {
            Value::Text(n) => {
                meter::work_len(t.bytes.len())?;
                Ok(memmem::find(&t.bytes, &n.bytes).is_some())
            }
            other => Err(Fault::runtime(format!(
                "'in <string>' requires string as left operand, not {}",
                other.kind()
            ))),
        },
        Value::Bytes(t) => match needle {
            Value::Bytes(n) => {
                meter::work_len(t.bytes.len())?;
                Ok(memmem::find(&t.bytes, &n.bytes).is_some())
            }
            Value::Int(i) => match u8::try_from(*i) {
                Ok(b) => Ok(t.bytes.contains(&b)),
                Err(_) => Err(Fault::runtime(format!("int in bytes: {i} out of range"))),
            },
            other => Err(Fault::runtime(format!(
                "'in bytes' requires bytes or int as left operand, not {}",
                other.kind()
            ))),
        },
        Value::Range(r) => match number::to_int(needle) {
            Ok(Value::Int(i)) if i32::try_from(i).is_ok() => {
                let offset = i128::from(i) - i128::from(r.start);
                let step = i128::from(r.step);
                Ok(offset % step == 0 && offset / step >= 0 && offset / step < i128::from(r.len))
            }
            Ok(_) => Ok(false),
            Err(_) => {
                let kind = needle.kind();
                Err(Fault::runtime(format!(
                    "'in <range>' requires integer as left operand, not {kind}"
                )))
            }
        },
        _ => Err(unknown(needle, BinaryOp::In, haystack)),
    }
}

fn any_equal(items: &[Value], needle: &Value) -> Res<bool> {
    for item in items {
        if compare::equal(item, needle)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `op a`.
pub(crate) fn unary(op: UnaryOp, v: &Value) -> Res<Value> {
    match op {
        UnaryOp::Not => Ok(Value::Bool(!v.truth())),
        UnaryOp::Minus if number::is_number(v) => number::negate(v),
        UnaryOp::Plus if number::is_number(v) => Ok(v.clone()),
        UnaryOp::Tilde if matches!(v, Value::Int(_) | Value::Big(_)) => number::invert(v),
        _ => Err(Fault::runtime(format!("unknown unary op: {} {}", op.sign(), v.kind()))),
    }
}

/// `a op= b`: lists and dicts are changed in place.
pub(crate) fn augmented(machine: &mut Machine, op: BinaryOp, a: &Value, b: &Value) -> Res<Value> {
    match (op, a, b) {
        (BinaryOp::Plus, Value::List(list), other) if other.iterate().is_some() => {
            list.guard.check("apply += to", "list")?;
            extend(list, other, "+=")?;
            Ok(a.clone())
        }
        (BinaryOp::Pipe, Value::Dict(x), Value::Dict(y)) => {
            x.guard.check("apply |= to", "hash table")?;
            let entries: Vec<(Value, Value)> = y.table.borrow().iter().cloned().collect();
            for (key, value) in entries {
                meter::work(64)?;
                x.table.borrow_mut().insert(key, value)?;
            }
            Ok(a.clone())
        }
        _ => binary(machine, op, a, b),
    }
}

/// Appends all elements of something to a list; it may be the list itself.
pub(crate) fn extend(list: &List, other: &Value, name: &str) -> Res<()> {
    let more = other.elements(name, "1")?;
    list.reserve(more.len())?;
    list.items.borrow_mut().extend(more);
    Ok(())
}
