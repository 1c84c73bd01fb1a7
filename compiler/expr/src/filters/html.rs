//! Filters that make or remove HTML. No story uses them; they are part of the dialect.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

use super::text::{escape, iri_encode};
use super::{Filtered, refused};
use crate::ErrorClass;
use crate::eval::{Fault, pattern};
use crate::template::p::value::P;

pub(super) fn linebreaks(input: &P) -> P {
    if input.len() == 0 {
        return input.clone();
    }
    let text = input.text();
    let lines: Vec<&str> = text.split('\n').collect();
    let mut out = String::new();
    let mut open = false;
    for (index, line) in lines.iter().enumerate() {
        if !open {
            out.push_str("<p>");
            open = true;
        }
        out.push_str(line);
        if let Some(next) = lines.get(index + 1)
            && !line.trim().is_empty()
        {
            if next.trim().is_empty() {
                out.push_str("</p>");
                open = false;
            } else {
                out.push_str("<br />");
            }
        }
    }
    if open {
        out.push_str("</p>");
    }
    P::from(out)
}

pub(super) fn linenumbers(input: &P) -> P {
    let mut out = String::new();
    for (index, line) in input.text().split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let _ = write!(out, "{}. {line}", index + 1);
    }
    P::from(out)
}

pub(super) fn striptags(input: &P) -> P {
    let text = input.text();
    let mut out = String::new();
    let mut rest = text.as_ref();
    while let Some(open) = rest.find('<') {
        let Some(close) = rest.get(open..).and_then(|tag| tag.find('>')) else {
            break;
        };
        out.push_str(rest.get(..open).unwrap_or_default());
        rest = rest.get(open + close + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    P::from(out.trim())
}

pub(super) fn removetags(input: &P, argument: &P) -> Filtered {
    let mut text = input.text().into_owned();
    let tags = argument.text();
    if tags.split(',').count() > 64 {
        return Err(refused("too many tags to remove"));
    }
    for tag in tags.split(',') {
        let regex = pattern::compile(&format!("</?{tag}/?>"))
            .map_err(|message| Fault::new(ErrorClass::Panic, format!("`{tag}` names no tag: {message}")))?;
        text = regex.replace_all(&text, "").into_owned();
    }
    Ok(P::from(text.trim()))
}

static URL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let hosts = r"((^|[ ])[0-9A-Za-z_\-]+(\.com|\.net|\.org|\.info|\.biz|\.de))";
    Regex::new(&format!(r"((((http|https)://)|www\.|{hosts}))(?U:.*)([ ]+|$)")).ok()
});

static EMAIL: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"([0-9A-Za-z_]+@[0-9A-Za-z_]+\.[0-9A-Za-z_]{2,4})").ok());

/// Addresses as links; a limit above 3 shortens what is shown.
pub(super) fn urlize(input: &P, escaped: bool, limit: i64) -> P {
    let text = input.text();
    let (Some(url), Some(email)) = (URL.as_ref(), EMAIL.as_ref()) else {
        return input.clone();
    };
    let linked = url.replace_all(&text, |found: &regex::Captures<'_>| {
        let raw = found.get(0).map_or("", |whole| whole.as_str());
        let before = if raw.starts_with(' ') { " " } else { "" };
        let after = if raw.ends_with(' ') { " " } else { "" };
        let raw = raw.trim();
        let mut address = iri_encode(raw);
        if !address.starts_with("http") {
            address.insert_str(0, "http://");
        }
        let mut title = shortened(raw, limit);
        if escaped {
            title = escape(&title);
        }
        format!("{before}<a href=\"{address}\" rel=\"nofollow\">{title}</a>{after}")
    });
    let linked = email.replace_all(&linked, |found: &regex::Captures<'_>| {
        let mail = found.get(0).map_or("", |whole| whole.as_str());
        format!("<a href=\"mailto:{mail}\">{}</a>", shortened(mail, limit))
    });
    P::from(linked.into_owned())
}

fn shortened(text: &str, limit: i64) -> String {
    match usize::try_from(limit) {
        Ok(limit) if limit > 3 && text.len() > limit => {
            let kept = crate::eval::text::from_bytes(text.as_bytes().get(..limit - 3).unwrap_or_default());
            format!("{kept}...")
        }
        _ => text.to_owned(),
    }
}

pub(super) fn truncate_chars(input: &P, argument: &P) -> P {
    let text = input.text();
    let limit = usize::try_from(argument.integer().saturating_sub(3)).unwrap_or(0);
    let mut shown = 0usize;
    let mut walk = Walk::new(&text);
    while shown < limit
        && walk.next_part(|walk| {
            shown += 1;
            walk.copy_char();
        })
    {}
    if shown >= limit && shown < text.len() {
        walk.out.push_str("...");
    }
    P::safe_text(walk.finish())
}

pub(super) fn truncate_words(input: &P, argument: &P) -> P {
    let text = input.text();
    let limit = usize::try_from(argument.integer()).unwrap_or(0);
    let mut words = 0usize;
    let mut walk = Walk::new(&text);
    while words < limit
        && walk.next_part(|walk| {
            if walk.copy_word() {
                words += 1;
            }
        })
    {}
    if words >= limit {
        walk.out.push_str("...");
    }
    P::safe_text(walk.finish())
}

/// A walk over HTML that copies tags and remembers which are open.
struct Walk<'a> {
    rest: &'a str,
    out: String,
    open: Vec<String>,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            out: String::new(),
            open: Vec::new(),
        }
    }

    fn bump(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        Some(c)
    }

    /// Copies a tag, or lets `text` copy some text; false at the end.
    fn next_part(&mut self, text: impl FnOnce(&mut Self)) -> bool {
        let Some(c) = self.rest.chars().next() else {
            return false;
        };
        if c != '<' {
            text(self);
            return true;
        }
        self.bump();
        self.out.push('<');
        if self.rest.len() < 2 {
            return true;
        }
        if let Some(rest) = self.rest.strip_prefix('/') {
            self.rest = rest;
            self.out.push('/');
            let mut tag = String::new();
            while let Some(c) = self.bump() {
                if c == '>' {
                    break;
                }
                tag.push(c);
            }
            if let Some(at) = self.open.iter().rposition(|open| *open == tag) {
                self.open.swap_remove(at);
            }
            self.out.push_str(&tag);
            self.out.push('>');
        } else {
            let mut tag = String::new();
            let mut attributes = false;
            while let Some(c) = self.bump() {
                self.out.push(c);
                if c == '>' {
                    break;
                }
                attributes |= c == ' ';
                if !attributes {
                    tag.push(c);
                }
            }
            self.open.push(tag);
        }
        true
    }

    fn copy_char(&mut self) {
        if let Some(c) = self.bump() {
            self.out.push(c);
        }
    }

    /// Copies up to the end of a word; true when there was one.
    fn copy_word(&mut self) -> bool {
        let mut found = false;
        while let Some(c) = self.rest.chars().next() {
            if c == '<' {
                return found_or_stop(found);
            }
            self.bump();
            self.out.push(c);
            if matches!(c, ' ' | '.' | ',' | ';') {
                break;
            }
            found = true;
        }
        found
    }

    fn finish(mut self) -> String {
        while let Some(tag) = self.open.pop() {
            let _ = write!(self.out, "</{tag}>");
        }
        self.out
    }
}

/// A word that a tag cuts off is not counted.
fn found_or_stop(_found: bool) -> bool {
    false
}
