//! Brace templates of values: parsing, colouring, typing and rendering end within their limits, and say the same twice.
#![no_main]

use std::sync::LazyLock;

use kitsoki_expr::types::infer_t;
use kitsoki_expr::{Env, check_t_load, parse_t, tokens};
use kitsoki_fuzz::code;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    static ENV: LazyLock<Env> = LazyLock::new(code::env);
    code::in_order(text, &tokens::of_t(text));
    let (template, errors) = parse_t(text);
    code::errors(text, &errors);
    code::errors(text, &check_t_load(text));
    code::references(text, &template.references());
    code::types(text, &infer_t(&template, &code::type_env()).1);
    if template.is_literal() {
        assert_eq!(template.render_text(&ENV).as_deref(), Ok(text), "a literal says itself");
    }
    for env in [&Env::default(), &*ENV] {
        let made = template.render_text(env);
        code::outcome(text, &made);
        code::same(&made, &template.render_text(env));
        code::outcome(text, &template.render(env));
        if let Ok(made) = made {
            code::within(&made);
        }
    }
});
