//! Guard expressions: parsing, colouring, typing and evaluating end within their limits, and say the same twice.
#![no_main]

use std::sync::LazyLock;

use kitsoki_expr::types::{infer, infer_guard};
use kitsoki_expr::{Env, Mode, compile_expr, parse_expr, print, tokens};
use kitsoki_fuzz::code;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    static ENV: LazyLock<Env> = LazyLock::new(code::env);
    code::in_order(text, &tokens::of_expr(text));
    let (expr, errors) = parse_expr(text);
    code::errors(text, &errors);
    code::references(text, &expr.references());
    let types = code::type_env();
    code::types(text, &infer(&expr, &types).1);
    code::types(text, &infer_guard(&expr, &types).1);
    for mode in [Mode::Guard, Mode::Value] {
        match compile_expr(text, mode) {
            Err(errors) => {
                assert!(!errors.is_empty(), "refused without a reason");
                code::errors(text, &errors);
            }
            Ok(program) => {
                assert!(errors.is_empty(), "it compiles with {errors:?}");
                for env in [&Env::default(), &*ENV] {
                    let value = program.eval(env);
                    code::outcome(text, &value);
                    code::same(&value, &program.eval(env));
                    code::outcome(text, &program.eval_guard(env));
                    if let Ok(value) = value {
                        assert!(value.depth() <= kitsoki_expr::MAX_VALUE_DEPTH, "too deep");
                        let _ = (print::interpolated(&value), print::stringified(&value));
                    }
                }
            }
        }
    }
});
