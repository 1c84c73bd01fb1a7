//! Numbers as plain scalars write them, and numbers as texts (`language` 2.3 and 2.4).

/// A number of a plain scalar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Number {
    /// An integer of the signed range.
    Int(i64),
    /// An integer above it.
    Uint(u64),
    /// A number with a point.
    Float(f64),
}

/// Reads a plain scalar as a number: underscores anywhere but first, the prefixes `0x`, `0o`, `0b`, a leading zero for
/// octal, a float only with exactly one point. What is out of range is no number.
pub(crate) fn read(text: &str) -> Option<Number> {
    let first = *text.as_bytes().first()?;
    if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.') {
        return None;
    }
    match text {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Some(Number::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => return Some(Number::Float(f64::NEG_INFINITY)),
        ".nan" | ".NaN" | ".NAN" => return Some(Number::Float(f64::NAN)),
        _ => {}
    }
    let points = text.bytes().filter(|b| *b == b'.').take(2).count();
    if points > 1 || text.len() > 400 {
        return None;
    }
    let negative = first == b'-';
    let digits = text.strip_prefix('+').unwrap_or(text);
    let digits = digits.strip_prefix('-').unwrap_or(digits).replace('_', "");
    let (digits, base) = if let Some(rest) = digits.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = digits.strip_prefix("0o") {
        (rest, 8)
    } else if let Some(rest) = digits.strip_prefix("0b") {
        (rest, 2)
    } else if digits.starts_with('0') && digits.len() > 1 && points == 0 {
        (digits.as_str(), 8)
    } else if points == 1 {
        return float(&digits, negative);
    } else {
        (digits.as_str(), 10)
    };
    let signed = if negative {
        format!("-{digits}")
    } else {
        digits.to_owned()
    };
    i64::from_str_radix(&signed, base)
        .map(Number::Int)
        .or_else(|_| u64::from_str_radix(&signed, base).map(Number::Uint))
        .ok()
}

fn float(digits: &str, negative: bool) -> Option<Number> {
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    value
        .is_finite()
        .then_some(Number::Float(if negative { -value } else { value }))
}

/// Reads a text as a float the way a number field does: decimal and exponent, hexadecimal with an exponent of two,
/// the words for infinity and not-a-number.
pub(crate) fn float_of_text(text: &str) -> Option<f64> {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let lower = body.to_ascii_lowercase();
    let value = match lower.as_str() {
        "inf" | "infinity" => f64::INFINITY,
        "nan" if body.len() == text.len() => return Some(f64::NAN),
        _ if lower.starts_with("0x") => hexadecimal(lower.get(2..)?)?,
        _ if body.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            body.parse::<f64>().ok().filter(|value| value.is_finite())?
        }
        _ => return None,
    };
    Some(if text.starts_with('-') { -value } else { value })
}

fn hexadecimal(body: &str) -> Option<f64> {
    let (digits, exponent) = body.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let mut value = 0.0_f64;
    for digit in whole.chars().chain(part.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let shift = exponent.checked_sub(i32::try_from(part.len()).ok()?.checked_mul(4)?)?;
    Some(value * 2.0_f64.powi(shift)).filter(|value| value.is_finite())
}

/// A float as text: the shortest digits that read back the same, an exponent below 1e-4 and from a
/// million on, as the reference prints them.
pub(crate) fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e6).contains(&size) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(rest) => ('-', rest),
            None => ('+', exponent),
        };
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{value}")
}

#[cfg(test)]
mod tests {
    use super::{Number, float_of_text, float_text, read};

    #[test]
    fn integers_have_prefixes_and_underscores() {
        for (text, value) in [
            ("12", 12),
            ("-3", -3),
            ("+5", 5),
            ("1_000", 1000),
            ("0x1F", 31),
            ("0o17", 15),
        ] {
            assert_eq!(read(text), Some(Number::Int(value)), "{text}");
        }
        for (text, value) in [
            ("0b101", 5),
            ("017", 15),
            ("-017", -15),
            ("0x1_0", 16),
            ("0", 0),
            ("00", 0),
        ] {
            assert_eq!(read(text), Some(Number::Int(value)), "{text}");
        }
        assert_eq!(read("18446744073709551615"), Some(Number::Uint(u64::MAX)));
    }

    #[test]
    fn what_is_no_number_is_text() {
        for text in [
            "08",
            "0XFF",
            "1e5",
            "1.2.3",
            "2026-01-02",
            "12:30",
            "_1",
            "-",
            "+",
            ".",
            "18446744073709551616",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("1.0e999"), None);
    }

    #[test]
    fn floats_have_exactly_one_point() {
        for (text, value) in [
            ("1.5", 1.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("1.5e3", 1500.0),
            ("-1_0.5", -10.5),
        ] {
            assert_eq!(read(text), Some(Number::Float(value)), "{text}");
        }
    }

    #[test]
    fn texts_read_as_floats() {
        assert_eq!(float_of_text("1e3"), Some(1000.0));
        assert_eq!(float_of_text("-5"), Some(-5.0));
        assert_eq!(float_of_text("0x1p-2"), Some(0.25));
        assert_eq!(float_of_text("-Inf"), Some(f64::NEG_INFINITY));
        for text in ["", "0x10", "five", "1.2.3", "5m", " 5", "1_000"] {
            assert_eq!(float_of_text(text), None, "{text:?}");
        }
    }

    #[test]
    fn floats_print_shortest() {
        for (value, text) in [
            (1.0, "1"),
            (1.1, "1.1"),
            (1e6, "1e+06"),
            (999999.5, "999999.5"),
            (1e-5, "1e-05"),
        ] {
            assert_eq!(float_text(value), text);
        }
        assert_eq!(float_text(-0.0), "-0");
    }
}
