//! The HTTP cassette (`starlark` 10): its file, read and written.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::Response;
use crate::data::{Data, DataMap};
use crate::document;

/// What is done with requests that the file does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecordMode {
    /// They fail.
    #[default]
    None,
    /// They are recorded when the file has no exchanges, else they fail.
    Once,
    /// They are recorded.
    NewEpisodes,
    /// Everything is recorded anew.
    All,
}

impl RecordMode {
    /// The mode that a word names.
    ///
    /// # Errors
    ///
    /// The word names none.
    pub fn from_name(name: &str) -> Result<Self, String> {
        Ok(match name {
            "" | "none" => Self::None,
            "once" => Self::Once,
            "new_episodes" => Self::NewEpisodes,
            "all" => Self::All,
            _ => {
                let want = "none|once|new_episodes|all";
                return Err(format!(
                    "starlark http cassette: record_mode {name:?} is not supported (want {want})"
                ));
            }
        })
    }
}

/// A cassette.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cassette {
    /// The file as it was read: what is not understood here is written back.
    rest: Map<String, Json>,
    /// What the file says about recording.
    pub record_mode: RecordMode,
    /// The parts of a request that are compared.
    pub match_on: Vec<String>,
    /// Hosts whose requests pass through and are not recorded.
    pub ignore_hosts: Vec<String>,
    /// The same for this machine.
    pub ignore_localhost: bool,
    /// Headers that are written as `REDACTED`.
    pub filter_headers: Vec<String>,
    /// Parameters of addresses that are written as `REDACTED`.
    pub filter_query: Vec<String>,
    /// Parameters of bodies that are written as `REDACTED`.
    pub filter_body: Vec<String>,
    /// Whether every exchange answers more than once.
    pub repeats: bool,
    /// The exchanges in the order of the file.
    pub episodes: Vec<Episode>,
}

/// One recorded exchange.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Episode {
    /// What it answers.
    pub selector: Selector,
    /// The answer.
    pub response: Response,
    /// Whether it answers more than once.
    pub repeats: bool,
    /// The form in which it was read, for writing it back unchanged.
    pub(super) written: Option<Json>,
}

/// What an exchange answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// A recorded request, compared by `match_on`.
    Request(RequestRecord),
    /// The older form: method, address or a pattern for it; what is empty fits everything.
    Pattern {
        /// The method in any case.
        method: String,
        /// The whole address.
        url: String,
        /// A regular expression found in the address.
        url_pattern: String,
    },
}

impl Default for Selector {
    fn default() -> Self {
        Self::Pattern {
            method: String::new(),
            url: String::new(),
            url_pattern: String::new(),
        }
    }
}

/// A recorded request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestRecord {
    /// The method; empty fits any.
    pub method: String,
    /// The address; empty fits any.
    pub url: String,
    /// Headers by name.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: String,
}

fn text(map: &DataMap, key: &str) -> Result<String, String> {
    match map.get(key) {
        None | Some(Data::Null) => Ok(String::new()),
        Some(Data::Text(s)) => Ok(s.clone()),
        Some(Data::Bool(b)) => Ok(b.to_string()),
        Some(Data::Int(i)) => Ok(i.to_string()),
        Some(Data::Float(f)) => Ok(f.to_string()),
        Some(other) => Err(format!("{key} must be a text, got {}", other.kind())),
    }
}

fn flag(map: &DataMap, key: &str) -> Result<bool, String> {
    match map.get(key) {
        None | Some(Data::Null) => Ok(false),
        Some(Data::Bool(b)) => Ok(*b),
        Some(other) => Err(format!("{key} must be true or false, got {}", other.kind())),
    }
}

fn texts(map: &DataMap, key: &str) -> Result<Vec<String>, String> {
    match map.get(key) {
        None | Some(Data::Null) => Ok(Vec::new()),
        Some(Data::List(items)) => items
            .iter()
            .map(|item| match item {
                Data::Text(s) => Ok(s.clone()),
                other => Err(format!("{key} must be a list of texts, got {}", other.kind())),
            })
            .collect(),
        Some(other) => Err(format!("{key} must be a list, got {}", other.kind())),
    }
}

fn section<'m>(map: &'m DataMap, key: &str) -> Result<Option<&'m DataMap>, String> {
    match map.get(key) {
        None | Some(Data::Null) => Ok(None),
        Some(Data::Map(inner)) => Ok(Some(inner)),
        Some(other) => Err(format!("{key} must be a mapping, got {}", other.kind())),
    }
}

fn headers(map: &DataMap) -> Result<BTreeMap<String, String>, String> {
    let Some(headers) = section(map, "headers")? else {
        return Ok(BTreeMap::new());
    };
    headers
        .keys()
        .map(|name| Ok((name.clone(), text(headers, name)?)))
        .collect()
}

