//! Universal functions over sequences.

use crate::fault::{Fault, Res};
use crate::interp::arguments::{Args, int, wrong};
use crate::interp::compare::order;
use crate::interp::machine::Machine;
use crate::interp::meter;
use crate::interp::value::{ELEMENT, Value};
use crate::language::ast::BinaryOp;

pub(super) fn all(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [items] = args.positional("all", 1)?;
    let mut iter = items.unwrap_or(Value::None).iterate_for("all", "1")?;
    while let Some(item) = iter.advance()? {
        meter::work(8)?;
        if !item.truth() {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

pub(super) fn any(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [items] = args.positional("any", 1)?;
    let mut iter = items.unwrap_or(Value::None).iterate_for("any", "1")?;
    while let Some(item) = iter.advance()? {
        meter::work(8)?;
        if item.truth() {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// What one more element of a growing result costs beside the element.
const PAIR: usize = 4 * ELEMENT + 128;

pub(super) fn enumerate(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [items, start] = args.positional("enumerate", 1)?;
    let items = items.unwrap_or(Value::None);
    let mut iter = items.iterate_for("enumerate", "1")?;
    let start = start.map_or(Ok(0), |v| int("enumerate", "2", &v))?;
    meter::room(items.length().unwrap_or(0).saturating_mul(PAIR))?;
    let mut out = Vec::new();
    let mut i = start;
    while let Some(item) = iter.advance()? {
        out.push(Value::tuple(vec![Value::Int(i), item])?);
        i = i.wrapping_add(1);
    }
    Value::list(out)
}

pub(super) fn zip(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    if !args.named.is_empty() {
        return Err(Fault::runtime("zip does not accept keyword arguments"));
    }
    let mut iters = Vec::new();
    for (i, sequence) in args.positional.iter().enumerate() {
        let Some(iter) = sequence.iterate() else {
            return Err(Fault::runtime(format!(
                "zip: argument #{} is not iterable: {}",
                i + 1,
                sequence.kind()
            )));
        };
        iters.push(iter);
    }
    let shortest = args.positional.iter().filter_map(Value::length).min().unwrap_or(0);
    meter::room(shortest.saturating_mul(PAIR))?;
    let mut out = Vec::new();
    'rows: while !iters.is_empty() {
        let mut row = Vec::with_capacity(iters.len());
        for iter in &mut iters {
            match iter.advance()? {
                Some(value) => row.push(value),
                None => break 'rows,
            }
        }
        out.push(Value::tuple(row)?);
    }
    Value::list(out)
}

pub(super) fn reversed(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [items] = args.positional("reversed", 1)?;
    let mut items = items.unwrap_or(Value::None).elements("reversed", "1")?;
    items.reverse();
    Value::list(items)
}

fn callable(name: &str, key: Option<Value>) -> Res<Option<Value>> {
    match key {
        None | Some(Value::Function(_) | Value::Builtin(_)) => Ok(key),
        Some(other) => Err(wrong(name, "key", &other, "callable")),
    }
}

fn call_key(machine: &mut Machine, key: Option<&Value>, value: &Value) -> Res<Value> {
    match key {
        Some(key) => machine.call(
            key,
            Args {
                positional: vec![value.clone()],
                named: Vec::new(),
            },
        ),
        None => Ok(value.clone()),
    }
}

pub(super) fn sorted(machine: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    let [items, key, reverse] = args.unpack("sorted", ["iterable", "key?", "reverse?"])?;
    let items = items.unwrap_or(Value::None);
    drop(items.iterate_for("sorted", "iterable")?);
    let key = callable("sorted", key)?;
    let reverse = match &reverse {
        Some(Value::Bool(b)) => *b,
        Some(other) => return Err(wrong("sorted", "reverse", other, "bool")),
        None => false,
    };
    let items = items.elements("sorted", "iterable")?;
    meter::room(items.len().saturating_mul(4 * ELEMENT))?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        keyed.push((call_key(machine, key.as_ref(), &item)?, item));
    }
    // The sort cannot be left early; after the first fault every comparison is free.
    let mut fault = None;
    keyed.sort_by(|(a, _), (b, _)| {
        if fault.is_some() {
            return std::cmp::Ordering::Equal;
        }
        match order(a, b, BinaryOp::Lt) {
            Ok(order) if reverse => order.reverse(),
            Ok(order) => order,
            Err(f) => {
                fault = Some(f);
                std::cmp::Ordering::Equal
            }
        }
    });
    match fault {
        Some(fault) => Err(fault),
        None => Value::list(keyed.into_iter().map(|(_, item)| item).collect()),
    }
}

fn extreme(machine: &mut Machine, name: &str, args: Args, op: BinaryOp) -> Res<Value> {
    if args.positional.is_empty() {
        return Err(Fault::runtime(format!(
            "{name} requires at least one positional argument"
        )));
    }
    let [key] = Args {
        positional: Vec::new(),
        named: args.named,
    }
    .unpack(name, ["key?"])?;
    let key = callable(name, key)?;
    let items = match <[Value; 1]>::try_from(args.positional) {
        Ok([one]) => one,
        Err(many) => Value::tuple(many)?,
    };
    let Some(mut iter) = items.iterate() else {
        return Err(Fault::runtime(format!(
            "{name}: {} value is not iterable",
            items.kind()
        )));
    };
    let Some(mut best) = iter.advance()? else {
        return Err(Fault::runtime(format!("{name}: argument is an empty sequence")));
    };
    let mut best_key = call_key(machine, key.as_ref(), &best)?;
    while let Some(item) = iter.advance()? {
        let item_key = call_key(machine, key.as_ref(), &item)?;
        let found = order(&item_key, &best_key, op).map_err(|f| f.prefixed(&format!("{name}: ")))?;
        meter::work(16)?;
        if if op == BinaryOp::Gt {
            found.is_gt()
        } else {
            found.is_lt()
        } {
            (best, best_key) = (item, item_key);
        }
    }
    Ok(best)
}

pub(super) fn max(machine: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    extreme(machine, "max", args, BinaryOp::Gt)
}

pub(super) fn min(machine: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    extreme(machine, "min", args, BinaryOp::Lt)
}
