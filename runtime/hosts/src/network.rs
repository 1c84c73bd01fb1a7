//! The network behind the program `curl`, for scripts that were granted it and for GitHub. It is handed in by whoever may
//! reach the network ([`crate::Services`]); nothing here is reached otherwise.
//!
//! A redirect is followed only on the same host. Secrets stand in a file that only this user can read, never on a command
//! line.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kitsoki_starlark::http::{Request, Response};
use serde_json::Value as Json;

use crate::cancel::Cancel;
use crate::environment::Environment;
use crate::place;
use crate::process::{self, Program};
use crate::services::{Network, github};

/// The largest answer, in bytes.
const MAX_BODY: u64 = 8 << 20;

/// How long one request may take.
const LIMIT: Duration = Duration::from_secs(60);

/// How many redirects are followed.
const MAX_REDIRECTS: usize = 5;

/// Requests through `curl`.
#[derive(Debug, Clone)]
pub struct Curl {
    program: String,
    environment: Environment,
}

impl Curl {
    /// `curl` as the variables find it; they also name proxies and certificates.
    pub fn new(environment: Environment) -> Self {
        Self {
            program: "curl".to_owned(),
            environment,
        }
    }

    fn once(&self, request: &Request, url: &str, cancel: &Cancel) -> Result<Response, String> {
        let folder = tempfile::tempdir().map_err(|e| place::words(&e))?;
        let at = |name: &str| folder.path().join(name);
        let config = config(request, url, folder.path())?;
        std::fs::write(at("request"), &request.body).map_err(|e| place::words(&e))?;
        std::fs::write(at("config"), config).map_err(|e| place::words(&e))?;
        let program = Program::new(&self.program, folder.path(), &self.environment).args(["-q", "--config", "config"]);
        let ended = process::run(&program, &cancel.until(Instant::now() + LIMIT)).map_err(|e| e.to_string())?;
        if !ended.ok() {
            return Err(ended.complaint());
        }
        let headers = place::read_text(&at("headers"), MAX_BODY).map_err(|e| place::words(&e))?;
        let (status, headers) = parse(&headers).ok_or("the answer has no status")?;
        // An answer without a body leaves no file.
        let body = match place::read(&at("body"), MAX_BODY) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            other => other.map_err(|e| place::words(&e))?,
        };
        Ok(Response { status, headers, body })
    }
}

impl Network for Curl {
    fn send(&self, request: &Request, cancel: &Cancel) -> Result<Response, String> {
        let mut request = request.clone();
        let mut url = request.url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let response = self.once(&request, &url, cancel)?;
            let moved = matches!(response.status, 301 | 302 | 303 | 307 | 308);
            let to = response
                .headers
                .iter()
                .find(|(k, _)| k.eq_ignore_ascii_case("location"));
            let next = to.filter(|_| moved).and_then(|(_, to)| same_host(&url, to));
            let Some(next) = next else { return Ok(response) };
            if response.status == 303 || matches!(response.status, 301 | 302) && request.method == "POST" {
                "GET".clone_into(&mut request.method);
                request.body.clear();
            }
            url = next;
        }
        Err(format!("more than {MAX_REDIRECTS} redirects"))
    }
}

/// The way of a request for the program.
fn config(request: &Request, url: &str, folder: &Path) -> Result<String, String> {
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(format!(
            "only http and https are spoken, not {}",
            crate::plain::quoted(url)
        ));
    }
    let method = &request.method;
    if method.is_empty() || !method.chars().all(|c| c.is_ascii_uppercase()) {
        return Err(format!("{} is no method", crate::plain::quoted(method)));
    }
    let shown = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let mut lines = vec![
        "silent".to_owned(),
        "show-error".to_owned(),
        "globoff".to_owned(),
        option("proto", "=http,https")?,
        option("max-time", &LIMIT.as_secs().to_string())?,
        option("max-filesize", &MAX_BODY.to_string())?,
        option("dump-header", &shown("headers"))?,
        option("output", &shown("body"))?,
        option("url", url)?,
    ];
    if method == "HEAD" {
        lines.push("head".to_owned());
    } else {
        lines.push(option("request", method)?);
    }
    if !request.body.is_empty() {
        lines.push(option("data-binary", &format!("@{}", shown("request")))?);
        // What a script sends is not a form unless it says so.
        if !request.headers.keys().any(|k| k.eq_ignore_ascii_case("content-type")) {
            lines.push(option("header", "Content-Type: application/octet-stream")?);
        }
    }
    lines.push(option("header", "Expect:")?);
    for (name, value) in &request.headers {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || !name.chars().all(plain) {
            return Err(format!("{} is no name of a header", crate::plain::quoted(name)));
        }
        // The program takes an empty value for the wish to have no such header; a semicolon says that it is empty.
        let line = if value.is_empty() {
            format!("{name};")
        } else {
            format!("{name}: {value}")
        };
        lines.push(option("header", &line)?);
    }
    Ok(lines.join("\n") + "\n")
}

