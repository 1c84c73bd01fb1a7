//! Stand-ins for the outside world in the tests of handlers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::Value as Json;

use crate::call::{Answer, data};
use crate::cancel::Cancel;
use crate::context::Context;
use crate::environment::Environment;
use crate::services::github::{GitHub, Request, Response};

/// GitHub with prepared answers.
pub(super) struct Replies {
    prepared: Mutex<VecDeque<Response>>,
    asked: Mutex<Vec<String>>,
}

impl Replies {
    pub(super) fn new(prepared: impl IntoIterator<Item = (u16, Json)>) -> Arc<Self> {
        let prepared = prepared.into_iter().map(|(status, body)| Response { status, body });
        Arc::new(Self {
            prepared: Mutex::new(prepared.collect()),
            asked: Mutex::default(),
        })
    }

    /// The requests so far: method, path and body.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// Calls a handler in an empty folder.
    pub(super) fn ask(self: &Arc<Self>, handler: &str, with: Json) -> Answer {
        let folder = tempfile::tempdir().unwrap();
        let mut context = Context::bare(folder.path(), Environment::process());
        context.services.github = Some(self.clone());
        crate::builtins().invoke(handler, data(with), &context)
    }
}

impl GitHub for Replies {
    fn send(&self, request: &Request, _: &Cancel) -> Result<Response, String> {
        let body = request
            .body
            .as_ref()
            .map(|b| format!(" {b}").replace("\\n", "\n"))
            .unwrap_or_default();
        self.asked
            .lock()
            .unwrap()
            .push(format!("{} {}{body}", request.method, request.path));
        self.prepared
            .lock()
            .unwrap()
            .pop_front()
            .ok_or_else(|| "no more answers".to_owned())
    }
}
