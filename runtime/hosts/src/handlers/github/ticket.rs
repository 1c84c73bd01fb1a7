//! `host.gh.ticket`: issues of a GitHub repository as tickets (`hosts` 8.2).

use serde_json::{Value as Json, json};

use super::{Api, checked, number, of_folder, text};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, data};

/// Answers a call.
pub(in super::super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let op = args.operation()?;
    let named = format!("ticket.{}", if op == "unassign" { "assign" } else { op });
    let args = args.named(&named);
    match op {
        "create" => create(call, &args),
        "search" => search(call, &args),
        "list_mine" => list_mine(call, &args),
        "get" => get(call, &args),
        "comment" => comment(call, &args),
        "comment_edit" => comment_edit(call, &args),
        "comment_reactions" => comment_reactions(call, &args),
        "transition" => transition(call, &args),
        "assign" => assign(call, &args, true),
        "unassign" => assign(call, &args, false),
        other => Arguments::of(call).unknown_operation(other),
    }
}

/// The repository of a call: of the id, of the argument (which may name a remote), of the folder's origin.
fn repository(call: &Call<'_>, args: &Arguments<'_>, in_id: &str) -> Result<String, Box<Failure>> {
    let named = if in_id.is_empty() { args.text("repo") } else { in_id };
    if named.contains('/') {
        return checked(named, args);
    }
    let folder = ["root", "workdir"]
        .map(|key| args.text(key))
        .into_iter()
        .find(|f| !f.is_empty());
    let folder = folder.or_else(|| call.context.environment.telling("KITSOKI_TICKETS_ROOT"));
    let found = match (named, folder) {
        ("", None) => None,
        ("", Some(folder)) => of_folder(call, folder, "origin").ok().flatten(),
        (remote, folder) => of_folder(call, folder.unwrap_or("."), remote).ok().flatten(),
    };
    found.ok_or_else(|| args.wrong("repo argument is required: owner/name, a remote, or a folder with a GitHub origin"))
}

/// The repository and the number of an issue's id: `12`, `#12`, `o/r#12`, or its address.
fn split(id: &str) -> (&str, &str) {
    if let Some(rest) = id.split_once("github.com/").map(|(_, rest)| rest)
        && let Some((repo, rest)) = rest.split_once("/issues/")
    {
        return (repo, rest.split(['/', '#', '?']).next().unwrap_or_default());
    }
    match id.rsplit_once('#') {
        Some((repo, number)) => (repo.trim_end_matches('/'), number),
        None => ("", id),
    }
}

/// The path of the issue that the argument `id` names, and its repository.
fn issue(call: &Call<'_>, args: &Arguments<'_>) -> Result<(String, String), Box<Failure>> {
    let (in_id, num) = split(args.required("id")?);
    let repo = repository(call, args, in_id)?;
    let num = number(num, args)?;
    Ok((format!("repos/{repo}/issues/{num}"), repo))
}

/// The repository and the number of a comment: its address, the interface's address, or a number.
fn split_comment(id: &str) -> (&str, &str) {
    if let Some((before, num)) = id.split_once("#issuecomment-") {
        return (split(before).0, num);
    }
    if let Some((repo, num)) = id
        .split_once("/repos/")
        .and_then(|(_, r)| r.split_once("/issues/comments/"))
    {
        return (repo, num);
    }
    ("", id.rsplit('/').next().unwrap_or(id))
}

fn issue_comment(call: &Call<'_>, args: &Arguments<'_>) -> Result<(String, String), Box<Failure>> {
    let (in_id, num) = split_comment(args.required("comment_id")?);
    let repo = repository(call, args, in_id)?;
    let num = number(num, args)?;
    Ok((format!("repos/{repo}/issues/comments/{num}"), repo))
}

