//! Filters that compute.

use super::{Filtered, MAX_WIDTH, refused};
use crate::eval::truncate;
use crate::print::float;
use crate::template::p::value::P;

pub(super) fn add(input: &P, argument: &P) -> P {
    if input.is_number() && argument.is_number() {
        if input.is_float() || argument.is_float() {
            return P::from(input.float() + argument.float());
        }
        return P::int(input.integer().wrapping_add(argument.integer()));
    }
    P::from(format!("{}{}", input.text(), argument.text()))
}

pub(super) fn divisible(input: &P, argument: &P) -> P {
    let by = argument.integer();
    P::from(by != 0 && input.integer().wrapping_rem(by) == 0)
}

/// A whole number stays an integer unless decimals are asked for.
#[expect(
    clippy::float_cmp,
    clippy::cast_precision_loss,
    reason = "a whole number is exactly whole"
)]
pub(super) fn float_format(input: &P, argument: &P) -> Filtered {
    let value = input.float();
    let mut decimals = if argument.is_nil() { -1 } else { argument.integer() };
    let mut trim = !argument.is_number();
    if decimals <= 0 {
        decimals = decimals.wrapping_neg();
        trim = true;
    }
    if trim && truncate(value) as f64 == value {
        return Ok(P::int(input.integer()));
    }
    if decimals < 0 {
        return Ok(P::from(float::plain(value)));
    }
    match usize::try_from(decimals) {
        Ok(decimals) if decimals <= 10_000 => Ok(P::from(float::fixed(value, decimals))),
        _ if decimals > i64::try_from(MAX_WIDTH).unwrap_or(i64::MAX) => Err(refused("too many decimals")),
        _ => Err(refused("too many decimals")),
    }
}

/// The i-th digit from the right, by bytes.
pub(super) fn digit(input: &P, argument: &P) -> P {
    let text = input.text();
    let from_right = usize::try_from(argument.integer()).ok().filter(|index| *index > 0);
    let byte = from_right
        .and_then(|index| text.len().checked_sub(index))
        .and_then(|at| text.as_bytes().get(at));
    match byte {
        Some(byte) => P::int(i64::from(byte.wrapping_sub(48))),
        None => input.clone(),
    }
}
