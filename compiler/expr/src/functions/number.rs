//! Functions on numbers.

use super::{Function, refuse};
use crate::ErrorClass;
use crate::eval::{Fault, Outcome, compare, describe, truncate};
use crate::expr::lexer::Op;
use crate::value::{Native, Value};

fn no_conversion(to: &str, found: &Value) -> Fault {
    let what = match found {
        Value::Str(text) => format!("the text `{}`", text.chars().take(40).collect::<String>()),
        other => describe(other).to_owned(),
    };
    Fault::new(ErrorClass::Convert, format!("{what} is no {to}"))
}

pub(super) fn int(x: &Value) -> Outcome {
    match x {
        Value::Int(_) | Value::Uint(_) => Ok(Value::Int(x.as_int().unwrap_or_default())),
        Value::Float(value) => Ok(Value::Int(truncate(*value))),
        Value::Native(Native::Duration(nanos)) => Ok(Value::Int(*nanos)),
        Value::Str(text) => text.parse().map(Value::Int).map_err(|_| no_conversion("integer", x)),
        other => Err(no_conversion("integer", other)),
    }
}

pub(super) fn float(x: &Value) -> Outcome {
    match x {
        Value::Str(text) => parse_float(text)
            .map(Value::Float)
            .ok_or_else(|| no_conversion("number", x)),
        _ => x.as_float().map(Value::Float).ok_or_else(|| no_conversion("number", x)),
    }
}

/// A double as texts spell it: decimal with an exponent, hexadecimal with a binary exponent, infinities and not-a-number by name.
pub(crate) fn parse_float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let negative = text.starts_with('-');
    let signed = |value: f64| if negative { -value } else { value };
    let lower = without_underscores(&unsigned.to_ascii_lowercase())?;
    match lower.as_str() {
        "inf" | "infinity" => return Some(signed(f64::INFINITY)),
        "nan" => return Some(f64::NAN),
        _ => {}
    }
    if let Some(hex) = lower.strip_prefix("0x") {
        return parse_hex_float(hex).map(signed);
    }
    if !lower
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'+' | b'-'))
    {
        return None;
    }
    let value: f64 = lower.parse().ok()?;
    value.is_finite().then(|| signed(value))
}

/// Underscores may stand between digits, one at a time; `None` where one stands elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let hex = text.starts_with("0x");
    let digit = |byte: Option<&u8>| {
        byte.is_some_and(|byte| {
            if hex {
                byte.is_ascii_hexdigit() || *byte == b'x'
            } else {
                byte.is_ascii_digit()
            }
        })
    };
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| bytes.get(before));
        if *byte == b'_' && !(digit(before) && digit(bytes.get(index + 1))) {
            return None;
        }
    }
    Some(text.replace('_', ""))
}

fn parse_hex_float(hex: &str) -> Option<f64> {
    let (mantissa, exponent) = hex.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let mut value = 0.0f64;
    let mut scale = exponent;
    for digit in whole.chars().chain(part.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    scale -= 4 * i32::try_from(part.len()).ok()?;
    let value = value * 2f64.powi(scale);
    value.is_finite().then_some(value)
}

pub(super) fn abs(x: &Value) -> Outcome {
    match x {
        Value::Int(value) => Ok(Value::Int(value.wrapping_abs())),
        Value::Uint(_) => Ok(x.clone()),
        Value::Float(value) => Ok(Value::Float(if *value < 0.0 { -value } else { *value })),
        other => Err(refuse("abs", other)),
    }
}

pub(super) fn round(x: &Value) -> Outcome {
    x.as_float()
        .map(|value| Value::Float(value.round()))
        .ok_or_else(|| refuse("round", x))
}

/// The smallest or largest of numbers and (nested) lists of numbers. Of equal ones the first stays.
pub(super) fn extreme(function: Function, args: &[Value]) -> Outcome {
    let mut best: Option<Value> = None;
    for arg in args {
        match arg {
            Value::List(_) => fold(function, arg, &mut best)?,
            Value::Int(_) | Value::Uint(_) | Value::Float(_) => offer(function, arg, &mut best)?,
            other if args.len() == 1 => return Ok(other.clone()),
            other => return Err(refuse(function.name(), other)),
        }
    }
    Ok(best.unwrap_or_default())
}

/// Walks a list without recursion: values may be deep.
fn fold(function: Function, list: &Value, best: &mut Option<Value>) -> Outcome<()> {
    let mut pending = vec![list];
    while let Some(value) = pending.pop() {
        match value {
            Value::List(list) => pending.extend(list.iter().rev()),
            Value::Int(_) | Value::Uint(_) | Value::Float(_) => offer(function, value, best)?,
            other => return Err(refuse(function.name(), other)),
        }
    }
    Ok(())
}

fn offer(function: Function, value: &Value, best: &mut Option<Value>) -> Outcome<()> {
    let better = match best {
        None => true,
        Some(best) => {
            let op = if function == Function::Min { Op::More } else { Op::Less };
            compare::ordered(op, best, value)?
        }
    };
    if better {
        *best = Some(value.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_in_texts() {
        assert_eq!(parse_float("0x1p4"), Some(16.0));
        assert_eq!(parse_float(".5"), Some(0.5));
        assert_eq!(parse_float("5."), Some(5.0));
        assert_eq!(parse_float("-Inf"), Some(f64::NEG_INFINITY));
        for bad in ["", "1e", "1e999", "0x1", " 1", "1 ", "e5"] {
            assert_eq!(parse_float(bad), None, "{bad}");
        }
        assert_eq!(parse_float("1e-999"), Some(0.0));
    }
}
