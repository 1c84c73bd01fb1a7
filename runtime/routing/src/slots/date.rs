//! `date`: a day in words or digits. The first way of the list in [`parse`] that finds one decides.
//!
//! Not dates on purpose: a weekday alone, `3 march` without a year, `15/3/2026`, years of two digits.

use kitsoki_expr::Value;

use super::{Day, Found, from, spelled_at};
use crate::lex::Token;

/// The longest number of days or weeks in words, in words.
const WINDOW: usize = 8;

/// The most stop words that are passed over inside of a date.
const SKIPPED: usize = 64;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [&str; 7] = [
    "sunday",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
];

/// A day and the words it stands in.
type At = (Day, usize, usize);

pub(super) fn parse(words: &[Token], today: Day) -> Option<Found> {
    let ways = [relative, in_days, next, month_and_day, digits, whole];
    let (day, start, end) = ways.into_iter().find_map(|way| way(words, today))?;
    Some(Found {
        value: Value::text(day.midnight()),
        start,
        end,
    })
}

/// `today`, `tomorrow`, `yesterday`.
fn relative(words: &[Token], today: Day) -> Option<At> {
    words.iter().enumerate().find_map(|(at, word)| {
        let days = match word.surface.as_str() {
            "today" => 0,
            "tomorrow" => 1,
            "yesterday" => -1,
            _ => return None,
        };
        Some((today.plus(days)?, at, at + 1))
    })
}

/// `in three days`, `in 2 weeks`.
fn in_days(words: &[Token], today: Day) -> Option<At> {
    let starts = words.iter().enumerate().filter(|(_, w)| w.surface == "in");
    starts.map(|(at, _)| at).find_map(|at| {
        let number = at
            + 1
            + from(words, at + 1)
                .iter()
                .take(SKIPPED)
                .take_while(|w| w.stop && w.surface != "and")
                .count();
        let (count, end) = match small(words.get(number)?) {
            Some(digits) => (digits, number + 1),
            None => spelled_at(words, number, WINDOW).map(|s| (s.value, number + s.words))?,
        };
        let days = match words.get(end)?.norm.as_str() {
            "day" => count,
            "week" => count.checked_mul(7)?,
            _ => return None,
        };
        Some((today.plus(days)?, at, end + 1))
    })
}

/// `next week`, `last week`, `next friday`.
fn next(words: &[Token], today: Day) -> Option<At> {
    words.windows(2).enumerate().find_map(|(at, pair)| {
        let [first, second] = pair else { return None };
        let days = match (first.surface.as_str(), second.surface.as_str()) {
            ("next", "week") => 7,
            ("last", "week") => -7,
            ("next", day) => {
                let day = WEEKDAYS.iter().position(|name| *name == day)?;
                let ahead = i64::try_from(day).ok()? - today.weekday();
                if ahead > 0 { ahead } else { ahead + 7 }
            }
            _ => return None,
        };
        Some((today.plus(days)?, at, at + 2))
    })
}

/// `march 3`, `feb 29, 2028`. Without a year it is the next such day.
fn month_and_day(words: &[Token], today: Day) -> Option<At> {
    let content = |start: usize| start + from(words, start).iter().take(SKIPPED).take_while(|w| w.stop).count();
    words.iter().enumerate().find_map(|(at, word)| {
        let month = month(&word.surface)?;
        let day_at = content(at + 1);
        let day = small(words.get(day_at)?).filter(|day| (1..=31).contains(day))?;
        let year_at = content(day_at + 1);
        if let Some(year) = words.get(year_at).and_then(small).filter(|year| *year >= 100) {
            return writable(Day::new(year, month, day)).map(|day| (day, at, year_at + 1));
        }
        let (year, _, _) = today.date();
        let mut found = Day::new(year, month, day);
        if found < today {
            // A year on from where the day rolled over to.
            let (year, month, day) = found.date();
            found = Day::new(year + 1, month, day);
        }
        Some((writable(found)?, at, day_at + 1))
    })
}

/// `2026-03-15`, `3/15/2026`: three numbers in a row.
fn digits(words: &[Token], _: Day) -> Option<At> {
    words.windows(3).enumerate().find_map(|(at, three)| {
        let [a, b, c] = three else { return None };
        if a.stop {
            return None;
        }
        let (x, y, z) = (small(a)?, small(b)?, small(c)?);
        let year = |word: &Token, value: i64| word.surface.len() == 4 && value >= 1000;
        let fits = |month: i64, day: i64| (1..=12).contains(&month) && (1..=31).contains(&day);
        let day = if year(a, x) && fits(y, z) {
            Day::new(x, y, z)
        } else if year(c, z) && fits(x, y) {
            Day::new(z, x, y)
        } else {
            return None;
        };
        Some((day, at, at + 3))
    })
}

/// Everything from the first word of content on is one date.
fn whole(words: &[Token], _: Day) -> Option<At> {
    let start = words.iter().position(|w| !w.stop)?;
    let rest = from(words, start);
    let day = match rest {
        [one] => compact(&one.surface),
        [day, month, year] => written(day, month, year).or_else(|| ordinal(day, month, year)),
        [weekday, day, month, year] if is_weekday(&weekday.surface) => written(day, month, year),
        _ => None,
    };
    Some((writable(day?)?, start, words.len()))
}

