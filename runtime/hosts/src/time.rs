//! Times as texts: RFC 3339 in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time as `2026-01-02T03:04:05Z`.
pub fn seconds(time: SystemTime) -> String {
    show(time, 0)
}

/// A time with nine digits of a second, trailing zeros cut.
#[cfg(test)]
pub fn exact(time: SystemTime) -> String {
    show(time, 9)
}

/// A time as a text gives it, in UTC with whole seconds; what is no time stays as it is.
pub fn in_utc(text: &str) -> String {
    parse(text).map_or_else(
        || text.to_owned(),
        |secs| seconds(UNIX_EPOCH + Duration::from_secs(secs)),
    )
}

/// Seconds since 1970 of `2026-01-02T03:04:05.5+02:00`.
fn parse(text: &str) -> Option<u64> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let mark = |at: usize, c: &str| text.get(at..at + 1) == Some(c);
    if !(mark(4, "-") && mark(7, "-") && mark(10, "T") && mark(13, ":") && mark(16, ":")) {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (h, m, s) = (number(11..13)?, number(14..16)?, number(17..19)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || h > 23 || m > 59 || s > 59 {
        return None;
    }
    let rest = text.get(19..)?;
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let offset = match rest.as_bytes() {
        [b'Z'] => 0,
        [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
            let (h, m) = (
                rest.get(1..3)?.parse::<i64>().ok()?,
                rest.get(4..6)?.parse::<i64>().ok()?,
            );
            let offset = h * 3600 + m * 60;
            if *sign == b'-' { -offset } else { offset }
        }
        _ => return None,
    };
    // Years that begin in March, as in `date`.
    let shifted = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    u64::try_from(days * 86_400 + h * 3600 + m * 60 + s - offset).ok()
}

fn show(time: SystemTime, digits: usize) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let secs = since.as_secs();
    let (year, month, day) = date(secs / 86_400);
    let (h, m, s) = (secs / 3600 % 24, secs / 60 % 60, secs % 60);
    let mut fraction = String::new();
    if digits > 0 && since.subsec_nanos() > 0 {
        fraction = format!(".{:09}", since.subsec_nanos());
        fraction.truncate(fraction.trim_end_matches('0').len());
    }
    format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}{fraction}Z")
}

/// The date of a day, counted from 1970-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    // Years that begin in March put the leap day at their end.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc() {
        let at = |secs, nanos| UNIX_EPOCH + Duration::new(secs, nanos);
        assert_eq!(seconds(at(0, 0)), "1970-01-01T00:00:00Z");
        assert_eq!(seconds(at(951_782_400, 0)), "2000-02-29T00:00:00Z");
        assert_eq!(seconds(at(1_767_323_045, 5)), "2026-01-02T03:04:05Z");
        assert_eq!(in_utc("2026-01-02T03:04:05.25+02:00"), "2026-01-02T01:04:05Z");
        assert_eq!(in_utc("2000-02-29T00:00:00Z"), "2000-02-29T00:00:00Z");
        assert_eq!(in_utc("soon"), "soon");
        assert_eq!(exact(at(1_767_323_045, 500_000_000)), "2026-01-02T03:04:05.5Z");
    }
}
