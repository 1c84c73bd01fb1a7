//! `workbench-context-undeclared`: a `context_args` text that reads `world.<key>` of a key that is not declared (`macros` 3.4).
//!
//! Reads by index are not looked at here.

use kitsoki_syntax::{TextRange, TextSize};
use smol_str::SmolStr;

use super::super::names::Use;
use super::super::prelude::*;

pub(crate) const RULE: Rule = Rule {
    id: "workbench-context-undeclared",
    level: Level::Error,
    summary: "a context argument that reads an undeclared world key",
    fixable: Fixable::Sometimes,
};

/// The reads of a workbench that lead nowhere, for the one finding that a missing key gets.
pub(crate) fn uses<'a>(room: RoomCx<'a>) -> Vec<(SmolStr, Use<'a>)> {
    let bench = room.room().workbench.value();
    let mut uses = Vec::new();
    for arg in bench
        .and_then(|b| b.context_args.value())
        .into_iter()
        .flat_map(|a| a.entries.iter())
    {
        for range in world_reads(arg.value.as_str()) {
            let key = arg
                .value
                .as_str()
                .get(std::ops::Range::<usize>::from(range))
                .unwrap_or_default();
            if !room.story.knows_world(key) {
                let read = Use::whole(&arg.value, room.path(), &RULE, "the prompt would get nothing");
                uses.push((
                    SmolStr::new(key),
                    Use {
                        range: Some(range),
                        ..read
                    },
                ));
            }
        }
    }
    uses
}

/// The keys behind `world.` in a text, as the reference finds them: by pattern, inside of braces or not.
pub(crate) fn world_reads(text: &str) -> impl Iterator<Item = TextRange> + '_ {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    text.match_indices("world.").filter_map(move |(at, found)| {
        let bytes = text.as_bytes();
        let before = at.checked_sub(1).and_then(|i| bytes.get(i));
        let start = at + found.len();
        let first = bytes.get(start).filter(|b| word(**b) && !b.is_ascii_digit());
        if before.is_some_and(|b| word(*b)) || first.is_none() {
            return None;
        }
        let len = bytes
            .get(start..)
            .unwrap_or_default()
            .iter()
            .take_while(|b| word(**b))
            .count();
        let small = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
        Some(TextRange::new(small(start), small(start + len)))
    })
}

#[cfg(test)]
mod tests {
    use super::world_reads;

    #[test]
    fn world_reads_are_whole_identifiers() {
        let text = "{{ world.a + world.b_1.c }} myworld.x world.9 world['d'] world.";
        let keys: Vec<&str> = world_reads(text).map(|r| &text[r]).collect();
        assert_eq!(keys, ["a", "b_1"]);
    }
}
