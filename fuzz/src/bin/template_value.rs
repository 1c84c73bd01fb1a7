//! Brace templates of values.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (template, _) = kitsoki_expr::parse_t(text);
    let _ = kitsoki_expr::check_t_load(text);
    let _ = template.render(&kitsoki_expr::Env::default());
});
