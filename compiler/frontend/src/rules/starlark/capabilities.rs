//! Reads the `capabilities` of a script or of `host.agent.codeact`: what is granted, and what cannot be read
//! (`language` 4.5.2, `starlark` 7).

use kitsoki_syntax::Span;

use super::super::prelude::*;
use super::super::words::{did_you_mean, list};

/// The keys of the mapping.
const KEYS: &[&str] = &["stdlib", "world", "http", "fs", "probe", "vcs", "github", "host"];
/// The verbs that `ctx.host.call` may be granted.
const HOST_VERBS: &[&str] = &[
    "host.agent.ask",
    "host.agent.decide",
    "host.agent.task",
    "host.agent.extract",
    "host.agent.converse",
    "host.workspace_manager.get",
    "host.graph.load",
    "host.graph.lint",
    "host.graph.diff",
    "host.graph.project",
    "host.graph.query",
    "host.punch.verify",
    "host.proposal.publish",
    "host.dev.profile_setup",
    "host.dev.onboarding",
    "host.decomposition.update",
    "host.bakeoff.run",
    "host.product_journey.run",
    "host.session_mining.run",
    "host.ui_qa.run",
    "host.corpus.prove",
    "host.corpus.freeze_receipt",
];

/// Whether a surface is granted, and the place that says so or comes nearest to it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Grant {
    /// Granted.
    pub given: bool,
    /// The place that decides; `None` when nothing was written about it.
    pub site: Option<Span>,
}

/// What a call grants.
#[derive(Clone, Copy, Debug)]
pub struct Capabilities {
    /// `ctx.world`.
    pub world: Grant,
    /// `ctx.http`.
    pub http: Grant,
    /// `ctx.fs.read`, `exists` and `glob`.
    pub fs_read: Grant,
    /// `ctx.fs.write`.
    pub fs_write: Grant,
    /// `ctx.probe`.
    pub probe: Grant,
    /// The probe `gh.issue.list`.
    pub issues: Grant,
    /// `ctx.host`.
    pub host: Grant,
}

impl Default for Capabilities {
    fn default() -> Self {
        let no = Grant::default();
        Self {
            world: Grant {
                given: true,
                site: None,
            },
            http: no,
            fs_read: no,
            fs_write: no,
            probe: no,
            issues: no,
            host: no,
        }
    }
}

/// Something in the mapping that cannot be read.
#[derive(Clone, Debug)]
pub struct Fault {
    span: Span,
    label: String,
    message: String,
    help: Option<String>,
    near: Option<String>,
}

impl Fault {
    /// The finding of the rule that owns the position.
    #[must_use]
    pub fn finding(self, _cx: &StoryCx<'_>, rule: &Rule, level: Level) -> Diagnostic {
        let mut finding = rule.at(self.span, self.label).message(self.message).level(level);
        if let Some(near) = self.near {
            finding = finding
                .help(format!("a word with a similar spelling is {}", code(&near)))
                .fix(Fix::replace(self.span, near.as_str()).title(format!("change it to {}", code(&near))));
        } else if let Some(help) = self.help {
            finding = finding.help(help);
        }
        finding
    }
}

/// Reads a `capabilities` value. Templates inside are skipped, as in the reference.
#[must_use]
pub fn read(value: &Any) -> (Capabilities, Vec<Fault>) {
    let mut reader = Reader {
        out: Capabilities::default(),
        faults: Vec::new(),
    };
    match &value.kind {
        AnyKind::Null => {}
        AnyKind::Map(entries) => {
            for entry in entries {
                if !entry.name.is_templated() {
                    reader.entry(entry);
                }
            }
        }
        _ => reader.wrong(
            value,
            "capabilities are a mapping",
            "write for example `capabilities: { fs: { read: [\"notes/**\"] } }`",
        ),
    }
    (reader.out, reader.faults)
}

struct Reader {
    out: Capabilities,
    faults: Vec<Fault>,
}

impl Reader {
    fn entry(&mut self, entry: &AnyEntry) {
        let (value, key) = (&entry.value, entry.name.span);
        match entry.name.as_str() {
            "stdlib" => {
                for word in self.words(value, "stdlib") {
                    self.known(word, "module of the standard library", &["json", "math", "yaml"]);
                }
            }
            "world" => {
                let given = self.readable(value, "world");
                self.out.world = Grant {
                    given,
                    site: Some(if value.kind == AnyKind::Null { key } else { value.span }),
                };
            }
            "http" => self.http(entry),
            "fs" => self.fs(entry),
            "probe" => {
                let given = !self.words(value, "probe").is_empty();
                self.probe(given, key);
            }
            "vcs" => self.vcs(entry),
            "github" => self.github(entry),
            "host" => self.host(entry),
            other => self.unknown_key(key, other, "capability", KEYS),
        }
    }

