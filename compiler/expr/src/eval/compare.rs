//! Equality and order (language 5.3 of the expression chapter).

use std::cmp::Ordering;

use super::{Fault, Outcome, describe};
use crate::expr::lexer::Op;
use crate::value::{List, ListKind, Native, Value};

/// `a == b`: numbers by value, lists element by element, maps by identity of structure; other kinds differ.
pub(crate) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(_) | Value::Uint(_), Value::Int(_) | Value::Uint(_)) => a.as_int() == b.as_int(),
        (Value::Int(_) | Value::Uint(_) | Value::Float(_), Value::Int(_) | Value::Uint(_) | Value::Float(_)) => {
            a.as_float() == b.as_float()
        }
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::List(a), Value::List(b)) => lists_equal(a, b),
        (Value::Map(a), Value::Map(b)) => a == b,
        (Value::Native(Native::Helper { bound, .. }), _) if !bound => b.is_nil() || unbound(b),
        (_, Value::Native(Native::Helper { bound, .. })) if !bound => a.is_nil(),
        (Value::Native(Native::Helper { .. }), _) => false,
        _ if a.is_nil() && b.is_nil() => true,
        (Value::Native(a), Value::Native(b)) => a == b,
        _ => false,
    }
}

fn unbound(value: &Value) -> bool {
    matches!(value, Value::Native(Native::Helper { bound: false, .. }))
}

/// An ordinary list compares with any list; two special ones only with their own kind.
fn lists_equal(a: &List, b: &List) -> bool {
    let ordinary = |list: &List| matches!(list.kind(), ListKind::Any | ListKind::Bare);
    let texts = |list: &List| matches!(list.kind(), ListKind::Strings | ListKind::NilStrings);
    let comparable = ordinary(a) || ordinary(b) || a.kind() == b.kind() || texts(a) && texts(b);
    comparable && a.len() == b.len() && a.iter().zip(b).all(|(x, y)| equal(x, y))
}

/// `==` between two values that are integers for certain; anything else is an error.
pub(crate) fn equal_ints(a: &Value, b: &Value) -> Outcome<bool> {
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Ok(a == b),
        (None, _) => Err(must_be("an integer", a)),
        _ => Err(must_be("an integer", b)),
    }
}

/// `==` between two values that are texts for certain; anything else is an error.
pub(crate) fn equal_texts(a: &Value, b: &Value) -> Outcome<bool> {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => Ok(a == b),
        (None, _) => Err(must_be("a text", a)),
        _ => Err(must_be("a text", b)),
    }
}

fn must_be(what: &str, found: &Value) -> Fault {
    Fault::kind(format!("{what} is compared here, and one side is {}", describe(found)))
}

/// `<` and its kin: numbers with numbers, texts with texts by bytes.
pub(crate) fn ordered(op: Op, a: &Value, b: &Value) -> Outcome<bool> {
    let order = match (a, b) {
        (Value::Int(_) | Value::Uint(_), Value::Int(_) | Value::Uint(_)) => a.as_int().cmp(&b.as_int()),
        (Value::Str(a), Value::Str(b)) => a.as_bytes().cmp(b.as_bytes()),
        (Value::Native(Native::Time(a)), Value::Native(Native::Time(b))) => a.cmp(b),
        (Value::Native(Native::Duration(a)), Value::Native(Native::Duration(b))) => a.cmp(b),
        _ => match (a.as_float(), b.as_float()) {
            (Some(x), Some(y)) => match x.partial_cmp(&y) {
                Some(order) => order,
                // Not a number is in no order with anything.
                None => return Ok(false),
            },
            _ => {
                return Err(Fault::kind(format!(
                    "`{}` does not work between {} and {}",
                    op.as_str(),
                    describe(a),
                    describe(b)
                )));
            }
        },
    };
    Ok(match op {
        Op::Less => order == Ordering::Less,
        Op::LessEqual => order != Ordering::Greater,
        Op::More => order == Ordering::Greater,
        _ => order != Ordering::Less,
    })
}
