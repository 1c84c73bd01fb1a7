//! A client over the real binary's streams.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};

/// One server and what it has said so far.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: i32,
    /// Notifications that nobody has asked for yet.
    pub notes: VecDeque<Json>,
    /// The answer to `initialize`.
    pub capabilities: Json,
}

/// The `file:` URI of a path.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Client {
    /// Starts a server in a folder, with some client capabilities.
    pub fn start(root: &Path, capabilities: Json) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kitsoki"))
            .arg("lsp")
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut this = Self {
            child,
            input,
            output,
            next: 0,
            notes: VecDeque::new(),
            capabilities: Json::Null,
        };
        let params = json!({
            "processId": std::process::id(), "rootUri": null, "capabilities": capabilities,
            "workspaceFolders": [{ "uri": uri(root), "name": "root" }],
        });
        this.capabilities = this.request("initialize", params)["capabilities"].clone();
        this.notify("initialized", json!({}));
        this
    }

    fn write(&mut self, message: Json) {
        let body = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        input.flush().unwrap();
    }

    /// Writes bytes that need not be a frame.
    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// The next message; `None` when the server has closed its stream.
    pub fn read(&mut self) -> Option<Json> {
        let mut length = 0usize;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim_end() {
                "" => break,
                header => {
                    if let Some(value) = header.strip_prefix("Content-Length: ") {
                        length = value.parse().unwrap();
                    }
                }
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        Some(serde_json::from_slice(&body).unwrap())
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Json) {
        self.write(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and gives its number.
    pub fn begin(&mut self, method: &str, params: Json) -> i32 {
        self.next += 1;
        self.write(json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        self.next
    }

    /// The whole answer to a request.
    pub fn finish(&mut self, id: i32) -> Json {
        loop {
            let message = self.read().unwrap_or_else(|| panic!("the server closed its stream"));
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            if message.get("id").is_some() && message.get("method").is_some() {
                let id = message["id"].clone();
                self.write(json!({ "jsonrpc": "2.0", "id": id, "result": null }));
            } else {
                self.notes.push_back(message);
            }
        }
    }

    /// The result of a request.
    pub fn request(&mut self, method: &str, params: Json) -> Json {
        let id = self.begin(method, params);
        let answer = self.finish(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The next notification of a method.
    pub fn note(&mut self, method: &str) -> Json {
        loop {
            if let Some(at) = self.notes.iter().position(|n| n["method"] == method) {
                return self.notes.remove(at).unwrap()["params"].clone();
            }
            let message = self.read().unwrap_or_else(|| panic!("the server closed its stream"));
            if message.get("id").is_some() && message.get("method").is_some() {
                let id = message["id"].clone();
                self.write(json!({ "jsonrpc": "2.0", "id": id, "result": null }));
            } else {
                self.notes.push_back(message);
            }
        }
    }

    /// Opens a file with the text of the disk or another one.
    pub fn open(&mut self, path: &Path, text: Option<&str>) {
        let disk = std::fs::read_to_string(path).unwrap_or_default();
        let text = text.unwrap_or(&disk);
        self.notify(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri(path), "languageId": "yaml", "version": 1, "text": text } }),
        );
    }

    /// Replaces the whole text of an open file.
    pub fn change(&mut self, path: &Path, version: i32, text: &str) {
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri(path), "version": version }, "contentChanges": [{ "text": text }] }),
        );
    }

    /// Pulled diagnostics of a file.
    pub fn pull(&mut self, path: &Path) -> Json {
        self.request(
            "textDocument/diagnostic",
            json!({ "textDocument": { "uri": uri(path) } }),
        )
    }

    /// Nothing was said of files that was not asked for.
    pub fn assert_nothing_is_pushed(&mut self) {
        // The answer comes behind everything that was on its way.
        self.request("shutdown", Json::Null);
        let pushed = |n: &&Json| n["method"] == "textDocument/publishDiagnostics";
        assert_eq!(self.notes.iter().find(pushed), None);
    }

    /// Ends the server in order and gives its exit status.
    pub fn stop(mut self) -> Option<i32> {
        self.request("shutdown", Json::Null);
        self.notify("exit", Json::Null);
        self.wait()
    }

    /// Closes the server's input and waits for it.
    pub fn hang_up(mut self) -> Option<i32> {
        self.input = None;
        self.wait()
    }

    /// The number of the server's process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the server.
    pub fn wait(&mut self) -> Option<i32> {
        while self.read().is_some() {}
        self.child.wait().unwrap().code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