/// A line of the program's configuration.
fn option(name: &str, value: &str) -> Result<String, String> {
    if value.chars().any(|c| c.is_control() && c != '\t') {
        return Err(format!("{name} holds a control character"));
    }
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t");
    Ok(format!("{name} = \"{value}\""))
}

/// The status and the headers of the last answer: an interim one may stand before it.
fn parse(text: &str) -> Option<(i64, BTreeMap<String, String>)> {
    let mut status = None;
    let mut headers = BTreeMap::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("HTTP/") {
            status = rest.split_whitespace().nth(1).and_then(|s| s.parse().ok());
            headers.clear();
        } else if let Some((name, value)) = line.split_once(':') {
            headers
                .entry(name.trim().to_owned())
                .or_insert_with(|| value.trim().to_owned());
        }
    }
    Some((status?, headers))
}

/// Where a redirect leads, when it stays on its host and does not give up encryption.
fn same_host(from: &str, to: &str) -> Option<String> {
    let (scheme, rest) = from.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let base = format!("{scheme}://{host}");
    if to.starts_with('/') && !to.starts_with("//") {
        return Some(format!("{base}{to}"));
    }
    let rest = to.strip_prefix(&base)?;
    (rest.is_empty() || rest.starts_with(['/', '?', '#'])).then(|| to.to_owned())
}

/// GitHub's REST interface over a network.
pub struct GitHubRest {
    network: Arc<dyn Network>,
    token: Option<String>,
    base: String,
}

impl GitHubRest {
    /// GitHub with a token; without one only reading is tried.
    pub fn new(network: Arc<dyn Network>, token: Option<String>) -> Self {
        Self {
            network,
            token: token.filter(|t| !t.trim().is_empty()),
            base: "https://api.github.com".to_owned(),
        }
    }

    /// GitHub with the token of the variables `GH_TOKEN` or `GITHUB_TOKEN`.
    pub fn of_environment(network: Arc<dyn Network>, environment: &Environment) -> Self {
        let token = environment
            .telling("GH_TOKEN")
            .or_else(|| environment.telling("GITHUB_TOKEN"));
        Self::new(network, token.map(|t| t.trim().to_owned()))
    }
}

