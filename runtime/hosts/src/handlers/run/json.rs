//! The last JSON value of a program's output.

use serde_json::Value as Json;

use crate::call::Data;

/// Adds `stdout_json`, or the reason why a last line that looks like JSON is none.
pub(super) fn add(output: &str, data: &mut Data) {
    if let Some(value) = last_value(output) {
        data.insert("stdout_json".to_owned(), value);
        return;
    }
    let last = last_line(output);
    if last.starts_with(['{', '[', '"'])
        && let Err(error) = serde_json::from_str::<Json>(last)
    {
        data.insert("stdout_json_parse_error".to_owned(), Json::from(error.to_string()));
    }
}

/// The last value: the last line that is not blank, else what begins at the nearest line above it with `{` or `[`, when
/// everything from there on is one value.
pub(crate) fn last_value(output: &str) -> Option<Json> {
    let end = output.trim_end();
    if let Some(value) = decode(last_line(end)) {
        return Some(value);
    }
    let mut above = end;
    // A suffix that is no value costs its length, so a long output of such lines must not be tried at every one.
    let mut budget = 64 << 20;
    while !above.is_empty() {
        let start = above.rfind('\n').map_or(0, |at| at + 1);
        let line = above.get(start..)?.trim_start();
        if line.starts_with(['{', '[']) {
            let text = end.get(start..)?.trim();
            budget -= i64::try_from(text.len()).unwrap_or(i64::MAX);
            if let Some(value) = decode(text) {
                return Some(value);
            }
            if budget < 0 {
                return None;
            }
        }
        above = above.get(..start.saturating_sub(1))?;
    }
    None
}

/// The last line that is not blank, without the space around it.
fn last_line(output: &str) -> &str {
    let end = output.trim_end();
    end.rsplit('\n').next().unwrap_or_default().trim()
}

/// One value. Its numbers are floats: what comes from outside has no integers until a declared key makes one of it.
fn decode(text: &str) -> Option<Json> {
    let read = serde_json::from_str(text).or_else(|_| serde_json::from_str(&crate::value::whole(text)));
    read.ok().map(crate::value::floats)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_value_is_found() {
        for (output, want) in [
            ("5\n", Some(json!(5.0))),
            ("log\n{\n \"a\": 1\n}\n\n", Some(json!({"a": 1.0}))),
            ("[\n[1],\n[2]\n]\n", Some(json!([[1.0], [2.0]]))),
            ("{\"a\":1}\r\n", Some(json!({"a": 1.0}))),
            ("{\"a\":1}\ndone\n", None),
            ("1 2\n", None),
            ("\"\\ud800\"", Some(json!("\u{fffd}"))),
            ("", None),
            ("\n \n", None),
        ] {
            assert_eq!(last_value(output), want, "{output:?}");
        }
    }

    #[test]
    fn only_what_looks_like_json_is_called_broken() {
        let keys = |output: &str| {
            let mut data = Data::new();
            add(output, &mut data);
            data.keys().cloned().collect::<Vec<_>>()
        };
        assert_eq!(keys("{\"a\":\n"), ["stdout_json_parse_error"]);
        assert!(keys("{\n\"a\":\n}\n").is_empty());
        assert!(keys("plain\n").is_empty());
    }
}
