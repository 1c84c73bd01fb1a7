//! Text, bytes and number literals of a script.

use num_bigint::BigInt;

use super::SyntaxFault;
use super::ast::Place;
use super::lexer::Lexer;
use super::token::Token;

/// What stands before the opening quote.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prefix {
    raw: bool,
    bytes: bool,
    length: usize,
}

/// Whether a text begins here: `"`, `'`, `r"`, `b"`, `rb"`.
pub(super) fn text_prefix(lexer: &Lexer) -> Option<Prefix> {
    let quote = |i: usize| matches!(lexer.peek_at(i), Some('"' | '\''));
    match (lexer.peek()?, lexer.peek_at(1)) {
        ('"' | '\'', _) => Some(Prefix {
            raw: false,
            bytes: false,
            length: 0,
        }),
        ('r', _) if quote(1) => Some(Prefix {
            raw: true,
            bytes: false,
            length: 1,
        }),
        ('b', _) if quote(1) => Some(Prefix {
            raw: false,
            bytes: true,
            length: 1,
        }),
        ('r', Some('b')) if quote(2) => Some(Prefix {
            raw: true,
            bytes: true,
            length: 2,
        }),
        _ => None,
    }
}

/// Reads a text from its prefix to its closing quote.
pub(super) fn text(lexer: &mut Lexer, prefix: Prefix, start: Place) -> Result<Token, SyntaxFault> {
    for _ in 0..prefix.length {
        lexer.bump();
    }
    let quote = lexer.bump().unwrap_or('"');
    let triple = lexer.peek() == Some(quote) && lexer.peek_at(1) == Some(quote);
    if triple {
        lexer.bump();
        lexer.bump();
    }
    let mut out = Vec::new();
    let unended = || SyntaxFault::new(start, "unexpected EOF in string");
    loop {
        let c = lexer.bump().ok_or_else(unended)?;
        match c {
            '\\' if prefix.raw => {
                let next = lexer.bump().ok_or_else(unended)?;
                push(&mut out, c);
                push(&mut out, next);
            }
            '\\' => escape(lexer, prefix.bytes, start, &mut out)?,
            '\n' if !triple => return Err(SyntaxFault::new(start, "unexpected newline in string")),
            _ if c == quote && !triple => break,
            _ if c == quote && lexer.peek() == Some(quote) && lexer.peek_at(1) == Some(quote) => {
                lexer.bump();
                lexer.bump();
                break;
            }
            _ => push(&mut out, c),
        }
    }
    Ok(if prefix.bytes {
        Token::Bytes(out)
    } else {
        Token::Text(out)
    })
}

fn push(out: &mut Vec<u8>, c: char) {
    let mut buffer = [0; 4];
    out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
}

/// Reads what follows a backslash.
fn escape(lexer: &mut Lexer, bytes: bool, start: Place, out: &mut Vec<u8>) -> Result<(), SyntaxFault> {
    let c = lexer
        .bump()
        .ok_or_else(|| SyntaxFault::new(start, "unexpected EOF in string"))?;
    match c {
        '\n' => {}
        'a' => out.push(7),
        'b' => out.push(8),
        'f' => out.push(12),
        'n' => out.push(b'\n'),
        'r' => out.push(b'\r'),
        't' => out.push(b'\t'),
        'v' => out.push(11),
        '\\' | '\'' | '"' => push(out, c),
        '0'..='7' => {
            let mut n = c.to_digit(8).unwrap_or(0);
            for _ in 0..2 {
                let Some(d) = lexer.peek().and_then(|c| c.to_digit(8)) else {
                    break;
                };
                n = n * 8 + d;
                lexer.bump();
            }
            one_byte(n, &format!("octal escape \\{n:o}"), bytes, start, out)?;
        }
        'x' => {
            let n = hex(lexer, 2, start, 'x')?;
            one_byte(n, &format!("hex escape \\x{n:02x}"), bytes, start, out)?;
        }
        'u' | 'U' => {
            let n = hex(lexer, if c == 'u' { 4 } else { 8 }, start, c)?;
            if n > 0x0010_FFFF {
                return Err(SyntaxFault::new(
                    start,
                    format!("code point out of range: \\U{n:08x} (max \\U0010ffff)"),
                ));
            }
            match char::from_u32(n) {
                Some(c) => push(out, c),
                None => return Err(SyntaxFault::new(start, format!("invalid Unicode code point U+{n:04X}"))),
            }
        }
        _ => return Err(SyntaxFault::new(start, format!("invalid escape sequence \\{c}"))),
    }
    Ok(())
}

