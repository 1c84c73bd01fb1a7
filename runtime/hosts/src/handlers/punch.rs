//! `host.punch.verify`: the declared checks of one item of a punch list, run one by one (`hosts` 8.8).

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, data};
use crate::place;

/// The largest list, in bytes.
const MAX_STATE: u64 = 16 << 20;

/// How long one check may take, in seconds.
const LIMIT: i64 = 120;

/// How much of a check's output is kept, in bytes.
const TAIL: usize = 4_000;

/// Answers a call. Whatever is missing is a failed verification, not an error.
pub(super) fn verify(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let id = args.raw("item_id");
    let path = args.raw("state_path");
    let state = if path.is_empty() {
        Json::Null
    } else {
        let text = place::read_text(&call.context.path(path), MAX_STATE);
        let state = text.map_err(|e| place::words(&e));
        match state.and_then(|t| serde_json::from_str::<Json>(&t).map_err(|e| e.to_string())) {
            Ok(state) => state,
            Err(why) => {
                return Ok(verdict(
                    "failed",
                    &format!("the list {path} cannot be read: {why}"),
                    None,
                ));
            }
        }
    };
    let items = state.get("items").and_then(Json::as_array).into_iter().flatten();
    let Some(item) = items
        .into_iter()
        .find(|i| i.get("id").and_then(Json::as_str) == Some(id))
    else {
        return Ok(verdict("failed", &format!("item not found: {id}"), None));
    };
    let mut checks = Vec::new();
    for declared in item.get("verify").and_then(Json::as_array).into_iter().flatten() {
        checks.push(check(call, declared));
    }
    if let Some(gate) = item
        .get("gate_command")
        .and_then(Json::as_str)
        .filter(|g| !g.trim().is_empty())
    {
        checks.push(command(call, gate, None));
    }
    if checks.is_empty() {
        return Ok(verdict("partial", "no deterministic verifier declared", Some(checks)));
    }
    let passed = checks.iter().filter(|c| c.get("ok") == Some(&json!(true))).count();
    let status = if passed == checks.len() { "passed" } else { "failed" };
    let summary = format!("{passed}/{} deterministic checks passed", checks.len());
    Ok(verdict(status, &summary, Some(checks)))
}

fn verdict(status: &str, summary: &str, checks: Option<Vec<Json>>) -> Data {
    data(json!({"verify_result": {"status": status, "summary": summary, "checks": checks}}))
}

fn refused(command: &str, why: &str) -> Json {
    json!({"cmd": command, "exit_code": 2, "output": why, "ok": false})
}

fn check(call: &Call<'_>, declared: &Json) -> Json {
    if !declared.is_object() {
        return refused("", "invalid verifier entry");
    }
    let text = |key: &str| declared.get(key).and_then(Json::as_str).unwrap_or_default();
    match text("kind") {
        "story_validate" => own(call, &["check", text("story")]),
        "story_test" => {
            let mut words = vec!["test", "flows", text("story")];
            if !text("flows").is_empty() {
                words.extend(["--flows", text("flows")]);
            }
            own(call, &words)
        }
        "command" if spends(text("cmd")) => refused(
            text("cmd"),
            "blocked: the command would start an agent, and a check must cost nothing",
        ),
        "command" => command(call, text("cmd"), None),
        other => refused(other, &format!("unsupported verify kind: {other}")),
    }
}

/// A check by this very program.
fn own(call: &Call<'_>, words: &[&str]) -> Json {
    let shown = format!("kitsoki {}", words.join(" "));
    command(call, &shown, Some(words))
}

/// Runs a command with `host.run`: as a shell text, or this program with arguments.
fn command(call: &Call<'_>, shown: &str, words: Option<&[&str]>) -> Json {
    let mut with = data(json!({"cmd": shown, "timeout": LIMIT}));
    if let Some(words) = words {
        with.insert("cmd".to_owned(), json!("kitsoki"));
        with.insert("args".to_owned(), json!(words));
    }
    let (answered, failed) = match call.registry.invoke_from(call, "host.run", with) {
        Ok(answered) => (answered, None),
        Err(failure) => (failure.data.clone().unwrap_or_default(), Some(failure)),
    };
    if answered.is_empty() {
        return refused(shown, &failed.map(|f| f.message).unwrap_or_default());
    }
    let output = answered.get("stdout").and_then(Json::as_str).unwrap_or_default();
    let start = (output.len().saturating_sub(TAIL)..=output.len()).find(|i| output.is_char_boundary(*i));
    let tail = output.get(start.unwrap_or(0)..).unwrap_or_default();
    let output = failed.map_or_else(|| tail.to_owned(), |f| f.message);
    json!({
        "cmd": shown,
        "exit_code": answered.get("exit_code"),
        "output": output,
        "ok": answered.get("ok").cloned().unwrap_or_else(|| json!(false)),
    })
}

/// Whether a command looks as if it would start an agent.
fn spends(command: &str) -> bool {
    let lower = command.to_lowercase();
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let words: Vec<&str> = words.filter(|w| !w.is_empty()).collect();
    let pair = |a: &str, b: &str| words.windows(2).any(|w| w == [a, b]);
    ["claude", "codex", "openai", "anthropic"]
        .iter()
        .any(|w| words.contains(w))
        || pair("kitsoki", "tour")
        || pair("harness", "live")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    #[test]
    fn each_check_is_told_and_agents_are_not_started() {
        let folder = tempfile::tempdir().unwrap();
        let state = json!({"items": [{
            "id": "a",
            "verify": [{"kind": "command", "cmd": "echo yes"}, {"kind": "command", "cmd": "claude -p x"}],
            "gate_command": "exit 3",
        }]});
        std::fs::write(folder.path().join("s.json"), state.to_string()).unwrap();
        let context = Context::bare(folder.path(), Environment::process());
        let with = data(json!({"state_path": "s.json", "item_id": "a"}));
        let answer = crate::builtins().invoke("host.punch.verify", with, &context).unwrap();
        let result = &answer["verify_result"];
        assert_eq!(result["summary"], "1/3 deterministic checks passed");
        assert_eq!(result["checks"][0]["output"], "yes\n");
        assert!(result["checks"][1]["output"].as_str().unwrap().starts_with("blocked"));
        assert_eq!(result["checks"][2]["exit_code"], 3);
        let with = data(json!({"state_path": "none.json", "item_id": "a"}));
        let answer = crate::builtins().invoke("host.punch.verify", with, &context).unwrap();
        assert_eq!(answer["verify_result"]["status"], "failed");
    }

    #[test]
    fn commands_that_spend_are_known() {
        assert!(spends("CLAUDE -p") && spends("x --harness live") && spends("harness: live"));
        assert!(!spends("echo claudette") && !spends("kitsoki check"));
    }
}
