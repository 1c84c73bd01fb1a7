//! How a flow is judged (`testing` 7, 10). Each check returns its failures in words: the key of the expectation, what was
//! found and what was wanted.

use std::path::Path;

use kitsoki_expr::{Map, Value};
use kitsoki_runtime::event::{Event, kind};
use kitsoki_runtime::session::{FAILURE_MARK, Job, JobStatus, Notification};
use kitsoki_runtime::{Program, World, json, value};
use regex::Regex;
use smol_str::SmolStr;

use crate::doc::MAX_FILE;
use crate::fixture::{Acceptance, CallCheck, EventCheck, FileCheck, Flow, InboxCheck, Turn};

/// A value as a failure shows it.
fn shown(value: &Value) -> String {
    let text = json::sorted(value);
    if text.chars().count() <= 400 {
        return text;
    }
    let mut cut: String = text.chars().take(400).collect();
    cut.push('…');
    cut
}

/// An intent that was refused although nobody expected it.
pub struct Refusal<'a> {
    /// That, with the code and the words of the machine.
    pub what: String,
    /// The author's hint.
    pub hint: &'a str,
    /// Required slots that were absent.
    pub missing: &'a [SmolStr],
    /// What the room allows.
    pub allowed: &'a [SmolStr],
}

impl Refusal<'_> {
    /// The failure with what helps to mend the fixture: the name that was meant, or what could have been said.
    #[must_use]
    pub fn told(&self, program: &Program, turn: &Turn) -> String {
        let mut out = self.what.clone();
        if !self.hint.is_empty() {
            out.push_str(&format!("\nhint: {}", self.hint));
        }
        if !self.missing.is_empty() {
            out.push_str(&format!("\nmissing slots: {}", self.missing.join(", ")));
        }
        let intent = turn.intent.as_deref().unwrap_or_default();
        let known = program.story.intents.iter().any(|i| i.name == intent);
        if !intent.is_empty() && !known {
            let names = program.story.intents.iter().map(|i| i.name.as_str());
            out.push_str(&similar("intent", intent, names));
        } else if !self.allowed.is_empty() {
            out.push_str(&format!("\nallowed here: {}", self.allowed.join(", ")));
        }
        out
    }
}

/// That there is no such name, and the one that was probably meant.
fn similar<'a>(kind: &str, name: &str, names: impl Iterator<Item = &'a str>) -> String {
    match kitsoki_diagnostics::suggest::nearest(name, names).first() {
        Some(near) => format!("\nno {kind} is called `{name}`; `{}` is similar", near.word),
        None => format!("\nno {kind} is called `{name}`"),
    }
}

/// That a fixture names a room which the story does not have.
fn unknown_room(program: &Program, name: &str) -> String {
    // A parallel room is written with its regions.
    if name.contains('#') || program.declares(name) {
        return String::new();
    }
    similar("room", name, program.story.states.iter().map(|s| s.path.as_str()))
}

/// The state of a turn.
pub fn state(turn: &Turn, got: &str, program: &Program, out: &mut Vec<String>) {
    if let Some(want) = turn.expect_state.as_ref().filter(|w| *w != got) {
        let hint = unknown_room(program, want);
        out.push(format!("expect_state: got \"{got}\", want \"{want}\"{hint}"));
    }
    if turn.expect_not_state.as_ref().is_some_and(|w| w == got) {
        out.push(format!("expect_not_state: got \"{got}\""));
    }
    if !turn.expect_state_in.is_empty() && !turn.expect_state_in.iter().any(|w| w == got) {
        out.push(format!(
            "expect_state_in: got \"{got}\", want one of [{}]",
            turn.expect_state_in.join(", ")
        ));
    }
}

/// World values, in the order of their keys.
pub fn world(key: &str, wanted: &[(SmolStr, Value)], world: &World, out: &mut Vec<String>) {
    let mut wanted: Vec<_> = wanted.iter().collect();
    wanted.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, want) in wanted {
        let got = world.get(name).unwrap_or(&Value::Nil);
        if !value::same(got, want) {
            out.push(format!("{key}[\"{name}\"]: got {}, want {}", shown(got), shown(want)));
        }
    }
}