/// A byte given by its number: in a text only ASCII can be meant.
fn one_byte(n: u32, shown: &str, bytes: bool, start: Place, out: &mut Vec<u8>) -> Result<(), SyntaxFault> {
    if !bytes && n > 127 {
        let text = format!("non-ASCII {shown} (use \\u{n:04X} for the UTF-8 encoding of U+{n:04X})");
        return Err(SyntaxFault::new(start, text));
    }
    match u8::try_from(n) {
        Ok(b) => out.push(b),
        Err(_) => return Err(SyntaxFault::new(start, format!("invalid escape sequence \\{n:03o}"))),
    }
    Ok(())
}

fn hex(lexer: &mut Lexer, digits: usize, start: Place, letter: char) -> Result<u32, SyntaxFault> {
    let mut n = 0u32;
    let mut read = String::new();
    for _ in 0..digits {
        match lexer.peek().and_then(|c| c.to_digit(16).map(|d| (c, d))) {
            Some((c, d)) => {
                n = (n << 4) | d;
                read.push(c);
                lexer.bump();
            }
            None => {
                return Err(SyntaxFault::new(
                    start,
                    format!("invalid escape sequence \\{letter}{read}"),
                ));
            }
        }
    }
    Ok(n)
}

/// Reads a number: `12`, `0x1F`, `0o17`, `0b1`, `1.5`, `.5`, `1e3`.
pub(super) fn number(lexer: &mut Lexer, start: Place) -> Result<Token, SyntaxFault> {
    let radix = match (lexer.peek(), lexer.peek_at(1)) {
        (Some('0'), Some('x' | 'X')) => Some((16, "hex")),
        (Some('0'), Some('o' | 'O')) => Some((8, "octal")),
        (Some('0'), Some('b' | 'B')) => Some((2, "binary")),
        _ => None,
    };
    if let Some((radix, name)) = radix {
        lexer.bump();
        lexer.bump();
        let digits = digits(lexer, radix);
        if digits.is_empty() {
            return Err(SyntaxFault::new(start, format!("invalid {name} literal")));
        }
        return Ok(integer(&digits, radix));
    }
    let mut raw = digits(lexer, 10);
    let whole = raw.clone();
    let mut float = false;
    if lexer.peek() == Some('.') {
        float = true;
        lexer.bump();
        raw.push('.');
        raw.push_str(&digits(lexer, 10));
    }
    if let Some(e @ ('e' | 'E')) = lexer.peek() {
        float = true;
        lexer.bump();
        raw.push(e);
        if let Some(sign @ ('+' | '-')) = lexer.peek() {
            lexer.bump();
            raw.push(sign);
        }
        let exponent = digits(lexer, 10);
        if exponent.is_empty() {
            return Err(SyntaxFault::new(lexer.place(), "invalid float literal"));
        }
        raw.push_str(&exponent);
    }
    if float {
        return match raw.parse::<f64>() {
            Ok(f) if f.is_finite() => Ok(Token::Float(f)),
            _ => Err(SyntaxFault::new(lexer.place(), "invalid float literal")),
        };
    }
    let zeros = whole.bytes().all(|b| b == b'0');
    if whole.len() > 1 && whole.starts_with('0') && !zeros {
        let text = if whole.bytes().all(|b| b < b'8') {
            format!(
                "obsolete form of octal literal; use 0o{}",
                whole.get(1..).unwrap_or_default()
            )
        } else {
            "invalid int literal".to_owned()
        };
        return Err(SyntaxFault::new(start, text));
    }
    Ok(integer(&whole, 10))
}

fn digits(lexer: &mut Lexer, radix: u32) -> String {
    let mut out = String::new();
    while let Some(c) = lexer.peek().filter(|c| c.is_ascii() && c.is_digit(radix)) {
        out.push(c);
        lexer.bump();
    }
    out
}

/// Digits as an integer. A literal is part of the source, so its length is bounded by the size of a script; the square
/// of that is not, hence the cap on what is read exactly.
fn integer(digits: &str, radix: u32) -> Token {
    if let Ok(i) = i64::from_str_radix(digits, radix) {
        return Token::Int(i);
    }
    let capped = digits.get(..20_000).unwrap_or(digits);
    BigInt::parse_bytes(capped.as_bytes(), radix).map_or(Token::Int(0), Token::BigInt)
}
