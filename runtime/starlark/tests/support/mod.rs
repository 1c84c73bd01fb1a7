//! One call of a script in a folder of its own.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "each test file uses a part; a test may panic"
)]

use std::path::Path;

use kitsoki_starlark::batch::answer;
use serde_json::{Map, Value as Json};

/// Lays out the files in a new folder and makes one call there; `call` holds further keys of the batch line. An empty
/// sidecar is added when there is none.
pub fn star(files: &[(&str, &str)], call: &str) -> Json {
    let dir = tempfile::tempdir().unwrap();
    lay_out(dir.path(), files);
    star_in(dir.path(), call)
}

/// Writes files below a folder.
pub fn lay_out(dir: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let sidecar = dir.join("main.star.yaml");
    if !sidecar.exists() {
        std::fs::write(sidecar, "").unwrap();
    }
}

/// Makes one call in a folder that is laid out; `{root}` in `call` is the folder.
pub fn star_in(dir: &Path, call: &str) -> Json {
    let call = call.replace("{root}", dir.to_str().unwrap());
    let mut line: Map<String, Json> = serde_json::from_str(&call).unwrap();
    line.insert("id".to_owned(), Json::from("x"));
    line.insert("dir".to_owned(), Json::from(dir.to_str().unwrap()));
    answer(&line)
}

/// The class of the error; empty when there is none.
pub fn error_class(answer: &Json) -> &str {
    answer["error"]["class"].as_str().unwrap_or_default()
}

/// What an expression gives, as the text of `repr`; or the error's text without its beginning.
pub fn value(expression: &str) -> String {
    let script = format!("def main(ctx):\n    return {{\"r\": repr({expression})}}\n");
    let answer = star(&[("main.star", &script)], "{}");
    match answer["outputs"]["r"].as_str() {
        Some(text) => text.to_owned(),
        None => {
            let text = answer["error"]["message"].as_str().unwrap_or_default().to_owned();
            format!(
                "error: {}",
                text.trim_start_matches("host.starlark.run: starlark: main(ctx): ")
            )
        }
    }
}
