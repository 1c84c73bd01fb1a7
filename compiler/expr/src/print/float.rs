//! Doubles as text: shortest digits that read back, in the forms of the three printing rules (language 11.1 of the expression chapter).

use std::fmt::Write as _;

/// The shortest decimal digits of a finite number and the exponent of the first one.
struct Shortest {
    negative: bool,
    digits: String,
    exponent: i32,
}

fn shortest(value: f64) -> Shortest {
    let text = format!("{:e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    Shortest {
        negative: value.is_sign_negative(),
        digits: mantissa.replace('.', ""),
        exponent: exponent.parse().unwrap_or(0),
    }
}

impl Shortest {
    fn sign(&self) -> &'static str {
        if self.negative { "-" } else { "" }
    }

    /// `1.5e+06`; the exponent has at least `width` digits.
    fn scientific(&self, width: usize) -> String {
        let (first, rest) = self.digits.split_at(1.min(self.digits.len()));
        let mut out = format!("{}{first}", self.sign());
        if !rest.is_empty() {
            let _ = write!(out, ".{rest}");
        }
        let sign = if self.exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:0width$}", self.exponent.unsigned_abs());
        out
    }

    fn plain(&self) -> String {
        let mut out = self.sign().to_owned();
        if self.exponent < 0 {
            out.push_str("0.");
            for _ in 1..-self.exponent {
                out.push('0');
            }
            out.push_str(&self.digits);
            return out;
        }
        let whole = usize::try_from(self.exponent).unwrap_or(0) + 1;
        if self.digits.len() <= whole {
            out.push_str(&self.digits);
            for _ in self.digits.len()..whole {
                out.push('0');
            }
        } else {
            let (before, after) = self.digits.split_at(whole);
            out.push_str(before);
            out.push('.');
            out.push_str(after);
        }
        out
    }
}

fn not_finite(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("NaN")
    } else if value == f64::INFINITY {
        Some("+Inf")
    } else if value == f64::NEG_INFINITY {
        Some("-Inf")
    } else {
        None
    }
}

/// As values and `string()` print: plain between 1e-4 and 1e6, otherwise with an exponent of at least two digits.
pub(crate) fn general(value: f64) -> String {
    if let Some(word) = not_finite(value) {
        return word.to_owned();
    }
    let digits = shortest(value);
    if digits.exponent < -4 || digits.exponent >= 21 || (digits.exponent >= 6 && value != 0.0) {
        return digits.scientific(2);
    }
    digits.plain()
}

/// As `%g` prints without a precision: exponents from the digits that there are.
pub(crate) fn shortest_general(value: f64) -> String {
    if let Some(word) = not_finite(value) {
        return word.to_owned();
    }
    let digits = shortest(value);
    if digits.exponent < -4 || digits.exponent >= 21 {
        return digits.scientific(2);
    }
    digits.plain()
}

/// As JSON prints; `None` for what JSON cannot say.
pub(crate) fn json(value: f64) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    let digits = shortest(value);
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        return Some(digits.scientific(if digits.exponent < 0 { 1 } else { 2 }));
    }
    Some(digits.plain())
}

/// With a fixed number of decimals, exact ties to even.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    match not_finite(value) {
        Some(word) => word.to_owned(),
        None => format!("{value:.decimals$}"),
    }
}

/// The shortest plain decimal, never an exponent.
pub(crate) fn plain(value: f64) -> String {
    match not_finite(value) {
        Some(word) => word.to_owned(),
        None => shortest(value).plain(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn general_switches_to_exponents() {
        for (value, text) in [
            (0.0, "0"),
            (3.0, "3"),
            (0.5, "0.5"),
            (123_456.0, "123456"),
            (1e6, "1e+06"),
            (1_234_567.0, "1.234567e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1e100, "1e+100"),
            (-2.5, "-2.5"),
            (f64::INFINITY, "+Inf"),
        ] {
            assert_eq!(general(value), text);
        }
    }

    #[test]
    fn json_switches_later() {
        for (value, text) in [
            (3.0, "3"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
        ] {
            assert_eq!(json(value).as_deref(), Some(text));
        }
        assert_eq!(json(f64::NAN), None);
    }

    #[test]
    fn fixed_rounds_exactly() {
        assert_eq!(fixed(3.25, 1), "3.2");
        assert_eq!(fixed(1.0, 6), "1.000000");
    }
}
