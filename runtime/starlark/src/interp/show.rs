//! `str` and `repr`: values as text.

use super::meter;
use super::number::{self, FloatStyle};
use super::value::{ElemKind, Value};
use super::{MAX_VALUE_NESTING, format};
use crate::fault::{Class, Fault, Res};

/// `str(v)`: a text bare, everything else as `repr`.
pub(crate) fn text(v: &Value) -> Res<Vec<u8>> {
    let mut out = Vec::new();
    write_text(v, &mut out)?;
    Ok(out)
}

/// Appends `str(v)`.
pub(crate) fn write_text(v: &Value, out: &mut Vec<u8>) -> Res<()> {
    match v {
        Value::Text(t) | Value::Bytes(t) => push(out, &t.bytes),
        other => write(other, out),
    }
}

/// `repr(v)` as a string, for messages.
pub(crate) fn repr(v: &Value) -> Res<String> {
    let mut out = Vec::new();
    write(v, &mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Appends `repr(v)`.
pub(crate) fn write(v: &Value, out: &mut Vec<u8>) -> Res<()> {
    let mut path = Vec::new();
    write_at(v, out, &mut path)
}

/// Appends bytes, asking for the room first.
pub(crate) fn push(out: &mut Vec<u8>, bytes: &[u8]) -> Res<()> {
    if out.len() + bytes.len() > out.capacity() {
        // What is being built is not charged to a value yet, so twice its size must fit.
        meter::room((out.len() + bytes.len()).saturating_mul(2))?;
    }
    out.extend_from_slice(bytes);
    meter::work_len(bytes.len() / 8 + 1)
}

fn write_at(v: &Value, out: &mut Vec<u8>, path: &mut Vec<Value>) -> Res<()> {
    if path.len() >= MAX_VALUE_NESTING {
        return Err(Fault::new(Class::LimitDepth, "value nested too deep to be written"));
    }
    match v {
        Value::None => push(out, b"None"),
        Value::Bool(true) => push(out, b"True"),
        Value::Bool(false) => push(out, b"False"),
        Value::Int(i) => push(out, i.to_string().as_bytes()),
        Value::Big(_) => push(out, number::decimal(v).as_bytes()),
        Value::Float(f) => push(out, number::show_float(*f, FloatStyle::Shortest, false).as_bytes()),
        Value::Text(t) => {
            meter::room(t.bytes.len().saturating_mul(5))?;
            push(out, &format::quoted(&t.bytes, false))
        }
        Value::Bytes(t) => {
            meter::room(t.bytes.len().saturating_mul(5))?;
            push(out, &format::quoted(&t.bytes, true))
        }
        Value::Range(r) => {
            let text = match (r.start, r.step) {
                (0, 1) => format!("range({})", r.stop),
                (_, 1) => format!("range({}, {})", r.start, r.stop),
                _ => format!("range({}, {}, {})", r.start, r.stop, r.step),
            };
            push(out, text.as_bytes())
        }
        Value::Elems(e) => {
            let as_bytes = e.kind == ElemKind::OfBytes;
            push(out, &format::quoted(&e.text.bytes, as_bytes))?;
            push(
                out,
                match e.kind {
                    ElemKind::Bytes | ElemKind::OfBytes => b".elems()",
                    ElemKind::ByteOrds => b".elem_ords()",
                    ElemKind::Chars => b".codepoints()",
                    ElemKind::CharOrds => b".codepoint_ords()",
                },
            )
        }
        Value::Function(f) => push(out, format!("<function {}>", f.def.name).as_bytes()),
        Value::Builtin(b) => match &*b.receiver.borrow() {
            Some(receiver) => push(
                out,
                format!("<built-in method {} of {} value>", b.name, receiver.kind()).as_bytes(),
            ),
            None => push(out, format!("<built-in function {}>", b.name).as_bytes()),
        },
        Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Record(_) => write_container(v, out, path),
    }
}

fn write_container(v: &Value, out: &mut Vec<u8>, path: &mut Vec<Value>) -> Res<()> {
    // A container that stands within itself is cut there.
    if path.iter().any(|outer| outer.same(v)) {
        return push(
            out,
            if matches!(v, Value::Dict(_)) {
                b"{...}"
            } else {
                b"[...]"
            },
        );
    }
    meter::work_len(path.len())?;
    path.push(v.clone());
    let result = match v {
        Value::List(list) => {
            let items = list.items.borrow().clone();
            push(out, b"[")?;
            write_items(&items, out, path)?;
            push(out, b"]")
        }
        Value::Tuple(tuple) => {
            push(out, b"(")?;
            write_items(&tuple.items, out, path)?;
            push(out, if tuple.items.len() == 1 { b",)" } else { b")" })
        }
        Value::Dict(dict) => {
            push(out, b"{")?;
            for (i, (key, value)) in dict.table.borrow().iter().enumerate() {
                push(out, if i > 0 { b", " } else { b"" })?;
                write_at(key, out, path)?;
                push(out, b": ")?;
                write_at(value, out, path)?;
            }
            push(out, b"}")
        }
        Value::Record(record) => match &record.shown {
            Some(shown) => push(out, shown.as_bytes()),
            None => {
                push(out, format!("{}(", record.kind).as_bytes())?;
                for (i, (name, value)) in record.fields.borrow().iter().enumerate() {
                    push(out, if i > 0 { b", " } else { b"" })?;
                    push(out, format!("{name} = ").as_bytes())?;
                    write_at(value, out, path)?;
                }
                push(out, b")")
            }
        },
        _ => Ok(()),
    };
    path.pop();
    result
}

fn write_items(items: &[Value], out: &mut Vec<u8>, path: &mut Vec<Value>) -> Res<()> {
    for (i, item) in items.iter().enumerate() {
        push(out, if i > 0 { b", " } else { b"" })?;
        write_at(item, out, path)?;
    }
    Ok(())
}
