//! As much of XML as a report may use, read strictly: elements, attributes in double quotes, the five escapes.

/// An element.
#[derive(Debug, Default)]
pub struct Element {
    /// Its name.
    pub name: String,
    attributes: Vec<(String, String)>,
    /// The elements inside.
    pub children: Vec<Element>,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// Reads a document with its declaration.
pub fn parse(text: &str) -> Result<Element, String> {
    let rest = text
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .ok_or("the declaration is missing")?;
    if let Some(c) = text.chars().find(|c| !allowed(*c)) {
        return Err(format!("{c:?} is no character of XML"));
    }
    let mut open = vec![Element::default()];
    let mut at = rest;
    while let Some(start) = at.find('<') {
        check_text(&at[..start])?;
        let end = at[start..].find('>').ok_or("a tag is not closed")? + start;
        let tag = &at[start + 1..end];
        at = &at[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let done = open
                .pop()
                .filter(|e| e.name == name)
                .ok_or(format!("`{name}` is not open"))?;
            open.last_mut().ok_or("too much is closed")?.children.push(done);
        } else if let Some(tag) = tag.strip_suffix('/') {
            let element = element(tag)?;
            open.last_mut().ok_or("too much is closed")?.children.push(element);
        } else {
            open.push(element(tag)?);
        }
    }
    check_text(at)?;
    let [document] = open.as_mut_slice() else {
        return Err("an element is not closed".to_owned());
    };
    match document.children.len() {
        1 => Ok(document.children.remove(0)),
        n => Err(format!("{n} roots")),
    }
}

fn element(tag: &str) -> Result<Element, String> {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut out = Element {
        name: name.to_owned(),
        ..Element::default()
    };
    while !rest.trim().is_empty() {
        let (key, value) = rest
            .trim_start()
            .split_once("=\"")
            .ok_or(format!("no attribute: {rest}"))?;
        let (value, after) = value.split_once('"').ok_or(format!("no end of `{key}`"))?;
        check_text(value)?;
        if out.attribute(key).is_some() {
            return Err(format!("`{key}` stands twice"));
        }
        out.attributes.push((key.to_owned(), unescaped(value)));
        rest = after;
    }
    Ok(out)
}

fn allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn check_text(text: &str) -> Result<(), String> {
    let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
    let whole = text.split('&').skip(1).all(|t| known.iter().any(|e| t.starts_with(e)));
    if whole && !text.contains(['<', '>']) {
        Ok(())
    } else {
        Err(format!("a bare mark in `{text}`"))
    }
}

fn unescaped(text: &str) -> String {
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'");
    text.replace("&amp;", "&")
}
