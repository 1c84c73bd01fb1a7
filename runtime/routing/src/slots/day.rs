//! Days of the proleptic Gregorian calendar, counted from 1970-01-01. Only what dates in words need; no time of day, no
//! time zone.

/// A day.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Day(i64);

/// Nanoseconds of a day.
const DAY: i128 = 86_400_000_000_000;

impl Day {
    /// The day in UTC of a time in nanoseconds since 1970.
    #[must_use]
    pub fn of_nanos(nanos: i128) -> Self {
        Self(i64::try_from(nanos.div_euclid(DAY)).unwrap_or_default())
    }

    /// The day of a date. A day or month beyond its range rolls over: February 31 is March 3.
    #[must_use]
    pub fn new(year: i64, month: i64, day: i64) -> Self {
        let months = month - 1;
        let year = year + months.div_euclid(12);
        let month = months.rem_euclid(12) + 1;
        // Years begin in March here, so that the leap day is the last one.
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5;
        let days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        Self(era * 146_097 + days - 719_468 + day - 1)
    }

    /// Year, month and day.
    #[must_use]
    pub fn date(self) -> (i64, i64, i64) {
        let days = self.0 + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        (year, month, day)
    }

    /// The day so many days later; `None` beyond the year 9999 or before the year 0.
    #[must_use]
    pub fn plus(self, days: i64) -> Option<Self> {
        Some(Self(self.0.checked_add(days)?)).filter(|day| day.is_writable())
    }

    /// Whether its year has four digits.
    #[must_use]
    pub fn is_writable(self) -> bool {
        (Self::new(0, 1, 1)..=Self::new(9999, 12, 31)).contains(&self)
    }

    /// Days since 1970-01-01.
    #[must_use]
    pub fn since_1970(self) -> i64 {
        self.0
    }

    /// Days after Sunday.
    #[must_use]
    pub fn weekday(self) -> i64 {
        (self.0 + 4).rem_euclid(7)
    }

    /// Its midnight in UTC, as RFC 3339.
    #[must_use]
    pub fn midnight(self) -> String {
        let (year, month, day) = self.date();
        format!("{year:04}-{month:02}-{day:02}T00:00:00Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_days_agree() {
        assert_eq!(Day::new(1970, 1, 1), Day(0));
        assert_eq!(Day::new(2026, 3, 11).date(), (2026, 3, 11));
        for day in (-800_000..3_000_000).step_by(97) {
            let (y, m, d) = Day(day).date();
            assert_eq!(Day::new(y, m, d), Day(day));
        }
    }

    #[test]
    fn days_roll_over() {
        assert_eq!(Day::new(2026, 2, 31).date(), (2026, 3, 3));
        assert_eq!(Day::new(2028, 2, 29).date(), (2028, 2, 29));
        assert_eq!(Day::new(1900, 2, 29).date(), (1900, 3, 1));
        assert_eq!(Day::new(2026, 13, 1).date(), (2027, 1, 1));
    }

    #[test]
    fn weekdays_begin_with_sunday() {
        assert_eq!(Day::new(2026, 3, 15).weekday(), 0);
        assert_eq!(Day::new(1969, 12, 31).weekday(), 3);
    }

    #[test]
    fn a_day_of_another_age_is_none() {
        assert_eq!(Day::new(2026, 1, 1).plus(i64::MAX), None);
        assert_eq!(Day::new(2026, 1, 1).plus(10_000_000), None);
    }
}
