//! The arguments of a builtin, unpacked as the reference does it: the same checks in the same words.

use std::rc::Rc;

use super::number;
use super::value::Value;
use crate::fault::{Fault, Res};

/// The longest path, address or name that a host is asked about, in bytes.
const LONGEST_NAME: usize = 64 << 10;

/// What a call passes.
#[derive(Debug, Default)]
pub(crate) struct Args {
    pub(crate) positional: Vec<Value>,
    pub(crate) named: Vec<(Rc<str>, Value)>,
}

impl Args {
    /// Between `least` and `most` positional arguments and no named ones; absent ones come as `None`.
    pub(crate) fn positional<const N: usize>(self, name: &str, least: usize) -> Res<[Option<Value>; N]> {
        if !self.named.is_empty() {
            return Err(Fault::runtime(format!("{name}: unexpected keyword arguments")));
        }
        let got = self.positional.len();
        let bound = match () {
            () if got < least => Some((if least < N { "at least " } else { "" }, least)),
            () if got > N => Some((if least < N { "at most " } else { "" }, N)),
            () => None,
        };
        if let Some((words, n)) = bound {
            return Err(Fault::runtime(format!("{name}: got {got} arguments, want {words}{n}")));
        }
        let mut values = self.positional.into_iter();
        Ok(std::array::from_fn(|_| values.next()))
    }

    /// Arguments by position or name. A parameter that ends in `?` may be left out, one that ends in `??` may also be
    /// `None`.
    pub(crate) fn unpack<const N: usize>(self, name: &str, parameters: [&str; N]) -> Res<[Option<Value>; N]> {
        let mut out: [Option<Value>; N] = std::array::from_fn(|_| None);
        let got = self.positional.len();
        if got > N {
            return Err(Fault::runtime(format!("{name}: got {got} arguments, want at most {N}")));
        }
        for (slot, value) in out.iter_mut().zip(self.positional) {
            *slot = Some(value);
        }
        for (key, value) in self.named {
            let place = parameters.iter().position(|p| p.trim_end_matches('?') == &*key);
            let Some(slot) = place.and_then(|i| out.get_mut(i)) else {
                return Err(Fault::runtime(format!("{name}: unexpected keyword argument \"{key}\"")));
            };
            if slot.replace(value).is_some() {
                return Err(Fault::runtime(format!(
                    "{name}: got multiple values for keyword argument \"{key}\""
                )));
            }
        }
        for (slot, parameter) in out.iter_mut().zip(parameters) {
            if slot.is_none() && !parameter.ends_with('?') {
                return Err(Fault::runtime(format!("{name}: missing argument for {parameter}")));
            }
            if parameter.ends_with("??") && matches!(slot, Some(Value::None)) {
                *slot = None;
            }
        }
        Ok(out)
    }
}

/// The fault of an argument of the wrong type; `parameter` is a name or a number from 1.
pub(crate) fn wrong(name: &str, parameter: &str, got: &Value, want: &str) -> Box<Fault> {
    Fault::runtime(format!(
        "{name}: for parameter {parameter}: got {}, want {want}",
        got.kind()
    ))
}

/// A text argument.
pub(crate) fn text<'v>(name: &str, parameter: &str, value: &'v Value) -> Res<&'v [u8]> {
    value.as_text().ok_or_else(|| wrong(name, parameter, value, "string"))
}

/// A text argument that a host reads: bytes that are no UTF-8 are replaced.
pub(crate) fn string(name: &str, parameter: &str, value: &Value) -> Res<String> {
    let bytes = text(name, parameter, value)?;
    if bytes.len() > LONGEST_NAME {
        let n = bytes.len();
        return Err(Fault::runtime(format!(
            "{name}: for parameter {parameter}: text of {n} bytes is too long"
        )));
    }
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

/// An integer argument of 64 bits.
pub(crate) fn int(name: &str, parameter: &str, value: &Value) -> Res<i64> {
    match value {
        Value::Int(i) => Ok(*i),
        Value::Big(_) => Err(Fault::runtime(format!(
            "{name}: for parameter {parameter}: {} out of range (want value in signed 64-bit range)",
            number::decimal(value)
        ))),
        other => Err(wrong(name, parameter, other, "int")),
    }
}
