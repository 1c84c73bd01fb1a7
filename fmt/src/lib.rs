//! The formatter of story YAML: it changes spaces and blank lines, never a word.
//!
//! ```
//! let text = "root:   pier\nstates:\n    pier: {view:   'Pier'}   # the start\n\n\n";
//! let formatted = kitsoki_fmt::format(text).unwrap();
//! assert_eq!(formatted, "root: pier\nstates:\n  pier: { view: 'Pier' }   # the start\n");
//! ```
//!
//! A text becomes tokens ([`tokens`]), the tokens get new columns and gaps ([`layout`]), and the result is read again: when its
//! tree, its comments or its faults are not those of the text before, the text is left as it is ([`same`]). So a fault of
//! the layout can cost beauty, never meaning.
//!
//! It does not join or split lines, order keys, touch quotes, wrap prose or reword comments: where an author broke a line
//! says something. It knows no story vocabulary and reads no file.

/// Columns that authors chose: values and comments that stand below each other.
mod align;
/// Texts of several lines.
mod blocks;
/// Where comments on their own line go.
mod comments;
/// Changed lines as edits, for editors.
mod edits;
/// Tokens to lines.
mod layout;
/// Some lines of a text alone.
mod part;
/// The proof that only spaces changed.
mod same;
/// Rows in brackets whose cells stand below each other.
mod tables;
/// A tree to tokens in the order of the text.
mod tokens;

pub use edits::{Edit, edits};
pub use part::format_part;

use kitsoki_syntax::{Fault, FaultKind, Limits, Severity, parse_with};

/// Why a text was left as it is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Why {
    /// It cannot be read as a whole. The fault that stands first in the text.
    #[error("{}", .0.message)]
    Faulty(Box<Fault>),
    /// Its formatted form would not mean the same: a fault of the formatter.
    #[error("the formatter does not know how to write this text without a change of its meaning")]
    Unsure,
}

/// The formatted text.
///
/// # Errors
/// When the text holds something that cannot be read, or when the result would not mean the same.
pub fn format(text: &str) -> Result<String, Why> {
    let limits = Limits::default();
    let parse = parse_with(text, &limits);
    if let Some(fault) = parse.faults.iter().find(|fault| stops(fault)) {
        return Err(Why::Faulty(Box::new(fault.clone())));
    }
    let tokens = tokens::of(text, &parse).ok_or(Why::Unsure)?;
    if tokens.is_empty() {
        return Ok(text.to_owned());
    }
    let mut gaps = align::values(text, &parse.tree);
    tables::gaps(text, &parse.tree, &tokens, &mut gaps);
    let mut lines = layout::lines(text, &tokens, &gaps);
    align::comments(&mut lines);
    let formatted = layout::join(text, &lines);
    if formatted == text || same::same(text, &parse, &formatted, &parse_with(&formatted, &limits)) {
        Ok(formatted)
    } else {
        Err(Why::Unsure)
    }
}

/// Whether a fault means that a part of the text is not in the tree, or not as its author meant it.
fn stops(fault: &Fault) -> bool {
    // These have a whole tree; what they mean is not the formatter's business.
    let whole = matches!(
        fault.kind,
        FaultKind::DuplicateKey | FaultKind::UnknownAlias | FaultKind::MergeNotMapping | FaultKind::EmptyDocument
    );
    fault.severity == Severity::Error && !whole
}
