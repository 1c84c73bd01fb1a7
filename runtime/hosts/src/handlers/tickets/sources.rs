//! The sources of a federation: declared in the arguments, chosen by a ticket's reference.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::call::Data;
use crate::plain::quoted;

/// A source of tickets.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) provider: String,
    pub(super) kind: String,
    pub(super) mode: String,
    pub(super) args: Data,
    /// The arguments that say where the source is: the caller cannot change them.
    locators: BTreeSet<String>,
}

/// What a caller says about the operation, never a source.
const LIVE: [&str; 19] = [
    "op",
    "id",
    "body",
    "thread",
    "to",
    "query",
    "limit",
    "filter",
    "comment_id",
    "assignee",
    "title",
    "description",
    "severity",
    "component",
    "target",
    "trace_ref",
    "filed_by",
    "labels",
    "state",
];

/// What steers the federation itself and is not handed on.
const CONTROL: [&str; 5] = ["sources", "source", "source_id", "source_ref", "ref"];

fn text<'a>(map: &'a Data, key: &str) -> &'a str {
    map.get(key).and_then(Json::as_str).unwrap_or_default().trim()
}

/// Reads the declared sources.
pub(super) fn parse(declared: Option<&Json>) -> Result<Vec<Source>, String> {
    let rows = match declared {
        None | Some(Json::Null) => return Err("sources argument is required".to_owned()),
        Some(Json::Array(rows)) if !rows.is_empty() => rows,
        Some(Json::Array(_)) => return Err("at least one ticket source is required".to_owned()),
        Some(_) => return Err("sources must be a list".to_owned()),
    };
    let mut out: Vec<Source> = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        let row = row
            .as_object()
            .ok_or_else(|| format!("sources[{i}] must be an object"))?;
        let source = Source::parse(i, row)?;
        if out.iter().any(|s| s.id == source.id) {
            return Err(format!("duplicate source id {}", quoted(&source.id)));
        }
        let same = |s: &Source| !s.label.is_empty() && s.label.eq_ignore_ascii_case(&source.label);
        if out.iter().any(same) {
            return Err(format!("duplicate source label {}", quoted(&source.label)));
        }
        out.push(source);
    }
    Ok(out)
}

impl Source {
    fn parse(i: usize, row: &Data) -> Result<Self, String> {
        let id = text(row, "id").to_owned();
        if id.is_empty() {
            return Err(format!("sources[{i}].id is required"));
        }
        if !is_id(&id) {
            let shown = quoted(&id);
            return Err(format!(
                "sources[{i}].id {shown} may hold only letters, digits, `.`, `_` and `-`"
            ));
        }
        let shown = quoted(&id);
        let provider = text(row, "provider").to_owned();
        if provider.is_empty() {
            return Err(format!("source {shown} provider is required"));
        }
        let kind = match text(row, "kind").to_lowercase() {
            kind if kind.is_empty() => "ticket".to_owned(),
            kind => kind,
        };
        let mode = match text(row, "mode").to_lowercase().as_str() {
            "" if kind == "local" => "local",
            "" | "remote" => "remote",
            "local" => "local",
            _ => return Err(format!("source {shown} mode must be local or remote")),
        }
        .to_owned();
        let args = match row.get("args") {
            None | Some(Json::Null) => Data::new(),
            Some(Json::Object(map)) => map.clone(),
            Some(_) => return Err(format!("source {shown} args must be an object")),
        };
        let known = ["repo", "root", "workdir"]
            .into_iter()
            .filter(|k| args.contains_key(*k));
        let mut locators: BTreeSet<String> = known.map(str::to_owned).collect();
        for key in row.get("locator_keys").and_then(Json::as_array).into_iter().flatten() {
            let key = key.as_str().unwrap_or_default().trim();
            if LIVE.contains(&key) || CONTROL.contains(&key) || !args.contains_key(key) {
                let key = quoted(key);
                return Err(format!(
                    "source {shown} locator key {key} is reserved or not in its args"
                ));
            }
            locators.insert(key.to_owned());
        }
        Ok(Self {
            id,
            label: text(row, "label").to_owned(),
            provider,
            kind,
            mode,
            args,
            locators,
        })
    }

    /// The arguments of a call to the source's provider.
    pub(super) fn arguments(&self, caller: &Data, op: &str) -> Data {
        let own = self
            .args
            .iter()
            .filter(|(k, _)| !LIVE.contains(&k.as_str()) && !CONTROL.contains(&k.as_str()));
        let given = caller.iter().filter(|(k, _)| !CONTROL.contains(&k.as_str()));
        let located = self.args.iter().filter(|(k, _)| self.locators.contains(*k));
        let mut out: Data = own
            .chain(given)
            .chain(located)
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        out.insert("op".to_owned(), Json::from(op));
        out
    }

    /// What people call the source.
    pub(super) fn called(&self, repo: &str) -> String {
        [self.label.as_str(), repo, &self.id]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or_default()
            .to_owned()
    }

