//! Times as text. Only `now()` makes them, so this is small: UTC, the default form, RFC 3339, durations.

const SECOND: i128 = 1_000_000_000;

/// A date and a time of day in UTC.
pub(super) struct Civil {
    pub(super) year: i128,
    pub(super) month: i128,
    pub(super) day: i128,
    /// From 1.
    pub(super) year_day: i128,
    /// From 0, Sunday.
    pub(super) weekday: i128,
    pub(super) second_of_day: i128,
    pub(super) nanos: i128,
}

impl Civil {
    pub(super) fn of(nanos: i128) -> Self {
        civil(nanos)
    }
}

/// Splits nanoseconds since 1970 into date and time of day.
fn civil(nanos: i128) -> Civil {
    let seconds = nanos.div_euclid(SECOND);
    let days = seconds.div_euclid(86_400);
    // Years start in March, so that the leap day is the last of its year.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    // March starts on the 60th day, or the 61st of a leap year.
    let year_day = if month > 2 {
        day_of_year + 60 + i128::from(leap)
    } else {
        day_of_year - 305
    };
    Civil {
        year,
        month,
        day,
        year_day,
        weekday: (days + 4).rem_euclid(7),
        second_of_day: seconds.rem_euclid(86_400),
        nanos: nanos.rem_euclid(SECOND),
    }
}

fn fraction(nanos: i128) -> String {
    if nanos == 0 {
        return String::new();
    }
    let digits = format!("{nanos:09}");
    format!(".{}", digits.trim_end_matches('0'))
}

fn clock(time: &Civil) -> String {
    let s = time.second_of_day;
    format!(
        "{:02}:{:02}:{:02}{}",
        s / 3600,
        s / 60 % 60,
        s % 60,
        fraction(time.nanos)
    )
}

/// `2026-11-30 12:00:00.5 +0000 UTC`.
pub(crate) fn default_form(nanos: i128) -> String {
    let time = civil(nanos);
    format!(
        "{:04}-{:02}-{:02} {} +0000 UTC",
        time.year,
        time.month,
        time.day,
        clock(&time)
    )
}

/// `2026-11-30T12:00:00.5Z`.
pub(crate) fn rfc3339(nanos: i128) -> String {
    let time = civil(nanos);
    format!("{:04}-{:02}-{:02}T{}Z", time.year, time.month, time.day, clock(&time))
}

/// `1h2m3.5s`, `250ms`, `0s`.
pub(crate) fn duration(nanos: i64) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let total = i128::from(nanos).unsigned_abs();
    let unit = |size: u128, name: &str| {
        let whole = total / size;
        let rest = total % size;
        let width = size.to_string().len() - 1;
        let digits = format!("{rest:0width$}");
        let digits = digits.trim_end_matches('0');
        if digits.is_empty() {
            format!("{sign}{whole}{name}")
        } else {
            format!("{sign}{whole}.{digits}{name}")
        }
    };
    match total {
        0 => "0s".to_owned(),
        1..1_000 => format!("{sign}{total}ns"),
        1_000..1_000_000 => unit(1_000, "µs"),
        1_000_000..1_000_000_000 => unit(1_000_000, "ms"),
        _ => {
            let seconds = total / 1_000_000_000;
            let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
            let part = fraction(i128::try_from(total % 1_000_000_000).unwrap_or(0));
            match (hours, minutes) {
                (0, 0) => format!("{sign}{rest}{part}s"),
                (0, _) => format!("{sign}{minutes}m{rest}{part}s"),
                _ => format!("{sign}{hours}h{minutes}m{rest}{part}s"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_400 * SECOND + 500_000_000), "2000-02-29T00:00:00.5Z");
        assert_eq!(default_form(1_796_040_000 * SECOND), "2026-11-30 12:00:00 +0000 UTC");
    }

    #[test]
    fn durations_use_the_largest_unit() {
        assert_eq!(duration(3_723_500_000_000), "1h2m3.5s");
        assert_eq!(duration(-250_000_000), "-250ms");
        assert_eq!(duration(1_500), "1.5µs");
    }
}
