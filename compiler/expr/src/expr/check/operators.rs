//! Static rules of operators: which kinds each accepts and what it yields.

use super::super::lexer::Op;
use super::nature::{Kind, Nature};

/// The nature of a prefix operation; `None` when the operand cannot work.
pub(super) fn unary(op: Op, operand: &Nature) -> Option<Nature> {
    match op {
        Op::Bang | Op::Not => (*operand == Nature::Bool || operand.is_unknown()).then_some(Nature::Bool),
        _ if operand.is_number() => Some(operand.clone()),
        _ => operand.is_unknown().then_some(Nature::Unknown),
    }
}

/// The nature of a binary operation; `None` when the operands cannot work together.
pub(super) fn binary(op: Op, l: &Nature, r: &Nature) -> Option<Nature> {
    use Nature::{Bool, Duration, Float, Int, Str, Time, Unknown};
    let numbers = l.is_number() && r.is_number();
    let promoted = || if *l == Float || *r == Float { Float } else { Int };
    match op {
        Op::Equal | Op::NotEqual => l.comparable_to(r).then_some(Bool),
        Op::And | Op::AndAnd | Op::Or | Op::OrOr => (*l == Bool && *r == Bool || maybe(l, r, &[Bool])).then_some(Bool),
        Op::Less | Op::LessEqual | Op::More | Op::MoreEqual => {
            let same = numbers || *l == *r && matches!(l, Str | Time | Duration);
            (same || maybe(l, r, &[Int, Float, Str, Time, Duration])).then_some(Bool)
        }
        Op::Plus => match (l, r) {
            _ if numbers => Some(promoted()),
            (Str, Str) => Some(Str),
            (Time, Duration) | (Duration, Time) => Some(Time),
            (Duration, Duration) => Some(Duration),
            _ => maybe(l, r, &[Int, Float, Str, Time, Duration]).then_some(Unknown),
        },
        Op::Minus => match (l, r) {
            _ if numbers => Some(promoted()),
            (Time, Time) | (Duration, Duration) => Some(Duration),
            (Time, Duration) => Some(Time),
            _ => maybe(l, r, &[Int, Float, Time, Duration]).then_some(Unknown),
        },
        Op::Star => match (l, r) {
            _ if numbers => Some(promoted()),
            (Duration, Duration | Int | Float) | (Int | Float, Duration) => Some(Duration),
            _ => maybe(l, r, &[Int, Float, Duration]).then_some(Unknown),
        },
        Op::Slash | Op::Power | Op::Caret => (numbers || maybe(l, r, &[Int, Float])).then_some(Float),
        Op::Percent => (*l == Int && *r == Int || maybe(l, r, &[Int])).then_some(Int),
        Op::Range => (*l == Int && *r == Int || maybe(l, r, &[Int])).then(|| Nature::list_of(Int)),
        Op::Matches => {
            let texts = matches!(l, Str | Nature::Bytes) && *r == Str;
            (texts || maybe(l, r, &[Str])).then_some(Bool)
        }
        Op::Contains | Op::StartsWith | Op::EndsWith => (*l == Str && *r == Str || maybe(l, r, &[Str])).then_some(Bool),
        Op::In => membership(l, r).then_some(Bool),
        Op::Coalesce => Some(match (l, r) {
            (Nature::Nil, other) | (other, Nature::Nil) => other.clone(),
            _ if r.assignable_to(l) => l.clone(),
            _ => Unknown,
        }),
        _ => None,
    }
}

fn membership(l: &Nature, r: &Nature) -> bool {
    match r {
        Nature::Run | Nature::Time => *l == Nature::Str || l.is_unknown(),
        Nature::Map => l.is_unknown() || *l == Nature::Str,
        Nature::Groups => true,
        _ if r.is_list() => l.comparable_to(&r.element()),
        Nature::Str => l.is_unknown(),
        _ => r.is_unknown(),
    }
}

/// Both unknown, or one unknown and the other of a kind that the operator accepts.
fn maybe(l: &Nature, r: &Nature, accepted: &[Nature]) -> bool {
    match (l.is_unknown(), r.is_unknown()) {
        (true, true) => true,
        (true, false) => accepted.contains(r),
        (false, true) => accepted.contains(l),
        (false, false) => false,
    }
}

/// The nature of `c ? a : b`.
pub(super) fn conditional(a: &Nature, b: &Nature) -> Nature {
    match (a, b) {
        (Nature::Nil, other) | (other, Nature::Nil) => other.clone(),
        _ if a.assignable_to(b) => {
            if a.kind() == Kind::List && b.kind() == Kind::List {
                let (x, y) = (a.element(), b.element());
                if !x.assignable_to(&y) || !y.assignable_to(&x) {
                    return Nature::AnyList;
                }
            }
            a.clone()
        }
        _ => Nature::Unknown,
    }
}

/// The nature of a list literal: that of the last element when all are of one kind.
pub(super) fn list<'a>(items: impl Iterator<Item = &'a Nature>) -> Nature {
    let mut last: Option<&Nature> = None;
    let mut uniform = true;
    for item in items {
        uniform &= last.is_none_or(|before| before.kind() == item.kind());
        last = Some(item);
    }
    match last {
        _ if !uniform => Nature::AnyList,
        None => Nature::list_of(Nature::Unknown),
        Some(last) => Nature::list_of(last.clone()),
    }
}
