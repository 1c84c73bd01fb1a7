//! A light look at a script: its words, what of `ctx` it touches, and faults that are certain (`starlark` 3, 13).
//!
//! No parser: what is not certain from words, brackets and indentation alone is not reported. The text scan for surfaces
//! is the reference's, with its weaknesses; the scan of words sees through them.

use std::ops::Range;

/// A surface of `ctx` that needs a grant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surface {
    /// `ctx.http`.
    Http,
    /// `ctx.fs.write`.
    FsWrite,
    /// `ctx.fs.read`, `exists`, `glob`.
    FsRead,
    /// `ctx.probe`.
    Probe,
    /// The probe `gh.issue.list`.
    Issues,
    /// `ctx.host`.
    Host,
    /// `ctx.world`, which the reference's scan does not know.
    World,
}

/// One use of a surface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// Which.
    pub surface: Surface,
    /// The bytes of the script.
    pub range: Range<usize>,
    /// Whether the reference's text scan sees it.
    pub scanned: bool,
}

/// A fault that every reader of the language refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The bytes of the script.
    pub range: Range<usize>,
    /// What the place is.
    pub label: String,
    /// What is wrong.
    pub message: String,
}

/// What the look found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// First use of each surface by the text scan, then uses that only the words show.
    pub uses: Vec<Use>,
    /// The first fault.
    pub fault: Option<Fault>,
    /// Functions and other names bound at the top level, with their places.
    pub bound: Vec<(String, Range<usize>)>,
    /// Functions of the top level: name, place of the name, least and greatest number of arguments by position.
    pub functions: Vec<(String, Range<usize>, usize, usize)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Name,
    Number,
    Text,
    /// A bracket, an operator, a separator.
    Sign,
    /// The end of a logical line.
    End,
}

#[derive(Clone, Debug)]
struct Token {
    kind: Kind,
    range: Range<usize>,
    /// Columns of white space before the line, for the first word of a logical line.
    indent: Option<usize>,
}

/// Looks at a script.
#[must_use]
pub fn look(source: &str) -> Script {
    let mut script = Script::default();
    let (tokens, fault) = words(source);
    script.fault = fault;
    bindings(source, &tokens, &mut script);
    script.uses = scan(source);
    by_words(source, &tokens, &mut script);
    if script.fault.is_none() {
        script.fault = statements(source, &tokens);
    }
    script
}

/// Words that Starlark keeps for itself without using them.
const KEPT: [&str; 16] = [
    "as", "assert", "class", "del", "except", "finally", "from", "global", "import", "is", "nonlocal", "raise", "try",
    "with", "yield", "while",
];

fn text<'s>(source: &'s str, token: &Token) -> &'s str {
    source.get(token.range.clone()).unwrap_or_default()
}

