//! The universal functions that make or convert values. Those over sequences are in [`super::aggregate`], those about
//! values themselves in [`super::reflect`].

use super::{aggregate, dict, reflect};
use crate::fault::{Class, Fault, Res};
use crate::interp::arguments::{Args, int};
use crate::interp::iterate::first_char;
use crate::interp::machine::Machine;
use crate::interp::value::{Range, Value};
use crate::interp::{index, number, show};

type Code = fn(&mut Machine, &Value, Args) -> Res<Value>;

/// Every universal name and what it means.
pub(super) fn entries() -> Vec<(&'static str, Value)> {
    let mut out = vec![
        ("None", Value::None),
        ("True", Value::Bool(true)),
        ("False", Value::Bool(false)),
    ];
    let functions: [(&'static str, Code); 29] = [
        ("abs", abs),
        ("all", aggregate::all),
        ("any", aggregate::any),
        ("bool", bool),
        ("bytes", bytes),
        ("chr", chr),
        ("dict", dict::make),
        ("dir", reflect::dir),
        ("enumerate", aggregate::enumerate),
        ("fail", fail),
        ("float", float),
        ("getattr", reflect::getattr),
        ("hasattr", reflect::hasattr),
        ("hash", reflect::hash),
        ("int", int_),
        ("len", reflect::len),
        ("list", list),
        ("max", aggregate::max),
        ("min", aggregate::min),
        ("ord", ord),
        ("print", print),
        ("range", range),
        ("repr", reflect::repr),
        ("reversed", aggregate::reversed),
        ("sorted", aggregate::sorted),
        ("str", str),
        ("tuple", tuple),
        ("type", reflect::type_),
        ("zip", aggregate::zip),
    ];
    out.extend(
        functions
            .into_iter()
            .map(|(name, code)| (name, Value::builtin(name, code))),
    );
    out
}

/// The single argument of a function that takes no names.
pub(super) fn one(name: &str, args: Args, exactly: &str) -> Res<Value> {
    if !args.named.is_empty() {
        return Err(Fault::runtime(format!("{name} does not accept keyword arguments")));
    }
    let got = args.positional.len();
    match <[Value; 1]>::try_from(args.positional) {
        Ok([value]) => Ok(value),
        Err(_) => Err(Fault::runtime(format!("{name}: got {got} arguments, want {exactly}1"))),
    }
}

fn abs(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [x] = args.positional("abs", 1)?;
    let x = x.unwrap_or(Value::None);
    if !number::is_number(&x) {
        return Err(Fault::runtime(format!("got {}, want int or float", x.kind())));
    }
    number::absolute(&x)
}

fn bool(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [x] = args.positional("bool", 0)?;
    Ok(Value::Bool(x.is_some_and(|x| x.truth())))
}

fn bytes(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    match one("bytes", args, "exactly ")? {
        Value::Bytes(b) => Ok(Value::Bytes(b)),
        Value::Text(t) => Value::bytes(String::from_utf8_lossy(&t.bytes).into_owned().into_bytes()),
        other => {
            let Some(_) = other.iterate() else {
                let kind = other.kind();
                return Err(Fault::runtime(format!(
                    "bytes: got {kind}, want string, bytes, or iterable of ints"
                )));
            };
            let mut out = Vec::new();
            for (i, item) in other.elements("bytes", "1")?.into_iter().enumerate() {
                match &item {
                    Value::Int(n) if u8::try_from(*n).is_ok() => out.push(u8::try_from(*n).unwrap_or(0)),
                    Value::Int(_) | Value::Big(_) => {
                        let n = number::decimal(&item);
                        let text =
                            format!("bytes: at index {i}, {n} out of range (want value in unsigned 8-bit range)");
                        return Err(Fault::runtime(text));
                    }
                    other => {
                        return Err(Fault::runtime(format!(
                            "bytes: at index {i}, got {}, want int",
                            other.kind()
                        )));
                    }
                }
            }
            Value::bytes(out)
        }
    }
}

fn chr(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let x = one("chr", args, "")?;
    let n = index::int32(&x).map_err(|e| Fault::runtime(format!("chr: {e}")))?;
    if n < 0 {
        return Err(Fault::runtime(format!("chr: Unicode code point {n} out of range (<0)")));
    }
    let n = u32::try_from(n).unwrap_or(u32::MAX);
    if n > 0x0010_FFFF {
        return Err(Fault::runtime(format!(
            "chr: Unicode code point U+{n:X} out of range (>0x10FFFF)"
        )));
    }
    Value::str(char::from_u32(n).unwrap_or('\u{fffd}').encode_utf8(&mut [0; 4]))
}

/// The arguments of `fail` and `print`: any number, and `sep`.
fn joined(name: &str, args: Args, out: &mut Vec<u8>) -> Res<()> {
    let named = Args {
        positional: Vec::new(),
        named: args.named,
    };
    let [sep] = named.unpack(name, ["sep?"])?;
    let sep = match &sep {
        Some(sep) => crate::interp::arguments::text(name, "sep", sep)?.to_vec(),
        None => b" ".to_vec(),
    };
    for (i, value) in args.positional.iter().enumerate() {
        if i > 0 {
            show::push(out, &sep)?;
        }
        match value {
            // `fail` quotes bytes, `print` writes them.
            Value::Bytes(_) if name == "fail" => show::write(value, out)?,
            other => show::write_text(other, out)?,
        }
    }
    Ok(())
}

/// A text of `fail` longer than this is cut: it travels through logs and reports.
const LONGEST_FAILURE: usize = 64 << 10;

fn fail(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let mut out = b"fail: ".to_vec();
    joined("fail", args, &mut out)?;
    let mut text = String::from_utf8_lossy(out.get(..LONGEST_FAILURE).unwrap_or(&out)).into_owned();
    if out.len() > LONGEST_FAILURE {
        text.push_str(" …");
    }
    Err(Fault::new(Class::Fail, text))
}

fn print(machine: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let mut out = Vec::new();
    joined("print", args, &mut out)?;
    machine.print(&out)?;
    Ok(Value::None)
}

fn float(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    if !args.named.is_empty() {
        return Err(Fault::runtime("float does not accept keyword arguments"));
    }
    let got = args.positional.len();
    let mut values = args.positional.into_iter();
    let x = match (values.next(), got) {
        (None, _) => return Ok(Value::Float(0.0)),
        (Some(x), 1) => x,
        _ => return Err(Fault::runtime(format!("float got {got} arguments, wants 1"))),
    };
    match &x {
        Value::Bool(b) => Ok(Value::Float(f64::from(u8::from(*b)))),
        Value::Int(_) | Value::Big(_) | Value::Float(_) => number::to_float(&x).map(Value::Float),
        Value::Text(t) => parse_float(&String::from_utf8_lossy(&t.bytes)).map(Value::Float),
        other => Err(Fault::runtime(format!(
            "float got {}, want number or string",
            other.kind()
        ))),
    }
}

/// Reads a float as the reference does: `1_0`, `0x1p4` and the infinities included.
fn parse_float(text: &str) -> Res<f64> {
    if text.is_empty() {
        return Err(Fault::runtime("float: empty string"));
    }
    let invalid = || Fault::runtime(format!("invalid float literal: {text}"));
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text).to_ascii_lowercase();
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    match unsigned.as_str() {
        "inf" | "infinity" => return Ok(sign * f64::INFINITY),
        "nan" => return Ok(f64::NAN),
        _ => {}
    }
    if !unsigned.bytes().all(|b| b.is_ascii_digit() || b".e+-".contains(&b)) {
        return Err(invalid());
    }
    match unsigned.parse::<f64>() {
        Ok(f) if f.is_infinite() => Err(Fault::runtime("floating-point number too large")),
        Ok(f) => Ok(sign * f),
        Err(_) => Err(invalid()),
    }
}

