//! The registry that a session starts with: every name of `hosts` 3.

use crate::handlers;
use crate::registry::Registry;

/// Every built-in handler. Those that this version does not have answer that they are missing.
pub fn builtins() -> Registry {
    let mut registry = Registry::new();
    handlers::register(&mut registry);
    registry
}