    fn http(&mut self, entry: &AnyEntry) {
        let value = &entry.value;
        let given = match &value.kind {
            AnyKind::Null => true,
            AnyKind::Bool(given) => *given,
            AnyKind::List(_) => {
                self.words(value, "http");
                true
            }
            AnyKind::Map(entries) => {
                for inner in entries {
                    match inner.name.as_str() {
                        "methods" => drop(self.words(&inner.value, "http.methods")),
                        "hosts" => drop(self.words(&inner.value, "http.hosts")),
                        "cassette_required" if matches!(inner.value.kind, AnyKind::Bool(_)) => {}
                        "cassette_required" => {
                            self.wrong(
                                &inner.value,
                                "`cassette_required` is `true` or `false`",
                                "write it without quotes",
                            );
                        }
                        other => self.unknown_key(
                            inner.name.span,
                            other,
                            "`http` capability",
                            &["methods", "hosts", "cassette_required"],
                        ),
                    }
                }
                true
            }
            _ => {
                self.wrong(
                    value,
                    "`http` is `true`, `false`, a list of methods or a mapping",
                    "write for example `http: [GET]`",
                );
                true
            }
        };
        let site = if matches!(value.kind, AnyKind::Bool(_)) {
            value.span
        } else {
            entry.name.span
        };
        self.out.http = Grant {
            given,
            site: Some(site),
        };
    }

    fn fs(&mut self, entry: &AnyEntry) {
        let value = &entry.value;
        let (mut read, mut write, mut site) = (false, false, entry.name.span);
        match &value.kind {
            AnyKind::Null => {}
            AnyKind::Bool(given) => (read, write, site) = (*given, *given, value.span),
            AnyKind::Map(entries) => {
                if let Some(first) = entries.first() {
                    site = first.name.span;
                }
                for inner in entries {
                    match inner.name.as_str() {
                        "read" => read = !self.words(&inner.value, "fs.read").is_empty(),
                        "write" => write = !self.words(&inner.value, "fs.write").is_empty(),
                        "max_bytes" => self.integer(&inner.value, "fs.max_bytes"),
                        other => self.unknown_key(
                            inner.name.span,
                            other,
                            "`fs` capability",
                            &["read", "write", "max_bytes"],
                        ),
                    }
                }
            }
            _ => self.wrong(
                value,
                "`fs` is `true`, `false` or a mapping",
                "write for example `fs: { read: [\"notes/**\"] }`",
            ),
        }
        self.out.fs_read = Grant {
            given: read,
            site: Some(site),
        };
        self.out.fs_write = Grant {
            given: write,
            site: Some(site),
        };
    }

    fn vcs(&mut self, entry: &AnyEntry) {
        let value = &entry.value;
        let given = match &value.kind {
            AnyKind::Null => false,
            AnyKind::Bool(given) => *given,
            AnyKind::Text(text) if text.as_str().trim() == "read" => true,
            AnyKind::List(_) => {
                let words = self.words(value, "vcs");
                let some = !words.is_empty();
                for word in words {
                    self.known(
                        word,
                        "version control probe",
                        &["status", "git.status", "ls_files", "git.ls_files"],
                    );
                }
                some
            }
            _ => {
                self.wrong(
                    value,
                    "`vcs` is `read`, `true`, `false` or a list",
                    "write for example `vcs: [status]`",
                );
                false
            }
        };
        self.probe(given, entry.name.span);
    }

    fn github(&mut self, entry: &AnyEntry) {
        let value = &entry.value;
        let mut given = false;
        match &value.kind {
            AnyKind::Null | AnyKind::Bool(false) => {}
            AnyKind::Map(entries) => {
                for inner in entries {
                    match inner.name.as_str() {
                        "issues" => given = self.readable(&inner.value, "github.issues"),
                        other => self.unknown_key(inner.name.span, other, "`github` capability", &["issues"]),
                    }
                }
            }
            _ => self.wrong(
                value,
                "`github` names what may be read",
                "write `github: { issues: read }`",
            ),
        }
        self.probe(given, entry.name.span);
        self.out.issues = Grant {
            given,
            site: Some(entry.name.span),
        };
    }

