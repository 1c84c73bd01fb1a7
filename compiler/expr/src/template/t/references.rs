//! What a brace template names: what its expressions name, and its block words.

use smol_str::SmolStr;

use super::super::remap::Remap;
use super::tree::{Mark, TemplateT};
use crate::reference::{LiteralComparison, RefKind, Reference};

impl TemplateT {
    /// Every name that the template uses, in text order. `item` is local inside a range, also where `.name` stands for `item.name`:
    /// its root range is empty then.
    #[must_use]
    pub fn references(&self) -> Vec<Reference> {
        let mut found: Vec<Reference> = Vec::new();
        for (expr, remap, in_range) in self.expressions() {
            found.extend(
                expr.references()
                    .into_iter()
                    .map(|reference| place(reference, remap, in_range)),
            );
        }
        for (mark, range) in &self.marks {
            if *mark == Mark::Word {
                found.push(Reference {
                    root: SmolStr::new(self.slice(*range)),
                    root_range: *range,
                    path: Vec::new(),
                    range: *range,
                    kind: RefKind::Tag,
                    local: false,
                });
            }
        }
        found.sort_by_key(|reference| (reference.range.start(), reference.range.end()));
        found
    }

    /// Every comparison of a chain with literals, in text order.
    #[must_use]
    pub fn literal_comparisons(&self) -> Vec<LiteralComparison> {
        let mut found = Vec::new();
        for (expr, remap, in_range) in self.expressions() {
            for mut comparison in expr.literal_comparisons() {
                comparison.subject = place(comparison.subject, remap, in_range);
                comparison.range = remap.source(comparison.range);
                for (_, range) in &mut comparison.literals {
                    *range = remap.source(*range);
                }
                found.push(comparison);
            }
        }
        found
    }
}

fn place(mut reference: Reference, remap: &Remap, in_range: bool) -> Reference {
    reference.local |= in_range && reference.root == "item";
    reference.root_range = remap.source(reference.root_range);
    reference.range = remap.source(reference.range);
    for segment in &mut reference.path {
        segment.range = remap.source(segment.range);
    }
    if let RefKind::Call(arguments) = &mut reference.kind {
        for argument in arguments {
            argument.range = remap.source(argument.range);
        }
    }
    reference
}
