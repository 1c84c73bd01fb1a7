//! From a request to a worker and back: lanes, cancellation, and what becomes of a request whose state is gone.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use camino::Utf8PathBuf;
use gen_lsp_types::Uri;
use lsp_server::{ErrorCode, Request, Response, ResponseError};
use rustc_hash::FxHashMap;
use serde_json::json;

use super::client::Client;
use super::convert::Convert;
use super::pool::{Lane, Token};
use super::{Outcome, Server, handlers};

/// What a handler may use.
pub struct Cx<'a> {
    /// The way to the protocol, with the state.
    pub convert: Convert<'a>,
    /// The client.
    pub client: &'a Client,
    /// Versions of the open files, for edits.
    pub versions: &'a FxHashMap<Utf8PathBuf, i32>,
}

/// Why a handler has no answer.
pub struct Failure {
    pub code: ErrorCode,
    pub message: String,
}

impl From<Failure> for ResponseError {
    fn from(failure: Failure) -> Self {
        Self {
            code: failure.code as i32,
            message: failure.message,
            data: None,
        }
    }
}

impl Failure {
    /// The parameters were not understood.
    pub fn params(error: &serde_json::Error) -> Self {
        Self {
            code: ErrorCode::InvalidParams,
            message: format!("the parameters were not understood: {error}"),
        }
    }

    /// What was asked for cannot be done; the text is for the user.
    pub fn request(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::RequestFailed,
            message: message.into(),
        }
    }
}

/// Sends a request to a worker.
pub fn start(server: &mut Server, client: Arc<Client>, request: Request) {
    let Some(handler) = handlers::find(&request.method) else {
        let why = format!("there is no request `{}`", request.method);
        server.fail(request.id, ErrorCode::MethodNotFound, &why);
        return;
    };
    if handler.settled {
        server.db.settle();
    }
    let token = Token::default();
    server.pending.insert(request.id.clone(), token.clone());
    let snapshot = server.snapshot();
    let uris: FxHashMap<Utf8PathBuf, Uri> = server
        .documents
        .iter()
        .map(|(path, d)| (path.clone(), d.uri.clone()))
        .collect();
    let versions: FxHashMap<Utf8PathBuf, i32> = server
        .documents
        .iter()
        .map(|(path, d)| (path.clone(), d.version))
        .collect();
    let to_loop = server.to_loop.clone();
    let job = move || {
        if token.is_cancelled() {
            return;
        }
        let run = || {
            let cx = Cx {
                convert: Convert::new(&snapshot, client.encoding, Arc::new(uris)),
                client: &client,
                versions: &versions,
            };
            (handler.run)(&cx, request.params.clone())
        };
        let outcome = match std::panic::catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(result)) => Outcome::Answer(request.id, Ok(result)),
            Ok(Err(failure)) => Outcome::Answer(request.id, Err(failure.into())),
            Err(payload) if payload.is::<salsa::Cancelled>() => Outcome::Cancelled(request),
            Err(_) => {
                let failure = Failure {
                    code: ErrorCode::InternalError,
                    message: "the server failed on this request; the others go on".to_owned(),
                };
                Outcome::Answer(request.id, Err(failure.into()))
            }
        };
        // The next change waits for every snapshot.
        drop(snapshot);
        let _ = to_loop.send(outcome);
    };
    server.pool.spawn(
        if handler.urgent {
            Lane::Latency
        } else {
            Lane::Background
        },
        job,
    );
}

/// A request whose state changed while it was worked on. What does not depend on a position that may have moved is worked on
/// again; of the rest the client asks again itself.
pub fn cancelled(server: &mut Server, request: Request) {
    let again = handlers::find(&request.method).is_some_and(|h| h.again);
    match (again, server.client.clone()) {
        (true, Some(client)) if !server.shutdown => start(server, client, request),
        _ => {
            let pull = request.method == "textDocument/diagnostic";
            let code = if pull {
                ErrorCode::ServerCancelled
            } else {
                ErrorCode::ContentModified
            };
            let error = ResponseError {
                code: code as i32,
                message: "the text changed while this was worked on".to_owned(),
                data: pull.then(|| json!({ "retriggerRequest": true })),
            };
            server.answer(Response {
                id: request.id,
                response_result: Err(error),
            });
        }
    }
}
