//! A server in a thread of the test, and a client that speaks to it through pipes.
#![allow(dead_code, reason = "no test needs all of it")]

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::sync::Arc;

use camino::Utf8Path;
use kitsoki_compiler::db::System;
use kitsoki_diagnostics::levels::Levels;
use kitsoki_lsp::server::{Setup, run, uri};
use serde_json::{Value as Json, json};

/// A server in a thread of this process.
pub struct Server {
    input: std::io::PipeWriter,
    output: BufReader<std::io::PipeReader>,
    next: i32,
    /// Notifications that nobody has asked for yet.
    notes: VecDeque<Json>,
    thread: std::thread::JoinHandle<i32>,
}

impl Server {
    /// Starts a server over some files, for a client with some capabilities.
    pub fn start(root: &Utf8Path, system: Arc<dyn System>, capabilities: Json) -> Self {
        let (server_input, input) = std::io::pipe().unwrap();
        let (output, server_output) = std::io::pipe().unwrap();
        let setup = Setup {
            system: Arc::new(move |_| system.clone()),
            levels: Arc::new(|_| Levels::default()),
            version: "test".to_owned(),
        };
        let thread = std::thread::Builder::new()
            .stack_size(64 << 20)
            .spawn(move || run(setup, server_input, server_output))
            .unwrap();
        let mut this = Self {
            input,
            output: BufReader::new(output),
            next: 0,
            notes: VecDeque::new(),
            thread,
        };
        let folders = json!([{ "uri": uri::of_path(root), "name": "stories" }]);
        this.request(
            "initialize",
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders }),
        );
        this.notify("initialized", json!({}));
        this
    }

    fn send(&mut self, message: &Json) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The whole answer to a request.
    pub fn request(&mut self, method: &str, params: Json) -> Json {
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        loop {
            let message = self.read();
            if message["id"] == self.next && message.get("method").is_none() {
                return message;
            }
            self.notes.push_back(message);
        }
    }

    /// The parameters of the next notification of a method.
    pub fn note(&mut self, method: &str) -> Json {
        loop {
            if let Some(at) = self.notes.iter().position(|n| n["method"] == method) {
                return self.notes.remove(at).unwrap()["params"].clone();
            }
            let message = self.read();
            self.notes.push_back(message);
        }
    }

    fn read(&mut self) -> Json {
        let mut length = 0usize;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server closed its stream"
            );
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(value) => length = value.parse().unwrap(),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// Shows a file.
    pub fn open(&mut self, path: &Utf8Path, text: &str) {
        let document = json!({ "uri": uri::of_path(path), "languageId": "yaml", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the whole text of an open file.
    pub fn change(&mut self, path: &Utf8Path, version: i32, text: &str) {
        let document = json!({ "uri": uri::of_path(path), "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// What is wrong with a file.
    pub fn diagnostics(&mut self, path: &Utf8Path) -> Json {
        let answer = self.request(
            "textDocument/diagnostic",
            json!({ "textDocument": { "uri": uri::of_path(path) } }),
        );
        answer["result"]["items"].clone()
    }

    /// Ends the server in order.
    pub fn stop(mut self) {
        self.request("shutdown", Json::Null);
        self.notify("exit", Json::Null);
        assert_eq!(self.thread.join().unwrap(), 0);
    }
}
