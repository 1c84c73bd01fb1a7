//! The rewriting of `.name` in a range body to `item.name`. It looks at characters only, as the reference does: texts in quotes
//! and members behind brackets are changed too.

use super::super::remap::Remap;

/// A part of a template that starts at `at`, rewritten when it stands in a range body.
pub(super) fn rewrite(text: &str, at: usize, in_range: bool) -> Remap {
    if !in_range || !text.contains('.') {
        return Remap::copy(text, at);
    }
    let mut remap = Remap::default();
    let mut copied = 0;
    let mut boundary = true;
    let bytes = text.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let starts_name = bytes
            .get(index + 1)
            .is_some_and(|next| next.is_ascii_alphabetic() || *next == b'_');
        if *byte == b'.' && boundary && starts_name {
            remap.push_copy(text.get(copied..index).unwrap_or_default(), at + copied);
            remap.push_inserted("item");
            copied = index;
            boundary = false;
            continue;
        }
        boundary = !(byte.is_ascii_alphanumeric() || *byte == b'_');
    }
    remap.push_copy(text.get(copied..).unwrap_or_default(), at + copied);
    remap
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_dots_become_members_of_the_element() {
        assert_eq!(rewrite(".n + world.x", 0, true).text(), "item.n + world.x");
        assert_eq!(rewrite("'a .b' + m[0].c", 0, true).text(), "'a item.b' + m[0]item.c");
        assert_eq!(rewrite(".n", 0, false).text(), ".n");
    }
}
