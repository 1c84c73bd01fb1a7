//! Macros: blocks that no engine knows become ordinary declarations (`macros`). One module per macro.
//!
//! A macro checks its declaration first and reports all that is wrong; nothing is built on a broken one. What it makes
//! carries [`Origin::Macro`](crate::surface::Origin) or [`Text::made`](crate::surface::Text) with the place of the key
//! that caused it, so that a fault in a made node is shown at the author's line. Running the macros on a story that went
//! through them changes nothing.
//!
//! | Module | What it replaces |
//! |---|---|
//! | `phases` | `phases` and its template (before the others, for children too) |
//! | `workbench`, `plan` | `workbench:`; the contract of `plan: true` |
//! | `capture` | `agent_off_ramp.capture_free_text` |
//! | `meta_modes` | missing built-in modes; groups from keys |
//! | `interfaces` | `iface.<name>.<op>` calls |
//! | `authoring` | the built-in story-authoring room and the arcs to it |
//! | `exits` | `@exit:` of a story that runs by itself |
//! | `plugins`, `providers` | the default plugin; their checks |
//! | `fallback` | the free-form fallback |
//! | `off_ramp` | `agent_off_ramp: false` |
//! | `naming`, `make`, `rooms`, `env` | names of made things, makers of nodes, the walk over rooms, `${NAME}` |

mod authoring;
mod capture;
mod env;
mod exits;
mod expansion;
mod fallback;
mod interfaces;
mod make;
mod meta_modes;
mod naming;
mod off_ramp;
pub(crate) mod phases;
mod plan;
mod plugins;
mod providers;
mod rooms;
mod workbench;

use std::collections::BTreeMap;

use smol_str::SmolStr;

pub(crate) use fallback::source as fallback_source;
pub(crate) use naming::workbench_request;

use crate::db::Db;
use crate::story::Loaded;
use expansion::Expansion;

/// Handlers that replace the defaults of host interfaces: final interface name to handler (`imports` 9.5).
pub type InterfaceOverrides = BTreeMap<SmolStr, SmolStr>;

/// Runs every macro of the root, in the order of `macros` 1.
pub fn expand(db: &dyn Db, loaded: &Loaded) -> Loaded {
    expand_with(db, loaded, &InterfaceOverrides::new())
}

/// As [`expand`], with handlers that the caller binds to interfaces: flow fixtures do. Names that no interface has are
/// ignored.
pub fn expand_with(db: &dyn Db, loaded: &Loaded, overrides: &InterfaceOverrides) -> Loaded {
    let mut cx = Expansion::new(db, loaded.clone());
    workbench::expand(&mut cx);
    capture::expand(&mut cx);
    meta_modes::inject(&mut cx);
    interfaces::rebind(&mut cx, overrides);
    interfaces::resolve(&mut cx);
    authoring::inject(&mut cx);
    exits::materialise(&mut cx);
    plugins::resolve(&mut cx);
    providers::check(&mut cx);
    fallback::apply(&mut cx);
    off_ramp::normalise(&mut cx);
    meta_modes::fill_in(&mut cx);
    cx.story
}
