//! Times in a layout that shows how a certain moment would look: Monday, January 2nd 2006, 15:04:05.

use std::fmt::Write as _;

use super::time::Civil;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// What a piece of a layout stands for.
const PIECES: &[(&str, Piece)] = &[
    ("January", Piece::Month),
    ("Jan", Piece::MonthShort),
    ("Monday", Piece::Day),
    ("Mon", Piece::DayShort),
    ("MST", Piece::Zone),
    ("2006", Piece::Year),
    ("-07:00:00", Piece::Text("+00:00:00")),
    ("-07:00", Piece::Text("+00:00")),
    ("-0700", Piece::Text("+0000")),
    ("-07", Piece::Text("+00")),
    ("Z07:00", Piece::Text("Z")),
    ("Z0700", Piece::Text("Z")),
    ("002", Piece::YearDay),
    ("_2", Piece::DayPadded),
    ("01", Piece::MonthNumber(true)),
    ("02", Piece::DayNumber(true)),
    ("03", Piece::Hour12(true)),
    ("04", Piece::Minute(true)),
    ("05", Piece::Second(true)),
    ("06", Piece::YearShort),
    ("15", Piece::Hour),
    ("PM", Piece::Half(true)),
    ("pm", Piece::Half(false)),
    ("1", Piece::MonthNumber(false)),
    ("2", Piece::DayNumber(false)),
    ("3", Piece::Hour12(false)),
    ("4", Piece::Minute(false)),
    ("5", Piece::Second(false)),
];

#[derive(Clone, Copy)]
enum Piece {
    Year,
    YearShort,
    Month,
    MonthShort,
    MonthNumber(bool),
    Day,
    DayShort,
    DayNumber(bool),
    DayPadded,
    YearDay,
    Hour,
    Hour12(bool),
    Minute(bool),
    Second(bool),
    Half(bool),
    Zone,
    Text(&'static str),
}

/// A time (nanoseconds since 1970, in UTC) in a layout.
pub(crate) fn in_layout(nanos: i128, layout: &str) -> String {
    let time = Civil::of(nanos);
    let mut out = String::new();
    let mut rest = layout;
    while let Some(c) = rest.chars().next() {
        if let Some(length) = fraction(rest, &time, &mut out) {
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        match PIECES.iter().find(|(text, _)| starts(rest, text)) {
            Some((text, piece)) => {
                write(&time, *piece, &mut out);
                rest = rest.get(text.len()..).unwrap_or_default();
            }
            None => {
                out.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

/// Names of months and days only count when no small letter follows (`Janet` is no month).
fn starts(rest: &str, piece: &str) -> bool {
    let Some(after) = rest.strip_prefix(piece) else {
        return false;
    };
    !matches!(piece, "Jan" | "Mon") || !after.starts_with(|c: char| c.is_ascii_lowercase())
}

/// `.000` and `.999` behind seconds; the length of what was read.
fn fraction(rest: &str, time: &Civil, out: &mut String) -> Option<usize> {
    let separator = rest.chars().next().filter(|c| matches!(c, '.' | ','))?;
    let digits = rest.get(1..)?;
    let kind = digits.chars().next().filter(|c| matches!(c, '0' | '9'))?;
    let count = digits.chars().take_while(|c| *c == kind).count();
    if digits.chars().nth(count).is_some_and(|c| c.is_ascii_digit()) {
        return None;
    }
    let all = format!("{:09}", time.nanos);
    let shown = all.get(..count.min(9)).unwrap_or(&all);
    let shown = if kind == '9' {
        shown.trim_end_matches('0')
    } else {
        shown
    };
    if !shown.is_empty() {
        out.push(separator);
        out.push_str(shown);
    }
    Some(count + 1)
}

fn two(out: &mut String, value: i128, padded: bool) {
    let _ = if padded {
        write!(out, "{value:02}")
    } else {
        write!(out, "{value}")
    };
}

fn write(time: &Civil, piece: Piece, out: &mut String) {
    let month = usize::try_from(time.month - 1)
        .ok()
        .and_then(|index| MONTHS.get(index))
        .copied()
        .unwrap_or_default();
    let day = usize::try_from(time.weekday)
        .ok()
        .and_then(|index| DAYS.get(index))
        .copied()
        .unwrap_or_default();
    let short = |name: &'static str| name.get(..3).unwrap_or_default();
    let hour = time.second_of_day / 3600;
    let hour12 = if hour % 12 == 0 { 12 } else { hour % 12 };
    match piece {
        Piece::Year => {
            let _ = write!(out, "{:04}", time.year);
        }
        Piece::YearShort => two(out, time.year.rem_euclid(100), true),
        Piece::Month => out.push_str(month),
        Piece::MonthShort => out.push_str(short(month)),
        Piece::MonthNumber(padded) => two(out, time.month, padded),
        Piece::Day => out.push_str(day),
        Piece::DayShort => out.push_str(short(day)),
        Piece::DayNumber(padded) => two(out, time.day, padded),
        Piece::DayPadded => {
            let _ = write!(out, "{:2}", time.day);
        }
        Piece::YearDay => {
            let _ = write!(out, "{:03}", time.year_day);
        }
        Piece::Hour => two(out, hour, true),
        Piece::Hour12(padded) => two(out, hour12, padded),
        Piece::Minute(padded) => two(out, time.second_of_day / 60 % 60, padded),
        Piece::Second(padded) => two(out, time.second_of_day % 60, padded),
        Piece::Half(upper) => {
            let word = if hour >= 12 { "PM" } else { "AM" };
            out.push_str(&if upper { word.to_owned() } else { word.to_lowercase() });
        }
        Piece::Zone => out.push_str("UTC"),
        Piece::Text(text) => out.push_str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moment_of_layouts() {
        let nanos = 1_391_625_105_000_000_000;
        assert_eq!(in_layout(nanos, "2006-01-02 15:04:05"), "2014-02-05 18:31:45");
        assert_eq!(
            in_layout(nanos, "Mon Jan _2 3:04PM 06 Z07:00"),
            "Wed Feb  5 6:31PM 14 Z"
        );
        assert_eq!(
            in_layout(nanos, "Monday, 2 January; 002 .000"),
            "Wednesday, 5 February; 036 .000"
        );
    }
}
