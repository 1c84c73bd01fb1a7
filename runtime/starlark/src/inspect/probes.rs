//! The probes: a fixed list of commands that only read, started without a shell, and one question to GitHub.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::{Inspected, ProbeAnswer};
use crate::fault::{Class, Fault};
use crate::http::{Request, Transport, url};

/// A probe that takes longer is ended.
const PATIENCE: Duration = Duration::from_secs(20);

/// Output beyond this is an error.
const MAX_OUTPUT: u64 = 8 << 20;

fn fault(name: &str, text: &str) -> Box<Fault> {
    Fault::new(Class::Probe, format!("starlark probe {name:?}: {text}"))
}

/// Environment variables, as far as a probe needs them.
pub trait Environment {
    /// The value of a variable that is set.
    fn variable(&self, name: &str) -> Option<String>;
}

/// The environment of this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// What `gh.issue.list` needs: a network and a token from the environment.
pub struct GitHub {
    /// The network; without one the probe fails.
    pub transport: Option<Box<dyn Transport>>,
    /// Where the token comes from.
    pub environment: Box<dyn Environment>,
    /// The address of the service, without a slash at its end.
    pub base: String,
}

impl Default for GitHub {
    fn default() -> Self {
        Self {
            transport: None,
            environment: Box::new(ProcessEnvironment),
            base: "https://api.github.com".to_owned(),
        }
    }
}

/// Runs a probe of the list in a folder.
pub(super) fn run(root: &Path, github: &mut GitHub, name: &str, arguments: &[String]) -> Inspected<ProbeAnswer> {
    match name {
        "git.status" => git(root, name, &["status", "--porcelain"]),
        "git.ls_files" => {
            let Some(first) = arguments.first() else {
                let text = format!("argv placeholder {{0}} has no argument (got {} args)", arguments.len());
                return Err(fault(name, &text));
            };
            // An option could make git do something else than list.
            if first.starts_with('-') {
                let out = format!("error: unknown option `{}'\n", first.trim_start_matches('-'));
                return Ok(ProbeAnswer { exit: 129, out });
            }
            if first.contains('\0') {
                return Err(fault(name, "an argument holds a NUL"));
            }
            git(root, name, &["ls-files", first])
        }
        "gh.issue.list" => issues(github, name, arguments),
        _ => Err(fault(name, "not on the allow-list")),
    }
}

/// Runs git so that it only reads: no locks, no hooks and no helper programs of the repository.
fn git(root: &Path, name: &str, arguments: &[&str]) -> Inspected<ProbeAnswer> {
    let (mut reader, writer) = std::io::pipe().map_err(|e| fault(name, &e.to_string()))?;
    let errors = writer.try_clone().map_err(|e| fault(name, &e.to_string()))?;
    let mut command = Command::new("git");
    command
        .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
        .args(arguments)
        .current_dir(root)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(errors);
    let mut child = command.spawn().map_err(|e| fault(name, &format!("exec: git: {e}")))?;
    // The command holds the write ends; they must go, or the output never ends.
    drop(command);
    let (done, output) = mpsc::channel();
    std::thread::spawn(move || {
        let mut out = Vec::new();
        let result = reader.by_ref().take(MAX_OUTPUT + 1).read_to_end(&mut out).map(|_| out);
        let _ = done.send(result);
    });
    let start = Instant::now();
    let out = output.recv_timeout(PATIENCE);
    let complete = matches!(&out, Ok(Ok(bytes)) if u64::try_from(bytes.len()).is_ok_and(|n| n <= MAX_OUTPUT));
    if !complete || start.elapsed() > PATIENCE {
        let _ = child.kill();
        let _ = child.wait();
    }
    let out = match out {
        Ok(Ok(bytes)) if complete => bytes,
        Ok(Ok(_)) => return Err(fault(name, "too much output")),
        Ok(Err(e)) => return Err(fault(name, &e.to_string())),
        Err(_) => return Err(fault(name, "no answer in time")),
    };
    let status = child.wait().map_err(|e| fault(name, &e.to_string()))?;
    let exit = i64::from(status.code().unwrap_or(-1));
    Ok(ProbeAnswer {
        exit,
        out: String::from_utf8_lossy(&out).into_owned(),
    })
}

