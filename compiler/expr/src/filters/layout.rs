//! Filters that bring texts to a width.

use super::Filtered;
use crate::ErrorClass;
use crate::eval::Fault;
use crate::template::p::value::P;
use crate::wrap::wrap;

/// The widest column that a filter pads to.
pub(crate) const MAX_WIDTH: usize = 1 << 20;

/// Marks around text that came from a model: they have no width.
const OPEN: &str = "\u{2063}\u{2061}\u{2061}\u{2063}";
const CLOSE: &str = "\u{2063}\u{2062}\u{2062}\u{2063}";

/// At most n visible characters; what was open at the cut is closed again.
pub(super) fn truncate(input: &P, argument: &P) -> P {
    let text = input.text();
    let limit = usize::try_from(argument.integer()).unwrap_or(0);
    let visible = text.chars().count() - 4 * (text.matches(OPEN).count() + text.matches(CLOSE).count());
    if visible <= limit {
        return P::from(text.into_owned());
    }
    let (keep, ellipsis) = if limit >= 3 { (limit - 3, "...") } else { (limit, "") };
    let mut out = String::new();
    let mut open = 0usize;
    let mut rest = text.as_ref();
    let mut shown = 0;
    while shown < keep {
        if let Some(after) = rest.strip_prefix(OPEN) {
            out.push_str(OPEN);
            open += 1;
            rest = after;
        } else if let Some(after) = rest.strip_prefix(CLOSE) {
            out.push_str(CLOSE);
            open = open.saturating_sub(1);
            rest = after;
        } else {
            let mut chars = rest.chars();
            let Some(c) = chars.next() else { break };
            out.push(c);
            shown += 1;
            rest = chars.as_str();
        }
    }
    out.push_str(ellipsis);
    for _ in 0..open {
        out.push_str(CLOSE);
    }
    P::from(out)
}

pub(super) fn wordwrap(input: &P, argument: &P) -> P {
    match usize::try_from(argument.integer()) {
        Ok(width) if width > 0 => P::from(wrap(&input.text(), width)),
        _ => input.clone(),
    }
}

fn width(argument: &P) -> Result<usize, Fault> {
    let width = usize::try_from(argument.integer().max(0)).unwrap_or(usize::MAX);
    if width > MAX_WIDTH {
        return Err(Fault::new(ErrorClass::Budget, "the column is too wide"));
    }
    Ok(width)
}

fn spaces(count: usize) -> String {
    " ".repeat(count)
}

pub(super) fn col(input: &P, argument: &P) -> Filtered {
    let (text, width) = (input.text(), width(argument)?);
    let kept: String = text.chars().take(width).collect();
    let missing = width - kept.chars().count();
    Ok(P::from(kept + &spaces(missing)))
}

pub(super) fn rcol(input: &P, argument: &P) -> Filtered {
    let (text, width) = (input.text(), width(argument)?);
    let kept: String = text.chars().take(width).collect();
    let missing = width - kept.chars().count();
    Ok(P::from(spaces(missing) + &kept))
}

pub(super) fn ljust(input: &P, argument: &P) -> Filtered {
    let missing = width(argument)?.saturating_sub(input.len());
    Ok(P::from(format!("{}{}", input.text(), spaces(missing))))
}

/// A negative width pads on the right, as printf does.
pub(super) fn rjust(input: &P, argument: &P) -> Filtered {
    let text = input.text();
    let asked = argument.integer();
    let width = width(&P::int(asked.checked_abs().unwrap_or(i64::MAX)))?;
    let missing = spaces(width.saturating_sub(text.chars().count()));
    Ok(P::from(if asked < 0 {
        format!("{text}{missing}")
    } else {
        format!("{missing}{text}")
    }))
}

pub(super) fn center(input: &P, argument: &P) -> Filtered {
    let (width, length) = (width(argument)?, input.len());
    if width <= length {
        return Ok(input.clone());
    }
    let missing = width - length;
    let right = missing / 2;
    Ok(P::from(format!(
        "{}{}{}",
        spaces(missing - right),
        input.text(),
        spaces(right)
    )))
}
