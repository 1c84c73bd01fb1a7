//! Guard expressions: parsing, checking and evaluating end, and never panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (_, errors) = kitsoki_expr::parse_expr(text);
    for error in errors {
        assert!(text.get(std::ops::Range::<usize>::from(error.range)).is_some(), "{}", error.message);
    }
    for mode in [kitsoki_expr::Mode::Guard, kitsoki_expr::Mode::Value] {
        if let Ok(program) = kitsoki_expr::compile_expr(text, mode) {
            let _ = program.eval(&kitsoki_expr::Env::default());
        }
    }
});
