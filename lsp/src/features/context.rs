//! Where a cursor is in a text that may be half typed: the keys around it, found by indentation and brackets alone.
//!
//! The tree knows what is written; this knows what is being written. It looks at lines, so that a missing quote three lines
//! down changes nothing here.

use smol_str::SmolStr;

/// One step from the root towards the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The key, or an item of a list.
    pub key: Option<SmolStr>,
    /// The keys beside it that stand above (in brackets: before), with the texts of their values.
    pub siblings: Vec<(SmolStr, String)>,
}

/// What is being typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Typing {
    /// A key, or an item that may become one.
    Key {
        /// The column at which it begins.
        column: usize,
        /// The keys that are there already.
        siblings: Vec<(SmolStr, String)>,
        /// In brackets.
        flow: bool,
        /// A dash stands before it, or it stands in square brackets.
        item: bool,
        /// A colon follows.
        colon: bool,
    },
    /// A value.
    Value {
        /// Its text up to the cursor, without an opening quote.
        text: String,
        /// The quote it is in.
        quote: Option<char>,
        /// In brackets.
        flow: bool,
    },
}

/// Where a cursor is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// The way from the root.
    pub path: Vec<Step>,
    /// What is being typed.
    pub typing: Typing,
    /// Where the word at the cursor begins, in bytes of the text.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// A thing on a line: a dash or a key.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Element {
    Dash(usize),
    Key {
        column: usize,
        name: SmolStr,
        value: String,
    },
}

impl Element {
    fn column(&self) -> usize {
        match self {
            Element::Dash(column) | Element::Key { column, .. } => *column,
        }
    }
}

/// The dashes and the key of a line.
fn elements(line: &str) -> Vec<Element> {
    let mut out = Vec::new();
    let mut column = line.len() - line.trim_start_matches(' ').len();
    let mut rest = line.get(column..).unwrap_or_default();
    while let Some(after) = rest.strip_prefix('-') {
        if !(after.is_empty() || after.starts_with(' ')) {
            break;
        }
        out.push(Element::Dash(column));
        let gap = after.len() - after.trim_start_matches(' ').len();
        column += 1 + gap;
        rest = after.get(gap..).unwrap_or_default();
    }
    if rest.starts_with('#') {
        return out;
    }
    if let Some((name, value)) = split_key(rest) {
        out.push(Element::Key {
            column,
            name: SmolStr::new(name),
            value: value.trim().to_owned(),
        });
    }
    out
}

/// A key and what stands behind its colon.
fn split_key(text: &str) -> Option<(&str, &str)> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inside = text.get(1..)?;
        let close = inside.find(quote)?;
        let after = inside.get(close + 1..)?.trim_start();
        let value = after.strip_prefix(':')?;
        return Some((inside.get(..close)?, value));
    }
    if text.starts_with(['{', '[', '|', '>', '&', '*', '!', '%', '@', '`']) {
        return None;
    }
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(':')?;
        let after = text.get(at + 1..)?;
        if after.is_empty() || after.starts_with(' ') {
            let key = text.get(..at)?;
            return (!key.contains(" #")).then_some((key.trim_end(), after));
        }
        from = at + 1;
    }
}

/// Whether a value opens a text of several lines.
fn opens_block(value: &str) -> bool {
    let value = value.split(" #").next().unwrap_or_default().trim();
    let mut chars = value.chars();
    matches!(chars.next(), Some('|' | '>')) && chars.all(|c| matches!(c, '+' | '-' | '0'..='9'))
}

/// Most lines that are looked at above the cursor.
const MOST_LINES: usize = 20_000;

