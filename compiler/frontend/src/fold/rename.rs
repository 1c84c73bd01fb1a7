//! The names of one layer and what they do to texts (`imports` 6.1, 7.1).
//!
//! The reference renames by patterns over whole texts, without parsing them; the result here is the same, byte for byte.
//! Every change goes through [`Text::replaced`], so that a place in the flat text leads back to the author's.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::surface::{Field, List, Text};

/// What a child's names become under one alias.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    /// `alias__`.
    pub prefix: SmolStr,
    /// The child's world keys without the reserved ones.
    pub world: FxHashSet<&'a str>,
    /// The child's global intents and those that the importer pushes in.
    pub intents: FxHashSet<&'a str>,
    /// The child's agents.
    pub agents: FxHashSet<&'a str>,
    /// The child's operations.
    pub operations: FxHashSet<&'a str>,
    /// The child's host interfaces.
    pub interfaces: FxHashSet<&'a str>,
}

impl Names<'_> {
    /// Renames what a text refers to: `world.key` and the intent of a helper call.
    pub fn expr(&self, text: &mut Text) {
        let changes = self.changes(text.as_str());
        if !changes.is_empty() {
            *text = text.replaced(&changes);
        }
    }

    /// As [`Self::expr`], for a key that may be absent.
    pub fn expr_field(&self, field: &mut Option<Field<Text>>) {
        if let Some(field) = field {
            self.expr(&mut field.value);
        }
    }

    /// As [`Self::expr`], for every text of a list.
    pub fn expr_list(&self, list: &mut Option<Field<List<Text>>>) {
        for text in list.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
            self.expr(text);
        }
    }

    /// A text that is a world key as a whole.
    pub fn world_key(&self, text: &mut Text) {
        if self.world.contains(text.as_str()) {
            self.put_prefix(text);
        }
    }

    /// A text that is an intent's name as a whole. `true` when it was renamed.
    pub fn intent(&self, text: &mut Text) -> bool {
        let renamed = self.intents.contains(text.as_str());
        if renamed {
            self.put_prefix(text);
        }
        renamed
    }

    /// A text that is an agent's name as a whole.
    pub fn agent(&self, text: &mut Text) {
        if self.agents.contains(text.as_str()) {
            self.put_prefix(text);
        }
    }

    /// A text that is an operation's name as a whole.
    pub fn operation(&self, text: &mut Text) {
        if self.operations.contains(text.as_str()) {
            self.put_prefix(text);
        }
    }

    /// The verb of a call: `iface.<name>.<op>` with an interface of the child, split at the first dot.
    pub fn verb(&self, text: &mut Text) {
        const HEAD: &str = "iface.";
        let name = text.as_str().strip_prefix(HEAD).and_then(|rest| rest.split_once('.'));
        if name.is_some_and(|(name, _)| self.interfaces.contains(name)) {
            *text = text.replaced(&[(HEAD.len()..HEAD.len(), self.prefix.to_string())]);
        }
    }

    /// Puts the prefix before a name.
    pub fn put_prefix(&self, text: &mut Text) {
        *text = text.replaced(&[(0..0, self.prefix.to_string())]);
    }

    /// `alias__name`.
    pub fn flat(&self, name: &str) -> SmolStr {
        smol_str::format_smolstr!("{}{name}", self.prefix)
    }

    fn changes(&self, text: &str) -> Vec<(Range<usize>, String)> {
        let mut changes = Vec::new();
        if !self.world.is_empty() {
            for name in world_references(text) {
                if text.get(name.clone()).is_some_and(|n| self.world.contains(n)) {
                    changes.push((name.start..name.start, self.prefix.to_string()));
                }
            }
        }
        if !self.intents.is_empty() && text.contains('(') {
            for call in helper_calls(text) {
                if !text.get(call.name.clone()).is_some_and(|n| self.intents.contains(n)) {
                    continue;
                }
                changes.push((call.name.start..call.name.start, self.prefix.to_string()));
                let (open, close) = (call.name.start - 1, call.name.end);
                if text.get(open..open + 1) != text.get(close..close + 1) {
                    // The reference closes with the quote that opens.
                    changes.push((close..close + 1, text.get(open..open + 1).unwrap_or("'").to_owned()));
                }
            }
            changes.sort_by_key(|(range, _)| range.start);
        }
        changes
    }
}