/// Puts the names of the source into an answer.
fn signed(mut data: Data, repo: &str) -> Data {
    for (key, value) in [
        ("source", "github"),
        ("source_id", "github"),
        ("source_label", repo),
        ("source_kind", "github"),
        ("source_mode", "remote"),
        ("source_repo", repo),
        ("ticket_repo", repo),
        ("repo", repo),
    ] {
        data.insert(key.to_owned(), Json::from(value));
    }
    data
}

fn summary(issue: &Json, repo: &str) -> Data {
    let num = issue.get("number").map(crate::value::argument).unwrap_or_default();
    let assignee = issue
        .pointer("/assignees/0/login")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let mut out = data(json!({
        "id": num,
        "title": text(issue, "title"),
        "status": text(issue, "state").to_lowercase(),
        "priority": "",
        "assignee": assignee,
        "url": text(issue, "html_url"),
        "type": kind(issue),
        "ref": format!("github:{repo}#{num}"),
    }));
    if let Some(id) = metadata(text(issue, "body")).get("legacy_id") {
        out.insert("legacy_id".to_owned(), id.clone());
    }
    signed(out, repo)
}

/// What an issue is: its labels say it, else its title.
fn kind(issue: &Json) -> &'static str {
    let labels = issue.get("labels").and_then(Json::as_array).into_iter().flatten();
    for label in labels.map(|l| l.as_str().unwrap_or_else(|| text(l, "name")).trim().to_lowercase()) {
        match label.trim_start_matches("kind:").trim_start_matches("type:") {
            "bug" => return "bug",
            "feature" | "enhancement" => return "feature",
            "epic" => return "epic",
            _ => {}
        }
    }
    let title = text(issue, "title").to_lowercase();
    if title.starts_with("epic:") || title.contains("[epic]") {
        "epic"
    } else if title.starts_with("feature:") || title.contains("[feature]") {
        "feature"
    } else {
        "bug"
    }
}

/// The block of keys that kitsoki leaves in the text of an issue.
fn metadata(body: &str) -> Data {
    let block = body
        .split_once("```kitsoki")
        .and_then(|(_, rest)| rest.split_once("```"));
    let lines = block.map(|(block, _)| block).unwrap_or_default().lines();
    lines
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.trim().to_owned(), Json::from(value.trim())))
        .filter(|(key, value)| !key.is_empty() && value != "")
        .collect()
}

/// A text as part of a query.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

fn found(call: &Call<'_>, args: &Arguments<'_>, repo: &str, query: &str, limit: i64) -> Answer {
    let query = escaped(format!("repo:{repo} is:issue {query}").trim());
    let path = format!("search/issues?q={query}&sort=created&order=desc&per_page={limit}");
    let answered = Api { call, args }.get(path)?;
    let mut issues: Vec<&Json> = answered
        .get("items")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .collect();
    issues.sort_by_key(|i| std::cmp::Reverse(i.get("number").and_then(Json::as_i64)));
    let tickets: Vec<Data> = issues.into_iter().map(|i| summary(i, repo)).collect();
    Ok(signed(data(json!({ "tickets": tickets })), repo))
}

fn search(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let repo = repository(call, args, "")?;
    let limit = args.integer("limit").filter(|n| (1..=100).contains(n)).unwrap_or(30);
    found(call, args, &repo, args.text("query"), limit)
}

fn list_mine(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let repo = repository(call, args, "")?;
    let who = args.telling("filter").unwrap_or("@me");
    found(call, args, &repo, &format!("is:open assignee:{who}"), 100)
}

fn get(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let (path, repo) = issue(call, args)?;
    let api = Api { call, args };
    let answered = api.get(path.clone())?;
    let mut out = summary(&answered, &repo);
    let body = text(&answered, "body");
    out.insert("body".to_owned(), Json::from(body));
    let meta = metadata(body);
    if !meta.is_empty() {
        out.insert("kitsoki_meta".to_owned(), Json::Object(meta));
    }
    out.insert("comments".to_owned(), api.get(format!("{path}/comments?per_page=100"))?);
    Ok(out)
}

