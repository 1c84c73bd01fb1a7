//! Methods of lists.

use std::rc::Rc;

use super::text_search::bounds;
use crate::fault::{Fault, Res};
use crate::interp::arguments::{Args, int};
use crate::interp::compare::equal;
use crate::interp::index::position_of;
use crate::interp::machine::Machine;
use crate::interp::meter;
use crate::interp::value::{List, Value};

fn receiver(v: &Value) -> Res<&Rc<List>> {
    match v {
        Value::List(l) => Ok(l),
        other => Err(Fault::runtime(format!("{} is no list", other.kind()))),
    }
}

/// The receiver, when it may be changed.
fn mutable<'v>(name: &str, v: &'v Value, verb: &str) -> Res<&'v Rc<List>> {
    let list = receiver(v)?;
    list.guard
        .check(verb, "list")
        .map_err(|f| f.prefixed(&format!("{name}: ")))?;
    Ok(list)
}

pub(super) fn append(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [object] = args.positional("append", 1)?;
    mutable("append", v, "append to")?.push(object.unwrap_or(Value::None))?;
    Ok(Value::None)
}

pub(super) fn clear(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    args.positional::<0>("clear", 0)?;
    let old = std::mem::take(&mut *mutable("clear", v, "clear")?.items.borrow_mut());
    drop(old);
    Ok(Value::None)
}

pub(super) fn extend(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [items] = args.positional("extend", 1)?;
    let items = items.unwrap_or(Value::None);
    drop(items.iterate_for("extend", "1")?);
    let list = mutable("extend", v, "extend")?;
    let more = items.elements("extend", "1")?;
    list.reserve(more.len())?;
    list.items.borrow_mut().extend(more);
    Ok(Value::None)
}

pub(super) fn index(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [value, start, end] = args.positional("index", 1)?;
    let value = value.unwrap_or(Value::None);
    let list = receiver(v)?;
    let (start, end) = bounds("index", start.as_ref(), end.as_ref(), list.len())?;
    for i in start..end {
        if equal(&list.get(i).unwrap_or(Value::None), &value).map_err(|f| f.prefixed("index: "))? {
            return Ok(Value::Int(i64::try_from(i).unwrap_or(i64::MAX)));
        }
    }
    Err(Fault::runtime("index: value not in list"))
}

pub(super) fn insert(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [at, object] = args.positional("insert", 2)?;
    let at = int("insert", "1", &at.unwrap_or(Value::None))?;
    let list = mutable("insert", v, "insert into")?;
    let len = list.len();
    let n = i64::try_from(len).unwrap_or(i64::MAX);
    let at = if at < 0 { (at + n).max(0) } else { at.min(n) };
    list.reserve(1)?;
    meter::work_len(len)?;
    list.items.borrow_mut().insert(
        usize::try_from(at).unwrap_or(len).min(len),
        object.unwrap_or(Value::None),
    );
    Ok(Value::None)
}

pub(super) fn pop(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [at] = args.positional("pop", 0)?;
    let list = receiver(v)?;
    let len = list.len();
    let at = match &at {
        Some(v) => int("pop", "1", v)?,
        None => -1,
    };
    let at = position_of("list", at, len).map_err(|f| f.prefixed("pop: "))?;
    mutable("pop", v, "pop from")?;
    meter::work_len(len - at)?;
    let value = list.items.borrow_mut().remove(at);
    Ok(value)
}

pub(super) fn remove(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [value] = args.positional("remove", 1)?;
    let value = value.unwrap_or(Value::None);
    let list = mutable("remove", v, "remove from")?;
    for i in 0..list.len() {
        if equal(&list.get(i).unwrap_or(Value::None), &value).map_err(|f| f.prefixed("remove: "))? {
            meter::work_len(list.len() - i)?;
            let old = list.items.borrow_mut().remove(i);
            drop(old);
            return Ok(Value::None);
        }
    }
    Err(Fault::runtime("remove: element not found"))
}
