//! What an effect grants its script (`starlark` 7): parsing, and the checks at use. Knows nothing of the interpreter, so
//! that load checks can use it alone.

use crate::data::{Data, DataMap};
use crate::pattern::{clean, matches};

/// The handlers that `host.verbs` may name.
pub const HOST_VERBS: [&str; 22] = [
    "host.agent.ask",
    "host.agent.converse",
    "host.agent.decide",
    "host.agent.extract",
    "host.agent.task",
    "host.bakeoff.run",
    "host.corpus.freeze_receipt",
    "host.corpus.prove",
    "host.decomposition.update",
    "host.dev.onboarding",
    "host.dev.profile_setup",
    "host.graph.diff",
    "host.graph.lint",
    "host.graph.load",
    "host.graph.project",
    "host.graph.query",
    "host.product_journey.run",
    "host.proposal.publish",
    "host.punch.verify",
    "host.session_mining.run",
    "host.ui_qa.run",
    "host.workspace_manager.get",
];

/// What a script may do beyond computing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// The modules it has.
    pub stdlib: Vec<String>,
    /// Whether it may read the world.
    pub world: bool,
    /// Requests, when granted.
    pub http: Option<HttpGrant>,
    /// Files.
    pub fs: FsGrant,
    /// The probes it may run.
    pub probes: Vec<String>,
    /// The handlers it may call.
    pub verbs: Vec<String>,
}

/// Which requests are granted. An empty list means all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HttpGrant {
    /// Methods in capital letters.
    pub methods: Vec<String>,
    /// Host names, `*`, or `*.suffix`.
    pub hosts: Vec<String>,
    /// Only a cassette may answer.
    pub cassette_required: bool,
}

/// Which files are granted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FsGrant {
    /// Patterns for reading.
    pub read: Vec<String>,
    /// Patterns for writing.
    pub write: Vec<String>,
    /// The largest file in bytes, when above zero.
    pub max_bytes: i64,
}

impl Default for Capabilities {
    /// The modules and the world, nothing else.
    fn default() -> Self {
        Self {
            stdlib: ["json", "math", "yaml"].map(str::to_owned).to_vec(),
            world: true,
            http: None,
            fs: FsGrant::default(),
            probes: Vec::new(),
            verbs: Vec::new(),
        }
    }
}

type Parsed<T> = Result<T, String>;

impl Capabilities {
    /// Parses `with.capabilities`; absent and null mean the default.
    ///
    /// # Errors
    ///
    /// What is wrong, in words.
    pub fn parse(raw: Option<&Data>) -> Result<Self, String> {
        let mut out = Self::default();
        let map = match raw {
            None | Some(Data::Null) => return Ok(out),
            Some(Data::Map(map)) => map,
            Some(other) => return Err(format!("capabilities must be a mapping, got {}", other.kind())),
        };
        for (key, value) in map {
            // A template: known only when the effect runs.
            if key.contains("{{") {
                continue;
            }
            match key.as_str() {
                "stdlib" => {
                    out.stdlib = strings(value, "stdlib")?;
                    if let Some(name) = out
                        .stdlib
                        .iter()
                        .find(|n| !["json", "math", "yaml"].contains(&n.as_str()))
                    {
                        return Err(format!("unknown Starlark stdlib module {name:?}"));
                    }
                }
                "world" => out.world = readable(value, "world")?,
                "http" => out.http = http(value)?,
                "fs" => out.fs = fs(value)?,
                "probe" => out.probes.extend(strings(value, "probe")?),
                "vcs" => out.probes.extend(vcs(value)?),
                "github" => out.probes.extend(github(value)?),
                "host" => out.verbs = verbs(value)?,
                _ => return Err(format!("unknown Starlark capability key {key:?}")),
            }
        }
        out.probes = sorted(out.probes);
        Ok(out)
    }

    /// Whether `ctx.fs` exists.
    pub fn has_fs(&self) -> bool {
        !self.fs.read.is_empty() || !self.fs.write.is_empty()
    }

    /// Whether something stands behind `ctx.fs` or `ctx.probe`.
    pub fn needs_inspector(&self) -> bool {
        self.has_fs() || !self.probes.is_empty()
    }
}

impl HttpGrant {
    /// Whether a method is granted.
    pub fn admits_method(&self, method: &str) -> bool {
        self.methods.is_empty() || self.methods.iter().any(|m| m == method)
    }

    /// Whether a host name (in small letters, without port) is granted.
    pub fn admits_host(&self, host: &str) -> bool {
        self.hosts.is_empty()
            || self.hosts.iter().any(|pattern| {
                let pattern = pattern.to_lowercase();
                pattern == "*"
                    || pattern == host
                    || pattern
                        .strip_prefix('*')
                        .is_some_and(|suffix| suffix.starts_with('.') && host.ends_with(suffix))
            })
    }
}

