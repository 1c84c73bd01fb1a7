//! What a checkout says about itself: its name, its commands, its conventions.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::read;
use super::repository::Repository;
use crate::call::{Call, Data, data};

pub(super) fn discover(call: &Call<'_>, root: &Path) -> Data {
    let mut out = empty(root);
    if !root.is_dir() {
        out.insert(
            "error".to_owned(),
            json!("target path does not exist or is not a directory"),
        );
        return out;
    }
    let name = name(root);
    let commands = Commands::of(root);
    let repository = Repository::of(call, root);
    let dev_server = commands.starts_a_server(root);
    let mut resolutions = Vec::new();
    let mut resolve = |field: &str, value: &str, found: bool, evidence: &str| {
        let source = if found { "discovered" } else { "default" };
        let mut one = json!({
            "field": field,
            "value": value,
            "source": source,
            "evidence": evidence,
            "update": format!(".kitsoki/project-profile.yaml#{field}"),
        });
        if !found && let Some(map) = one.as_object_mut() {
            let notice = format!("{field} was not found in the checkout; set it in .kitsoki/project-profile.yaml");
            map.insert("notice".to_owned(), json!(notice));
        }
        resolutions.push(one);
    };
    for (field, value) in [
        ("commands.dev", &commands.dev),
        ("commands.test", &commands.test),
        ("commands.build", &commands.build),
    ] {
        resolve(field, value, !value.is_empty(), &commands.stack);
    }
    let in_git = repository.vcs == "git";
    resolve(
        "repo.default_branch",
        &repository.branch,
        in_git,
        "the repository's branches",
    );
    let policy = BranchPolicy::of(root);
    resolve("repo.branch_pattern", &policy.pattern, policy.found, &policy.evidence);
    resolve("repo.branch_issue_id", policy.issue_id, policy.found, &policy.evidence);
    let on_github = !repository.github.is_empty();
    resolve(
        "pull_requests.repository",
        &repository.github,
        on_github,
        "the remote of the repository",
    );
    resolve(
        "pull_requests.base_branch",
        &repository.branch,
        in_git,
        "the repository's branches",
    );
    let template = template(root);
    resolve(
        "pull_requests.template",
        &template,
        !template.is_empty(),
        "the usual places of templates",
    );
    let defaults: Vec<Json> = resolutions
        .iter()
        .filter(|r| r.get("source") == Some(&json!("default")))
        .cloned()
        .collect();
    let (tracker, tickets) = repository.tracker(root);
    out.extend(data(json!({
        "ok": true,
        "project_id": slug(&name),
        "project_title": title(&name),
        "stack": commands.stack,
        "dev_command": commands.dev,
        "test_command": commands.test,
        "build_command": commands.build,
        "repo_vcs": repository.vcs,
        "repo_default_branch": repository.branch,
        "repo_remote": repository.remote,
        "tracker": tracker,
        "ticket_repo": tickets,
        "repo_branch_pattern": policy.pattern,
        "repo_branch_issue_id": policy.issue_id,
        "pr_provider": if on_github { "github" } else { "" },
        "pr_repository": repository.github,
        "pr_base_branch": repository.branch,
        "pr_template": template,
        "goals": goals(dev_server),
        "resolutions": resolutions,
        "default_notices": defaults,
        "dev_server_applicable": dev_server,
    })));
    out
}

