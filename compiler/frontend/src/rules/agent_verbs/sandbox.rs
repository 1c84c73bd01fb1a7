//! The `sandbox` argument of agent verbs: which of its rules speaks (`language` D74, D75).

use super::super::calls::Call;
use super::super::decoding;
use super::super::prelude::*;
use super::{
    sandbox_not_mapping, sandbox_on_codeact, sandbox_paths_invalid, sandbox_timeout_invalid, sandbox_word_unknown,
};

/// The keys that the host reads.
const KEYS: &[&str] = &[
    "min_strength",
    "repo",
    "network",
    "degrade",
    "auth_home",
    "rw",
    "hidden",
    "resources",
];
/// The keys of `resources` that the host reads.
const RESOURCES: &[&str] = &["timeout", "activity_timeout"];

/// Checks the `sandbox` of one call.
pub(super) fn check(cx: &StoryCx<'_>, call: &Call<'_>, verb: &str, out: &mut Vec<Diagnostic>) {
    let Some(entry) = call.entry("sandbox").filter(|e| e.value.kind != AnyKind::Null) else {
        return;
    };
    match verb {
        "task" | "converse" | "decide" => block(cx, call, &entry.value, out),
        "codeact" => out.push(sandbox_on_codeact::at(entry.name.span).level(call.level())),
        _ => out.push(decoding::ignored_key(
            cx.inside(&entry.name),
            "sandbox",
            &format!("`host.agent.{verb}`"),
            &[],
        )),
    }
}

fn block(cx: &StoryCx<'_>, call: &Call<'_>, value: &Any, out: &mut Vec<Diagnostic>) {
    let Some(entries) = value.as_map() else {
        if !value.as_text().is_some_and(Text::is_templated) {
            out.push(sandbox_not_mapping::at(value).level(call.level()));
        }
        return;
    };
    for entry in entries {
        let name = entry.name.as_str();
        match name {
            "rw" | "hidden" => sandbox_paths_invalid::check(&entry.value, name, call.level(), out),
            "resources" => resources(cx, &entry.value, call.level(), out),
            _ if KEYS.contains(&name) => sandbox_word_unknown::check(&entry.value, name, call.level(), out),
            _ => out.push(decoding::ignored_key(cx.inside(&entry.name), name, "a sandbox", KEYS)),
        }
    }
}

fn resources(cx: &StoryCx<'_>, value: &Any, level: Level, out: &mut Vec<Diagnostic>) {
    for entry in value.as_map().unwrap_or_default() {
        let name = entry.name.as_str();
        match name {
            // The reference looks at the other duration only when the call starts.
            "timeout" => out.extend(sandbox_timeout_invalid::find(&entry.value, name, level)),
            "activity_timeout" => out.extend(sandbox_timeout_invalid::find(&entry.value, name, Level::Warning)),
            _ => out.push(decoding::ignored_key(
                cx.inside(&entry.name),
                name,
                "a sandbox's `resources`",
                RESOURCES,
            )),
        }
    }
}
