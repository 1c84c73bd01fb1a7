//! Times: the forms that `!!timestamp` takes, in the one form of RFC 3339.

use smol_str::{SmolStr, format_smolstr};

/// A date, or a date and a time of day with or without a zone. `None` when it is no time.
pub(super) fn rfc3339(text: &str) -> Option<SmolStr> {
    let text = text.trim();
    let (date, rest) = match text.find(['T', 't', ' ']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?),
        None => (text, ""),
    };
    let mut parts = date.split('-');
    let (year, month, day) = (
        number(parts.next()?, 4)?,
        number(parts.next()?, 2)?,
        number(parts.next()?, 2)?,
    );
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=days(year, month)).contains(&day) {
        return None;
    }
    let date = format_smolstr!("{year:04}-{month:02}-{day:02}");
    if rest.is_empty() {
        return Some(format_smolstr!("{date}T00:00:00Z"));
    }
    let (clock, zone) = split_zone(rest)?;
    let (clock, part) = clock.split_once('.').map_or((clock, ""), |(clock, part)| (clock, part));
    let mut parts = clock.split(':');
    let (hour, minute, second) = (
        number(parts.next()?, 2)?,
        number(parts.next()?, 2)?,
        number(parts.next()?, 2)?,
    );
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 || part.bytes().any(|b| !b.is_ascii_digit()) {
        return None;
    }
    let part = part.get(..part.len().min(9))?.trim_end_matches('0');
    let dot = if part.is_empty() { "" } else { "." };
    Some(format_smolstr!(
        "{date}T{hour:02}:{minute:02}:{second:02}{dot}{part}{zone}"
    ))
}

/// The time of day and its zone in normal form; no zone is UTC.
fn split_zone(text: &str) -> Option<(&str, SmolStr)> {
    if let Some(clock) = text.strip_suffix('Z') {
        return Some((clock, "Z".into()));
    }
    let Some(at) = text.find(['+', '-']) else {
        return Some((text.trim_end(), "Z".into()));
    };
    let (clock, zone) = text.split_at(at);
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
    let zone = if hours == 0 && minutes == 0 {
        "Z".into()
    } else {
        zone.into()
    };
    (hours < 24 && minutes < 60).then_some((clock.trim_end(), zone))
}

fn number(digits: &str, len: usize) -> Option<u32> {
    let right = !digits.is_empty() && digits.len() <= len && digits.bytes().all(|b| b.is_ascii_digit());
    right.then(|| digits.parse().ok()).flatten()
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn the_forms_of_times() {
        for (text, want) in [
            ("2026-01-02", "2026-01-02T00:00:00Z"),
            ("2026-1-2", "2026-01-02T00:00:00Z"),
            ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
            ("2026-01-02t3:4:5.250+02:00", "2026-01-02T03:04:05.25+02:00"),
            ("2026-01-02 03:04:05", "2026-01-02T03:04:05Z"),
        ] {
            assert_eq!(rfc3339(text).as_deref(), Some(want), "{text}");
        }
        for text in ["", "soon", "2026-13-01", "2026-02-30", "2026-01-02T25:00:00Z"] {
            assert_eq!(rfc3339(text), None, "{text:?}");
        }
    }
}
