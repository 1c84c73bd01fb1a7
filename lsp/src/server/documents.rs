//! The open files: what the client shows is the truth, saved or not.

use camino::Utf8PathBuf;
use gen_lsp_types::{TextDocumentContentChangeEvent as Change, Uri};
use kitsoki_syntax::LineIndex;
use rustc_hash::FxHashMap;

use super::position::Encoding;

/// One open file.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    /// As the client spells it: answers use the same spelling.
    pub uri: Uri,
    /// The client's number.
    pub version: i32,
    /// The text.
    pub text: String,
}

/// The open files by path.
pub type Documents = FxHashMap<Utf8PathBuf, Document>;

/// Makes the changes of one notification, in order.
pub fn apply(text: &mut String, changes: Vec<Change>, encoding: Encoding) {
    for change in changes {
        match change {
            Change::TextDocumentContentChangeWholeDocument(whole) => *text = whole.text,
            Change::TextDocumentContentChangePartial(part) => {
                let index = LineIndex::new(text);
                let range = encoding.text_range(&index, text, part.range);
                text.replace_range(std::ops::Range::<usize>::from(range), &part.text);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn changed(text: &str, json: serde_json::Value, encoding: Encoding) -> String {
        let mut text = text.to_owned();
        apply(&mut text, serde_json::from_value(json).unwrap(), encoding);
        text
    }

    #[test]
    fn changes_are_made_in_order_on_the_text_so_far() {
        let at = |l, c, m, d, t: &str| serde_json::json!({"range": {"start": {"line": l, "character": c}, "end": {"line": m, "character": d}}, "text": t});
        let changes = serde_json::json!([at(0, 3, 0, 3, "é🍵"), at(0, 6, 0, 6, "!"), at(1, 0, 2, 0, "")]);
        assert_eq!(changed("a: \nb\nc", changes, Encoding::Utf16), "a: é🍵!\nc");
        let changes = serde_json::json!([at(0, 3, 0, 3, "é🍵"), at(0, 9, 0, 9, "!")]);
        assert_eq!(changed("a: \n", changes, Encoding::Utf8), "a: é🍵!\n");
    }

    #[test]
    fn a_change_without_a_range_is_the_whole_text() {
        assert_eq!(changed("a", serde_json::json!([{"text": "b"}]), Encoding::Utf16), "b");
    }

    #[test]
    fn a_range_behind_the_end_adds_at_the_end() {
        let change = serde_json::json!([{"range": {"start": {"line": 7, "character": 1}, "end": {"line": 9, "character": 0}}, "text": "x"}]);
        assert_eq!(changed("a\n", change, Encoding::Utf16), "a\nx");
    }
}
