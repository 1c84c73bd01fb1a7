//! A cassette's text: episodes, and what it includes (`testing` 11.1, 11.2).

use std::path::{Component, Path, PathBuf};

use kitsoki_expr::Value;

use super::Episode;
use super::agent::AgentRecord;
use crate::doc::{self, Fatal, Item};

pub(super) fn episode(item: Item<'_>) -> Result<Episode, Fatal> {
    let mut out = Episode {
        line: item.doc().place(item.range()).0,
        ..Episode::default()
    };
    for (key, item, _) in item.entries("an episode")? {
        match key.as_str() {
            "id" => out.id = item.text("id")?,
            "match" => {
                out.matches = item
                    .entries("match")?
                    .into_iter()
                    .map(|(k, v, _)| (k, v.value()))
                    .collect();
            }
            "response" => {
                for (key, item, _) in item.entries("response")? {
                    match key.as_str() {
                        "data" if item.is_null() => {}
                        "data" => out.response.data = Some(item.map("data")?),
                        "error" => out.response.error = item.text("error")?,
                        "infra_error" => out.response.infra_error = item.text("infra_error")?,
                        _ => {}
                    }
                }
            }
            // The reference reads neither: what is no mapping and no list says nothing here.
            "args" => out.args = item.map("args").ok().filter(|_| !item.is_null()),
            "match_on" => out.match_on = item.texts("match_on").ok(),
            "delay" => out.delay = item.text("delay")?,
            "replay" => out.again = item.text("replay")? == "any",
            "agent" if item.is_null() => {}
            "agent" => {
                let fields = item.map("agent")?;
                let transcript = fields
                    .get("transcript")
                    .and_then(|t| t.get("events"))
                    .and_then(Value::as_list);
                for (n, event) in transcript.into_iter().flat_map(|l| l.iter()).enumerate() {
                    if let Value::Str(text) = event
                        && serde_json::from_str::<serde_json::Value>(text).is_err()
                    {
                        return Err(Fatal(format!(
                            "episode \"{}\": transcript event[{n}] is no JSON",
                            out.id
                        )));
                    }
                }
                out.agent = Some(AgentRecord { fields });
            }
            _ => {}
        }
    }
    Ok(out)
}

/// Replaces `key: !include path` by the file's content: a JSON file as JSON, any other as one text.
pub(super) fn included(text: &str, file: &Path) -> Result<String, Fatal> {
    if !text.contains("!include") {
        return Ok(text.to_owned());
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut out = String::with_capacity(text.len());
    for (n, line) in text.split('\n').enumerate() {
        if n > 0 {
            out.push('\n');
        }
        let cut = line.find(": !include ").filter(|at| {
            let key = line.get(..*at).unwrap_or_default().trim_start();
            !key.is_empty() && !key.starts_with(['-', '#']) && !key.contains(' ')
        });
        let Some(at) = cut else {
            out.push_str(line);
            continue;
        };
        let name = line.get(at + ": !include ".len()..).unwrap_or_default().trim();
        let bad = |why: &str| Fatal(format!("cassette {}: !include `{name}`: {why}", file.display()));
        let path = inside(folder, name).map_err(bad)?;
        let content = doc::read(&path).map_err(|_| bad("the file cannot be read"))?;
        let is_json = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
        let value = if is_json {
            serde_json::from_str(&content).map_err(|_| bad("the file is no JSON"))?
        } else {
            serde_json::Value::String(content)
        };
        out.push_str(line.get(..at).unwrap_or_default());
        out.push_str(": ");
        out.push_str(&value.to_string());
    }
    Ok(out)
}

/// A file below a folder, links resolved.
fn inside(folder: &Path, name: &str) -> Result<PathBuf, &'static str> {
    let name = Path::new(name);
    if name.is_absolute() {
        return Err("the path is absolute");
    }
    let root = folder.canonicalize().map_err(|_| "the folder cannot be read")?;
    let joined = root.join(name);
    if name.components().any(|c| matches!(c, Component::ParentDir)) && !joined.exists() {
        return Err("the path resolves outside the cassette directory");
    }
    let found = joined.canonicalize().map_err(|_| "the file cannot be read")?;
    if found.starts_with(&root) {
        Ok(found)
    } else {
        Err("the path resolves outside the cassette directory")
    }
}
