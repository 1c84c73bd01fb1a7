//! What a cassette's file must not say: secrets are replaced when it is written, never for the script.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::canned;
use super::cassette::{Cassette, Episode, Selector};
use super::url::{Url, encode, parameters};

const REDACTED: &str = "REDACTED";

/// Headers that are always replaced.
const ALWAYS: [&str; 4] = ["Authorization", "Cookie", "Set-Cookie", "Proxy-Authorization"];

/// An exchange as it may be written. Those that an author wrote in the older form stay as they are.
pub(super) fn redacted(cassette: &Cassette, episode: &Episode) -> Episode {
    let Selector::Request(request) = &episode.selector else {
        return episode.clone();
    };
    let mut out = episode.clone();
    let mut request = request.clone();
    request.headers = headers(cassette, &request.headers);
    request.url = query(&request.url, &cassette.filter_query);
    request.body = body(&request.body, &cassette.filter_body);
    out.selector = Selector::Request(request);
    out.response.headers = headers(cassette, &out.response.headers);
    // Only what changed is written anew.
    if out.selector != episode.selector || out.response != episode.response {
        out.written = None;
    }
    out
}

fn headers(cassette: &Cassette, headers: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let secret = |name: &str| {
        ALWAYS.iter().any(|n| n.eq_ignore_ascii_case(name))
            || cassette.filter_headers.iter().any(|n| n.eq_ignore_ascii_case(name))
    };
    headers
        .iter()
        .map(|(k, v)| (k.clone(), if secret(k) { REDACTED.to_owned() } else { v.clone() }))
        .collect()
}

/// The parameters with the named ones replaced, each once; `None` when none was there.
fn replaced(pairs: Vec<(String, String)>, names: &[String]) -> Option<Vec<(String, String)>> {
    if !pairs.iter().any(|(k, _)| names.contains(k)) {
        return None;
    }
    let mut out: Vec<(String, String)> = Vec::new();
    for (key, value) in pairs {
        if !names.contains(&key) {
            out.push((key, value));
        } else if !out.iter().any(|(k, _)| *k == key) {
            out.push((key, REDACTED.to_owned()));
        }
    }
    Some(out)
}

fn query(raw: &str, names: &[String]) -> String {
    if names.is_empty() {
        return raw.to_owned();
    }
    let Ok(url) = Url::parse(raw) else {
        return raw.to_owned();
    };
    match parameters(&url.query).and_then(|pairs| replaced(pairs, names)) {
        Some(pairs) => url.with_query(&encode(pairs)),
        None => raw.to_owned(),
    }
}

fn body(raw: &str, names: &[String]) -> String {
    if names.is_empty() || raw.is_empty() {
        return raw.to_owned();
    }
    if raw.trim_start().starts_with('{')
        && let Ok(Json::Object(mut map)) = serde_json::from_str(raw)
    {
        let mut changed = false;
        for name in names {
            if let Some(value) = map.get_mut(name) {
                *value = Json::String(REDACTED.to_owned());
                changed = true;
            }
        }
        return if changed {
            canned::host_json(&Json::Object(map))
        } else {
            raw.to_owned()
        };
    }
    match parameters(raw).and_then(|pairs| replaced(pairs, names)) {
        Some(pairs) => encode(pairs),
        None => raw.to_owned(),
    }
}