/// Splits a script into words; stops at the first thing that is none.
fn words(source: &str) -> (Vec<Token>, Option<Fault>) {
    let bytes = source.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let mut tokens: Vec<Token> = Vec::new();
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut i = 0;
    let mut indent = Some(0);
    if source.starts_with('\u{feff}') {
        i = 3;
    }
    let fault = |range: Range<usize>, label: &str, message: &str| {
        Some(Fault {
            range,
            label: label.to_owned(),
            message: message.to_owned(),
        })
    };
    while i < bytes.len() {
        let c = at(i);
        let start = i;
        match c {
            b'\n' | b'\r' => {
                if open.is_empty() && tokens.last().is_some_and(|t| t.kind != Kind::End) {
                    tokens.push(Token {
                        kind: Kind::End,
                        range: i..i,
                        indent: None,
                    });
                }
                i += 1;
                if open.is_empty() {
                    indent = Some(0);
                }
                continue;
            }
            b' ' | b'\t' => {
                if let Some(columns) = &mut indent {
                    *columns = if c == b'\t' {
                        *columns + 8 - *columns % 8
                    } else {
                        *columns + 1
                    };
                }
                i += 1;
                continue;
            }
            b'#' => {
                while i < bytes.len() && at(i) != b'\n' {
                    i += 1;
                }
                continue;
            }
            b'\\' if at(i + 1) == b'\n' || (at(i + 1) == b'\r' && at(i + 2) == b'\n') => {
                i += if at(i + 1) == b'\n' { 2 } else { 3 };
                continue;
            }
            b'"' | b'\'' => match string_end(bytes, i, false) {
                Some(end) => i = end,
                None => {
                    return (
                        tokens,
                        fault(i..i + 1, "begins here", "a text literal that is never closed"),
                    );
                }
            },
            b'r' | b'b' if matches!(at(i + 1), b'"' | b'\'') => match string_end(bytes, i + 1, c == b'r') {
                Some(end) => i = end,
                None => {
                    return (
                        tokens,
                        fault(i..i + 2, "begins here", "a text literal that is never closed"),
                    );
                }
            },
            b'r' if at(i + 1) == b'b' && matches!(at(i + 2), b'"' | b'\'') => match string_end(bytes, i + 2, true) {
                Some(end) => i = end,
                None => {
                    return (
                        tokens,
                        fault(i..i + 3, "begins here", "a text literal that is never closed"),
                    );
                }
            },
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => {
                while matches!(at(i), b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' | 0x80..) && i < bytes.len() {
                    i += 1;
                }
                if i == start + 1 && matches!(c, b'f' | b'u' | b'F' | b'U') && matches!(at(i), b'"' | b'\'') {
                    return (
                        tokens,
                        fault(start..i, "no prefix of Starlark", "a text literal has no such prefix"),
                    );
                }
            }
            b'0'..=b'9' => {
                while matches!(at(i), b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.') {
                    i += 1;
                }
            }
            b'(' | b'[' | b'{' => {
                open.push((c, i));
                i += 1;
            }
            b')' | b']' | b'}' => {
                let pair = match c {
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                match open.pop() {
                    Some((opened, _)) if opened == pair => {}
                    Some((_, opened_at)) => {
                        return (
                            tokens,
                            fault(
                                opened_at..opened_at + 1,
                                "closed by another bracket",
                                "brackets that do not match",
                            ),
                        );
                    }
                    None => {
                        return (
                            tokens,
                            fault(i..i + 1, "nothing to close", "a closing bracket without an opening one"),
                        );
                    }
                }
                i += 1;
            }
            b'!' if at(i + 1) == b'=' => i += 2,
            b'$' | b'?' | b'`' | b'!' | b'@' => {
                return (
                    tokens,
                    fault(
                        i..i + 1,
                        "no sign of Starlark",
                        "a character that the language does not have",
                    ),
                );
            }
            _ => i += 1,
        }
        let kind = match c {
            b'"' | b'\'' => Kind::Text,
            b'r' | b'b' if source.get(start..i).is_some_and(|t| t.ends_with(['"', '\''])) => Kind::Text,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => Kind::Name,
            b'0'..=b'9' => Kind::Number,
            _ => Kind::Sign,
        };
        tokens.push(Token {
            kind,
            range: start..i,
            indent: indent.take(),
        });
    }
    if let Some((_, opened)) = open.first() {
        return (
            tokens,
            fault(*opened..*opened + 1, "never closed", "a bracket that is never closed"),
        );
    }
    (tokens, None)
}

/// The end of a text literal whose quote stands at `i`.
fn string_end(bytes: &[u8], i: usize, raw: bool) -> Option<usize> {
    let quote = *bytes.get(i)?;
    let triple = bytes.get(i + 1) == Some(&quote) && bytes.get(i + 2) == Some(&quote);
    let mut at = if triple { i + 3 } else { i + 1 };
    loop {
        let c = *bytes.get(at)?;
        let escaped = c == b'\\';
        let _ = raw; // a backslash keeps the quote behind it also in a raw literal
        if escaped {
            at += 2;
        } else if c == quote && triple {
            if bytes.get(at + 1) == Some(&quote) && bytes.get(at + 2) == Some(&quote) {
                return Some(at + 3);
            }
            at += 1;
        } else if c == quote {
            return Some(at + 1);
        } else if c == b'\n' && !triple {
            return None;
        } else {
            at += 1;
        }
    }
}

/// Names of the top level.
fn bindings(source: &str, tokens: &[Token], script: &mut Script) {
    for (i, token) in tokens.iter().enumerate() {
        if token.indent != Some(0) || token.kind != Kind::Name {
            continue;
        }
        let Some(next) = tokens.get(i + 1) else { continue };
        if text(source, token) == "def" && next.kind == Kind::Name {
            let name = text(source, next).to_owned();
            let (least, most) = parameters(source, tokens.get(i + 2..).unwrap_or_default());
            script.bound.push((name.clone(), next.range.clone()));
            script.functions.push((name, next.range.clone(), least, most));
        } else {
            // `a = …`, `a, b = …`: every name before the first `=` of the line.
            let line = tokens.get(i..).unwrap_or_default();
            let head: Vec<&Token> = line
                .iter()
                .take_while(|t| t.kind != Kind::End && text(source, t) != "=")
                .collect();
            if line.get(head.len()).is_some_and(|t| text(source, t) == "=") {
                for name in head.into_iter().filter(|t| t.kind == Kind::Name) {
                    script.bound.push((text(source, name).to_owned(), name.range.clone()));
                }
            }
        }
    }
}

/// How many arguments by position a parameter list takes: the least and the greatest number.
fn parameters(source: &str, tokens: &[Token]) -> (usize, usize) {
    let (mut least, mut most, mut depth) = (0, 0, 0usize);
    let mut fresh = true;
    for (i, token) in tokens.iter().enumerate() {
        match text(source, token) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            "," if depth == 1 => fresh = true,
            "*" if depth == 1 && fresh => {
                // What follows is passed by name, or any number by position.
                return (least, usize::MAX);
            }
            _ if token.kind == Kind::Name && depth == 1 && fresh => {
                fresh = false;
                most += 1;
                if tokens.get(i + 1).is_none_or(|t| text(source, t) != "=") {
                    least += 1;
                }
            }
            _ => {}
        }
    }
    (least, most)
}

