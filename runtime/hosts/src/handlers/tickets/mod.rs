//! Ticket providers: files of this machine, and several sources as one (`hosts` 8.2).

pub(super) mod federation;
pub(super) mod files;
pub(super) mod local_github;
mod sources;
