//! `starlark-syntax`: a script that does not parse or lacks its entry function: the reference finds out when it runs it (`starlark` 4.5).

use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "starlark-syntax",
    level: Level::Warning,
    summary: "a script that cannot run",
    fixable: Fixable::Never,
};

use kitsoki_syntax::{FileId, Span, TextRange};

use super::script::Script;

/// What is certainly wrong with the script in `file`, which `text` names and whose entry function is `entry`.
pub(super) fn check(cx: &StoryCx<'_>, text: &Text, file: FileId, script: &Script, entry: &str) -> Option<Diagnostic> {
    let call = cx.inside(text);
    if let Some(fault) = &script.fault {
        return Some(
            RULE.at(place(file, &fault.range), fault.label.clone())
                .message(format!("the script does not parse: {}", fault.message))
                .label(call, "the script is run here"),
        );
    }
    if let Some((name, at, least, most)) = script.functions.iter().rfind(|f| f.0 == entry) {
        if *least <= 1 && *most >= 1 {
            return None;
        }
        return Some(
            RULE.at(
                place(file, at),
                format!(
                    "takes {}",
                    if *most == 0 {
                        "no argument"
                    } else {
                        "more than one argument"
                    }
                ),
            )
            .message(format!("{} is called with one argument, `ctx`", code(name)))
            .label(call, "the script is run here"),
        );
    }
    if script.bound.iter().any(|(name, _)| name == entry) {
        return None;
    }
    let (at, label) = match script.functions.first() {
        Some((_, at, ..)) => (place(file, at), "the script has this function instead"),
        None => (Span::start_of(file), "no function of this name"),
    };
    Some(
        RULE.at(at, label)
            .message(format!(
                "the script has no function {}, with which it begins",
                code(entry)
            ))
            .label(call, "the script is run here")
            .help("another entry function is named with `function:` among the arguments"),
    )
}

/// The place of a range of the script.
pub(super) fn place(file: FileId, range: &std::ops::Range<usize>) -> Span {
    let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).into();
    Span::new(file, TextRange::new(size(range.start), size(range.end)))
}
