//! `{a:1}`: pairs without a blank behind the colon.

use super::super::checks::shorten;
use super::{Builder, MOST_FAULTS};
use crate::fault::{Fault, FaultKind};
use crate::span::slice;
use crate::{Entry, NodeKind, Scalar, ScalarStyle, TextRange, TextSize};

impl Builder<'_> {
    /// `{a:1}`: for YAML a key `a:1` without a value, for everybody else a pair.
    pub(super) fn split_pair(&mut self, entry: &Entry) {
        let (key, value) = (self.tree.node(entry.key), self.tree.node(entry.value));
        let NodeKind::Scalar(Scalar {
            style: ScalarStyle::Plain,
            text,
        }) = &key.kind
        else {
            return;
        };
        let text = text.clone();
        let written = slice(self.text, key.range);
        let absent = value.range.is_empty() && value.range.start() == key.range.end();
        let Some((name, rest)) = text
            .split_once(':')
            .filter(|_| absent && key.tag.is_none() && written == text.as_str())
        else {
            return;
        };
        let is_word = name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if name.is_empty() || !is_word || rest.is_empty() || rest.starts_with("//") || rest.starts_with(' ') {
            return;
        }
        let scalar = |text: &str| {
            NodeKind::Scalar(Scalar {
                style: ScalarStyle::Plain,
                text: text.into(),
            })
        };
        let (start, end) = (key.range.start(), key.range.end());
        let colon = start + TextSize::of(name);
        let behind = colon + TextSize::new(1);
        let (first, second) = (scalar(name), scalar(rest));
        let shown = name.to_owned();
        if let Some(node) = self.tree.nodes.get_mut(entry.key.index()) {
            node.kind = first;
            node.range = TextRange::new(start, colon);
        }
        if let Some(node) = self.tree.nodes.get_mut(entry.value.index()) {
            node.kind = second;
            node.range = TextRange::new(behind, end);
        }
        if self.faults.len() < MOST_FAULTS {
            let fault = Fault::warning(
                FaultKind::ColonTouchesValue,
                TextRange::new(start, end),
                format!("no blank behind the colon of `{}`", shorten(&shown)),
                "other readers of YAML take this for one key",
            );
            let at = TextRange::empty(behind);
            self.faults
                .push(fault.fix("insert a blank behind the colon", true, at, " "));
        }
    }
}
