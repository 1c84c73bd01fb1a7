//! One module per family of handlers.

mod run;
mod stub;

use crate::registry::Registry;

/// Registers every built-in name (`hosts` 3).
pub(crate) fn register(registry: &mut Registry) {
    registry.replace("host.run", run::call);
    stub::register(registry);
}
