//! What holds of guards and templates: ranges are parts of the text, tokens come in order, what compiles runs within its
//! limits and says the same when it runs again.

use kitsoki_expr::types::{self, TypeEnv, TypeFinding};
use kitsoki_expr::{Env, ExprError, Map, Reference, TextRange, Value, tokens};

use crate::tree::part;

/// Most bytes that a rendering may give out: the limit of templates.
pub const MAX_OUTPUT: usize = 16 << 20;
/// Most errors that are told of one expression.
pub const MAX_ERRORS: usize = 16;

/// A world with a value of every kind, so that most names that an input stumbles upon have one.
#[must_use]
pub fn env() -> Env {
    let list = |items: &[i64]| Value::list(items.iter().map(|n| Value::Int(*n)).collect());
    let deep = map([("x", map([("y", map([("z", Value::text("deep"))]))]))]);
    let world = [
        ("a", Value::Int(3)),
        ("b", Value::Bool(true)),
        ("f", Value::Float(2.5)),
        ("l", list(&[1, 2, 3])),
        ("m", deep.clone()),
        ("n", Value::Nil),
        ("s", Value::text("word wörter 🍵")),
        ("u", Value::Uint(u64::MAX)),
        ("rows", Value::list(vec![deep.clone(), deep])),
    ];
    let Value::Map(world) = map(world) else {
        return Env::default();
    };
    let Value::Map(slots) = map([("name", Value::text("Ann")), ("n", Value::Int(-1))]) else {
        return Env::default();
    };
    let go = Value::list(vec![map([("intent", Value::text("go"))])]);
    let Value::Map(menu) = map([("primary", go.clone()), ("blocked", go)]) else {
        return Env::default();
    };
    Env::new(world, slots).with_menu(menu)
}

fn map<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    let mut map = Map::new();
    for (key, value) in pairs {
        map.insert(key, value);
    }
    Value::Map(map)
}

/// Errors of compiling lie in the text, and those of each of its expressions are not more than a reader wants.
///
/// # Panics
/// When they do not.
pub fn errors(text: &str, errors: &[ExprError]) {
    let expressions = text.matches("{{").count() + text.matches("{%").count();
    // Each of them may be a block that is never closed, too.
    let most = (MAX_ERRORS + 1) * expressions.max(1);
    assert!(errors.len() <= most, "{} errors", errors.len());
    for error in errors {
        part(text, error.range);
        assert!(!error.message.is_empty(), "{error:?}");
        if let Some((range, new)) = &error.fix {
            assert_ne!(part(text, *range), new, "a fix that changes nothing: {error:?}");
        }
    }
}

/// An error of running lies in the text too.
///
/// # Panics
/// When it does not.
pub fn outcome<T>(text: &str, outcome: &Result<T, ExprError>) {
    if let Err(error) = outcome {
        if error.file.is_none() {
            part(text, error.range);
        }
        assert!(!error.message.is_empty(), "an error without words");
    }
}

/// Tokens come in order and do not overlap.
///
/// # Panics
/// When they do not.
pub fn in_order(text: &str, tokens: &[tokens::Token]) {
    let mut last = TextRange::default();
    for token in tokens {
        part(text, token.range);
        assert!(
            token.range.start() >= last.end(),
            "{token:?} stands in the token before it, {last:?}"
        );
        last = token.range;
    }
}

/// References lie in the text.
///
/// # Panics
/// When one does not.
pub fn references(text: &str, references: &[Reference]) {
    for reference in references {
        part(text, reference.range);
        for step in &reference.path {
            part(text, step.range);
        }
    }
}

/// Findings of types lie in the text.
///
/// # Panics
/// When one does not.
pub fn types(text: &str, findings: &[TypeFinding]) {
    for finding in findings {
        part(text, finding.range);
    }
}

/// Types of a world of which nothing is known but that it is there.
#[must_use]
pub fn type_env() -> TypeEnv {
    types::TypeEnv::default()
}

/// A text that was made is within the limits.
///
/// # Panics
/// When it is longer.
pub fn within(text: &str) {
    assert!(text.len() <= MAX_OUTPUT, "{} bytes were made", text.len());
}

/// Two outcomes of the same thing say the same, errors included.
///
/// # Panics
/// When they do not.
pub fn same<T: std::fmt::Debug>(one: &Result<T, ExprError>, two: &Result<T, ExprError>) {
    assert_eq!(
        format!("{one:?}"),
        format!("{two:?}"),
        "the second run says something else"
    );
}
