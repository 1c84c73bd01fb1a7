//! `host.inbox.add`, `host.transport.post`, `host.jobs.answer_clarification` (`hosts` 8.1, 11.2).

use serde_json::{Value as Json, json};

use super::artifacts::body;
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Failure, Kind, data};
use crate::services::{Notification, Post};

/// Tells the operator. Without an inbox the message is dropped and the story goes on.
pub(super) fn inbox_add(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    args.required("title")?;
    args.required("body")?;
    let Some(inbox) = &call.context.services.inbox else {
        let note = "this session has no inbox; the notification was dropped";
        return Ok(data(json!({"ok": true, "id": "", "persisted": false, "note": note})));
    };
    let kind = match args.raw("kind") {
        "" => "info",
        kind => kind,
    };
    let notification = Notification {
        title: args.raw("title").to_owned(),
        body: args.raw("body").to_owned(),
        kind: kind.to_owned(),
        thread: args.raw("thread").to_owned(),
        state: args.raw("state").to_owned(),
    };
    let id = inbox.add(notification).map_err(|e| args.outside(e))?;
    Ok(data(json!({"ok": true, "id": id, "persisted": true})))
}

/// The arguments that are not handed to a transport as extras.
const OWN: [&str; 7] = ["transport", "thread", "phase_id", "title", "body", "bot_marker", "op"];

/// Posts a message elsewhere.
pub(super) fn transport_post(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let Some(transports) = &call.context.services.transports else {
        let text = "host.transport.post: no transport registry in this session";
        return Err(Failure::domain(Kind::NotConfigured, text));
    };
    let (transport, thread) = (args.raw("transport"), args.raw("thread"));
    if transport.is_empty() || thread.is_empty() {
        return Err(args.wrong("transport and thread are required"));
    }
    let post = Post {
        thread: thread.to_owned(),
        phase_id: args.raw("phase_id").to_owned(),
        title: args.raw("title").to_owned(),
        body: body(args.get("body")),
        bot_marker: args.raw("bot_marker").to_owned(),
        extra: args
            .map()
            .iter()
            .filter(|(key, value)| !OWN.contains(&key.as_str()) && !value.is_null())
            .map(|(key, value)| (key.clone(), crate::value::argument(value)))
            .collect(),
    };
    let id = transports
        .post(transport, &post, &call.context.cancel)
        .map_err(|e| args.outside(e))?;
    Ok(data(json!({ "message_id": id })))
}

/// Gives a waiting job its answer.
pub(super) fn answer_clarification(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let Some(clarifications) = &call.context.services.clarifications else {
        return Err(Failure::domain(
            Kind::NotConfigured,
            "host.jobs.answer_clarification: this session has no jobs",
        ));
    };
    let job = args.raw("job_id");
    if job.is_empty() {
        return Err(args.missing("job_id"));
    }
    // A null answer is an answer.
    let answer: &Json = args.get("answer").ok_or_else(|| args.missing("answer"))?;
    clarifications.answer(job, answer).map_err(|e| args.outside(e))?;
    Ok(data(json!({"job_id": job, "answered": true})))
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::cancel::Cancel;
    use crate::context::Context;
    use crate::environment::Environment;
    use crate::services::memory::MemoryInbox;
    use crate::services::{Clarifications, Transports};

    fn context() -> Context {
        Context::bare("/", Environment::empty())
    }

    #[test]
    fn a_notification_is_kept_with_its_severity() {
        let inbox = Arc::new(MemoryInbox::default());
        let mut context = context();
        context.services.inbox = Some(inbox.clone());
        let with = data(json!({"title": "T", "body": "B", "kind": "checkpoint", "state": "desk"}));
        let answer = crate::builtins().invoke("host.inbox.add", with, &context).unwrap();
        assert_eq!(answer["persisted"], true);
        let kept = inbox.notifications();
        assert_eq!(
            (kept[0].severity(), kept[0].state.as_str()),
            ("action_required", "desk")
        );
    }

    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);

    impl Transports for Log {
        fn post(&self, transport: &str, post: &Post, _: &Cancel) -> Result<String, String> {
            self.0
                .lock()
                .unwrap()
                .push(format!("{transport} {:?} {}", post.extra, post.body));
            Ok("m1".to_owned())
        }
    }

    impl Clarifications for Log {
        fn answer(&self, job: &str, answer: &Json) -> Result<(), String> {
            if job == "j" {
                Ok(())
            } else {
                Err(format!("job {job} does not wait; {answer}"))
            }
        }
    }

    #[test]
    fn extras_reach_the_transport_as_texts() {
        let log = Arc::new(Log::default());
        let mut context = context();
        context.services.transports = Some(log.clone());
        let with = data(json!({"transport": "mail", "thread": "t", "body": {"a": 1}, "pr_id": 302}));
        let answer = crate::builtins().invoke("host.transport.post", with, &context).unwrap();
        assert_eq!(answer["message_id"], "m1");
        assert_eq!(log.0.lock().unwrap()[0], "mail [(\"pr_id\", \"302\")] {\n  \"a\": 1\n}");
    }

    #[test]
    fn a_null_answer_is_an_answer_and_none_is_an_error() {
        let mut context = context();
        context.services.clarifications = Some(Arc::new(Log::default()));
        let ask = |with: Json| crate::builtins().invoke("host.jobs.answer_clarification", data(with), &context);
        assert_eq!(ask(json!({"job_id": "j", "answer": null})).unwrap()["answered"], true);
        assert!(
            ask(json!({"job_id": "j"}))
                .unwrap_err()
                .message
                .ends_with("answer argument is required")
        );
        assert!(
            ask(json!({"job_id": "k", "answer": 1}))
                .unwrap_err()
                .message
                .contains("does not wait")
        );
    }
}
