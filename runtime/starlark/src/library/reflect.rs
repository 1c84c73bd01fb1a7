//! Universal functions about a value itself: its type, its attributes, its length, its text.

use super::universe::one;
use crate::fault::{Fault, Res};
use crate::interp::arguments::{Args, string};
use crate::interp::machine::Machine;
use crate::interp::value::Value;
use crate::interp::{attribute, meter, show};

pub(super) fn dir(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let x = one("dir", args, "")?;
    let names: Res<Vec<Value>> = attribute::names(&x).into_iter().map(Value::str).collect();
    Value::list(names?)
}

pub(super) fn getattr(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [object, name, default] = args.positional("getattr", 2)?;
    let object = object.unwrap_or(Value::None);
    let name = string("getattr", "2", &name.unwrap_or(Value::None))?;
    if let Some(value) = attribute::find(&object, &name).or(default) {
        return Ok(value);
    }
    let what = if object.kind() == "struct" {
        "attribute"
    } else {
        "field or method"
    };
    Err(Fault::runtime(format!(
        "getattr: {} has no .{name} {what}",
        object.kind()
    )))
}

pub(super) fn hasattr(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [object, name] = args.positional("hasattr", 2)?;
    let name = string("hasattr", "2", &name.unwrap_or(Value::None))?;
    Ok(Value::Bool(
        attribute::find(&object.unwrap_or(Value::None), &name).is_some(),
    ))
}

pub(super) fn hash(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [x] = args.positional("hash", 1)?;
    match x.unwrap_or(Value::None) {
        Value::Text(t) => {
            meter::work_len(t.bytes.len())?;
            let text = String::from_utf8_lossy(&t.bytes);
            let hash = text
                .encode_utf16()
                .fold(0i32, |h, unit| h.wrapping_mul(31).wrapping_add(i32::from(unit)));
            Ok(Value::Int(i64::from(hash)))
        }
        Value::Bytes(t) => {
            meter::work_len(t.bytes.len())?;
            let hash = t
                .bytes
                .iter()
                .fold(2_166_136_261u32, |h, b| (h ^ u32::from(*b)).wrapping_mul(16_777_619));
            Ok(Value::Int(i64::from(hash)))
        }
        other => Err(Fault::runtime(format!(
            "hash: got {}, want string or bytes",
            other.kind()
        ))),
    }
}

pub(super) fn len(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [x] = args.positional("len", 1)?;
    let x = x.unwrap_or(Value::None);
    match x.length() {
        Some(n) => Ok(Value::Int(i64::try_from(n).unwrap_or(i64::MAX))),
        None => Err(Fault::runtime(format!("len: value of type {} has no len", x.kind()))),
    }
}

pub(super) fn repr(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [x] = args.positional("repr", 1)?;
    let mut out = Vec::new();
    show::write(&x.unwrap_or(Value::None), &mut out)?;
    Value::text(out)
}

pub(super) fn type_(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let x = one("type", args, "exactly ")?;
    Value::str(x.kind())
}
