//! Texts made from patterns: `%`, `format`, and how a text is quoted.

use super::arguments::Args;
use super::iterate::first_char;
use super::machine::Machine;
use super::number::{self, FloatStyle};
use super::show::{self, push};
use super::value::Value;
use crate::fault::{Fault, Res};

/// A text as a literal: `"a\nb"`; bytes as `b"..."`.
pub(crate) fn quoted(bytes: &[u8], as_bytes: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 3);
    out.extend_from_slice(if as_bytes { b"b\"" } else { b"\"" });
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let (c, width) = first_char(rest);
        if c == '\u{fffd}' && width == 1 {
            out.extend_from_slice(format!("\\x{first:02x}").as_bytes());
        } else {
            quote_char(c, &mut out);
        }
        rest = rest.get(width..).unwrap_or_default();
    }
    out.push(b'"');
    out
}

fn quote_char(c: char, out: &mut Vec<u8>) {
    let escape = match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{7}' => "\\a",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{b}' => "\\v",
        _ if printable(c) => {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return;
        }
        _ => {
            let n = u32::from(c);
            let text = match n {
                0..0x80 => format!("\\x{n:02x}"),
                0x80..0x1_0000 => format!("\\u{n:04x}"),
                _ => format!("\\U{n:08x}"),
            };
            out.extend_from_slice(text.as_bytes());
            return;
        }
    };
    out.extend_from_slice(escape.as_bytes());
}

/// Whether a character stands for itself in a quoted text: letters, marks, numbers, punctuation, symbols and the blank.
fn printable(c: char) -> bool {
    if c == ' ' {
        return true;
    }
    if c.is_control() || c.is_whitespace() {
        return false;
    }
    // The standard library escapes combining marks too, which a quoted text keeps.
    let mark = matches!(u32::from(c), 0x300..=0x36f | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f | 0x3099 | 0x309a);
    mark || c.is_alphanumeric() || matches!(c, '\'' | '"' | '\\') || c.escape_debug().count() == 1
}

