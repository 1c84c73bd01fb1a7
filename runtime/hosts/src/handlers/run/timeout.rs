//! The argument `timeout`: a number of seconds, a duration, or a text that begins with a number.

use std::time::Duration;

use serde_json::Value as Json;

/// Reads the argument; `None` means no limit.
///
/// # Errors
///
/// It is no time, or not a positive one: a misspelt limit must not become none.
pub(super) fn parse(argument: Option<&Json>) -> Result<Option<Duration>, String> {
    match argument {
        None | Some(Json::Null) => Ok(None),
        Some(number @ Json::Number(n)) => positive(n.as_f64().unwrap_or(f64::NAN), &crate::value::argument(number)),
        Some(Json::String(text)) => {
            let text = text.trim();
            if text.is_empty() {
                return Ok(None);
            }
            let shown = crate::plain::quoted(text);
            match crate::duration::parse(text) {
                Some(limit) => positive(limit.as_secs_f64(), &shown),
                None => match leading_number(text) {
                    Some(seconds) => positive(seconds, &crate::value::argument(&Json::from(seconds))),
                    None => Err(format!("timeout: cannot parse {shown} as duration or seconds")),
                },
            }
        }
        Some(_) => Err("timeout must be a number or duration string".to_owned()),
    }
}

fn positive(seconds: f64, shown: &str) -> Result<Option<Duration>, String> {
    if seconds <= 0.0 || seconds.is_nan() {
        return Err(format!("timeout must be positive, got {shown}"));
    }
    // Longer than a machine lives is no limit.
    Ok(Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|d| d.as_secs() < 1 << 32))
}

/// The number at the beginning of a text.
fn leading_number(text: &str) -> Option<f64> {
    let mut point = false;
    let end = text
        .char_indices()
        .find(|(i, c)| match c {
            '0'..='9' => false,
            '-' | '+' => *i > 0,
            '.' => std::mem::replace(&mut point, true),
            _ => true,
        })
        .map_or(text.len(), |(i, _)| i);
    let mantissa = text.get(..end)?;
    let rest = text.get(end..)?;
    let exponent = rest.strip_prefix(['e', 'E']).map(|digits| {
        let sign = usize::from(digits.starts_with(['-', '+']));
        let length = digits.chars().skip(sign).take_while(char::is_ascii_digit).count();
        digits.get(..sign + length).unwrap_or_default()
    });
    match exponent.map(|e| format!("{mantissa}e{e}").parse()) {
        Some(Ok(number)) => Some(number),
        // An exponent without digits spoils the number.
        Some(Err(_)) => None,
        None => mantissa.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_and_durations_are_limits() {
        for (value, millis) in [
            (json!(120), 120_000),
            (json!(0.5), 500),
            (json!("90s"), 90_000),
            (json!("2"), 2_000),
            (json!("7 apples"), 7_000),
            (json!("1e1x"), 10_000),
            (json!("1.5.5"), 1_500),
        ] {
            assert_eq!(parse(Some(&value)), Ok(Some(Duration::from_millis(millis))), "{value}");
        }
        for value in [json!(null), json!(""), json!(" ")] {
            assert_eq!(parse(Some(&value)), Ok(None));
        }
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for (value, want) in [
            (json!(0), "timeout must be positive, got 0"),
            (json!("0s"), "timeout must be positive, got \"0s\""),
            (json!("soon"), "timeout: cannot parse \"soon\" as duration or seconds"),
            (json!("1e"), "timeout: cannot parse \"1e\" as duration or seconds"),
            (json!([5]), "timeout must be a number or duration string"),
        ] {
            assert_eq!(parse(Some(&value)), Err(want.to_owned()));
        }
    }
}
