//! The profiles of a checkout, and which agent programs this machine has. No file of credentials is opened and no value of
//! a variable is told, only whether it is there.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::mapping;
use crate::call::{Call, Data, data};
use crate::environment::Environment;

/// An agent program, the variable that names another file for it, and the variables that sign it in.
struct Backend {
    name: &'static str,
    named_by: &'static str,
    signed_in_by: &'static [&'static str],
}

/// The known ones, by name.
const BACKENDS: [Backend; 4] = [
    Backend {
        name: "agy",
        named_by: "KITSOKI_AGENT_AGY_BIN",
        signed_in_by: &[],
    },
    Backend {
        name: "claude",
        named_by: "KITSOKI_AGENT_CLAUDE_BIN",
        signed_in_by: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    },
    Backend {
        name: "codex",
        named_by: "KITSOKI_AGENT_CODEX_BIN",
        signed_in_by: &["OPENAI_API_KEY", "SYNTHETIC_API_KEY"],
    },
    Backend {
        name: "copilot",
        named_by: "KITSOKI_AGENT_COPILOT_BIN",
        signed_in_by: &["GH_TOKEN", "GITHUB_TOKEN"],
    },
];

/// Variables that profiles use.
const VARIABLES: [&str; 7] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "SYNTHETIC_API_KEY",
    "GH_TOKEN",
    "GITHUB_TOKEN",
];