/// The reference's scan: each surface once, in the text without what follows a `#`.
fn scan(source: &str) -> Vec<Use> {
    const NEEDLES: [(&str, Surface); 8] = [
        ("ctx.http", Surface::Http),
        ("ctx.fs.write", Surface::FsWrite),
        ("ctx.fs.read", Surface::FsRead),
        ("ctx.fs.exists", Surface::FsRead),
        ("ctx.fs.glob", Surface::FsRead),
        ("ctx.probe", Surface::Probe),
        ("gh.issue.list", Surface::Issues),
        ("ctx.host", Surface::Host),
    ];
    let mut seen: Vec<(usize, Use)> = Vec::new();
    for (needle, surface) in NEEDLES {
        let first = source.match_indices(needle).find_map(|(at, _)| {
            let before = source.get(..at)?;
            let line = before.rfind('\n').map_or(0, |end| end + 1);
            before.get(line..).filter(|code| !code.contains('#'))?;
            Some((line, at))
        });
        seen.extend(first.map(|(line, at)| {
            let range = at..at + needle.len();
            (
                line,
                Use {
                    surface,
                    range,
                    scanned: true,
                },
            )
        }));
    }
    // By line; in one line in the order above.
    seen.sort_by_key(|(line, _)| *line);
    let mut found: Vec<Use> = Vec::new();
    for (_, used) in seen {
        if !found.iter().any(|u| u.surface == used.surface) {
            found.push(used);
        }
    }
    found
}