/// A date or time in one word of digits: `2026`, `20260315`, `20260315120000`, `2026.03.15`, Unix time.
fn compact(text: &str) -> Option<Day> {
    let parts: Vec<&str> = text.split('.').collect();
    let number = |text: &str| text.parse::<i64>().ok();
    if !text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    match parts.as_slice() {
        [year, month] if year.len() == 4 && month.len() == 2 => exact(number(year)?, number(month)?, 1),
        [year, month, day] if year.len() == 4 && month.len() == 2 && day.len() == 2 => {
            exact(number(year)?, number(month)?, number(day)?)
        }
        [all] => match all.len() {
            4 => exact(number(all)?, 1, 1),
            8 => exact(number(all.get(..4)?)?, number(all.get(4..6)?)?, number(all.get(6..)?)?),
            14 => {
                let time = |from: usize, below: i64| number(all.get(from..from + 2)?).filter(|n| *n < below);
                time(8, 24)?;
                time(10, 60)?;
                time(12, 60)?;
                exact(number(all.get(..4)?)?, number(all.get(4..6)?)?, number(all.get(6..8)?)?)
            }
            10 | 13 | 16 | 19 => {
                let unit = 10i128.checked_pow(u32::try_from(19 - all.len()).ok()?)?;
                Some(Day::of_nanos(i128::from(number(all)?) * unit))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `3 march 2026`.
fn written(day: &Token, month_word: &Token, year: &Token) -> Option<Day> {
    let day = day.digits().filter(|_| day.surface.len() <= 2)?;
    let year = year.digits().filter(|_| year.surface.len() == 4)?;
    exact(year, month(&month_word.surface)?, day)
}

/// `march 3rd 2026`.
fn ordinal(month_word: &Token, day: &Token, year: &Token) -> Option<Day> {
    let number = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| day.surface.strip_suffix(end))?;
    let number = Some(number).filter(|n| n.len() <= 2 && n.bytes().all(|b| b.is_ascii_digit()))?;
    let year = year.digits().filter(|_| year.surface.len() == 4)?;
    exact(year, month(&month_word.surface)?, number.parse().ok()?)
}

/// The day of a date that is in the calendar.
fn exact(year: i64, month: i64, day: i64) -> Option<Day> {
    Some(Day::new(year, month, day)).filter(|found| found.date() == (year, month, day))
}

fn writable(day: Day) -> Option<Day> {
    Some(day).filter(|d| d.is_writable())
}

fn is_weekday(word: &str) -> bool {
    WEEKDAYS.iter().any(|name| *name == word || name.get(..3) == Some(word))
}

/// The number of a month: its name in full, its first three letters, or `sept`.
fn month(word: &str) -> Option<i64> {
    let named = |name: &&str| *name == word || name.get(..3) == Some(word) || (word == "sept" && *name == "september");
    let index = MONTHS.iter().position(named)?;
    i64::try_from(index + 1).ok()
}

/// The value of a word of digits, as far as it can be a day, a year or a count.
fn small(word: &Token) -> Option<i64> {
    word.digits().filter(|n| *n < 1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lex::Lexer;

    fn day(text: &str) -> Option<String> {
        let words = Lexer::default().tokens(text);
        // A Wednesday.
        let found = parse(&words, Day::new(2026, 3, 11))?;
        Some(found.value.as_str()?.get(..10)?.to_owned())
    }

    #[track_caller]
    fn all(expected: &[(&str, &str)]) {
        for (text, date) in expected {
            assert_eq!(day(text).as_deref().unwrap_or("none"), *date, "{text}");
        }
    }

    #[test]
    fn relative_days() {
        all(&[
            ("tomorrow, please", "2026-03-12"),
            ("in three days", "2026-03-14"),
            ("in 2 weeks", "2026-03-25"),
            ("in a week", "none"),
            ("next wednesday", "2026-03-18"),
            ("next sunday", "2026-03-15"),
            ("last week", "2026-03-04"),
            ("last monday", "none"),
        ]);
    }

    #[test]
    fn months_and_days() {
        all(&[
            ("march 3", "2027-03-03"),
            ("march 11", "2026-03-11"),
            ("mar. 3, 2020", "2020-03-03"),
            ("feb 31", "2027-03-03"),
            ("sept the 5", "2026-09-05"),
            ("3 march", "none"),
        ]);
    }

    #[test]
    fn dates_in_digits() {
        all(&[
            ("due 2026-03-15", "2026-03-15"),
            ("3/15/2026", "2026-03-15"),
            ("15/3/2026", "none"),
            ("03 15 26", "none"),
        ]);
    }

    #[test]
    fn whole_texts() {
        all(&[
            ("2014", "2014-01-01"),
            ("20140722105203", "2014-07-22"),
            ("20140722995203", "none"),
            ("1332151919", "2012-03-19"),
            ("2014.03", "2014-03-01"),
            ("mon 5 may 2026", "2026-05-05"),
            ("oct 3rd 1970", "1970-10-03"),
            ("29 feb 2026", "none"),
            ("monday", "none"),
        ]);
    }

    #[test]
    fn numbers_beyond_any_calendar_are_no_dates() {
        all(&[
            ("in 999999999 days", "none"),
            ("in 99999999999999999999999 days", "none"),
            ("9999999999999999999", "none"),
        ]);
    }
}
