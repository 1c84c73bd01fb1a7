//! Durations as stories write them (`300ms`, `1h30m`) and as messages show them.

use std::time::Duration;

/// Reads a duration. Negative ones are refused like nonsense, zero is a duration.
pub fn parse(text: &str) -> Option<Duration> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(Duration::ZERO);
    }
    if rest.is_empty() {
        return None;
    }
    let mut seconds = 0.0f64;
    while !rest.is_empty() {
        let end = rest
            .find(|c: char| !(c.is_ascii_digit() || c == '.'))
            .unwrap_or(rest.len());
        let number: f64 = rest.get(..end)?.parse().ok()?;
        rest = rest.get(end..)?;
        let end = rest
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(rest.len());
        let unit = match rest.get(..end)? {
            "ns" => 1e-9,
            "us" | "µs" | "μs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        rest = rest.get(end..)?;
        seconds += number * unit;
    }
    if negative && seconds > 0.0 {
        return None;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// Shows a duration: `1h2m3s`, `1.5s`, `300ms`, `0s`.
pub fn show(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    if nanos == 0 {
        return "0s".to_owned();
    }
    for (limit, unit, word) in [(1_000, 1.0, "ns"), (1_000_000, 1e3, "µs"), (1_000_000_000, 1e6, "ms")] {
        if nanos < limit {
            #[expect(clippy::cast_precision_loss, reason = "below a thousand million")]
            return format!("{}{word}", nanos as f64 / unit);
        }
    }
    let whole = duration.as_secs();
    let (hours, minutes) = (whole / 3600, whole / 60 % 60);
    let mut seconds = format!("{}.{:09}", whole % 60, duration.subsec_nanos());
    seconds.truncate(seconds.trim_end_matches('0').trim_end_matches('.').len());
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, _) => format!("{minutes}m{seconds}s"),
        _ => format!("{hours}h{minutes}m{seconds}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_shown() {
        for (text, millis, shown) in [
            ("300ms", 300, "300ms"),
            ("1s", 1_000, "1s"),
            ("1.5s", 1_500, "1.5s"),
            ("1h30m", 5_400_000, "1h30m0s"),
            ("90s", 90_000, "1m30s"),
            ("100s", 100_000, "1m40s"),
            ("0", 0, "0s"),
        ] {
            let duration = parse(text).unwrap();
            assert_eq!(duration, Duration::from_millis(millis), "{text}");
            assert_eq!(show(duration), shown);
        }
        for text in ["", "soon", "1", "1x", "-1s", "s", "1.2.3s"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
