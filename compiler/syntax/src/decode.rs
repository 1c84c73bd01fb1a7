//! A whole text as an "any" value (`language` 2.5), and single texts into typed fields, with the classes of faults that
//! batch answers speak of.

use smol_str::SmolStr;

/// A value of a free position.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// An integer of the signed range.
    Int(i64),
    /// An integer above it.
    Uint(u64),
    /// A number with a point.
    Float(f64),
    /// A text; also binary data as base64 and times in the form of RFC 3339.
    Text(SmolStr),
    /// A list.
    List(Vec<Value>),
    /// A mapping; keys are texts, each once, in the order of the text.
    Map(Vec<(SmolStr, Value)>),
}