impl FsGrant {
    /// Whether reading a path is granted.
    pub fn admits_read(&self, path: &str) -> bool {
        admits(&self.read, path)
    }

    /// Whether writing a path is granted.
    pub fn admits_write(&self, path: &str) -> bool {
        admits(&self.write, path)
    }

    /// Whether a size is above the cap.
    pub fn exceeded_by(&self, size: usize) -> bool {
        self.max_bytes > 0 && i64::try_from(size).is_ok_and(|n| n > self.max_bytes)
    }
}

fn admits(patterns: &[String], path: &str) -> bool {
    let path = clean(path);
    patterns.iter().any(|pattern| {
        pattern == "**"
            || pattern == "*"
            || *pattern == path
            || pattern.strip_suffix("/**").is_some_and(|prefix| {
                path == prefix || path.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('/'))
            })
            || matches(pattern, &path).unwrap_or(false)
    })
}

fn sorted(mut items: Vec<String>) -> Vec<String> {
    items.sort();
    items.dedup();
    items
}

/// A text or a list of texts, trimmed, without templates, sorted, each once.
fn strings(raw: &Data, name: &str) -> Parsed<Vec<String>> {
    match raw {
        Data::Null => Ok(Vec::new()),
        Data::Text(text) if text.trim().is_empty() => Ok(Vec::new()),
        Data::Text(text) => Ok(vec![text.trim().to_owned()]),
        Data::List(items) => {
            let mut out = Vec::new();
            for item in items {
                match item.as_text().map(str::trim) {
                    None | Some("") => return Err(format!("{name} entries must be non-empty strings")),
                    Some(text) if text.contains("{{") => {}
                    Some(text) => out.push(text.to_owned()),
                }
            }
            Ok(sorted(out))
        }
        other => Err(format!(
            "{name} must be a string or list of strings, got {}",
            other.kind()
        )),
    }
}

fn readable(raw: &Data, name: &str) -> Parsed<bool> {
    let wrong = |got: &str| Err(format!("{name} capability must be read|none|true|false, got {got}"));
    match raw {
        Data::Null => Ok(true),
        Data::Bool(b) => Ok(*b),
        Data::Text(text) => match text.trim() {
            "" | "read" | "true" => Ok(true),
            "none" | "false" => Ok(false),
            _ => wrong(&format!("{text:?}")),
        },
        other => wrong(other.kind()),
    }
}

fn unknown<T>(section: &str, key: &str) -> Parsed<T> {
    Err(format!("unknown {section} capability key {key:?}"))
}

fn http(raw: &Data) -> Parsed<Option<HttpGrant>> {
    let mut grant = HttpGrant::default();
    let upper = |names: Vec<String>| sorted(names.into_iter().map(|m| m.to_uppercase()).collect());
    match raw {
        Data::Null | Data::Bool(true) => {}
        Data::Bool(false) => return Ok(None),
        Data::List(_) => grant.methods = upper(strings(raw, "http")?),
        Data::Map(map) => {
            for (key, value) in map {
                match key.as_str() {
                    "methods" => grant.methods = upper(strings(value, "http.methods")?),
                    "hosts" => grant.hosts = strings(value, "http.hosts")?,
                    "cassette_required" => match value {
                        Data::Bool(b) => grant.cassette_required = *b,
                        _ => return Err("http.cassette_required must be a boolean".to_owned()),
                    },
                    _ => return unknown("http", key),
                }
            }
        }
        other => {
            return Err(format!(
                "http capability must be bool, list, or mapping, got {}",
                other.kind()
            ));
        }
    }
    Ok(Some(grant))
}

fn fs(raw: &Data) -> Parsed<FsGrant> {
    let mut grant = FsGrant::default();
    let patterns = |names: Vec<String>| sorted(names.iter().map(|p| clean(p)).collect());
    match raw {
        Data::Null | Data::Bool(false) => {}
        Data::Bool(true) => {
            grant.read = vec!["**".to_owned()];
            grant.write = vec!["**".to_owned()];
        }
        Data::Map(map) => {
            for (key, value) in map {
                match key.as_str() {
                    "read" => grant.read = patterns(strings(value, "fs.read")?),
                    "write" => grant.write = patterns(strings(value, "fs.write")?),
                    "max_bytes" => grant.max_bytes = integer(value, "fs.max_bytes")?,
                    _ => return unknown("fs", key),
                }
            }
        }
        other => return Err(format!("fs capability must be bool or mapping, got {}", other.kind())),
    }
    Ok(grant)
}

