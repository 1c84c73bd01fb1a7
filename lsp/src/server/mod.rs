//! The server around the features: one thread owns what changes, workers hold snapshots of it, and a change ends what they
//! do on the old state.

pub mod client;
mod convert;
mod dispatch;
mod documents;
mod events;
mod handlers;
mod pool;
pub mod position;
mod publish;
mod transport;
pub mod uri;
mod watch;

use std::io::{Read, Write};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use kitsoki_compiler::db::{Database, OverlaySystem, System};
use kitsoki_diagnostics::levels::Levels;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value as Json, json};

use crate::features::{Snapshot, Workspace};
use client::Client;
use documents::Documents;
use pool::{Pool, Token};
use publish::Published;
use transport::{Outgoing, Received, Transport};

/// What the server asks of the program around it.
#[derive(Clone)]
pub struct Setup {
    /// The files below the open ones; made from the first folder of the client.
    pub system: Arc<dyn Fn(&Utf8Path) -> Arc<dyn System> + Send + Sync>,
    /// The levels of rules for a story, as its configuration says.
    pub levels: Arc<dyn Fn(&Utf8Path) -> Levels + Send + Sync>,
    /// The version that is told to the client.
    pub version: String,
}

/// Serves one client over the standard streams until it leaves. Returns the exit status of the process.
#[must_use]
pub fn run_stdio(setup: Setup) -> i32 {
    run(setup, std::io::stdin(), std::io::stdout())
}

