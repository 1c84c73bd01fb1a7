//! The `stringformat` filter: one value in a printf format, with the marks that wrong formats leave in the text.

use std::fmt::Write as _;

use super::layout::MAX_WIDTH;
use super::{Filtered, refused};
use crate::print::{float, stringified};
use crate::template::p::value::{P, Pv};
use crate::value::{ListKind, Native, Value};

#[derive(Default, Clone, Copy)]
struct Flags {
    plus: bool,
    minus: bool,
    sharp: bool,
    space: bool,
    zero: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

pub(super) fn string_format(input: &P, argument: &P) -> Filtered {
    let format = argument.text();
    let mut out = String::new();
    let mut used = false;
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut flags = Flags::default();
        while let Some(c) = rest.peek() {
            match c {
                '+' => flags.plus = true,
                '-' => {
                    flags.minus = true;
                    flags.zero = false;
                }
                '#' => flags.sharp = true,
                ' ' => flags.space = true,
                '0' => flags.zero = !flags.minus,
                _ => break,
            }
            rest.next();
        }
        flags.width = number(&mut rest)?;
        if rest.next_if_eq(&'.').is_some() {
            flags.precision = Some(number(&mut rest)?.unwrap_or(0));
        }
        match rest.next() {
            None => out.push_str("%!(NOVERB)"),
            Some('%') => out.push('%'),
            Some(verb) if used => {
                let _ = write!(out, "%!{verb}(MISSING)");
            }
            Some(verb) => {
                used = true;
                out.push_str(&formatted(input, verb, flags));
            }
        }
    }
    if !used {
        let _ = match input.is_nil() {
            true => write!(out, "%!(EXTRA <nil>)"),
            false => write!(
                out,
                "%!(EXTRA {}={})",
                type_name(input),
                formatted(input, 'v', Flags::default())
            ),
        };
    }
    Ok(P::from(out))
}

fn number(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<Option<usize>, crate::eval::Fault> {
    let mut value: Option<usize> = None;
    while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
        rest.next();
        let next = value.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize);
        if next > MAX_WIDTH {
            return Err(refused("the format asks for too wide a text"));
        }
        value = Some(next);
    }
    Ok(value)
}

fn formatted(input: &P, verb: char, flags: Flags) -> String {
    if verb == 'T' {
        return padded(type_name(input), flags);
    }
    match &input.v {
        Pv::Value(Value::Nil) if verb == 'v' => padded("<nil>", flags),
        Pv::Value(Value::Nil) => format!("%!{verb}(<nil>)"),
        Pv::Value(Value::Bool(value)) if matches!(verb, 't' | 'v') => {
            padded(if *value { "true" } else { "false" }, flags)
        }
        Pv::Value(Value::Int(value)) => {
            integer(*value < 0, value.unsigned_abs(), verb, flags).unwrap_or_else(|| bad(input, verb))
        }
        Pv::Value(Value::Uint(value)) => integer(false, *value, verb, flags).unwrap_or_else(|| bad(input, verb)),
        Pv::Value(Value::Float(value)) => floating(*value, verb, flags).unwrap_or_else(|| bad(input, verb)),
        Pv::Value(Value::Str(_)) | Pv::Byte(_) => text(&input.text(), verb, flags).unwrap_or_else(|| bad(input, verb)),
        Pv::Value(Value::List(list))
            if !matches!(verb, 'v' | 's' | 'x' | 'X' | 'q') || list.kind() != ListKind::Any =>
        {
            let items: Vec<String> = list
                .iter()
                .map(|item| formatted(&P::from(item.clone()), verb, flags))
                .collect();
            format!("[{}]", items.join(" "))
        }
        Pv::Value(Value::Map(map)) if !matches!(verb, 'v' | 's' | 'x' | 'X' | 'q') => {
            let items: Vec<String> = map
                .sorted()
                .into_iter()
                .map(|(key, item)| {
                    let key = formatted(&P::from(Value::Str(key.clone())), verb, flags);
                    format!("{key}:{}", formatted(&P::from(item.clone()), verb, flags))
                })
                .collect();
            format!("map[{}]", items.join(" "))
        }
        Pv::Value(Value::List(_) | Value::Map(_)) | Pv::Cycle(_) => {
            text(&input.text(), verb, flags).unwrap_or_else(|| bad(input, verb))
        }
        Pv::Run(map) => {
            let shown = stringified(&Value::Map(map.clone())).unwrap_or_default();
            text(&shown, verb, flags).unwrap_or_else(|| bad(input, verb))
        }
        _ => bad(input, verb),
    }
}

