//! The operations of `host.git` that talk to GitHub: pull requests.

use serde_json::{Value as Json, json};

use super::checks::Checks;
use super::{Api, checked, number, of_folder, text};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Failure, Kind, data};
use crate::handlers::git::Git;
use crate::plain::quoted;

/// The repository of the argument, else of the folder's remote.
fn repository(call: &Call<'_>, args: &Arguments<'_>) -> Result<String, Box<Failure>> {
    if let Some(repo) = args.telling("repo") {
        return checked(repo, args);
    }
    let remote = args.telling("remote").unwrap_or("origin");
    match of_folder(call, args.text("workdir"), remote) {
        Ok(Some(repo)) => Ok(repo),
        Ok(None) => Err(args.wrong(format!(
            "repo argument is required: remote {} is no GitHub repository",
            quoted(remote)
        ))),
        Err(why) => Err(args.wrong(format!(
            "repo argument is required, and the remote cannot be asked: {why}"
        ))),
    }
}

/// The repository and the number that `pr_id` means: a number, or the address of a pull request.
fn pull(call: &Call<'_>, args: &Arguments<'_>) -> Result<(String, String), Box<Failure>> {
    let id = args.required("pr_id")?;
    let rest = id.split_once("github.com/").map(|(_, rest)| rest);
    let (of_address, num) = match rest.and_then(|r| r.split_once("/pull/")) {
        Some((repo, rest)) => (repo, rest.split(['/', '#', '?']).next().unwrap_or_default()),
        None => ("", id),
    };
    let num = number(num, args)?.to_owned();
    let repo = match (args.telling("repo"), of_address) {
        (None, repo) if !repo.is_empty() => checked(repo, args)?,
        _ => repository(call, args)?,
    };
    Ok((repo, num))
}

/// Publishes the current branch and opens a pull request for it.
pub(in super::super) fn open(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let title = args.required("title")?;
    let git = Git::new(call, args.text("workdir"));
    let remote = args.telling("remote").unwrap_or("origin");
    git.push(args, remote)?;
    let repo = repository(call, args)?;
    let head = match args.telling("head") {
        Some(head) => head.to_owned(),
        None => git.line(&["rev-parse", "--abbrev-ref", "HEAD"]).unwrap_or_default(),
    };
    if head.is_empty() || head == "HEAD" {
        return Err(args.wrong("no branch is checked out; name one with `head`"));
    }
    let api = Api { call, args };
    let base = match args.telling("base") {
        Some(base) => base.to_owned(),
        None => match text(&api.get(format!("repos/{repo}"))?, "default_branch") {
            "" => "main".to_owned(),
            base => base.to_owned(),
        },
    };
    let mut body = data(json!({"title": title, "body": args.raw("body"), "head": head, "base": base}));
    if args.yes("draft") {
        body.insert("draft".to_owned(), json!(true));
    }
    let opened = api.post(format!("repos/{repo}/pulls"), Json::Object(body))?;
    let num = opened.get("number").map(crate::value::argument).unwrap_or_default();
    let url = text(&opened, "html_url");
    Ok(data(
        json!({"ok": true, "outcome": "opened", "url": url, "pr_id": num, "repo": repo}),
    ))
}

/// What a pull request's checks and comments say.
pub(in super::super) fn status(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let (repo, num) = pull(call, args)?;
    let api = Api { call, args };
    let pull = api.get(format!("repos/{repo}/pulls/{num}"))?;
    let raw = api.get(format!("repos/{repo}/issues/{num}/comments?per_page=100"))?;
    let commit = pull.pointer("/head/sha").and_then(Json::as_str).unwrap_or_default();
    let mut checks = Checks::of(api, &repo, commit)?;
    let merged = pull.get("merged").and_then(Json::as_bool).unwrap_or(false);
    let state = text(&pull, "state").trim().to_lowercase();
    if state == "closed" && merged && checks.state == "pending" && checks.failed.is_empty() {
        // A merged pull request without checks waits for nothing.
        checks.state = "success";
    }
    let comments: Vec<Json> = raw
        .as_array()
        .into_iter()
        .flatten()
        .map(|c| {
            let url = [text(c, "html_url"), text(c, "url")]
                .into_iter()
                .find(|u| !u.is_empty());
            json!({
                "id": c.get("id"),
                "body": text(c, "body"),
                "author": c.pointer("/user/login").and_then(Json::as_str).unwrap_or_default(),
                "url": url.unwrap_or_default(),
            })
        })
        .collect();
    let (summary, failed) = checks.told();
    Ok(data(json!({
        "state": checks.state,
        "pr_state": state,
        "merged": merged,
        "url": text(&pull, "html_url"),
        "head_sha": commit,
        "checks": checks.failed,
        "checks_summary": summary,
        "failed_log": failed,
        "comments": comments,
        "raw_comments": raw,
    })))
}

