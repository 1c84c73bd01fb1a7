//! `host.chat.*`: conversations by title and room (`hosts` 8.5). Without a store every one of them says so first.

mod drive;
mod reference;
mod title;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Failure, Kind, data};
use crate::services::chats::{Chat, Chats, Message};
use crate::time;

pub(super) use drive::call as drive;
pub(super) use reference::call as resolve_ref;
pub(super) use title::suggest as suggest_title;

/// The store, or the failure that says there is none.
fn store<'a>(call: &'a Call<'_>) -> Result<&'a Arc<dyn Chats>, Box<Failure>> {
    call.context.services.chats.as_ref().ok_or_else(|| {
        let text = format!("{}: no chat store wired", call.handler);
        Failure::domain(Kind::NotConfigured, text)
    })
}

/// The story, room and scope of a call.
fn place<'a>(args: &Arguments<'a>) -> Result<(&'a str, &'a str, &'a str), Box<Failure>> {
    args.required("app")?;
    args.required("room")?;
    Ok((args.raw("app"), args.raw("room"), args.raw("scope_key")))
}

/// The active conversation of a room, or a new one.
pub(super) fn resolve(call: &Call<'_>) -> Answer {
    let store = store(call)?;
    let args = Arguments::of(call);
    let (app, room, scope) = place(&args)?;
    let failed = |e: String| args.outside(e);
    let there = store.list(app, room, scope).map_err(failed)?;
    let active = there.into_iter().find(|chat| chat.status == "active");
    let is_new = active.is_none();
    let chat = match active {
        Some(chat) => chat,
        None => {
            let title = match args.text("title") {
                "" => format!("{room} chat"),
                given => title::tidy(given),
            };
            store.create(app, room, scope, &title).map_err(failed)?
        }
    };
    Ok(data(json!({
        "chat_id": chat.id,
        "title": chat.title,
        "status": chat.status,
        "is_new": is_new,
    })))
}

pub(super) fn create(call: &Call<'_>) -> Answer {
    let store = store(call)?;
    let args = Arguments::of(call);
    let (app, room, scope) = place(&args)?;
    let title = title::tidy(args.raw("title"));
    let chat = store.create(app, room, scope, &title).map_err(|e| args.outside(e))?;
    Ok(data(json!({
        "chat_id": chat.id,
        "title": chat.title,
        "app_id": chat.app,
        "room": chat.room,
    })))
}

pub(super) fn list(call: &Call<'_>) -> Answer {
    let store = store(call)?;
    let args = Arguments::of(call);
    let (app, room, scope) = place(&args)?;
    let chats = store.list(app, room, scope).map_err(|e| args.outside(e))?;
    let now = call.context.clock.now();
    let mut lines = Vec::new();
    let mut rows = Vec::new();
    for (i, chat) in chats.iter().enumerate() {
        let count = store.messages(&chat.id, 0).map_or(0, |m| m.len());
        let age = age(chat.last_active, now);
        lines.push(format!("{}. {} — {count} msg(s), last active {age}", i + 1, chat.title));
        rows.push(json!({
            "id": chat.id,
            "title": chat.title,
            "message_count": count,
            "last_active_at": time::seconds(chat.last_active),
            "status": chat.status,
        }));
    }
    let rendered = if lines.is_empty() {
        "(no chats yet: `new <title>` starts one)".to_owned()
    } else {
        lines.join("\n")
    };
    Ok(data(json!({"rendered": rendered, "chats": rows, "count": chats.len()})))
}

/// How long ago something was, for people.
fn age(then: SystemTime, now: SystemTime) -> String {
    let minutes = now.duration_since(then).unwrap_or(Duration::ZERO).as_secs() / 60;
    match minutes {
        0 => "just now".to_owned(),
        1..60 => format!("{minutes}m ago"),
        60..1440 => format!("{}h ago", minutes / 60),
        _ => format!("{}d ago", minutes / 1440),
    }
}

/// How many turns a transcript shows unless it is told otherwise.
const TURNS: usize = 20;

pub(super) fn transcript(call: &Call<'_>) -> Answer {
    let store = store(call)?;
    let args = Arguments::of(call);
    args.required("chat_id")?;
    let id = args.raw("chat_id");
    let since = args.integer("since_seq").unwrap_or(0);
    let turns = args
        .integer("max_turns")
        .and_then(|n| usize::try_from(n).ok())
        .filter(|n| *n > 0);
    let chat = store.get(id).map_err(|e| args.outside(e))?;
    let messages = store.messages(id, since).map_err(|e| args.outside(e))?;
    let messages = last_turns(&messages, turns.unwrap_or(TURNS));
    let rendered = if messages.is_empty() {
        if since > 0 {
            format!("(no new messages since seq {since})")
        } else {
            "(empty chat: ask a question to begin)".to_owned()
        }
    } else {
        let told: Vec<String> = messages
            .iter()
            .map(|m| format!("**{}:** {}", called(&m.role), m.content))
            .collect();
        told.join("\n\n").trim_end_matches('\n').to_owned()
    };
    let rows: Vec<Json> = messages
        .iter()
        .map(|m| {
            json!({
                "seq": m.seq,
                "role": m.role,
                "content": m.content,
                "created_at": time::seconds(m.created_at),
            })
        })
        .collect();
    Ok(data(json!({
        "rendered": rendered,
        "messages": rows,
        "latest_seq": messages.last().map_or(-1, |m| m.seq),
        "title": chat.title,
    })))
}

