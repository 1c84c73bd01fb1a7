//! Several engagements of one agent for one value: the session is resumed with a reminder until a value is taken.

use serde_json::Value as Json;

use super::{RunFailed, run, said};
use crate::agents::acceptance::Acceptance;
use crate::agents::shell::Profile;
use crate::agents::{self, CallDesk, Request, RunFault, Verb};
use crate::arguments::Arguments;
use crate::call::{Call, Failure, Kind};

/// What came of several engagements.
pub(super) struct Engaged {
    pub(super) value: Option<Json>,
    pub(super) text: String,
    pub(super) session: String,
    pub(super) fault: Option<RunFailed>,
    /// The last reason for a refusal, as the end of a message.
    pub(super) refusal: String,
}

/// Engages an agent until it has handed in a value, resuming its session with a reminder that quotes the last refusal.
pub(super) fn engage(
    call: &Call<'_>,
    args: &Arguments<'_>,
    mut request: Request,
    mut acceptance: Acceptance,
    shell: Profile,
    runs: u32,
) -> Result<Engaged, Box<Failure>> {
    // A judgement may stand in the text when nothing else is asked of it; its command looks at it after the run, that of a
    // piece of work while it is handed in.
    let judging = request.verb == Verb::Decide;
    let fenced_counts = judging && args.get("validator").is_none_or(Json::is_null);
    let command = if judging { acceptance.post_cmd.take() } else { None };
    let desk = CallDesk::new(call, &request, acceptance, Some(shell));
    let mut out = Engaged {
        value: None,
        text: String::new(),
        session: String::new(),
        fault: None,
        refusal: String::new(),
    };
    for attempt in 1..=runs {
        request.attempt = attempt;
        out.fault = None;
        match run(call, &request, &desk) {
            Ok(end) => {
                out.text = said(&end, &desk);
                if let Some(session) = end.session {
                    request.session.id = session;
                }
            }
            Err(RunFailed::NoBackend) => return Err(agents::no_backend(call.handler)),
            Err(RunFailed::Fault(fault @ (RunFault::Cancelled | RunFault::Missing(_)))) => {
                let kind = if fault == RunFault::Cancelled {
                    Kind::Cancelled
                } else {
                    Kind::Outside
                };
                return Err(Failure::infra(kind, format!("{}: {fault}", args.handler())));
            }
            // What will never be done is not asked for again.
            Err(RunFailed::Fault(fault @ RunFault::Refused(_))) if desk.value().is_none() => {
                return Err(args.outside(fault));
            }
            Err(fault) => out.fault = Some(fault),
        }
        if fenced_counts
            && desk.value().is_none()
            && let Some(value) = fenced(&out.text)
        {
            // Whether it is taken or not, the desk keeps the reason.
            desk.submit(&value);
        }
        if let (Some(command), Some(value)) = (&command, desk.value())
            && let Err(complaint) = command.judge(call, &value)
        {
            desk.reject(&complaint);
        }
        out.session.clone_from(&request.session.id);
        out.value = desk.value();
        let refusal = desk.last_refusal();
        out.refusal = if refusal.is_empty() {
            String::new()
        } else {
            format!(": {refusal}")
        };
        if out.value.is_some() {
            return Ok(out);
        }
        request.session.resume = true;
        request.prompt = reminder(&out, &refusal);
    }
    Ok(out)
}

/// The last object in a fence of a text.
fn fenced(text: &str) -> Option<Json> {
    let mut found = None;
    let mut parts = text.split("```");
    parts.next();
    while let Some(inside) = parts.next() {
        let body = inside
            .trim_start()
            .trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        if let Ok(value @ Json::Object(_)) = serde_json::from_str::<Json>(body.trim()) {
            found = Some(value);
        }
        parts.next();
    }
    found
}

fn reminder(so_far: &Engaged, refusal: &str) -> String {
    let mut text = "You have not handed in a value. Hand it in now with the tool `submit`.".to_owned();
    if let Some(RunFailed::Fault(fault)) = &so_far.fault {
        let why = crate::plain::message(&fault.to_string());
        text.push_str(&format!("\n\nYour last run ended with a failure: {why}"));
    }
    if !refusal.is_empty() {
        text.push_str(&format!("\n\nThe last value was not taken: {refusal}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_object_in_a_fence_counts() {
        assert_eq!(
            fenced("Here:\n```json\n{\"a\": 1}\n```\nor\n```\n{\"a\": 2}\n```"),
            Some(json!({"a": 2}))
        );
        assert_eq!(fenced("```json\n[1]\n```"), None);
        assert_eq!(fenced("{\"a\": 1}"), None);
        assert_eq!(fenced("```\n{\"a\": "), None);
    }
}