/// Comments a pull request, or reviews it.
pub(in super::super) fn comment(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    if args.telling("pr_id").is_none() || args.telling("body").is_none() {
        return Err(args.wrong("pr_id and body are required"));
    }
    let (repo, num) = pull(call, args)?;
    let review = match (args.yes("request_changes"), args.yes("approve")) {
        (true, _) => Some("REQUEST_CHANGES"),
        (false, true) => Some("APPROVE"),
        (false, false) => None,
    };
    let api = Api { call, args };
    let body = args.raw("body");
    let answered = match review {
        Some(event) => api.post(
            format!("repos/{repo}/pulls/{num}/reviews"),
            json!({"body": body, "event": event}),
        )?,
        None => api.post(format!("repos/{repo}/issues/{num}/comments"), json!({ "body": body }))?,
    };
    let url = match text(&answered, "html_url") {
        "" => text(&answered, "url"),
        url => url,
    };
    Ok(data(json!({"ok": true, "url": url, "comment_id": url})))
}

/// Rebasing needs a fetch and a push with the session's token, which no program is given here.
pub(in super::super) fn rebase(args: &Arguments<'_>) -> Answer {
    if args.telling("repo").is_none() || args.telling("pr_id").is_none() {
        return Err(args.wrong("repo and pr_id are required"));
    }
    let text = format!("{}: not available in this version of kitsoki", args.handler());
    Err(Failure::domain(Kind::NotImplemented, text))
}

/// One group of commits that becomes a pull request.
#[derive(serde::Deserialize, Default)]
#[serde(default)]
struct Bucket {
    concern: String,
    title: String,
    body: String,
    shas: Vec<String>,
}

#[derive(serde::Deserialize, Default)]
#[serde(default)]
struct Plan {
    buckets: Vec<Bucket>,
}

/// Makes one branch and one pull request of each group of commits.
pub(in super::super) fn split(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let told = |items: Vec<Json>| data(json!({"ok": true, "opened_prs": {"items": items}}));
    let Some(plan) = args.telling("buckets_json") else {
        return Ok(told(Vec::new()));
    };
    let plan: Plan = serde_json::from_str(plan).map_err(|e| args.wrong(format!("buckets_json: {e}")))?;
    let source = args.required("source_branch")?;
    let base = args.telling("integration_branch").unwrap_or("main");
    let mut items = Vec::new();
    for bucket in &plan.buckets {
        let concern = bucket.concern.trim();
        let branch = format!("{source}-split-{}", slug(concern));
        let url = if args.yes("dry_run") {
            String::new()
        } else {
            open_bucket(call, args, bucket, &branch, base)?
        };
        items.push(json!({"concern": concern, "branch": branch, "url": url, "commits": bucket.shas.len()}));
    }
    Ok(told(items))
}