fn int_(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [x, base] = args.unpack("int", ["x", "base?"])?;
    let x = x.unwrap_or(Value::Int(0));
    if let Value::Text(t) = &x {
        let mut radix = 10;
        if let Some(base) = base {
            let kind = base.kind();
            let asked =
                index::int32(&base).map_err(|_| Fault::runtime(format!("int: for base, got {kind}, want int")))?;
            radix = match u32::try_from(asked) {
                Ok(n) if n == 0 || (2..=36).contains(&n) => n,
                _ => return Err(Fault::runtime("int: base must be an integer >= 2 && <= 36")),
            };
        }
        return number::parse_int(&t.bytes, radix)?.ok_or_else(|| {
            let shown = String::from_utf8_lossy(t.bytes.get(..200).unwrap_or(&t.bytes)).into_owned();
            Fault::runtime(format!("int: invalid literal with base {radix}: {shown}"))
        });
    }
    if base.is_some() {
        return Err(Fault::runtime("int: can't convert non-string with explicit base"));
    }
    if let Value::Bool(b) = x {
        return Ok(Value::Int(i64::from(b)));
    }
    number::to_int(&x).map_err(|f| f.prefixed("int: "))
}

fn list(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [items] = args.positional("list", 0)?;
    match items {
        Some(items) => Value::list(items.elements("list", "1")?),
        None => Value::list(Vec::new()),
    }
}

fn tuple(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [items] = args.positional("tuple", 0)?;
    match items {
        Some(items) => Value::tuple(items.elements("tuple", "1")?),
        None => Value::tuple(Vec::new()),
    }
}

fn ord(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    match one("ord", args, "")? {
        Value::Text(t) => {
            let (c, width) = if t.bytes.is_empty() {
                ('\0', 0)
            } else {
                first_char(&t.bytes)
            };
            if width == 0 || width != t.bytes.len() {
                let n = super::characters::chars(&t.bytes).count();
                return Err(Fault::runtime(format!(
                    "ord: string encodes {n} Unicode code points, want 1"
                )));
            }
            Ok(Value::Int(i64::from(u32::from(c))))
        }
        Value::Bytes(b) => match &*b.bytes {
            [one] => Ok(Value::Int(i64::from(*one))),
            more => Err(Fault::runtime(format!("ord: bytes has length {}, want 1", more.len()))),
        },
        other => Err(Fault::runtime(format!(
            "ord: got {}, want string or bytes",
            other.kind()
        ))),
    }
}

fn range(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [a, b, c] = args.positional("range", 1)?;
    let number = |v: Option<&Value>, i: &str, default| v.map_or(Ok(default), |v| int("range", i, v));
    let first = number(a.as_ref(), "1", 0)?;
    let (start, stop) = match &b {
        Some(b) => (first, int("range", "2", b)?),
        None => (0, first),
    };
    let step = number(c.as_ref(), "3", 1)?;
    if step == 0 {
        return Err(Fault::runtime("range: step argument must not be zero"));
    }
    let distance = if step > 0 {
        i128::from(stop) - i128::from(start)
    } else {
        i128::from(start) - i128::from(stop)
    };
    let width = i128::from(step).abs();
    let len = if distance <= 0 { 0 } else { (distance - 1) / width + 1 };
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    Ok(Value::Range(std::rc::Rc::new(Range { start, stop, step, len })))
}

fn str(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    match one("str", args, "exactly ")? {
        Value::Text(t) => Ok(Value::Text(t)),
        Value::Bytes(b) => Value::str(&String::from_utf8_lossy(&b.bytes)),
        other => Value::text(show::text(&other)?),
    }
}
