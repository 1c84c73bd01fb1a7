//! Many calls in one process, one JSON object a line in and one out: `debug host --batch` (`hosts` 14). Every line has a
//! folder and stores of its own, and every failure of a handler is an answer.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json, json};

use crate::call::{Answer, Data};
use crate::context::Context;
use crate::environment::Environment;
use crate::registry::Registry;

/// The longest line, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// The largest file that an answer reports, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// Why a batch could not go on.
#[derive(Debug)]
pub enum BatchFault {
    /// A line is no JSON object with `id` and `handler`; the number counts from 1.
    Line(usize),
    /// Reading or writing failed.
    Io(io::Error),
}

impl std::fmt::Display for BatchFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(n) => write!(f, "line {n} is no JSON object with an `id` and a `handler`"),
            Self::Io(e) => write!(f, "{e}"),
        }
    }
}

impl From<io::Error> for BatchFault {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
    }
}

/// Answers every line of `input` on `output`.
///
/// # Errors
///
/// A line is no JSON object with an `id` and a `handler`, or reading or writing fails.
pub fn batch(mut input: impl BufRead, mut output: impl Write) -> Result<(), BatchFault> {
    let registry = crate::builtins();
    for number in 1.. {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let Ok(Json::Object(line)) = serde_json::from_slice(&line) else {
            return Err(BatchFault::Line(number));
        };
        if !line.contains_key("id") || !line.get("handler").is_some_and(Json::is_string) {
            return Err(BatchFault::Line(number));
        }
        let answer = answer(&line, &registry)?;
        serde_json::to_writer(&mut output, &answer).map_err(io::Error::from)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}

/// Answers one line in a folder of its own.
fn answer(line: &Map<String, Json>, registry: &Registry) -> io::Result<Json> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    let mut spelled = Spelling::new(&root);
    let mut environment = Environment::process().with("PWD", &root);
    for (name, value) in members(line.get("env")) {
        let value = spelled.text(value.as_str().unwrap_or_default());
        environment = environment.with(name, value);
    }
    let mut out = Map::new();
    out.insert("id".to_owned(), line.get("id").cloned().unwrap_or_default());
    out.insert("root".to_owned(), json!(root));
    if let Err(error) = prepare(&root, line.get("setup")) {
        let message = format!("setup: {error}");
        out.insert("error".to_owned(), json!({"class": "infra", "message": message}));
        return Ok(Json::Object(out));
    }
    let mut context = Context::bare(&root, environment);
    context.services = crate::services::memory::wired(line.get("wired"));
    let call = |call: &Map<String, Json>, spelled: &Spelling| -> Answer {
        let name = call.get("handler").and_then(Json::as_str).unwrap_or_default();
        let with: Data = members(call.get("with"))
            .map(|(k, v)| (k.clone(), spelled.value(v)))
            .collect();
        registry.invoke(name, with, &context)
    };
    let mut before = Vec::new();
    for earlier in line.get("before").and_then(Json::as_array).into_iter().flatten() {
        let data = match earlier.as_object().map(|e| call(e, &spelled)) {
            Some(Ok(data)) => data,
            Some(Err(failure)) => failure.data.unwrap_or_default(),
            None => Data::new(),
        };
        spelled.learn(before.len(), &data);
        before.push(Json::Object(data));
    }
    match call(line, &spelled) {
        Ok(data) => {
            out.insert("data".to_owned(), Json::Object(data));
        }
        Err(failure) => {
            let error = json!({"class": failure.class.name(), "message": failure.message});
            out.insert("error".to_owned(), error);
            if let Some(data) = failure.data {
                out.insert("data".to_owned(), Json::Object(data));
            }
        }
    }
    let files = line.get("files").and_then(Json::as_array).into_iter().flatten();
    let files: Map<String, Json> = files
        .filter_map(Json::as_str)
        .map(|name| {
            let text = crate::place::read_text(&root.join(name), MAX_FILE);
            (name.to_owned(), text.map_or(Json::Null, Json::String))
        })
        .collect();
    out.insert("files".to_owned(), Json::Object(files));
    out.insert("before".to_owned(), Json::Array(before));
    Ok(Json::Object(out))
}

fn members(json: Option<&Json>) -> impl Iterator<Item = (&String, &Json)> {
    json.and_then(Json::as_object).into_iter().flatten()
}

/// Creates the files of a line. They stay below the folder.
fn prepare(root: &Path, setup: Option<&Json>) -> io::Result<()> {
    for (name, text) in members(setup) {
        let path = root.join(name);
        if crate::place::below(root, &path).is_none() {
            return Err(io::Error::other(format!("{name} lies outside of the folder")));
        }
        if name.ends_with('/') {
            std::fs::create_dir_all(&path)?;
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let text = text.as_str().unwrap_or_default();
        std::fs::write(&path, text)?;
        if text.starts_with("#!") {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// What stands for the folder and for the texts of earlier answers.
struct Spelling {
    names: BTreeMap<String, String>,
}

impl Spelling {
    fn new(root: &Path) -> Self {
        let root: PathBuf = root.to_owned();
        Self {
            names: BTreeMap::from([("{root}".to_owned(), root.to_string_lossy().into_owned())]),
        }
    }

    fn learn(&mut self, number: usize, data: &Data) {
        for (key, value) in data {
            if let Some(text) = value.as_str() {
                self.names.insert(format!("{{{number}.{key}}}"), text.to_owned());
            }
        }
    }

    fn text(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for (name, value) in &self.names {
            if out.contains(name) {
                out = out.replace(name, value);
            }
        }
        out
    }

    fn value(&self, json: &Json) -> Json {
        match json {
            Json::String(text) => Json::String(self.text(text)),
            Json::Array(items) => Json::Array(items.iter().map(|v| self.value(v)).collect()),
            Json::Object(map) => Json::Object(map.iter().map(|(k, v)| (k.clone(), self.value(v))).collect()),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(line: Json) -> Json {
        let mut out = Vec::new();
        batch(format!("{line}\n").as_bytes(), &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn a_line_has_its_folder_files_and_earlier_calls() {
        let answer = ask(json!({
            "id": "a",
            "handler": "host.run",
            "with": {"cmd": "cat", "args": ["{root}/in/x", "{0.stdout}"]},
            "before": [{"handler": "host.run", "with": {"cmd": "printf y; echo z > y"}}],
            "setup": {"in/x": "one\n", "empty/": ""},
            "files": ["y", "missing"],
        }));
        assert_eq!(answer["data"]["stdout"], "one\nz\n");
        assert_eq!(answer["files"], json!({"y": "z\n", "missing": null}));
        assert!(!Path::new(answer["root"].as_str().unwrap()).exists());
    }

    #[test]
    fn failures_are_answers_and_other_lines_end_the_batch() {
        let answer = ask(json!({"id": 1, "handler": "host.nobody"}));
        assert_eq!(answer["error"]["class"], "infra");
        let mut out = Vec::new();
        assert!(matches!(
            batch(&b"{\"id\": 1}\n"[..], &mut out),
            Err(BatchFault::Line(1))
        ));
    }
}
