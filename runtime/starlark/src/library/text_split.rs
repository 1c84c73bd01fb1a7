//! Methods of texts that take them apart or put them together.

use std::collections::HashSet;

use memchr::memmem;

use super::characters::{chars, is_space};
use super::text::receiver;
use crate::fault::{Fault, Res};
use crate::interp::arguments::{Args, int, text, wrong};
use crate::interp::machine::Machine;
use crate::interp::meter;
use crate::interp::show::push;
use crate::interp::value::{ELEMENT, Value};

pub(super) fn join(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [items] = args.positional("join", 1)?;
    let mut iter = items.unwrap_or(Value::None).iterate_for("join", "1")?;
    let mut out = Vec::new();
    let mut first = true;
    while let Some(item) = iter.advance()? {
        if !std::mem::take(&mut first) {
            push(&mut out, receiver(v))?;
        }
        match item.as_text() {
            Some(bytes) => push(&mut out, bytes)?,
            None => {
                return Err(Fault::runtime(format!(
                    "join: in list, want string, got {}",
                    item.kind()
                )));
            }
        }
    }
    Value::text(out)
}

fn parts(name: &str, v: &Value, args: Args, last: bool) -> Res<Value> {
    let [separator] = args.positional(name, 1)?;
    let separator = separator.unwrap_or(Value::None);
    let separator = text(name, "1", &separator)?;
    if separator.is_empty() {
        return Err(Fault::runtime(format!("{name}: empty separator")));
    }
    let bytes = receiver(v);
    meter::work_len(bytes.len())?;
    meter::room(bytes.len() * 2)?;
    let found = if last {
        memmem::rfind(bytes, separator)
    } else {
        memmem::find(bytes, separator)
    };
    let empty: &[u8] = b"";
    let (a, b, c) = match found {
        Some(i) => (
            bytes.get(..i).unwrap_or_default(),
            separator,
            bytes.get(i + separator.len()..).unwrap_or_default(),
        ),
        None if last => (empty, empty, bytes),
        None => (bytes, empty, empty),
    };
    Value::tuple(vec![Value::text(a)?, Value::text(b)?, Value::text(c)?])
}

pub(super) fn partition(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    parts("partition", v, args, false)
}

pub(super) fn rpartition(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    parts("rpartition", v, args, true)
}

fn stripped(name: &str, v: &Value, args: Args, left: bool, right: bool) -> Res<Value> {
    let [cut] = args.positional(name, 0)?;
    let cut: HashSet<char> = match &cut {
        Some(cut) => chars(text(name, "1", cut)?).map(|(_, c, _)| c).collect(),
        None => HashSet::new(),
    };
    let bytes = receiver(v);
    meter::work_len(bytes.len().saturating_mul(4))?;
    let goes = |c: char| if cut.is_empty() { is_space(c) } else { cut.contains(&c) };
    let mut start = 0;
    if left {
        start = chars(bytes)
            .find(|(_, c, _)| !goes(*c))
            .map_or(bytes.len(), |(at, _, _)| at);
    }
    let mut end = bytes.len();
    if right {
        end = start;
        for (at, c, width) in chars(bytes.get(start..).unwrap_or_default()) {
            if !goes(c) {
                end = start + at + width;
            }
        }
    }
    Value::text(bytes.get(start..end).unwrap_or_default())
}

pub(super) fn strip(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    stripped("strip", v, args, true, true)
}

pub(super) fn lstrip(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    stripped("lstrip", v, args, true, false)
}

pub(super) fn rstrip(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    stripped("rstrip", v, args, false, true)
}

/// A list of pieces, each paid for before it is made.
fn pieces<'p>(parts: impl Iterator<Item = &'p [u8]>) -> Res<Value> {
    let mut out = Vec::new();
    for part in parts {
        if out.len() == out.capacity() {
            meter::room(out.len().saturating_mul(ELEMENT * 4))?;
        }
        out.push(Value::text(part)?);
    }
    Value::list(out)
}

/// The words between blanks: where each begins and ends.
fn words(bytes: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut all = chars(bytes).chain(std::iter::once((bytes.len(), ' ', 0)));
    std::iter::from_fn(move || {
        let (start, _, _) = all.by_ref().find(|(_, c, _)| !is_space(*c))?;
        let (end, _, _) = all.by_ref().find(|(_, c, _)| is_space(*c))?;
        Some((start, end))
    })
}

fn split_words(bytes: &[u8], most: usize, from_right: bool) -> Res<Value> {
    if most == usize::MAX {
        return pieces(words(bytes).map(|(s, e)| bytes.get(s..e).unwrap_or_default()));
    }
    let spans: Vec<(usize, usize)> = {
        meter::room(bytes.len().saturating_mul(8))?;
        words(bytes).collect()
    };
    let rest = spans.len().saturating_sub(most);
    let mut out: Vec<&[u8]> = Vec::new();
    let get = |s: usize, e: usize| bytes.get(s..e).unwrap_or_default();
    if from_right {
        // What is not split off stands first, up to the end of its last word.
        let (head, tail) = spans.split_at(rest);
        if let Some((_, end)) = head.last() {
            out.push(get(0, *end));
        }
        out.extend(tail.iter().map(|(s, e)| get(*s, *e)));
    } else {
        let (head, tail) = spans.split_at(spans.len() - rest);
        out.extend(head.iter().map(|(s, e)| get(*s, *e)));
        if let Some((start, _)) = tail.first() {
            out.push(get(*start, bytes.len()));
        }
    }
    pieces(out.into_iter())
}

fn splitting(name: &str, v: &Value, args: Args, from_right: bool) -> Res<Value> {
    let [separator, most] = args.positional(name, 0)?;
    let most = match &most {
        Some(v) => usize::try_from(int(name, "2", v)?).unwrap_or(usize::MAX),
        None => usize::MAX,
    };
    let bytes = receiver(v);
    meter::work_len(bytes.len())?;
    let separator = match &separator {
        None | Some(Value::None) => return split_words(bytes, most, from_right),
        Some(Value::Text(t)) => &t.bytes,
        Some(other) => {
            return Err(Fault::runtime(format!(
                "split: got {} for separator, want string",
                other.kind()
            )));
        }
    };
    if separator.is_empty() {
        return Err(Fault::runtime("split: empty separator"));
    }
    let skip = if from_right && most != usize::MAX {
        memmem::find_iter(bytes, separator).count().saturating_sub(most)
    } else {
        0
    };
    let take = if from_right { usize::MAX } else { most };
    let mut from = 0;
    let mut places = memmem::find_iter(bytes, separator).skip(skip).take(take);
    let mut done = false;
    pieces(std::iter::from_fn(|| {
        if done {
            return None;
        }
        let Some(at) = places.next() else {
            done = true;
            return bytes.get(from..);
        };
        let piece = bytes.get(from..at);
        from = at + separator.len();
        piece
    }))
}

pub(super) fn split(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    splitting("split", v, args, false)
}

pub(super) fn rsplit(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    splitting("rsplit", v, args, true)
}

pub(super) fn splitlines(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [keep] = args.positional("splitlines", 0)?;
    let keep = match &keep {
        Some(Value::Bool(b)) => *b,
        Some(other) => return Err(wrong("splitlines", "1", other, "bool")),
        None => false,
    };
    let bytes = receiver(v);
    meter::work_len(bytes.len())?;
    let mut from = 0;
    pieces(std::iter::from_fn(|| {
        let rest = bytes.get(from..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr(b'\n', rest);
        from += end.map_or(rest.len(), |i| i + 1);
        rest.get(..end.map_or(rest.len(), |i| if keep { i + 1 } else { i }))
    }))
}
