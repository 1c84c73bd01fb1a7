//! `kitsoki debug`: small machines for tests: one JSON object a line in, one a line out.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::panic::AssertUnwindSafe;

use camino::{Utf8Path, Utf8PathBuf};
use kitsoki_hosts::value::whole;
use kitsoki_syntax::decode::{self, FieldKind};
use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::{Map, Value as Json, json};

use crate::app::Exit;
use crate::args::{DebugArgs, DebugCommand};
use crate::route::batch as route;
use crate::route::ground::Stories;

/// Runs the command.
///
/// # Errors
/// When the batch cannot be read, or a line is no JSON object with an `id`.
pub fn run(args: &DebugArgs) -> miette::Result<Exit> {
    match &args.command {
        DebugCommand::Eval { batch } => answered(batch, answer),
        DebugCommand::Route { batch } => {
            let stories = RefCell::new(Stories::new()?);
            answered(batch, |line| route::answer(line, &mut stories.borrow_mut()))
        }
        DebugCommand::Host { batch } => {
            kitsoki_hosts::batch::batch(lines(batch)?, std::io::stdout().lock()).map_err(|e| miette!("{e}"))?;
            Ok(Exit::Clean)
        }
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

/// Answers every line of a batch.
fn answered(batch: &Utf8PathBuf, answer: impl Fn(&Json) -> Json) -> miette::Result<Exit> {
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
        let case = match serde_json::from_str::<Json>(&line).or_else(|_| serde_json::from_str(&whole(&line))) {
            Ok(case) => case,
            Err(error) => match shallow_id(&line).filter(|_| error.to_string().contains("recursion limit")) {
                // Too deep to be read is an answer, too.
                Some(id) => {
                    let fault = json!({ "class": "depth", "message": "the line is nested too deeply" });
                    let text = format!("{}\n", json!({ "id": id, "error": fault }));
                    out.write_all(text.as_bytes()).into_diagnostic()?;
                    continue;
                }
                None => return Err(miette!("`{batch}`, line {number} is no JSON: {error}")),
            },
        };
        let id = case
            .get("id")
            .cloned()
            .ok_or_else(|| miette!("`{batch}`, line {number} has no `id`"))?;
        // A fault of ours is an answer of this line only.
        let answer = std::panic::catch_unwind(AssertUnwindSafe(|| answer(&case)))
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

/// The `id` of a line that cannot be read as a whole, when it is a plain text near its beginning.
fn shallow_id(line: &str) -> Option<String> {
    let at = line.find("\"id\"")?;
    let rest = line
        .get(at + 4..)?
        .trim_start()
        .strip_prefix(':')?
        .trim_start()
        .strip_prefix('"')?;
    rest.split('"')
        .next()
        .filter(|id| !id.contains('\\'))
        .map(str::to_owned)
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

#[cfg(test)]
mod tests {
    use super::{shallow_id, whole};

    #[test]
    fn half_a_surrogate_pair_becomes_the_replacement_character() {
        assert_eq!(whole(r#"{"a": "\ud800x\udc00"}"#), r#"{"a": "\ufffdx\ufffd"}"#);
        assert_eq!(
            whole(r#"{"a": "\ud83d\ude00\\ud800"}"#),
            r#"{"a": "\ud83d\ude00\\ud800"}"#
        );
    }

    #[test]
    fn a_line_that_is_too_deep_still_has_its_id() {
        assert_eq!(
            shallow_id(r#"{"suite": "x", "id": "deep", "env": [[["#).as_deref(),
            Some("deep")
        );
        assert_eq!(shallow_id("[[["), None);
    }
}
