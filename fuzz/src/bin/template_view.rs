//! View templates: parsing, colouring, typing, linking and rendering end within their limits, and say the same twice. The
//! text also stands in a file that itself includes, so that files that include each other are met.
#![no_main]

use std::sync::{Arc, LazyLock};

use kitsoki_expr::types::infer_p;
use kitsoki_expr::{Env, LoadedTemplate, TemplateLoader, parse_p, parse_p_file, tokens, wrap};
use kitsoki_fuzz::code;
use libfuzzer_sys::fuzz_target;

/// One text under every name.
struct Everywhere<'t>(&'t str);

impl TemplateLoader for Everywhere<'_> {
    fn load(&self, name: &str, _: Option<&str>) -> Option<LoadedTemplate> {
        (name.len() < 3).then(|| LoadedTemplate {
            name: name.into(),
            text: Arc::from(self.0),
            coalesce: true,
        })
    }
}

fuzz_target!(|text: &str| {
    static ENV: LazyLock<Env> = LazyLock::new(code::env);
    code::in_order(text, &tokens::of_p(text));
    let (template, errors) = parse_p(text);
    code::errors(text, &errors);
    code::references(text, &template.references());
    code::types(text, &infer_p(&template, &code::type_env()));
    let (file, errors) = parse_p_file(text);
    code::errors(text, &errors);
    let loader = Everywhere(text);
    for env in [&Env::default(), &*ENV] {
        let made = template.render(env, None);
        code::outcome(text, &made);
        code::same(&made, &template.render(env, None));
        let from_file = file.render_file(env, Some(&loader));
        code::outcome(text, &file.link(Some(&loader)));
        for made in [made, from_file].into_iter().flatten() {
            code::within(&made);
            assert!(
                wrap::wrap(&made, 72).len() < 3 * made.len() + 3,
                "wrapping makes much more of it"
            );
        }
    }
});
