//! `host.ide.*` and `host.diff.open` (`hosts` 8.6). Without an editor every answer is a success that says so.

use serde_json::{Map, Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Class, Data, Failure, Kind, data};
use crate::process::{self, Fault, Program};
use crate::services::EditorFault;

/// What a tool answered: its JSON when it is some, and its text.
struct Said {
    json: Json,
    text: String,
}

/// Calls a tool; `None` when no editor is connected.
fn tool(call: &Call<'_>, tool: &str, args: &Json) -> Result<Option<Said>, Box<Failure>> {
    let Some(editor) = call.context.services.editor.as_ref().filter(|e| e.connected()) else {
        return Ok(None);
    };
    match editor.call(tool, args, &call.context.cancel) {
        Ok(text) => Ok(Some(Said {
            json: serde_json::from_str(&text).unwrap_or_default(),
            text,
        })),
        Err(EditorFault::Gone) => Ok(None),
        Err(EditorFault::Refused(why)) => Err(Failure::outside(why)),
        Err(EditorFault::Broken(why)) => Err(Failure::infra(Kind::Outside, format!("{}: {why}", call.handler))),
    }
}

/// The arguments that a tool is handed: those of the keys that say something.
fn pick(args: &Arguments<'_>, keys: &[&str]) -> Json {
    let telling = |v: &&Json| !v.is_null() && v.as_str() != Some("");
    let picked = keys
        .iter()
        .filter_map(|k| args.get(k).filter(telling).map(|v| ((*k).to_owned(), v.clone())));
    Json::Object(picked.collect())
}

/// A list that is the answer itself or one of its members.
fn list(json: &Json, keys: &[&str]) -> Json {
    match json {
        Json::Array(_) => json.clone(),
        Json::Object(map) => keys
            .iter()
            .find_map(|k| map.get(*k))
            .cloned()
            .unwrap_or_else(|| json!([])),
        _ => json!([]),
    }
}

pub(super) fn diagnostics(call: &Call<'_>) -> Answer {
    let args = pick(&Arguments::of(call), &["path"]);
    let said = tool(call, "getDiagnostics", &args)?;
    let found = said
        .as_ref()
        .map_or_else(|| json!([]), |s| list(&s.json, &["diagnostics"]));
    Ok(data(json!({"connected": said.is_some(), "diagnostics": found})))
}

pub(super) fn selection(call: &Call<'_>) -> Answer {
    let said = tool(call, "getCurrentSelection", &json!({}))?;
    let empty = Map::new();
    let map = said.as_ref().and_then(|s| s.json.as_object()).unwrap_or(&empty);
    let names = ["file", "filePath", "fileName", "uri", "fileUrl"];
    let file = names
        .iter()
        .filter_map(|k| map.get(*k).and_then(Json::as_str))
        .find(|f| !f.trim().is_empty())
        .unwrap_or_default();
    Ok(data(json!({
        "connected": said.is_some(),
        "file": file.strip_prefix("file://").unwrap_or(file),
        "text": map.get("text").cloned().unwrap_or_else(|| json!("")),
        "range": map.get("range").or_else(|| map.get("selection")),
    })))
}

pub(super) fn open_editors(call: &Call<'_>) -> Answer {
    let said = tool(call, "getOpenEditors", &json!({}))?;
    let found = said
        .as_ref()
        .map_or_else(|| json!([]), |s| list(&s.json, &["editors", "tabs"]));
    Ok(data(json!({"connected": said.is_some(), "editors": found})))
}

pub(super) fn open_file(call: &Call<'_>) -> Answer {
    let args = pick(&Arguments::of(call), &["path", "range"]);
    let there = tool(call, "openFile", &args)?.is_some();
    Ok(data(json!({"connected": there, "ok": there})))
}

pub(super) fn open_diff(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let mut handed = pick(&args, &["path", "title", "new_text_path"]);
    add_new_text(&args, &mut handed);
    let Some(said) = tool(call, "openDiff", &handed)? else {
        return Ok(data(json!({"connected": false, "ok": false})));
    };
    Ok(data(json!({"connected": true, "ok": true, "verdict": verdict(&said)})))
}

/// An empty new text is one: it deletes the file's content.
fn add_new_text(args: &Arguments<'_>, handed: &mut Json) {
    if let (Some(map), Some(text)) = (handed.as_object_mut(), args.get("new_text").filter(|t| t.is_string())) {
        map.insert("new_text".to_owned(), text.clone());
    }
}

/// What the operator decided, if anything.
fn verdict(said: &Said) -> Option<&'static str> {
    let word = said.json.get("verdict").and_then(Json::as_str).unwrap_or_default();
    match word.trim().to_lowercase().as_str() {
        "accept" | "accepted" => return Some("accept"),
        "reject" | "rejected" => return Some("reject"),
        _ => {}
    }
    if let Some(accepted) = said.json.get("accepted").and_then(Json::as_bool) {
        return Some(if accepted { "accept" } else { "reject" });
    }
    let text = said.text.to_uppercase();
    if text.contains("FILE_SAVED") || text.contains("ACCEPT") {
        Some("accept")
    } else if text.contains("REJECT") {
        Some("reject")
    } else {
        None
    }
}