/// `pattern % operand`.
pub(crate) fn interpolate(machine: &mut Machine, pattern: &[u8], operand: &Value) -> Res<Value> {
    let _ = machine;
    let positional: &[Value] = match operand {
        Value::Tuple(t) => &t.items,
        other => std::slice::from_ref(other),
    };
    let mut out = Vec::new();
    let mut next = 0;
    let mut rest = pattern;
    while let Some(i) = memchr::memchr(b'%', rest) {
        push(&mut out, rest.get(..i).unwrap_or_default())?;
        rest = rest.get(i + 1..).unwrap_or_default();
        if rest.first() == Some(&b'%') {
            out.push(b'%');
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let argument = if rest.first() == Some(&b'(') {
            let Some(end) = memchr::memchr(b')', rest) else {
                return Err(Fault::runtime("incomplete format key"));
            };
            let name = rest.get(1..end).unwrap_or_default();
            rest = rest.get(end + 1..).unwrap_or_default();
            let Value::Dict(dict) = operand else {
                return Err(Fault::runtime("format requires a mapping"));
            };
            let found = dict.table.borrow().get(&Value::text(name)?)?;
            found.ok_or_else(|| Fault::runtime(format!("key not found: {}", String::from_utf8_lossy(name))))?
        } else {
            let Some(argument) = positional.get(next) else {
                return Err(Fault::runtime("not enough arguments for format string"));
            };
            argument.clone()
        };
        let (conversion, width) = match rest.first() {
            None => return Err(Fault::runtime("incomplete format")),
            Some(_) => first_char(rest),
        };
        convert(conversion, &argument, &mut out)?;
        rest = rest.get(width..).unwrap_or_default();
        next += 1;
    }
    push(&mut out, rest)?;
    if next < positional.len() && !matches!(operand, Value::Dict(_)) {
        return Err(Fault::runtime("too many arguments for format string"));
    }
    Value::text(out)
}

fn convert(conversion: char, argument: &Value, out: &mut Vec<u8>) -> Res<()> {
    match conversion {
        's' => match argument {
            Value::Text(t) => push(out, &t.bytes),
            other => show::write(other, out),
        },
        'r' => show::write(argument, out),
        'd' | 'i' | 'o' | 'x' | 'X' => {
            let int = number::to_int(argument)
                .map_err(|f| f.prefixed(&format!("%{conversion} format requires integer: ")))?;
            let text = match (conversion, number::to_big(&int)) {
                ('o', Some(big)) => big.to_str_radix(8),
                ('x', Some(big)) => big.to_str_radix(16),
                ('X', Some(big)) => big.to_str_radix(16).to_uppercase(),
                _ => number::decimal(&int),
            };
            push(out, text.as_bytes())
        }
        'e' | 'f' | 'g' | 'E' | 'F' | 'G' => {
            if !number::is_number(argument) {
                let kind = argument.kind();
                return Err(Fault::runtime(format!(
                    "%{conversion} format requires float, not {kind}"
                )));
            }
            let f = number::lossy_float(argument);
            let text = match conversion {
                // The reference knows no such style and writes the conversion itself.
                'F' if f.is_finite() => "%F".to_owned(),
                'e' | 'E' => number::show_float(f, FloatStyle::Exponent, conversion == 'E'),
                'g' | 'G' => number::show_float(f, FloatStyle::Shortest, conversion == 'G'),
                _ => number::show_float(f, FloatStyle::Fixed, false),
            };
            push(out, text.as_bytes())
        }
        'c' => push(out, character(argument)?.encode_utf8(&mut [0; 4]).as_bytes()),
        '%' => push(out, b"%"),
        other => Err(Fault::runtime(format!("unknown conversion %{other}"))),
    }
}

fn character(argument: &Value) -> Res<char> {
    match argument {
        Value::Int(_) | Value::Big(_) => {
            let c = if let Value::Int(i) = argument {
                u32::try_from(*i).ok().and_then(char::from_u32)
            } else {
                None
            };
            c.ok_or_else(|| {
                let n = number::decimal(argument);
                Fault::runtime(format!("%c format requires a valid Unicode code point, got {n}"))
            })
        }
        Value::Text(t) => match first_char(&t.bytes) {
            (c, width) if !t.bytes.is_empty() && width == t.bytes.len() => Ok(c),
            _ => Err(Fault::runtime("%c format requires a single-character string")),
        },
        other => Err(Fault::runtime(format!(
            "%c format requires int or single-character string, not {}",
            other.kind()
        ))),
    }
}

/// Which way of numbering the fields of a pattern use.
#[derive(PartialEq, Eq)]
enum Numbering {
    Undecided,
    Automatic,
    Manual,
}

/// `pattern.format(...)`.
pub(crate) fn braces(pattern: &[u8], args: &Args) -> Res<Value> {
    let mut out = Vec::new();
    let mut rest = pattern;
    let mut numbering = Numbering::Undecided;
    let mut next = 0;
    loop {
        let open = memchr::memchr(b'{', rest);
        literal(rest.get(..open.unwrap_or(rest.len())).unwrap_or_default(), &mut out)?;
        let Some(open) = open else { return Value::text(out) };
        rest = rest.get(open + 1..).unwrap_or_default();
        if rest.first() == Some(&b'{') {
            out.push(b'{');
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let Some(close) = memchr::memchr(b'}', rest) else {
            return Err(Fault::runtime("format: unmatched '{' in format"));
        };
        let field = String::from_utf8_lossy(rest.get(..close).unwrap_or_default()).into_owned();
        rest = rest.get(close + 1..).unwrap_or_default();
        let (name, conversion, spec) = split_field(&field);
        let argument = if name.is_empty() {
            if numbering == Numbering::Manual {
                let text = "format: cannot switch from manual field specification to automatic field numbering";
                return Err(Fault::runtime(text));
            }
            numbering = Numbering::Automatic;
            next += 1;
            args.positional.get(next - 1).cloned().ok_or_else(out_of_range)?
        } else if name.bytes().all(|b| b.is_ascii_digit()) {
            if numbering == Numbering::Automatic {
                let text = "format: cannot switch from automatic field numbering to manual field specification";
                return Err(Fault::runtime(text));
            }
            numbering = Numbering::Manual;
            let place = name.parse::<usize>().unwrap_or(usize::MAX);
            args.positional.get(place).cloned().ok_or_else(out_of_range)?
        } else {
            named(name, args)?
        };
        if !spec.is_empty() {
            let text = format!("format spec features not supported in replacement fields: {spec}");
            return Err(Fault::runtime(text));
        }
        match (conversion, &argument) {
            ("s", Value::Text(t)) => push(&mut out, &t.bytes)?,
            ("s" | "r", other) => show::write(other, &mut out)?,
            _ => return Err(Fault::runtime(format!("format: unknown conversion {conversion:?}"))),
        }
    }
}

fn out_of_range() -> Box<Fault> {
    Fault::runtime("format: tuple index out of range")
}

/// What stands between fields: `}}` is one bracket, a lone one is an error.
fn literal(mut text: &[u8], out: &mut Vec<u8>) -> Res<()> {
    while let Some(i) = memchr::memchr(b'}', text) {
        if text.get(i + 1) != Some(&b'}') {
            return Err(Fault::runtime("format: single '}' in format"));
        }
        push(out, text.get(..=i).unwrap_or_default())?;
        text = text.get(i + 2..).unwrap_or_default();
    }
    push(out, text)
}

/// `name!conversion:spec`.
fn split_field(field: &str) -> (&str, &str, &str) {
    match field.split_once('!') {
        Some((name, rest)) => match rest.split_once(':') {
            Some((conversion, spec)) => (name, conversion, spec),
            None => (name, rest, ""),
        },
        None => match field.split_once(':') {
            Some((name, spec)) => (name, "s", spec),
            None => (field, "s", ""),
        },
    }
}

fn named(name: &str, args: &Args) -> Res<Value> {
    if let Some((_, value)) = args.named.iter().find(|(n, _)| &**n == name) {
        return Ok(value.clone());
    }
    Err(Fault::runtime(if name.contains('.') {
        format!("format: attribute syntax x.y is not supported in replacement fields: {name}")
    } else if name.contains('[') {
        format!("format: element syntax a[i] is not supported in replacement fields: {name}")
    } else if name.contains('{') {
        "format: nested replacement fields not supported".to_owned()
    } else {
        format!("format: keyword {name} not found")
    }))
}