/// Uses that the scan misses: through another name, behind a `#` in a text, and `ctx.world`.
fn by_words(source: &str, tokens: &[Token], script: &mut Script) {
    let word = |i: usize| tokens.get(i).map_or("", |t| text(source, t));
    let mut names: Vec<&str> = vec!["ctx"];
    for i in 0..tokens.len() {
        // `c = ctx` on a line of its own; a call may hand `ctx` on, but then the parameter is mostly called `ctx` too.
        let alone = tokens
            .get(i)
            .is_some_and(|t| t.indent.is_some() && t.kind == Kind::Name);
        if alone
            && word(i + 1) == "="
            && names.contains(&word(i + 2))
            && tokens.get(i + 3).is_none_or(|t| t.kind == Kind::End)
        {
            names.push(word(i));
        }
    }
    for i in 0..tokens.len() {
        if !names.contains(&word(i)) || word(i + 1) != "." || (i > 0 && word(i - 1) == ".") {
            continue;
        }
        let (surface, last) = match (word(i + 2), word(i + 4)) {
            ("http", _) => (Surface::Http, i + 2),
            ("probe", _) => (Surface::Probe, i + 2),
            ("host", _) => (Surface::Host, i + 2),
            ("world", _) => (Surface::World, i + 2),
            ("fs", "write") => (Surface::FsWrite, i + 4),
            ("fs", "read" | "exists" | "glob") => (Surface::FsRead, i + 4),
            _ => continue,
        };
        if script.uses.iter().any(|u| u.surface == surface) {
            continue;
        }
        let first = if word(i) == "ctx" { i } else { i + 2 };
        if let (Some(first), Some(last)) = (tokens.get(first), tokens.get(last)) {
            script.uses.push(Use {
                surface,
                range: first.range.start..last.range.end,
                scanned: false,
            });
        }
    }
}

/// Faults of statements: kept words, a missing colon, wrong indentation, statements outside of functions.
fn statements(source: &str, tokens: &[Token]) -> Option<Fault> {
    let mut stack: Vec<usize> = vec![0];
    let mut block_expected: Option<Range<usize>> = None;
    for line in tokens.split_inclusive(|t| t.kind == Kind::End) {
        let Some(first) = line.first().filter(|t| t.kind != Kind::End) else {
            continue;
        };
        let words: Vec<&Token> = line.iter().filter(|t| t.kind != Kind::End).collect();
        for pair in words.windows(2) {
            if let [before, token] = pair
                && token.kind == Kind::Name
                && KEPT.contains(&text(source, token))
                && text(source, before) != "."
            {
                return kept(source, token);
            }
        }
        if first.kind == Kind::Name && KEPT.contains(&text(source, first)) {
            return kept(source, first);
        }
        let indent = first.indent?;
        let top = stack.last().copied().unwrap_or(0);
        if let Some(head) = block_expected.take() {
            if indent <= top {
                return fault(head, "this needs a body", "a block without any line in it");
            }
            stack.push(indent);
        } else if indent > top {
            return fault(
                first.range.clone(),
                "deeper than the line before",
                "a line is indented although nothing opens a block",
            );
        } else {
            while stack.last().is_some_and(|open| *open > indent) {
                stack.pop();
            }
            if stack.last() != Some(&indent) {
                return fault(
                    first.range.clone(),
                    "no block begins in this column",
                    "the indentation fits to no line above",
                );
            }
        }
        let word = text(source, first);
        let opens = matches!(word, "def" | "if" | "elif" | "else" | "for");
        if indent == 0 && matches!(word, "if" | "for" | "return") {
            return fault(
                first.range.clone(),
                "outside of a function",
                &format!("`{word}` stands in functions only"),
            );
        }
        let colon = outer_colon(source, &words);
        if opens && colon.is_none() {
            return fault(
                first.range.clone(),
                "no colon ends this line",
                &format!("a line with `{word}` ends with a colon"),
            );
        }
        if opens && colon == Some(words.len().saturating_sub(1)) {
            block_expected = Some(first.range.clone());
        }
    }
    block_expected.and_then(|head| fault(head, "this needs a body", "a block without any line in it"))
}

/// The index of the last colon outside of brackets that belongs to no `lambda`.
fn outer_colon(source: &str, words: &[&Token]) -> Option<usize> {
    let (mut depth, mut lambdas, mut found) = (0usize, 0usize, None);
    for (i, token) in words.iter().enumerate() {
        match text(source, token) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "lambda" if depth == 0 => lambdas += 1,
            ":" if depth == 0 && lambdas > 0 => lambdas -= 1,
            ":" if depth == 0 && found.is_none() => found = Some(i),
            _ => {}
        }
    }
    found
}