/// All world values.
pub fn world_full(wanted: &[(SmolStr, Value)], now: &World, out: &mut Vec<String>) {
    if wanted.is_empty() {
        return;
    }
    world("expect_world_full", wanted, now, out);
    for (name, got) in now.vars.sorted() {
        if !wanted.iter().any(|(own, _)| own == name) {
            out.push(format!(
                "expect_world_full[\"{name}\"]: got {}, and it is not listed",
                shown(got)
            ));
        }
    }
}

/// No key that was there before may have changed.
pub fn unchanged(before: &Map, now: &World, out: &mut Vec<String>) {
    for (name, was) in before.sorted() {
        let got = now.get(name).unwrap_or(&Value::Nil);
        if !value::same(got, was) {
            out.push(format!(
                "expect_world_unchanged[\"{name}\"]: got {}, want {}",
                shown(got),
                shown(was)
            ));
        }
    }
}

fn fits(event: &Event, check: &EventCheck) -> bool {
    let says = |key: &str, want: &str| want.is_empty() || event.text(key) == want;
    let nothing = Value::Nil;
    event.kind == check.kind
        && says("from", &check.from)
        && says("to", &check.to)
        && check
            .effect
            .iter()
            .all(|(key, want)| value::same(event.payload.get(key).unwrap_or(&nothing), want))
}

fn described(check: &EventCheck) -> String {
    let mut out = check.kind.clone();
    for (key, text) in [("from", &check.from), ("to", &check.to)] {
        if !text.is_empty() {
            out.push_str(&format!(" {key}=\"{text}\""));
        }
    }
    if !check.effect.is_empty() {
        out.push_str(&format!(" effect={}", shown(&Value::Map(check.effect.clone()))));
    }
    out
}

/// Events in order, others between them.
pub fn events(wanted: &[EventCheck], got: &[&Event], out: &mut Vec<String>) {
    let mut rest = got.iter();
    for (n, check) in wanted.iter().enumerate() {
        if !rest.any(|event| fits(event, check)) {
            out.push(format!(
                "expect_events[{n}]: no {} among the turn's events",
                described(check)
            ));
        }
    }
}

/// These events and no others.
pub fn events_exact(wanted: &[EventCheck], got: &[&Event], out: &mut Vec<String>) {
    if wanted.is_empty() {
        return;
    }
    if wanted.len() != got.len() {
        let kinds: Vec<&str> = got.iter().map(|e| e.kind.as_str()).collect();
        out.push(format!(
            "expect_events_exact: got {} events [{}], want {}",
            got.len(),
            kinds.join(", "),
            wanted.len()
        ));
        return;
    }
    for (n, (check, event)) in wanted.iter().zip(got).enumerate() {
        if !fits(event, check) {
            let got = shown(&Value::Map(event.payload.clone()));
            out.push(format!(
                "expect_events_exact[{n}]: got {} {got}, want {}",
                event.kind,
                described(check)
            ));
        }
    }
}

fn count(events: &[&Event], handler: &str, args: &Map) -> i64 {
    let nothing = Value::Nil;
    let found = events.iter().filter(|e| {
        let own = e.payload.get("args").and_then(Value::as_map);
        e.kind == kind::DISPATCHED
            && e.text("namespace") == handler
            && args.iter().all(|(key, want)| {
                let got = own.and_then(|a| a.get(key)).unwrap_or(&nothing);
                value::same(got, want)
            })
    });
    i64::try_from(found.count()).unwrap_or(i64::MAX)
}

/// Host calls of a turn.
pub fn calls(wanted: &[CallCheck], events: &[&Event], out: &mut Vec<String>) {
    for (n, check) in wanted.iter().enumerate() {
        let got = count(events, &check.handler, &check.args);
        let with = if check.args.is_empty() {
            String::new()
        } else {
            format!(" with args {}", shown(&Value::Map(check.args.clone())))
        };
        match check.times {
            Some(times) if times != got => {
                out.push(format!(
                    "expect_host_calls[{n}]: {}{with}: got {got} calls, want {times}",
                    check.handler
                ));
            }
            None if got == 0 => {
                let near = made(events, &check.handler);
                out.push(format!(
                    "expect_host_calls[{n}]: {}{with}: no such call; {near}",
                    check.handler
                ));
            }
            _ => {}
        }
    }
}

