//! Where comments stand: every `#` at the start of a line, behind a blank or behind a bracket or quote, outside of scalars.
//!
//! The parser could tell them, too, but is ten times slower on long comments then and holds all of a run in memory.

use crate::span::{range, slice};
use crate::{NodeKind, ScalarStyle, TextRange, TextSize, Tree};

/// The comments of a text, in order.
pub(super) fn find(text: &str, tree: &Tree) -> Vec<TextRange> {
    let mut out = Vec::new();
    let mut from = TextSize::new(0);
    let mut take = |gap: TextRange| gap_comments(text, gap, &mut out);
    let scalars = tree.nodes.iter().filter(|node| !node.range.is_empty());
    let scalars = scalars.filter_map(|node| match &node.kind {
        NodeKind::Scalar(scalar) => Some((node.range, scalar.style)),
        NodeKind::Error => Some((node.range, ScalarStyle::Plain)),
        _ => None,
    });
    for (at, style) in scalars {
        // The head of a block text may hold a comment.
        let head = match style {
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let len = slice(text, at).find(['\n', '\r']).unwrap_or(usize::from(at.len()));
                at.start() + TextSize::try_from(len).unwrap_or_default()
            }
            _ => at.start(),
        };
        if head >= from {
            take(TextRange::new(from, head));
        }
        from = at.end().max(from);
    }
    take(TextRange::new(from, TextSize::of(text).max(from)));
    out
}

fn gap_comments(text: &str, gap: TextRange, out: &mut Vec<TextRange>) {
    let (mut at, end) = (usize::from(gap.start()), usize::from(gap.end()));
    while let Some(found) = text.get(at..end).and_then(|rest| rest.find('#')) {
        at += found;
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        if matches!(
            before,
            None | Some(' ' | '\t' | '\n' | '\r' | ']' | '}' | '"' | '\'' | '\u{FEFF}')
        ) {
            let len = text
                .get(at..)
                .map_or(0, |rest| rest.find(['\n', '\r']).unwrap_or(rest.len()));
            out.push(range(at, at + len));
            at += len;
        } else {
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    fn comments(text: &str) -> Vec<&str> {
        let tree = parse(text).tree;
        tree.comments()
            .iter()
            .map(|at| &text[std::ops::Range::<usize>::from(*at)])
            .collect()
    }

    #[test]
    fn comments_stand_outside_of_scalars() {
        let text = "# a\nb: c#d # e\nf: \"# g\" # h\ni: | # j\n  # k\n# l\nm: [n, # o\n  p]# q\n#";
        assert_eq!(comments(text), ["# a", "# e", "# h", "# j", "# l", "# o", "# q", "#"]);
        assert_eq!(comments("\u{FEFF}# a\r\nb: *x#y\r\n"), ["# a"]);
    }
}
