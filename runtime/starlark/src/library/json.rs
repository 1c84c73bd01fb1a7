//! The module `json`: writing. Keys sorted, floats always recognisable as such, texts escaped as the reference's host
//! language does it.

use super::json_decode;
use crate::fault::{Class, Fault, Res};
use crate::interp::arguments::{Args, text};
use crate::interp::format::quoted;
use crate::interp::iterate::first_char;
use crate::interp::machine::Machine;
use crate::interp::number::{self, FloatStyle};
use crate::interp::show::{push, repr};
use crate::interp::value::Value;
use crate::interp::{MAX_VALUE_NESTING, meter};

/// The module.
pub(super) fn module() -> Value {
    let fields = vec![
        ("decode", Value::builtin("json.decode", json_decode::decode)),
        ("encode", Value::builtin("json.encode", encode_function)),
        ("encode_indent", Value::builtin("json.encode_indent", encode_indent)),
        ("indent", Value::builtin("json.indent", indent)),
    ];
    Value::record("module", Some("<module \"json\">"), fields, true)
}

fn encode_function(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [x] = args.positional("json.encode", 1)?;
    let out = encode(&x.unwrap_or(Value::None)).map_err(|f| f.prefixed("json.encode: "))?;
    Value::text(out)
}

/// A value as compact JSON.
pub(crate) fn encode(value: &Value) -> Res<Vec<u8>> {
    let mut out = Vec::new();
    emit(value, &mut out, &mut Vec::new())?;
    Ok(out)
}

fn emit(value: &Value, out: &mut Vec<u8>, path: &mut Vec<Value>) -> Res<()> {
    match value {
        Value::None => push(out, b"null"),
        Value::Bool(true) => push(out, b"true"),
        Value::Bool(false) => push(out, b"false"),
        Value::Int(_) | Value::Big(_) => push(out, number::decimal(value).as_bytes()),
        Value::Float(f) if !f.is_finite() => {
            let shown = number::show_float(*f, FloatStyle::Shortest, false);
            Err(Fault::runtime(format!("cannot encode non-finite float {shown}")))
        }
        Value::Float(f) => push(out, number::show_float(*f, FloatStyle::Shortest, false).as_bytes()),
        Value::Text(t) => {
            meter::room(t.bytes.len().saturating_mul(6))?;
            push(out, &quote(&t.bytes))
        }
        // Bytes have a method, so they are taken for a struct of it.
        Value::Bytes(_) => Err(Fault::runtime(
            "in field .elems: cannot encode builtin_function_or_method as JSON",
        )),
        Value::Function(_) | Value::Builtin(_) => {
            Err(Fault::runtime(format!("cannot encode {} as JSON", value.kind())))
        }
        _ => {
            if path.iter().any(|outer| outer.same(value)) {
                return Err(Fault::runtime("cycle in JSON structure"));
            }
            if path.len() >= MAX_VALUE_NESTING {
                return Err(Fault::new(Class::LimitDepth, "value nested too deep to be encoded"));
            }
            meter::work_len(path.len())?;
            path.push(value.clone());
            let result = emit_container(value, out, path);
            path.pop();
            result
        }
    }
}

fn emit_container(value: &Value, out: &mut Vec<u8>, path: &mut Vec<Value>) -> Res<()> {
    match value {
        Value::Dict(dict) => {
            let table = dict.table.borrow();
            let mut entries = Vec::with_capacity(table.len());
            for (key, value) in table.iter() {
                match key.as_text() {
                    Some(name) => entries.push((name, key, value)),
                    None => return Err(Fault::runtime(format!("dict has {} key, want string", key.kind()))),
                }
            }
            entries.sort_by_key(|(name, _, _)| *name);
            push(out, b"{")?;
            for (i, (name, key, value)) in entries.into_iter().enumerate() {
                push(out, if i > 0 { b"," } else { b"" })?;
                push(out, &quote(name))?;
                push(out, b":")?;
                if let Err(fault) = emit(value, out, path) {
                    return Err(fault.prefixed(&format!("in dict key {}: ", repr(key)?)));
                }
            }
            push(out, b"}")
        }
        Value::Record(record) => {
            push(out, b"{")?;
            for (i, (name, value)) in record.fields.borrow().iter().enumerate() {
                push(out, if i > 0 { b"," } else { b"" })?;
                push(out, &quote(name.as_bytes()))?;
                push(out, b":")?;
                emit(value, out, path).map_err(|f| f.prefixed(&format!("in field .{name}: ")))?;
            }
            push(out, b"}")
        }
        other => {
            let Some(mut iter) = other.iterate() else {
                return Err(Fault::runtime(format!("cannot encode {} as JSON", other.kind())));
            };
            push(out, b"[")?;
            let mut i = 0;
            while let Some(item) = iter.advance()? {
                push(out, if i > 0 { b"," } else { b"" })?;
                emit(&item, out, path).map_err(|f| f.prefixed(&format!("at {} index {i}: ", other.kind())))?;
                i += 1;
            }
            push(out, b"]")
        }
    }
}

