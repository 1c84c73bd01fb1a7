//! File URIs and paths.

use camino::{Utf8Path, Utf8PathBuf};
use gen_lsp_types::Uri;
use kitsoki_compiler::db::normalize;

/// The path of a `file:` URI; `None` for every other scheme and for a path that is no UTF-8.
#[must_use]
pub fn to_path(uri: &str) -> Option<Utf8PathBuf> {
    let rest = uri
        .get(..5)
        .filter(|s| s.eq_ignore_ascii_case("file:"))
        .and(uri.get(5..))?;
    let rest = match rest.strip_prefix("//") {
        // `file://localhost/x` names the same as `file:///x`.
        Some(rest) => rest.find('/').and_then(|slash| rest.get(slash..))?,
        None => rest,
    };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let path = decode(rest)?;
    // `/c:/x` of other systems.
    let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    let path = if drive {
        path.trim_start_matches('/').to_owned()
    } else {
        path
    };
    let path = Utf8PathBuf::from(path);
    path.is_absolute().then(|| normalize(&path))
}

fn decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        if b == b'%' {
            let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
            let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
            out.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            out.push(b);
        }
    }
    String::from_utf8(out).ok().filter(|p| !p.contains('\0'))
}

/// The `file:` URI of a path.
#[must_use]
pub fn of_path(path: &Utf8Path) -> Uri {
    let mut out = String::from("file://");
    let text = path.as_str();
    if !text.starts_with('/') {
        out.push('/');
    }
    for b in text.bytes() {
        let plain = b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'.' | b'_' | b'~' | b'@' | b'+' | b'=');
        if plain {
            out.push(char::from(b));
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    Uri(out)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_from_its_uri() {
        for path in ["/a/b.yaml", "/tea room/ü 🍵.yaml", "/50%/a#b?c.yaml", "/a/@kitsoki/x"] {
            assert_eq!(to_path(&of_path(Utf8Path::new(path)).0).unwrap(), path);
        }
    }

    #[test]
    fn spellings_of_one_file_are_one_path() {
        for uri in [
            "file:///a/b.yaml",
            "file://localhost/a/b.yaml",
            "FILE:///a/./x/../b%2Eyaml",
            "file:/a/b.yaml",
        ] {
            assert_eq!(to_path(uri).unwrap(), "/a/b.yaml", "{uri}");
        }
    }

    #[test]
    fn what_is_no_file_has_no_path() {
        for uri in [
            "untitled:x",
            "git:/a/b",
            "file:",
            "file://",
            "file:///a%zz",
            "file:///a%ff",
            "file:///a%00b",
            "fi",
        ] {
            assert_eq!(to_path(uri), None, "{uri}");
        }
    }
}
