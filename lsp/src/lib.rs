//! The language server: what the compiler knows, at the cursor.
//!
//! | Module | What it holds |
//! |---|---|
//! | `index` | the language as a table, and every name of a file with its role |
//! | `features` | one editor feature a file: pure functions of a [`Snapshot`](features::Snapshot) and a place, without protocol |
//! | `server` | messages, threads, open files, and the way from places to the client's positions |

pub mod features;
pub mod index;
pub mod server;
