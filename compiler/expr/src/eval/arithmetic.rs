//! Arithmetic: integers wrap, `/` and `**` are floats always, texts only add.

use smol_str::SmolStr;

use super::{Fault, Outcome, describe};
use crate::ErrorClass;
use crate::value::{Native, Value};

/// Two numbers brought to one kind.
enum Pair {
    Ints(i64, i64),
    Floats(f64, f64),
}

fn pair(a: &Value, b: &Value) -> Option<Pair> {
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Some(Pair::Ints(a, b)),
        _ => Some(Pair::Floats(float(a)?, float(b)?)),
    }
}

/// A number as a double; unsigned values count as signed ones everywhere but in themselves.
#[expect(clippy::cast_precision_loss, reason = "the language converts so")]
fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(value) => Some(*value),
        Value::Int(value) => Some(*value as f64),
        Value::Uint(value) => Some(*value as f64),
        _ => None,
    }
}

fn refuse(sign: &str, a: &Value, b: &Value) -> Fault {
    Fault::kind(format!(
        "`{sign}` does not work between {} and {}",
        describe(a),
        describe(b)
    ))
}

pub(crate) fn add(a: &Value, b: &Value) -> Outcome {
    if let (Value::Str(a), Value::Str(b)) = (a, b) {
        return Ok(Value::Str(if a.is_empty() {
            b.clone()
        } else if b.is_empty() {
            a.clone()
        } else {
            SmolStr::from(format!("{a}{b}"))
        }));
    }
    match (pair(a, b), a, b) {
        (Some(Pair::Ints(a, b)), ..) => Ok(Value::Int(a.wrapping_add(b))),
        (Some(Pair::Floats(a, b)), ..) => Ok(Value::Float(a + b)),
        (_, Value::Native(Native::Time(t)), Value::Native(Native::Duration(d)))
        | (_, Value::Native(Native::Duration(d)), Value::Native(Native::Time(t))) => {
            Ok(Value::Native(Native::Time(t + i128::from(*d))))
        }
        (_, Value::Native(Native::Duration(a)), Value::Native(Native::Duration(b))) => {
            Ok(Value::Native(Native::Duration(a.wrapping_add(*b))))
        }
        _ => Err(refuse("+", a, b)),
    }
}

pub(crate) fn subtract(a: &Value, b: &Value) -> Outcome {
    match (pair(a, b), a, b) {
        (Some(Pair::Ints(a, b)), ..) => Ok(Value::Int(a.wrapping_sub(b))),
        (Some(Pair::Floats(a, b)), ..) => Ok(Value::Float(a - b)),
        (_, Value::Native(Native::Time(a)), Value::Native(Native::Time(b))) => Ok(Value::Native(Native::Duration(
            i64::try_from(a - b).unwrap_or(i64::MAX),
        ))),
        (_, Value::Native(Native::Time(t)), Value::Native(Native::Duration(d))) => {
            Ok(Value::Native(Native::Time(t - i128::from(*d))))
        }
        (_, Value::Native(Native::Duration(a)), Value::Native(Native::Duration(b))) => {
            Ok(Value::Native(Native::Duration(a.wrapping_sub(*b))))
        }
        _ => Err(refuse("-", a, b)),
    }
}

pub(crate) fn multiply(a: &Value, b: &Value) -> Outcome {
    let span = |value: &Value| match value {
        Value::Native(Native::Duration(nanos)) => Some(*nanos),
        _ => None,
    };
    match pair(a, b) {
        Some(Pair::Ints(a, b)) => Ok(Value::Int(a.wrapping_mul(b))),
        Some(Pair::Floats(a, b)) => Ok(Value::Float(a * b)),
        None => match (span(a), span(b)) {
            (Some(a), Some(b)) => Ok(Value::Native(Native::Duration(a.wrapping_mul(b)))),
            (Some(nanos), None) | (None, Some(nanos)) => {
                let number = if span(a).is_some() { b } else { a };
                match (number.as_int(), number) {
                    (Some(count), _) => Ok(Value::Native(Native::Duration(nanos.wrapping_mul(count)))),
                    #[expect(clippy::cast_precision_loss, reason = "the language converts so")]
                    (None, Value::Float(factor)) => {
                        Ok(Value::Native(Native::Duration(super::truncate(nanos as f64 * factor))))
                    }
                    _ => Err(refuse("*", a, b)),
                }
            }
            _ => Err(refuse("*", a, b)),
        },
    }
}

pub(crate) fn divide(a: &Value, b: &Value) -> Outcome {
    match (float(a), float(b)) {
        (Some(a), Some(b)) => Ok(Value::Float(a / b)),
        _ => Err(refuse("/", a, b)),
    }
}

pub(crate) fn remainder(a: &Value, b: &Value) -> Outcome {
    match (a.as_int(), b.as_int()) {
        (Some(_), Some(0)) => Err(Fault::new(ErrorClass::DivZero, "a remainder by zero")),
        (Some(a), Some(b)) => Ok(Value::Int(a.wrapping_rem(b))),
        _ => Err(refuse("%", a, b)),
    }
}

pub(crate) fn power(a: &Value, b: &Value) -> Outcome {
    let number = |value: &Value| {
        float(value).ok_or_else(|| {
            Fault::new(
                ErrorClass::Convert,
                format!("a number is needed here, not {}", describe(value)),
            )
        })
    };
    Ok(Value::Float(pow(number(a)?, number(b)?)))
}

/// Powers with the special cases of the language (`(-1) ** inf` is 1).
pub(crate) fn pow(base: f64, exponent: f64) -> f64 {
    base.powf(exponent)
}

pub(crate) fn negate(value: &Value) -> Outcome {
    match value {
        Value::Int(value) => Ok(Value::Int(value.wrapping_neg())),
        Value::Uint(value) => Ok(Value::Uint(value.wrapping_neg())),
        Value::Float(value) => Ok(Value::Float(-value)),
        other => Err(Fault::kind(format!("`-` does not work on {}", describe(other)))),
    }
}
