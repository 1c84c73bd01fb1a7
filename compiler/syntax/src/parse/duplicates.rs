//! Keys that stand twice in one mapping, each with both places (`language` 2.2).

use rustc_hash::FxHashMap;

use super::checks::{is_missing, shorten};
use crate::fault::{Fault, FaultKind};
use crate::span::{range, slice};
use crate::{Entry, NodeId, NodeKind, TextRange, Tree};

/// How many keys of one mapping are worth telling.
const MOST: usize = 100;

/// Up to this size a mapping is compared entry by entry, which is faster than a table.
const SMALL: usize = 16;

/// The entries of one key: the first and those that repeat it, as places in the mapping.
struct Repeated {
    first: usize,
    again: Vec<usize>,
}

/// The faults of one mapping, in the order of the text.
pub(super) fn faults(text: &str, tree: &Tree, entries: &[Entry]) -> Vec<Fault> {
    let mut out: Vec<Fault> = Vec::new();
    let mut last = None;
    for repeated in repeated(tree, entries) {
        let entry = |place: usize| entries.get(place);
        let (Some(first), Some(second)) = (entry(repeated.first), repeated.again.first().copied()) else {
            continue;
        };
        // Keys in a row that all stand twice have one cause, such as a lost dash: the first speaks for all.
        let in_a_row = last.is_some_and(|last: usize| last + 1 == second);
        last = Some(second);
        let again: Vec<&Entry> = repeated.again.iter().filter_map(|place| entry(*place)).collect();
        match (out.last_mut(), again.first()) {
            (Some(fault), Some(second)) if in_a_row => {
                fault
                    .related
                    .push((tree.node(second.key).range, "this one stands twice, too".to_owned()));
                fault.fix = None;
                let help = "start a new list item with a dash if these keys belong to one, or remove them";
                fault.help = Some(help.to_owned());
            }
            _ => out.extend(fault(text, tree, first, &again)),
        }
    }
    out
}

/// The keys that stand more than once, in the order of their second places.
fn repeated(tree: &Tree, entries: &[Entry]) -> Vec<Repeated> {
    let mut out: Vec<Repeated> = Vec::new();
    let mut note = |first: usize, place: usize| match out.iter_mut().find(|known| known.first == first) {
        Some(known) => known.again.push(place),
        None => out.push(Repeated {
            first,
            again: vec![place],
        }),
    };
    if entries.len() <= SMALL {
        for (place, entry) in entries.iter().enumerate() {
            let Some(name) = written_key(tree, entry.key) else {
                continue;
            };
            let before = entries.iter().take(place);
            if let Some(first) = before
                .into_iter()
                .position(|other| written_key(tree, other.key) == Some(name))
            {
                note(first, place);
            }
        }
        return out;
    }
    let mut firsts: FxHashMap<&str, usize> = FxHashMap::default();
    firsts.reserve(entries.len());
    let mut told = 0;
    for (place, entry) in entries.iter().enumerate() {
        let Some(name) = written_key(tree, entry.key) else {
            continue;
        };
        let first = *firsts.entry(name).or_insert(place);
        if first != place && told < MOST {
            told += 1;
            note(first, place);
        }
    }
    out
}

/// A key as the reference compares it: by its text, quoted or not; two aliases always clash.
fn written_key(tree: &Tree, key: NodeId) -> Option<&str> {
    let node = tree.node(key);
    match &node.kind {
        NodeKind::Scalar(scalar) if !is_missing(node) => Some(&scalar.text),
        NodeKind::Alias(_) => Some("*"),
        _ => None,
    }
}

fn fault(text: &str, tree: &Tree, first: &Entry, again: &[&Entry]) -> Option<Fault> {
    let second = again.first()?;
    let place = |entry: &Entry| tree.node(entry.key).range;
    let shown = match &tree.node(second.key).kind {
        NodeKind::Alias(alias) => format!("*{}", alias.name),
        _ => shorten(written_key(tree, second.key)?),
    };
    let times = match again.len() {
        1 => "twice".to_owned(),
        more if more >= MOST => format!("more than {MOST} times"),
        more => format!("{} times", more + 1),
    };
    let mut fault = Fault::error(
        FaultKind::DuplicateKey,
        place(second),
        format!("the key `{shown}` stands {times} in one mapping"),
        "given again here",
    )
    .related(place(first), "given first here");
    for entry in again.iter().skip(1).take(7) {
        fault = fault.related(place(entry), "and again here");
    }
    if tree.is_merge_key(second.key) {
        return Some(fault.help("merge several mappings with a list: `<<: [*a, *b]`"));
    }
    if matches!(tree.node(second.key).kind, NodeKind::Alias(_)) {
        return Some(fault.help("two aliases as keys of one mapping count as one key: write one of them out"));
    }
    let whole = |entry: &Entry| TextRange::new(place(entry).start(), tree.node(entry.value).range.end());
    let (one, two) = (whole(first), whole(second));
    if slice(text, one) == slice(text, two)
        && let Some(line) = own_lines(text, two)
    {
        return Some(fault.fix(format!("remove the second `{shown}`"), true, line, ""));
    }
    Some(fault.help("keep one of them, or give one another name"))
}

/// The whole lines of a range, when nothing else stands on them; with the line end.
fn own_lines(text: &str, at: TextRange) -> Option<TextRange> {
    let (start, end) = (usize::from(at.start()), usize::from(at.end()));
    let line = text.get(..start)?.rfind('\n').map_or(0, |found| found + 1);
    let after = text.get(end..)?;
    let close = after.find('\n').map_or(text.len(), |found| end + found + 1);
    let alone = text.get(line..start)?.trim().is_empty() && text.get(end..close)?.trim().is_empty();
    alone.then(|| range(line, close))
}
