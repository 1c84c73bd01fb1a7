//! What a running script has used up: steps, memory, time. Every allocation and every loop over something large goes
//! through here *before* it happens, which is what makes the limits hold without a process around the script.
//!
//! One script runs on one thread of its own, so the account is a thread-local one.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::fault::{Class, Fault, Res};

/// What a script may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Interpreter steps, loading and calling together.
    pub steps: u64,
    /// Bytes of live values.
    pub memory: usize,
    /// Time of its own: what a handler or a request takes does not count.
    pub time: Duration,
    /// Bytes that `ctx.fs.write` may write in all.
    pub written: u64,
    /// Bytes that `print` may write in all.
    pub printed: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 10_000_000,
            memory: 128 << 20,
            time: Duration::from_millis(2_500),
            written: 64 << 20,
            printed: 4 << 20,
        }
    }
}

struct Account {
    steps: Cell<u64>,
    max_steps: Cell<u64>,
    live: Cell<usize>,
    max_live: Cell<usize>,
    /// Work done since the clock was last looked at.
    work: Cell<u64>,
    deadline: Cell<Option<Instant>>,
    written: Cell<u64>,
}

thread_local! {
    static ACCOUNT: Account = const {
        Account {
            steps: Cell::new(0),
            max_steps: Cell::new(0),
            live: Cell::new(0),
            max_live: Cell::new(usize::MAX),
            work: Cell::new(0),
            deadline: Cell::new(None),
            written: Cell::new(0),
        }
    };
}

/// After this much work (about a millisecond of it) the clock is looked at.
const CLOCK_EVERY: u64 = 1 << 18;

/// Opens the account of this thread.
pub(crate) fn open(limits: &Limits) {
    ACCOUNT.with(|a| {
        a.steps.set(0);
        a.max_steps.set(limits.steps);
        a.max_live.set(limits.memory);
        a.work.set(0);
        a.written.set(limits.written);
        a.deadline.set(Some(Instant::now() + limits.time));
    });
}

/// Counts interpreter steps.
#[inline]
pub(crate) fn steps(n: u64) -> Res<()> {
    let over = ACCOUNT.with(|a| {
        let total = a.steps.get() + n;
        a.steps.set(total);
        total > a.max_steps.get()
    });
    if over {
        return Err(Fault::new(
            Class::LimitSteps,
            "Starlark computation cancelled: too many steps",
        ));
    }
    work(n * 16)
}

/// Counts work that is no step: roughly one unit for a byte that is looked at.
#[inline]
pub(crate) fn work(n: u64) -> Res<()> {
    let due = ACCOUNT.with(|a| {
        let total = a.work.get().saturating_add(n);
        a.work.set(total);
        total >= CLOCK_EVERY
    });
    if due { look_at_clock() } else { Ok(()) }
}

/// [`work`] for a length.
pub(crate) fn work_len(n: usize) -> Res<()> {
    work(u64::try_from(n).unwrap_or(u64::MAX))
}

/// Looks at the clock now.
pub(crate) fn look_at_clock() -> Res<()> {
    let late = ACCOUNT.with(|a| {
        a.work.set(0);
        a.deadline.get().is_some_and(|d| Instant::now() > d)
    });
    if late {
        return Err(Fault::new(
            Class::LimitTime,
            "Starlark computation cancelled: out of time",
        ));
    }
    Ok(())
}

/// Runs something whose time is not the script's: a handler, a request, a probe.
pub(crate) fn off_the_clock<T>(f: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = f();
    let spent = start.elapsed();
    ACCOUNT.with(|a| a.deadline.set(a.deadline.get().map(|d| d + spent)));
    result
}

/// Whether `n` more bytes of values would fit: asked before something large is computed.
pub(crate) fn room(n: usize) -> Res<()> {
    let over = ACCOUNT.with(|a| a.live.get().saturating_add(n) > a.max_live.get());
    if over {
        return Err(Fault::new(
            Class::LimitMemory,
            "Starlark computation cancelled: out of memory",
        ));
    }
    work(u64::try_from(n / 8).unwrap_or(u64::MAX))
}

/// Bytes that a value holds; given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Charge(Cell<usize>);

impl Charge {
    /// Takes `n` bytes.
    pub(crate) fn take(n: usize) -> Res<Self> {
        room(n)?;
        ACCOUNT.with(|a| a.live.set(a.live.get() + n));
        Ok(Self(Cell::new(n)))
    }

    /// How much was taken.
    pub(crate) fn bytes(&self) -> usize {
        self.0.get()
    }

    /// Takes `n` more bytes for the same value.
    pub(crate) fn grow(&self, n: usize) -> Res<()> {
        room(n)?;
        ACCOUNT.with(|a| a.live.set(a.live.get() + n));
        self.0.set(self.0.get() + n);
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        ACCOUNT.with(|a| a.live.set(a.live.get().saturating_sub(self.0.get())));
    }
}

/// Counts bytes written to files.
pub(crate) fn written(n: usize) -> Res<()> {
    let left = ACCOUNT.with(|a| {
        let left = a.written.get().checked_sub(u64::try_from(n).unwrap_or(u64::MAX));
        a.written.set(left.unwrap_or(0));
        left
    });
    match left {
        Some(_) => Ok(()),
        None => Err(Fault::new(Class::LimitSize, "too much written to files in one call")),
    }
}