/// Serves one client over a pair of streams until it leaves. Returns the exit status of the process: 0 after `shutdown` and
/// `exit`, 1 when the client went without a word, 2 when the stream broke.
#[must_use]
pub fn run(setup: Setup, input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> i32 {
    let Ok(transport) = Transport::start(input, output) else {
        return 2;
    };
    let Ok(pool) = Pool::new() else { return 2 };
    let (to_loop, outcomes) = unbounded();
    let mut server = Server::new(setup, pool, transport.sender.clone(), to_loop);
    let code = server.serve(&transport.receiver, &outcomes);
    drop(server);
    transport.finish();
    code
}

/// What a worker tells the loop.
enum Outcome {
    /// An answer: the result as it is written, or why there is none.
    Answer(RequestId, Result<String, ResponseError>),
    /// The state changed under a request.
    Cancelled(Request),
    /// Diagnostics of some stories.
    Checked(publish::Checked),
    /// A check of the open files did not come to its end.
    Interrupted {
        /// The state it was about.
        generation: u64,
        /// The files that still wait for an answer.
        paths: Vec<Utf8PathBuf>,
    },
    /// The stories were looked at again, or it was broken off.
    Warmed,
    /// The manifests below the folders.
    Discovered(Vec<Utf8PathBuf>),
    /// The process that started the server is gone.
    Orphaned,
}

/// Whether the loop goes on.
enum Next {
    Go,
    Exit(i32),
}

/// The loop's state.
struct Server {
    setup: Setup,
    pool: Pool,
    sender: Sender<Outgoing>,
    to_loop: Sender<Outcome>,
    client: Option<Arc<Client>>,
    overlay: Arc<OverlaySystem>,
    db: Database,
    documents: Documents,
    workspace: Arc<Workspace>,
    pending: FxHashMap<RequestId, Token>,
    /// Counts states; what a worker found about an older one is not published.
    generation: u64,
    /// Open files whose stories are to be checked.
    dirty: FxHashSet<Utf8PathBuf>,
    /// Files that the client changed since it was last told what is wrong with them.
    unanswered: FxHashSet<Utf8PathBuf>,
    published: Published,
    watched: watch::Seen,
    requests: i32,
    /// The check of the open files that a worker is at.
    checking: bool,
    /// A worker looks at the stories again, for nobody yet.
    warming: bool,
    /// Results were made since those that are not wanted any more were freed.
    untidy: bool,
    shutdown: bool,
}

/// How long nothing must come from the client before words are taken over: longer than between two keys.
const QUIET: Duration = Duration::from_millis(150);

impl Server {
    fn new(setup: Setup, pool: Pool, sender: Sender<Outgoing>, to_loop: Sender<Outcome>) -> Self {
        let overlay = Arc::new(OverlaySystem::new((setup.system)(Utf8Path::new("/"))));
        let workspace = Workspace {
            levels: Some(setup.levels.clone()),
            ..Workspace::default()
        };
        Self {
            setup,
            pool,
            sender,
            to_loop,
            client: None,
            db: Database::for_editing(overlay.clone()),
            overlay,
            documents: Documents::default(),
            workspace: Arc::new(workspace),
            pending: FxHashMap::default(),
            generation: 0,
            dirty: FxHashSet::default(),
            unanswered: FxHashSet::default(),
            published: Published::default(),
            watched: watch::Seen::default(),
            requests: 0,
            checking: false,
            warming: false,
            untidy: false,
            shutdown: false,
        }
    }

    fn serve(&mut self, incoming: &Receiver<Received>, outcomes: &Receiver<Outcome>) -> i32 {
        // One clock for what nobody tells the server: a client that died, files that nobody watches.
        let tick = crossbeam_channel::tick(Duration::from_secs(2));
        loop {
            let quiet = if self.is_idle() && !self.db.is_settled() {
                crossbeam_channel::after(QUIET)
            } else {
                crossbeam_channel::never()
            };
            let next = select! {
                recv(incoming) -> received => match received {
                    Ok(received) => self.receive(received),
                    // The client closed its stream.
                    Err(_) => Next::Exit(i32::from(!self.shutdown)),
                },
                recv(outcomes) -> outcome => {
                    if let Ok(outcome) = outcome {
                        self.outcome(outcome);
                    }
                    Next::Go
                }
                recv(tick) -> _ => {
                    self.tick();
                    Next::Go
                }
                recv(quiet) -> _ => {
                    self.db.settle();
                    publish::warm(self);
                    Next::Go
                }
            };
            if let Next::Exit(code) = next {
                return code;
            }
            // What has come in the meantime belongs to the same state: one check for a burst of keys.
            if incoming.is_empty() {
                self.schedule();
                self.tidy();
            }
        }
    }

    fn receive(&mut self, received: Received) -> Next {
        match received {
            Received::Broken(why) => {
                self.log(&format!("the stream broke: {why}"));
                Next::Exit(2)
            }
            Received::Malformed(why) => {
                let error = json!({
                    "jsonrpc": "2.0",
                    "id": null,
                    "error": { "code": ErrorCode::ParseError as i32, "message": format!("this is no message: {why}") },
                });
                let _ = self.sender.send(Outgoing::Raw(error));
                Next::Go
            }
            Received::Message(message) => {
                let id = match &message {
                    Message::Request(r) => Some(r.id.clone()),
                    _ => None,
                };
                // A fault in one message costs that message.
                match std::panic::catch_unwind(AssertUnwindSafe(|| self.message(message))) {
                    Ok(next) => next,
                    Err(_) => {
                        if let Some(id) = id {
                            self.fail(id, ErrorCode::InternalError, "the server failed on this request");
                        }
                        Next::Go
                    }
                }
            }
        }
    }

    fn message(&mut self, message: Message) -> Next {
        match message {
            Message::Response(_) => Next::Go,
            Message::Notification(note) if note.method == "exit" => Next::Exit(i32::from(!self.shutdown)),
            Message::Notification(note) => {
                if self.client.is_some() && !self.shutdown {
                    events::handle(self, note);
                }
                Next::Go
            }
            Message::Request(request) => {
                self.request(request);
                Next::Go
            }
        }
    }

    fn request(&mut self, request: Request) {
        if request.method == "initialize" {
            if self.client.is_some() {
                self.fail(request.id, ErrorCode::InvalidRequest, "`initialize` was sent twice");
            } else {
                self.initialize(&request);
            }
            return;
        }
        if self.shutdown {
            self.fail(request.id, ErrorCode::InvalidRequest, "the server is shutting down");
            return;
        }
        let Some(client) = self.client.clone() else {
            self.fail(request.id, ErrorCode::ServerNotInitialized, "`initialize` comes first");
            return;
        };
        if request.method == "shutdown" {
            self.shutdown = true;
            self.answer(Response::new_ok(request.id, Json::Null));
            return;
        }
        dispatch::start(self, client, request);
    }

    fn initialize(&mut self, request: &Request) {
        let client = Client::read(&request.params);
        let here = client.folders.first().cloned();
        let here = here.or_else(|| Utf8PathBuf::from_path_buf(std::env::current_dir().ok()?).ok());
        if let Some(here) = here {
            self.overlay = Arc::new(OverlaySystem::new((self.setup.system)(&here)));
            self.db = Database::for_editing(self.overlay.clone());
        }
        self.workspace = Arc::new(Workspace {
            folders: client.folders.clone(),
            ..Workspace::clone(&self.workspace)
        });
        let result = json!({
            "capabilities": handlers::capabilities(&client),
            "serverInfo": { "name": "kitsoki", "version": self.setup.version },
        });
        self.client = Some(Arc::new(client));
        self.answer(Response::new_ok(request.id.clone(), result));
    }

    /// Whether no worker holds a snapshot.
    fn is_idle(&self) -> bool {
        self.pending.is_empty() && !self.checking && !self.warming
    }

    /// Frees what is not wanted any more when nobody waits for anything.
    fn tidy(&mut self) {
        if self.untidy && self.is_idle() {
            self.untidy = false;
            self.db.tidy();
        }
    }

    /// A snapshot for a worker.
    fn snapshot(&self) -> Snapshot {
        Snapshot {
            db: self.db.clone(),
            workspace: self.workspace.clone(),
        }
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.untidy = true;
        match outcome {
            Outcome::Answer(id, result) => {
                if self.pending.remove(&id).is_none() {
                    return;
                }
                match result {
                    Ok(result) => {
                        let _ = self.sender.send(Outgoing::Result(id, result));
                    }
                    Err(error) => self.answer(Response {
                        id,
                        response_result: Err(error),
                    }),
                }
            }
            Outcome::Cancelled(request) => {
                if self.pending.remove(&request.id).is_some() {
                    dispatch::cancelled(self, request);
                }
            }
            Outcome::Checked(checked) => publish::take(self, checked),
            Outcome::Interrupted { generation, paths } => publish::interrupted(self, generation, paths),
            Outcome::Warmed => {
                self.warming = false;
            }
            Outcome::Discovered(stories) => {
                self.workspace = Arc::new(Workspace {
                    stories,
                    ..Workspace::clone(&self.workspace)
                });
            }
            Outcome::Orphaned => {
                // Nobody reads what is written; the reader may never see an end of its stream.
                std::process::exit(1);
            }
        }
    }

    fn tick(&mut self) {
        let Some(client) = self.client.clone() else { return };
        watch::tick(self, &client);
    }

    fn schedule(&mut self) {
        if self.client.as_ref().is_some_and(|c| !c.pull) && !self.dirty.is_empty() && !self.shutdown {
            publish::start(self);
        }
    }

    fn answer(&self, response: Response) {
        let _ = self.sender.send(Outgoing::Message(response.into()));
    }

    fn fail(&self, id: RequestId, code: ErrorCode, why: &str) {
        self.answer(Response::new_err(id, code as i32, why.to_owned()));
    }

    fn notify(&self, method: &str, params: Json) {
        let note = Notification::new(method.to_owned(), params);
        let _ = self.sender.send(Outgoing::Message(note.into()));
    }

    /// Asks the client for something whose answer does not matter.
    fn ask(&mut self, method: &str, params: Json) {
        self.requests += 1;
        let request = Request::new(self.requests.into(), method.to_owned(), params);
        let _ = self.sender.send(Outgoing::Message(request.into()));
    }

    fn log(&self, text: &str) {
        self.notify("window/logMessage", json!({ "type": 2, "message": text }));
    }
}
