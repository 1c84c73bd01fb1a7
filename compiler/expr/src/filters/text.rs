//! Filters that change texts.

use std::fmt::Write as _;

use super::{Filtered, refused};
use crate::eval::text::{lower, upper_char};
use crate::expr::lexer::is_name_char;
use crate::print;
use crate::template::p::value::{P, Pv};
use crate::value::{Native, Value};

pub(super) fn capfirst(input: &P) -> P {
    if input.len() == 0 {
        return P::from("");
    }
    let text = input.text();
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => P::from(format!("{}{}", upper_char(first), chars.as_str())),
        None => P::from(""),
    }
}

/// Small letters, and a capital at the start of every word.
pub(super) fn title(input: &P) -> P {
    if !input.is_string() {
        return P::from("");
    }
    let mut out = String::new();
    let mut starts = true;
    for c in lower(&input.text()).chars() {
        out.push(if starts { upper_char(c) } else { c });
        starts = if c.is_ascii() {
            !(c.is_ascii_alphanumeric() || c == '_')
        } else {
            !is_name_char(c) && c.is_whitespace()
        };
    }
    P::from(out)
}

pub(super) fn cut(input: &P, argument: &P) -> P {
    let part = argument.text();
    if part.is_empty() {
        return P::from(input.text().into_owned());
    }
    P::from(input.text().replace(part.as_ref(), ""))
}

pub(super) fn addslashes(input: &P) -> P {
    let mut out = String::new();
    for c in input.text().chars() {
        if matches!(c, '\\' | '"' | '\'') {
            out.push('\\');
        }
        out.push(c);
    }
    P::from(out)
}

/// A text with HTML characters escaped.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '>' => out.push_str("&gt;"),
            '<' => out.push_str("&lt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

pub(super) fn escapejs(input: &P) -> P {
    let text = input.text();
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let code = match (c, chars.peek()) {
            ('\u{fffd}', _) => continue,
            ('\\', Some('r')) => {
                chars.next();
                u32::from('\r')
            }
            ('\\', Some('n')) => {
                chars.next();
                u32::from('\n')
            }
            _ if c.is_ascii_alphabetic() || c == ' ' || c == '/' => {
                out.push(c);
                continue;
            }
            _ => u32::from(c),
        };
        let _ = write!(out, "\\u{code:04X}");
    }
    P::from(out)
}

/// A text escaped for a query.
pub(super) fn query_escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// A text escaped for an address: what has a meaning there stays.
pub(super) fn iri_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "/#%[]=:;$&()+,!?*@'~".contains(c) {
            out.push(c);
        } else {
            out.push_str(&query_escape(c.encode_utf8(&mut [0; 4])));
        }
    }
    out
}

pub(super) fn date(input: &P, argument: &P) -> Filtered {
    match &input.v {
        Pv::Value(Value::Native(Native::Time(time))) => Ok(P::from(print::time_in_layout(*time, &argument.text()))),
        _ => Err(refused("`date` and `time` work on times only")),
    }
}
