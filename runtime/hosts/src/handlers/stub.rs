//! The built-in names that this version does not carry out: they are known, and they say so.

use kitsoki_ir::BUILTIN_VERBS;

use crate::call::{Answer, Call, Failure, Kind};
use crate::registry::Registry;

/// Registers what no family has registered.
pub(super) fn register(registry: &mut Registry) {
    for name in BUILTIN_VERBS {
        if registry.resolve(name).is_none_or(|r| !r.suffix.is_empty()) {
            registry.replace(name, call);
        }
    }
}

fn call(call: &Call<'_>) -> Answer {
    let text = format!(
        "{}: not available in this version of kitsoki; stub it in fixtures, or give the effect an on_error",
        call.handler
    );
    Err(Failure::domain(Kind::NotImplemented, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_the_language_and_those_of_the_handlers_are_the_same() {
        let registry = crate::builtins();
        let mut registered: Vec<&str> = registry.names().collect();
        registered.sort_unstable();
        assert_eq!(registered, BUILTIN_VERBS);
    }
}