fn kept(source: &str, token: &Token) -> Option<Fault> {
    let word = text(source, token);
    fault(
        token.range.clone(),
        "no statement of Starlark",
        &format!("`{word}` is Python, but not Starlark"),
    )
}

#[expect(clippy::unnecessary_wraps, reason = "every caller returns an option")]
fn fault(range: Range<usize>, label: &str, message: &str) -> Option<Fault> {
    Some(Fault {
        range,
        label: label.to_owned(),
        message: message.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(source: &str) -> Vec<(Surface, bool, String)> {
        look(source)
            .uses
            .iter()
            .map(|u| (u.surface, u.scanned, source[u.range.clone()].to_owned()))
            .collect()
    }

    fn fault_of(source: &str) -> Option<String> {
        look(source).fault.map(|f| source[f.range].to_owned())
    }

    #[test]
    fn the_scan_is_blind_to_other_names_and_to_hashes_in_texts() {
        let direct = "def main(ctx):\n    return ctx.http.get('x')\n";
        assert_eq!(uses(direct), [(Surface::Http, true, "ctx.http".to_owned())]);
        let alias = "def main(ctx):\n    c = ctx\n    return c.http.get('x')\n";
        assert_eq!(uses(alias), [(Surface::Http, false, "http".to_owned())]);
        let hash = "def main(ctx):\n    return {'a': '#', 'b': ctx.fs.glob('x')}\n";
        assert_eq!(uses(hash), [(Surface::FsRead, false, "ctx.fs.glob".to_owned())]);
        assert_eq!(uses("# ctx.http\n"), []);
    }

    #[test]
    fn good_scripts_have_no_fault() {
        for good in [
            "",
            "# only a comment\n",
            "def main(ctx):\n    return {}\n",
            "X = {\n  'a': [1,\n2],\n}\n\ndef main(ctx):\n\tif X:\n\t\treturn X\n\telse: return {}\n",
            "def f(a, b = {'c': 1}, *, d = 2): pass\nf = lambda x: x\n",
            "def main(ctx):\n    \"\"\"doc\n  text\n\"\"\"\n    x = 'it\\'s' + r'\\d' \\\n      + \"y\"\n    return {'is': x, \"with\": 1}\n",
            "def main(ctx):\n    for a in [1]:\n        if a: continue\n\n        # deeper\n    return {}\n",
            "def main(ctx):\n    return a if b else (lambda c: c)\n",
            "def main(ctx):\r\n    return {}\r\n",
        ] {
            assert_eq!(look(good).fault, None, "{good}");
        }
    }

    #[test]
    fn certain_faults_are_found() {
        for (bad, place) in [
            ("def main(ctx)\n    return {}\n", "def"),
            ("def main(ctx):\n    return {'a': 1\n", "{"),
            ("def main(ctx):\n    return 'a\n", "'"),
            ("def main(ctx):\n    return }\n", "}"),
            ("def main(ctx):\nreturn {}\n", "def"),
            ("def main(ctx):\n    x = 1\n      y = 2\n", "y"),
            ("def main(ctx):\n        x = 1\n    y = 2\n", "y"),
            ("if True:\n    x = 1\n", "if"),
            ("import json\n", "import"),
            ("def main(ctx):\n    while True:\n        pass\n", "while"),
            ("def main(ctx):\n    return f'{x}'\n", "f"),
            ("def main(ctx):\n    return a ? b : c\n", "?"),
        ] {
            assert_eq!(fault_of(bad).as_deref(), Some(place), "{bad}");
        }
    }

    #[test]
    fn names_of_the_top_level_and_their_parameters() {
        let found = look("a, b = 1, 2\ndef main(ctx, x = 1):\n    c = 1\ndef none(): pass\n");
        let names: Vec<&str> = found.bound.iter().map(|(n, _)| n.as_str()).collect();
        assert_eq!(names, ["a", "b", "main", "none"]);
        let counts: Vec<(usize, usize)> = found.functions.iter().map(|f| (f.2, f.3)).collect();
        assert_eq!(counts, [(1, 2), (0, 0)]);
    }
}