fn bad(input: &P, verb: char) -> String {
    let value = match &input.v {
        Pv::Value(value @ (Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Float(_) | Value::Str(_))) => {
            stringified(value).unwrap_or_default()
        }
        _ => input.text().into_owned(),
    };
    format!("%!{verb}({}={value})", type_name(input))
}

fn type_name(input: &P) -> &'static str {
    match &input.v {
        Pv::Value(value) => match value {
            Value::Nil => "<nil>",
            Value::Bool(_) => "bool",
            Value::Int(_) if input.own => "int",
            Value::Int(_) => "int64",
            Value::Uint(_) => "uint64",
            Value::Float(_) => "float64",
            Value::Str(_) => "string",
            Value::List(list) => match list.kind() {
                ListKind::Any => "render.jsonArray",
                ListKind::Strings | ListKind::NilStrings => "[]string",
                ListKind::Ints => "[]int",
                ListKind::Bytes => "[]uint8",
                ListKind::Bare => "[]interface {}",
            },
            Value::Map(_) | Value::Native(Native::UnsetRoot) => "render.jsonObject",
            Value::Native(_) => "time.Time",
        },
        Pv::Byte(_) => "string",
        Pv::Run(_) => "map[string]interface {}",
        Pv::Meta => "pongo2.Context",
        Pv::Loop(_) => "*pongo2.tagForLoopInformation",
        Pv::Cycle(_) => "*pongo2.tagCycleValue",
        Pv::Helper(_) | Pv::Macro(_) => "func",
        Pv::Block(_) => "pongo2.tagBlockInformation",
    }
}

/// Padded with spaces on one side.
fn padded(text: &str, flags: Flags) -> String {
    let missing = flags.width.unwrap_or(0).saturating_sub(text.chars().count());
    let spaces = " ".repeat(missing);
    if flags.minus {
        format!("{text}{spaces}")
    } else {
        format!("{spaces}{text}")
    }
}

/// A number with its sign; zeros go between sign and digits.
fn signed(negative: bool, digits: &str, flags: Flags) -> String {
    let sign = match (negative, flags.plus, flags.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    };
    if flags.zero && flags.precision.is_none() {
        let missing = flags
            .width
            .unwrap_or(0)
            .saturating_sub(sign.len() + digits.chars().count());
        return format!("{sign}{}{digits}", "0".repeat(missing));
    }
    padded(&format!("{sign}{digits}"), flags)
}

fn integer(negative: bool, magnitude: u64, verb: char, flags: Flags) -> Option<String> {
    let mut digits = match verb {
        'd' | 'v' => magnitude.to_string(),
        'b' => format!("{magnitude:b}"),
        'o' | 'O' => format!("{magnitude:o}"),
        'x' => format!("{magnitude:x}"),
        'X' => format!("{magnitude:X}"),
        'c' | 'q' => {
            let c = u32::try_from(magnitude)
                .ok()
                .filter(|_| !negative)
                .and_then(char::from_u32)
                .unwrap_or('\u{fffd}');
            return Some(padded(
                &if verb == 'c' { c.to_string() } else { format!("'{c}'") },
                flags,
            ));
        }
        'U' => return Some(padded(&format!("U+{magnitude:04X}"), flags)),
        _ => return None,
    };
    if let Some(precision) = flags.precision {
        if precision == 0 && magnitude == 0 {
            digits.clear();
        }
        digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
    }
    let prefix = match verb {
        'O' => "0o",
        'o' if flags.sharp => "0",
        'x' if flags.sharp => "0x",
        'X' if flags.sharp => "0X",
        'b' if flags.sharp => "0b",
        _ => "",
    };
    Some(signed(negative, &format!("{prefix}{digits}"), flags))
}

