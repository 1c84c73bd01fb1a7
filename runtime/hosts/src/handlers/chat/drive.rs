//! `host.chat.drive`: puts a text in the queue of a conversation and, when told so, waits for the answer.

use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value as Json, json};

use super::store;
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Class, data};
use crate::services::chats::{Drive, DriveFault};

/// How long an answer is waited for unless the call says otherwise, in seconds.
const WAIT: i64 = 300;

pub(in super::super) fn call(call: &Call<'_>) -> Answer {
    let store = store(call)?;
    let args = Arguments::of(call);
    let (id, reference) = (args.text("chat_id"), args.text("chat_ref"));
    match (id, reference) {
        ("", "") => return Err(args.wrong("chat_id or chat_ref is required")),
        ("", _) | (_, "") => {}
        _ => return Err(args.wrong("chat_id and chat_ref are two ways to name one chat; give one of them")),
    }
    args.required("payload")?;
    let chat = if id.is_empty() {
        by_reference(call, &args, reference)?
    } else {
        id.to_owned()
    };
    store
        .get(&chat)
        .map_err(|e| args.outside(format!("chat_not_found: {e}")))?;
    let drive = Drive {
        chat: chat.clone(),
        payload: args.raw("payload").to_owned(),
        transport: match args.raw("transport") {
            "" => "state_machine".to_owned(),
            transport => transport.to_owned(),
        },
        thread: args.raw("thread").to_owned(),
        actor: args.raw("actor").to_owned(),
        correlation_id: args.raw("correlation_id").to_owned(),
        working_dir: args.raw("working_dir").to_owned(),
        on_complete: args.get("__on_complete").filter(|v| telling(v)).cloned(),
        origin_session: args.raw("__origin_session_id").to_owned(),
        origin_state: args.raw("__origin_state").to_owned(),
    };
    let queued = store
        .enqueue(drive)
        .map_err(|e| args.outside(format!("enqueue: {e}")))?;
    let at = queued
        .at
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_micros();
    let at = i64::try_from(at).unwrap_or(i64::MAX);
    let mut out = data(json!({"drive_id": queued.id, "chat_id": chat, "enqueued_at": at}));
    if !args.flag("await") {
        return Ok(out);
    }
    let limit = args.integer("timeout_seconds").filter(|n| *n > 0).unwrap_or(WAIT);
    let (code, why) = match store.dispatch(&queued, Duration::from_secs(limit.unsigned_abs())) {
        Ok(driven) => {
            out.extend(data(json!({
                "status": "done",
                "result_seq": driven.seq,
                "result_text": driven.answer,
            })));
            return Ok(out);
        }
        Err(DriveFault::Busy(why)) => ("chat_busy", why),
        Err(DriveFault::Failed(why)) => ("drive_failed", why),
    };
    out.extend(data(json!({"status": "failed", "error": why})));
    Err(args.outside(format!("{code}: {why}")).with(out))
}

/// Whether effects were handed over at all.
fn telling(effects: &Json) -> bool {
    match effects {
        Json::Null => false,
        Json::String(text) => !text.trim().is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => true,
    }
}

fn by_reference(call: &Call<'_>, args: &Arguments<'_>, reference: &str) -> Result<String, Box<crate::Failure>> {
    if args.telling("app").is_none() || args.telling("room").is_none() {
        return Err(args.wrong("app and room are required beside chat_ref"));
    }
    let keys = [
        "app",
        "room",
        "scope_key",
        "max_chats",
        "max_deep",
        "llm_model",
        "skip_llm",
    ];
    let kept = call.args.iter().filter(|(k, _)| keys.contains(&k.as_str()));
    let mut with: crate::Data = kept.map(|(k, v)| (k.clone(), v.clone())).collect();
    with.insert("ref".to_owned(), Json::from(reference));
    match call.registry.invoke_from(call, "host.chat.resolve_ref", with) {
        Ok(found) => Ok(found
            .get("chat_id")
            .and_then(Json::as_str)
            .unwrap_or_default()
            .to_owned()),
        Err(failure) if failure.class == Class::Infra => Err(failure),
        Err(failure) => Err(args.outside(format!("chat_not_found: {failure}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ask, chats};
    use super::*;
    use crate::services::chats::Chats as _;

    #[test]
    fn a_text_waits_in_the_queue_with_where_it_came_from() {
        let (chats, context) = chats();
        chats.create("a", "r", "", "T").unwrap();
        let with = json!({
            "chat_ref": "1",
            "app": "a",
            "room": "r",
            "payload": "hello",
            "__origin_state": "desk",
            "__on_complete": [],
        });
        ask(&context, "drive", with).unwrap();
        let queued = chats.queued();
        assert_eq!(
            (queued[0].payload.as_str(), queued[0].origin_state.as_str()),
            ("hello", "desk")
        );
        assert_eq!(queued[0].on_complete, None);
    }

    #[test]
    fn a_failed_drive_keeps_its_data() {
        let (chats, context) = chats();
        let id = chats.create("a", "r", "", "T").unwrap().id;
        let failure = ask(&context, "drive", json!({"chat_id": id, "payload": "x", "await": true})).unwrap_err();
        assert!(failure.message.starts_with("host.chat.drive: drive_failed: "));
        assert_eq!(failure.data.unwrap()["status"], "failed");
    }
}
