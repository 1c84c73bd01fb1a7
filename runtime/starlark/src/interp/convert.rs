//! Values to [`Data`] and back.

use super::meter::Charge;
use super::table::Table;
use super::value::Value;
use super::{MAX_VALUE_NESTING, meter, number, show};
use crate::data::{Data, DataMap};
use crate::fault::{Class, Fault, Res};

/// A value of the story as a value of the script. Mappings become dicts in the order of their keys.
pub(crate) fn from_data(data: &Data) -> Res<Value> {
    from_data_at(data, 0)
}

fn from_data_at(data: &Data, depth: usize) -> Res<Value> {
    if depth > MAX_VALUE_NESTING {
        return Err(Fault::new(Class::LimitDepth, "value nested too deep for a script"));
    }
    meter::work(16)?;
    Ok(match data {
        Data::Null => Value::None,
        Data::Bool(b) => Value::Bool(*b),
        Data::Int(i) => Value::Int(*i),
        Data::Float(f) => Value::Float(*f),
        Data::Text(s) => Value::str(s)?,
        Data::List(items) => {
            let mut out = Vec::with_capacity(items.len());
            for item in items {
                out.push(from_data_at(item, depth + 1)?);
            }
            Value::list(out)?
        }
        Data::Map(map) => from_map_at(map, depth)?,
    })
}

/// A mapping as a dict.
pub(crate) fn from_map(map: &DataMap) -> Res<Value> {
    from_map_at(map, 0)
}

fn from_map_at(map: &DataMap, depth: usize) -> Res<Value> {
    let mut table = Table::new()?;
    for (key, value) in map {
        table.insert(Value::str(key)?, from_data_at(value, depth + 1)?)?;
    }
    Ok(Value::dict(table))
}

/// What one result, or one argument of a handler or a request, may hold in bytes.
pub(crate) const MAX_HANDED_OVER: usize = 16 << 20;

/// A value of the script as a value of the story.
pub(crate) fn to_data(value: &Value) -> Res<Data> {
    // The copy is paid for while it is made: a value that shares its parts is as large as if it did not.
    let charge = Charge::take(0)?;
    to_data_at(value, 0, &charge)
}

/// A dict of the script as a mapping.
pub(crate) fn to_map(value: &Value) -> Res<DataMap> {
    match to_data(value)? {
        Data::Map(map) => Ok(map),
        _ => Ok(DataMap::new()),
    }
}

fn to_data_at(value: &Value, depth: usize, charge: &Charge) -> Res<Data> {
    if depth > MAX_VALUE_NESTING {
        return Err(Fault::new(
            Class::LimitDepth,
            "value nested too deep, or containing itself",
        ));
    }
    charge.grow(48)?;
    if charge.bytes() > MAX_HANDED_OVER {
        return Err(Fault::new(Class::LimitMemory, "value too large to be handed over"));
    }
    meter::work(16)?;
    Ok(match value {
        Value::None => Data::Null,
        Value::Bool(b) => Data::Bool(*b),
        Value::Int(i) => Data::Int(*i),
        Value::Big(_) => Data::Float(number::lossy_float(value)),
        Value::Float(f) => Data::Float(*f),
        Value::Text(t) => {
            charge.grow(t.bytes.len())?;
            if charge.bytes() > MAX_HANDED_OVER {
                return Err(Fault::new(Class::LimitMemory, "value too large to be handed over"));
            }
            Data::Text(String::from_utf8_lossy(&t.bytes).into_owned())
        }
        Value::List(l) => list(&l.items.borrow(), depth, charge)?,
        Value::Tuple(t) => list(&t.items, depth, charge)?,
        Value::Dict(d) => {
            let mut map = DataMap::new();
            for (key, value) in d.table.borrow().iter() {
                let Some(name) = key.as_text() else {
                    return Err(Fault::runtime(format!("dict key {} is not a string", show::repr(key)?)));
                };
                charge.grow(name.len() + 48)?;
                let name = String::from_utf8_lossy(name).into_owned();
                map.insert(name, to_data_at(value, depth + 1, charge)?);
            }
            Data::Map(map)
        }
        other => {
            return Err(Fault::runtime(format!(
                "cannot convert Starlark value of type {} to a Go output",
                other.kind()
            )));
        }
    })
}

fn list(items: &[Value], depth: usize, charge: &Charge) -> Res<Data> {
    let mut out = Vec::new();
    for item in items {
        out.push(to_data_at(item, depth + 1, charge)?);
    }
    Ok(Data::List(out))
}