/// Every key that an answer has, saying nothing.
fn empty(root: &Path) -> Data {
    let story = |id: &str, title: &str, source: &str, summary: &str| json!({"id": id, "title": title, "source_story": source, "status": "enabled", "summary": summary});
    let stories = [
        story(
            "setup",
            "Project setup",
            "dev-story:onboarding",
            "Set the checkout up and check that it is ready.",
        ),
        story(
            "bugfix",
            "Bug fixing",
            "bugfix",
            "Reproduce a bug, fix it, run the project's gates, deliver it.",
        ),
        story(
            "repo-bakeoff",
            "Repository history",
            "repo-bakeoff",
            "Prepare cases from the repository's history.",
        ),
        story(
            "pr-refinement",
            "Pull requests",
            "pr-refinement",
            "Bring a pull request through review and checks.",
        ),
        story(
            "git-ops",
            "Git operations",
            "git-ops",
            "Branches, trees, commits and integration, guarded.",
        ),
    ];
    let pack = json!({
        "id": "focused-engineering",
        "title": "Focused engineering starter",
        "summary": "Setup, bug fixing, repository history, pull requests and git operations.",
        "stories": ["setup", "bugfix", "repo-bakeoff", "pr-refinement", "git-ops"],
    });
    let texts = [
        "error",
        "project_id",
        "project_title",
        "stack",
        "dev_command",
        "test_command",
        "build_command",
        "repo_default_branch",
        "repo_remote",
        "ticket_repo",
        "repo_branch_pattern",
        "repo_branch_issue_id",
        "pr_provider",
        "pr_repository",
        "pr_base_branch",
        "pr_template",
    ];
    let mut out: Data = texts.iter().map(|t| ((*t).to_owned(), json!(""))).collect();
    out.extend(data(json!({
        "ok": false,
        "target_path": root,
        "conventions": "local defaults",
        "repo_vcs": "none",
        "tracker": "none",
        "ticket_sources": [],
        "goals": {},
        "resolutions": [],
        "default_notices": [],
        "starter_stories": stories,
        "story_pack": pack.get("id"),
        "story_pack_title": pack.get("title"),
        "story_pack_summary": pack.get("summary"),
        "story_packs": [pack],
        "transcript_count": 0,
        "transcript_sources": [],
        "mining_recommendation": {
            "status": "no-transcripts-found",
            "sample": "recency",
            "first_pass_sample": 0,
            "transcript_count": 0,
            "sources": [],
            "note": "transcripts are not looked for",
        },
        "dev_server_applicable": false,
    })));
    out
}

/// The name of the project: of its manifest, else of its folder.
fn name(root: &Path) -> String {
    let package: Json = serde_json::from_str(&read(root, "package.json")).unwrap_or_default();
    if let Some(name) = package.get("name").and_then(Json::as_str).filter(|n| !n.is_empty()) {
        return name.to_owned();
    }
    let python = read(root, "pyproject.toml");
    let named = python
        .lines()
        .find_map(|l| l.trim().strip_prefix("name")?.trim_start().strip_prefix('='));
    match named.map(|n| n.trim().trim_matches(['"', '\''])) {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => root
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default(),
    }
}

fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    match out.trim_end_matches('-') {
        "" => "project".to_owned(),
        slug => slug.to_owned(),
    }
}

fn title(name: &str) -> String {
    let words = name.split(['-', '_', ' ']).filter(|w| !w.is_empty());
    let capital = words.map(|w| {
        let mut letters = w.chars();
        letters
            .next()
            .map(|c| c.to_uppercase().chain(letters).collect::<String>())
            .unwrap_or_default()
    });
    capital.collect::<Vec<_>>().join(" ")
}

struct Commands {
    stack: String,
    dev: String,
    test: String,
    build: String,
}