impl github::GitHub for GitHubRest {
    fn send(&self, request: &github::Request, cancel: &Cancel) -> Result<github::Response, String> {
        let mut headers = BTreeMap::from([
            ("Accept".to_owned(), "application/vnd.github+json".to_owned()),
            ("X-GitHub-Api-Version".to_owned(), "2022-11-28".to_owned()),
            ("User-Agent".to_owned(), "kitsoki".to_owned()),
        ]);
        match &self.token {
            Some(token) => {
                headers.insert("Authorization".to_owned(), format!("Bearer {token}"));
            }
            None if request.method == "GET" => {}
            None => return Err("GitHub wants a token for this: set GH_TOKEN or GITHUB_TOKEN".to_owned()),
        }
        let body = match &request.body {
            Some(body) => {
                headers.insert("Content-Type".to_owned(), "application/json".to_owned());
                body.to_string().into_bytes()
            }
            None => Vec::new(),
        };
        let sent = Request {
            method: request.method.to_owned(),
            url: format!("{}/{}", self.base, request.path),
            headers,
            body,
        };
        let response = self.network.send(&sent, cancel)?;
        Ok(github::Response {
            status: u16::try_from(response.status).unwrap_or(0),
            body: serde_json::from_slice(&response.body).unwrap_or(Json::Null),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::Mutex;

    use super::*;

    fn request(url: &str) -> Request {
        Request {
            method: "POST".to_owned(),
            url: url.to_owned(),
            headers: BTreeMap::from([("X-A".to_owned(), "say \"hi\"\\".to_owned())]),
            body: b"data".to_vec(),
        }
    }

    /// A stand-in for the program that answers once with a redirect and then with its configuration.
    const STAND_IN: &str = r#"#!/bin/bash
[ "$1 $2 $3" = "-q --config config" ] || exit 2
headers=$(sed -n 's/^dump-header = "\(.*\)"/\1/p' config)
body=$(sed -n 's/^output = "\(.*\)"/\1/p' config)
if grep -q 'url = "http://h/old"' config; then
    printf 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /new\r\n\r\n' > "$headers"
else
    printf 'HTTP/1.1 200 OK\r\nX-B: 1\r\nX-B: 2\r\n\r\n' > "$headers"
    cp config "$body"
fi
"#;

    #[test]
    fn a_redirect_on_the_host_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("curl");
        std::fs::write(&program, STAND_IN).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let curl = Curl {
            program: program.to_string_lossy().into_owned(),
            environment: Environment::process(),
        };
        let response = curl.send(&request("http://h/old"), &Cancel::new()).unwrap();
        assert_eq!(
            (response.status, response.headers.get("X-B").map(String::as_str)),
            (200, Some("1"))
        );
        let config = String::from_utf8(response.body).unwrap();
        assert!(
            config.contains("url = \"http://h/new\"\n") && config.contains("request = \"GET\"\n"),
            "{config}"
        );
        assert!(config.contains("header = \"X-A: say \\\"hi\\\"\\\\\"\n") && !config.contains("data-binary"));
    }

    #[test]
    fn other_hosts_and_other_protocols_are_not_reached() {
        for (to, want) in [
            ("/x", Some("https://h/x")),
            ("https://h/x", Some("https://h/x")),
            ("https://h:8/x", None),
            ("https://h.evil/x", None),
            ("//evil/x", None),
            ("http://h/x", None),
        ] {
            assert_eq!(same_host("https://h/a?b", to).as_deref(), want, "{to}");
        }
        let folder = Path::new("/t");
        assert!(config(&request("file:///etc/hosts"), "file:///etc/hosts", folder).is_err());
        assert!(config(&request("http://h/\nproxy = x"), "http://h/\nproxy = x", folder).is_err());
        let mut split = request("http://h");
        split.headers.insert("X".to_owned(), "a\r\nY: b".to_owned());
        assert!(config(&split, "http://h", folder).is_err());
    }

    struct Log(Mutex<Vec<Request>>);

    impl Network for Log {
        fn send(&self, request: &Request, _: &Cancel) -> Result<Response, String> {
            self.0.lock().unwrap().push(request.clone());
            Ok(Response {
                status: 200,
                body: b"{\"a\": 1}".to_vec(),
                ..Response::default()
            })
        }
    }

    #[test]
    fn github_is_only_read_without_a_token() {
        use crate::services::github::GitHub as _;
        let log = Arc::new(Log(Mutex::default()));
        let ask = |token: Option<&str>, method| {
            let request = github::Request {
                method,
                path: "repos/o/r".to_owned(),
                body: None,
            };
            let token = token.map(str::to_owned);
            GitHubRest::new(log.clone(), token).send(&request, &Cancel::new())
        };
        assert!(ask(None, "POST").unwrap_err().contains("GH_TOKEN"));
        assert_eq!(ask(None, "GET").unwrap().body["a"], 1);
        ask(Some("secret"), "POST").unwrap();
        let sent = log.0.lock().unwrap();
        assert_eq!(sent.len(), 2);
        assert!(!sent[0].headers.contains_key("Authorization"));
        assert_eq!(sent[1].headers["Authorization"], "Bearer secret");
    }
}
