//! The language as a table, and every name of a file with its role.

pub mod fixtures;
pub mod form;
pub mod hosts;
pub mod language;
pub mod names;
pub mod resolve;
pub mod schema;
pub mod scripts;
pub mod walk;
