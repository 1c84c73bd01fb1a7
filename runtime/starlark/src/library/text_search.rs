//! Methods of texts that look for other texts. All searches are linear in both.

use memchr::memmem;

use super::text::receiver;
use crate::fault::{Fault, Res};
use crate::interp::arguments::{Args, int, text, wrong};
use crate::interp::index::int32;
use crate::interp::machine::Machine;
use crate::interp::meter;
use crate::interp::value::Value;

fn index_of(name: &str, which: &str, v: Option<&Value>, len: i64, default: i64) -> Res<i64> {
    let Some(v) = v.filter(|v| !matches!(v, Value::None)) else {
        return Ok(default);
    };
    let i = int32(v).map_err(|e| Fault::runtime(format!("{name}: invalid {which} index: {e}")))?;
    Ok(if i < 0 { (i + len).max(0) } else { i.min(len) })
}

/// The bounds that optional start and end arguments mean in something of `len` elements; `start` may lie behind `end`.
pub(super) fn bounds(name: &str, start: Option<&Value>, end: Option<&Value>, len: usize) -> Res<(usize, usize)> {
    let n = i64::try_from(len).unwrap_or(i64::MAX);
    let start = index_of(name, "start", start, n, 0)?;
    let end = index_of(name, "end", end, n, n)?;
    Ok((usize::try_from(start).unwrap_or(0), usize::try_from(end).unwrap_or(0)))
}

fn part(bytes: &[u8], (start, end): (usize, usize)) -> &[u8] {
    bytes.get(start..end.max(start)).unwrap_or_default()
}

fn number(n: usize) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

pub(super) fn count(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [sub, start, end] = args.positional("count", 1)?;
    let sub = sub.unwrap_or(Value::None);
    let sub = text("count", "1", &sub)?;
    let bytes = receiver(v);
    let (start, end) = bounds("count", start.as_ref(), end.as_ref(), bytes.len())?;
    let bytes = part(bytes, (start, end));
    meter::work_len(bytes.len())?;
    if sub.is_empty() {
        return Ok(number(super::characters::chars(bytes).count() + 1));
    }
    Ok(number(memmem::find_iter(bytes, sub).count()))
}

fn search(name: &str, v: &Value, args: Args, last: bool, strict: bool) -> Res<Value> {
    let [sub, start, end] = args.positional(name, 1)?;
    let sub = sub.unwrap_or(Value::None);
    let sub = text(name, "1", &sub)?;
    let bytes = receiver(v);
    let (start, end) = bounds(name, start.as_ref(), end.as_ref(), bytes.len())?;
    let bytes = part(bytes, (start, end));
    meter::work_len(bytes.len())?;
    let found = if last {
        memmem::rfind(bytes, sub)
    } else {
        memmem::find(bytes, sub)
    };
    match found {
        Some(i) => Ok(number(i + start)),
        None if strict => Err(Fault::runtime(format!("{name}: substring not found"))),
        None => Ok(Value::Int(-1)),
    }
}

pub(super) fn find(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    search("find", v, args, false, false)
}

pub(super) fn rfind(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    search("rfind", v, args, true, false)
}

pub(super) fn index(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    search("index", v, args, false, true)
}

pub(super) fn rindex(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    search("rindex", v, args, true, true)
}

fn affix(name: &str, v: &Value, args: Args, test: fn(&[u8], &[u8]) -> bool) -> Res<Value> {
    let [affix, start, end] = args.positional(name, 1)?;
    let bytes = receiver(v);
    let bytes = part(bytes, bounds(name, start.as_ref(), end.as_ref(), bytes.len())?);
    match affix.unwrap_or(Value::None) {
        Value::Text(t) => {
            meter::work_len(t.bytes.len() / 8)?;
            Ok(Value::Bool(test(bytes, &t.bytes)))
        }
        Value::Tuple(t) => {
            for (i, item) in t.items.iter().enumerate() {
                let Some(affix) = item.as_text() else {
                    let kind = item.kind();
                    return Err(Fault::runtime(format!(
                        "{name}: want string, got {kind}, for element {i}"
                    )));
                };
                meter::work_len(affix.len() / 8 + 1)?;
                if test(bytes, affix) {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        }
        other => Err(Fault::runtime(format!(
            "{name}: got {}, want string or tuple of string",
            other.kind()
        ))),
    }
}

pub(super) fn startswith(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    affix("startswith", v, args, <[u8]>::starts_with)
}

pub(super) fn endswith(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    affix("endswith", v, args, <[u8]>::ends_with)
}

pub(super) fn removeprefix(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [fix] = args.positional("removeprefix", 1)?;
    let fix = fix.unwrap_or(Value::None);
    let fix = text("removeprefix", "1", &fix)?;
    let bytes = receiver(v);
    meter::room(bytes.len())?;
    Value::text(bytes.strip_prefix(fix).unwrap_or(bytes))
}

pub(super) fn removesuffix(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [fix] = args.positional("removesuffix", 1)?;
    let fix = fix.unwrap_or(Value::None);
    let fix = text("removesuffix", "1", &fix)?;
    let bytes = receiver(v);
    meter::room(bytes.len())?;
    Value::text(bytes.strip_suffix(fix).unwrap_or(bytes))
}

pub(super) fn replace(_: &mut Machine, v: &Value, args: Args) -> Res<Value> {
    let [old, new, limit] = args.positional("replace", 2)?;
    let (old, new) = (old.unwrap_or(Value::None), new.unwrap_or(Value::None));
    let (old, new) = (text("replace", "1", &old)?, text("replace", "2", &new)?);
    let limit = match &limit {
        Some(v @ (Value::Int(_) | Value::Big(_))) => int("replace", "3", v)?,
        Some(other) => return Err(wrong("replace", "3", other, "int")),
        None => -1,
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let bytes = receiver(v);
    meter::work_len(bytes.len())?;
    let places = if old.is_empty() {
        super::characters::chars(bytes).count() + 1
    } else {
        memmem::find_iter(bytes, old).count()
    };
    let places = places.min(limit);
    let size = bytes.len().saturating_add(places.saturating_mul(new.len()));
    meter::room(size.saturating_mul(2))?;
    let mut out = Vec::with_capacity(size);
    if old.is_empty() {
        let mut left = places;
        for (start, _, width) in super::characters::chars(bytes) {
            if left > 0 {
                out.extend_from_slice(new);
                left -= 1;
            }
            out.extend_from_slice(bytes.get(start..start + width).unwrap_or_default());
        }
        if left > 0 {
            out.extend_from_slice(new);
        }
    } else {
        let mut from = 0;
        for at in memmem::find_iter(bytes, old).take(places) {
            out.extend_from_slice(bytes.get(from..at).unwrap_or_default());
            out.extend_from_slice(new);
            from = at + old.len();
        }
        out.extend_from_slice(bytes.get(from..).unwrap_or_default());
    }
    Value::text(out)
}