/// A text as JSON. Plain ASCII has only quotes and backslashes escaped; any other text has HTML's signs and the line
/// separators escaped too.
fn quote(bytes: &[u8]) -> Vec<u8> {
    if bytes.iter().all(|b| (0x20..0x80).contains(b)) {
        return quoted(bytes, false);
    }
    let mut out = Vec::with_capacity(bytes.len() + 2);
    quote_host(bytes, &mut out);
    out
}

/// A text as the reference's host language writes it into JSON.
pub(crate) fn quote_host(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = bytes;
    while !rest.is_empty() {
        let (c, width) = first_char(rest);
        match c {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            '\u{8}' => out.extend_from_slice(b"\\b"),
            '\u{c}' => out.extend_from_slice(b"\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.extend_from_slice(format!("\\u{:04x}", u32::from(c)).as_bytes());
            }
            _ if u32::from(c) < 0x20 => out.extend_from_slice(format!("\\u{:04x}", u32::from(c)).as_bytes()),
            '\u{fffd}' if width == 1 => out.extend_from_slice(b"\\ufffd"),
            _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        rest = rest.get(width..).unwrap_or_default();
    }
    out.push(b'"');
}

/// The names that both indenting functions take.
fn indentation(name: &str, named: Args) -> Res<(Vec<u8>, Vec<u8>)> {
    let [prefix, indent] = named.unpack(name, ["prefix?", "indent?"])?;
    let prefix = prefix.map_or(Ok(Vec::new()), |v| text(name, "prefix", &v).map(<[u8]>::to_vec))?;
    let indent = indent.map_or(Ok(b"\t".to_vec()), |v| text(name, "indent", &v).map(<[u8]>::to_vec))?;
    Ok((prefix, indent))
}

fn encode_indent(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let name = "json.encode_indent";
    let (prefix, indent) = indentation(
        name,
        Args {
            positional: Vec::new(),
            named: args.named,
        },
    )?;
    let [x] = Args {
        positional: args.positional,
        named: Vec::new(),
    }
    .positional(name, 1)?;
    let compact = encode(&x.unwrap_or(Value::None)).map_err(|f| f.prefixed("json.encode_indent: "))?;
    Value::text(indented(&compact, &prefix, &indent)?)
}

fn indent(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let name = "json.indent";
    let (prefix, indent) = indentation(
        name,
        Args {
            positional: Vec::new(),
            named: args.named,
        },
    )?;
    let [source] = Args {
        positional: args.positional,
        named: Vec::new(),
    }
    .positional(name, 1)?;
    let source = source.unwrap_or(Value::None);
    let bytes = text(name, "1", &source)?;
    json_decode::check(bytes).map_err(|f| f.prefixed("json.indent: "))?;
    Value::text(indented(bytes, &prefix, &indent)?)
}

/// Well-formed JSON with line ends and indentation; blanks between its tokens are not kept.
fn indented(source: &[u8], prefix: &[u8], indent: &[u8]) -> Res<Vec<u8>> {
    let mut out = Vec::new();
    let mut depth = 0usize;
    let mut fresh = false;
    let newline = |out: &mut Vec<u8>, depth: usize| -> Res<()> {
        push(out, b"\n")?;
        push(out, prefix)?;
        (0..depth).try_for_each(|_| push(out, indent))
    };
    let mut at = 0;
    while let Some(b) = source.get(at).copied() {
        at += 1;
        if b.is_ascii_whitespace() {
            continue;
        }
        if fresh && !matches!(b, b']' | b'}') {
            newline(&mut out, depth)?;
        }
        match b {
            b'"' => {
                let start = at - 1;
                while let Some(c) = source.get(at).copied() {
                    at += if c == b'\\' { 2 } else { 1 };
                    if c == b'"' {
                        break;
                    }
                }
                push(&mut out, source.get(start..at).unwrap_or_default())?;
            }
            b'[' | b'{' => {
                push(&mut out, &[b])?;
                depth += 1;
                fresh = true;
                continue;
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if !fresh {
                    newline(&mut out, depth)?;
                }
                push(&mut out, &[b])?;
            }
            b',' => {
                push(&mut out, b",")?;
                newline(&mut out, depth)?;
            }
            b':' => push(&mut out, b": ")?,
            _ => push(&mut out, &[b])?,
        }
        fresh = false;
    }
    Ok(out)
}