/// The end of a conversation: two messages of people and agents are a turn.
fn last_turns(messages: &[Message], turns: usize) -> &[Message] {
    let spoken = |m: &Message| m.role == "user" || m.role == "assistant";
    let mut left = turns.saturating_mul(2);
    for (i, message) in messages.iter().enumerate().rev() {
        left -= usize::from(spoken(message));
        if left == 0 {
            return messages.get(i..).unwrap_or_default();
        }
    }
    messages
}

fn called(role: &str) -> &str {
    match role {
        "user" => "You",
        "assistant" => "Assistant",
        "system" => "System",
        "tool" => "Tool",
        other => other,
    }
}

pub(super) fn fork(call: &Call<'_>) -> Answer {
    let store = store(call)?;
    let args = Arguments::of(call);
    args.required("chat_id")?;
    let parent: Chat = store.get(args.raw("chat_id")).map_err(|e| args.outside(e))?;
    let title = match args.text("title") {
        "" => format!("{} (fork)", parent.title),
        given => given.to_owned(),
    };
    let chat = store.fork(&parent.id, &title).map_err(|e| args.outside(e))?;
    Ok(data(json!({
        "chat_id": chat.id,
        "parent_chat_id": chat.parent,
        "title": chat.title,
    })))
}

pub(super) fn archive(call: &Call<'_>) -> Answer {
    let store = store(call)?;
    let args = Arguments::of(call);
    args.required("chat_id")?;
    let id = args.raw("chat_id");
    store.archive(id).map_err(|e| args.outside(e))?;
    Ok(data(json!({"chat_id": id, "archived": true})))
}

pub(super) fn rename(call: &Call<'_>) -> Answer {
    let store = store(call)?;
    let args = Arguments::of(call);
    args.required("chat_id")?;
    args.required("title")?;
    let (id, title) = (args.raw("chat_id"), title::tidy(args.raw("title")));
    store.rename(id, &title).map_err(|e| args.outside(e))?;
    Ok(data(json!({"chat_id": id, "title": title, "renamed": true})))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;
    use crate::services::memory::MemoryChats;

    pub(super) fn chats() -> (Arc<MemoryChats>, Context) {
        let chats = Arc::new(MemoryChats::default());
        let mut context = Context::bare("/", Environment::empty());
        context.services.chats = Some(chats.clone());
        (chats, context)
    }

    pub(super) fn ask(context: &Context, verb: &str, with: Json) -> Answer {
        crate::builtins().invoke(&format!("host.chat.{verb}"), data(with), context)
    }

    #[test]
    fn a_transcript_shows_the_last_turns() {
        let (chats, context) = chats();
        let id = chats.create("a", "r", "", "T").unwrap().id;
        for n in 0..3 {
            chats.append(&id, "user", &format!("q{n}")).unwrap();
            chats.append(&id, "tool", "t").unwrap();
            chats.append(&id, "assistant", &format!("a{n}")).unwrap();
        }
        let with = json!({"chat_id": id, "max_turns": 1});
        let answer = ask(&context, "transcript", with).unwrap();
        assert_eq!(answer["rendered"], "**You:** q2\n\n**Tool:** t\n\n**Assistant:** a2");
        assert_eq!(answer["latest_seq"], 8);
        let answer = ask(&context, "transcript", json!({"chat_id": id, "since_seq": 8})).unwrap();
        assert_eq!(answer["messages"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn an_archived_chat_is_not_found_again() {
        let (_, context) = chats();
        let with = json!({"app": "a", "room": "desk"});
        let first = ask(&context, "resolve", with.clone()).unwrap();
        assert_eq!((&first["title"], &first["is_new"]), (&json!("desk chat"), &json!(true)));
        ask(&context, "archive", json!({"chat_id": first["chat_id"]})).unwrap();
        assert_eq!(ask(&context, "resolve", with).unwrap()["is_new"], true);
    }

    #[test]
    fn a_fork_keeps_the_messages() {
        let (chats, context) = chats();
        let id = chats.create("a", "r", "s", "T").unwrap().id;
        chats.append(&id, "user", "q").unwrap();
        let answer = ask(&context, "fork", json!({"chat_id": id})).unwrap();
        assert_eq!(answer["title"], "T (fork)");
        assert_eq!(chats.messages(answer["chat_id"].as_str().unwrap(), 0).unwrap().len(), 1);
    }
}
