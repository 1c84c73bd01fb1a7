//! GitHub for handlers: which repository a call is about, and requests whose failures are told in the caller's name.

mod checks;
pub(super) mod pulls;
pub(super) mod ticket;

use serde_json::Value as Json;

use super::git::Git;
use crate::arguments::Arguments;
use crate::call::{Call, Failure, Kind};
use crate::services::github::Request;

/// Sends requests on behalf of a call.
#[derive(Clone, Copy)]
struct Api<'a> {
    call: &'a Call<'a>,
    args: &'a Arguments<'a>,
}

impl Api<'_> {
    fn get(&self, path: String) -> Result<Json, Box<Failure>> {
        self.send("GET", path, None)
    }

    fn post(&self, path: String, body: Json) -> Result<Json, Box<Failure>> {
        self.send("POST", path, Some(body))
    }

    fn patch(&self, path: String, body: Json) -> Result<Json, Box<Failure>> {
        self.send("PATCH", path, Some(body))
    }

    fn send(&self, method: &'static str, path: String, body: Option<Json>) -> Result<Json, Box<Failure>> {
        let Some(github) = &self.call.context.services.github else {
            let text = format!("{}: this session is not connected to GitHub", self.args.handler());
            return Err(Failure::domain(Kind::NotConfigured, text));
        };
        let request = Request { method, path, body };
        let response = github
            .send(&request, &self.call.context.cancel)
            .map_err(|e| self.args.outside(e))?;
        if (200..300).contains(&response.status) {
            return Ok(response.body);
        }
        let said = response
            .body
            .get("message")
            .and_then(Json::as_str)
            .unwrap_or("no reason given");
        Err(self
            .args
            .outside(format!("GitHub answered {}: {said}", response.status)))
    }
}

/// The repository `owner/name` of a remote's address.
pub(super) fn of_remote(address: &str) -> Option<String> {
    let address = address.trim();
    let address = address.strip_suffix(".git").unwrap_or(address);
    let rest = match address.strip_prefix("git@github.com:") {
        Some(rest) => rest,
        None => address.split_once("github.com/")?.1,
    };
    let mut parts = rest.trim_matches('/').split('/');
    match (parts.next(), parts.next()) {
        (Some(owner), Some(name)) if is_word(owner) && is_word(name) => Some(format!("{owner}/{name}")),
        _ => None,
    }
}

fn is_word(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.chars().all(plain) && !text.chars().all(|c| c == '.')
}

/// `owner/name` as it stands in a path; anything else would reach other parts of the interface.
fn checked(repo: &str, args: &Arguments<'_>) -> Result<String, Box<Failure>> {
    match repo.trim().split_once('/') {
        Some((owner, name)) if is_word(owner) && is_word(name) => Ok(repo.trim().to_owned()),
        _ => Err(args.wrong(format!(
            "{} is no repository of the form owner/name",
            crate::plain::quoted(repo)
        ))),
    }
}

/// A number of an issue or a pull request.
fn number<'a>(text: &'a str, args: &Arguments<'_>) -> Result<&'a str, Box<Failure>> {
    let number = text.trim().trim_start_matches('#');
    if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) {
        Ok(number)
    } else {
        Err(args.wrong(format!(
            "{} is no number of an issue or pull request",
            crate::plain::quoted(text)
        )))
    }
}

/// The repository of a folder's remote.
fn of_folder(call: &Call<'_>, folder: &str, remote: &str) -> Result<Option<String>, String> {
    if remote.starts_with('-') {
        return Err("a remote's name does not begin with `-`".to_owned());
    }
    let git = Git::new(call, folder);
    let ended = git.run(&["remote", "get-url", remote]).map_err(|e| e.to_string())?;
    if ended.ok() {
        Ok(of_remote(&ended.said.output))
    } else {
        Err(ended.complaint())
    }
}

/// A text of a JSON object.
fn text<'a>(json: &'a Json, key: &str) -> &'a str {
    json.get(key).and_then(Json::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_name_their_repository() {
        for (address, want) in [
            ("git@github.com:o/r.git\n", Some("o/r")),
            ("https://github.com/o/r", Some("o/r")),
            ("ssh://git@github.com/o/r.git", Some("o/r")),
            ("https://example.org/o/r", None),
            ("https://github.com/o", None),
            ("git@github.com:o/../x", None),
        ] {
            assert_eq!(of_remote(address).as_deref(), want, "{address}");
        }
    }
}