/// Where `offset` is in `text`.
#[must_use]
pub fn context(text: &str, offset: usize) -> Context {
    let offset = floor(text, offset);
    let line_start = text.get(..offset).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
    let line_end = text
        .get(offset..)
        .and_then(|t| t.find('\n'))
        .map_or(text.len(), |n| offset + n);
    let line = text.get(line_start..line_end).unwrap_or_default();
    let before = text.get(line_start..offset).unwrap_or_default();
    let above = text.get(..line_start).unwrap_or_default();
    if let Some(found) = in_block(text, line_start, offset, line, before) {
        return found;
    }
    if let Some(found) = in_open_flow(text, line_start, offset) {
        return found;
    }
    let indent = before.len() - before.trim_start_matches(' ').len();
    // The dashes and the key before the cursor on its own line.
    let mut own: Vec<Element> = elements(before);
    let mut content = indent;
    for element in &own {
        if let Element::Dash(column) = element {
            let rest = before.get(column + 1..).unwrap_or_default();
            content = column + 1 + (rest.len() - rest.trim_start_matches(' ').len());
        }
    }
    let key = match own.last() {
        Some(Element::Key { column, name, .. }) => {
            let key = (*column, name.clone());
            own.pop();
            Some(key)
        }
        _ => None,
    };
    let position = key.as_ref().map_or(content, |(column, _)| *column);
    let mut steps: Vec<Step> = Vec::new();
    let siblings = climb(above, &own, position, &mut steps);
    if let Some((column, name)) = key {
        // Behind the colon.
        let written = before.get(column..).unwrap_or_default();
        let value_at = split_key(written).map_or(before.len(), |(_, value)| before.len() - value.len());
        let value = before.get(value_at..).unwrap_or_default();
        let gap = value.len() - value.trim_start().len();
        steps.push(Step {
            key: Some(name),
            siblings,
        });
        let start = line_start + value_at + gap;
        return value_or_flow(text, steps, start, offset, line_end, false);
    }
    let typed = before.get(content..).unwrap_or_default();
    if typed.starts_with(['{', '[', '"', '\'']) {
        return value_or_flow(text, steps, line_start + content, offset, line_end, false);
    }
    let rest = text.get(offset..line_end).unwrap_or_default();
    let word = rest.len() - rest.trim_start_matches(is_word).len();
    let colon = rest.get(word..).is_some_and(|r| r.starts_with(':'));
    let mut siblings = siblings;
    siblings.extend(below(text, line_end, position));
    Context {
        path: steps,
        start: line_start + content,
        end: offset + word,
        typing: Typing::Key {
            column: position,
            siblings,
            flow: false,
            item: !own.is_empty(),
            colon,
        },
    }
}

fn floor(text: &str, mut offset: usize) -> usize {
    offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@')
}

/// The steps around a thing at `position`, whose own line begins with `own`. Gives the keys beside it above.
fn climb(above: &str, own: &[Element], position: usize, steps: &mut Vec<Step>) -> Vec<(SmolStr, String)> {
    // What is looked for: the thing around something that begins at a column; a dash may stand below its key.
    let mut column = position;
    let mut is_dash = false;
    let mut first: Option<Vec<(SmolStr, String)>> = None;
    let mut siblings: Vec<(SmolStr, String)> = Vec::new();
    let mut found: Vec<Step> = Vec::new();
    let mut visit = |element: &Element, column: &mut usize, is_dash: &mut bool| {
        let at = element.column();
        match element {
            Element::Key { name, value, .. } => {
                if at == *column && !*is_dash {
                    siblings.push((name.clone(), value.clone()));
                } else if at < *column || (at == *column && *is_dash) {
                    take(&mut first, &mut siblings, &mut found);
                    found.push(Step {
                        key: Some(name.clone()),
                        siblings: Vec::new(),
                    });
                    (*column, *is_dash) = (at, false);
                }
            }
            Element::Dash(_) => {
                if at < *column {
                    take(&mut first, &mut siblings, &mut found);
                    found.push(Step {
                        key: None,
                        siblings: Vec::new(),
                    });
                    (*column, *is_dash) = (at, true);
                }
            }
        }
    };
    for element in own.iter().rev() {
        visit(element, &mut column, &mut is_dash);
    }
    for line in above.lines().rev().take(MOST_LINES) {
        let trimmed = line.trim_start_matches(' ');
        let indent = line.len() - trimmed.len();
        if trimmed.is_empty() || trimmed.starts_with('#') || indent > column {
            continue;
        }
        for element in elements(line).iter().rev() {
            visit(element, &mut column, &mut is_dash);
        }
    }
    take(&mut first, &mut siblings, &mut found);
    found.reverse();
    steps.extend(found);
    first.unwrap_or_default()
}

/// Gives the siblings gathered so far to the step that they stand beside.
fn take(first: &mut Option<Vec<(SmolStr, String)>>, siblings: &mut Vec<(SmolStr, String)>, found: &mut [Step]) {
    let gathered = std::mem::take(siblings);
    match found.last_mut() {
        None => *first = Some(gathered),
        Some(step) => step.siblings = gathered,
    }
}

