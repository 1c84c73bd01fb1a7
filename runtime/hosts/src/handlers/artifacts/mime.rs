//! Media types: by the extension, else by the first bytes.

use crate::place;

/// The media type of a file.
pub(super) fn of(name: &str, content: &[u8]) -> &'static str {
    by_extension(&place::extension(name).to_lowercase()).unwrap_or_else(|| sniffed(content))
}

fn by_extension(extension: &str) -> Option<&'static str> {
    Some(match extension {
        ".png" => "image/png",
        ".jpg" | ".jpeg" => "image/jpeg",
        ".gif" => "image/gif",
        ".webp" => "image/webp",
        ".avif" => "image/avif",
        ".svg" => "image/svg+xml",
        ".pdf" => "application/pdf",
        ".html" | ".htm" => "text/html; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".js" | ".mjs" => "text/javascript; charset=utf-8",
        ".xml" => "text/xml; charset=utf-8",
        ".txt" => "text/plain; charset=utf-8",
        ".md" => "text/markdown; charset=utf-8",
        ".csv" => "text/csv; charset=utf-8",
        ".json" => "application/json",
        ".wasm" => "application/wasm",
        ".zip" => "application/zip",
        ".mp4" | ".m4v" => "video/mp4",
        ".webm" => "video/webm",
        ".mov" => "video/quicktime",
        ".mp3" => "audio/mpeg",
        ".wav" => "audio/wav",
        ".yaml" | ".yml" => "application/x-yaml",
        ".gz" => "application/gzip",
        ".tar" => "application/x-tar",
        ".docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ".xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ".pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        _ => return None,
    })
}

fn sniffed(content: &[u8]) -> &'static str {
    let start = content.get(..512.min(content.len())).unwrap_or_default();
    let signatures: [(&[u8], &str); 8] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"%PDF-", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
        (b"\x1f\x8b\x08", "application/x-gzip"),
        (b"\x1a\x45\xdf\xa3", "video/webm"),
        (b"OggS\0", "application/ogg"),
    ];
    if let Some((_, mime)) = signatures.iter().find(|(bytes, _)| start.starts_with(bytes)) {
        return mime;
    }
    if start.get(4..8) == Some(b"ftyp") {
        return "video/mp4";
    }
    let text = String::from_utf8_lossy(start).trim_start().to_lowercase();
    if [
        "<!doctype html",
        "<html",
        "<head",
        "<body",
        "<script",
        "<p",
        "<div",
        "<h1",
        "<table",
    ]
    .iter()
    .any(|tag| text.starts_with(tag))
    {
        return "text/html; charset=utf-8";
    }
    if text.starts_with("<?xml") {
        return "text/xml; charset=utf-8";
    }
    let binary = |b: &u8| *b < 0x20 && !matches!(*b, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    if start.iter().any(binary) {
        "application/octet-stream"
    } else {
        "text/plain; charset=utf-8"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_decides_before_the_content() {
        assert_eq!(of("x.PNG", b"<html>"), "image/png");
        assert_eq!(of("x", b"%PDF-1.4"), "application/pdf");
        assert_eq!(of("x", b"  <!DOCTYPE HTML>"), "text/html; charset=utf-8");
        assert_eq!(of("x.bin", b"plain"), "text/plain; charset=utf-8");
        assert_eq!(of("x", b"\0\x01"), "application/octet-stream");
    }
}