    /// The repository that an answer of the source is about.
    pub(super) fn repo(&self, asked: &Data, answered: &Data) -> String {
        let named = ["source_repo", "ticket_repo", "repo"].map(|key| text(answered, key));
        match named.into_iter().find(|r| !r.is_empty()) {
            Some(repo) => repo.to_owned(),
            None if self.mode == "local" => text(&self.args, "repo").to_owned(),
            None => text(asked, "repo").to_owned(),
        }
    }

    /// Puts the source's names into a ticket.
    pub(super) fn sign(&self, ticket: &mut Data, repo: &str) {
        let label = self.called(repo);
        for (key, value) in [
            ("source", &self.id),
            ("source_id", &self.id),
            ("source_label", &label),
            ("source_kind", &self.kind),
            ("source_mode", &self.mode),
        ] {
            ticket.insert(key.to_owned(), Json::from(value.as_str()));
        }
        ticket.insert("source_repo".to_owned(), Json::from(repo));
        if self.mode == "remote" && !repo.is_empty() {
            ticket.insert("ticket_repo".to_owned(), Json::from(repo));
        }
        let id = match ticket.get("id") {
            Some(Json::String(id)) => id.trim().to_owned(),
            _ => String::new(),
        };
        if !id.is_empty() {
            ticket.insert("ref".to_owned(), Json::from(format!("{}:{id}", self.id)));
        }
    }
}

fn is_id(id: &str) -> bool {
    !id.is_empty()
        && id
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

/// The one source that a call is for, and the ticket's id there.
pub(super) fn select<'a>(sources: &'a [Source], args: &Data) -> Result<(&'a Source, String), String> {
    let by_reference = |reference: &str| {
        sources.iter().find_map(|s| {
            let rest = reference.strip_prefix(&s.id)?.strip_prefix(':')?;
            Some((s, rest.to_owned()))
        })
    };
    let mut id = text(args, "id").to_owned();
    let reference = text(args, "ref");
    if !reference.is_empty() {
        if let Some(found) = by_reference(reference) {
            return Ok(found);
        }
        let prefix = reference.split_once(':').map(|(p, _)| p);
        if !reference.contains("://") && prefix.is_some_and(is_id) {
            return Err(format!("ticket ref {} names an unknown source", quoted(reference)));
        }
        reference.clone_into(&mut id);
    }
    if let Some(found) = by_reference(&id) {
        return Ok(found);
    }
    let named = [text(args, "source_id"), text(args, "source")]
        .into_iter()
        .find(|s| !s.is_empty());
    if let Some(name) = named {
        let of_kind: Vec<&Source> = sources.iter().filter(|s| s.kind == name).collect();
        return match (sources.iter().find(|s| s.id == name), of_kind.as_slice()) {
            (Some(source), _) => Ok((source, id)),
            (None, [source]) => Ok((*source, id)),
            _ => Err(format!("ticket source {} is unknown or ambiguous", quoted(name))),
        };
    }
    let in_id = id.split_once('#').map(|(repo, _)| repo.to_owned());
    for repo in in_id.into_iter().chain([text(args, "repo").to_owned()]) {
        let same = |s: &&Source| s.id == repo || text(&s.args, "repo").eq_ignore_ascii_case(&repo);
        let matching: Vec<&Source> = sources.iter().filter(same).collect();
        match matching.as_slice() {
            _ if repo.is_empty() => {}
            [source] => return Ok((source, id)),
            [] => {}
            _ => return Err(format!("ticket repository {} matches multiple sources", quoted(&repo))),
        }
    }
    match sources {
        [only] => Ok((only, id)),
        _ => Err(format!(
            "source_id or a ref that names its source is required with {} ticket sources",
            sources.len()
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::call::data;

    fn sources() -> Vec<Source> {
        parse(Some(&json!([
            {"id": "here", "provider": "p", "kind": "local", "args": {"root": "r", "id": "no"}},
            {"id": "hub", "provider": "q", "kind": "github", "args": {"repo": "o/r"}},
        ])))
        .unwrap()
    }

    #[test]
    fn a_reference_a_source_or_a_repository_names_the_source() {
        let sources = sources();
        for (args, want) in [
            (json!({"ref": "hub:7"}), Some(("hub", "7"))),
            (json!({"id": "here:B1"}), Some(("here", "B1"))),
            (json!({"source": "github", "id": "7"}), Some(("hub", "7"))),
            (json!({"id": "O/R#7"}), Some(("hub", "O/R#7"))),
            (json!({"repo": "o/r", "id": "7"}), Some(("hub", "7"))),
            (json!({"ref": "nobody:7"}), None),
            (json!({"id": "7"}), None),
        ] {
            let found = select(&sources, &data(args.clone())).ok();
            let found = found.as_ref().map(|(s, id)| (s.id.as_str(), id.as_str()));
            assert_eq!(found, want, "{args}");
        }
    }

    #[test]
    fn the_caller_cannot_move_a_source() {
        let sources = sources();
        let args = sources[0].arguments(&data(json!({"root": "/etc", "id": "B1", "op": "x", "ref": "y"})), "get");
        assert_eq!(args, data(json!({"root": "r", "id": "B1", "op": "get"})));
    }
}
