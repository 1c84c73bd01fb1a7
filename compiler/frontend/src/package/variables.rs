//! `$NAME` and `${NAME}` in a working directory (`language` 1.6).

use std::ops::Range;

/// `text` with its variables replaced, the way a shell would.
///
/// # Errors
/// The place of the first variable that `value` does not know.
pub fn expand(text: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, Range<usize>> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(dollar) = rest.find('$') {
        let (before, from) = rest.split_at(dollar);
        out.push_str(before);
        let start = text.len() - from.len();
        let after = from.get(1..).unwrap_or_default();
        let braced = after.starts_with('{');
        let body = if braced {
            after.get(1..).unwrap_or_default()
        } else {
            after
        };
        let len = name_len(body);
        let closed = body.get(len..).is_some_and(|tail| tail.starts_with('}'));
        let used = 1 + usize::from(braced) + len + usize::from(braced && closed);
        match body.get(..len) {
            Some(name) if !name.is_empty() => match value(name) {
                Some(value) if !braced || closed => out.push_str(&value),
                // An open brace swallows itself and leaves the name, as Go's expansion does.
                Some(_) => out.push_str(name),
                None => return Err(start..start + used),
            },
            _ => {}
        }
        let mut used = used;
        if len == 0 {
            // `$$`, `$1` and the like name nothing and vanish; a lone dollar sign stays.
            match (braced, after.chars().next()) {
                (false, Some('*' | '#' | '$' | '@' | '!' | '?' | '-' | '0'..='9')) => used = 2,
                (false, _) => out.push('$'),
                (true, _) => {}
            }
        }
        rest = from.get(used..).unwrap_or_default();
    }
    out.push_str(rest);
    Ok(out)
}

fn name_len(text: &str) -> usize {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    if !text.starts_with(letter) {
        return 0;
    }
    text.find(|c: char| !letter(c) && !c.is_ascii_digit())
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::expand;

    fn run(text: &str) -> Result<String, std::ops::Range<usize>> {
        expand(text, |name| (name == "A").then(|| "x".to_owned()))
    }

    #[test]
    fn both_forms_are_replaced() {
        assert_eq!(run("$A/${A}y/$A"), Ok("x/xy/x".to_owned()));
        assert_eq!(run("a$"), Ok("a$".to_owned()));
        assert_eq!(run("$$/b"), Ok("/b".to_owned()));
        assert_eq!(run("größe/$A"), Ok("größe/x".to_owned()));
    }

    #[test]
    fn an_unset_variable_is_pointed_at() {
        assert_eq!(run("$A/${B}/c"), Err(3..7));
        assert_eq!(run("$B"), Err(0..2));
    }
}
