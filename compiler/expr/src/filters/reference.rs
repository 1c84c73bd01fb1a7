//! The `reference` filter: a text as a quotation with line numbers and a pin of its content.

use std::fmt::Write as _;

use super::format::quoted;
use crate::sha256;
use crate::template::p::value::P;

pub(super) fn reference(input: &P, argument: &P) -> P {
    if input.is_nil() {
        return input.clone();
    }
    let content = input.text();
    let digest = sha256::hex(content.as_bytes());
    let pin = digest.get(..8).unwrap_or_default();
    let lines: Vec<&str> = match content.as_ref() {
        "" => Vec::new(),
        content => content.strip_suffix('\n').unwrap_or(content).split('\n').collect(),
    };
    let span = if lines.is_empty() {
        "0-0".to_owned()
    } else {
        format!("1-{}", lines.len())
    };
    let width = lines.len().to_string().len();
    let mut out = String::with_capacity(content.len() + 64);
    let _ = writeln!(
        out,
        "<reference src={} lines=\"{span}\" sha256=\"{pin}\">",
        quoted(&argument.text())
    );
    for (index, line) in lines.iter().enumerate() {
        let _ = writeln!(out, "{:width$} | {line}", index + 1);
    }
    out.push_str("</reference>");
    P::from(out)
}
