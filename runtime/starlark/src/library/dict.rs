//! Methods of dicts.

use std::rc::Rc;

use crate::fault::{Fault, Res};
use crate::interp::arguments::Args;
use crate::interp::machine::Machine;
use crate::interp::meter;
use crate::interp::table::Table;
use crate::interp::value::{Dict, ELEMENT, Value};

fn receiver(v: &Value) -> Res<&Rc<Dict>> {
    match v {
        Value::Dict(d) => Ok(d),
        other => Err(Fault::runtime(format!("{} is no dict", other.kind()))),
    }
}

pub(super) fn clear(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    args.positional::<0>("clear", 0)?;
    let dict = receiver(v)?;
    dict.guard.check("clear", "hash table")?;
    dict.table.borrow_mut().clear();
    Ok(Value::None)
}

pub(super) fn get(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [key, default] = args.positional("get", 1)?;
    let found = receiver(v)?
        .table
        .borrow()
        .get(&key.unwrap_or(Value::None))
        .map_err(|f| f.prefixed("get: "))?;
    Ok(found.or(default).unwrap_or(Value::None))
}

fn collect(name: &str, v: &Value, args: Args, pick: fn(&(Value, Value)) -> Res<Value>) -> Res<Value> {
    args.positional::<0>(name, 0)?;
    let dict = receiver(v)?;
    let table = dict.table.borrow();
    meter::room(table.len().saturating_mul(ELEMENT))?;
    let mut out = Vec::with_capacity(table.len());
    for entry in table.iter() {
        meter::work(8)?;
        out.push(pick(entry)?);
    }
    Value::list(out)
}

pub(super) fn items(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    collect("items", v, args, |(k, v)| Value::tuple(vec![k.clone(), v.clone()]))
}

pub(super) fn keys(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    collect("keys", v, args, |(k, _)| Ok(k.clone()))
}

pub(super) fn values(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    collect("values", v, args, |(_, v)| Ok(v.clone()))
}

pub(super) fn pop(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [key, default] = args.positional("pop", 1)?;
    let dict = receiver(v)?;
    let prefix = |f: Box<Fault>| f.prefixed("pop: ");
    dict.guard.check("delete from", "hash table").map_err(prefix)?;
    let found = dict
        .table
        .borrow_mut()
        .remove(&key.unwrap_or(Value::None))
        .map_err(prefix)?;
    found.or(default).ok_or_else(|| Fault::runtime("pop: missing key"))
}

pub(super) fn popitem(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    args.positional::<0>("popitem", 0)?;
    let dict = receiver(v)?;
    if dict.table.borrow().len() == 0 {
        return Err(Fault::runtime("popitem: empty dict"));
    }
    dict.guard
        .check("delete from", "hash table")
        .map_err(|f| f.prefixed("popitem: "))?;
    let entry = dict.table.borrow_mut().pop_first()?;
    match entry {
        Some((key, value)) => Value::tuple(vec![key, value]),
        None => Err(Fault::runtime("popitem: empty dict")),
    }
}

pub(super) fn setdefault(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [key, default] = args.positional("setdefault", 1)?;
    let (key, default) = (key.unwrap_or(Value::None), default.unwrap_or(Value::None));
    let dict = receiver(v)?;
    let prefix = |f: Box<Fault>| f.prefixed("setdefault: ");
    let found = dict.table.borrow().get(&key).map_err(prefix)?;
    if let Some(value) = found {
        return Ok(value);
    }
    dict.guard.check("insert into", "hash table").map_err(prefix)?;
    dict.table.borrow_mut().insert(key, default.clone()).map_err(prefix)?;
    Ok(default)
}

pub(super) fn update(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    if args.positional.len() > 1 {
        return Err(Fault::runtime(format!(
            "update: got {} arguments, want at most 1",
            args.positional.len()
        )));
    }
    let dict = receiver(v)?;
    let entries = entries(args).map_err(|f| f.prefixed("update: "))?;
    for (key, value) in entries {
        dict.guard
            .check("insert into", "hash table")
            .map_err(|f| f.prefixed("update: "))?;
        dict.table
            .borrow_mut()
            .insert(key, value)
            .map_err(|f| f.prefixed("update: "))?;
    }
    Ok(Value::None)
}

/// `dict(pairs, name=value)`.
pub(super) fn make(_: &mut Machine, _: &Value, args: Args) -> Res<Value> {
    if args.positional.len() > 1 {
        return Err(Fault::runtime(format!(
            "dict: got {} arguments, want at most 1",
            args.positional.len()
        )));
    }
    let mut table = Table::new()?;
    for (key, value) in entries(args).map_err(|f| f.prefixed("dict: "))? {
        table.insert(key, value).map_err(|f| f.prefixed("dict: "))?;
    }
    Ok(Value::dict(table))
}

/// The entries that `dict` and `update` are given: a dict or pairs, then names.
fn entries(args: Args) -> Res<Vec<(Value, Value)>> {
    let mut out = Vec::new();
    match args.positional.first() {
        Some(Value::Dict(d)) => {
            let table = d.table.borrow();
            meter::room(table.len().saturating_mul(2 * ELEMENT))?;
            out.extend(table.iter().cloned());
        }
        Some(other) => {
            let Some(mut iter) = other.iterate() else {
                return Err(Fault::runtime(format!("got {}, want iterable", other.kind())));
            };
            let mut i = 0;
            while let Some(pair) = iter.advance()? {
                if out.len() == out.capacity() {
                    meter::room(out.len().saturating_mul(8 * ELEMENT))?;
                }
                meter::work(16)?;
                out.push(entry(&pair, i)?);
                i += 1;
            }
        }
        None => {}
    }
    for (name, value) in args.named {
        out.push((Value::str(&name)?, value));
    }
    Ok(out)
}

fn entry(pair: &Value, i: usize) -> Res<(Value, Value)> {
    let fault = |rest: String| Fault::runtime(format!("dictionary update sequence element #{i} {rest}"));
    let Some(mut iter) = pair.iterate() else {
        return Err(fault(format!("is not iterable ({})", pair.kind())));
    };
    match pair.length() {
        None => Err(fault(format!("has unknown length ({})", pair.kind()))),
        Some(2) => {
            let key = iter.advance()?.unwrap_or(Value::None);
            let value = iter.advance()?.unwrap_or(Value::None);
            Ok((key, value))
        }
        Some(n) => Err(fault(format!("has length {n}, want 2"))),
    }
}