impl Cassette {
    /// Reads a cassette.
    ///
    /// # Errors
    ///
    /// The text is none: what is wrong, in words.
    pub fn parse(source: &str) -> Result<Self, String> {
        let wrap = |e: String| format!("starlark http cassette: {e}");
        let map = match document::read(source).map_err(|f| wrap(format!("parse: {f}")))? {
            Data::Null => DataMap::new(),
            Data::Map(map) => map,
            other => return Err(wrap(format!("expected a mapping, got {}", other.kind()))),
        };
        let mode = RecordMode::from_name(&text(&map, "record_mode").map_err(wrap)?)?;
        Self::from_map(&map, mode).map_err(wrap)
    }

    fn from_map(map: &DataMap, record_mode: RecordMode) -> Result<Self, String> {
        let mut episodes = Vec::new();
        match map.get("exchanges") {
            None | Some(Data::Null) => {}
            Some(Data::List(items)) => {
                for (i, item) in items.iter().enumerate() {
                    let episode = match item {
                        Data::Null => Ok(Episode::default()),
                        Data::Map(map) => Episode::from_map(map),
                        other => Err(format!("must be a mapping, got {}", other.kind())),
                    };
                    let mut episode = episode.map_err(|e| format!("exchanges[{i}]: {e}"))?;
                    episode.written = Some(item.to_json());
                    episodes.push(episode);
                }
            }
            Some(other) => return Err(format!("exchanges must be a list, got {}", other.kind())),
        }
        let rest = crate::data::map_to_json(map);
        Ok(Self {
            rest,
            record_mode,
            match_on: texts(map, "match_on")?,
            ignore_hosts: texts(map, "ignore_hosts")?,
            ignore_localhost: flag(map, "ignore_localhost")?,
            filter_headers: texts(map, "filter_headers")?,
            filter_query: texts(map, "filter_query_parameters")?,
            filter_body: texts(map, "filter_post_data_parameters")?,
            repeats: flag(map, "allow_playback_repeats")?,
            episodes,
        })
    }

    /// The cassette as a YAML text with other exchanges.
    ///
    /// # Errors
    ///
    /// It cannot be written as YAML.
    pub fn to_yaml(&self, episodes: &[Episode]) -> Result<String, String> {
        let mut map = self.rest.clone();
        map.entry("kind").or_insert_with(|| json!("http_cassette"));
        map.insert(
            "exchanges".to_owned(),
            Json::Array(episodes.iter().map(Episode::to_json).collect()),
        );
        serde_saphyr::to_string(&Json::Object(map)).map_err(|e| format!("starlark http cassette: {e}"))
    }
}

impl Episode {
    fn from_map(map: &DataMap) -> Result<Self, String> {
        let selector = match section(map, "request")? {
            Some(request) => Selector::Request(RequestRecord {
                method: text(request, "method")?,
                url: text(request, "url")?,
                headers: headers(request)?,
                body: text(request, "body")?,
            }),
            None => match section(map, "match")? {
                Some(pattern) => Selector::Pattern {
                    method: text(pattern, "method")?,
                    url: text(pattern, "url")?,
                    url_pattern: text(pattern, "url_pattern")?,
                },
                None => Selector::default(),
            },
        };
        let response = match section(map, "response")? {
            None => Response::default(),
            Some(response) => Response {
                status: match response.get("status") {
                    None | Some(Data::Null) => 0,
                    Some(Data::Int(i)) => *i,
                    Some(other) => return Err(format!("status must be an integer, got {}", other.kind())),
                },
                headers: headers(response)?,
                body: text(response, "body")?.into_bytes(),
            },
        };
        Ok(Self {
            selector,
            response,
            repeats: text(map, "replay")? == "any",
            written: None,
        })
    }

    /// The exchange as it stands in a file: what says nothing is left out.
    pub fn to_json(&self) -> Json {
        if let Some(written) = &self.written {
            return written.clone();
        }
        let mut out = Map::new();
        match &self.selector {
            Selector::Request(request) => {
                let mut map = Map::new();
                put(&mut map, "method", &request.method);
                put(&mut map, "url", &request.url);
                put_headers(&mut map, &request.headers);
                put(&mut map, "body", &request.body);
                out.insert("request".to_owned(), Json::Object(map));
            }
            Selector::Pattern {
                method,
                url,
                url_pattern,
            } => {
                let mut map = Map::new();
                put(&mut map, "method", method);
                put(&mut map, "url", url);
                put(&mut map, "url_pattern", url_pattern);
                if !map.is_empty() {
                    out.insert("match".to_owned(), Json::Object(map));
                }
            }
        }
        let mut response = Map::new();
        response.insert("status".to_owned(), json!(self.response.status));
        put_headers(&mut response, &self.response.headers);
        put(&mut response, "body", &String::from_utf8_lossy(&self.response.body));
        out.insert("response".to_owned(), Json::Object(response));
        if self.repeats {
            out.insert("replay".to_owned(), json!("any"));
        }
        Json::Object(out)
    }
}

fn put(map: &mut Map<String, Json>, key: &str, text: &str) {
    if !text.is_empty() {
        map.insert(key.to_owned(), json!(text));
    }
}

fn put_headers(map: &mut Map<String, Json>, headers: &BTreeMap<String, String>) {
    if !headers.is_empty() {
        map.insert("headers".to_owned(), json!(headers));
    }
}
