//! `operation-undeclared`: an arc starts an operation that is not declared (`language` D47).

use super::super::names::{Lost, Use, Words, of_map};
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "operation-undeclared",
    level: Level::Error,
    summary: "an arc starts an operation that does not exist",
    fixable: Fixable::Sometimes,
};

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, out: &mut Vec<Diagnostic>) {
    let operations = cx.story.manifest.operations.value();
    if cx.story.incomplete.operations || cx.lacks("operations") {
        return;
    }
    let declared: rustc_hash::FxHashSet<&str> = operations.into_iter().flat_map(Map::names).collect();
    let mut lost = Lost::new(cx);
    for room in cx.rooms() {
        for arc in room
            .room()
            .on
            .iter()
            .flat_map(|on| on.entries.iter())
            .flat_map(|e| e.value.iter())
        {
            let Some(name) = arc.operation.as_ref().filter(|o| !o.is_blank()) else {
                continue;
            };
            if !declared.contains(name.text.trim()) {
                lost.add(
                    name.text.trim(),
                    Use::whole(&name.value, room.path(), &RULE, "no such operation"),
                );
            }
        }
    }
    let known = of_map(operations);
    let words = Words {
        kind: "an operation",
        kinds: "operations",
    };
    lost.report(
        &words,
        &known,
        |f, name, _| f.message(format!("no operation is called {}", code(name.trim()))),
        out,
    );
}
