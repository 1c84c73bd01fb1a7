//! Times: the clock, and RFC 3339.

use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds since 1970 in UTC.
#[must_use]
pub fn now() -> i128 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i128::try_from(since.as_nanos()).unwrap_or_default()
}

/// The nanoseconds since 1970 of a time such as `2026-03-11T15:30:00Z`.
#[must_use]
pub fn parse(text: &str) -> Option<i128> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let signs: [(usize, &[u8]); 5] = [(4, b"-"), (7, b"-"), (10, b"Tt "), (13, b":"), (16, b":")];
    if !signs
        .iter()
        .all(|(at, one_of)| text.as_bytes().get(*at).is_some_and(|b| one_of.contains(b)))
    {
        return None;
    }
    let rest = text.get(19..)?;
    let fraction = rest.strip_prefix('.').map_or("", |tail| {
        tail.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default()
    });
    let zone = rest.get(if fraction.is_empty() { 0 } else { fraction.len() + 1 }..)?;
    let offset = match zone {
        "Z" | "z" => 0,
        zone => {
            let sign = if zone.starts_with('-') {
                -1
            } else {
                i64::from(zone.starts_with('+'))
            };
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            let minutes = hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?;
            Some(sign * minutes * 60).filter(|_| sign != 0)?
        }
    };
    let nanos: i128 = format!("{:0<9.9}", fraction).parse().ok()?;
    let days = kitsoki_routing::slots::Day::new(year, month, day).since_1970();
    let seconds = i128::from(days) * 86_400 + i128::from(hour * 3600 + minute * 60 + second - offset);
    Some(seconds * 1_000_000_000 + nanos)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn times_are_read() {
        assert_eq!(parse("1970-01-02T00:00:01Z"), Some(86_401_000_000_000));
        assert_eq!(parse("1970-01-01T01:00:00.5+01:00"), Some(500_000_000));
        assert_eq!(parse("1969-12-31T23:00:00-01:00"), Some(0));
        for wrong in [
            "",
            "1970-01-01",
            "1970-01-01T00:00:00",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00 01:00",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
