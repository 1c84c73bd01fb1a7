//! `host.local_github.ticket`: files of this machine and issues of one repository as one pile of tickets.

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, Data, Failure, Kind, data};

/// The two piles.
const LOCAL: &str = "host.local_files.ticket";
const GITHUB: &str = "host.gh.ticket";

/// Answers a call.
pub(in super::super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let op = args.operation()?;
    let pass = |to: &str| call.registry.invoke_from(call, to, call.args.clone());
    match op {
        "search" | "list_mine" => list(call, &args),
        "get" => match args.text("source").to_lowercase().as_str() {
            "github" => pass(GITHUB),
            "local" => pass(LOCAL),
            _ => match pass(LOCAL) {
                Err(failure) if failure.message.contains("not found") && is_remote(&args) => pass(GITHUB),
                other => other,
            },
        },
        "comment" | "transition" | "assign" | "unassign" => pass(if is_remote(&args) { GITHUB } else { LOCAL }),
        "create" | "comment_edit" | "comment_reactions" => pass(GITHUB),
        other => args.unknown_operation(other),
    }
}

/// Whether a ticket is GitHub's: its source, its repository or its address say so.
fn is_remote(args: &Arguments<'_>) -> bool {
    args.text("source").eq_ignore_ascii_case("github")
        || args.telling("repo").is_some()
        || ["thread", "id"]
            .iter()
            .any(|key| args.text(key).contains("github.com/"))
}

fn list(call: &Call<'_>, args: &Arguments<'_>) -> Answer {
    let mut errors = Vec::new();
    let mut local = ask(call, LOCAL, "local", &mut errors);
    let mut github = Vec::new();
    if args.telling("repo").is_some() {
        github = ask(call, GITHUB, "github", &mut errors);
        // An issue that was a file once says which one.
        let moved: Vec<Json> = github.iter().filter_map(|t| t.get("legacy_id")).cloned().collect();
        local.retain(|t| t.get("id").is_none_or(|id| !moved.contains(id)));
    }
    if local.is_empty() && github.is_empty() && !errors.is_empty() {
        return Err(Failure::domain(Kind::Outside, errors.join("; ")));
    }
    let (locals, githubs) = (local.len(), github.len());
    let tickets: Vec<Data> = local.into_iter().chain(github).collect();
    let errors = if errors.is_empty() { Json::Null } else { json!(errors) };
    Ok(data(json!({
        "tickets": tickets,
        "local_count": locals,
        "github_count": githubs,
        "ticket_local_count": locals,
        "ticket_github_count": githubs,
        "provider_errors": errors,
        "ticket_source_counts": {"local": locals, "github": githubs},
    })))
}

fn ask(call: &Call<'_>, provider: &str, name: &str, errors: &mut Vec<String>) -> Vec<Data> {
    let answered = match call.registry.invoke_from(call, provider, call.args.clone()) {
        Ok(answered) => answered,
        Err(failure) => {
            errors.push(format!("{name}: {failure}"));
            return Vec::new();
        }
    };
    let list = |key: &str| answered.get(key).and_then(Json::as_array).into_iter().flatten();
    errors.extend(list("provider_errors").map(|e| format!("{name}: {}", crate::value::argument(e))));
    list("tickets").filter_map(Json::as_object).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::Replies;
    use super::*;

    #[test]
    fn without_a_repository_only_files_are_searched() {
        let replies = Replies::new([]);
        let answer = replies
            .ask("host.local_github.ticket", json!({"op": "search"}))
            .unwrap();
        assert_eq!(
            (&answer["github_count"], &answer["provider_errors"]),
            (&json!(0), &Json::Null)
        );
    }

    #[test]
    fn a_failing_half_is_told() {
        let replies = Replies::new([]);
        let failure = replies
            .ask("host.local_github.ticket", json!({"op": "search", "repo": "o/r"}))
            .unwrap_err();
        assert_eq!(failure.message, "github: ticket.search: no more answers");
    }
}
