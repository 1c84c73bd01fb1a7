//! View templates.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (template, _) = kitsoki_expr::parse_p(text);
    let _ = template.render(&kitsoki_expr::Env::default(), None);
});