fn issues(github: &mut GitHub, name: &str, arguments: &[String]) -> Inspected<ProbeAnswer> {
    let repository = match arguments {
        [one] if !one.trim().is_empty() => one.trim(),
        _ => return Err(fault(name, "expected one owner/repo argument")),
    };
    let token = ["GH_TOKEN", "GITHUB_TOKEN"]
        .iter()
        .filter_map(|variable| github.environment.variable(variable))
        .map(|token| token.trim().to_owned())
        .find(|token| !token.is_empty());
    let Some(token) = token else {
        let out = "GH_TOKEN or GITHUB_TOKEN is required for native GitHub issue probes".to_owned();
        return Ok(ProbeAnswer { exit: 1, out });
    };
    let Some(transport) = &mut github.transport else {
        return Err(fault(name, "no network is configured for this run"));
    };
    let query = url::escape(&format!("repo:{repository} is:issue"));
    let headers = [
        ("Accept", "application/vnd.github+json".to_owned()),
        ("Authorization", format!("Bearer {token}")),
        ("X-GitHub-Api-Version", "2022-11-28".to_owned()),
    ];
    let request = Request {
        method: "GET".to_owned(),
        url: format!("{}/search/issues?q={query}&per_page=200", github.base),
        headers: headers.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
        body: Vec::new(),
    };
    let response = transport.send(&request).map_err(|e| fault(name, &e))?;
    if response.status >= 300 {
        let out = String::from_utf8_lossy(&response.body).trim().to_owned();
        return Ok(ProbeAnswer { exit: 1, out });
    }
    let answer: Json =
        serde_json::from_slice(&response.body).map_err(|e| fault(name, &format!("parse GitHub response: {e}")))?;
    Ok(ProbeAnswer {
        exit: 0,
        out: listed(&answer),
    })
}

/// The issues as a list of number, state and title, in that order.
fn listed(answer: &Json) -> String {
    let quoted = |text: &str| {
        let mut out = Vec::new();
        crate::library::quote_json(text.as_bytes(), &mut out);
        String::from_utf8_lossy(&out).into_owned()
    };
    let text = |item: &Json, key: &str| quoted(item.get(key).and_then(Json::as_str).unwrap_or_default());
    let items = answer
        .get("items")
        .and_then(Json::as_array)
        .map_or(&[][..], Vec::as_slice);
    let rows: Vec<String> = items
        .iter()
        .map(|item| {
            let number = item.get("number").and_then(Json::as_i64).unwrap_or(0);
            format!(
                "{{\"number\":{number},\"state\":{},\"title\":{}}}",
                text(item, "state"),
                text(item, "title")
            )
        })
        .collect();
    format!("[{}]", rows.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Response;

    struct Token;
    impl Environment for Token {
        fn variable(&self, name: &str) -> Option<String> {
            (name == "GITHUB_TOKEN").then(|| " secret ".to_owned())
        }
    }

    struct Fake(i64, &'static str);
    impl Transport for Fake {
        fn send(&mut self, request: &Request) -> Result<Response, String> {
            assert_eq!(
                request.url,
                "https://api.github.com/search/issues?q=repo%3Ao%2Fr+is%3Aissue&per_page=200"
            );
            assert_eq!(request.headers.get("Authorization").unwrap(), "Bearer secret");
            Ok(Response {
                status: self.0,
                body: self.1.as_bytes().to_vec(),
                ..Response::default()
            })
        }
    }

    fn ask(status: i64, body: &'static str) -> Inspected<ProbeAnswer> {
        let transport: Option<Box<dyn Transport>> = Some(Box::new(Fake(status, body)));
        let mut github = GitHub {
            transport,
            environment: Box::new(Token),
            ..GitHub::default()
        };
        run(Path::new("."), &mut github, "gh.issue.list", &[" o/r ".to_owned()])
    }

    #[test]
    fn issues_are_listed_in_a_fixed_form() {
        let answer = ask(
            200,
            r#"{"items": [{"title": "a<b", "number": 7, "state": "open", "x": 1}]}"#,
        )
        .unwrap();
        assert_eq!(
            answer,
            ProbeAnswer {
                exit: 0,
                out: r#"[{"number":7,"state":"open","title":"a\u003cb"}]"#.to_owned()
            }
        );
        assert_eq!(
            ask(404, " gone\n").unwrap(),
            ProbeAnswer {
                exit: 1,
                out: "gone".to_owned()
            }
        );
        assert_eq!(ask(200, "[").unwrap_err().class, Class::Probe);
    }

    #[test]
    fn an_option_is_not_handed_to_git() {
        let answer = run(
            Path::new("."),
            &mut GitHub::default(),
            "git.ls_files",
            &["--exec=x".to_owned()],
        )
        .unwrap();
        assert_eq!(answer.exit, 129);
    }
}
