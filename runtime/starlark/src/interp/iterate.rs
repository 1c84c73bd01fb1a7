//! Going through a value: lists, tuples, dicts (their keys), ranges, `elems()`. Texts cannot be gone through.

use std::rc::Rc;

use super::meter;
use super::value::{Dict, ElemKind, Elems, List, Range, Tuple, Value};
use crate::fault::{Fault, Res};

/// An iteration under way. While it lives, the list or dict cannot be changed.
pub(crate) struct Iter {
    source: Source,
    next: usize,
}

enum Source {
    List(Rc<List>),
    Tuple(Rc<Tuple>),
    Dict(Rc<Dict>),
    Range(Range),
    Elems(Rc<Elems>),
}

impl Drop for Iter {
    fn drop(&mut self) {
        let guard = match &self.source {
            Source::List(l) => &l.guard,
            Source::Dict(d) => &d.guard,
            _ => return,
        };
        guard.iterators.set(guard.iterators.get().saturating_sub(1));
    }
}

impl Range {
    /// The element at a position.
    pub(crate) fn at(&self, i: i64) -> i64 {
        self.start.wrapping_add(i.wrapping_mul(self.step))
    }
}

impl Value {
    /// Begins to go through it; `None` when that is impossible.
    pub(crate) fn iterate(&self) -> Option<Iter> {
        let source = match self {
            Value::List(l) => {
                l.guard.iterators.set(l.guard.iterators.get() + 1);
                Source::List(l.clone())
            }
            Value::Dict(d) => {
                d.guard.iterators.set(d.guard.iterators.get() + 1);
                Source::Dict(d.clone())
            }
            Value::Tuple(t) => Source::Tuple(t.clone()),
            Value::Range(r) => Source::Range(**r),
            Value::Elems(e) => Source::Elems(e.clone()),
            _ => return None,
        };
        Some(Iter { source, next: 0 })
    }

    /// How many elements it has; `None` when it has no length.
    pub(crate) fn length(&self) -> Option<usize> {
        match self {
            Value::Text(t) | Value::Bytes(t) => Some(t.bytes.len()),
            Value::List(l) => Some(l.len()),
            Value::Tuple(t) => Some(t.items.len()),
            Value::Dict(d) => Some(d.table.borrow().len()),
            Value::Range(r) => usize::try_from(r.len).ok(),
            _ => None,
        }
    }

    /// Begins to go through an argument of a builtin.
    pub(crate) fn iterate_for(&self, name: &str, parameter: &str) -> Res<Iter> {
        self.iterate()
            .ok_or_else(|| super::arguments::wrong(name, parameter, self, "iterable"))
    }

    /// The elements as a vector. The room is asked for first when the length is known.
    pub(crate) fn elements(&self, name: &str, parameter: &str) -> Res<Vec<Value>> {
        let mut iter = self.iterate_for(name, parameter)?;
        let length = self.length().unwrap_or(0);
        meter::room(length.saturating_mul(super::value::ELEMENT).saturating_mul(2))?;
        let mut out = Vec::with_capacity(length);
        while let Some(value) = iter.advance()? {
            if out.len() == out.capacity() {
                meter::room(out.len().saturating_mul(super::value::ELEMENT).saturating_mul(4))?;
            }
            meter::work(8)?;
            out.push(value);
        }
        Ok(out)
    }
}

impl Iter {
    /// The next element.
    pub(crate) fn advance(&mut self) -> Res<Option<Value>> {
        let i = self.next;
        self.next += 1;
        Ok(match &self.source {
            Source::List(l) => l.get(i),
            Source::Tuple(t) => t.items.get(i).cloned(),
            Source::Range(r) => {
                let i = i64::try_from(i).unwrap_or(i64::MAX);
                (i < r.len).then(|| Value::Int(r.at(i)))
            }
            Source::Dict(d) => {
                let table = d.table.borrow();
                let mut at = i;
                while at < table.positions() {
                    if let Some((key, _)) = table.at(at) {
                        self.next = at + 1;
                        return Ok(Some(key.clone()));
                    }
                    at += 1;
                }
                None
            }
            Source::Elems(e) => return self.element(&e.clone(), i),
        })
    }

    fn element(&mut self, elems: &Elems, i: usize) -> Res<Option<Value>> {
        let Some(rest) = elems.text.bytes.get(i..).filter(|rest| !rest.is_empty()) else {
            return Ok(None);
        };
        let first = rest.first().copied().unwrap_or(0);
        match elems.kind {
            ElemKind::Bytes => Value::text([first]).map(Some),
            ElemKind::ByteOrds | ElemKind::OfBytes => Ok(Some(Value::Int(i64::from(first)))),
            ElemKind::Chars | ElemKind::CharOrds => {
                let (c, width) = first_char(rest);
                self.next = i + width;
                if elems.kind == ElemKind::CharOrds {
                    return Ok(Some(Value::Int(i64::from(u32::from(c)))));
                }
                Value::str(c.encode_utf8(&mut [0; 4])).map(Some)
            }
        }
    }
}

/// The first character of non-empty bytes and how long it is; a byte that begins none is a replacement character.
pub(crate) fn first_char(bytes: &[u8]) -> (char, usize) {
    let head = bytes.get(..4).unwrap_or(bytes);
    let valid = match std::str::from_utf8(head) {
        Ok(s) => s,
        Err(e) => head
            .get(..e.valid_up_to())
            .and_then(|b| std::str::from_utf8(b).ok())
            .unwrap_or_default(),
    };
    valid.chars().next().map_or(('\u{fffd}', 1), |c| (c, c.len_utf8()))
}

/// The fault of going through something else.
pub(crate) fn not_iterable(value: &Value) -> Box<Fault> {
    Fault::runtime(format!("{} value is not iterable", value.kind()))
}