fn integer(raw: &Data, name: &str) -> Parsed<i64> {
    match raw {
        Data::Int(i) => Ok(*i),
        #[expect(clippy::cast_possible_truncation, reason = "the float is whole and within the range")]
        Data::Float(f) if f.fract() == 0.0 && f.abs() < 9.0e18 => Ok(*f as i64),
        Data::Float(_) => Err(format!("{name} must be an integer")),
        other => Err(format!("{name} must be an integer, got {}", other.kind())),
    }
}

fn vcs(raw: &Data) -> Parsed<Vec<String>> {
    let both = || vec!["git.status".to_owned(), "git.ls_files".to_owned()];
    match raw {
        Data::Null | Data::Bool(false) => Ok(Vec::new()),
        Data::Bool(true) => Ok(both()),
        Data::Text(text) if text.trim() == "read" => Ok(both()),
        Data::Text(text) => Err(format!(
            "vcs capability must be read|true|false or a list, got {text:?}"
        )),
        Data::List(_) => strings(raw, "vcs")?
            .into_iter()
            .map(|name| match name.as_str() {
                "status" | "git.status" => Ok("git.status".to_owned()),
                "ls_files" | "git.ls_files" => Ok("git.ls_files".to_owned()),
                _ => Err(format!("unknown vcs capability {name:?}")),
            })
            .collect(),
        other => Err(format!(
            "vcs capability must be read|true|false or a list, got {}",
            other.kind()
        )),
    }
}

fn github(raw: &Data) -> Parsed<Vec<String>> {
    match raw {
        Data::Null | Data::Bool(false) => Ok(Vec::new()),
        Data::Bool(true) => Err("github capability must name a GitHub API surface".to_owned()),
        Data::Map(map) => {
            let mut out = Vec::new();
            for (key, value) in map {
                if key != "issues" {
                    return unknown("github", key);
                }
                if readable(value, "world").map_err(|e| format!("github.issues: {e}"))? {
                    out.push("gh.issue.list".to_owned());
                }
            }
            Ok(out)
        }
        other => Err(format!("github capability must be a mapping, got {}", other.kind())),
    }
}

fn verbs(raw: &Data) -> Parsed<Vec<String>> {
    let map: &DataMap = match raw {
        Data::Null => return Ok(Vec::new()),
        Data::Map(map) => map,
        other => return Err(format!("host capability must be a mapping, got {}", other.kind())),
    };
    let mut out = Vec::new();
    for (key, value) in map {
        if key != "verbs" {
            return unknown("host", key);
        }
        out = strings(value, "host.verbs")?;
        if let Some(verb) = out.iter().find(|v| !HOST_VERBS.contains(&v.as_str())) {
            return Err(format!("unknown ctx.host verb {verb:?}"));
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(json: &str) -> Result<Capabilities, String> {
        Capabilities::parse(Some(&Data::from_json(&serde_json::from_str(json).unwrap())))
    }

    #[test]
    fn nothing_granted_is_the_default() {
        assert_eq!(Capabilities::parse(None).unwrap(), Capabilities::default());
        assert_eq!(parse("{}").unwrap(), Capabilities::default());
        assert!(
            parse(r#"{"http": false, "fs": null, "vcs": false}"#)
                .unwrap()
                .http
                .is_none()
        );
    }

    #[test]
    fn unknown_words_are_refused() {
        for text in [
            r#"{"shell": true}"#,
            r#"{"fs": {"reed": []}}"#,
            r#"{"http": {"host": []}}"#,
            r#"{"github": true}"#,
            r#"{"github": {"pulls": true}}"#,
            r#"{"host": {"verbs": ["host.run"]}}"#,
            r#"{"stdlib": ["time"]}"#,
            r#"{"vcs": ["push"]}"#,
            r#"{"fs": {"read": [["**"]]}}"#,
            r#""all""#,
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn path_patterns() {
        let grant = parse(r#"{"fs": {"read": ["docs/**", "*.md", "./a/../b.txt"]}}"#)
            .unwrap()
            .fs;
        for path in ["docs", "docs/a/b", "x.md", "b.txt", " docs/./a ", "docs\\a"] {
            assert!(grant.admits_read(path), "{path}");
        }
        for path in ["docs/../secret", "x/y.md", "docsx", "", "../docs/a"] {
            assert!(!grant.admits_read(path), "{path}");
        }
        assert!(!grant.admits_write("docs/a"));
    }

    #[test]
    fn host_patterns() {
        let grant = parse(r#"{"http": {"hosts": ["*.example.test", "A.test"]}}"#)
            .unwrap()
            .http
            .unwrap();
        assert!(grant.admits_host("api.example.test"));
        assert!(grant.admits_host("a.test"));
        for host in ["example.test", "evil-example.test", "a.test.evil", ""] {
            assert!(!grant.admits_host(host), "{host}");
        }
    }
}
