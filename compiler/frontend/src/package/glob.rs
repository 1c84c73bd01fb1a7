//! Glob patterns of `include:`: one level, in the dialect of Go's `path/filepath` (`language` 1.5).
//!
//! `*`, `?`, `[a-z]`, `[^a]` and a backslash before a literal character; there is no `**`. A pattern is matched one path segment at
//! a time against folder listings, so that a file that appears later is an edit like any other.

use camino::{Utf8Path, Utf8PathBuf};

use crate::db::{Db, SourceFile, normalize};
use crate::pipeline;

/// One part of a pattern segment.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// Any text without a slash.
    Star,
    /// One character.
    Any,
    /// This character.
    Literal(char),
    /// One character of these ranges, or of none of them.
    Class { negated: bool, ranges: Vec<(char, char)> },
}

/// A pattern segment that does not parse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed;

/// Most files that one pattern may match: a folder of a million files is a mistake, not a story.
pub const MAX_MATCHES: usize = 20_000;

/// The files that `pattern` matches below `dir`, in the order of the reference.
///
/// # Errors
/// When the pattern itself is malformed.
pub fn expand(db: &dyn Db, dir: &Utf8Path, pattern: &str) -> Result<Vec<SourceFile>, Malformed> {
    compile(pattern)?;
    let full = if Utf8Path::new(pattern).is_absolute() {
        normalize(Utf8Path::new(pattern))
    } else {
        // The folder's own name is never a pattern, whatever characters it has.
        normalize(&Utf8PathBuf::from(pattern_under(dir, pattern)))
    };
    let fixed = if Utf8Path::new(pattern).is_absolute() {
        0
    } else {
        shared_segments(dir, &full)
    };
    let mut found = vec![Utf8PathBuf::from("/")];
    let segments: Vec<&str> = full.as_str().split('/').filter(|s| !s.is_empty()).collect();
    for (at, segment) in segments.iter().enumerate() {
        let last = at + 1 == segments.len();
        if at < fixed || !has_meta(segment) {
            for path in &mut found {
                path.push(segment);
            }
            continue;
        }
        let parts = compile(segment)?;
        let mut next = Vec::new();
        for path in &found {
            for entry in db.listing(path).entries(db) {
                if (last || entry.is_dir) && next.len() < MAX_MATCHES && matches(&parts, &entry.name) {
                    next.push(path.join(&entry.name));
                }
            }
        }
        found = next;
    }
    let files = found.into_iter().map(|path| db.file(&path));
    Ok(files.filter(|f| !pipeline::is_missing(db, *f)).collect())
}

fn pattern_under(dir: &Utf8Path, pattern: &str) -> String {
    format!("{dir}/{pattern}")
}

/// How many leading segments of `full` are those of `dir` itself.
fn shared_segments(dir: &Utf8Path, full: &Utf8Path) -> usize {
    let names = |p: &Utf8Path| -> Vec<String> {
        p.as_str()
            .split('/')
            .filter(|s| !s.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (dir, full) = (names(dir), names(full));
    dir.iter().zip(&full).take_while(|(a, b)| a == b).count()
}

/// Whether a text is a pattern and no plain path.
pub(super) fn has_meta(segment: &str) -> bool {
    segment.contains(['*', '?', '[', '\\'])
}

/// Reads one segment, or a whole pattern just to see whether it parses.
fn compile(pattern: &str) -> Result<Vec<Part>, Malformed> {
    let mut parts = Vec::new();
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '*' => {
                if parts.last() != Some(&Part::Star) {
                    parts.push(Part::Star);
                }
            }
            '?' => parts.push(Part::Any),
            '\\' => parts.push(Part::Literal(chars.next().ok_or(Malformed)?)),
            '[' => parts.push(class(&mut chars)?),
            other => parts.push(Part::Literal(other)),
        }
    }
    Ok(parts)
}