/// The calls that were made, for somebody who looks for one.
fn made(events: &[&Event], handler: &str) -> String {
    let all: Vec<&&Event> = events.iter().filter(|e| e.kind == kind::DISPATCHED).collect();
    let own: Vec<String> = all
        .iter()
        .filter(|e| e.text("namespace") == handler)
        .filter_map(|e| e.payload.get("args").map(shown))
        .collect();
    if !own.is_empty() {
        return format!("it was called with {}", own.join("; "));
    }
    let mut names: Vec<&str> = all.iter().map(|e| e.text("namespace")).collect();
    names.dedup();
    if names.is_empty() {
        "no handler was called".into()
    } else {
        format!("called were {}", names.join(", "))
    }
}

/// Host calls that must not be made.
pub fn no_calls(label: &str, names: &[String], events: &[&Event], out: &mut Vec<String>) {
    for event in events.iter().filter(|e| e.kind == kind::DISPATCHED) {
        let name = event.text("namespace");
        if names.iter().any(|n| n == name) {
            out.push(format!("{label}: {name} was called in turn {}", event.turn));
        }
    }
}

/// The view of a turn.
pub fn view(turn: &Turn, view: &str, out: &mut Vec<String>) {
    if let Some(source) = &turn.expect_view {
        match Regex::new(source) {
            Ok(regex) if regex.is_match(view) => {}
            Ok(_) => {
                let mut shown: String = view.chars().take(600).collect();
                if shown.len() < view.len() {
                    shown.push('…');
                }
                out.push(format!("expect_view_matches: no match for `{source}` in:\n{shown}"));
            }
            Err(error) => out.push(format!("expect_view_matches: `{source}` is no pattern: {error}")),
        }
    }
    if turn.expect_no_view && !view.is_empty() {
        out.push(format!(
            "expect_no_view: got a view of {} characters",
            view.chars().count()
        ));
    }
}

/// A failure that led somewhere must be told there.
pub fn no_silent_bounce(
    file: &str,
    turn: usize,
    events: &[&Event],
    view: &str,
    last_error: &str,
    out: &mut Vec<String>,
) {
    for event in events
        .iter()
        .filter(|e| e.kind == kind::TRANSITION && e.text("intent") == "on_error")
    {
        let told = view.contains(FAILURE_MARK) || (!last_error.is_empty() && view.contains(last_error));
        if !told {
            out.push(format!(
                "G-FLOW: {file} turn {turn} drove an on_error: arc to \"{}\" but the view neither tells the failure (last_error: \"{last_error}\") nor has the banner \"{FAILURE_MARK}\"",
                event.text("to")
            ));
        }
    }
}

/// Slots that were submitted.
pub fn slots(wanted: &[(SmolStr, Value)], got: Option<&Map>, out: &mut Vec<String>) {
    for (name, want) in wanted {
        let got = got.and_then(|s| s.get(name)).unwrap_or(&Value::Nil);
        if !value::same(got, want) {
            out.push(format!(
                "expect_slots[\"{name}\"]: got {}, want {}",
                shown(got),
                shown(want)
            ));
        }
    }
}

/// The inbox.
pub fn inbox(check: &InboxCheck, inbox: &[Notification], out: &mut Vec<String>) {
    let unread: Vec<&Notification> = inbox.iter().filter(|n| !n.read).collect();
    let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    if let Some(want) = check.unread
        && want != number(unread.len())
    {
        out.push(format!("expect_inbox: unread: got {}, want {want}", unread.len()));
    }
    let urgent = unread.iter().filter(|n| n.severity == "action_required").count();
    if let Some(want) = check.needs_attention
        && want != number(urgent)
    {
        out.push(format!("expect_inbox: needs_attention: got {urgent}, want {want}"));
    }
    if !check.severities.is_empty() {
        let mut got: Vec<&str> = unread.iter().map(|n| n.severity.as_str()).collect();
        let mut want: Vec<&str> = check.severities.iter().map(String::as_str).collect();
        got.sort_unstable();
        want.sort_unstable();
        if got != want {
            out.push(format!(
                "expect_inbox: severities: got [{}], want [{}]",
                got.join(", "),
                want.join(", ")
            ));
        }
    }
}

