//! Numbers: unbounded integers with a cap, floats, and how they are compared, computed and written.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use super::meter;
use super::value::Value;
use crate::fault::{Class, Fault, Res};

/// The largest integer has this many bits (some 79,000 digits): beyond it arithmetic is a way to stop the machine.
const MAX_BITS: u64 = 1 << 18;

/// Refuses integers beyond the cap.
pub(crate) fn check_bits(bits: u64) -> Res<()> {
    if bits > MAX_BITS {
        return Err(Fault::new(Class::LimitMemory, "integer too large"));
    }
    Ok(())
}

pub(crate) fn is_number(v: &Value) -> bool {
    matches!(v, Value::Int(_) | Value::Big(_) | Value::Float(_))
}

/// An integer value as a big one.
pub(crate) fn to_big(v: &Value) -> Option<BigInt> {
    match v {
        Value::Int(i) => Some(BigInt::from(*i)),
        Value::Big(b) => Some(b.value.clone()),
        _ => None,
    }
}

/// A whole float as the integer that equals it.
pub(crate) fn whole(f: f64) -> Option<Value> {
    if !f.is_finite() || f.fract() != 0.0 {
        return None;
    }
    Value::big(BigInt::from_f64(f)?).ok()
}

/// A number as a float; an integer beyond the range of floats is an error.
pub(crate) fn to_float(v: &Value) -> Res<f64> {
    let f = lossy_float(v);
    if f.is_infinite() && !matches!(v, Value::Float(_)) {
        return Err(Fault::runtime("int too large to convert to float"));
    }
    Ok(f)
}

/// A number as a float, infinite when too large.
#[expect(clippy::cast_precision_loss, reason = "the nearest float is what is wanted")]
pub(crate) fn lossy_float(v: &Value) -> f64 {
    match v {
        Value::Int(i) => *i as f64,
        Value::Big(b) => b.value.to_f64().unwrap_or(f64::INFINITY),
        Value::Float(f) => *f,
        _ => f64::NAN,
    }
}

/// A number as an integer, cut towards zero.
pub(crate) fn to_int(v: &Value) -> Res<Value> {
    match v {
        Value::Int(_) | Value::Big(_) => Ok(v.clone()),
        Value::Float(f) if f.is_nan() => Err(Fault::runtime("cannot convert float NaN to integer")),
        Value::Float(f) if f.is_infinite() => Err(Fault::runtime("cannot convert float infinity to integer")),
        Value::Float(f) => Value::big(BigInt::from_f64(f.trunc()).unwrap_or_default()),
        other => Err(Fault::runtime(format!("cannot convert {} to int", other.kind()))),
    }
}

/// Order of two numbers: exact between integers and floats, not-a-number equal to itself and above everything.
pub(crate) fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Float(a), Value::Float(b)) => compare_floats(*a, *b),
        (Value::Float(f), i) => compare_with_int(*f, i),
        (i, Value::Float(f)) => compare_with_int(*f, i).reverse(),
        _ => to_big(a).cmp(&to_big(b)),
    }
}

fn compare_floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn compare_with_int(f: f64, i: &Value) -> Ordering {
    if f.is_nan() || f == f64::INFINITY {
        return Ordering::Greater;
    }
    if f == f64::NEG_INFINITY {
        return Ordering::Less;
    }
    let floor = BigInt::from_f64(f.floor());
    floor.cmp(&to_big(i)).then(if f.fract() == 0.0 {
        Ordering::Equal
    } else {
        Ordering::Greater
    })
}

fn mixed(a: &Value, b: &Value) -> bool {
    matches!((a, b), (Value::Float(_), _) | (_, Value::Float(_)))
}

fn bits(v: &Value) -> u64 {
    match v {
        Value::Big(b) => b.value.bits(),
        _ => 64,
    }
}

/// Pays for an operation on big integers.
fn pay(a: &Value, b: &Value, quadratic: bool) -> Res<()> {
    let (x, y) = (bits(a) / 64 + 1, bits(b) / 64 + 1);
    meter::work(if quadratic { x * y / 4 + x + y } else { x + y })
}

fn with_big(a: &Value, b: &Value, quadratic: bool, f: impl FnOnce(BigInt, BigInt) -> BigInt) -> Res<Value> {
    pay(a, b, quadratic)?;
    match (to_big(a), to_big(b)) {
        (Some(a), Some(b)) => Value::big(f(a, b)),
        _ => Ok(Value::None),
    }
}

