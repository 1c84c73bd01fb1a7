//! The client that answers from a cassette and, when told so, records what it does not know.

use super::cassette::{Cassette, Episode, RecordMode, RequestRecord, Selector};
use super::matching::{available, fits};
use super::redact::redacted;
use super::url::Url;
use super::{Exchange, HttpClient, Request, Response, Transport};
use crate::fault::{Class, Fault};

pub(super) fn exchange(request: &Request, response: &Response) -> Exchange {
    Exchange {
        method: request.method.clone(),
        url: request.url.clone(),
        status: response.status,
    }
}

/// Sends over a transport; a failure names the request.
pub(super) fn over(transport: &mut dyn Transport, request: &Request) -> Result<Response, Box<Fault>> {
    transport.send(request).map_err(|e| {
        Fault::new(
            Class::Http,
            format!("starlark http: {} {}: {e}", request.method, request.url),
        )
    })
}

/// Answers from a cassette. It serves every script of a fixture, so used exchanges stay used.
pub struct CassetteClient {
    cassette: Cassette,
    mode: RecordMode,
    /// For each exchange of the file whether it has answered.
    used: Vec<bool>,
    recorded: Vec<Episode>,
    exchanges: Vec<Exchange>,
    transport: Option<Box<dyn Transport + Send>>,
}

impl CassetteClient {
    /// A client over a cassette. `mode` wins over what the file says; `transport` is asked only when something is to be
    /// recorded or a host is ignored.
    pub fn new(cassette: Cassette, mode: Option<RecordMode>, transport: Option<Box<dyn Transport + Send>>) -> Self {
        let mode = match mode.unwrap_or(cassette.record_mode) {
            RecordMode::Once if cassette.episodes.is_empty() => RecordMode::NewEpisodes,
            RecordMode::Once => RecordMode::None,
            other => other,
        };
        let used = vec![false; cassette.episodes.len()];
        Self {
            cassette,
            mode,
            used,
            recorded: Vec::new(),
            exchanges: Vec::new(),
            transport,
        }
    }

    /// What the client does with requests that the file does not know.
    pub fn mode(&self) -> RecordMode {
        self.mode
    }

    /// The text that the cassette's file should have after the run; `None` when it need not be written. Secrets are
    /// replaced.
    ///
    /// # Errors
    ///
    /// It cannot be written as YAML.
    pub fn rewritten(&self) -> Result<Option<String>, String> {
        if self.mode != RecordMode::All && self.recorded.is_empty() {
            return Ok(None);
        }
        let kept: &[Episode] = if self.mode == RecordMode::All {
            &[]
        } else {
            &self.cassette.episodes
        };
        let all: Vec<Episode> = kept
            .iter()
            .chain(&self.recorded)
            .map(|e| redacted(&self.cassette, e))
            .collect();
        self.cassette.to_yaml(&all).map(Some)
    }

    fn ignored(&self, url: &str) -> bool {
        if self.cassette.ignore_hosts.is_empty() && !self.cassette.ignore_localhost {
            return false;
        }
        let Ok(url) = Url::parse(url) else { return false };
        let host = url.host_lower();
        let local = matches!(host.as_str(), "localhost" | "127.0.0.1" | "::1");
        self.cassette.ignore_localhost && local || self.cassette.ignore_hosts.iter().any(|h| h.to_lowercase() == host)
    }

    fn go(&mut self, request: &Request, missing: &str) -> Result<Response, Box<Fault>> {
        match &mut self.transport {
            Some(transport) => over(transport.as_mut(), request),
            None => Err(Fault::new(Class::Http, format!("starlark http: {missing}"))),
        }
    }

    /// The first unused exchange that fits.
    fn replay(&mut self, request: &Request) -> Result<Option<Response>, Box<Fault>> {
        for (episode, used) in self.cassette.episodes.iter().zip(&mut self.used) {
            if *used && !episode.repeats && !self.cassette.repeats {
                continue;
            }
            if fits(&self.cassette, episode, request)? {
                *used = true;
                return Ok(Some(episode.response.clone()));
            }
        }
        Ok(None)
    }
}

impl HttpClient for CassetteClient {
    fn send(&mut self, request: &Request) -> Result<Response, Box<Fault>> {
        let recording = self.mode != RecordMode::None;
        if recording && self.ignored(&request.url) {
            let missing = format!(
                "{} {} is on ignore_hosts but no real transport is configured",
                request.method, request.url
            );
            let response = self.go(request, &missing)?;
            self.exchanges.push(exchange(request, &response));
            return Ok(response);
        }
        let replayed = if self.mode == RecordMode::All {
            None
        } else {
            self.replay(request)?
        };
        let response = match replayed {
            Some(response) => response,
            None if !recording => {
                let names = available(&self.cassette.episodes);
                let text = format!(
                    "starlark http replay: no episode matched {} {}; available: {names}",
                    request.method, request.url
                );
                return Err(Fault::new(Class::HttpMiss, text));
            }
            None => {
                let response = self.go(request, "recording needs a real transport but none was configured")?;
                self.recorded.push(Episode {
                    selector: Selector::Request(RequestRecord {
                        method: request.method.clone(),
                        url: request.url.clone(),
                        headers: request.headers.clone(),
                        body: String::from_utf8_lossy(&request.body).into_owned(),
                    }),
                    response: response.clone(),
                    ..Episode::default()
                });
                response
            }
        };
        self.exchanges.push(exchange(request, &response));
        Ok(response)
    }

    fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.clone()
    }
}
