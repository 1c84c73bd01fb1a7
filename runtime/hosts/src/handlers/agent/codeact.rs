//! `host.agent.codeact`: an agent works towards a goal with small scripts. It is asked for one action at a time, a script to
//! run or the result; what a script returned is in the next question.

use serde_json::{Value as Json, json};

use super::{RunFailed, failed, named, run, telling};
use crate::agents::acceptance::Acceptance;
use crate::agents::prepare::{self, Parts};
use crate::agents::prompt::Prompt;
use crate::agents::{CallDesk, Verb, schema};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, data};
use crate::handlers::starlark;

/// How many actions an agent has unless the call says otherwise.
const BUDGET: i64 = 5;

/// The most actions of a call.
const MAX_BUDGET: i64 = 100;

/// How much of an observation is shown, in bytes.
const SHOWN: usize = 32 << 10;

/// Answers a call.
pub(in super::super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let agent = prepare::agent(call, &args, true)?;
    let Some(goal) = args.telling("goal") else {
        return Err(args.wrong("goal: argument is required"));
    };
    let capabilities = args.get("capabilities").map(kitsoki_starlark::Data::from_json);
    kitsoki_starlark::capabilities::Capabilities::parse(capabilities.as_ref())
        .map_err(|e| args.wrong(format!("capabilities: {e}")))?;
    let wanted = args.get("schema").filter(|s| telling(s));
    let wanted = wanted.map(|s| prepare::schema(call, &args, s)).transpose()?;
    let budget = args
        .integer("budget")
        .filter(|n| *n > 0)
        .unwrap_or(BUDGET)
        .min(MAX_BUDGET);
    let action = action_schema(wanted.as_ref());
    let parts = Parts {
        verb: Verb::Codeact,
        agent,
        prompt: Prompt {
            text: String::new(),
            file: None,
        },
        schema: Some(action.clone()),
        cautious: false,
    };
    let mut request = named(prepare::request(call, &args, parts)?);
    let mut steps: Vec<Json> = Vec::new();
    let done = |terminated: &str, payload: Json, steps: Vec<Json>| {
        data(json!({"terminated": terminated, "payload": payload, "steps": steps}))
    };
    for left in (1..=budget).rev() {
        request.prompt = prompt(goal, args.get("capabilities"), left, steps.last());
        let acceptance = Acceptance {
            schema: Some(action.clone()),
            ..Acceptance::default()
        };
        let desk = CallDesk::new(call, &request, acceptance, None);
        let ended = run(call, &request, &desk);
        let end = match (ended, desk.value()) {
            // An action that was handed in before a fault counts.
            (Ok(end), _) => Some(end),
            (Err(RunFailed::Fault(_)), Some(_)) => None,
            (Err(fault), _) => return Err(failed(&args, fault)),
        };
        if let Some(session) = end.and_then(|e| e.session) {
            request.session.id = session;
        }
        request.session.resume = true;
        request.attempt += 1;
        let chosen = desk.value().unwrap_or_default();
        match chosen.get("action").and_then(Json::as_str) {
            Some("done") => {
                let payload = chosen.get("payload").cloned().unwrap_or_else(|| json!({}));
                let faults = wanted.as_ref().map(|w| schema::faults(w, &payload)).unwrap_or_default();
                if faults.is_empty() {
                    steps.push(json!({"snippet": "", "observation": null}));
                    return Ok(done("done", payload, steps));
                }
                let error = format!("the result does not fit its schema: {}", faults.join("; "));
                steps.push(json!({"snippet": "", "observation": null, "error": error}));
            }
            Some(_) => {
                let snippet = chosen.get("snippet").and_then(Json::as_str).unwrap_or_default();
                steps.push(match perform(call, &args, snippet) {
                    Ok(observation) => json!({"snippet": snippet, "observation": observation}),
                    Err(failure) => json!({"snippet": snippet, "observation": null, "error": failure.message}),
                });
            }
            None => {
                let error = "no action was handed in; use the tool `submit`";
                steps.push(json!({"snippet": "", "observation": null, "error": error}));
            }
        }
    }
    Ok(done("budget_exhausted", Json::Null, steps))
}

/// The form of one action.
fn action_schema(wanted: Option<&Json>) -> Json {
    let mut schema = json!({
        "type": "object",
        "required": ["action"],
        "additionalProperties": false,
        "properties": {
            "action": {"enum": ["snippet", "done"]},
            "snippet": {"type": "string", "description": "a Starlark script with `def main(ctx)` that returns a dict"},
            "payload": {"type": "object", "description": "the result"},
        },
    });
    if let (Some(wanted), Some(payload)) = (wanted, schema.pointer_mut("/properties/payload")) {
        // Told, not demanded: a result that does not fit is answered with the reason, in its own step.
        let text = format!(
            "the result, as this schema describes it: {}",
            crate::value::compact(wanted)
        );
        *payload = json!({"type": "object", "description": text});
    }
    schema
}

fn prompt(goal: &str, capabilities: Option<&Json>, left: i64, last: Option<&Json>) -> String {
    let granted = capabilities.map_or_else(|| "world only".to_owned(), crate::value::compact);
    let mut text = format!(
        "Goal: {goal}\n\nWork in small steps. Hand in one action with the tool `submit`: a snippet to run, or the result. \
         A snippet is a Starlark script with `def main(ctx)` that returns a dict; it may use: {granted}. Actions left: {left}.\n"
    );
    let Some(last) = last else { return text };
    let shown = |json: &Json| {
        let mut shown = crate::value::indented(json);
        if shown.len() > SHOWN {
            shown.truncate(shown.floor_char_boundary(SHOWN));
            shown.push_str("\n(cut)");
        }
        shown
    };
    match last.get("error") {
        Some(error) => text.push_str(&format!("\nThe last action failed:\n{}\n", shown(error))),
        None => {
            let observation = last.get("observation").unwrap_or(&Json::Null);
            text.push_str(&format!("\nThe last snippet returned:\n{}\n", shown(observation)));
        }
    }
    text
}

/// Runs a snippet with the grants of the call.
fn perform(call: &Call<'_>, args: &Arguments<'_>, snippet: &str) -> Result<Data, Box<Failure>> {
    let failed = |e: std::io::Error| args.outside(crate::place::words(&e));
    let folder = tempfile::tempdir().map_err(failed)?;
    let script = folder.path().join("snippet.star");
    std::fs::write(&script, snippet).map_err(failed)?;
    std::fs::write(folder.path().join("snippet.star.yaml"), "description: one step\n").map_err(failed)?;
    let mut world = args.get("world").and_then(Json::as_object).cloned().unwrap_or_default();
    if let Some(folder) = args.telling("working_dir") {
        world.insert("workdir".to_owned(), json!(call.context.path(folder)));
    }
    let mut with = data(json!({"script": script, "world": world}));
    if let Some(capabilities) = args.get("capabilities") {
        with.insert("capabilities".to_owned(), capabilities.clone());
    }
    let answer = starlark::run_in(call, &with, &Data::new());
    answer.map_err(|mut failure| {
        let place = folder.path().to_string_lossy();
        failure.message = failure.message.replace(&format!("{place}/"), "");
        failure
    })
}
