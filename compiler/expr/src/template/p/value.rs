//! Values while a pongo template runs: those of stories, and what tags put beside them.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use super::run::{BlockInfo, CycleValue, MacroRef};
use crate::eval::truncate;
use crate::functions::parse_float;
use crate::print::{self, float};
use crate::value::{Helper, ListKind, Map, Native, Value};

/// A value of a template.
#[derive(Clone)]
pub(crate) struct P {
    pub(crate) v: Pv,
    /// Escaping leaves it alone.
    pub(crate) safe: bool,
    /// An integer that the template made: it is of another type than those of documents, which a few operations see.
    pub(crate) own: bool,
}

#[derive(Clone)]
pub(crate) enum Pv {
    Value(Value),
    /// One byte of a text that is no character: a loop over a text goes by bytes.
    Byte(u8),
    /// The `run` record, which is a plain map here.
    Run(Map),
    /// The engine's own record.
    Meta,
    Loop(Rc<LoopInfo>),
    Cycle(Rc<CycleValue>),
    Helper(Helper),
    Macro(Rc<MacroRef>),
    Block(Rc<BlockInfo>),
}

/// The record of a loop.
#[derive(Default)]
pub(crate) struct LoopInfo {
    pub(crate) counter0: Cell<i64>,
    pub(crate) count: Cell<i64>,
    pub(crate) first: Cell<bool>,
    pub(crate) last: Cell<bool>,
    pub(crate) parent: Option<Rc<LoopInfo>>,
}

impl From<Value> for P {
    fn from(value: Value) -> Self {
        Self {
            v: Pv::Value(value),
            safe: false,
            own: false,
        }
    }
}

impl From<bool> for P {
    fn from(value: bool) -> Self {
        Value::Bool(value).into()
    }
}

impl From<f64> for P {
    fn from(value: f64) -> Self {
        Value::Float(value).into()
    }
}

impl From<String> for P {
    fn from(text: String) -> Self {
        Value::from(text).into()
    }
}

impl From<&str> for P {
    fn from(text: &str) -> Self {
        Value::from(text).into()
    }
}

impl P {
    pub(crate) const NIL: P = P {
        v: Pv::Value(Value::Nil),
        safe: false,
        own: false,
    };

    /// An integer that the template made.
    pub(crate) fn int(value: i64) -> Self {
        Self {
            own: true,
            ..Value::Int(value).into()
        }
    }

    pub(crate) fn safe_text(text: String) -> Self {
        Self {
            safe: true,
            ..text.into()
        }
    }

    pub(crate) fn is_nil(&self) -> bool {
        matches!(self.v, Pv::Value(Value::Nil))
    }

    pub(crate) fn is_string(&self) -> bool {
        matches!(self.v, Pv::Value(Value::Str(_)) | Pv::Byte(_))
    }

    pub(crate) fn is_bool(&self) -> bool {
        matches!(self.v, Pv::Value(Value::Bool(_)))
    }

    pub(crate) fn is_float(&self) -> bool {
        matches!(self.v, Pv::Value(Value::Float(_)))
    }

    pub(crate) fn is_integer(&self) -> bool {
        matches!(self.v, Pv::Value(Value::Int(_) | Value::Uint(_)))
    }

    pub(crate) fn is_number(&self) -> bool {
        self.is_integer() || self.is_float()
    }

    /// A list or a text.
    pub(crate) fn can_slice(&self) -> bool {
        self.is_string() || matches!(self.v, Pv::Value(Value::List(_)))
    }

    /// As an integer: texts by what they spell, everything else that is no number is 0.
    pub(crate) fn integer(&self) -> i64 {
        match &self.v {
            Pv::Value(Value::Float(value)) => truncate(*value),
            Pv::Value(Value::Str(text)) => parse_float(text).map_or(0, truncate),
            Pv::Value(value) => value.as_int().unwrap_or(0),
            _ => 0,
        }
    }

    /// As a double: texts by what they spell, everything else that is no number is 0.
    pub(crate) fn float(&self) -> f64 {
        match &self.v {
            Pv::Value(Value::Str(text)) => parse_float(text).unwrap_or(0.0),
            Pv::Value(value) => value.as_float().unwrap_or(0.0),
            _ => 0.0,
        }
    }

    /// The truth of a value: zero, nothing and what is empty are false.
    pub(crate) fn is_true(&self) -> bool {
        match &self.v {
            Pv::Value(value) => match value {
                Value::Nil => false,
                Value::Bool(value) => *value,
                Value::Int(value) => *value != 0,
                Value::Uint(value) => *value != 0,
                Value::Float(value) => *value != 0.0,
                Value::Str(text) => !text.is_empty(),
                Value::List(list) => !list.is_empty(),
                Value::Map(map) => !map.is_empty(),
                Value::Native(Native::UnsetRoot | Native::Helper { .. }) => false,
                Value::Native(_) => true,
            },
            Pv::Byte(_) | Pv::Run(_) | Pv::Meta | Pv::Loop(_) | Pv::Block(_) | Pv::Cycle(_) => true,
            Pv::Helper(_) | Pv::Macro(_) => false,
        }
    }

