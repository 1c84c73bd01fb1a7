//! What the client tells without waiting for an answer: open files, changes, watched files, folders.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
};
use lsp_server::{Notification, RequestId};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::documents::{self, Document};
use super::{Outcome, Server, uri, watch};
use crate::features::{Workspace, stories};

/// Handles one notification.
pub fn handle(server: &mut Server, note: Notification) {
    let params = note.params;
    match note.method.as_str() {
        "initialized" => initialized(server),
        "textDocument/didOpen" => parsed(server, params, opened),
        "textDocument/didChange" => parsed(server, params, changed),
        "textDocument/didClose" => parsed(server, params, closed),
        // What was saved was shown before: nothing is different.
        "textDocument/didSave" => {}
        "workspace/didChangeWatchedFiles" => parsed(server, params, watched),
        "workspace/didChangeWorkspaceFolders" => folders(server, &params),
        "$/cancelRequest" => cancel(server, &params),
        _ => {}
    }
}

fn parsed<T: DeserializeOwned>(server: &mut Server, params: Json, then: fn(&mut Server, T)) {
    match serde_json::from_value(params) {
        Ok(params) => then(server, params),
        Err(error) => server.log(&format!("a notification was not understood: {error}")),
    }
}

fn initialized(server: &mut Server) {
    let Some(client) = server.client.clone() else { return };
    if client.watches {
        let globs = [
            "**/*.{yaml,yml,md,json,star,tmpl,txt,pongo,html}",
            "**/kitsoki.toml",
            "**/kits*.lock",
        ];
        let watchers: Vec<Json> = globs.iter().map(|g| json!({ "globPattern": g })).collect();
        server.ask(
            "client/registerCapability",
            json!({ "registrations": [{
                "id": "kitsoki-files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            }]}),
        );
    }
    discover(server);
}

/// Looks for the manifests below the folders, in the background.
fn discover(server: &Server) {
    let folders = server.workspace.folders.clone();
    let to_loop = server.to_loop.clone();
    let job = move || {
        let stop = || false;
        let found = stories::discover(&folders, &stop);
        let _ = to_loop.send(Outcome::Discovered(found));
    };
    // A thread of its own: it waits for the disk and holds no snapshot.
    let _ = std::thread::Builder::new().name("lsp-discover".to_owned()).spawn(job);
}

fn opened(server: &mut Server, params: DidOpenTextDocumentParams) {
    let item = params.text_document;
    let Some(path) = uri::to_path(&item.uri.0) else { return };
    server.db.expect_changes(&path);
    show(server, &path, Some(item.text.as_str()));
    let document = Document {
        uri: item.uri,
        version: item.version,
        text: item.text,
    };
    server.documents.insert(path.clone(), document);
    update_open(server, &path, true);
    server.unanswered.insert(path.clone());
    server.dirty.insert(path);
}

fn changed(server: &mut Server, params: DidChangeTextDocumentParams) {
    let Some(path) = uri::to_path(&params.text_document.text_document_identifier.uri.0) else {
        return;
    };
    let encoding = server.client.as_ref().map(|c| c.encoding).unwrap_or_default();
    let Some(document) = server.documents.get_mut(&path) else {
        server.log("a file changed that was never opened");
        return;
    };
    document.version = params.text_document.version;
    documents::apply(&mut document.text, params.content_changes, encoding);
    let text = std::mem::take(&mut document.text);
    set(server, &path, Some(&text));
    server.db.refresh_for_findings(&path);
    if let Some(document) = server.documents.get_mut(&path) {
        document.text = text;
    }
    server.unanswered.insert(path.clone());
    server.dirty.insert(path);
}

fn closed(server: &mut Server, params: DidCloseTextDocumentParams) {
    let Some(path) = uri::to_path(&params.text_document.uri.0) else {
        return;
    };
    server.documents.remove(&path);
    server.unanswered.remove(&path);
    server.dirty.remove(&path);
    show(server, &path, None);
    update_open(server, &path, false);
    server.published.forget(&path);
    server.dirty.extend(server.documents.keys().cloned());
    super::publish::withdraw(server);
}

/// Sets what stands at a path, or gives the path back to the disk, and reads it again.
fn show(server: &mut Server, path: &Utf8Path, text: Option<&str>) {
    set(server, path, text);
    server.db.refresh(path);
}

fn set(server: &mut Server, path: &Utf8Path, text: Option<&str>) {
    server.generation += 1;
    server.overlay.set(path, text.map(Arc::from));
}

/// Puts a path into the sorted list of open files, or takes it out. Thousands may be open: the list is not made anew.
fn update_open(server: &mut Server, path: &Utf8Path, shown: bool) {
    let open = &mut Arc::make_mut(&mut server.workspace).open;
    match (open.binary_search_by(|p| p.as_path().cmp(path)), shown) {
        (Err(at), true) => open.insert(at, path.to_owned()),
        (Ok(at), false) => {
            open.remove(at);
        }
        _ => {}
    }
}

fn watched(server: &mut Server, params: DidChangeWatchedFilesParams) {
    let paths: Vec<Utf8PathBuf> = params.changes.iter().filter_map(|c| uri::to_path(&c.uri.0)).collect();
    changed_on_disk(server, &paths);
}

/// Reads files again that changed on disk. Open ones belong to the client, whatever the disk says.
pub fn changed_on_disk(server: &mut Server, paths: &[Utf8PathBuf]) {
    let mut changed = false;
    let mut discovered = false;
    for path in paths {
        if server.documents.contains_key(path) {
            continue;
        }
        server.generation += 1;
        changed |= server.db.refresh(path);
        changed |= path.file_name() == Some("kitsoki.toml");
        // A folder that was renamed comes as one event: everything that was read below it is read again.
        let below = watch::known_below(&server.db, path);
        for path in below {
            changed |= server.db.refresh(&path);
        }
        discovered |= path.as_str().ends_with(".yaml") || path.as_str().ends_with(".yml");
    }
    if discovered {
        discover(server);
    }
    if changed {
        server.dirty.extend(server.documents.keys().cloned());
        if server.client.as_ref().is_some_and(|c| c.pull && c.refresh_diagnostics) {
            server.ask("workspace/diagnostic/refresh", Json::Null);
        }
    }
}

fn folders(server: &mut Server, params: &Json) {
    let read = |pointer: &str| -> Vec<Utf8PathBuf> {
        let all = params.pointer(pointer).and_then(Json::as_array);
        all.into_iter()
            .flatten()
            .filter_map(|f| uri::to_path(f.get("uri")?.as_str()?))
            .collect()
    };
    let (added, removed) = (read("/event/added"), read("/event/removed"));
    let mut folders = server.workspace.folders.clone();
    folders.retain(|f| !removed.contains(f));
    folders.extend(added);
    server.workspace = Arc::new(Workspace {
        folders,
        ..Workspace::clone(&server.workspace)
    });
    server.generation += 1;
    server.dirty.extend(server.documents.keys().cloned());
    discover(server);
}

fn cancel(server: &mut Server, params: &Json) {
    let Some(id) = params.get("id") else { return };
    let Ok(id) = serde_json::from_value::<RequestId>(id.clone()) else {
        return;
    };
    if let Some(token) = server.pending.remove(&id) {
        token.cancel();
        server.fail(id, lsp_server::ErrorCode::RequestCanceled, "cancelled by the client");
    }
}