impl Commands {
    fn of(root: &Path) -> Self {
        let new = |stack: &str, test: &str, build: &str| Self {
            stack: stack.to_owned(),
            dev: String::new(),
            test: test.to_owned(),
            build: build.to_owned(),
        };
        let has = |name: &str| root.join(name).is_file();
        let package: Json = serde_json::from_str(&read(root, "package.json")).unwrap_or_default();
        if package.is_object() {
            let lock = [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lockb", "bun")];
            let manager = lock.iter().find(|(file, _)| has(file)).map_or("npm", |(_, m)| m);
            let script = |name: &str| match package.pointer(&format!("/scripts/{name}")) {
                Some(_) => format!("{manager} run {name}"),
                None => String::new(),
            };
            let mut out = new("node project", &script("test"), &script("build"));
            out.dev = script("dev");
            return out;
        }
        let mut out = if has("Cargo.toml") {
            new("rust project", "cargo test", "cargo build")
        } else if has("go.mod") {
            new("go project", "go test ./...", "go build ./...")
        } else if has("pyproject.toml") || has("requirements.txt") {
            new("python project", "python -m pytest", "")
        } else {
            new("local project", "", "")
        };
        let makefile = read(root, "Makefile");
        let target = |name: &str| {
            makefile
                .lines()
                .any(|l| l.strip_prefix(name).is_some_and(|r| r.starts_with(':')))
        };
        for (name, field) in [
            ("build", &mut out.build),
            ("test", &mut out.test),
            ("dev", &mut out.dev),
        ] {
            if target(name) {
                *field = format!("make {name}");
            }
        }
        if out.dev.is_empty() && target("run") {
            "make run".clone_into(&mut out.dev);
        }
        out
    }

    /// Whether the command for development leaves something running.
    fn starts_a_server(&self, root: &Path) -> bool {
        let words: Vec<&str> = self.dev.split_whitespace().collect();
        match words.as_slice() {
            ["npm" | "pnpm" | "yarn" | "bun", "run", "dev" | "serve" | "start"] => true,
            ["make", target] => {
                let makefile = read(root, "Makefile");
                let line = makefile.lines().find_map(|l| l.strip_prefix(target)?.strip_prefix(':'));
                let serving = ["run", "serve", "server", "start", "web"];
                line.is_some_and(|l| l.split(|c: char| !c.is_alphanumeric()).any(|w| serving.contains(&w)))
            }
            _ => false,
        }
    }
}

struct BranchPolicy {
    pattern: String,
    issue_id: &'static str,
    evidence: String,
    found: bool,
}

impl BranchPolicy {
    fn of(root: &Path) -> Self {
        for name in ["CONTRIBUTING.md", "AGENTS.md", "README.md", "docs/CONTRIBUTING.md"] {
            let text = read(root, name);
            let words = text.split(|c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '(' | ')' | ','));
            let example = words.filter_map(|w| w.split_once('/')).find(|(kind, rest)| {
                let kind = kind.to_lowercase();
                matches!(kind.as_str(), "feature" | "fix" | "bugfix" | "docs")
                    && rest.starts_with(|c: char| c.is_ascii_alphanumeric())
                    && !rest.ends_with(".md")
            });
            let Some((kind, rest)) = example else { continue };
            let kind = kind.to_lowercase();
            let numbered = rest
                .split('-')
                .any(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_digit()));
            let (pattern, issue_id) = if numbered {
                (format!("{kind}/{{issue_id}}-{{slug}}"), "required")
            } else {
                (format!("{kind}/{{slug}}"), "optional")
            };
            return Self {
                pattern,
                issue_id,
                evidence: format!("{name} has an example of a branch"),
                found: true,
            };
        }
        Self {
            pattern: "feature/{slug}".to_owned(),
            issue_id: "optional",
            evidence: "no guide of the checkout has an example of a branch".to_owned(),
            found: false,
        }
    }
}

/// The template of pull requests.
fn template(root: &Path) -> String {
    let places = [
        ".github/pull_request_template.md",
        ".github/PULL_REQUEST_TEMPLATE.md",
        "docs/pull_request_template.md",
        "pull_request_template.md",
    ];
    let found = places.iter().find(|p| root.join(p).is_file());
    found.map(|p| (*p).to_owned()).unwrap_or_default()
}

/// What onboarding and validation want to be true afterwards.
fn goals(dev_server: bool) -> Json {
    let must = |id: &str, verification: &str, applicable: bool, statement: &str| {
        json!({
            "id": id,
            "statement": statement,
            "gate": "required",
            "verification": verification,
            "applicable": applicable,
        })
    };
    json!({
        "onboarding": {
            "statement": "The checkout is ready for work with stories.",
            "postconditions": [
                must("story-loadable", "story-load", true, "The project's own story loads."),
                must("tests-runnable", "tests", true, "The project's tests run."),
                must("dev-server-runnable", "dev-server", dev_server, "The server for development starts and stops."),
                must("branch-policy-known", "branch-policy", true, "The naming of branches is known."),
                must("ticket-source-known", "ticket-source", true, "The sources of tickets are known."),
                must("pr-policy-known", "pr-policy", true, "The way of pull requests is known."),
            ],
        },
        "validation": {
            "statement": "Work with stories is proven on cases of this repository.",
            "requires": ["onboarding"],
            "postconditions": [
                must("reference-corpus-frozen", "reference-corpus", true, "Cases are proven and frozen."),
                must("stable-corpus-green", "optimization-loop", true, "Every case is solved."),
                must("bug-to-pr-proven", "bug-to-pr", true, "A ticket becomes a pull request."),
            ],
        },
    })
}
