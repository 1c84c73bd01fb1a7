//! Patterns of `matches`: RE2 syntax on the `regex` crate.
//!
//! The two differ in small ways that would change what a pattern means, so a pattern is translated first: `\d`, `\w`,
//! `\s`, `\b` are about ASCII, a bracket inside a class is a character, repetitions do not stack and stop at 1000.

use regex::{Regex, RegexBuilder};

use crate::expr::limits::REGEX_SIZE;

/// Compiles a pattern; the error is in words for an author.
pub(crate) fn compile(source: &str) -> Result<Regex, String> {
    let translated = translate(source)?;
    RegexBuilder::new(&translated)
        .size_limit(REGEX_SIZE)
        .dfa_size_limit(REGEX_SIZE)
        .nest_limit(250)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "the pattern is too large".to_owned(),
            _ => "this is no regular expression".to_owned(),
        })
}

struct Translator<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    out: String,
}

fn translate(source: &str) -> Result<String, String> {
    let mut translator = Translator {
        rest: source.chars().peekable(),
        out: String::with_capacity(source.len() + 8),
    };
    translator.run()?;
    Ok(translator.out)
}

impl Translator<'_> {
    fn run(&mut self) -> Result<(), String> {
        // Whether the last item was a repetition, which cannot be repeated itself.
        let mut repeated = false;
        while let Some(c) = self.rest.next() {
            match c {
                '*' | '+' | '?' => {
                    if repeated {
                        return Err("a repetition cannot be repeated".to_owned());
                    }
                    self.out.push(c);
                    self.lazy();
                    repeated = true;
                    continue;
                }
                '{' => match self.counted()? {
                    Some(text) => {
                        if repeated {
                            return Err("a repetition cannot be repeated".to_owned());
                        }
                        self.out.push_str(&text);
                        self.lazy();
                        repeated = true;
                        continue;
                    }
                    None => self.out.push_str("\\{"),
                },
                '}' => self.out.push_str("\\}"),
                '[' => self.class()?,
                '\\' => self.escape(false)?,
                '(' => {
                    self.out.push('(');
                    // Flags and names are the same in both syntaxes.
                    if self.rest.peek() == Some(&'?') {
                        self.rest.next();
                        self.out.push('?');
                    }
                }
                c => self.out.push(c),
            }
            repeated = false;
        }
        Ok(())
    }

    fn lazy(&mut self) {
        if self.rest.next_if_eq(&'?').is_some() {
            self.out.push('?');
        }
    }

    /// `{n}`, `{n,}`, `{n,m}`; anything else is a plain brace.
    fn counted(&mut self) -> Result<Option<String>, String> {
        let mut ahead = self.rest.clone();
        let mut text = String::from("{");
        for c in ahead.by_ref() {
            text.push(c);
            if c == '}' {
                break;
            }
            if !c.is_ascii_digit() && c != ',' {
                return Ok(None);
            }
        }
        let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
            return Ok(None);
        };
        let (low, high) = inner.split_once(',').unwrap_or((inner, ""));
        if low.is_empty() || high.contains(',') {
            return Ok(None);
        }
        let bound = |digits: &str| digits.parse::<u32>().unwrap_or(u32::MAX);
        if bound(low) > 1000 || !high.is_empty() && (bound(high) > 1000 || bound(high) < bound(low)) {
            return Err("a repetition counts up to 1000".to_owned());
        }
        self.rest = ahead;
        Ok(Some(text))
    }

    fn escape(&mut self, in_class: bool) -> Result<(), String> {
        let Some(c) = self.rest.next() else {
            return Err("the pattern ends with a backslash".to_owned());
        };
        let text = match (c, in_class) {
            ('d', false) => "[0-9]",
            ('D', false) => "[^0-9]",
            ('w', false) => "[0-9A-Za-z_]",
            ('W', false) => "[^0-9A-Za-z_]",
            ('s', false) => "[\\t\\n\\f\\r ]",
            ('S', false) => "[^\\t\\n\\f\\r ]",
            ('b', false) => "(?-u:\\b)",
            ('B', false) => "(?-u:\\B)",
            ('A', false) => "\\A",
            ('z', false) => "\\z",
            ('d', true) => "0-9",
            ('w', true) => "0-9A-Za-z_",
            ('s', true) => "\\t\\n\\f\\r ",
            ('D', true) => "[^0-9]",
            ('W', true) => "[^0-9A-Za-z_]",
            ('S', true) => "[^\\t\\n\\f\\r ]",
            ('a', _) => "\\x07",
            ('f', _) => "\\f",
            ('n', _) => "\\n",
            ('r', _) => "\\r",
            ('t', _) => "\\t",
            ('v', _) => "\\x0B",
            ('Q', _) => return self.quoted(),
            ('p' | 'P', _) => {
                self.out.push('\\');
                self.out.push(c);
                return Ok(());
            }
            ('x', _) => {
                self.out.push_str("\\x");
                return Ok(());
            }
            ('0'..='7', _) => return self.octal(c),
            _ if c.is_ascii_punctuation() => {
                if c == '_' || c == '<' || c == '>' {
                    self.out.push(c);
                } else {
                    self.out.push('\\');
                    self.out.push(c);
                }
                return Ok(());
            }
            _ => return Err(format!("`\\{c}` means nothing in a pattern")),
        };
        self.out.push_str(text);
        Ok(())
    }

    fn quoted(&mut self) -> Result<(), String> {
        while let Some(c) = self.rest.next() {
            if c == '\\' && self.rest.next_if_eq(&'E').is_some() {
                return Ok(());
            }
            self.out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
        }
        Ok(())
    }

    /// Octal codes; a lone digit from 1 to 7 would be a back reference, which does not exist.
    fn octal(&mut self, first: char) -> Result<(), String> {
        let mut code = first.to_digit(8).unwrap_or(0);
        if first != '0' && !self.rest.peek().is_some_and(|next| next.is_digit(8)) {
            return Err("a pattern cannot refer back to a group".to_owned());
        }
        for _ in 0..2 {
            let Some(digit) = self.rest.peek().and_then(|next| next.to_digit(8)) else {
                break;
            };
            self.rest.next();
            code = code * 8 + digit;
        }
        self.out.push_str(&format!("\\x{{{code:x}}}"));
        Ok(())
    }

    fn class(&mut self) -> Result<(), String> {
        self.out.push('[');
        if self.rest.next_if_eq(&'^').is_some() {
            self.out.push('^');
        }
        if self.rest.next_if_eq(&']').is_some() {
            self.out.push_str("\\]");
        }
        while let Some(c) = self.rest.next() {
            match c {
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '[' => {
                    if self.rest.peek() == Some(&':') {
                        self.named_class()?;
                    } else {
                        self.out.push_str("\\[");
                    }
                }
                '\\' => self.escape(true)?,
                '&' | '~' => {
                    self.out.push('\\');
                    self.out.push(c);
                }
                c => self.out.push(c),
            }
        }
        Err("a class has no `]`".to_owned())
    }

    /// `[:alpha:]` inside a class.
    fn named_class(&mut self) -> Result<(), String> {
        let mut ahead = self.rest.clone();
        let mut text = String::from("[");
        while let Some(c) = ahead.next() {
            text.push(c);
            if c == ':' && text.len() > 2 && ahead.peek() == Some(&']') {
                ahead.next();
                text.push(']');
                self.rest = ahead;
                self.out.push_str(&text);
                return Ok(());
            }
            if text.len() > 16 {
                break;
            }
        }
        self.out.push_str("\\[");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> bool {
        compile(pattern).unwrap().is_match(text)
    }

    #[test]
    fn classes_are_ascii() {
        assert!(found(r"^\d+$", "123"));
        assert!(!found(r"^\d+$", "١٢٣"));
        assert!(!found(r"\w", "é"));
        assert!(found(r"[[]", "["));
        assert!(found(r"[^\D]", "7"));
    }

    #[test]
    fn braces_that_count_nothing_are_characters() {
        assert!(found("a{", "a{"));
        assert!(found("a{,2}", "a{,2}"));
        assert!(found("^a{2}$", "aa"));
    }

    #[test]
    fn repetitions_are_bounded() {
        for bad in ["a**", "a{1001}", "*a", "(", "[a", r"\1", "a\\"] {
            assert!(compile(bad).is_err(), "{bad}");
        }
        assert!(compile("a*?b+?").is_ok());
    }
}