/// The keys at a column below the cursor, up to the end of their mapping.
fn below(text: &str, line_end: usize, column: usize) -> Vec<(SmolStr, String)> {
    let mut out = Vec::new();
    for line in text.get(line_end + 1..).unwrap_or_default().lines().take(2000) {
        let trimmed = line.trim_start_matches(' ');
        let indent = line.len() - trimmed.len();
        if trimmed.is_empty() || trimmed.starts_with('#') || indent > column {
            continue;
        }
        if indent < column || trimmed.starts_with("- ") {
            break;
        }
        for element in elements(line) {
            if let Element::Key { name, value, .. } = element {
                out.push((name, value));
            }
        }
    }
    out
}

/// A cursor inside of a text of several lines.
fn in_block(text: &str, line_start: usize, offset: usize, line: &str, before: &str) -> Option<Context> {
    let above = text.get(..line_start)?;
    let blank = line.trim().is_empty();
    let mut indent = before.len() - before.trim_start_matches(' ').len();
    let mut end = above.len();
    for above_line in above.split_inclusive('\n').rev().take(MOST_LINES) {
        let start = end - above_line.len();
        end = start;
        let body = above_line.trim_end_matches(['\n', '\r']);
        let trimmed = body.trim_start_matches(' ');
        let at = body.len() - trimmed.len();
        if trimmed.is_empty() {
            continue;
        }
        let all = elements(body);
        let opened = match all.last() {
            Some(Element::Key { column, value, .. }) if opens_block(value) => Some(*column),
            Some(Element::Dash(column)) if opens_block(body.get(column + 1..).unwrap_or_default()) => Some(*column),
            _ => None,
        };
        match opened {
            Some(column) if column < indent => {
                let content = start + above_line.len();
                let mut steps = Vec::new();
                let (own, key) = match all.split_last() {
                    Some((Element::Key { name, column, .. }, own)) => (own, Some((name.clone(), *column))),
                    _ => (all.as_slice(), None),
                };
                let position = key.as_ref().map_or(column + 2, |(_, column)| *column);
                let siblings = climb(text.get(..start)?, own, position, &mut steps);
                if let Some((name, _)) = key {
                    steps.push(Step {
                        key: Some(name),
                        siblings,
                    });
                }
                let typed = text.get(content..offset)?.to_owned();
                let (word, after) = word_around(text, offset);
                return Some(Context {
                    path: steps,
                    typing: Typing::Value {
                        text: typed,
                        quote: None,
                        flow: false,
                    },
                    start: word,
                    end: after,
                });
            }
            _ if at < indent && !blank => {
                // Everything of a block stands further in than its key.
                indent = at;
                if at == 0 {
                    return None;
                }
            }
            _ if at < indent => return None,
            _ => {}
        }
    }
    None
}

fn word_around(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or_default();
    let after = text.get(offset..).unwrap_or_default();
    let head = before.len() - before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
    let tail = after.len()
        - after
            .trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
            .len();
    (offset - head, offset + tail)
}

/// How many lines above the cursor brackets may have been opened.
const FLOW_LINES: usize = 60;

/// A cursor inside of brackets that were opened on a line above.
fn in_open_flow(text: &str, line_start: usize, offset: usize) -> Option<Context> {
    let mut start = line_start;
    for _ in 0..FLOW_LINES {
        let head = text.get(..start.checked_sub(1)?)?;
        let begin = head.rfind('\n').map_or(0, |n| n + 1);
        let line = text.get(begin..start)?;
        start = begin;
        let body = line.trim_end_matches(['\n', '\r']);
        if body.trim().is_empty() {
            return None;
        }
        let all = elements(body);
        let (value_at, own, key) = match all.split_last() {
            Some((Element::Key { column, name, .. }, own)) => {
                let written = body.get(*column..)?;
                let (_, value) = split_key(written)?;
                let gap = value.len() - value.trim_start().len();
                (body.len() - value.len() + gap, own, Some((*column, name.clone())))
            }
            Some((Element::Dash(column), _)) => {
                let rest = body.get(column + 1..)?;
                (column + 1 + rest.len() - rest.trim_start().len(), all.as_slice(), None)
            }
            None => continue,
        };
        if !body.get(value_at..)?.starts_with(['{', '[']) {
            return None;
        }
        let frames = scan(text.get(begin + value_at..offset)?)?;
        if frames.is_empty() {
            return None;
        }
        let mut steps = Vec::new();
        let position = key.as_ref().map_or(value_at, |(column, _)| *column);
        let siblings = climb(text.get(..begin)?, own, position, &mut steps);
        if let Some((_, name)) = key {
            steps.push(Step {
                key: Some(name),
                siblings,
            });
        }
        return Some(from_frames(text, steps, frames, offset));
    }
    None
}

