//! Methods of texts that look at or change every character.

use std::rc::Rc;

use super::characters::{
    all as every, chars, is_cased, is_digit, is_letter, is_space, is_title, lower as to_lower, map, title as to_title,
    upper as to_upper,
};
use crate::fault::Res;
use crate::interp::arguments::Args;
use crate::interp::machine::Machine;
use crate::interp::value::{ElemKind, Elems, Value};
use crate::interp::{format as formatting, meter};

/// The bytes of the receiver; a method of texts has no other.
pub(super) fn receiver(v: &Value) -> &[u8] {
    match v {
        Value::Text(t) | Value::Bytes(t) => &t.bytes,
        _ => &[],
    }
}

/// The receiver of a method without parameters, its length paid for.
fn plain<'v>(name: &str, v: &'v Value, args: Args) -> Res<&'v [u8]> {
    args.positional::<0>(name, 0)?;
    let bytes = receiver(v);
    meter::room(bytes.len())?;
    meter::work_len(bytes.len() * 4)?;
    Ok(bytes)
}

fn all(bytes: &[u8], test: impl Fn(char) -> bool) -> Res<Value> {
    Ok(Value::Bool(!bytes.is_empty() && every(bytes, test)?))
}

pub(super) fn capitalize(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let mut first = true;
    Value::text(map(plain("capitalize", v, args)?, |c| {
        if std::mem::take(&mut first) {
            to_title(c)
        } else {
            to_lower(c)
        }
    })?)
}

pub(super) fn lower(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    Value::text(map(plain("lower", v, args)?, to_lower)?)
}

pub(super) fn upper(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    Value::text(map(plain("upper", v, args)?, to_upper)?)
}

pub(super) fn title(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let mut cased = false;
    Value::text(map(plain("title", v, args)?, |c| {
        let mapped = if cased { to_lower(c) } else { to_title(c) };
        cased = is_cased(mapped);
        mapped
    })?)
}

pub(super) fn isalnum(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    all(plain("isalnum", v, args)?, |c| is_letter(c) || is_digit(c))
}

pub(super) fn isalpha(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    all(plain("isalpha", v, args)?, is_letter)
}

pub(super) fn isdigit(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    all(plain("isdigit", v, args)?, is_digit)
}

pub(super) fn isspace(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    all(plain("isspace", v, args)?, is_space)
}

fn in_case(bytes: &[u8], mapping: fn(char) -> char) -> Res<Value> {
    let uncased = every(bytes, |c| !is_cased(c))?;
    Ok(Value::Bool(!uncased && every(bytes, |c| mapping(c) == c)?))
}

pub(super) fn islower(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    in_case(plain("islower", v, args)?, to_lower)
}

pub(super) fn isupper(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    in_case(plain("isupper", v, args)?, to_upper)
}

pub(super) fn istitle(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let (mut any, mut cased) = (false, false);
    for (_, c, _) in chars(plain("istitle", v, args)?) {
        meter::work(64)?;
        if c.is_ascii_uppercase() || is_title(c) {
            if cased {
                return Ok(Value::Bool(false));
            }
            (any, cased) = (true, true);
        } else if c.is_lowercase() {
            if !cased {
                return Ok(Value::Bool(false));
            }
            (any, cased) = (true, true);
        } else if c.is_uppercase() {
            return Ok(Value::Bool(false));
        } else {
            cased = false;
        }
    }
    Ok(Value::Bool(any))
}

fn elements(name: &str, v: &Value, args: Args, kind: ElemKind) -> Res<Value> {
    args.positional::<0>(name, 0)?;
    match v {
        Value::Text(t) | Value::Bytes(t) => Ok(Value::Elems(Rc::new(Elems { text: t.clone(), kind }))),
        _ => Ok(Value::None),
    }
}

pub(super) fn elems(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    elements("elems", v, args, ElemKind::Bytes)
}

pub(super) fn elem_ords(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    elements("elem_ords", v, args, ElemKind::ByteOrds)
}

pub(super) fn codepoints(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    elements("codepoints", v, args, ElemKind::Chars)
}

pub(super) fn codepoint_ords(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    elements("codepoint_ords", v, args, ElemKind::CharOrds)
}

pub(super) fn bytes_elems(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    elements("elems", v, args, ElemKind::OfBytes)
}

pub(super) fn format(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    formatting::braces(receiver(v), &args)
}
