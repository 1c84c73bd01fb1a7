//! `sandbox-timeout-invalid`: a duration of a sandbox that does not parse; days are no unit here (`language` D74).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "sandbox-timeout-invalid",
    level: Level::Error,
    summary: "a sandbox timeout that is no duration",
    fixable: Fixable::Never,
};

/// What is wrong with the value of `key`. Blank texts count as absent; a number is not even looked at by the reference.
pub(super) fn find(value: &Any, key: &str, level: Level) -> Option<Diagnostic> {
    let (label, level) = match &value.kind {
        AnyKind::Null => return None,
        AnyKind::Text(text) if text.is_blank() || is_duration(text.as_str()) => return None,
        AnyKind::Text(text) => {
            let days = text.as_str().trim_end().ends_with('d');
            (if days { "days are no unit here" } else { "no duration" }, level)
        }
        _ => ("not a text: this limit is ignored", Level::Warning),
    };
    Some(
        RULE.at(value.span, label)
            .message(format!("{} of a sandbox is a duration with a unit", code(key)))
            .help("write for example `90s`, `10m` or `1h30m`")
            .level(level),
    )
}

/// Whether `text` is a duration of the Go syntax: a sign, then numbers with units, or a plain `0`.
fn is_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    if rest.is_empty() {
        return false;
    }
    while !rest.is_empty() {
        let number = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let (digits, tail) = rest.split_at(number);
        if !digits.contains(|c: char| c.is_ascii_digit()) || digits.matches('.').count() > 1 {
            return false;
        }
        let unit_len = tail
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit_len);
        if !["ns", "us", "µs", "μs", "ms", "s", "m", "h"].contains(&unit) {
            return false;
        }
        rest = tail;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_duration;

    #[test]
    fn durations_have_units_and_no_days() {
        for good in ["10m", "1h30m", "0", "-5s", "1.5h", ".5s", "100µs"] {
            assert!(is_duration(good), "{good}");
        }
        for bad in ["1d", "90", "", "m", "1h30", "1 m", "1..5s", "-"] {
            assert!(!is_duration(bad), "{bad}");
        }
    }
}
