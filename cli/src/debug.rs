//! `kitsoki debug`: small machines for tests: one JSON object a line in, one a line out.

use std::io::{BufRead, BufReader, Read, Write};

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_syntax::decode::{self, FieldKind};
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Map, Value as Json, json};

use crate::app::Exit;
use crate::args::{DebugArgs, DebugCommand};

/// Runs the command.
///
/// # Errors
/// When the batch cannot be read, or a line is no JSON object with an `id`.
pub fn run(args: &DebugArgs) -> miette::Result<Exit> {
    match &args.command {
        DebugCommand::Eval { batch } => eval(batch),
        DebugCommand::Starlark { batch } => {
            kitsoki_starlark::batch::batch(lines(batch)?, std::io::stdout().lock()).map_err(|e| miette!("{e}"))?;
            Ok(Exit::Clean)
        }
    }
}

/// The longest line of a batch, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// The lines of a file, or of standard input for `-`.
fn lines(path: &Utf8Path) -> miette::Result<Box<dyn BufRead>> {
    if path == "-" {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let file = std::fs::File::open(path)
        .into_diagnostic()
        .wrap_err_with(|| format!("`{path}` cannot be opened"))?;
    if !file.metadata().into_diagnostic()?.is_file() {
        return Err(miette!("`{path}` is no file"));
    }
    Ok(Box::new(BufReader::new(file)))
}

fn eval(batch: &Utf8PathBuf) -> miette::Result<Exit> {
    let mut input = lines(batch)?;
    let mut out = std::io::stdout().lock();
    let mut number = 0usize;
    loop {
        let mut line = Vec::new();
        let read = input
            .by_ref()
            .take(MAX_LINE)
            .read_until(b'\n', &mut line)
            .into_diagnostic()?;
        if read == 0 {
            return Ok(Exit::Clean);
        }
        number += 1;
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            continue;
        }
        let case: Json = serde_json::from_str(&line).map_err(|e| miette!("line {number} is no JSON: {e}"))?;
        let id = case
            .get("id")
            .cloned()
            .ok_or_else(|| miette!("line {number} has no `id`"))?;
        // A fault of ours is an answer of this line only.
        let answer = std::panic::catch_unwind(|| answer(&case))
            .unwrap_or_else(|_| json!({ "error": { "class": "internal", "message": "kitsoki itself failed" } }));
        let mut object = Map::new();
        object.insert("id".to_owned(), id);
        if let Json::Object(answer) = answer {
            object.extend(answer);
        }
        let text = format!("{}\n", Json::Object(object));
        if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            if error.kind() == std::io::ErrorKind::BrokenPipe {
                return Ok(Exit::Clean);
            }
            return Err(miette!("the output cannot be written: {error}"));
        }
    }
}

fn answer(case: &Json) -> Json {
    match case.get("yaml").and_then(Json::as_str) {
        Some(text) => yaml(text, case.pointer("/typed/as").and_then(Json::as_str)),
        None => crate::eval::answer(case),
    }
}

/// What a YAML text decodes to, freely or into a field of some kind.
fn yaml(text: &str, kind: Option<&str>) -> Json {
    let decoded = match kind {
        None => decode::document(text),
        Some(word) => match FieldKind::from_name(word) {
            Some(kind) => decode::field(text, &kind),
            None => return json!({ "error": { "class": "usage", "message": "no such kind of field" } }),
        },
    };
    match decoded {
        Ok(value) => match serde_json::from_str::<Json>(&value.to_json()) {
            Ok(json) => json!({ "json": json }),
            Err(error) => json!({ "error": { "class": "internal", "message": error.to_string() } }),
        },
        Err(failure) => json!({ "error": {
            "class": failure.class,
            "message": failure.message,
            "start": u32::from(failure.range.start()),
            "end": u32::from(failure.range.end()),
        }}),
    }
}
