//! Columns that authors chose: values of one mapping, and comments behind adjacent lines, that stand below each other keep
//! doing so; a value that stands alone gets one blank.

use std::collections::BTreeMap;

use kitsoki_syntax::{LineIndex, Node, NodeKind, ScalarStyle, TextRange, Tree};

use crate::layout::{Gaps, Line};

/// The blanks before each value that stands on the line of its key, by the value's first byte.
pub(crate) fn values(text: &str, tree: &Tree) -> Gaps {
    let index = LineIndex::new(text);
    let mut out = Gaps::default();
    for id in tree.ids() {
        let node = tree.node(id);
        let NodeKind::Mapping(entries) = &node.kind else {
            continue;
        };
        if node.flow {
            continue;
        }
        // Column of the value to (first byte, width of the key).
        let mut groups: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
        for entry in entries {
            let (key, value) = (tree.node(entry.key), tree.node(entry.value));
            let start = first_byte(value);
            let (Some(width), Some(between)) = (key_width(text, key), text.get(key.range.end().into()..start)) else {
                continue;
            };
            if between.contains(['\n', '\r', '#', '?']) || is_nothing(value) {
                continue;
            }
            let offset = u32::try_from(start).unwrap_or(u32::MAX);
            let column = index.line_col(offset.into()).col;
            groups.entry(column).or_default().push((start, width));
        }
        for group in groups.into_values() {
            let widest = group.iter().map(|(_, width)| *width).max().unwrap_or_default();
            out.extend(group.into_iter().map(|(start, width)| (start, widest - width + 1)));
        }
    }
    out
}

fn first_byte(node: &Node) -> usize {
    let mut start = node.range.start();
    for range in node
        .tag
        .iter()
        .map(|tag| tag.range)
        .chain(node.anchor.iter().map(|a| a.range))
    {
        start = start.min(range.start());
    }
    start.into()
}

fn is_nothing(node: &Node) -> bool {
    node.range.is_empty() && node.tag.is_none() && node.anchor.is_none()
}

/// The width of a simple key with its properties, when all of it stands on one line.
fn key_width(text: &str, key: &Node) -> Option<usize> {
    let simple = match &key.kind {
        NodeKind::Scalar(scalar) => !matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded),
        _ => false,
    };
    let own = text.get(std::ops::Range::<usize>::from(key.range))?;
    if !simple || own.is_empty() || own.contains(['\n', '\r']) {
        return None;
    }
    let width = |range: TextRange| {
        text.get(std::ops::Range::<usize>::from(range))
            .map_or(0, |t| t.chars().count() + 1)
    };
    let tag = key.tag.as_ref().map_or(0, |tag| width(tag.range));
    let anchor = key.anchor.as_ref().map_or(0, |anchor| width(anchor.range));
    Some(tag + anchor + own.chars().count())
}

/// Gives comments behind the text of a line their column: a run of lines whose comments stood below each other keeps that,
/// as near to the longest of its lines as before.
pub(crate) fn comments(lines: &mut [Line<'_>]) {
    let mut rest = lines;
    while !rest.is_empty() {
        let len = run(rest);
        let Some((now, behind)) = rest.split_at_mut_checked(len.max(1)) else {
            return;
        };
        place(now);
        rest = behind;
    }
}

/// How many lines from the first on have comments below each other. Comments alone on their line may follow, not begin.
fn run(lines: &[Line<'_>]) -> usize {
    let Some(first) = lines
        .first()
        .and_then(|line| line.comment.as_ref())
        .filter(|c| c.gap.is_some())
    else {
        return 0;
    };
    lines
        .iter()
        .take_while(|line| line.comment.as_ref().is_some_and(|comment| comment.from == first.from))
        .count()
}

fn place(lines: &mut [Line<'_>]) {
    let trailing = |line: &Line<'_>| {
        let gap = line.comment.as_ref()?.gap?;
        Some((line.code.chars().count(), gap.max(1)))
    };
    let widest = lines.iter().filter_map(trailing).map(|(width, _)| width).max();
    let gap = lines.iter().filter_map(trailing).map(|(_, gap)| gap).min();
    let (Some(widest), Some(gap)) = (widest, gap) else {
        return;
    };
    for line in lines {
        if let Some(comment) = &mut line.comment {
            comment.column = widest + gap;
        }
    }
}