/// `true` for a byte of an identifier.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the identifier at the beginning of `bytes`; 0 when there is none.
pub(super) fn identifier(bytes: &[u8]) -> usize {
    match bytes.first() {
        Some(first) if is_word(*first) && !first.is_ascii_digit() => bytes.iter().take_while(|b| is_word(**b)).count(),
        _ => 0,
    }
}

/// What a reference to a world key begins with.
const HEAD: &str = "world.";

/// Made once: every text of a child is searched.
static HEAD_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(HEAD));

/// The names behind `world.` in a text, as the pattern of the reference finds them: not overlapping, with a word boundary in
/// front.
pub(super) fn world_references(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let found = at + HEAD_FINDER.find(text.as_bytes().get(at..)?)?;
            let start = found + HEAD.len();
            let bytes = text.as_bytes();
            let inside = found
                .checked_sub(1)
                .and_then(|i| bytes.get(i))
                .is_some_and(|b| is_word(*b));
            let len = identifier(bytes.get(start..).unwrap_or_default());
            if inside || len == 0 {
                at = found + 1;
                continue;
            }
            at = start + len;
            return Some(start..at);
        }
    })
}

/// A call of a helper that takes an intent's name.
pub(super) struct HelperCall {
    /// The name, without its quotes.
    pub name: Range<usize>,
}

/// The helpers that take an intent's name (`imports` 6.1).
const HELPERS: [&str; 4] = ["available", "blocked", "blocked_reason", "intent_status"];

/// The helper calls with a literal name and no space inside of the brackets.
fn helper_calls(text: &str) -> impl Iterator<Item = HelperCall> + '_ {
    helper_arguments(text).filter_map(|open| {
        let bytes = text.as_bytes();
        let is_quote = |at: usize| matches!(bytes.get(at), Some(b'"' | b'\''));
        let start = open + 1;
        let end = start + identifier(bytes.get(start..).unwrap_or_default());
        (is_quote(open) && end > start && is_quote(end) && bytes.get(end + 1) == Some(&b')'))
            .then_some(HelperCall { name: start..end })
    })
}

/// Where the arguments of helper calls begin: the offset behind the bracket.
pub(super) fn helper_arguments(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices('(').filter_map(|(bracket, _)| {
        let before = text.get(..bracket)?;
        let start = before.len() - before.bytes().rev().take_while(|b| is_word(*b)).count();
        HELPERS.contains(&before.get(start..)?).then_some(bracket + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::nowhere;

    fn renamed(text: &str) -> String {
        let names = Names {
            prefix: "a__".into(),
            world: ["K", "total"].into_iter().collect(),
            intents: ["I"].into_iter().collect(),
            interfaces: ["r"].into_iter().collect(),
            ..Names::default()
        };
        let mut text = Text::new(text, nowhere());
        names.expr(&mut text);
        names.verb(&mut text);
        text.text.to_string()
    }

    #[test]
    fn world_references_follow_the_pattern_of_the_reference() {
        for (before, after) in [
            ("world.K > 2", "world.a__K > 2"),
            ("{{ world.K.field.0 }}", "{{ world.a__K.field.0 }}"),
            ("world.K2", "world.K2"),
            (
                "world[\"K\"] + world?.K + world . K",
                "world[\"K\"] + world?.K + world . K",
            ),
            ("args.world.K", "args.world.a__K"),
            ("the world.K is round", "the world.a__K is round"),
            ("myworld.K _world.K", "myworld.K _world.K"),
            ("world.world.K", "world.world.K"),
            ("wörld.K. world.K", "wörld.K. world.a__K"),
            ("world.last_error", "world.last_error"),
        ] {
            assert_eq!(renamed(before), after);
        }
    }

    #[test]
    fn helper_calls_are_literal_and_without_spaces() {
        for (before, after) in [
            ("available('I')", "available('a__I')"),
            ("blocked(\"I\") && world.K", "blocked(\"a__I\") && world.a__K"),
            ("available('I\")", "available('a__I')"),
            ("available( 'I' )", "available( 'I' )"),
            ("unavailable('I')", "unavailable('I')"),
            ("available(world.name)", "available(world.name)"),
            ("blocked_reason('J')", "blocked_reason('J')"),
        ] {
            assert_eq!(renamed(before), after);
        }
    }

    #[test]
    fn an_interface_call_is_split_at_its_first_dot() {
        assert_eq!(renamed("iface.r.go"), "iface.a__r.go");
        assert_eq!(renamed("iface.r"), "iface.r");
        assert_eq!(renamed("iface.s.go"), "iface.s.go");
    }
}