/// One open bracket with what was read inside of it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Frame {
    map: bool,
    siblings: Vec<(SmolStr, String)>,
    /// The key whose value is being written.
    key: Option<SmolStr>,
    /// What was read since the last sign, without quotes.
    word: String,
    /// Where it begins, from the start of the scan.
    word_at: usize,
    /// The quote that is open.
    quote: Option<char>,
    /// The word was in quotes that are closed.
    quoted: bool,
}

impl Frame {
    fn new(map: bool, at: usize) -> Self {
        Self {
            map,
            siblings: Vec::new(),
            key: None,
            word: String::new(),
            word_at: at,
            quote: None,
            quoted: false,
        }
    }

    fn clear(&mut self, at: usize) {
        self.word.clear();
        self.word_at = at;
        self.quoted = false;
    }
}

/// The brackets that are open at the end of a text which begins with one. `None` when the text goes on behind the last
/// closing bracket.
fn scan(text: &str) -> Option<Vec<Frame>> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let Some(frame) = frames.last_mut() else {
            match c {
                '{' | '[' if at == 0 => frames.push(Frame::new(c == '{', at + 1)),
                _ => return None,
            }
            continue;
        };
        if let Some(quote) = frame.quote {
            if c == quote && quote == '\'' && next == Some('\'') {
                chars.next();
                frame.word.push('\'');
            } else if c == quote {
                frame.quote = None;
                frame.quoted = true;
            } else {
                frame.word.push(c);
                if c == '\\'
                    && quote == '"'
                    && let Some((_, escaped)) = chars.next()
                {
                    frame.word.push(escaped);
                }
            }
            continue;
        }
        let empty = frame.word.trim().is_empty();
        match c {
            '"' | '\'' if empty && !frame.quoted => {
                frame.clear(at + 1);
                frame.quote = Some(c);
            }
            '{' | '[' if empty => frames.push(Frame::new(c == '{', at + 1)),
            '}' | ']' => {
                frames.pop();
                match frames.last_mut() {
                    Some(around) => around.clear(at + 1),
                    None => return None,
                }
            }
            ',' => {
                if let Some(key) = frame.key.take() {
                    let value = frame.word.trim().to_owned();
                    frame.siblings.push((key, value));
                } else if frame.map && !empty {
                    frame.siblings.push((SmolStr::new(frame.word.trim()), String::new()));
                }
                frame.clear(at + 1);
            }
            ':' if frame.key.is_none()
                && frame.map
                && (frame.quoted || next.is_none_or(|n| n.is_whitespace() || matches!(n, ',' | '{' | '[' | '}'))) =>
            {
                frame.key = Some(SmolStr::new(frame.word.trim()));
                frame.clear(at + 1);
            }
            '#' if frame.word.ends_with(' ') || frame.word.is_empty() => {
                for (_, c) in chars.by_ref() {
                    if c == '\n' {
                        break;
                    }
                }
            }
            c => {
                if empty && !c.is_whitespace() {
                    frame.clear(at);
                }
                frame.word.push(c);
            }
        }
    }
    Some(frames)
}

fn from_frames(text: &str, mut steps: Vec<Step>, frames: Vec<Frame>, offset: usize) -> Context {
    let count = frames.len();
    for (n, frame) in frames.into_iter().enumerate() {
        let last = n + 1 == count;
        let typed = frame.word.trim_start().to_owned();
        if frame.map && frame.key.is_none() && last {
            let rest = text.get(offset..).unwrap_or_default();
            let word = rest.len() - rest.trim_start_matches(is_word).len();
            return Context {
                path: steps,
                start: offset - typed.len().min(offset),
                end: offset + word,
                typing: Typing::Key {
                    column: 0,
                    siblings: frame.siblings,
                    flow: true,
                    item: false,
                    colon: rest.get(word..).is_some_and(|r| r.trim_start().starts_with(':')),
                },
            };
        }
        steps.push(Step {
            key: frame.key.clone(),
            siblings: frame.siblings,
        });
        if last {
            return value(text, steps, &typed, frame.quote, offset, true);
        }
    }
    value(text, steps, "", None, offset, true)
}

fn value(text: &str, path: Vec<Step>, typed: &str, quote: Option<char>, offset: usize, flow: bool) -> Context {
    let (start, end) = word_around(text, offset);
    Context {
        path,
        typing: Typing::Value {
            text: typed.to_owned(),
            quote,
            flow,
        },
        start,
        end,
    }
}