fn class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<Part, Malformed> {
    let negated = chars.next_if_eq(&'^').is_some();
    let mut ranges = Vec::new();
    loop {
        if !ranges.is_empty() && chars.next_if_eq(&']').is_some() {
            return Ok(Part::Class { negated, ranges });
        }
        let low = class_char(chars)?;
        let high = if chars.next_if_eq(&'-').is_some() {
            class_char(chars)?
        } else {
            low
        };
        ranges.push((low, high));
    }
}

fn class_char(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<char, Malformed> {
    let c = match chars.next() {
        None | Some('-' | ']') => return Err(Malformed),
        Some('\\') => chars.next().ok_or(Malformed)?,
        Some(c) => c,
    };
    // A class must still be closed.
    chars.peek().map(|_| c).ok_or(Malformed)
}

/// Whether a whole name fits. A star goes back only to the last one, so the cost is at most the product of the lengths.
fn matches(parts: &[Part], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut part) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        let fits = match (parts.get(part), name.get(at)) {
            (Some(Part::Star), _) => {
                star = Some((part, at));
                part += 1;
                continue;
            }
            (Some(Part::Any), Some(_)) => true,
            (Some(Part::Literal(c)), Some(n)) => c == n,
            (Some(Part::Class { negated, ranges }), Some(n)) => {
                ranges.iter().any(|(low, high)| low <= n && n <= high) != *negated
            }
            _ => false,
        };
        if fits {
            part += 1;
            at += 1;
        } else if let Some((star_part, star_at)) = star {
            star = Some((star_part, star_at + 1));
            part = star_part + 1;
            at = star_at + 1;
        } else {
            return false;
        }
    }
    parts.iter().skip(part).all(|p| *p == Part::Star)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::db::{Database, MemorySystem};

    fn fits(pattern: &str, name: &str) -> bool {
        compile(pattern).is_ok_and(|parts| matches(&parts, name))
    }

    #[test]
    fn one_segment() {
        assert!(fits("*.yaml", "a.yaml") && fits("*.yaml", ".yaml") && !fits("*.yaml", "a.yml"));
        assert!(fits("r?om[1-3^].y*", "room2.yaml") && fits("[^a]b", "xb") && !fits("[^a]b", "ab"));
        assert!(fits("\\*", "*") && !fits("\\*", "a") && fits("a**b*c", "axxbyc") && fits("*a*b", "aab"));
    }

    #[test]
    fn malformed_patterns_are_found_before_any_folder_is_read() {
        for bad in ["[", "[a", "[]", "[]a]", "[-a]", "[a-]", "x\\", "[^", "a/[b"] {
            assert_eq!(compile(bad), Err(Malformed), "{bad}");
        }
    }

    #[test]
    fn segments_are_matched_against_folders() {
        let db = Database::new(Arc::new(MemorySystem::new([
            ("/s[1]/app.yaml", ""),
            ("/s[1]/rooms/b.yaml", ""),
            ("/s[1]/rooms/a.yaml", ""),
            ("/s[1]/rooms/deep/c.yaml", ""),
            ("/s[1]/other/d.yaml", ""),
        ])));
        let names = |pattern: &str| -> Vec<String> {
            let files = expand(&db, Utf8Path::new("/s[1]"), pattern).unwrap();
            files.iter().map(|f| f.path(&db).to_string()).collect()
        };
        assert_eq!(names("rooms/*.yaml"), ["/s[1]/rooms/a.yaml", "/s[1]/rooms/b.yaml"]);
        assert_eq!(
            names("./*/?.yaml"),
            ["/s[1]/other/d.yaml", "/s[1]/rooms/a.yaml", "/s[1]/rooms/b.yaml"]
        );
        assert_eq!(names("rooms/**/*.yaml"), ["/s[1]/rooms/deep/c.yaml"]);
        assert_eq!(names("rooms/none.yaml"), Vec::<String>::new());
    }
}
