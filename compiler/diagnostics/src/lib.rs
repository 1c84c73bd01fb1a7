//! What is wrong, where and what to do: the diagnostic model, the registry of rules and the renderers.
//!
//! | Module | What it holds |
//! |---|---|
//! | `model` | [`Diagnostic`], labels, fixes |
//! | `rule` | [`Rule`] and [`Registry`] |
//! | `suggest` | the name that was probably meant |
//! | `sources` | what a renderer may ask about files |
//! | `sanitize` | places and texts made safe before any renderer sees them |
//! | `render` | one module per form |
//! | `fixes` | applying fixes to texts; unified diffs |
//! | `suppress`, `levels`, `baseline` | what is not reported, and why |

pub mod baseline;
pub mod fixes;
pub mod levels;
mod model;
pub mod render;
mod rule;
pub mod sanitize;
mod sources;
pub mod suggest;
pub mod suppress;

pub use model::{Applicability, Diagnostic, Edit, Entrance, Fix, Label, Way, code, merge_repeats, sort};
pub use rule::{Fixable, Level, Registry, Rule};
pub use sources::{MemorySources, Place, Sources, place};
