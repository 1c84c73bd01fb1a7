//! `host.ticket_federation`: several ticket sources as one. Searches go to all of them, everything else to exactly one.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::sources::{self, Source};
use crate::arguments::Arguments;
use crate::call::{Answer, Call, Class, Data, data};
use crate::plain::quoted;

/// Answers a call.
pub(in super::super) fn call(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let op = args.operation()?;
    let sources = sources::parse(args.get("sources")).map_err(|e| args.wrong(e))?;
    for source in &sources {
        // Only what the program marked may be called: a story's world must not turn any handler into a source.
        if source.provider == call.handler || !call.registry.is_ticket_provider(&source.provider) {
            let (id, provider) = (quoted(&source.id), quoted(&source.provider));
            return Err(args.wrong(format!("source {id}: {provider} is no ticket provider")));
        }
    }
    match op {
        "search" | "list_mine" => Ok(fan_out(call, &sources, op)),
        "get" | "create" | "comment" | "comment_edit" | "comment_reactions" | "transition" | "assign" | "unassign" => {
            route(call, &args, &sources, op)
        }
        other => args.unknown_operation(other),
    }
}

fn route(call: &Call<'_>, args: &Arguments<'_>, sources: &[Source], op: &str) -> Answer {
    let (source, id) = sources::select(sources, call.args).map_err(|e| args.wrong(e))?;
    let mut asked = source.arguments(call.args, op);
    if !id.is_empty() {
        asked.insert("id".to_owned(), Json::from(id.as_str()));
    }
    let sign = |mut answered: Data| {
        let repo = source.repo(&asked, &answered);
        if !answered.contains_key("id") && !id.is_empty() {
            answered.insert("id".to_owned(), Json::from(id.as_str()));
        }
        source.sign(&mut answered, &repo);
        (answered, repo)
    };
    match call.registry.invoke_from(call, &source.provider, asked.clone()) {
        Ok(answered) => Ok(sign(answered).0),
        Err(failure) if failure.class == Class::Infra => Err(failure),
        Err(mut failure) => {
            let (answered, repo) = sign(failure.data.take().unwrap_or_default());
            failure.message = format!("{}: {}", source.called(&repo), failure.message);
            Err(failure.with(answered))
        }
    }
}

/// What one source answered to a search.
struct Found<'a> {
    source: &'a Source,
    tickets: Vec<Data>,
    repo: String,
    error: Option<String>,
    warnings: Vec<String>,
}

fn ask<'a>(call: &Call<'_>, source: &'a Source, op: &str) -> Found<'a> {
    let asked = source.arguments(call.args, op);
    let (answered, error) = match call.registry.invoke_from(call, &source.provider, asked.clone()) {
        Ok(answered) => (answered, None),
        Err(failure) => (failure.data.unwrap_or_default(), Some(failure.message)),
    };
    let repo = source.repo(&asked, &answered);
    let rows = answered.get("tickets").and_then(Json::as_array).into_iter().flatten();
    let mut tickets: Vec<Data> = rows.filter_map(Json::as_object).cloned().collect();
    for ticket in &mut tickets {
        source.sign(ticket, &repo);
    }
    let warnings = match answered.get("provider_errors") {
        Some(Json::Array(items)) => items.iter().map(crate::value::argument).collect(),
        Some(Json::String(one)) => vec![one.clone()],
        _ => Vec::new(),
    };
    Found {
        source,
        tickets,
        repo,
        error,
        warnings: warnings.into_iter().filter(|w| !w.trim().is_empty()).collect(),
    }
}

