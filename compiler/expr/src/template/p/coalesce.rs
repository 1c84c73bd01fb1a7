//! `a ?? b` means `a|default:b`: rewritten before anything is read, between delimiters and outside of quotes (language 10.2).

use super::super::remap::Remap;

/// The text with every `??` of a delimited part as the `default` filter.
pub(super) fn rewrite(text: &str) -> Remap {
    let mut remap = Remap::default();
    let mut at = 0;
    if text.contains("??") {
        while let Some((open, close, end)) = next_part(text, at) {
            remap.push_copy(text.get(at..open).unwrap_or_default(), at);
            body(text.get(open..close).unwrap_or_default(), open, &mut remap);
            remap.push_copy(text.get(close..end).unwrap_or_default(), close);
            at = end;
        }
    }
    remap.push_copy(text.get(at..).unwrap_or_default(), at);
    remap
}

/// The next delimited part: where its inside starts and ends, and where the part ends.
fn next_part(text: &str, from: usize) -> Option<(usize, usize, usize)> {
    let rest = text.get(from..)?;
    let open = rest
        .as_bytes()
        .windows(2)
        .position(|pair| matches!(pair, b"{{" | b"{%"))?;
    let inside = from + open + 2;
    let closer = if rest.get(open + 1..open + 2) == Some("{") {
        "}}"
    } else {
        "%}"
    };
    let length = text.get(inside..)?.find(closer)?;
    Some((inside, inside + length, inside + length + 2))
}

fn body(text: &str, at: usize, remap: &mut Remap) {
    let bytes = text.as_bytes();
    let mut copied = 0;
    let mut index = 0;
    while let Some(byte) = bytes.get(index) {
        match byte {
            b'"' | b'\'' => index = skip_quoted(bytes, index),
            b'?' if bytes.get(index + 1) == Some(&b'?') => {
                let before = text
                    .get(copied..index)
                    .unwrap_or_default()
                    .trim_end_matches([' ', '\t']);
                remap.push_copy(before, at + copied);
                remap.push_inserted("|default:");
                index += 2;
                while matches!(bytes.get(index), Some(b' ' | b'\t')) {
                    index += 1;
                }
                copied = index;
            }
            _ => index += 1,
        }
    }
    remap.push_copy(text.get(copied..).unwrap_or_default(), at + copied);
}

/// Behind a quoted text; an open one reaches to the end.
fn skip_quoted(bytes: &[u8], open: usize) -> usize {
    let quote = bytes.get(open);
    let mut index = open + 1;
    while let Some(byte) = bytes.get(index) {
        if *byte == b'\\' && index + 1 < bytes.len() {
            index += 2;
            continue;
        }
        index += 1;
        if Some(byte) == quote {
            break;
        }
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_between_delimiters_and_outside_of_quotes() {
        let remap = rewrite("really?? {{ a  ?? \"x ?? y\" }} {% if b??c %}");
        assert_eq!(remap.text(), "really?? {{ a|default:\"x ?? y\" }} {% if b|default:c %}");
    }

    #[test]
    fn an_open_delimiter_is_left_alone() {
        assert_eq!(rewrite("{{ a ?? b").text(), "{{ a ?? b");
    }
}
