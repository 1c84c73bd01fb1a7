//! Many calls in one process, one JSON object a line in and one out: `debug starlark --batch`. Nothing is shared between
//! lines, and every failure of a script is an answer.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::{Map, Value as Json, json};

use crate::call::{Call, HostCaller, Outcome, Places, Surface, inside, run};
use crate::data::{Data, DataMap, map_to_json};
use crate::fault::{Class, Fault};
use crate::http::{Cassette, CassetteClient, HttpClient, RecordMode, Request, Response, Transport};
use crate::inspect::{InspectCassette, Inspector, ReplayInspector};

/// Why a batch could not go on.
#[derive(Debug)]
pub enum BatchFault {
    /// A line is no JSON object with an `id`; the number counts from 1.
    Line(usize),
    /// Reading or writing failed.
    Io(std::io::Error),
}

impl std::fmt::Display for BatchFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(n) => write!(f, "line {n} is no JSON object with an id"),
            Self::Io(e) => write!(f, "{e}"),
        }
    }
}

impl From<std::io::Error> for BatchFault {
    fn from(e: std::io::Error) -> Self {
        Self::Io(e)
    }
}

/// Answers every line of `input` on `output`.
///
/// # Errors
///
/// A line is no JSON object with an `id`, or reading or writing fails.
pub fn batch(input: impl BufRead, mut output: impl Write) -> Result<(), BatchFault> {
    for (i, line) in input.split(b'\n').enumerate() {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = match serde_json::from_slice(&line) {
            Ok(Json::Object(line)) if line.contains_key("id") => answer(&line),
            _ => return Err(BatchFault::Line(i + 1)),
        };
        serde_json::to_writer(&mut output, &answer).map_err(std::io::Error::from)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}

/// Answers one line. The line is an object with an `id`.
pub fn answer(line: &Map<String, Json>) -> Json {
    let mut out = Map::new();
    out.insert("id".to_owned(), line.get("id").cloned().unwrap_or(Json::Null));
    if let Err(fault) = carry_out(line, &mut out) {
        let text = format!("host.starlark.run: {}", fault.text);
        out.insert(
            "error".to_owned(),
            json!({"class": fault.class.name(), "message": text, "infra": false}),
        );
    }
    Json::Object(out)
}

fn cassette_fault(text: impl Into<String>) -> Box<Fault> {
    Fault::new(Class::Cassette, text)
}

/// The largest cassette, in bytes.
const MAX_CASSETTE: u64 = 4 << 20;

/// Reads a cassette of a line.
fn read_cassette(dir: &Path, name: &str) -> Result<(PathBuf, String), Box<Fault>> {
    let path = dir.join(name);
    let fault = |why: String| cassette_fault(format!("cassette {name:?}: {why}"));
    if !inside(&path, &[dir.to_owned()]) {
        return Err(fault("it lies outside the folder".to_owned()));
    }
    let metadata = std::fs::metadata(&path).map_err(|e| fault(e.to_string()))?;
    if !metadata.is_file() || metadata.len() > MAX_CASSETTE {
        return Err(fault("no ordinary file, or too large".to_owned()));
    }
    let bytes = std::fs::read(&path).map_err(|e| fault(e.to_string()))?;
    Ok((path, String::from_utf8_lossy(&bytes).into_owned()))
}

fn carry_out(line: &Map<String, Json>, out: &mut Map<String, Json>) -> Result<(), Box<Fault>> {
    let dir = match line.get("dir").and_then(Json::as_str) {
        Some(dir) if Path::new(dir).is_absolute() => PathBuf::from(dir),
        _ => return Err(Fault::new(Class::ScriptMissing, "dir must be an absolute path")),
    };
    let text = |key: &str| line.get(key).and_then(Json::as_str);
    let mut inspector = match text("inspect") {
        None => None,
        Some(name) => {
            let (_, source) = read_cassette(&dir, name)?;
            Some(ReplayInspector::new(
                InspectCassette::parse(&source).map_err(cassette_fault)?,
            ))
        }
    };
    let mut client = None;
    let mut http_file = None;
    if let Some(name) = text("http") {
        let (path, source) = read_cassette(&dir, name)?;
        let cassette = Cassette::parse(&source).map_err(cassette_fault)?;
        let mode = text("record")
            .map(RecordMode::from_name)
            .transpose()
            .map_err(cassette_fault)?;
        let network = StandIn(
            line.get("network")
                .and_then(Json::as_array)
                .cloned()
                .unwrap_or_default(),
        );
        client = Some(CassetteClient::new(cassette, mode, Some(Box::new(network))));
        http_file = Some(path);
    }
    let host_calls = Rc::new(RefCell::new(Vec::new()));
    let mut hosts = Hosts {
        handlers: line.get("hosts").and_then(Json::as_object).cloned().unwrap_or_default(),
        calls: host_calls.clone(),
    };
    let world = match line.get("world").map(Data::from_json) {
        Some(Data::Map(world)) => world,
        _ => DataMap::new(),
    };
    let call = Call {
        with: with(line),
        world,
        places: Places {
            story: vec![dir.clone()],
            app_dir: None,
            current: dir.clone(),
            roots: vec![dir.clone()],
        },
        ..Call::default()
    };
    let surface = Surface {
        inspector: inspector.as_mut().map(|i| i as &mut dyn Inspector),
        http: client.as_mut().map(|c| c as &mut dyn HttpClient),
        hosts: Some(&mut hosts),
    };
    let outcome = run(call, surface);
    write_outcome(&outcome, &dir, out);
    let calls = host_calls.borrow();
    if !calls.is_empty() {
        out.insert("host_calls".to_owned(), Json::Array(calls.clone()));
    }
    if let (Some(client), Some(path)) = (&client, &http_file) {
        write_recorded(client, path, out)?;
    }
    Ok(())
}

/// The arguments of the effect that a line describes.
fn with(line: &Map<String, Json>) -> DataMap {
    let keys = [
        ("function", "function"),
        ("inputs", "inputs"),
        ("capabilities", "capabilities"),
        ("overlay", "world"),
    ];
    let mut with: DataMap = keys
        .into_iter()
        .filter_map(|(from, to)| line.get(from).map(|v| (to.to_owned(), Data::from_json(v))))
        .collect();
    let script = line
        .get("script")
        .map_or_else(|| Data::Text("main.star".to_owned()), Data::from_json);
    with.insert("script".to_owned(), script);
    with
}

fn write_outcome(outcome: &Outcome, dir: &Path, out: &mut Map<String, Json>) {
    match &outcome.result {
        Ok(outputs) => {
            out.insert("outputs".to_owned(), Json::Object(map_to_json(outputs)));
        }
        Err(fault) => {
            let mut error = Map::new();
            error.insert("class".to_owned(), json!(fault.class.name()));
            error.insert("message".to_owned(), json!(fault.text));
            if let (Some(place), Some(script)) = (outcome.at(), &outcome.script) {
                let file = script.strip_prefix(dir).unwrap_or(script).display().to_string();
                error.insert(
                    "at".to_owned(),
                    json!(format!("{file}:{}:{}", place.line, place.column)),
                );
            }
            error.insert("infra".to_owned(), json!(fault.class.is_infra()));
            out.insert("error".to_owned(), Json::Object(error));
        }
    }
    if !outcome.exchanges.is_empty() {
        let list = outcome
            .exchanges
            .iter()
            .map(|e| json!({"method": e.method, "url": e.url, "status": e.status}));
        out.insert("exchanges".to_owned(), Json::Array(list.collect()));
    }
    if !outcome.inspections.is_empty() {
        let list = outcome
            .inspections
            .iter()
            .map(|i| json!({"op": i.op, "target": i.target, "status": i.status}));
        out.insert("inspections".to_owned(), Json::Array(list.collect()));
    }
    if !outcome.printed.is_empty() {
        out.insert("printed".to_owned(), json!(outcome.printed));
    }
}

/// Writes the cassette's file when something was recorded, and tells its exchanges in a record mode.
fn write_recorded(client: &CassetteClient, path: &Path, out: &mut Map<String, Json>) -> Result<(), Box<Fault>> {
    if client.mode() == RecordMode::None {
        return Ok(());
    }
    if let Some(text) = client.rewritten().map_err(cassette_fault)? {
        std::fs::write(path, text).map_err(|e| cassette_fault(format!("cassette {path:?}: {e}")))?;
    }
    let source = std::fs::read_to_string(path).map_err(|e| cassette_fault(format!("cassette {path:?}: {e}")))?;
    let written = Cassette::parse(&source).map_err(cassette_fault)?;
    let episodes: Vec<Json> = written.episodes.iter().map(crate::http::Episode::to_json).collect();
    out.insert("recorded".to_owned(), Json::Array(episodes));
    Ok(())
}

/// What stands for the network.
struct StandIn(Vec<Json>);

impl Transport for StandIn {
    fn send(&mut self, request: &Request) -> Result<Response, String> {
        let text = |entry: &Json, key: &str| entry.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
        let entry = self
            .0
            .iter()
            .find(|e| text(e, "method").eq_ignore_ascii_case(&request.method) && text(e, "url") == request.url);
        let Some(entry) = entry else {
            return Err("nothing answers".to_owned());
        };
        if let Some(error) = entry.get("error").and_then(Json::as_str) {
            return Err(error.to_owned());
        }
        let headers: BTreeMap<String, String> = entry
            .get("headers")
            .and_then(Json::as_object)
            .map(|h| {
                h.keys()
                    .map(|k| {
                        (
                            k.clone(),
                            h.get(k).and_then(Json::as_str).unwrap_or_default().to_owned(),
                        )
                    })
                    .collect()
            })
            .unwrap_or_default();
        let status = entry.get("status").and_then(Json::as_i64).unwrap_or(0);
        Ok(Response {
            status,
            headers,
            body: text(entry, "body").into_bytes(),
        })
    }
}

/// The handlers of a line.
struct Hosts {
    handlers: Map<String, Json>,
    calls: Rc<RefCell<Vec<Json>>>,
}

impl HostCaller for Hosts {
    fn call(&mut self, verb: &str, args: &DataMap) -> Result<DataMap, String> {
        // As for an effect: a handler of the whole name, else one of a prefix, which is told the rest as `op`.
        let mut args = args.clone();
        let mut name = verb;
        while !self.handlers.contains_key(name) {
            let Some((prefix, _)) = name.rsplit_once('.') else {
                return Err(format!("host {verb:?} is not registered"));
            };
            name = prefix;
        }
        if let Some(op) = verb.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')) {
            args.insert("op".to_owned(), Data::Text(op.to_owned()));
        }
        self.calls
            .borrow_mut()
            .push(json!({"name": name, "args": map_to_json(&args)}));
        let handler = self.handlers.get(name).unwrap_or(&Json::Null);
        for key in ["error", "infra"] {
            if let Some(text) = handler.get(key).and_then(Json::as_str) {
                return Err(text.to_owned());
            }
        }
        match handler.get("data").map(Data::from_json) {
            Some(Data::Map(data)) => Ok(data),
            _ => Ok(DataMap::new()),
        }
    }
}
