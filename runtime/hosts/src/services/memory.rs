//! Stores that live as long as the process, for batches and tests.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;

use super::{Inbox, Notification, Services};

/// The stores that a list of names asks for: `inbox`.
pub fn wired(names: Option<&Json>) -> Services {
    let mut services = Services::default();
    for name in names.and_then(Json::as_array).into_iter().flatten() {
        if name.as_str() == Some("inbox") {
            services.inbox = Some(Arc::new(MemoryInbox::default()));
        }
    }
    services
}

/// An inbox in memory.
#[derive(Debug, Default)]
pub struct MemoryInbox {
    kept: Mutex<Vec<Notification>>,
}

impl MemoryInbox {
    /// What was added, oldest first.
    pub fn notifications(&self) -> Vec<Notification> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Inbox for MemoryInbox {
    fn add(&self, notification: Notification) -> Result<String, String> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(notification);
        Ok(format!("memory-{}", kept.len()))
    }
}
