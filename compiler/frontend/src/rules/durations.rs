//! Durations as the language reads them (`language` 2.9).

/// Nanoseconds of a unit.
fn unit(word: &str) -> Option<f64> {
    Some(match word {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "m" => 6e10,
        "h" => 3.6e12,
        _ => return None,
    })
}

/// The length in nanoseconds of a trimmed text; blank text is zero. `None` when it is no duration.
#[must_use]
pub(crate) fn parse(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.is_empty() {
        return Some(0.0);
    }
    if let Some(days) = text.strip_suffix('d') {
        let plain = days.chars().all(|c| c.is_ascii_digit() || ".+-eE_".contains(c));
        return days
            .parse::<f64>()
            .ok()
            .filter(|d| plain && d.is_finite())
            .map(|d| d * 8.64e13);
    }
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0.0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total = 0.0;
    while !rest.is_empty() {
        let number = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let (digits, tail) = rest.split_at(number);
        if !digits.contains(|c: char| c.is_ascii_digit()) || digits.matches('.').count() > 1 {
            return None;
        }
        let unit_len = tail
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(tail.len());
        let (word, tail) = tail.split_at(unit_len);
        let value: f64 = format!("0{digits}").parse().ok()?;
        total += value * unit(word)?;
        rest = tail;
    }
    // The reference counts in 64-bit nanoseconds.
    (total <= 9.223_372_036_854_775e18).then_some(sign * total)
}

/// What is wrong with a text that is no duration, as advice.
pub(crate) fn advice(text: &str) -> &'static str {
    let text = text.trim();
    let is_number = text.parse::<f64>().is_ok();
    if is_number {
        "add a unit, for example `30s`, `10m`, `2h` or `1d`"
    } else if text.contains('d') && text.contains(['h', 'm', 's']) {
        "days stand alone: write hours instead, for example `26h`"
    } else {
        "write for example `90s`, `10m`, `1h30m` or `2d`"
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn days_stand_alone_and_other_units_combine() {
        assert_eq!(parse("1h30m"), Some(5.4e12));
        assert_eq!(parse("0.5d"), Some(4.32e13));
        assert_eq!(parse("-5m"), Some(-3e11));
        assert_eq!(parse("  "), Some(0.0));
        assert_eq!(parse("0"), Some(0.0));
        for wrong in ["1d2h", "30", "2w", "d", "10x", "-", "1.2.3s", "9999999999h"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
