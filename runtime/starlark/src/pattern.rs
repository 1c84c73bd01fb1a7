//! Paths and shell patterns as grants and `ctx.fs.glob` read them: by their letters, nothing is looked up.

/// A path in slash form with `.` and `..` resolved by their letters; blanks around it do not count. Nothing stays nothing.
pub fn clean(path: &str) -> String {
    let path = path.trim();
    if path.is_empty() {
        return String::new();
    }
    clean_slashes(&path.replace('\\', "/"))
}

/// A slash path with `.`, `..` and empty parts resolved by their letters.
pub(crate) fn clean_slashes(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&"..") | None if rooted => {}
                Some(&"..") | None => parts.push(".."),
                Some(_) => {
                    parts.pop();
                }
            },
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// Shell-style match of a whole text: `*` and `?` do not cross `/`, `[a-z]` and `[^a]` are classes, `\` takes the next
/// character as it is. `None` when the pattern is malformed.
///
/// The time is the product of both lengths at worst: after a mismatch only the last `*` is tried again.
pub fn matches(pattern: &str, text: &str) -> Option<bool> {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    // A pattern is malformed whatever the text is.
    let mut i = 0;
    while i < pattern.len() {
        i = step(&pattern, i, 'x')?.1;
    }
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        if pattern.get(p) == Some(&'*') {
            retry = Some((p + 1, t));
            p += 1;
            continue;
        }
        if t == text.len() {
            if p == pattern.len() {
                return Some(true);
            }
        } else if p < pattern.len() {
            let (fits, next) = step(&pattern, p, *text.get(t)?)?;
            if fits {
                (p, t) = (next, t + 1);
                continue;
            }
        }
        let Some((back, from)) = retry else { return Some(false) };
        // The star takes one character more, unless that is a slash.
        match text.get(from) {
            Some('/') | None => return Some(false),
            Some(_) => {
                retry = Some((back, from + 1));
                (p, t) = (back, from + 1);
            }
        }
    }
}

/// Whether the pattern's next element fits a character, and where the one after it begins.
fn step(pattern: &[char], at: usize, c: char) -> Option<(bool, usize)> {
    match pattern.get(at)? {
        '*' => Some((true, at + 1)),
        '?' => Some((c != '/', at + 1)),
        '\\' => Some((*pattern.get(at + 1)? == c, at + 2)),
        '[' => {
            let mut i = at + 1;
            let negated = pattern.get(i) == Some(&'^');
            if negated {
                i += 1;
            }
            let mut found = false;
            let mut any = false;
            while !any || pattern.get(i) != Some(&']') {
                any = true;
                let low = class_char(pattern, &mut i)?;
                let mut high = low;
                if pattern.get(i) == Some(&'-') {
                    i += 1;
                    high = class_char(pattern, &mut i)?;
                }
                found |= low <= c && c <= high;
            }
            Some((found != negated && c != '/', i + 1))
        }
        other => Some((*other == c, at + 1)),
    }
}

/// One character of a class; `]` and `-` must be escaped.
fn class_char(pattern: &[char], at: &mut usize) -> Option<char> {
    let mut c = *pattern.get(*at)?;
    if c == '-' || c == ']' {
        return None;
    }
    *at += 1;
    if c == '\\' {
        c = *pattern.get(*at)?;
        *at += 1;
    }
    // A class is not closed by its own last character.
    pattern.get(*at)?;
    Some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_patterns_do_not_cross_slashes_and_take_no_exponential_time() {
        for (pattern, text, want) in [
            ("*.md", "a.md", Some(true)),
            ("*.md", "a/b.md", Some(false)),
            ("a?c", "abc", Some(true)),
            ("a?c", "a/c", Some(false)),
            ("[a-c]x", "bx", Some(true)),
            ("[^a-c]x", "bx", Some(false)),
            ("\\*", "*", Some(true)),
            ("[", "a", None),
            ("[]a]", "]", None),
            ("a[", "b", None),
            ("**/x", "a/x", Some(true)),
        ] {
            assert_eq!(matches(pattern, text), want, "{pattern} {text}");
        }
        assert_eq!(matches(&"*a".repeat(500), &"b".repeat(5_000)), Some(false));
    }

    #[test]
    fn paths_are_cleaned_by_their_letters() {
        for (path, want) in [
            ("a/../../b", "../b"),
            ("/../a", "/a"),
            ("./", "."),
            ("a//b/.", "a/b"),
            (" x ", "x"),
            ("a\\..\\b", "b"),
        ] {
            assert_eq!(clean(path), want, "{path}");
        }
    }
}