    /// The opposite, as a value of the same family.
    pub(crate) fn negate(&self) -> P {
        match &self.v {
            Pv::Value(Value::Int(_) | Value::Uint(_)) => P::int(i64::from(self.integer() == 0)),
            Pv::Value(Value::Float(value)) => P::from(if *value == 0.0 { 1.1 } else { 0.0 }),
            _ => P::from(!self.is_true()),
        }
    }

    /// Elements of a list or map, characters of a text, nothing else.
    pub(crate) fn len(&self) -> usize {
        match &self.v {
            Pv::Value(Value::Str(text)) => text.chars().count(),
            Pv::Value(Value::List(list)) => list.len(),
            Pv::Value(Value::Map(map)) => map.len(),
            Pv::Run(map) => map.len(),
            Pv::Byte(_) | Pv::Meta => 1,
            _ => 0,
        }
    }

    /// The element at an index of a list, the character of a text.
    pub(crate) fn index(&self, index: usize) -> P {
        match &self.v {
            Pv::Value(Value::List(list)) => list.get(index).cloned().map_or(P::NIL, P::from),
            Pv::Value(Value::Str(text)) => text
                .chars()
                .nth(index)
                .map_or(P::from(""), |c| P::from(c.encode_utf8(&mut [0; 4]) as &str)),
            Pv::Byte(_) => self.clone(),
            _ => P::NIL,
        }
    }

    /// The printed form.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match &self.v {
            Pv::Value(value) => value_text(value),
            Pv::Byte(_) => Cow::Borrowed("\u{fffd}"),
            Pv::Run(_) => Cow::Borrowed("<map[string]interface {} Value>"),
            Pv::Meta => Cow::Borrowed("<pongo2.Context Value>"),
            Pv::Loop(_) => Cow::Borrowed("<pongo2.tagForLoopInformation Value>"),
            Pv::Cycle(cycle) => Cow::Owned(cycle.value.borrow().text().into_owned()),
            Pv::Helper(_) => Cow::Borrowed("<func(string) Value>"),
            Pv::Macro(_) => Cow::Borrowed("<func(...*pongo2.Value) (*pongo2.Value, error) Value>"),
            Pv::Block(_) => Cow::Borrowed("<pongo2.tagBlockInformation Value>"),
        }
    }
}

fn value_text(value: &Value) -> Cow<'_, str> {
    Cow::Owned(match value {
        Value::Nil => return Cow::Borrowed(""),
        Value::Bool(true) => return Cow::Borrowed("True"),
        Value::Bool(false) => return Cow::Borrowed("False"),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Float(value) => float::fixed(*value, 6),
        Value::Str(text) => return Cow::Borrowed(text),
        Value::List(list) => match list.kind() {
            ListKind::Any => print::to_json(value).unwrap_or_else(|_| "<unrenderable array>".to_owned()),
            ListKind::Strings | ListKind::NilStrings => return Cow::Borrowed("<[]string Value>"),
            ListKind::Ints => return Cow::Borrowed("<[]int Value>"),
            ListKind::Bytes => return Cow::Borrowed("<[]uint8 Value>"),
            ListKind::Bare => return Cow::Borrowed("<[]interface {} Value>"),
        },
        Value::Map(_) => print::to_json(value).unwrap_or_else(|_| "<unrenderable object>".to_owned()),
        Value::Native(Native::UnsetRoot) => return Cow::Borrowed("{}"),
        Value::Native(_) => print::stringified(value).unwrap_or_default(),
    })
}

/// `a == b`: integers by value, everything else by kind and value; `None` where the reference panics (two lists, two maps).
#[expect(clippy::float_cmp, reason = "the language compares exactly")]
pub(crate) fn equal(a: &P, b: &P) -> Option<bool> {
    if a.is_integer() && b.is_integer() {
        return Some(a.integer() == b.integer());
    }
    Some(match (&a.v, &b.v) {
        (Pv::Value(x), Pv::Value(y)) => match (x, y) {
            (Value::Nil, Value::Nil) => true,
            (Value::Bool(x), Value::Bool(y)) => x == y,
            (Value::Float(x), Value::Float(y)) => x == y,
            (Value::Str(x), Value::Str(y)) => x == y,
            (Value::List(x), Value::List(y)) => {
                let family = |kind| {
                    if kind == ListKind::NilStrings {
                        ListKind::Strings
                    } else {
                        kind
                    }
                };
                if family(x.kind()) == family(y.kind()) {
                    return None;
                }
                false
            }
            (Value::Map(_), Value::Map(_)) => return None,
            (Value::Native(x), Value::Native(y)) => x == y,
            _ => false,
        },
        (Pv::Byte(x), Pv::Byte(y)) => x == y,
        (Pv::Run(_), Pv::Run(_)) | (Pv::Meta, Pv::Meta) | (Pv::Block(_), Pv::Block(_)) => return None,
        (Pv::Helper(_), Pv::Helper(_)) | (Pv::Macro(_), Pv::Macro(_)) => return None,
        (Pv::Loop(x), Pv::Loop(y)) => Rc::ptr_eq(x, y),
        (Pv::Cycle(x), Pv::Cycle(y)) => Rc::ptr_eq(x, y),
        _ => false,
    })
}