/// A value that begins at `start`, in brackets or not.
fn value_or_flow(text: &str, steps: Vec<Step>, start: usize, offset: usize, _line_end: usize, flow: bool) -> Context {
    let start = start.min(offset);
    let typed = text.get(start..offset).unwrap_or_default();
    if typed.starts_with(['{', '['])
        && let Some(frames) = scan(typed)
        && !frames.is_empty()
    {
        return from_frames(text, steps, frames, offset);
    }
    if let Some(quote) = typed.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inside = typed.get(1..).unwrap_or_default();
        return value(text, steps, inside, Some(quote), offset, flow);
    }
    value(text, steps, typed, None, offset, flow)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    /// `a / b / - / c : key|value`
    fn at(text: &str) -> String {
        let offset = text.find("$0").unwrap();
        let text = text.replace("$0", "");
        let c = context(&text, offset);
        let path: Vec<&str> = c.path.iter().map(|s| s.key.as_deref().unwrap_or("-")).collect();
        let what = match &c.typing {
            Typing::Key { siblings, item, .. } => {
                let names: Vec<&str> = siblings.iter().map(|(k, _)| k.as_str()).collect();
                format!("{}key {}", if *item { "item " } else { "" }, names.join(","))
            }
            Typing::Value { text, .. } => format!("value <{text}>"),
        };
        format!("{} : {}", path.join(" / "), what.trim_end())
    }

    #[test]
    fn keys_by_indentation() {
        assert_eq!(at("a:\n  b:\n    x: 1\n    $0\n    y: 2\nc: 3\n"), "a / b : key x,y");
        assert_eq!(at("a:\n  b: 1\n  c$0\n"), "a : key b");
        assert_eq!(at("$0"), " : key");
        assert_eq!(at("a: 1\n$0\nb: 2\n"), " : key a,b");
    }

    #[test]
    fn items_of_lists() {
        assert_eq!(at("a:\n  - x: 1\n    $0\n"), "a / - : key x");
        assert_eq!(at("a:\n  - $0\n"), "a / - : item key");
        assert_eq!(at("a:\n- $0\n"), "a / - : item key");
        assert_eq!(at("a:\n- x: 1\n  y$0\n"), "a / - : key x");
        assert_eq!(at("a:\n  - b:\n      - c: $0\n"), "a / - / b / - / c : value <>");
        assert_eq!(at("a:\n  - x: 1\n  - y: 2\n    z: $0\n"), "a / - / z : value <>");
    }

    #[test]
    fn values() {
        assert_eq!(at("a:\n  b: tex$0t\n"), "a / b : value <tex>");
        assert_eq!(at("a:\n  b: \"te$0xt\"\n"), "a / b : value <te>");
        assert_eq!(at("a:\n  b: 'x {{ world.$0\n  c: 1\n"), "a / b : value <x {{ world.>");
        assert_eq!(at("a: { b: [{ c: $0 }] }\n"), "a / b / - / c : value <>");
        assert_eq!(at("a: { b: 1, c$0 }\n"), "a : key b");
        assert_eq!(at("a: { b: 1, $0"), "a : key b");
        assert_eq!(at("a: { 'b': \"x}\", c: y$0"), "a / c : value <y>");
        assert_eq!(at("a: [x, y$0]\n"), "a / - : value <y>");
    }

    #[test]
    fn texts_of_several_lines() {
        assert_eq!(
            at("a:\n  b: |\n    one\n    {{ w$0\n  c: 1\n"),
            "a / b : value <    one\n    {{ w>"
        );
        assert_eq!(
            at("a:\n  - p: >-\n      one\n\n      two$0\n"),
            "a / - / p : value <      one\n\n      two>"
        );
        assert_eq!(at("a:\n  b: |\n    one\n  c$0\n"), "a : key b");
        assert_eq!(at("a:\n  b: |\n    key: x\n  c:\n    $0\n"), "a / c : key");
    }

    #[test]
    fn brackets_over_several_lines() {
        assert_eq!(at("a:\n  b: {\n    c: 1,\n    $0\n  }\n"), "a / b : key c");
        assert_eq!(
            at("a:\n  b:\n    - { c: 1,\n        d: $0\n"),
            "a / b / - / d : value <>"
        );
    }

    #[test]
    fn what_is_broken_elsewhere_does_not_matter() {
        assert_eq!(at("q: \"open\nz: {{ x\na:\n  b:\n    $0\n"), "a / b : key");
    }
}
