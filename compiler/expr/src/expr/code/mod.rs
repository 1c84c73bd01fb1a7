//! Compiled expressions: operations for a stack machine, so that neither compiling nor running recurses.

mod fold;
mod generate;

use regex::Regex;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::ast::NodeId;
use super::lexer::Op;
use crate::functions::Function;
use crate::value::{Helper, Value};

pub(crate) use generate::generate;

/// The operations of one expression, each with the node to point at when it fails.
#[derive(Debug, Clone, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Instr>,
    pub(crate) nodes: Vec<NodeId>,
}

/// An operation. Jump targets are indexes of operations.
#[derive(Debug, Clone)]
pub(crate) enum Instr {
    /// Pushes a value.
    Push(Value),
    /// Pushes the value of a name.
    Load(SmolStr),
    /// Takes key and base, pushes the member.
    Fetch,
    /// Takes the base, pushes the member of a known name.
    FetchName(SmolStr),
    /// Takes lower bound, upper bound and base, pushes the part.
    Slice,
    /// Pushes the length of what lies on top, for a slice without an upper bound.
    SliceEnd,
    Pop,
    Jump(usize),
    /// Jumps when the top is true or false; the top stays. Fails unless it is a bool.
    JumpIf(bool, usize),
    /// Jumps when the top is nil or is not; the top stays.
    JumpNil(bool, usize),
    /// Makes any kind of nil on top an ordinary nil.
    PlainNil,
    /// Replaces nil on top by an empty list.
    NilToList,
    Not,
    Negate,
    /// A binary operator that looks at both values.
    Binary(Op),
    /// `==` of two values that must be integers.
    EqualInts,
    /// `==` of two values that must be texts.
    EqualTexts,
    /// `in` a list of text literals: nil counts as the empty text, other kinds fail.
    InTexts(FxHashSet<SmolStr>),
    /// `in` a list of integer literals with an integer before it.
    InInts(FxHashSet<i64>),
    /// `in` a range of integer literals with an integer before it.
    InRange(i64, i64),
    /// `matches` a literal pattern.
    Matches(Box<Regex>),
    /// Takes that many values, pushes a list.
    List(usize),
    /// Takes that many arguments.
    Call(Function, usize),
    /// Takes the name of an intent.
    Helper(Helper),
}
