//! Variables of the environment in `env`, `headers` and `cwd` (`language` 1.6). Only whether they are set is looked at:
//! values stay out of a compiled story, and whoever runs it expands them.

use std::ops::Range;

/// What is wrong with a text of `env` or `headers`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EnvFault {
    /// `${NAME}` and no such variable: its place, braces included.
    Unset(Range<usize>),
    /// `${}`: the reference makes the whole value empty without a word.
    NoName(Range<usize>),
}

/// The first fault of a text in which only `${NAME}` means something. A `${` without end is literal.
pub(super) fn fault_in_env(text: &str, is_set: impl Fn(&str) -> bool) -> Option<EnvFault> {
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find("${")).map(|i| at + i) {
        let start = open + 2;
        let Some(len) = text.get(start..).and_then(|rest| rest.find('}')) else {
            break;
        };
        let name = start..start + len;
        if name.is_empty() {
            return Some(EnvFault::NoName(open..start + 1));
        }
        if !text.get(name.clone()).is_some_and(&is_set) {
            return Some(EnvFault::Unset(open..name.end + 1));
        }
        at = start + len + 1;
    }
    None
}

/// The first variable of a `cwd` that is not set, from its dollar sign: `$NAME` and `${NAME}`, where a name is an
/// identifier; the closing brace may be missing.
pub(crate) fn unset_in_cwd(text: &str, is_set: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(dollar) = text.get(at..).and_then(|rest| rest.find('$')).map(|i| at + i) {
        let braced = bytes.get(dollar + 1) == Some(&b'{');
        let start = dollar + 1 + usize::from(braced);
        let len = identifier_len(bytes.get(start..).unwrap_or_default());
        let end = start + len;
        at = dollar + 1;
        if len == 0 {
            continue;
        }
        if !text.get(start..end).is_some_and(&is_set) {
            let closed = braced && bytes.get(end) == Some(&b'}');
            return Some(dollar..end + usize::from(closed));
        }
        at = end;
    }
    None
}

fn identifier_len(bytes: &[u8]) -> usize {
    let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    match bytes.first() {
        Some(first) if letter(*first) => bytes.iter().take_while(|b| letter(**b) || b.is_ascii_digit()).count(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str) -> bool {
        name == "A"
    }

    #[test]
    fn env_knows_braces_only() {
        assert_eq!(fault_in_env("x-${A}-$B-${", set), None);
        assert_eq!(fault_in_env("${A}${B}", set), Some(EnvFault::Unset(4..8)));
        assert_eq!(fault_in_env("token-${}-x", set), Some(EnvFault::NoName(6..9)));
    }

    #[test]
    fn a_working_directory_knows_both_forms() {
        assert_eq!(unset_in_cwd("$A/${A}/x", set), None);
        assert_eq!(unset_in_cwd("$B/x", set), Some(0..2));
        assert_eq!(unset_in_cwd("${A}/${B_1}", set), Some(5..11));
        assert_eq!(unset_in_cwd("$$ ${9} $", set), None);
        assert_eq!(unset_in_cwd("${B/x", set), Some(0..3));
        assert_eq!(unset_in_cwd("$$B", set), Some(1..3));
    }
}
