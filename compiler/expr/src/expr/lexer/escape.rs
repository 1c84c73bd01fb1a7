//! Escapes of string and byte literals.

use std::sync::Arc;

use smol_str::SmolStr;

/// The text of a string literal without its quotes; `None` for an escape that does not exist.
pub(super) fn text(body: &str, quote: char) -> Option<SmolStr> {
    if !body.contains(['\\', '\r']) {
        return Some(SmolStr::new(body));
    }
    let mut out = String::with_capacity(body.len());
    let mut rest = Rest(body);
    while let Some(next) = rest.next() {
        match next {
            '\r' => {
                rest.eat('\n');
                out.push('\n');
            }
            '\\' => out.push(rest.escape(quote)?),
            other => out.push(other),
        }
    }
    Some(out.into())
}

/// The bytes of a byte string: `\x` and octal escapes are single bytes, `\u` does not exist.
pub(super) fn bytes(body: &str, quote: char) -> Option<Arc<[u8]>> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = Rest(body);
    while let Some(next) = rest.next() {
        match next {
            '\r' => {
                rest.eat('\n');
                out.push(b'\n');
            }
            '\\' => {
                let code = match rest.peek()? {
                    'u' | 'U' => return None,
                    _ => u32::from(rest.escape(quote)?),
                };
                out.push(u8::try_from(code).ok()?);
            }
            other => out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Some(out.into())
}

struct Rest<'a>(&'a str);

impl Rest<'_> {
    fn peek(&self) -> Option<char> {
        self.0.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.0.chars();
        let next = chars.next()?;
        self.0 = chars.as_str();
        Some(next)
    }

    fn eat(&mut self, c: char) {
        if let Some(rest) = self.0.strip_prefix(c) {
            self.0 = rest;
        }
    }

    /// The character of an escape whose backslash is already read.
    fn escape(&mut self, quote: char) -> Option<char> {
        Some(match self.next()? {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' => '\\',
            c if c == quote => c,
            first @ '0'..='3' => {
                let first = first.to_digit(8)?;
                let second = self.next()?.to_digit(8)?;
                let third = self.next()?.to_digit(8)?;
                char::from_u32(first * 64 + second * 8 + third)?
            }
            'x' => self.hex(2)?,
            'u' if self.peek() == Some('{') => {
                self.next();
                self.braced()?
            }
            'u' => self.hex(4)?,
            'U' => self.hex(8)?,
            _ => return None,
        })
    }

    fn hex(&mut self, digits: u32) -> Option<char> {
        let mut code = 0u32;
        for _ in 0..digits {
            code = code.wrapping_mul(16) | self.next()?.to_digit(16)?;
        }
        scalar(code)
    }

    fn braced(&mut self) -> Option<char> {
        let mut code = 0u32;
        for count in 0..=6 {
            match self.next()? {
                '}' if count > 0 => return scalar(code),
                digit if count < 6 => code = code * 16 + digit.to_digit(16)?,
                _ => return None,
            }
        }
        None
    }
}

/// Surrogates become the replacement character; codes beyond Unicode do not exist.
fn scalar(code: u32) -> Option<char> {
    if code > 0x10_ffff {
        None
    } else {
        Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}
