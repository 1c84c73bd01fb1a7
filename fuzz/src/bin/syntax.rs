//! Any bytes as YAML: all that is promised of a tree ([`kitsoki_fuzz::tree`]) holds, also for the text cut off in the middle.
#![no_main]

use kitsoki_fuzz::tree;
use kitsoki_syntax::{Severity, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = kitsoki_syntax::decode_utf8(bytes) else {
        return;
    };
    let whole = parse(text);
    tree::hold(text, &whole);
    let decoded = kitsoki_syntax::decode::document(text);
    let faulty = whole.faults.iter().any(|fault| fault.severity == Severity::Error);
    assert_eq!(decoded.is_err(), faulty, "the tree and its reader do not agree");
    assert_eq!(whole, parse(text), "a second reading says something else");
    let half = text.floor_char_boundary(text.len() / 2);
    tree::hold(&text[..half], &parse(&text[..half]));
});
