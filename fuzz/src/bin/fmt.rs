//! Any text: what the formatter gives out it leaves alone when it comes in again, and the edits that lead there do.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = kitsoki_syntax::decode_utf8(bytes) else {
        return;
    };
    let Ok(formatted) = kitsoki_fmt::format(text) else {
        return;
    };
    assert_eq!(
        kitsoki_fmt::format(&formatted).as_deref(),
        Ok(formatted.as_str()),
        "a second run changes more"
    );
    let mut edited = text.to_owned();
    for edit in kitsoki_fmt::edits(text, &formatted).into_iter().rev() {
        edited.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
    }
    assert_eq!(edited, formatted, "the edits lead elsewhere");
});
