//! Names that are written as a block of text: `target: |` with the name below it has a line end that no name has.
//!
//! The right name is then there already, letter for letter, and a fix that replaces the letters would change nothing. It
//! replaces the block. Every rule that offers a name profits, so this is done once, over what the rules have found.

use std::ops::Range;

use kitsoki_diagnostics::{Diagnostic, Edit};
use kitsoki_syntax::{NodeKind, ScalarStyle, Span, parse};

use super::StoryCx;
use crate::emit::yaml_word;

/// Makes edits that change nothing in a block of text replace the block.
pub(super) fn widen(cx: &StoryCx<'_>, findings: &mut [Diagnostic]) {
    for finding in findings {
        for fix in &mut finding.fixes {
            let [edit] = fix.edits.as_mut_slice() else { continue };
            if cx.slice(edit.span).as_deref() == Some(edit.text.as_str())
                && let Some(block) = around(cx, edit)
            {
                edit.span = block;
                edit.text = yaml_word(&edit.text);
            }
        }
    }
}

/// The block of text that an edit lies in.
fn around(cx: &StoryCx<'_>, edit: &Edit) -> Option<Span> {
    let text = cx.text_of(edit.span.file)?;
    let tree = parse(text).tree;
    let node = tree.node(*tree.node_at(edit.span.range.start()).last()?);
    let NodeKind::Scalar(scalar) = &node.kind else {
        return None;
    };
    let block = matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded);
    // Alone in it: behind or before other words it is no name.
    let whole = text.get(Range::<usize>::from(node.range))?;
    let alone = whole.split_once('\n').is_some_and(|(_, body)| body.trim() == edit.text);
    (block && alone).then(|| Span::new(edit.span.file, node.range))
}