fn comment(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    args.required("id")?;
    args.required("body")?;
    let (path, repo) = issue(call, args)?;
    let body = json!({ "body": args.raw("body") });
    let answered = Api { call, args }.post(format!("{path}/comments"), body)?;
    let url = text(&answered, "html_url");
    Ok(signed(data(json!({"ok": true, "comment_id": url, "url": url})), &repo))
}

fn comment_edit(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let (path, repo) = issue_comment(call, args)?;
    args.required("body")?;
    let answered = Api { call, args }.patch(path, json!({ "body": args.raw("body") }))?;
    let url = match text(&answered, "html_url") {
        "" => args.text("comment_id"),
        url => url,
    };
    Ok(signed(data(json!({"ok": true, "comment_id": url, "url": url})), &repo))
}

fn comment_reactions(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let (path, repo) = issue_comment(call, args)?;
    let answered = Api { call, args }.get(format!("{path}/reactions"))?;
    let has = |word: &str| {
        answered
            .as_array()
            .into_iter()
            .flatten()
            .any(|r| text(r, "content") == word)
    };
    let (down, up) = (has("-1"), has("+1"));
    let out = json!({"ok": true, "reactions": answered, "has_thumbsdown": down, "has_thumbsup": up});
    Ok(signed(data(out), &repo))
}

fn transition(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    args.required("id")?;
    let to = args.required("to")?;
    let (path, repo) = issue(call, args)?;
    let state = match to.to_lowercase().as_str() {
        "closed" | "close" | "resolved" | "done" | "wontfix" | "fixed" => "closed",
        _ => "open",
    };
    Api { call, args }.patch(path, json!({ "state": state }))?;
    Ok(signed(data(json!({"ok": true, "status": state})), &repo))
}

fn assign(call: &Call<'_>, args: &Arguments<'_>, someone: bool) -> Answer {
    args.required("id")?;
    let assignee = if someone { args.required("assignee")? } else { "" };
    if assignee.to_lowercase().starts_with("agent:") {
        return Err(args.wrong("an agent exists only while a session runs, so no ticket can be assigned to it"));
    }
    let (path, repo) = issue(call, args)?;
    let assignees: Vec<&str> = if someone { vec![assignee] } else { Vec::new() };
    Api { call, args }.patch(path, json!({ "assignees": assignees }))?;
    Ok(signed(data(json!({"ok": true, "assignee": assignee})), &repo))
}

/// The keys that an issue's text keeps in its block.
const METADATA: [&str; 4] = ["trace_ref", "kitsoki_rev", "filed_by", "legacy_id"];

fn create(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let title = args.required("title")?;
    let repo = repository(call, args, "")?;
    let mut body = args.raw("body").trim_end_matches('\n').to_owned();
    let one_line = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = METADATA
        .iter()
        .filter_map(|k| args.telling(k).map(|v| format!("{k}: {}", one_line(v))));
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        body = format!("{body}\n\n```kitsoki\n{}\n```\n", told.join("\n"))
            .trim_start()
            .to_owned();
    }
    let mut issue = data(json!({"title": title, "body": body}));
    if let Some(assignee) = args.telling("assignee") {
        issue.insert("assignees".to_owned(), json!([assignee]));
    }
    let labels = labels(args);
    if !labels.is_empty() {
        issue.insert("labels".to_owned(), json!(labels));
    }
    let api = Api { call, args };
    let path = format!("repos/{repo}/issues");
    let mut warning = None;
    let created = match api.post(path.clone(), Json::Object(issue.clone())) {
        // Whoever may open an issue need not be allowed to label it.
        Err(failure) if !labels.is_empty() && failure.message.to_lowercase().contains("label") => {
            issue.remove("labels");
            warning = Some("the issue was filed without its labels: GitHub refused them");
            api.post(path, Json::Object(issue))?
        }
        other => other?,
    };
    let num = created.get("number").map(crate::value::argument).unwrap_or_default();
    let url = match text(&created, "html_url") {
        "" => format!("https://github.com/{repo}/issues/{num}"),
        url => url.to_owned(),
    };
    let mut out =
        data(json!({"ok": true, "id": num, "number": num, "url": url, "ref": format!("github:{repo}#{num}")}));
    if let Some(warning) = warning {
        out.insert("warning".to_owned(), json!(warning));
    }
    Ok(signed(out, &repo))
}

