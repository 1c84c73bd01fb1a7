//! The word to stop: given once, heard by everyone who waits for something on behalf of a call.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Cancels a call. Clones are the same word; the deadline belongs to one clone.
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<Mutex<Shared>>,
    deadline: Option<Instant>,
}

#[derive(Default)]
struct Shared {
    cancelled: bool,
    next: u64,
    listeners: Vec<(u64, Box<dyn FnOnce() + Send>)>,
}

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited<T> {
    /// What was waited for came.
    Came(T),
    /// The time is over.
    TimedOut,
    /// The call was cancelled.
    Cancelled,
}

impl Cancel {
    /// A call that nobody has cancelled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same word with a deadline: the earlier of both counts.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            deadline: Some(self.deadline.map_or(deadline, |d| d.min(deadline))),
        }
    }

    /// The time at which waiting ends.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Says stop. Whoever waits wakes up.
    pub fn cancel(&self) {
        let listeners = {
            let mut shared = self.lock();
            shared.cancelled = true;
            std::mem::take(&mut shared.listeners)
        };
        for (_, listener) in listeners {
            listener();
        }
    }

    /// Whether it was said.
    pub fn is_cancelled(&self) -> bool {
        self.lock().cancelled
    }

    /// Whether it was said, or the deadline has passed.
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.deadline.is_some_and(|d| d <= Instant::now())
    }

    /// Waits for what `begin` starts. It is given a reporter which may be used from any thread, once.
    pub fn wait<T: Send + 'static>(&self, begin: impl FnOnce(Reporter<T>)) -> Waited<T> {
        let (sender, receiver) = channel();
        let word = sender.clone();
        let listening = self.listen(move || {
            // Who has gone needs no word.
            let _ = word.send(None);
        });
        begin(Reporter(sender));
        let waited = self.receive(&receiver);
        self.lock().listeners.retain(|(id, _)| *id != listening);
        waited
    }

    /// Sleeps; gives back whether the whole time passed.
    pub fn sleep(&self, time: Duration) -> bool {
        let until = self.until(Instant::now() + time);
        // The reporter must live as long as the wait: without one nobody could report any more.
        let mut kept = None;
        until.wait::<()>(|reporter| kept = Some(reporter)) == Waited::TimedOut && !self.is_over()
    }

    /// Resolves when the word is said or the deadline has passed.
    pub async fn over(&self) {
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        let listening = self.listen(move || drop(sender));
        match self.deadline {
            // Both ends of the wait mean the same.
            Some(deadline) => drop(tokio::time::timeout_at(deadline.into(), receiver).await),
            None => drop(receiver.await),
        }
        self.lock().listeners.retain(|(id, _)| *id != listening);
    }

    /// Calls `listener` when the word is said, at once when it was. Gives back its number.
    fn listen(&self, listener: impl FnOnce() + Send + 'static) -> u64 {
        let mut shared = self.lock();
        shared.next += 1;
        let id = shared.next;
        if shared.cancelled {
            drop(shared);
            listener();
        } else {
            shared.listeners.push((id, Box::new(listener)));
        }
        id
    }

    fn receive<T>(&self, receiver: &Receiver<Option<T>>) -> Waited<T> {
        let got = match self.deadline {
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        };
        match got {
            Ok(Some(value)) => Waited::Came(value),
            Err(RecvTimeoutError::Timeout) => Waited::TimedOut,
            Ok(None) | Err(RecvTimeoutError::Disconnected) => Waited::Cancelled,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells a waiter that what it waits for has come.
pub struct Reporter<T>(Sender<Option<T>>);

impl<T> Reporter<T> {
    /// Tells it. A waiter that has gone does not mind.
    pub fn report(self, value: T) {
        let _ = self.0.send(Some(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_wakes_whoever_waits_and_is_heard_later_too() {
        let cancel = Cancel::new();
        let other = cancel.clone();
        let mut kept = None;
        let waited = cancel.wait::<()>(|reporter| {
            kept = Some(reporter);
            other.cancel();
        });
        assert_eq!(waited, Waited::Cancelled);
        assert!(cancel.is_cancelled());
        assert!(!cancel.sleep(Duration::from_secs(600)));
    }

    #[test]
    fn a_report_ends_the_wait() {
        let waited = Cancel::new().wait(|reporter| reporter.report(5));
        assert_eq!(waited, Waited::Came(5));
    }

    #[test]
    fn the_earlier_deadline_counts() {
        let now = Instant::now();
        let cancel = Cancel::new().until(now).until(now + Duration::from_secs(600));
        assert!(cancel.is_over());
        let mut kept = None;
        assert_eq!(cancel.wait::<()>(|r| kept = Some(r)), Waited::TimedOut);
    }
}
