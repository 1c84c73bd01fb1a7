//! The entries of a mapping with `<<` merged, and looking up a key.
//!
//! The order is the one of `language` 2.2, not of YAML's merge page: a later entry wins, whether it is written or merged.

use rustc_hash::FxHashMap;

use crate::{Entry, NodeId, NodeKind, Tree};

/// An entry of the merged view of a mapping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MergedEntry {
    /// The key, as written: it may be an alias.
    pub key: NodeId,
    /// The value, as written: it may be an alias.
    pub value: NodeId,
    /// Whether it comes through `<<`.
    pub merged: bool,
    /// The key of an earlier entry of the same name whose place this entry has taken.
    pub replaces: Option<NodeId>,
}

impl Tree {
    /// The entries of a mapping (aliases followed), merged mappings in the place of their `<<`. Of two entries of one name
    /// only the later one is given, in the place of the earlier one. Anything but a mapping has no entries.
    #[must_use]
    pub fn entries(&self, id: NodeId) -> Vec<MergedEntry> {
        let NodeKind::Mapping(own) = &self.node(self.resolve_alias(id)).kind else {
            return Vec::new();
        };
        if !own.iter().any(|entry| self.is_merge_key(entry.key)) {
            let as_written = |entry: &Entry| MergedEntry {
                key: entry.key,
                value: entry.value,
                merged: false,
                replaces: None,
            };
            return own.iter().map(as_written).collect();
        }
        self.merged(own)
    }

    fn merged(&self, own: &[Entry]) -> Vec<MergedEntry> {
        let mut out: Vec<MergedEntry> = Vec::new();
        let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
        // One iterator for each mapping that is being read; what aliases stand for is bounded by the builder.
        let mut open = vec![own.iter()];
        while let Some(entries) = open.last_mut() {
            let Some(entry) = entries.next() else {
                open.pop();
                continue;
            };
            if self.is_merge_key(entry.key) {
                for source in self.merge_sources(entry.value).into_iter().rev() {
                    if let NodeKind::Mapping(entries) = &self.node(source).kind {
                        open.push(entries.iter());
                    }
                }
                continue;
            }
            let mut found = MergedEntry {
                key: entry.key,
                value: entry.value,
                merged: open.len() > 1,
                replaces: None,
            };
            let place = self.key_text(entry.key).and_then(|text| match seen.get(text) {
                Some(place) => out.get_mut(*place),
                None => {
                    seen.insert(text, out.len());
                    None
                }
            });
            match place {
                Some(place) => {
                    found.replaces = Some(place.key);
                    *place = found;
                }
                None => out.push(found),
            }
        }
        out
    }

    /// The mappings that a `<<` names. A recursive alias names none.
    fn merge_sources(&self, value: NodeId) -> Vec<NodeId> {
        let follow = |id: NodeId| match &self.node(id).kind {
            NodeKind::Alias(alias) if alias.recursive => None,
            _ => Some(self.resolve_alias(id)),
        };
        match follow(value) {
            None => Vec::new(),
            Some(value) => match &self.node(value).kind {
                NodeKind::Sequence(items) => items.iter().filter_map(|item| follow(*item)).collect(),
                _ => vec![value],
            },
        }
    }

    /// The text of a scalar key, aliases followed.
    pub(crate) fn key_text(&self, key: NodeId) -> Option<&str> {
        match &self.node(self.resolve_alias(key)).kind {
            NodeKind::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// The entry of a key, merged ones included; the later one of two.
    #[must_use]
    pub fn get(&self, map: NodeId, key: &str) -> Option<Entry> {
        let NodeKind::Mapping(own) = &self.node(self.resolve_alias(map)).kind else {
            return None;
        };
        if !own.iter().any(|entry| self.is_merge_key(entry.key)) {
            return own
                .iter()
                .rev()
                .find(|entry| self.key_text(entry.key) == Some(key))
                .copied();
        }
        self.merged(own)
            .into_iter()
            .find(|entry| self.key_text(entry.key) == Some(key))
            .map(|entry| Entry {
                key: entry.key,
                value: entry.value,
            })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Tree, parse};

    fn view(text: &str, key: &str) -> Vec<String> {
        let tree: Tree = parse(text).tree;
        let map = tree.get(tree.root().unwrap(), key).unwrap().value;
        tree.entries(map)
            .iter()
            .map(|entry| {
                let text = |id| tree.key_text(id).unwrap_or("?").to_owned();
                let mark = if entry.merged { " merged" } else { "" };
                let over = entry.replaces.map_or("", |_| " over");
                format!("{}={}{mark}{over}", text(entry.key), text(entry.value))
            })
            .collect()
    }

    #[test]
    fn merged_entries_stand_where_the_merge_stands() {
        let text = "a: &x {k: 1, l: 2}\nb:\n  m: 3\n  <<: *x\n  n: 4\n";
        assert_eq!(view(text, "b"), ["m=3", "k=1 merged", "l=2 merged", "n=4"]);
    }

    #[test]
    fn a_later_entry_wins() {
        assert_eq!(view("a: &x {k: 1}\nb: { <<: *x, k: 2 }\n", "b"), ["k=2 over"]);
        assert_eq!(view("a: &x {k: 1}\nb: { k: 2, <<: *x }\n", "b"), ["k=1 merged over"]);
        assert_eq!(
            view("a: &x {k: 1}\nb: &y {k: 2}\nc: { <<: [*x, *y] }\n", "c"),
            ["k=2 merged over"]
        );
    }

    #[test]
    fn a_merge_of_itself_ends() {
        assert_eq!(view("b: &x { <<: *x, k: 2 }\n", "b"), ["k=2"]);
    }
}