    fn host(&mut self, entry: &AnyEntry) {
        let value = &entry.value;
        let mut given = false;
        match &value.kind {
            AnyKind::Null => {}
            AnyKind::Map(entries) => {
                for inner in entries {
                    if inner.name.as_str() == "verbs" {
                        let words = self.words(&inner.value, "host.verbs");
                        given = !words.is_empty();
                        for word in words {
                            self.known(word, "verb that a script may call", HOST_VERBS);
                        }
                    } else {
                        self.unknown_key(inner.name.span, inner.name.as_str(), "`host` capability", &["verbs"]);
                    }
                }
            }
            _ => self.wrong(
                value,
                "`host` is a mapping with `verbs`",
                "write for example `host: { verbs: [host.agent.ask] }`",
            ),
        }
        self.out.host = Grant {
            given,
            site: Some(entry.name.span),
        };
    }

    /// Probes come from three keys; one that grants wins.
    fn probe(&mut self, given: bool, site: Span) {
        if given || !self.out.probe.given {
            self.out.probe = Grant {
                given,
                site: Some(site),
            };
        }
        if self.out.issues.site.is_none() {
            self.out.issues.site = Some(site);
        }
    }

    /// `world` and `github.issues`: nothing, a truth value or one of four words.
    fn readable(&mut self, value: &Any, what: &str) -> bool {
        match &value.kind {
            AnyKind::Null => true,
            AnyKind::Bool(given) => *given,
            AnyKind::Text(text) if matches!(text.as_str().trim(), "" | "read" | "true") => true,
            AnyKind::Text(text) if matches!(text.as_str().trim(), "none" | "false") => false,
            _ => {
                self.wrong(
                    value,
                    &format!("`{what}` is `read` or `none`"),
                    "`true` and `false` mean the same",
                );
                true
            }
        }
    }

    /// A text or a list of texts that are not blank. Items with a template are skipped and grant nothing.
    fn words<'v>(&mut self, value: &'v Any, what: &str) -> Vec<&'v Text> {
        match &value.kind {
            AnyKind::Null => Vec::new(),
            AnyKind::Text(text) if text.is_blank() => Vec::new(),
            AnyKind::Text(text) => vec![text],
            AnyKind::List(items) => {
                let mut words = Vec::new();
                for item in items {
                    match item.as_text() {
                        Some(text) if text.is_templated() => {}
                        Some(text) if !text.is_blank() => words.push(text),
                        _ => self.wrong(
                            item,
                            &format!("the entries of `{what}` are texts that are not blank"),
                            "take it out",
                        ),
                    }
                }
                words
            }
            _ => {
                self.wrong(
                    value,
                    &format!("`{what}` is a text or a list of texts"),
                    "write a list of texts",
                );
                Vec::new()
            }
        }
    }

    fn integer(&mut self, value: &Any, what: &str) {
        let whole = match &value.kind {
            AnyKind::Int(_) => true,
            AnyKind::Uint(n) => i64::try_from(*n).is_ok(),
            AnyKind::Float(x) => x.fract() == 0.0 && x.abs() < 9.2e18,
            _ => false,
        };
        if !whole {
            self.wrong(
                value,
                &format!("`{what}` is an integer"),
                "write a number without quotes",
            );
        }
    }

    fn known(&mut self, word: &Text, what: &str, words: &[&str]) {
        let name = word.as_str().trim();
        if words.contains(&name) {
            return;
        }
        self.faults.push(Fault {
            span: word.span,
            label: format!("no {what}"),
            message: format!("there is no {what} {}", code(name)),
            help: Some(if words.len() <= 8 {
                format!("there are {}", list(words))
            } else {
                "a script may call only verbs of a fixed list, most of them under `host.agent` and `host.graph`"
                    .to_owned()
            }),
            near: did_you_mean(name, words.iter().copied()).map(str::to_owned),
        });
    }

    fn unknown_key(&mut self, span: Span, name: &str, what: &str, keys: &[&str]) {
        self.faults.push(Fault {
            span,
            label: format!("no {what}"),
            message: format!("there is no {what} {}", code(name)),
            help: Some(format!("there are {}", list(keys))),
            near: did_you_mean(name, keys.iter().copied()).map(str::to_owned),
        });
    }

    fn wrong(&mut self, value: &Any, message: &str, help: &str) {
        let label = match &value.kind {
            AnyKind::Text(text) if text.is_blank() => "blank".to_owned(),
            _ => format!("{} here", value.kind_word()),
        };
        self.faults.push(Fault {
            span: value.span,
            label,
            message: message.to_owned(),
            help: Some(help.to_owned()),
            near: None,
        });
    }
}