/// `a + b` of numbers.
pub(crate) fn add(a: &Value, b: &Value) -> Res<Value> {
    if mixed(a, b) {
        return Ok(Value::Float(to_float(a)? + to_float(b)?));
    }
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(sum) = a.checked_add(*b)
    {
        return Ok(Value::Int(sum));
    }
    with_big(a, b, false, |a, b| a + b)
}

/// `a - b` of numbers.
pub(crate) fn subtract(a: &Value, b: &Value) -> Res<Value> {
    if mixed(a, b) {
        return Ok(Value::Float(to_float(a)? - to_float(b)?));
    }
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(difference) = a.checked_sub(*b)
    {
        return Ok(Value::Int(difference));
    }
    with_big(a, b, false, |a, b| a - b)
}

/// `a * b` of numbers.
pub(crate) fn multiply(a: &Value, b: &Value) -> Res<Value> {
    if mixed(a, b) {
        return Ok(Value::Float(to_float(a)? * to_float(b)?));
    }
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(product) = a.checked_mul(*b)
    {
        return Ok(Value::Int(product));
    }
    check_bits((bits(a) + bits(b)).saturating_sub(128))?;
    with_big(a, b, true, |a, b| a * b)
}

/// `a / b` of numbers.
pub(crate) fn divide(a: &Value, b: &Value) -> Res<Value> {
    let divisor = to_float(b)?;
    if divisor == 0.0 {
        return Err(Fault::runtime("floating-point division by zero"));
    }
    Ok(Value::Float(to_float(a)? / divisor))
}

fn is_zero(v: &Value) -> bool {
    match v {
        Value::Int(i) => *i == 0,
        Value::Big(b) => b.value.is_zero(),
        Value::Float(f) => *f == 0.0,
        _ => false,
    }
}

/// `a // b` of numbers.
pub(crate) fn floor_divide(a: &Value, b: &Value) -> Res<Value> {
    if is_zero(b) {
        return Err(Fault::runtime("floored division by zero"));
    }
    if mixed(a, b) {
        return Ok(Value::Float((to_float(a)? / to_float(b)?).floor()));
    }
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && *b != -1
    {
        return Ok(Value::Int(Integer::div_floor(a, b)));
    }
    with_big(a, b, true, |a, b| a.div_floor(&b))
}

/// `a % b` of numbers: the sign is that of the divisor.
pub(crate) fn modulo(a: &Value, b: &Value) -> Res<Value> {
    if mixed(a, b) {
        let divisor = to_float(b)?;
        if divisor == 0.0 {
            return Err(Fault::runtime("floating-point modulo by zero"));
        }
        let mut rest = to_float(a)? % divisor;
        if rest != 0.0 && (divisor < 0.0) != (rest < 0.0) {
            rest += divisor;
        }
        return Ok(Value::Float(rest));
    }
    if is_zero(b) {
        return Err(Fault::runtime("integer modulo by zero"));
    }
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && *b != -1
    {
        return Ok(Value::Int(Integer::mod_floor(a, b)));
    }
    with_big(a, b, true, |a, b| a.mod_floor(&b))
}

/// `&`, `|`, `^` of integers.
pub(crate) fn bitwise(
    a: &Value,
    b: &Value,
    small: fn(i64, i64) -> i64,
    large: fn(BigInt, BigInt) -> BigInt,
) -> Res<Value> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return Ok(Value::Int(small(*a, *b)));
    }
    with_big(a, b, false, large)
}

/// `a << b` and `a >> b` of integers.
pub(crate) fn shift(a: &Value, b: &Value, left: bool) -> Res<Value> {
    let count = super::index::int32(b).map_err(Fault::runtime)?;
    let Ok(count) = u32::try_from(count) else {
        return Err(Fault::runtime(format!("negative shift count: {count}")));
    };
    let big = to_big(a).unwrap_or_default();
    if !left {
        return Value::big(big >> count);
    }
    if count >= 512 {
        return Err(Fault::runtime(format!("shift count too large: {count}")));
    }
    check_bits(big.bits().saturating_add(u64::from(count)))?;
    Value::big(big << count)
}

