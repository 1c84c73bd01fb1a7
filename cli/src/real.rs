//! The built-in handlers behind flows that ask for them (`host_bindings`).

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use kitsoki_expr::Map;
use kitsoki_hosts::services::{Inbox, Notification};
use kitsoki_hosts::{Class, Context, Environment, Registry, value};
use kitsoki_runtime::session::HostResult;
use kitsoki_testing::RealHosts;

/// The handlers, in the current directory.
pub struct Builtins {
    registry: Registry,
}

impl Builtins {
    /// All of them.
    #[must_use]
    pub fn new() -> Self {
        Self {
            registry: kitsoki_hosts::builtins(),
        }
    }
}

/// Keeps what a call puts into the inbox.
#[derive(Default)]
struct Kept(Mutex<Vec<Notification>>);

impl Inbox for Kept {
    fn add(&self, notification: Notification) -> Result<String, String> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(notification);
        Ok(format!("notification-{}", all.len()))
    }
}

impl RealHosts for Builtins {
    fn has(&self, verb: &str) -> bool {
        self.registry.names().any(|name| name == verb)
    }

    fn call(
        &self,
        verb: &str,
        args: &Map,
        world: &Map,
        story: &Path,
        notices: &mut Vec<(String, String, String)>,
    ) -> HostResult {
        let current = std::env::current_dir().unwrap_or_default();
        let mut context = Context::bare(current, Environment::process());
        context.story = Some(story.to_owned());
        context.world = value::to_data(world);
        let kept = Arc::new(Kept::default());
        context.services.inbox = Some(kept.clone());
        let answer = self.registry.invoke(verb, value::to_data(args), &context);
        for n in kept.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            notices.push((n.severity().to_owned(), n.title, n.body));
        }
        match answer {
            Ok(data) => HostResult::Done(Some(value::from_data(&data))),
            Err(failure) => {
                let data = failure.data.as_ref().map(value::from_data);
                match failure.class {
                    Class::Domain => HostResult::Domain {
                        message: failure.message,
                        data,
                    },
                    Class::Infra => HostResult::Infra(failure.message),
                }
            }
        }
    }
}
