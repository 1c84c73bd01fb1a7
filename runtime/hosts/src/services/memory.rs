//! Stores that live as long as the process, for batches, flows and tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value as Json;

use super::chats::{Chat, Chats, Drive, DriveFault, Driven, Message, Queued};
use super::{Inbox, Notification, Services};
use crate::context::{Clock, SystemClock};

/// The stores that a list of names asks for: `inbox`, `chats`.
pub fn wired(names: Option<&Json>) -> Services {
    let mut services = Services::default();
    for name in names.and_then(Json::as_array).into_iter().flatten() {
        match name.as_str() {
            Some("inbox") => services.inbox = Some(Arc::new(MemoryInbox::default())),
            Some("chats") => services.chats = Some(Arc::new(MemoryChats::default())),
            _ => {}
        }
    }
    services
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An inbox in memory.
#[derive(Debug, Default)]
pub struct MemoryInbox {
    kept: Mutex<Vec<Notification>>,
}

impl MemoryInbox {
    /// What was added, oldest first.
    pub fn notifications(&self) -> Vec<Notification> {
        locked(&self.kept).clone()
    }
}

impl Inbox for MemoryInbox {
    fn add(&self, notification: Notification) -> Result<String, String> {
        let mut kept = locked(&self.kept);
        kept.push(notification);
        Ok(format!("memory-{}", kept.len()))
    }
}

/// Conversations in memory. Their ids count up, so that a run gives the same ones again.
pub struct MemoryChats {
    clock: Arc<dyn Clock>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    chats: Vec<(Chat, Vec<Message>)>,
    queued: Vec<(Queued, Drive)>,
    sessions: BTreeMap<String, String>,
}

impl Default for MemoryChats {
    fn default() -> Self {
        Self::new(Arc::new(SystemClock))
    }
}

impl MemoryChats {
    /// An empty store on a clock.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            kept: Mutex::default(),
        }
    }

    /// The texts that wait, oldest first.
    pub fn queued(&self) -> Vec<Drive> {
        locked(&self.kept)
            .queued
            .iter()
            .map(|(_, drive)| drive.clone())
            .collect()
    }

    fn change<T>(&self, id: &str, change: impl FnOnce(&mut Chat, &mut Vec<Message>) -> T) -> Result<T, String> {
        let mut kept = locked(&self.kept);
        let found = kept.chats.iter_mut().find(|(chat, _)| chat.id == id);
        let (chat, messages) = found.ok_or_else(|| format!("there is no chat {id}"))?;
        Ok(change(chat, messages))
    }
}

impl Chats for MemoryChats {
    fn get(&self, id: &str) -> Result<Chat, String> {
        let kept = locked(&self.kept);
        let found = kept.chats.iter().find(|(chat, _)| chat.id == id);
        found
            .map(|(chat, _)| chat.clone())
            .ok_or_else(|| format!("there is no chat {id}"))
    }

    fn list(&self, app: &str, room: &str, scope: &str) -> Result<Vec<Chat>, String> {
        let kept = locked(&self.kept);
        let here = |chat: &&Chat| chat.app == app && chat.room == room && chat.scope == scope;
        let mut out: Vec<Chat> = kept
            .chats
            .iter()
            .rev()
            .map(|(chat, _)| chat)
            .filter(here)
            .cloned()
            .collect();
        out.sort_by_key(|chat| std::cmp::Reverse(chat.last_active));
        Ok(out)
    }

    fn create(&self, app: &str, room: &str, scope: &str, title: &str) -> Result<Chat, String> {
        let now = self.clock.now();
        let mut kept = locked(&self.kept);
        let chat = Chat {
            id: format!("01CHAT{:020}", kept.chats.len() + 1),
            app: app.to_owned(),
            room: room.to_owned(),
            scope: scope.to_owned(),
            title: title.to_owned(),
            status: "active".to_owned(),
            parent: String::new(),
            last_active: now,
        };
        kept.chats.push((chat.clone(), Vec::new()));
        Ok(chat)
    }

    fn fork(&self, id: &str, title: &str) -> Result<Chat, String> {
        let parent = self.get(id)?;
        let messages = self.messages(id, 0)?;
        let made = self.create(&parent.app, &parent.room, &parent.scope, title)?;
        self.change(&made.id, |chat, own| {
            id.clone_into(&mut chat.parent);
            *own = messages;
            chat.clone()
        })
    }

    fn archive(&self, id: &str) -> Result<(), String> {
        self.change(id, |chat, _| "archived".clone_into(&mut chat.status))
    }

    fn rename(&self, id: &str, title: &str) -> Result<(), String> {
        self.change(id, |chat, _| title.clone_into(&mut chat.title))
    }

    fn messages(&self, id: &str, since: i64) -> Result<Vec<Message>, String> {
        let kept = locked(&self.kept);
        let found = kept.chats.iter().find(|(chat, _)| chat.id == id);
        let (_, messages) = found.ok_or_else(|| format!("there is no chat {id}"))?;
        Ok(messages.iter().filter(|m| m.seq >= since).cloned().collect())
    }

    fn append(&self, id: &str, role: &str, content: &str) -> Result<Message, String> {
        let created_at = self.clock.now();
        self.change(id, |chat, messages| {
            chat.last_active = created_at;
            let message = Message {
                seq: i64::try_from(messages.len()).unwrap_or(i64::MAX),
                role: role.to_owned(),
                content: content.to_owned(),
                created_at,
            };
            messages.push(message.clone());
            message
        })
    }

    fn session(&self, id: &str) -> Option<String> {
        locked(&self.kept).sessions.get(id).cloned()
    }

    fn set_session(&self, id: &str, session: &str) {
        locked(&self.kept).sessions.insert(id.to_owned(), session.to_owned());
    }

    fn enqueue(&self, drive: Drive) -> Result<Queued, String> {
        self.get(&drive.chat)?;
        let at = self.clock.now();
        let mut kept = locked(&self.kept);
        let queued = Queued {
            id: format!("drive-{:020}", kept.queued.len() + 1),
            at,
        };
        kept.queued.push((queued.clone(), drive));
        Ok(queued)
    }

    fn dispatch(&self, _: &Queued, _: Duration) -> Result<Driven, DriveFault> {
        Err(DriveFault::Failed("no agent answers in this store".to_owned()))
    }
}