/// `-a` of a number.
pub(crate) fn negate(v: &Value) -> Res<Value> {
    match v {
        Value::Float(f) => Ok(Value::Float(-f)),
        other => subtract(&Value::Int(0), other),
    }
}

/// `~a` of an integer.
pub(crate) fn invert(v: &Value) -> Res<Value> {
    match v {
        Value::Int(i) => Ok(Value::Int(!i)),
        other => Value::big(!to_big(other).unwrap_or_default()),
    }
}

/// `abs(a)` of a number.
pub(crate) fn absolute(v: &Value) -> Res<Value> {
    match v {
        Value::Float(f) => Ok(Value::Float(f.abs())),
        other => Value::big(to_big(other).unwrap_or_default().abs()),
    }
}

/// An integer in decimal digits.
pub(crate) fn decimal(v: &Value) -> String {
    match v {
        Value::Int(i) => i.to_string(),
        Value::Big(b) => b.value.to_string(),
        _ => String::new(),
    }
}

/// Reads an integer as `int(text, base)` does; `None` when it is none.
pub(crate) fn parse_int(text: &[u8], base: u32) -> Res<Option<Value>> {
    let Ok(text) = std::str::from_utf8(text) else {
        return Ok(None);
    };
    let (negative, mut digits) = match text.as_bytes().first() {
        Some(b'-') => (true, text.get(1..).unwrap_or_default()),
        Some(b'+') => (false, text.get(1..).unwrap_or_default()),
        _ => (false, text),
    };
    let mut base = base;
    if digits.len() > 1 && digits.starts_with('0') {
        let named = match digits.as_bytes().get(1) {
            Some(b'o' | b'O') if digits.len() > 2 => 8,
            Some(b'x' | b'X') if digits.len() > 2 => 16,
            Some(b'b' | b'B') if digits.len() > 2 => 2,
            _ => 0,
        };
        if named != 0 && (base == 0 || base == named) {
            base = named;
            digits = digits.get(2..).unwrap_or_default();
        } else if named == 0 && base == 0 {
            return Ok(digits.bytes().all(|b| b == b'0').then_some(Value::Int(0)));
        }
    }
    if base == 0 {
        base = 10;
    }
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return Ok(None);
    }
    if let Ok(i) = i64::from_str_radix(digits, base) {
        return Ok(Some(Value::Int(if negative { -i } else { i })));
    }
    meter::work_len(digits.len())?;
    check_bits(
        u64::try_from(digits.len())
            .unwrap_or(u64::MAX)
            .saturating_mul(u64::from(base.ilog2())),
    )?;
    let Some(big) = BigInt::parse_bytes(digits.as_bytes(), base) else {
        return Ok(None);
    };
    Value::big(if negative { -big } else { big }).map(Some)
}

/// How a float is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FloatStyle {
    /// Fewest digits; an exponent from 1e6 on and below 1e-4; always with a point or an exponent.
    Shortest,
    /// `%e`: six digits and an exponent.
    Exponent,
    /// `%f`: six digits after the point.
    Fixed,
}

/// Writes a float.
pub(crate) fn show_float(f: f64, style: FloatStyle, upper: bool) -> String {
    if f.is_nan() {
        return "nan".to_owned();
    }
    if f.is_infinite() {
        return if f > 0.0 { "+inf" } else { "-inf" }.to_owned();
    }
    let text = match style {
        FloatStyle::Fixed => format!("{f:.6}"),
        FloatStyle::Exponent => exponent(&format!("{f:.6e}")),
        FloatStyle::Shortest => {
            let scientific = format!("{f:e}");
            let power = scientific
                .split_once('e')
                .and_then(|(_, e)| e.parse::<i32>().ok())
                .unwrap_or(0);
            if f != 0.0 && !(-4..6).contains(&power) {
                exponent(&scientific)
            } else {
                let plain = f.to_string();
                if plain.contains('.') { plain } else { plain + ".0" }
            }
        }
    };
    if upper { text.to_uppercase() } else { text }
}

/// `1.5e7` as `1.5e+07`.
fn exponent(scientific: &str) -> String {
    let Some((mantissa, power)) = scientific.split_once('e') else {
        return scientific.to_owned();
    };
    let (sign, digits) = match power.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', power),
    };
    format!("{mantissa}e{sign}{digits:0>2}")
}