fn fan_out(call: &Call<'_>, sources: &[Source], op: &str) -> Data {
    let mut found: Vec<Found<'_>> = std::thread::scope(|scope| {
        let asked: Vec<_> = sources.iter().map(|s| scope.spawn(move || ask(call, s, op))).collect();
        // The registry contains faults of handlers, so a thread always ends well.
        asked.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    drop_moved(&mut found);
    let mut index = 0;
    for ticket in found.iter_mut().flat_map(|f| &mut f.tickets) {
        index += 1;
        ticket.insert("index".to_owned(), Json::from(index));
    }
    let mut errors = Vec::new();
    let mut groups = Vec::new();
    for f in &found {
        let label = f.source.called(&f.repo);
        let mut group = data(json!({
            "id": f.source.id,
            "label": label,
            "kind": f.source.kind,
            "mode": f.source.mode,
            "repo": f.repo,
            "count": f.tickets.len(),
            "tickets": f.tickets,
        }));
        if let Some(error) = &f.error {
            group.insert("error".to_owned(), json!(error));
            errors.push(format!("{label}: {error}"));
        }
        if !f.warnings.is_empty() {
            group.insert("warnings".to_owned(), json!(f.warnings));
            errors.extend(f.warnings.iter().map(|w| format!("{label}: {w}")));
        }
        groups.push(Json::Object(group));
    }
    let count = |fits: &dyn Fn(&Source) -> bool| -> usize {
        found.iter().filter(|f| fits(f.source)).map(|f| f.tickets.len()).sum()
    };
    let local = count(&|s| s.mode == "local");
    let github = count(&|s| s.kind == "github");
    let counts: Data = found
        .iter()
        .map(|f| (f.source.id.clone(), json!(f.tickets.len())))
        .collect();
    let tickets: Vec<&Data> = found.iter().flat_map(|f| &f.tickets).collect();
    data(json!({
        "tickets": tickets,
        "source_groups": groups,
        "source_counts": counts,
        "provider_errors": errors,
        "local_count": local,
        "github_count": github,
        "ticket_local_count": local,
        "ticket_github_count": github,
        "ticket_source_counts": counts,
    }))
}

/// Takes away local tickets that have moved to a remote source: those say where they came from.
fn drop_moved(found: &mut [Found<'_>]) {
    let locals: Vec<&str> = found
        .iter()
        .filter(|f| f.source.mode == "local")
        .map(|f| f.source.id.as_str())
        .collect();
    let mut moved: BTreeSet<(String, String)> = BTreeSet::new();
    for ticket in found
        .iter()
        .filter(|f| f.source.mode != "local")
        .flat_map(|f| &f.tickets)
    {
        let text = |key: &str| ticket.get(key).and_then(Json::as_str).unwrap_or_default().trim();
        let reference = text("legacy_ref")
            .split_once(':')
            .filter(|(source, _)| locals.contains(source));
        let at = match (reference, text("legacy_source"), text("legacy_id"), locals.as_slice()) {
            (Some(at), ..) => Some(at),
            (None, _, "", _) => None,
            (None, "", id, [only]) => Some((*only, id)),
            (None, "", ..) => None,
            (None, source, id, _) => Some((source, id)),
        };
        if let Some((source, id)) = at {
            moved.insert((source.to_owned(), id.to_owned()));
        }
    }
    for f in found.iter_mut().filter(|f| f.source.mode == "local") {
        let source = f.source.id.clone();
        f.tickets.retain(|ticket| {
            let id = ticket.get("id").and_then(Json::as_str).unwrap_or_default();
            !moved.contains(&(source.clone(), id.trim().to_owned()))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    fn ask(with: Json) -> Answer {
        let mut registry = crate::builtins();
        let remote = |_: &Call<'_>| -> Answer {
            Ok(data(
                json!({"tickets": [{"id": "7", "legacy_id": "B1"}], "provider_errors": ["slow"]}),
            ))
        };
        let local = |_: &Call<'_>| -> Answer { Ok(data(json!({"tickets": [{"id": "B1"}, {"id": "B2"}]}))) };
        registry.replace("host.remote", remote);
        registry.replace("host.near", local);
        registry.mark_ticket_provider("host.remote");
        registry.mark_ticket_provider("host.near");
        let context = Context::bare("/", Environment::empty());
        registry.invoke("host.ticket_federation", data(with), &context)
    }

    #[test]
    fn a_ticket_that_moved_is_listed_once() {
        let answer = ask(json!({"op": "search", "sources": [
            {"id": "near", "provider": "host.near", "kind": "local"},
            {"id": "hub", "provider": "host.remote", "label": "Hub"},
        ]}))
        .unwrap();
        let refs: Vec<&str> = answer["tickets"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| t["ref"].as_str().unwrap())
            .collect();
        assert_eq!(refs, ["near:B2", "hub:7"]);
        assert_eq!(answer["provider_errors"], json!(["Hub: slow"]));
    }

    #[test]
    fn only_marked_handlers_are_sources() {
        for provider in ["host.run", "host.ticket_federation", "host.near.get"] {
            let failure = ask(json!({"op": "search", "sources": [{"id": "x", "provider": provider}]})).unwrap_err();
            assert!(failure.message.contains("is no ticket provider"), "{failure}");
        }
    }
}