/// Jobs that ended in this turn.
pub fn jobs(wanted: &[(String, String)], before: &[(SmolStr, JobStatus)], now: &[Job], out: &mut Vec<String>) {
    let mut sound = true;
    for (n, (name, status)) in wanted.iter().enumerate() {
        if name.is_empty() {
            out.push(format!("expect_jobs[{n}]: namespace is missing"));
            sound = false;
        }
        if !matches!(status.as_str(), "done" | "failed" | "cancelled" | "awaiting_input") {
            out.push(format!(
                "expect_jobs[{n}]: status \"{status}\" is none of done, failed, cancelled, awaiting_input"
            ));
            sound = false;
        }
    }
    if !sound {
        return;
    }
    let changed = |job: &&Job| {
        if job.status == JobStatus::Running {
            return false;
        }
        match before.iter().find(|(id, _)| *id == job.id).map(|(_, s)| *s) {
            None | Some(JobStatus::Running) => true,
            Some(JobStatus::AwaitingInput) => job.status != JobStatus::AwaitingInput,
            Some(_) => false,
        }
    };
    let mut candidates: Vec<&Job> = now.iter().filter(changed).collect();
    if candidates.len() < wanted.len() {
        out.push(format!(
            "expect_jobs: expected {} jobs to terminate this turn, got {}",
            wanted.len(),
            candidates.len()
        ));
        return;
    }
    for (n, (name, status)) in wanted.iter().enumerate() {
        let Some(at) = candidates.iter().position(|j| j.verb == name.as_str()) else {
            out.push(format!("expect_jobs[{n}]: no job of {name} ended this turn"));
            continue;
        };
        let job = candidates.remove(at);
        if job.status.as_str() != status {
            let error = if job.error.is_empty() {
                String::new()
            } else {
                format!(" ({})", job.error)
            };
            out.push(format!(
                "expect_jobs[{n}]: {name}: got {}{error}, want {status}",
                job.status.as_str()
            ));
        }
    }
}

/// Files after the last turn.
pub fn files(label: &str, wanted: &[FileCheck], folder: &Path, out: &mut Vec<String>) {
    for (n, check) in wanted.iter().enumerate() {
        let path = folder.join(&check.path);
        let meta = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file);
        if check.must_not_exist {
            if meta.is_some() {
                out.push(format!("{label}[{n}]: {} is there", check.path));
            }
            continue;
        }
        let Some(meta) = meta else {
            out.push(format!("{label}[{n}]: {} is not there", check.path));
            continue;
        };
        if check.content_matches.is_empty() {
            continue;
        }
        let regex = match Regex::new(&check.content_matches) {
            Ok(regex) => regex,
            Err(error) => {
                out.push(format!(
                    "{label}[{n}]: content_matches: `{}` is no pattern: {error}",
                    check.content_matches
                ));
                continue;
            }
        };
        let content = if meta.len() > MAX_FILE {
            None
        } else {
            std::fs::read(&path).ok()
        };
        match content {
            None => out.push(format!("{label}[{n}]: {} cannot be read", check.path)),
            Some(bytes) if regex.is_match(&String::from_utf8_lossy(&bytes)) => {}
            Some(_) => out.push(format!(
                "{label}[{n}]: {}: no match for `{}`",
                check.path, check.content_matches
            )),
        }
    }
}

/// What is expected of an operation.
pub fn operation(flow: &Flow, events: &[&Event], out: &mut Vec<String>) {
    if flow.operation.iter().all(|(_, want)| want.is_empty()) {
        return;
    }
    let (mut status, mut policy, mut phase, mut stop, mut artifact) = (
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
    );
    let mut any = false;
    for event in events {
        match event.kind.as_str() {
            kind::RUN_STARTED => status = "running".into(),
            kind::RUN_WAITING => status = "waiting".into(),
            kind::RUN_COMPLETED => status = "completed".into(),
            kind::RUN_FAILED => status = "failed".into(),
            kind::PHASE_STARTED | kind::PHASE_COMPLETED => {}
            _ => continue,
        }
        any = true;
        for (into, key) in [
            (&mut policy, "policy_id"),
            (&mut phase, "phase"),
            (&mut artifact, "terminal_artifact"),
        ] {
            if !event.text(key).is_empty() {
                *into = event.text(key).to_owned();
            }
        }
        let reason = event.text("stop_reason");
        let reason = if reason.is_empty() {
            event.text("reason")
        } else {
            reason
        };
        if !reason.is_empty() {
            stop = reason.to_owned();
        }
    }
    if !any {
        out.push("operation: no operation lifecycle events were emitted".into());
        return;
    }
    for ((key, want), got) in flow.operation.iter().zip([status, policy, phase, stop, artifact]) {
        if !want.is_empty() && *want != got {
            out.push(format!("{key}: operation: got \"{got}\", want \"{want}\""));
        }
    }
}

