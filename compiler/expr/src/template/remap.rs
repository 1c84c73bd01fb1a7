//! Places of a rewritten text in the text that the author wrote.
//!
//! Templates are compiled from texts that were changed a little: `.name` of a range body becomes `item.name`, `not x`
//! becomes `!(x)`, `a ?? b` becomes `a|default:b`. What was inserted has no place of its own: it maps to where it was put.

use text_size::{TextRange, TextSize};

/// A text built of copied and inserted pieces, and where the copied ones came from.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Remap {
    text: String,
    /// Copied pieces in order: start here, start there, length.
    pieces: Vec<(u32, u32, u32)>,
    /// Where the text ends in the source.
    end: u32,
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Remap {
    /// A text that is a copy of a part of the source.
    pub(crate) fn copy(text: &str, at: usize) -> Self {
        let mut remap = Self::default();
        remap.push_copy(text, at);
        remap
    }

    /// Appends a part of the source.
    pub(crate) fn push_copy(&mut self, text: &str, at: usize) {
        self.pieces
            .push((offset(self.text.len()), offset(at), offset(text.len())));
        self.end = offset(at + text.len());
        self.text.push_str(text);
    }

    /// Appends a text that the source does not have.
    pub(crate) fn push_inserted(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// This text without its first bytes, in brackets.
    pub(crate) fn wrapped(&self, skip: usize, before: &str, after: &str) -> Self {
        let skip = offset(skip);
        let mut text = before.to_owned();
        text.push_str(self.text.get(skip as usize..).unwrap_or_default());
        text.push_str(after);
        let shift = offset(before.len());
        let pieces = self
            .pieces
            .iter()
            .filter(|(here, _, length)| here + length > skip)
            .map(|(here, there, length)| {
                let cut = skip.saturating_sub(*here);
                (here + cut - skip + shift, there + cut, length - cut)
            })
            .collect();
        Self {
            text,
            pieces,
            end: self.end,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn place(&self, at: u32, end: bool) -> u32 {
        let index = self
            .pieces
            .partition_point(|(here, ..)| if end { *here < at } else { *here <= at });
        let Some((here, there, length)) = index.checked_sub(1).and_then(|index| self.pieces.get(index)) else {
            return self.pieces.first().map_or(self.end, |(_, there, _)| *there);
        };
        let inside = at - here;
        if inside < *length || end && inside == *length {
            return there + inside;
        }
        if end {
            return there + length;
        }
        // In an inserted piece: what comes next in the source.
        self.pieces.get(index).map_or(self.end, |(_, there, _)| *there)
    }

    /// The range of the source that a range of this text stands for.
    pub(crate) fn source(&self, range: TextRange) -> TextRange {
        let start = self.place(range.start().into(), false);
        if range.is_empty() {
            return TextRange::empty(TextSize::new(start));
        }
        let end = self.place(range.end().into(), true);
        TextRange::new(TextSize::new(start.min(end)), TextSize::new(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u32, end: u32) -> TextRange {
        TextRange::new(TextSize::new(start), TextSize::new(end))
    }

    #[test]
    fn copied_pieces_keep_their_place() {
        let mut remap = Remap::default();
        remap.push_inserted("!(");
        remap.push_copy("world.a", 10);
        remap.push_inserted(")");
        assert_eq!(remap.source(range(2, 7)), range(10, 15));
        assert_eq!(remap.source(range(0, 10)), range(10, 17));
    }

    #[test]
    fn inserted_pieces_are_empty() {
        let mut remap = Remap::copy("a + ", 5);
        remap.push_inserted("item");
        remap.push_copy(".x", 9);
        assert_eq!(remap.source(range(4, 8)), range(9, 9));
        assert_eq!(remap.source(range(4, 10)), range(9, 11));
    }
}
