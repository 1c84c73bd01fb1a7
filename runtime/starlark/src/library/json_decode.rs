//! The module `json`: reading. Objects keep their order, integers are told from floats; a little more than JSON is
//! taken, as in the reference. `http.response.json()` reads strictly and gives floats only.

use crate::fault::{Class, Fault, Res};
use crate::interp::arguments::{Args, text};
use crate::interp::iterate::first_char;
use crate::interp::machine::Machine;
use crate::interp::number;
use crate::interp::table::Table;
use crate::interp::value::Value;
use crate::interp::{MAX_VALUE_NESTING, meter};

/// `json.decode(x, default)`.
pub(super) fn decode(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let name = "json.decode";
    if args.positional.is_empty() && args.named.iter().any(|(n, _)| &**n == "x") {
        return Err(Fault::runtime("json.decode: unexpected keyword argument x"));
    }
    let [source, default] = args.unpack(name, ["x", "default?"])?;
    let source = source.unwrap_or(Value::None);
    let bytes = text(name, "x", &source)?;
    let mut reader = Reader {
        bytes,
        at: 0,
        host: false,
    };
    match reader.document() {
        Ok(value) => Ok(value),
        Err(fault) if fault.class != Class::Runtime => Err(fault),
        Err(fault) => match default {
            Some(value) => Ok(value),
            None => Err(fault.prefixed(&format!("json.decode: at offset {}, ", reader.at))),
        },
    }
}

/// Whether bytes are JSON, for `json.indent`.
pub(super) fn check(bytes: &[u8]) -> Res<()> {
    meter::work_len(bytes.len())?;
    let result: Result<serde::de::IgnoredAny, _> = serde_json::from_slice(bytes);
    result.map(|_| ()).map_err(|e| {
        if e.is_eof() {
            Fault::runtime("unexpected end of JSON input")
        } else {
            host_fault(&e)
        }
    })
}

fn host_fault(e: &serde_json::Error) -> Box<Fault> {
    Fault::runtime(format!("invalid JSON: {e}"))
}

/// JSON as the reference's host language reads it for `http.response.json()`: strictly, keys sorted, every number a
/// float.
pub(crate) fn decode_host(bytes: &[u8]) -> Res<Value> {
    check(bytes)?;
    Reader {
        bytes,
        at: 0,
        host: true,
    }
    .document()
}

/// A dict with its keys in order.
fn sorted(table: Table) -> Res<Table> {
    meter::room(table.len().saturating_mul(256))?;
    let mut entries: Vec<(Value, Value)> = table.iter().cloned().collect();
    entries.sort_by(|(a, _), (b, _)| a.as_text().cmp(&b.as_text()));
    let mut out = Table::new()?;
    for (key, value) in entries {
        out.insert(key, value)?;
    }
    Ok(out)
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
    /// Whether it reads as the host language does.
    host: bool,
}

/// A container that is being read.
enum Open {
    List(Vec<Value>),
    Dict(Table, Option<Value>),
}

fn shown(b: u8) -> String {
    match b {
        b'\'' => "'\\''".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        0x20..0x7f => format!("'{}'", char::from(b)),
        _ => format!("'\\x{b:02x}'"),
    }
}

