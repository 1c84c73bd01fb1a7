//! `host.dev.profile_setup` and `host.dev.onboarding`: what a checkout and this machine say about themselves
//! (`hosts` 11.3, 11.4). Looking around is here; writing profiles is not part of this version and says so as data.

mod profiles;
mod project;
mod repository;

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::arguments::Arguments;
use crate::call::{Answer, Call, data};
use crate::place;

/// The largest file that is looked into, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The first of several paths that says something, as a whole path with `~` resolved.
fn target(call: &Call<'_>, candidates: &[&str], base: &str) -> PathBuf {
    let named = candidates
        .iter()
        .map(|c| c.trim())
        .find(|c| !c.is_empty())
        .unwrap_or(".");
    let context = call.context;
    let rest = named.strip_prefix("~/").or_else(|| (named == "~").then_some(""));
    match (rest, context.environment.home()) {
        (Some(rest), Some(home)) => place::cleaned(&home.join(rest)),
        _ => place::cleaned(&context.path(base).join(named)),
    }
}

/// A file of the checkout as text; empty when it is missing or no text file.
fn read(root: &Path, name: &str) -> String {
    place::read_text(&root.join(name), MAX_FILE).unwrap_or_default()
}

pub(super) fn profile_setup(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let named = ["target_path", "repo_root", "workdir"].map(|key| args.text(key));
    let root = target(call, &named, "");
    match args.text("op") {
        "discover" => Ok(profiles::discover(call, &root)),
        "apply" if args.get("candidate").is_none_or(|c| !c.is_object()) => {
            Err(args.wrong("candidate must be an object"))
        }
        "apply" => Ok(data(json!({
            "schema": "kitsoki-profile-setup-apply/v1",
            "status": "failed",
            "target_path": root,
            "error": "writing a profile is not available in this version of kitsoki",
        }))),
        other => args.unknown_operation(other),
    }
}

pub(super) fn onboarding(call: &Call<'_>) -> Answer {
    let args = Arguments::of(call);
    let unavailable = "not available in this version of kitsoki";
    match args.text("op") {
        "discover" => {
            let request = args.text("request");
            let request = request.strip_prefix("onboard ").unwrap_or(request);
            let base = match args.text("workdir") {
                "" => args.text("repo_root"),
                workdir => workdir,
            };
            let root = target(call, &[request, args.text("repo_root"), args.text("workdir")], base);
            Ok(project::discover(call, &root))
        }
        "apply" => Ok(data(json!({
            "status": "apply-failed",
            "target_path": args.get("data").and_then(|d| d.get("target_path")),
            "profile_validation": {"ok": false, "schema": [unavailable], "semantic": [], "warnings": []},
            "error": format!("applying a project profile is {unavailable}"),
        }))),
        "readiness" => Ok(data(json!({
            "schema": "kitsoki-readiness/v1",
            "status": "error",
            "ok": false,
            "out": "",
            "error": format!("checking readiness is {unavailable}"),
            "checks": [],
        }))),
        op @ ("customizations" | "refresh") => Err(args.outside(format!("{op} is {unavailable}"))),
        other => args.unknown_operation(other),
    }
}

/// A YAML mapping of a file.
fn mapping(root: &Path, name: &str) -> Result<crate::Data, String> {
    let text = read(root, name);
    match kitsoki_starlark::document::read(&text).map(|d| d.to_json()) {
        Ok(Json::Object(map)) => Ok(map),
        Ok(Json::Null) => Ok(crate::Data::new()),
        Ok(_) => Err(format!("{name} is no mapping")),
        Err(fault) => Err(format!("{name} cannot be read: {}", fault.message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::environment::Environment;

    fn ask(setup: &[(&str, &str)], handler: &str, with: Json) -> crate::Data {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in setup {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let environment = Environment::process()
            .with("HOME", folder.path())
            .with("GIT_CEILING_DIRECTORIES", "/");
        let context = Context::bare(folder.path(), environment);
        crate::builtins().invoke(handler, data(with), &context).unwrap()
    }

    #[test]
    fn a_checkout_tells_its_commands() {
        let setup = [
            ("Cargo.toml", "[package]\nname = \"kettle-core\"\n"),
            ("Makefile", "test:\n\tcargo nextest run\nrun: serve\n\t./serve\n"),
            ("CONTRIBUTING.md", "Branches are called fix/KET-12-steam.\n"),
        ];
        let found = ask(&setup, "host.dev.onboarding", json!({"op": "discover"}));
        assert_eq!((&found["ok"], &found["error"]), (&json!(true), &json!("")));
        assert_eq!(found["stack"], "rust project");
        assert_eq!(
            (&found["test_command"], &found["build_command"]),
            (&json!("make test"), &json!("cargo build"))
        );
        assert_eq!(found["repo_branch_pattern"], "fix/{issue_id}-{slug}");
        assert_eq!(found["dev_server_applicable"], true);
    }

    #[test]
    fn profiles_are_told_without_their_secrets() {
        let setup = [
            (
                ".kitsoki.yaml",
                "default_profile: a\nharness_profiles:\n  a: {backend: claude, env: {X: '${NO_SUCH_VARIABLE}'}}\n",
            ),
            (
                ".kitsoki.local.yaml",
                "harness_profiles:\n  b: {plugin: p, env: {TOKEN: hidden}}\n",
            ),
        ];
        let found = ask(&setup, "host.dev.profile_setup", json!({"op": "discover"}));
        assert_eq!(
            (&found["status"], &found["default_profile"]),
            (&json!("ok"), &json!("a"))
        );
        assert_eq!(found["profiles"][0]["readiness"], "env-missing");
        assert_eq!(found["profiles"][1]["readiness"], "plugin");
        assert!(!serde_json::to_string(&found).unwrap().contains("hidden"));
        assert_eq!(
            (
                found["backend_sources"].as_array().unwrap().len(),
                found["env_sources"].as_array().unwrap().len()
            ),
            (4, 7)
        );
    }
}
