//! Equality and order of values. Values nested ten deep or more are refused, as in the reference: that also ends the
//! comparison of values that contain themselves.

use std::cmp::Ordering;

use super::value::Value;
use super::{meter, number};
use crate::fault::{Fault, Res};
use crate::language::ast::BinaryOp;

/// How deep values may be nested to be compared.
const MAX_DEPTH: u32 = 10;

/// `a == b`.
pub(crate) fn equal(a: &Value, b: &Value) -> Res<bool> {
    equal_at(a, b, MAX_DEPTH)
}

fn too_deep() -> Box<Fault> {
    Fault::runtime("comparison exceeded maximum recursion depth")
}

fn equal_at(a: &Value, b: &Value, depth: u32) -> Res<bool> {
    if depth == 0 {
        return Err(too_deep());
    }
    meter::work(4)?;
    Ok(match (a, b) {
        (Value::None, Value::None) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Text(a), Value::Text(b)) | (Value::Bytes(a), Value::Bytes(b)) => {
            meter::work_len(a.bytes.len().min(b.bytes.len()) / 8)?;
            a.bytes == b.bytes
        }
        (Value::List(x), Value::List(y)) => {
            let (x, y) = (x.items.borrow(), y.items.borrow());
            all_equal(&x, &y, depth - 1)?
        }
        (Value::Tuple(x), Value::Tuple(y)) => all_equal(&x.items, &y.items, depth - 1)?,
        (Value::Dict(x), Value::Dict(y)) => {
            let (x, y) = (x.table.borrow(), y.table.borrow());
            if x.len() != y.len() {
                return Ok(false);
            }
            for (key, value) in x.iter() {
                match y.get(key)? {
                    Some(other) if equal_at(value, &other, depth - 1)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Value::Range(a), Value::Range(b)) => {
            a.len == b.len && (a.len == 0 || a.start == b.start && (a.len == 1 || a.step == b.step))
        }
        _ if number::is_number(a) && number::is_number(b) => number::compare(a, b).is_eq(),
        _ => a.same(b),
    })
}

fn all_equal(a: &[Value], b: &[Value], depth: u32) -> Res<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for (a, b) in a.iter().zip(b) {
        if !equal_at(a, b, depth)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `a < b` and its relatives; `op` is for the message.
pub(crate) fn order(a: &Value, b: &Value, op: BinaryOp) -> Res<Ordering> {
    order_at(a, b, op, MAX_DEPTH)
}

fn order_at(a: &Value, b: &Value, op: BinaryOp, depth: u32) -> Res<Ordering> {
    if depth == 0 {
        return Err(too_deep());
    }
    meter::work(4)?;
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        (Value::Text(a), Value::Text(b)) | (Value::Bytes(a), Value::Bytes(b)) => {
            meter::work_len(a.bytes.len().min(b.bytes.len()) / 8)?;
            Ok(a.bytes.cmp(&b.bytes))
        }
        (Value::List(x), Value::List(y)) => {
            let (x, y) = (x.items.borrow(), y.items.borrow());
            order_items(&x, &y, op, depth - 1)
        }
        (Value::Tuple(x), Value::Tuple(y)) => order_items(&x.items, &y.items, op, depth - 1),
        _ if number::is_number(a) && number::is_number(b) => Ok(number::compare(a, b)),
        _ => Err(Fault::runtime(format!(
            "{} {} {} not implemented",
            a.kind(),
            op.sign(),
            b.kind()
        ))),
    }
}

fn order_items(a: &[Value], b: &[Value], op: BinaryOp, depth: u32) -> Res<Ordering> {
    for (a, b) in a.iter().zip(b) {
        if !equal_at(a, b, depth)? {
            return order_at(a, b, op, depth);
        }
    }
    Ok(a.len().cmp(&b.len()))
}
