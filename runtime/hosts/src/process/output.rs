//! The streams of a program, read on threads of their own up to a limit.

use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{MAX_OUTPUT, Said};

/// What a program says, while it says it.
#[derive(Clone)]
pub(super) struct Output {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    output: Vec<u8>,
    errors: Vec<u8>,
    cut: bool,
    open: usize,
}

/// The program's ends.
pub(super) struct Writers {
    pub(super) output: PipeWriter,
    pub(super) errors: PipeWriter,
}

#[derive(Clone, Copy)]
enum Stream {
    Output,
    Errors,
}

impl Output {
    /// Begins to listen.
    pub(super) fn new(merged: bool) -> io::Result<(Self, Writers)> {
        let out = Self {
            shared: Arc::new(Shared {
                state: Mutex::new(State::default()),
                ended: Condvar::new(),
            }),
        };
        let (reader, output) = io::pipe()?;
        out.listen(reader, Stream::Output)?;
        let errors = if merged {
            output.try_clone()?
        } else {
            let (reader, errors) = io::pipe()?;
            out.listen(reader, Stream::Errors)?;
            errors
        };
        Ok((out, Writers { output, errors }))
    }

    /// Begins to listen to an error stream alone.
    pub(super) fn errors() -> io::Result<(Self, PipeWriter)> {
        let out = Self {
            shared: Arc::new(Shared {
                state: Mutex::new(State::default()),
                ended: Condvar::new(),
            }),
        };
        let (reader, errors) = io::pipe()?;
        out.listen(reader, Stream::Errors)?;
        Ok((out, errors))
    }

    fn listen(&self, mut reader: PipeReader, stream: Stream) -> io::Result<()> {
        let shared = Arc::clone(&self.shared);
        self.lock().open += 1;
        let work = move || {
            let mut chunk = [0u8; 8192];
            loop {
                match reader.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(n) => shared.keep(chunk.get(..n).unwrap_or_default(), stream),
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            shared.lock().open -= 1;
            shared.ended.notify_all();
        };
        std::thread::Builder::new()
            .name("kitsoki-output".to_owned())
            .spawn(work)?;
        Ok(())
    }

    /// Waits until every stream has ended.
    pub(super) fn drained(&self) {
        let mut state = self.lock();
        while state.open > 0 {
            state = self.shared.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the end of the streams, but not for ever.
    pub(super) fn finished(&self, time: Duration) {
        let state = self.lock();
        let waited = self.shared.ended.wait_timeout_while(state, time, |s| s.open > 0);
        drop(waited);
    }

    /// What was said so far.
    pub(super) fn said(&self) -> Said {
        let mut state = self.lock();
        Said {
            output: crate::plain::text(std::mem::take(&mut state.output)),
            errors: crate::plain::text(std::mem::take(&mut state.errors)),
            cut: state.cut,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.lock()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, bytes: &[u8], stream: Stream) {
        let mut state = self.lock();
        let kept = match stream {
            Stream::Output => &mut state.output,
            Stream::Errors => &mut state.errors,
        };
        let room = MAX_OUTPUT.saturating_sub(kept.len()).min(bytes.len());
        kept.extend_from_slice(bytes.get(..room).unwrap_or_default());
        state.cut |= room < bytes.len();
    }
}
