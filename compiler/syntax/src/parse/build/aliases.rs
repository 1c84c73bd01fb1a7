//! Anchors and aliases: edges to earlier nodes, with a bound on what they stand for together.

use smol_str::SmolStr;

use super::super::events::{Place, Reason};
use super::{Builder, MOST_FAULTS};
use crate::fault::{Fault, FaultKind};
use crate::span::{range, slice};
use crate::{Alias, Anchor, NodeKind, TextRange, TextSize};

impl Builder<'_> {
    pub(super) fn anchor(&mut self, name: &str, place: &Place) {
        let Some(id) = self.last else { return };
        let name = SmolStr::new(name);
        self.names.insert(name.clone(), id);
        if self.open.last().is_some_and(|frame| frame.id == id) {
            self.open_anchors.insert(id);
        }
        if let Some(node) = self.tree.nodes.get_mut(id.index()) {
            node.anchor = Some(Box::new(Anchor {
                name,
                range: range(place.start, place.end),
            }));
        }
    }

    pub(super) fn alias(&mut self, place: &Place) -> Result<(), Option<Reason>> {
        let at = range(place.start, place.end);
        let name = SmolStr::new(self.text.get(place.start + 1..place.end).unwrap_or_default());
        let mut target = self.names.get(&name).copied();
        let recursive = target.is_some_and(|id| self.open_anchors.contains(&id));
        let weight = match target {
            Some(id) if !recursive => self.weights.get(&id).copied().unwrap_or(1),
            _ => 1,
        };
        match target {
            None if self.faults.len() >= MOST_FAULTS => {}
            None => self.faults.push(self.unknown_alias(at, &name)),
            Some(id) if self.spent.saturating_add(weight) > self.limits.max_alias_expansion as u64 => {
                target = None;
                if !self.over {
                    self.over = true;
                    let fault = Fault::error(
                        FaultKind::AliasBudget,
                        at,
                        format!(
                            "the aliases of this file stand for more than {} values",
                            self.limits.max_alias_expansion
                        ),
                        "with this one it is too much",
                    )
                    .help("write the shared part once and use fewer aliases to it");
                    let anchor = self.tree.nodes.get(id.index()).and_then(|n| n.anchor.as_ref());
                    self.faults.push(match anchor {
                        Some(anchor) => fault.related(anchor.range, "this is what it stands for"),
                        None => fault,
                    });
                }
            }
            Some(_) => self.spent = self.spent.saturating_add(weight),
        }
        let known = target.is_some();
        let id = self.push(
            NodeKind::Alias(Alias {
                name,
                target,
                recursive,
            }),
            at,
            place,
        )?;
        if !known {
            self.push(NodeKind::Error, at, place)?;
            self.last = Some(id);
        }
        self.place_in_parent(id, weight);
        Ok(())
    }

    pub(super) fn unknown_alias(&self, at: TextRange, name: &str) -> Fault {
        let fault = Fault::error(
            FaultKind::UnknownAlias,
            TextRange::new(at.start() + TextSize::new(1), at.end()),
            format!("no anchor is called `&{name}`"),
            "an alias: a plain text cannot start with `*`",
        );
        if name.contains(['.', '/', '*', '{', '?']) {
            let text = slice(self.text, at);
            let quoted = format!("'{}'", text.replace('\'', "''"));
            return fault
                .help("quote it if it is meant as a text")
                .fix("put it in quotes", true, at, quoted);
        }
        fault.help("an anchor stands before its aliases; quote the value if it is meant as a text")
    }
}