fn labels(args: &Arguments<'_>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let given = args.texts("labels").into_iter().map(|l| l.trim().to_owned());
    let severity = args.telling("severity").map(str::to_uppercase);
    let component = args.telling("component").map(|c| format!("comp:{c}"));
    let target = args.telling("target").map(|t| format!("target:{t}"));
    let state = Some("in_progress".to_owned()).filter(|s| args.text("status").eq_ignore_ascii_case(s));
    for label in given.chain(severity).chain(component).chain(target).chain(state) {
        if !label.is_empty() && !out.contains(&label) {
            out.push(label);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::Replies;
    use super::*;

    #[test]
    fn an_id_names_its_repository() {
        assert_eq!(split("o/r#12"), ("o/r", "12"));
        assert_eq!(split("https://github.com/o/r/issues/12#issuecomment-3"), ("o/r", "12"));
        assert_eq!(split("12"), ("", "12"));
        assert_eq!(
            split_comment("https://github.com/o/r/issues/12#issuecomment-3"),
            ("o/r", "3")
        );
        assert_eq!(split_comment("https://x/repos/o/r/issues/comments/3"), ("o/r", "3"));
    }

    #[test]
    fn a_search_gives_tickets_newest_first() {
        let replies = Replies::new([(
            200,
            json!({"items": [
                {"number": 1, "title": "Epic: x", "state": "OPEN", "html_url": "u1", "body": "```kitsoki\nlegacy_id: B1\n```"},
                {"number": 2, "title": "y", "state": "open", "labels": [{"name": "enhancement"}]},
            ]}),
        )]);
        let answer = replies
            .ask("host.gh.ticket", json!({"op": "search", "repo": "o/r", "query": "a&b"}))
            .unwrap();
        let tickets = answer["tickets"].as_array().unwrap();
        assert_eq!(
            (&tickets[0]["id"], &tickets[0]["type"]),
            (&json!("2"), &json!("feature"))
        );
        assert_eq!(
            (&tickets[1]["legacy_id"], &tickets[1]["type"]),
            (&json!("B1"), &json!("epic"))
        );
        assert!(replies.asked()[0].starts_with("GET search/issues?q=repo%3Ao%2Fr+is%3Aissue+a%26b&"));
    }

    #[test]
    fn labels_that_are_refused_do_not_lose_the_issue() {
        let replies = Replies::new([
            (422, json!({"message": "Label does not exist"})),
            (201, json!({"number": 7})),
        ]);
        let with = json!({"op": "create", "repo": "o/r", "title": "T", "severity": "p1", "filed_by": "me\nx"});
        let answer = replies.ask("host.gh.ticket", with).unwrap();
        assert_eq!(answer["ref"], "github:o/r#7");
        assert!(answer.contains_key("warning"));
        assert!(replies.asked()[1].contains("filed_by: me x"), "{:?}", replies.asked());
    }

    #[test]
    fn an_id_cannot_reach_other_parts_of_the_interface() {
        let replies = Replies::new([]);
        for with in [
            json!({"op": "get", "repo": "o/r", "id": "1/../../x"}),
            json!({"op": "get", "repo": "o/../r", "id": "1"}),
            json!({"op": "get", "repo": "o/..", "id": "1"}),
        ] {
            assert!(replies.ask("host.gh.ticket", with).is_err());
        }
        assert!(replies.asked().is_empty());
    }
}