pub(super) fn discover(call: &Call<'_>, root: &Path) -> Data {
    let environment = &call.context.environment;
    let mut warnings = Vec::new();
    let mut config = |name: &str| {
        mapping(root, name).unwrap_or_else(|why| {
            warnings.push(why);
            Data::new()
        })
    };
    let (base, local) = (config(".kitsoki.yaml"), config(".kitsoki.local.yaml"));
    let text = |map: &Data, key: &str| {
        map.get(key)
            .and_then(Json::as_str)
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let declared = |map: &Data| {
        map.get("harness_profiles")
            .and_then(Json::as_object)
            .cloned()
            .unwrap_or_default()
    };
    let (of_base, of_local) = (declared(&base), declared(&local));
    let backends: Vec<Json> = BACKENDS.iter().map(|b| status(b, environment)).collect();
    let mut names: Vec<&String> = of_base.keys().chain(of_local.keys()).collect();
    names.sort();
    names.dedup();
    let profiles: Vec<Data> = names
        .into_iter()
        .map(|name| {
            let source = if of_local.contains_key(name) {
                "local"
            } else {
                "baseline"
            };
            let declared = of_local.get(name).or_else(|| of_base.get(name));
            let declared = declared.and_then(Json::as_object).cloned().unwrap_or_default();
            profile(name, source, declared, &backends, environment)
        })
        .collect();
    let default = match text(&local, "default_profile") {
        name if name.is_empty() => text(&base, "default_profile"),
        name => name,
    };
    let candidate = candidate(&profiles, &default);
    let (base_path, local_path) = (root.join(".kitsoki.yaml"), root.join(".kitsoki.local.yaml"));
    if !base_path.exists() {
        warnings.push(".kitsoki.yaml is missing; only .kitsoki.local.yaml will be written".to_owned());
    }
    if !local_path.exists() {
        warnings.push(".kitsoki.local.yaml does not exist yet".to_owned());
    }
    let preview = match candidate.get("name").and_then(Json::as_str) {
        Some(name) => format!("default_profile: {}\n", crate::plain::quoted(name)),
        None => String::new(),
    };
    let variables: Vec<Json> = VARIABLES
        .iter()
        .map(|name| {
            let present = environment.telling(name).is_some();
            json!({"name": name, "present": present, "source": if present { "process-env" } else { "" }})
        })
        .collect();
    data(json!({
        "schema": "kitsoki-profile-setup-discovery/v1",
        "status": "ok",
        "target_path": root,
        "config_path": base_path,
        "local_config_path": local_path,
        "baseline_exists": base_path.exists(),
        "local_exists": local_path.exists(),
        "baseline_default_profile": text(&base, "default_profile"),
        "local_default_profile": text(&local, "default_profile"),
        "default_profile": default,
        "profiles": profiles,
        "backend_sources": backends,
        "env_sources": variables,
        "candidate_action": candidate.get("action").cloned().unwrap_or_else(|| json!("")),
        "candidate_profile": candidate,
        "patch_preview": preview,
        "warnings": warnings,
    }))
}

/// What this machine has of a program.
fn status(backend: &Backend, environment: &Environment) -> Json {
    let named = environment.telling(backend.named_by);
    let on_path = || {
        environment
            .search_path()
            .into_iter()
            .map(|f| f.join(backend.name))
            .find(|p| p.is_file())
    };
    let (path, source) = match named {
        Some(path) => (path.to_owned(), "env"),
        None => match on_path() {
            Some(path) => (path.to_string_lossy().into_owned(), "PATH"),
            None => (String::new(), ""),
        },
    };
    let signed: Vec<&&str> = backend
        .signed_in_by
        .iter()
        .filter(|v| environment.telling(v).is_some())
        .collect();
    let logged_in = match (path.is_empty(), signed.is_empty()) {
        (true, _) => "no",
        (false, true) => "unknown",
        (false, false) => "yes",
    };
    let auth: Vec<Json> = signed
        .iter()
        .map(|v| json!({"type": "env", "name": v, "credential": true}))
        .collect();
    let summary: Vec<String> = signed.iter().map(|v| format!("env:{v}")).collect();
    json!({
        "backend": backend.name,
        "binary": backend.name,
        "override_env": backend.named_by,
        "installed": !path.is_empty(),
        "path_source": source,
        "path": path,
        "auth_sources": auth,
        "auth_summary": summary.join(", "),
        "logged_in": logged_in,
        "auth_probe_status": "",
    })
}

fn profile(name: &str, source: &str, declared: Data, backends: &[Json], environment: &Environment) -> Data {
    let mut out = declared;
    let variables = out
        .remove("env")
        .and_then(|e| e.as_object().cloned())
        .unwrap_or_default();
    let references: Vec<String> = variables
        .values()
        .filter_map(Json::as_str)
        .flat_map(references)
        .collect();
    out.insert("name".to_owned(), json!(name));
    out.insert("source".to_owned(), json!(source));
    let text = |key: &str| {
        out.get(key)
            .and_then(Json::as_str)
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let readiness = if !text("plugin").is_empty() {
        "plugin"
    } else if references.iter().any(|r| environment.telling(r).is_none()) {
        "env-missing"
    } else {
        let wanted = match text("backend") {
            backend if backend.is_empty() => "claude".to_owned(),
            backend => backend,
        };
        let found = backends.iter().find(|b| b.get("backend") == Some(&json!(wanted)));
        let of = |key: &str| found.and_then(|b| b.get(key));
        match (
            of("installed").and_then(Json::as_bool),
            of("logged_in").and_then(Json::as_str),
        ) {
            (Some(true), Some("yes")) if references.is_empty() => "installed",
            (Some(true), Some("yes")) => "env-present",
            (Some(true), _) => "installed-auth-unknown",
            _ => "missing",
        }
    };
    if !variables.is_empty() {
        let mut keys: Vec<&String> = variables.keys().collect();
        keys.sort();
        out.insert("env_keys".to_owned(), json!(keys));
        out.insert("env_refs".to_owned(), json!(references));
    }
    out.insert("readiness".to_owned(), json!(readiness));
    out
}

/// The names in `${NAME}` of a text.
fn references(text: &str) -> Vec<String> {
    let parts = text.split("${").skip(1).filter_map(|p| p.split_once('}'));
    let plain = |n: &&str| !n.is_empty() && n.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    parts.map(|(name, _)| name).filter(plain).map(str::to_owned).collect()
}

/// Another default, when the present one cannot be used and another can.
fn candidate(profiles: &[Data], default: &str) -> Data {
    let usable = |p: &&Data| {
        let ready = p.get("readiness").and_then(Json::as_str).unwrap_or_default();
        matches!(ready, "installed" | "env-present" | "plugin" | "installed-auth-unknown")
    };
    let name = |p: &Data| p.get("name").and_then(Json::as_str).unwrap_or_default().to_owned();
    if profiles.iter().filter(usable).any(|p| name(p) == default) {
        return Data::new();
    }
    match profiles.iter().find(usable) {
        Some(profile) => data(json!({"action": "set_default", "name": name(profile)})),
        None => Data::new(),
    }
}