/// Picks the commits in a tree of their own and opens the pull request. Gives back its address.
fn open_bucket(
    call: &Call<'_>,
    args: &Arguments<'_>,
    bucket: &Bucket,
    branch: &str,
    base: &str,
) -> Result<String, Box<Failure>> {
    let concern = quoted(bucket.concern.trim());
    if bucket.title.trim().is_empty() {
        return Err(args.wrong(format!("bucket {concern} title is required")));
    }
    let hash = |s: &String| !s.is_empty() && s.chars().all(|c| c.is_ascii_hexdigit());
    if bucket.shas.is_empty() || !bucket.shas.iter().all(hash) {
        return Err(args.wrong(format!("bucket {concern} has no commits, or one that is no hash")));
    }
    if base.starts_with('-') || branch.starts_with('-') {
        return Err(args.wrong("a branch's name does not begin with `-`"));
    }
    let folder = tempfile::tempdir().map_err(|e| args.outside(format!("temporary folder: {e}")))?;
    let tree = folder.path().join("tree").to_string_lossy().into_owned();
    let git = Git::new(call, args.text("workdir"));
    git.must(args, &["worktree", "add", "-q", "--detach", &tree, base])?;
    let opened = (|| {
        let inside = Git::new(call, &tree);
        inside.must(args, &["switch", "-q", "-c", branch])?;
        let mut pick = vec!["cherry-pick"];
        pick.extend(bucket.shas.iter().map(String::as_str));
        inside.must(args, &pick)?;
        let with = data(json!({
            "workdir": tree,
            "title": bucket.title,
            "body": bucket.body,
            "base": base,
            "head": branch,
            "remote": args.text("remote"),
            "repo": args.text("repo"),
        }));
        let nested = Call { args: &with, ..*call };
        open(&nested, &Arguments::of(&nested).named(args.handler()))
    })();
    // The tree is ours alone; what remains of it after a failure only takes space.
    let _ = git.run(&["worktree", "remove", "--force", &tree]);
    opened.map(|answer| answer.get("url").and_then(Json::as_str).unwrap_or_default().to_owned())
}

/// A concern as part of a branch's name.
fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            '-' | '_' | ' ' | '/' if !out.is_empty() && !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    out.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::Replies;
    use super::*;

    #[test]
    fn a_status_joins_checks_and_comments() {
        let replies = Replies::new([
            (
                200,
                json!({"state": "closed", "merged": true, "html_url": "u", "head": {"sha": "abc"}}),
            ),
            (200, json!([{"id": 1, "body": "b", "user": {"login": "ada"}}])),
            (200, json!({"state": "pending"})),
            (200, json!({"check_runs": []})),
        ]);
        let with = json!({"op": "pr_status", "pr_id": "https://github.com/o/r/pull/5/files"});
        let answer = replies.ask("host.git", with).unwrap();
        assert_eq!(
            (&answer["state"], &answer["pr_state"]),
            (&json!("success"), &json!("closed"))
        );
        assert_eq!(answer["comments"][0]["author"], "ada");
        assert_eq!(replies.asked()[0], "GET repos/o/r/pulls/5");
    }

    #[test]
    fn a_review_is_not_a_comment() {
        let replies = Replies::new([(200, json!({"html_url": "u"}))]);
        let with = json!({"op": "pr_comment", "repo": "o/r", "pr_id": "5", "body": "no", "request_changes": true});
        assert_eq!(replies.ask("host.git", with).unwrap()["url"], "u");
        assert!(replies.asked()[0].starts_with("POST repos/o/r/pulls/5/reviews"));
    }

    #[test]
    fn a_dry_split_only_names_branches() {
        let replies = Replies::new([]);
        let with = json!({
            "op": "split_prs",
            "dry_run": true,
            "source_branch": "work",
            "buckets_json": "{\"buckets\": [{\"concern\": \"User Interface/2\", \"shas\": [\"a1\"]}]}",
        });
        let answer = replies.ask("host.git", with).unwrap();
        assert_eq!(
            answer["opened_prs"]["items"][0]["branch"],
            "work-split-user-interface-2"
        );
    }

    #[test]
    fn without_a_connection_it_says_so() {
        let context = crate::Context::bare("/", crate::Environment::empty());
        let with = data(json!({"op": "pr_status", "repo": "o/r", "pr_id": "5"}));
        let failure = crate::builtins().invoke("host.git", with, &context).unwrap_err();
        assert_eq!(failure.kind, Kind::NotConfigured);
    }
}
