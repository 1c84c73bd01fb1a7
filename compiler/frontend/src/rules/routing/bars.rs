//! The bars of semantic routing: both between 0 and 1, the high one above the mid one (`language` D58, D59), and zeros that
//! mean the default (`language` 2.7).

use super::super::durations;
use super::super::prelude::*;

pub(crate) const RANGE: Rule = Rule {
    id: "routing-bar-range",
    level: Level::Error,
    summary: "a semantic bar outside of 0 to 1",
    fixable: Fixable::Never,
};

pub(crate) const ORDER: Rule = Rule {
    id: "routing-bar-order",
    level: Level::Error,
    summary: "the high bar does not lie above the mid bar",
    fixable: Fixable::Never,
};

pub(crate) const ZERO_IGNORED: Rule = Rule {
    id: "duration-zero-ignored",
    level: Level::Warning,
    summary: "a written zero that means the default",
    fixable: Fixable::Never,
};

/// The bars when none are written (`language` 3.19).
const HIGH: f64 = 0.80;
const MID: f64 = 0.65;

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(routing) = cx.story.manifest.routing.value() else {
        return;
    };
    let (high, mid) = (routing.semantic_high_bar.as_ref(), routing.semantic_mid_bar.as_ref());
    let mut in_range = true;
    for (key, bar) in [("semantic_high_bar", high), ("semantic_mid_bar", mid)] {
        let Some(bar) = bar else { continue };
        if !(0.0..=1.0).contains(&bar.value.value) {
            in_range = false;
            out.push(
                RANGE
                    .at(bar.span, "not between 0 and 1")
                    .message(format!("{} lies outside of 0 to 1", code(key))),
            );
        }
    }
    let or_default =
        |bar: Option<&Field<Float>>, default: f64| bar.map(|b| b.value.value).filter(|v| *v != 0.0).unwrap_or(default);
    let (h, m) = (or_default(high, HIGH), or_default(mid, MID));
    let written = high.into_iter().chain(mid).max_by_key(|b| b.span.range.start());
    if let Some(later) = written.filter(|_| in_range && h > 0.0 && m > 0.0 && h <= m) {
        let finding = ORDER
            .at(later.span, "not enough between the two")
            .message("`semantic_high_bar` must lie above `semantic_mid_bar`");
        out.push(match (high, mid) {
            (Some(high), Some(mid)) => {
                let other = if later.span == high.span { mid } else { high };
                finding.label(other.span, "the other bar")
            }
            (Some(_), None) => finding.note(format!("`semantic_mid_bar` is {MID} when it is not written")),
            _ => finding.note(format!("`semantic_high_bar` is {HIGH} when it is not written")),
        });
    }
    zeros(routing, out);
}

/// Zeros are replaced by the default, whatever they were meant for.
fn zeros(routing: &Routing, out: &mut Vec<Diagnostic>) {
    let mut zero = |span, key: &str| {
        out.push(
            ZERO_IGNORED
                .at(span, "read as if it were not written")
                .message(format!("a zero for {} means its default", code(key))),
        );
    };
    for (key, value) in [
        ("semantic_high_bar", &routing.semantic_high_bar),
        ("semantic_mid_bar", &routing.semantic_mid_bar),
        ("cache_trim_fraction", &routing.cache_trim_fraction),
    ] {
        if let Some(value) = value.as_ref().filter(|v| v.value.value == 0.0) {
            zero(value.span, key);
        }
    }
    for (key, value) in [
        ("cache_cap", &routing.cache_cap),
        ("revalidate_strikes", &routing.revalidate_strikes),
    ] {
        if let Some(value) = value.as_ref().filter(|v| v.value.value == 0) {
            zero(value.span, key);
        }
    }
    if let Some(age) = routing
        .cache_max_age
        .as_ref()
        .filter(|a| !a.is_blank() && durations::parse(a.as_str()) == Some(0.0))
    {
        zero(age.span, "cache_max_age");
    }
}