fn reviewed(surface: &str, reviewed: bool, verdict: Option<&str>) -> Data {
    data(json!({"surface": surface, "reviewed": reviewed, "verdict": verdict}))
}

/// Shows a change: in the editor, else in a diff tool, else nowhere.
pub(super) fn diff(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let mut handed = pick(&args, &["path", "paths", "title", "base"]);
    let identity = handed.clone();
    add_new_text(&args, &mut handed);
    let connected = call.context.services.editor.as_ref().is_some_and(|e| e.connected());
    if connected {
        let Some(said) = tool(call, "openDiff", &handed)? else {
            return Ok(reviewed("none", false, None));
        };
        let verdict = verdict(&said);
        if let (Some(gates), Some(verdict)) = (&call.context.services.gates, verdict) {
            gates.diff_decided("ide", verdict, &identity);
        }
        return Ok(reviewed("ide", true, verdict));
    }
    let environment = &call.context.environment;
    let named: Vec<&str> = environment
        .get("KITSOKI_DIFFTOOL")
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let (name, command, rest): (String, &str, Vec<String>) = match named.split_first() {
        Some((first, rest)) => (
            crate::place::base(first).to_owned(),
            first,
            rest.iter().map(|a| (*a).to_owned()).collect(),
        ),
        None => {
            let mut rest = vec!["difftool".to_owned(), "--no-prompt".to_owned()];
            // A base that begins with a dash would be an option of git.
            rest.extend(args.telling("base").filter(|b| !b.starts_with('-')).map(str::to_owned));
            ("git".to_owned(), "git", rest)
        }
    };
    let program = Program::new(command, &call.context.current, environment).args(rest);
    match process::run(&program, &call.context.cancel) {
        Ok(_) => Ok(reviewed(&format!("difftool:{name}"), true, None)),
        Err(Fault::Start(_)) => Ok(reviewed("none", false, None)),
        Err(other) => Err(Box::new(Failure {
            class: Class::Infra,
            kind: Kind::Cancelled,
            message: format!("{}: {other}", call.handler),
            data: None,
        })),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::cancel::Cancel;
    use crate::context::Context;
    use crate::environment::Environment;
    use crate::services::{Editor, Gates};

    struct Fake {
        answer: Result<String, EditorFault>,
        seen: Mutex<Vec<String>>,
    }

    impl Editor for Fake {
        fn connected(&self) -> bool {
            true
        }

        fn call(&self, tool: &str, args: &Json, _: &Cancel) -> Result<String, EditorFault> {
            self.seen.lock().unwrap().push(format!("{tool} {args}"));
            self.answer.clone()
        }
    }

    impl Gates for Fake {
        fn diff_decided(&self, surface: &str, verdict: &str, diff: &Json) {
            self.seen.lock().unwrap().push(format!("{surface} {verdict} {diff}"));
        }
    }

    fn ask(answer: Result<&str, EditorFault>, handler: &str, with: Json) -> (Answer, Vec<String>) {
        let fake = Arc::new(Fake {
            answer: answer.map(str::to_owned),
            seen: Mutex::default(),
        });
        let mut context = Context::bare("/", Environment::empty());
        context.services.editor = Some(fake.clone());
        context.services.gates = Some(fake.clone());
        let answer = crate::builtins().invoke(handler, data(with), &context);
        let seen = fake.seen.lock().unwrap().clone();
        (answer, seen)
    }

    #[test]
    fn a_verdict_is_recorded() {
        let with = json!({"path": "a", "new_text": "", "title": ""});
        let (answer, seen) = ask(Ok("{\"verdict\": \"Accepted\"}"), "host.diff.open", with);
        assert_eq!(answer.unwrap(), reviewed("ide", true, Some("accept")));
        assert_eq!(
            seen,
            [
                "openDiff {\"path\":\"a\",\"new_text\":\"\"}",
                "ide accept {\"path\":\"a\"}"
            ]
        );
    }

    #[test]
    fn an_editor_that_went_away_is_no_failure() {
        let (answer, _) = ask(Err(EditorFault::Gone), "host.ide.open_file", json!({"path": "a"}));
        assert_eq!(answer.unwrap()["connected"], false);
        let (answer, _) = ask(
            Err(EditorFault::Refused("no".to_owned())),
            "host.ide.open_file",
            json!({}),
        );
        assert_eq!(answer.unwrap_err().class, Class::Domain);
        let (answer, _) = ask(
            Err(EditorFault::Broken("no".to_owned())),
            "host.ide.open_file",
            json!({}),
        );
        assert_eq!(answer.unwrap_err().class, Class::Infra);
    }

    #[test]
    fn a_selection_is_read_from_any_of_its_forms() {
        let (answer, _) = ask(
            Ok("{\"fileUrl\": \"file:///a/b\", \"selection\": {\"x\": 1}}"),
            "host.ide.get_selection",
            json!({}),
        );
        let answer = answer.unwrap();
        assert_eq!((&answer["file"], &answer["range"]), (&json!("/a/b"), &json!({"x": 1})));
    }
}
