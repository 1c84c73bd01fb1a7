//! The world keys that a Starlark script names: `ctx.world.get("note")`, `ctx.world["note"]`, and a text behind `ctx.world` as
//! an argument, `pick(ctx.world, "note")`.
//!
//! A look at words only. A key that a script makes at run time names nothing here.

use kitsoki_syntax::{TextRange, text_range};
use smol_str::SmolStr;

use super::names::Occurrence;
use super::schema::{Kind, Role};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    Name(&'t str),
    /// A text of one line without escapes: what stands between its quotes, and where.
    Text(&'t str, usize),
    Sign(u8),
}

/// The names of a script, in the order of the text.
#[must_use]
pub fn names(source: &str) -> Vec<Occurrence> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|n| tokens.get(n));
        if *token != Token::Name("world") || before != Some(&Token::Sign(b'.')) {
            continue;
        }
        let key = match tokens.get(at + 1..).unwrap_or_default() {
            [Token::Sign(b'.'), Token::Name("get"), Token::Sign(b'('), key, ..] => key,
            [Token::Sign(b'[' | b','), key, ..] => key,
            _ => continue,
        };
        if let Token::Text(name, start) = key
            && !name.is_empty()
        {
            found.push(read(name, text_range(*start, start + name.len())));
        }
    }
    found
}

fn read(name: &str, range: TextRange) -> Occurrence {
    Occurrence {
        kind: Kind::World,
        role: Role::Read,
        name: SmolStr::new(name),
        owner: SmolStr::default(),
        range,
        hidden: 0,
        full: range,
    }
}

fn tokens(source: &str) -> Vec<Token<'_>> {
    let bytes = source.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        let rest = source.get(at..).unwrap_or_default();
        let len = match byte {
            b'#' => rest.find('\n').unwrap_or(rest.len()),
            b'"' | b'\'' => {
                let (inner, len) = text(rest, byte);
                out.push(match inner {
                    Some(inner) => Token::Text(inner, at + 1),
                    None => Token::Sign(byte),
                });
                len
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                out.push(Token::Name(word));
                word.len()
            }
            b if b.is_ascii_whitespace() => 1,
            b => {
                out.push(Token::Sign(b));
                rest.chars().next().map_or(1, char::len_utf8)
            }
        };
        at += len.max(1);
    }
    out
}

/// A text that begins with `quote`: what is between its quotes when that is one plain line, and the length of all of it.
fn text(rest: &str, quote: u8) -> (Option<&str>, usize) {
    let triple: String = [char::from(quote); 3].iter().collect();
    if rest.starts_with(&triple) {
        let end = rest.get(3..).and_then(|r| r.find(&triple));
        return (None, end.map_or(rest.len(), |n| n + 6));
    }
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            b'\\' if rest.as_bytes().get(at.wrapping_sub(1)) != Some(&b'\\') => escaped = true,
            b'\n' => return (None, at),
            b if b == quote && rest.as_bytes().get(at - 1) != Some(&b'\\') => {
                let inner = rest.get(1..at).filter(|_| !escaped);
                return (inner, at + 1);
            }
            _ => {}
        }
    }
    (None, rest.len())
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;

    fn keys(source: &str) -> Vec<&str> {
        names(source)
            .into_iter()
            .map(|o| &source[std::ops::Range::<usize>::from(o.range)])
            .collect()
    }

    #[test]
    fn keys_of_the_world_are_found_where_they_are_literal() {
        let source = "def main(ctx):\n    a = ctx.world.get(\"note\") or ''\n    b = c.world['other']\n    return pick(ctx.world, \"third\", 1)\n";
        assert_eq!(keys(source), ["note", "other", "third"]);
    }

    #[test]
    fn what_is_made_at_run_time_and_what_is_no_world_names_nothing() {
        for source in [
            "ctx.world.get(name)",
            "ctx.world.get(\"a\\\"b\")",
            "# ctx.world.get(\"a\")",
            "\"\"\"ctx.world.get('a')\"\"\"",
            "world.get('a')",
            "ctx.inputs.get('a')",
            "ctx.world.get('a",
            "é = ctx.world",
        ] {
            assert_eq!(keys(source), [""; 0], "{source}");
        }
    }
}
