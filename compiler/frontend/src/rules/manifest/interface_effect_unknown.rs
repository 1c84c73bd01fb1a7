//! `interface-effect-unknown`: the class of an interface operation is none of the four (`language` D80).

use super::super::names::unknown_word;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "interface-effect-unknown",
    level: Level::Error,
    summary: "an unknown effect class of an interface operation",
    fixable: Fixable::Sometimes,
};

const CLASSES: [&str; 4] = ["pure", "read", "write", "external"];

pub(super) fn check(cx: &StoryCx<'_>, out: &mut Vec<Diagnostic>) {
    let interfaces = cx.story.manifest.host_interfaces.value();
    let operations = interfaces
        .into_iter()
        .flat_map(|i| i.entries.iter())
        .flat_map(|i| i.value.operations.iter().flat_map(|o| o.entries.iter()));
    for operation in operations {
        let class = operation.value.effect.as_ref();
        if let Some(class) = class.filter(|c| !c.text.is_empty() && !CLASSES.contains(&c.as_str())) {
            out.push(unknown_word(cx, &RULE, &class.value, "effect class", &CLASSES));
        }
    }
}
