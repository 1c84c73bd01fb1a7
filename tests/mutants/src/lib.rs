//! Stories with mistakes put into them, and what holds of every story, whole or broken. The tests of this package take a few
//! hundred of them; the fuzz target `stories` as many as it finds time for.
//!
//! | Module | What it holds |
//! |---|---|
//! | [`choices`] | where decisions come from: a seed, or the bytes of a fuzzer |
//! | [`originals`] | the stories that are changed |
//! | [`mutate`] | what authors do to a story, one function a kind |
//! | [`workspace`] | files in memory with what the compiler says about them |
//! | [`promises`] | what holds of every story |
//! | [`play`] | what holds of a session of a story without errors |

pub mod choices;
pub mod mutate;
pub mod originals;
pub mod play;
pub mod promises;
pub mod workspace;

/// A promise that was broken, in words.
pub type Held = Result<(), String>;

/// Says what is broken unless `holds`.
///
/// # Errors
/// The words, when it does not.
pub fn demand(holds: bool, words: impl FnOnce() -> String) -> Held {
    if holds { Ok(()) } else { Err(words()) }
}