fn floating(value: f64, verb: char, flags: Flags) -> Option<String> {
    let digits = match verb {
        'f' | 'F' => float::fixed(value.abs(), flags.precision.unwrap_or(6)),
        'e' | 'E' if value.is_finite() => {
            let text = format!("{:.*e}", flags.precision.unwrap_or(6), value.abs());
            let (mantissa, exponent) = text.split_once('e')?;
            let exponent: i32 = exponent.parse().ok()?;
            let sign = if exponent < 0 { '-' } else { '+' };
            let letter = if verb == 'E' { 'E' } else { 'e' };
            format!("{mantissa}{letter}{sign}{:02}", exponent.unsigned_abs())
        }
        'g' | 'G' | 'v' | 'e' | 'E' => match flags.precision {
            Some(precision) if value.is_finite() => general(value.abs(), precision.max(1)),
            _ => float::shortest_general(value.abs()),
        },
        _ => return None,
    };
    let digits = if value.is_finite() {
        digits
    } else {
        digits.trim_start_matches('+').to_owned()
    };
    let flags = Flags {
        precision: None,
        zero: flags.zero && value.is_finite(),
        plus: flags.plus || value == f64::INFINITY,
        ..flags
    };
    Some(signed(value.is_sign_negative() && !value.is_nan(), &digits, flags))
}

/// `%g` with a number of significant digits.
fn general(value: f64, precision: usize) -> String {
    let text = format!("{:.*e}", precision - 1, value);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if exponent < -4 || exponent >= i32::try_from(precision).unwrap_or(i32::MAX) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(mantissa), exponent.unsigned_abs());
    }
    let decimals = usize::try_from(i32::try_from(precision).unwrap_or(i32::MAX) - 1 - exponent).unwrap_or(0);
    trim(&float::fixed(value, decimals))
}

fn text(text: &str, verb: char, flags: Flags) -> Option<String> {
    let cut: String = match flags.precision {
        Some(precision) => text.chars().take(precision).collect(),
        None => text.to_owned(),
    };
    Some(match verb {
        'v' if flags.sharp => padded(&quoted(&cut), flags),
        's' | 'v' => padded(&cut, flags),
        'q' => padded(&quoted(&cut), flags),
        'x' => padded(
            &cut.bytes().map(|byte| format!("{byte:02x}")).collect::<String>(),
            flags,
        ),
        'X' => padded(
            &cut.bytes().map(|byte| format!("{byte:02X}")).collect::<String>(),
            flags,
        ),
        _ => return None,
    })
}

/// A text in double quotes with escapes for what cannot be seen.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            c if c < ' ' || c == '\u{7f}' => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c if c.is_control()
                || c.is_whitespace() && c != ' '
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}') =>
            {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formats(value: impl Into<P>, format: &str) -> String {
        string_format(&value.into(), &P::from(format))
            .map(|text| text.text().into_owned())
            .unwrap_or_default()
    }

    #[test]
    fn numbers() {
        assert_eq!(formats(Value::Int(42), "%05d|"), "00042|");
        assert_eq!(formats(Value::Int(-7), "%+4d"), "  -7");
        assert_eq!(formats(2.25, "%.1f"), "2.2");
        assert_eq!(formats(2.25, "%e"), "2.250000e+00");
        assert_eq!(formats(1234567.0, "%.3g"), "1.23e+06");
    }

    #[test]
    fn wrong_formats_leave_marks() {
        assert_eq!(formats("a", "%d"), "%!d(string=a)");
        assert_eq!(formats(Value::Int(3), ""), "%!(EXTRA int64=3)");
        assert_eq!(formats(P::int(3), "%s"), "%!s(int=3)");
        assert_eq!(formats(Value::Int(3), "%d %d %"), "3 %!d(MISSING) %!(NOVERB)");
    }
}