/// What a flow as a whole must bring. `events`: `None` on the machine-only runner, where no calls are made.
pub fn acceptance(
    check: &Acceptance,
    folder: &Path,
    state: &str,
    world: &World,
    events: Option<&[&Event]>,
    out: &mut Vec<String>,
) {
    if !check.final_state_in.is_empty() {
        let mut found = false;
        for pattern in &check.final_state_in {
            if !pattern.contains(['*', '?', '[', '\\']) {
                found |= pattern == state;
                continue;
            }
            match globset::GlobBuilder::new(pattern).literal_separator(true).build() {
                Ok(glob) => found |= glob.compile_matcher().is_match(state),
                Err(error) => out.push(format!(
                    "acceptance: final_state_in: `{pattern}` is no pattern: {error}"
                )),
            }
        }
        if !found {
            out.push(format!(
                "acceptance: final_state_in: got \"{state}\", want one of [{}]",
                check.final_state_in.join(", ")
            ));
        }
    }
    let mut wanted: Vec<_> = check.world.iter().collect();
    wanted.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, want) in wanted {
        let got = world.get(name).unwrap_or(&Value::Nil);
        let pattern = want
            .as_map()
            .filter(|m| m.len() == 1)
            .and_then(|m| m.get("matches"))
            .and_then(Value::as_str);
        match pattern {
            None if value::same(got, want) => {}
            None => out.push(format!(
                "acceptance: world[\"{name}\"]: got {}, want {}",
                shown(got),
                shown(want)
            )),
            Some(pattern) => {
                let text = match got {
                    Value::Str(text) => text.to_string(),
                    other => json::sorted(other),
                };
                match Regex::new(pattern) {
                    Ok(regex) if regex.is_match(&text) => {}
                    Ok(_) => out.push(format!(
                        "acceptance: world[\"{name}\"]: got {}, no match for `{pattern}`",
                        shown(got)
                    )),
                    Err(error) => out.push(format!("acceptance: world: {name}: `{pattern}` is no pattern: {error}")),
                }
            }
        }
    }
    match events {
        None if !check.required.is_empty() || !check.forbidden.is_empty() => {
            out.push("acceptance: host_calls: no calls are made on the machine-only runner; add `use_orchestrator: true` (the orchestrator path is required)".into());
        }
        None => {}
        Some(events) => {
            for call in &check.required {
                let got = count(events, &call.handler, &call.args);
                let want = call.times.unwrap_or(1);
                if got < want {
                    out.push(format!(
                        "acceptance: host_calls: {}: got {got} calls, want at least {want}; {}",
                        call.handler,
                        made(events, &call.handler)
                    ));
                }
            }
            no_calls("acceptance: host_calls: forbidden", &check.forbidden, events, out);
        }
    }
    files("acceptance: files", &check.files, folder, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: &str, key: &str, text: &str) -> Event {
        Event::new(kind, value::map([(key, Value::text(text))]))
    }

    #[test]
    fn events_are_an_ordered_part() {
        let (a, b) = (event("machine.say", "text", "a"), event("machine.say", "text", "b"));
        let check = |text: &str| EventCheck {
            kind: "machine.say".into(),
            effect: value::map([("text", Value::text(text))]),
            ..EventCheck::default()
        };
        let mut out = Vec::new();
        events(&[check("a"), check("b")], &[&a, &b], &mut out);
        assert!(out.is_empty());
        events(&[check("b"), check("a")], &[&a, &b], &mut out);
        assert_eq!(out.len(), 1, "{out:?}");
    }

    #[test]
    fn a_silent_bounce_is_told() {
        let bounce = event("machine.transition", "intent", "on_error");
        let mut out = Vec::new();
        no_silent_bounce("f.yaml", 1, &[&bounce], "⚠ Action failed: x", "", &mut out);
        no_silent_bounce("f.yaml", 1, &[&bounce], "it says boom", "boom", &mut out);
        assert!(out.is_empty());
        no_silent_bounce("f.yaml", 1, &[&bounce], "quiet", "boom", &mut out);
        assert_eq!(out.len(), 1);
    }
}
