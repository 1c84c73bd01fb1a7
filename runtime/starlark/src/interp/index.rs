//! `x[i]`, `x[i:j:k]` and assignment to an element.

use super::meter;
use super::number;
use super::show;
use super::value::{ELEMENT, Range, Value};
use crate::fault::{Fault, Res};

/// An index as the reference reads it: an integer of 32 bits.
pub(crate) fn int32(v: &Value) -> Result<i64, String> {
    match v {
        Value::Int(i) if i32::try_from(*i).is_ok() => Ok(*i),
        Value::Int(_) | Value::Big(_) => Err(format!("{} out of range", number::decimal(v))),
        other => Err(format!("got {}, want int", other.kind())),
    }
}

/// The position that an index means in something of `len` elements.
fn position(kind: &str, index: &Value, len: usize) -> Res<usize> {
    let asked = int32(index).map_err(|e| Fault::runtime(format!("{kind} index: {e}")))?;
    position_of(kind, asked, len)
}

/// The position that an integer means; negative ones count from the end.
pub(crate) fn position_of(kind: &str, asked: i64, len: usize) -> Res<usize> {
    let n = i64::try_from(len).unwrap_or(i64::MAX);
    let at = if asked < 0 { asked.saturating_add(n) } else { asked };
    match usize::try_from(at) {
        Ok(at) if at < len => Ok(at),
        _ if len == 0 => Err(Fault::runtime(format!("index {asked} out of range: empty {kind}"))),
        _ => Err(Fault::runtime(format!(
            "{kind} index {asked} out of range [{}:{}]",
            -n,
            n - 1
        ))),
    }
}

/// `object[index]`.
pub(crate) fn get(object: &Value, index: &Value) -> Res<Value> {
    let none = || Fault::runtime("index out of range");
    match object {
        Value::Dict(d) => match d.table.borrow().get(index)? {
            Some(value) => Ok(value),
            None => Err(Fault::runtime(format!("key {} not in dict", show::repr(index)?))),
        },
        Value::List(l) => l.get(position("list", index, l.len())?).ok_or_else(none),
        Value::Tuple(t) => t
            .items
            .get(position("tuple", index, t.items.len())?)
            .cloned()
            .ok_or_else(none),
        Value::Text(t) => {
            let at = position("string", index, t.bytes.len())?;
            Value::text([*t.bytes.get(at).ok_or_else(none)?])
        }
        Value::Bytes(t) => {
            let at = position("bytes", index, t.bytes.len())?;
            t.bytes.get(at).map(|b| Value::Int(i64::from(*b))).ok_or_else(none)
        }
        Value::Range(r) => {
            let at = position("range", index, usize::try_from(r.len).unwrap_or(0))?;
            Ok(Value::Int(r.at(i64::try_from(at).unwrap_or(0))))
        }
        other => Err(Fault::runtime(format!(
            "unhandled index operation {}[{}]",
            other.kind(),
            index.kind()
        ))),
    }
}

/// `object[index] = value`.
pub(crate) fn set(object: &Value, index: &Value, value: Value) -> Res<()> {
    match object {
        Value::Dict(d) => {
            d.guard.check("insert into", "hash table")?;
            d.table.borrow_mut().insert(index.clone(), value)
        }
        Value::List(l) => {
            let at = position_of("list", int32(index).map_err(Fault::runtime)?, l.len())?;
            l.guard.check("assign to element of", "list")?;
            if let Some(slot) = l.items.borrow_mut().get_mut(at) {
                *slot = value;
            }
            Ok(())
        }
        other => Err(Fault::runtime(format!(
            "{} value does not support item assignment",
            other.kind()
        ))),
    }
}

/// The bounds of a slice: where it begins, how far it steps, how many elements it has.
struct Bounds {
    start: i64,
    /// Where it ends, for what is told of a slice of a range.
    stop: i64,
    step: i64,
    count: i64,
}

fn bound(v: Option<&Value>, name: &str, n: i64, default: i64) -> Res<i64> {
    let Some(v) = v.filter(|v| !matches!(v, Value::None)) else {
        return Ok(default);
    };
    let i = int32(v).map_err(|e| Fault::runtime(format!("invalid {name} index: {e}")))?;
    Ok(if i < 0 { i + n } else { i })
}

fn bounds(len: usize, low: Option<&Value>, high: Option<&Value>, step: Option<&Value>) -> Res<Bounds> {
    let n = i64::try_from(len).unwrap_or(i64::MAX);
    let step = match step {
        None | Some(Value::None) => 1,
        Some(v) => int32(v).map_err(|e| Fault::runtime(format!("invalid slice step: {e}")))?,
    };
    if step == 0 {
        return Err(Fault::runtime("zero is not a valid slice step"));
    }
    let (start, stop) = if step > 0 {
        let start = bound(low, "start", n, 0)?.clamp(0, n);
        (start, bound(high, "end", n, n)?.clamp(start, n))
    } else {
        let start = bound(low, "start", n, n - 1)?.min(n - 1);
        let stop = bound(high, "end", n, -1)?.max(-1);
        (start, if start < -1 { start } else { stop.min(start) })
    };
    let distance = if step > 0 { stop - start } else { start - stop };
    let count = if distance <= 0 || (step < 0 && start < 0) {
        0
    } else {
        (distance - 1) / step.abs() + 1
    };
    Ok(Bounds {
        start,
        stop,
        step,
        count,
    })
}

impl Bounds {
    fn positions(&self) -> impl Iterator<Item = usize> {
        (0..self.count).filter_map(|i| usize::try_from(self.start + i * self.step).ok())
    }

    fn pick(&self, bytes: &[u8]) -> Vec<u8> {
        if self.step == 1 {
            let start = usize::try_from(self.start).unwrap_or(0);
            let end = start + usize::try_from(self.count).unwrap_or(0);
            return bytes.get(start..end).unwrap_or_default().to_vec();
        }
        self.positions().filter_map(|i| bytes.get(i).copied()).collect()
    }

    fn items(&self, items: &[Value]) -> Res<Vec<Value>> {
        meter::room(usize::try_from(self.count).unwrap_or(0).saturating_mul(ELEMENT))?;
        Ok(self.positions().filter_map(|i| items.get(i).cloned()).collect())
    }
}

/// `object[low:high:step]`.
pub(crate) fn slice(object: &Value, low: Option<&Value>, high: Option<&Value>, step: Option<&Value>) -> Res<Value> {
    let sliceable = matches!(
        object,
        Value::Text(_) | Value::Bytes(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_)
    );
    let (true, Some(len)) = (sliceable, object.length()) else {
        return Err(Fault::runtime(format!("invalid slice operand {}", object.kind())));
    };
    let bounds = bounds(len, low, high, step)?;
    meter::work_len(usize::try_from(bounds.count).unwrap_or(0))?;
    match object {
        Value::Text(t) => {
            meter::room(t.bytes.len())?;
            Value::text(bounds.pick(&t.bytes))
        }
        Value::Bytes(t) => {
            meter::room(t.bytes.len())?;
            Value::bytes(bounds.pick(&t.bytes))
        }
        Value::List(l) => Value::list(bounds.items(&l.items.borrow())?),
        Value::Tuple(t) => Value::tuple(bounds.items(&t.items)?),
        Value::Range(r) => {
            let step = r.step.saturating_mul(bounds.step);
            let start = r.at(bounds.start);
            let stop = r.at(bounds.stop);
            Ok(Value::Range(std::rc::Rc::new(Range {
                start,
                stop,
                step,
                len: bounds.count,
            })))
        }
        _ => Ok(Value::None),
    }
}