impl Reader<'_> {
    fn document(&mut self) -> Res<Value> {
        let value = self.value()?;
        self.skip_blanks();
        match self.bytes.get(self.at) {
            Some(b) => Err(Fault::runtime(format!(
                "unexpected character {} after value",
                shown(*b)
            ))),
            None => Ok(value),
        }
    }

    fn skip_blanks(&mut self) {
        while self
            .bytes
            .get(self.at)
            .is_some_and(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
        {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Res<u8> {
        self.skip_blanks();
        self.bytes
            .get(self.at)
            .copied()
            .ok_or_else(|| Fault::runtime("unexpected end of file"))
    }

    /// Reads a value without recursion: open containers stand on a stack.
    fn value(&mut self) -> Res<Value> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            if open.len() > MAX_VALUE_NESTING {
                return Err(Fault::new(Class::LimitDepth, "json.decode: nested too deep"));
            }
            let b = self.next()?;
            let mut done = match b {
                b'[' => {
                    self.at += 1;
                    if self.next()? == b']' {
                        self.at += 1;
                        Value::list(Vec::new())?
                    } else {
                        open.push(Open::List(Vec::new()));
                        continue;
                    }
                }
                b'{' => {
                    self.at += 1;
                    let table = Table::new()?;
                    if self.next()? == b'}' {
                        self.at += 1;
                        Value::dict(table)
                    } else {
                        open.push(Open::Dict(table, None));
                        continue;
                    }
                }
                _ => self.scalar(b)?,
            };
            // A finished value goes into the container around it, which may be finished by that.
            loop {
                meter::work(16)?;
                match open.pop() {
                    None => return Ok(done),
                    Some(Open::List(mut items)) => {
                        if items.len() == items.capacity() {
                            meter::room(items.len().saturating_mul(64))?;
                        }
                        items.push(done);
                        match self.next()? {
                            b',' => {
                                self.at += 1;
                                open.push(Open::List(items));
                                break;
                            }
                            b']' => {
                                self.at += 1;
                                done = Value::list(items)?;
                            }
                            b => return Err(Fault::runtime(format!("got {}, want ',' or ']'", shown(b)))),
                        }
                    }
                    Some(Open::Dict(table, None)) => {
                        if done.as_text().is_none() {
                            let text = format!("got {} for object key, want string", done.kind());
                            return Err(Fault::runtime(text));
                        }
                        let b = self.next()?;
                        if b != b':' {
                            return Err(Fault::runtime(format!("after object key, got {}, want ':' ", shown(b))));
                        }
                        self.at += 1;
                        open.push(Open::Dict(table, Some(done)));
                        break;
                    }
                    Some(Open::Dict(mut table, Some(key))) => {
                        table.insert(key, done)?;
                        match self.next()? {
                            b',' => {
                                self.at += 1;
                                open.push(Open::Dict(table, None));
                                break;
                            }
                            b'}' => {
                                self.at += 1;
                                done = Value::dict(if self.host { sorted(table)? } else { table });
                            }
                            b => return Err(Fault::runtime(format!("in object, got {}, want ',' or '}}'", shown(b)))),
                        }
                    }
                }
            }
        }
    }

    fn scalar(&mut self, b: u8) -> Res<Value> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        for (word, value) in [
            ("null", Value::None),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
        ] {
            if rest.starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        match b {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(Fault::runtime(format!("unexpected character {}", shown(b)))),
        }
    }

    fn string(&mut self) -> Res<Value> {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let mut end = 0;
        let mut plain = true;
        loop {
            match rest.get(end) {
                None => return Err(Fault::runtime("unclosed string literal")),
                Some(b'"') => break,
                Some(b'\\') => {
                    plain = false;
                    end += 2;
                }
                Some(b) => {
                    plain &= b.is_ascii();
                    end += 1;
                }
            }
        }
        let raw = rest.get(..end).unwrap_or_default();
        meter::room(raw.len().saturating_mul(2))?;
        self.at += end + 2;
        if plain {
            Value::text(raw)
        } else {
            Value::text(unescape(raw)?)
        }
    }

    fn number(&mut self) -> Res<Value> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let digit_or_sign = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
        let width = 1 + rest.iter().skip(1).take_while(|b| digit_or_sign(b)).count();
        let raw = String::from_utf8_lossy(rest.get(..width).unwrap_or_default()).into_owned();
        self.at += width;
        let invalid = || {
            let shown = raw.get(..100).unwrap_or(&raw);
            Fault::runtime(format!("invalid number: {shown}"))
        };
        let digits = raw.strip_prefix('-').unwrap_or(&raw);
        let zero = digits.starts_with('0') && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        if digits.is_empty() || zero {
            return Err(invalid());
        }
        if !self.host && raw.bytes().skip(1).all(|b| b.is_ascii_digit()) {
            return number::parse_int(raw.as_bytes(), 10)?.ok_or_else(invalid);
        }
        match raw.parse::<f64>() {
            Ok(f) if f.is_finite() => Ok(Value::Float(f)),
            _ => Err(invalid()),
        }
    }
}

/// The text that stands between the quotes.
fn unescape(raw: &[u8]) -> Res<Vec<u8>> {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(first) = rest.first() {
        if *first != b'\\' {
            let (c, width) = first_char(rest);
            if u32::from(c) < 0x20 {
                let text = format!("invalid character {} in string literal", escaped_control(c));
                return Err(Fault::runtime(text));
            }
            push_char(&mut out, c);
            rest = rest.get(width..).unwrap_or_default();
            continue;
        }
        let code = rest.get(1).copied().unwrap_or(b'"');
        let mut used = 2;
        match code {
            b'"' | b'\\' | b'/' => out.push(code),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'u' => {
                let high = hex(rest.get(2..6))?;
                used = 6;
                let low = match (high, rest.get(6..8)) {
                    (0xd800..0xdc00, Some(b"\\u")) => hex(rest.get(8..12)).ok(),
                    _ => None,
                };
                let pair = low.filter(|low| (0xdc00..0xe000).contains(low)).map(|low| {
                    used = 12;
                    0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)
                });
                push_char(&mut out, char::from_u32(pair.unwrap_or(high)).unwrap_or('\u{fffd}'));
            }
            other => {
                return Err(Fault::runtime(format!(
                    "invalid character {} in string escape code",
                    shown(other)
                )));
            }
        }
        rest = rest.get(used..).unwrap_or_default();
    }
    Ok(out)
}

fn escaped_control(c: char) -> String {
    match c {
        '\n' => "'\\n'".to_owned(),
        '\r' => "'\\r'".to_owned(),
        '\t' => "'\\t'".to_owned(),
        _ => format!("'\\x{:02x}'", u32::from(c)),
    }
}

fn push_char(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn hex(digits: Option<&[u8]>) -> Res<u32> {
    let bad = || Fault::runtime("invalid character in \\u hexadecimal character escape");
    let digits = digits.and_then(|d| std::str::from_utf8(d).ok()).ok_or_else(bad)?;
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(bad());
    }
    u32::from_str_radix(digits, 16).map_err(|_| bad())
}
