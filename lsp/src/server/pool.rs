//! The threads that answer: two lanes, so that a check of a whole story never stands in the way of a completion.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, select, unbounded};

/// How urgent a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lane {
    /// Somebody waits for it with a finger on a key.
    Latency,
    /// Somebody will be glad of it.
    Background,
}

type Job = Box<dyn FnOnce() + Send + 'static>;

/// The stack of a worker: the nesting limit of the parser must fit.
const STACK: usize = 64 << 20;

/// Worker threads. They end when the pool is dropped.
pub struct Pool {
    latency: Sender<Job>,
    background: Sender<Job>,
}

impl Pool {
    /// A pool with one thread for urgent jobs alone and one that prefers them.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn new() -> std::io::Result<Self> {
        let (latency, urgent) = unbounded::<Job>();
        let (background, rest) = unbounded::<Job>();
        let nothing = crossbeam_channel::never();
        for (name, rest) in [("lsp-latency", nothing), ("lsp-worker", rest)] {
            let urgent = urgent.clone();
            std::thread::Builder::new()
                .name(name.to_owned())
                .stack_size(STACK)
                .spawn(move || work(&urgent, &rest))?;
        }
        Ok(Self { latency, background })
    }

    /// Runs a job when a thread is free. The job catches its own panics.
    pub fn spawn(&self, lane: Lane, job: impl FnOnce() + Send + 'static) {
        let queue = match lane {
            Lane::Latency => &self.latency,
            Lane::Background => &self.background,
        };
        // The threads live as long as the pool.
        let _ = queue.send(Box::new(job));
    }
}

fn work(urgent: &Receiver<Job>, rest: &Receiver<Job>) {
    loop {
        if let Ok(job) = urgent.try_recv() {
            job();
            continue;
        }
        let job = select! {
            recv(urgent) -> job => job,
            recv(rest) -> job => job,
        };
        match job {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}

/// A mark that a request is no longer wanted.
#[derive(Clone, Debug, Default)]
pub struct Token(Arc<std::sync::atomic::AtomicBool>);

impl Token {
    /// Sets the mark.
    pub fn cancel(&self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// Whether the mark is set.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::Relaxed)
    }
}
