//! Which recorded exchange answers a request.

use regex::RegexBuilder;

use super::Request;
use super::cassette::{Cassette, Episode, RequestRecord, Selector};
use super::url::{Url, encode, parameters};
use crate::fault::{Class, Fault};

type Matched = Result<bool, Box<Fault>>;

fn fault(text: String) -> Box<Fault> {
    Fault::new(Class::Http, format!("starlark http replay: {text}"))
}

/// Whether an exchange fits a request.
pub(super) fn fits(cassette: &Cassette, episode: &Episode, request: &Request) -> Matched {
    match &episode.selector {
        Selector::Pattern {
            method,
            url,
            url_pattern,
        } => {
            if !method.is_empty() && !method.eq_ignore_ascii_case(&request.method) {
                return Ok(false);
            }
            if !url.is_empty() && *url != request.url {
                return Ok(false);
            }
            if url_pattern.is_empty() {
                return Ok(true);
            }
            let regex = RegexBuilder::new(url_pattern)
                .size_limit(1 << 20)
                .build()
                .map_err(|_| fault(format!("bad url_pattern {url_pattern:?}: it is no regular expression")))?;
            Ok(regex.is_match(&request.url))
        }
        Selector::Request(record) => {
            let default = ["method".to_owned(), "url".to_owned()];
            let fields = if cassette.match_on.is_empty() {
                &default[..]
            } else {
                &cassette.match_on
            };
            for field in fields {
                if !field_fits(field, record, request)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
    }
}

fn field_fits(field: &str, record: &RequestRecord, request: &Request) -> Matched {
    match field.to_lowercase().as_str() {
        "method" => Ok(record.method.is_empty() || record.method.eq_ignore_ascii_case(&request.method)),
        "url" | "uri" => Ok(record.url.is_empty() || record.url == request.url),
        "body" => Ok(record.body.as_bytes() == request.body.as_slice()),
        "headers" => Ok(record
            .headers
            .iter()
            .all(|(k, v)| request.headers.get(k).map_or("", String::as_str) == v)),
        "scheme" | "host" | "port" | "path" | "query" => part_fits(field, &record.url, &request.url),
        _ => Err(fault(format!("unknown match_on field {field:?}"))),
    }
}

/// Compares one part of two addresses. The name must be in small letters to compare anything.
fn part_fits(field: &str, recorded: &str, asked: &str) -> Matched {
    if recorded.is_empty() {
        return Ok(true);
    }
    let recorded = Url::parse(recorded).map_err(|e| fault(format!("bad recorded url: {e}")))?;
    let asked = Url::parse(asked).map_err(|e| fault(format!("bad request url: {e}")))?;
    Ok(match field {
        "scheme" => recorded.scheme == asked.scheme,
        "host" => recorded.host_lower() == asked.host_lower(),
        "port" => recorded.port == asked.port,
        "path" => recorded.path == asked.path,
        "query" => canonical(&recorded.query) == canonical(&asked.query),
        _ => false,
    })
}

fn canonical(query: &str) -> String {
    match parameters(query) {
        Some(mut pairs) => {
            pairs.sort();
            encode(pairs)
        }
        None => query.to_owned(),
    }
}

/// The exchanges as a miss names them: `GET https://a/, * /b$`.
pub(super) fn available(episodes: &[Episode]) -> String {
    let names: Vec<String> = episodes
        .iter()
        .map(|episode| {
            let (method, what) = match &episode.selector {
                Selector::Request(r) => (&r.method, &r.url),
                Selector::Pattern {
                    method,
                    url,
                    url_pattern,
                } => (method, if url.is_empty() { url_pattern } else { url }),
            };
            format!("{} {what}", if method.is_empty() { "*" } else { method })
        })
        .collect();
    names.join(", ")
}
