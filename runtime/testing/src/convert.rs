//! A trace as a flow: what the operator did becomes turns, what handlers answered becomes a cassette (`testing` 14).

use std::fmt::Write;

use kitsoki_expr::Value;
use kitsoki_runtime::Event;
use kitsoki_runtime::event::kind;
use kitsoki_runtime::json;
use kitsoki_runtime::trace::Line;

/// What a flow is to say of itself.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The story, as the flow names it.
    pub app: String,
    /// The cassette's `app_id`.
    pub app_id: String,
    /// Where the flow begins; empty: where the trace does.
    pub initial_state: String,
    /// The cassette's file name, seen from the flow.
    pub cassette: String,
    /// Add a draft of an `acceptance` block.
    pub acceptance: bool,
}

/// A flow and its cassette.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The flow.
    pub flow: String,
    /// The cassette.
    pub cassette: String,
    /// How many turns it has.
    pub turns: usize,
    /// How many answers the cassette has.
    pub episodes: usize,
}

/// Intents that only the engine uses.
const RESERVED: [&str; 5] = [
    "on_error",
    "__timeout__",
    "__on_complete_target__",
    "teleport",
    "__seed__",
];

fn quoted(text: &str) -> String {
    json::sorted(&Value::text(text))
}

fn of_kind<'l>(lines: &'l [Line], kind: &'static str) -> impl Iterator<Item = &'l Event> {
    lines.iter().map(|l| &l.event).filter(move |e| e.kind == kind)
}

/// Makes a flow of a trace.
///
/// # Errors
/// When no turn of it was an intent.
pub fn flow(lines: &[Line], request: &Request) -> Result<Made, String> {
    let mut out = Made::default();
    let inputs: Vec<(u64, &str)> = lines
        .iter()
        .filter(|l| l.event.kind == kind::TURN_INPUT)
        .map(|l| (l.event.turn, l.event.text("input")))
        .collect();
    let mut turns = String::new();
    let mut last = String::new();
    let mut first = String::new();
    for line in lines.iter().filter(|l| l.event.kind == kind::TRANSITION) {
        let event = &line.event;
        if first.is_empty() {
            event.text("from").clone_into(&mut first);
        }
        event.text("to").clone_into(&mut last);
        let intent = event.text("intent");
        let synthetic = event.payload.get("synthetic").and_then(Value::as_bool).unwrap_or(false);
        let input = inputs
            .iter()
            .find(|(turn, _)| *turn == event.turn)
            .map(|(_, input)| *input);
        if intent.is_empty() || synthetic || RESERVED.contains(&intent) || (!inputs.is_empty() && input.is_none()) {
            continue;
        }
        let _ = write!(turns, "  - intent: {{ name: {}", quoted(intent));
        if let Some(slots) = event.payload.get("slots").filter(|s| !s.is_nil()) {
            let _ = write!(turns, ", slots: {}", json::sorted(slots));
        }
        turns.push_str(" }\n");
        if let Some(input) = input.filter(|i| !i.is_empty()) {
            let _ = writeln!(turns, "    display_input: {}", quoted(input));
        }
        out.turns += 1;
    }
    if out.turns == 0 {
        return Err("no turn of the trace was an intent of the operator".into());
    }
    if first.is_empty() {
        first = lines
            .iter()
            .map(|l| l.event.state_path.to_string())
            .find(|s| !s.is_empty())
            .unwrap_or_default();
    }
    let initial = if request.initial_state.is_empty() {
        &first
    } else {
        &request.initial_state
    };

    let mut episodes = String::new();
    let mut handlers: Vec<&str> = Vec::new();
    let mut dispatched: Vec<&Event> = of_kind(lines, kind::DISPATCHED).collect();
    for event in of_kind(lines, kind::RETURNED) {
        let name = event.text("namespace");
        if !name.starts_with("host.") {
            continue;
        }
        if !handlers.contains(&name) {
            handlers.push(name);
        }
        out.episodes += 1;
        let slug = name.replace(['.', '-'], "_");
        let _ = write!(
            episodes,
            "  - id: {slug}_{}\n    match: {{ handler: {} }}\n",
            out.episodes,
            quoted(name)
        );
        // What was asked stands beside the answer: another question is no longer answered with it.
        let call = dispatched.iter().position(|e| e.text("namespace") == name);
        let args = call.and_then(|n| dispatched.remove(n).payload.get("args"));
        if let Some(args) = args.filter(|a| a.as_map().is_some()) {
            let _ = writeln!(episodes, "    args: {}", json::sorted(args));
        }
        episodes.push_str("    response: { ");
        let mut parts = Vec::new();
        if let Some(data) = event.payload.get("data") {
            parts.push(format!("data: {}", json::sorted(data)));
        }
        let error = event.text("error");
        if !error.is_empty() {
            let key = if event.payload.contains_key("data") {
                "error"
            } else {
                "infra_error"
            };
            parts.push(format!("{key}: {}", quoted(error)));
        }
        episodes.push_str(&parts.join(", "));
        episodes.push_str(" }\n");
    }

    out.flow = format!(
        "test_kind: flow\napp: {}\ninitial_state: {}\n",
        quoted(&request.app),
        quoted(initial)
    );
    if out.episodes > 0 {
        let _ = writeln!(out.flow, "host_cassette: {}", quoted(&request.cassette));
    }
    let _ = write!(out.flow, "turns:\n{turns}");
    if request.acceptance {
        let required: Vec<String> = handlers
            .iter()
            .map(|h| format!("{{ handler: {} }}", quoted(h)))
            .collect();
        let _ = write!(
            out.flow,
            "acceptance:\n  final_state_in: [{}]\n  world: {{}}\n  host_calls: {{ required: [{}] }}\n",
            quoted(&last),
            required.join(", ")
        );
    }
    out.cassette = format!(
        "kind: host_cassette\napp_id: {}\nepisodes:{}\n{episodes}",
        quoted(&request.app_id),
        if out.episodes == 0 { " []" } else { "" }
    );
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kitsoki_runtime::trace;

    #[test]
    fn turns_of_the_operator_and_answers_are_taken_over() {
        let text = concat!(
            "{\"kind\":\"session.header\",\"schema_version\":1}\n",
            "{\"turn\":1,\"seq\":0,\"kind\":\"turn.input\",\"payload\":{\"input\":\"bake\",\"intent\":\"bake\"}}\n",
            "{\"turn\":1,\"seq\":1,\"kind\":\"machine.transition\",\"payload\":{\"from\":\"a\",\"to\":\"b\",\"intent\":\"bake\",\"slots\":{\"n\":2}}}\n",
            "{\"turn\":1,\"seq\":2,\"kind\":\"harness.returned\",\"payload\":{\"namespace\":\"host.oven.bake\",\"error\":\"cold\"}}\n",
            "{\"turn\":1,\"seq\":3,\"kind\":\"machine.transition\",\"payload\":{\"from\":\"b\",\"to\":\"c\",\"intent\":\"on_error\"}}\n",
        );
        let lines = trace::parse(text, true).unwrap_or_default();
        let made = flow(
            &lines,
            &Request {
                acceptance: true,
                ..Request::default()
            },
        )
        .unwrap_or_default();
        assert_eq!((made.turns, made.episodes), (1, 1));
        assert!(made.flow.contains("initial_state: \"a\"") && made.flow.contains("slots: {\"n\":2}"));
        assert!(made.cassette.contains("infra_error: \"cold\""));
        assert!(flow(&[], &Request::default()).is_err());
    }
}
