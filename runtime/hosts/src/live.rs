//! Calls beside the engine: each on a thread of a pool, with a deadline and a word to stop. The engine never waits; whoever
//! drives it asks a [`Pending`] when it likes.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use crate::call::{Answer, Data, Failure, Kind};
use crate::cancel::Cancel;
use crate::context::Context;
use crate::registry::Registry;

/// How long a cancelled handler may take to notice before its answer is no longer waited for.
const GRACE: Duration = Duration::from_secs(10);

/// The most calls that run at once; more wait for their turn.
const MAX_CALLS: usize = 64;

/// Runs calls of a registry.
pub struct Live {
    runtime: Runtime,
    registry: Arc<Registry>,
}

impl Live {
    /// A pool for a registry.
    ///
    /// # Errors
    ///
    /// No thread could be started.
    pub fn new(registry: Arc<Registry>) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(MAX_CALLS)
            .thread_name("kitsoki-host")
            .enable_time()
            .build()?;
        Ok(Self { runtime, registry })
    }

    /// The handlers.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Starts a call. Its cancellation and deadline are those of the context.
    pub fn start(&self, name: &str, args: Data, context: Context) -> Pending {
        let (sender, receiver) = oneshot::channel();
        let registry = Arc::clone(&self.registry);
        let cancel = context.cancel.clone();
        let name = name.to_owned();
        let shown = name.clone();
        let work = self
            .runtime
            .spawn_blocking(move || registry.invoke(&name, args, &context));
        let watched = cancel.clone();
        self.runtime.spawn(async move {
            let over = async {
                watched.over().await;
                tokio::time::sleep(GRACE).await;
            };
            let answer = tokio::select! {
                answer = work => answer.unwrap_or_else(|_| {
                    Err(Failure::infra(Kind::Outside, format!("{shown}: internal fault of the handler")))
                }),
                () = over => Err(Failure::infra(Kind::Cancelled, format!("{shown}: cancelled"))),
            };
            // Nobody may want the answer any more.
            let _ = sender.send(answer);
        });
        Pending { receiver, cancel }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // Handlers that still run end with the process; dropping the pool must not wait for them.
        if let Ok(empty) = Builder::new_current_thread().build() {
            std::mem::replace(&mut self.runtime, empty).shutdown_background();
        }
    }
}

/// A call that was started.
pub struct Pending {
    receiver: oneshot::Receiver<Answer>,
    cancel: Cancel,
}

impl Pending {
    /// Says stop: programs of the call are ended, and the answer is an infrastructure failure.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// The answer, when it is there.
    pub fn try_answer(&mut self) -> Option<Answer> {
        match self.receiver.try_recv() {
            Ok(answer) => Some(answer),
            Err(oneshot::error::TryRecvError::Empty) => None,
            Err(oneshot::error::TryRecvError::Closed) => Some(gone()),
        }
    }

    /// Waits for the answer. Not to be called from asynchronous code; that awaits the value itself.
    ///
    /// # Errors
    ///
    /// The failure of the call.
    pub fn wait(self) -> Answer {
        self.receiver.blocking_recv().unwrap_or_else(|_| gone())
    }
}

impl Future for Pending {
    type Output = Answer;

    fn poll(mut self: std::pin::Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> std::task::Poll<Answer> {
        std::pin::Pin::new(&mut self.receiver)
            .poll(cx)
            .map(|answer| answer.unwrap_or_else(|_| gone()))
    }
}

fn gone() -> Answer {
    Err(Failure::infra(Kind::Cancelled, "host: the pool of calls is gone"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::call::{Call, data};
    use crate::environment::Environment;

    #[test]
    fn calls_run_beside_each_other_and_can_be_stopped() {
        let mut registry = Registry::new();
        registry.replace("host.wait", |call: &Call<'_>| -> Answer {
            let whole = call.context.cancel.sleep(Duration::from_secs(600));
            Ok(data(json!({ "whole": whole })))
        });
        registry.replace("host.now", |_: &Call<'_>| -> Answer { Ok(data(json!({"ok": true}))) });
        let live = Live::new(Arc::new(registry)).unwrap();
        let context = || Context::bare("/", Environment::empty());
        let mut long = live.start("host.wait", Data::new(), context());
        let short = live.start("host.now", Data::new(), context());
        assert_eq!(short.wait().unwrap()["ok"], true);
        assert!(long.try_answer().is_none());
        long.cancel();
        assert_eq!(long.wait().unwrap()["whole"], false);
    }
}
