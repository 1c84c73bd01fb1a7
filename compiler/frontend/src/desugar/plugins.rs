//! Agent plugins: their checks, and the default transport that every story has (`language` 3.13, 4.4).

use super::env::{EnvFault, fault_in_env};
use super::expansion::Expansion;
use super::make::{Make, map_in};
use crate::rules::macros as rules;
use crate::surface::{Field, Made, Map, MapEntry, Plugin, Text};
use kitsoki_syntax::Span;

/// The transport that a story need not declare.
const DEFAULT: (&str, &str) = ("agent.claude", "builtin.claude_cli");

/// Checks the plugins and adds the default one.
pub(super) fn resolve(cx: &mut Expansion<'_>) {
    let mut findings = Vec::new();
    let plugins = cx.story.manifest.agent_plugins.as_ref();
    let has_default = plugins.is_some_and(|p| p.value.has(DEFAULT.0));
    for entry in plugins.into_iter().flat_map(|p| p.entries.iter()) {
        if let Some(finding) = fault(entry) {
            findings.push(finding);
            continue;
        }
        let faults = env_faults(cx, entry.value.env.as_ref());
        let more = env_faults(cx, entry.value.headers.as_ref());
        findings.extend(
            faults
                .into_iter()
                .chain(more)
                .map(|f| rules::plugin_env_unset(f.place, f.variable.as_deref())),
        );
    }
    findings.into_iter().for_each(|f| cx.report(f));
    if !has_default {
        let make = Make {
            made: Made::Builtin,
            site: cx.home(),
        };
        let plugin = Plugin {
            plugin: make.text_field(DEFAULT.1),
            ..Plugin::synthesized(make.made, make.site)
        };
        map_in(&mut cx.story.manifest.agent_plugins, make.site).push(make.text(DEFAULT.0), plugin);
    }
}

/// The first thing that is wrong with the entry itself.
fn fault(entry: &MapEntry<Plugin>) -> Option<kitsoki_diagnostics::Diagnostic> {
    let (name, plugin) = (&entry.name, &entry.value);
    if entry.null {
        return Some(rules::plugin_null(name.span, name.as_str()));
    }
    if !name.text.starts_with("agent.") {
        return Some(rules::plugin_alias_prefix(name.span, name.as_str()));
    }
    let Some(kind) = plugin.plugin.as_ref().filter(|p| !p.text.is_empty()) else {
        let place = plugin.plugin.as_ref().map_or(name.span, |p| p.value.span);
        return Some(rules::plugin_kind_missing(place, name.as_str()));
    };
    let blank = |field: &Option<Field<Text>>| field.as_ref().is_none_or(|f| f.value.is_blank());
    // A key that is there and blank is the place; else the word that asks for it.
    let place = |field: &Option<Field<Text>>| field.as_ref().map_or(kind.value.span, |f| f.value.span);
    match kind.text.as_str() {
        "builtin.claude_cli" | "builtin.inprocess" => None,
        "subprocess" => blank(&plugin.command).then(|| rules::plugin_command_missing(place(&plugin.command))),
        "mcp_http" => blank(&plugin.endpoint).then(|| rules::plugin_endpoint_missing(place(&plugin.endpoint))),
        "builtin.local_llm" => (blank(&plugin.model) && blank(&plugin.endpoint)).then(|| {
            rules::plugin_model_missing(place(if plugin.model.is_some() {
                &plugin.model
            } else {
                &plugin.endpoint
            }))
        }),
        other => Some(rules::plugin_kind_unknown(kind.value.span, other)),
    }
}

/// A variable in `env` or `headers` that is not set.
pub(super) struct EnvUse {
    pub place: Span,
    /// As written, braces included; `None` for `${}`.
    pub variable: Option<String>,
}

/// What is wrong with the values of `env` or `headers`, at most one for each.
pub(super) fn env_faults(cx: &Expansion<'_>, values: Option<&Field<Map<Text>>>) -> Vec<EnvUse> {
    let is_set = |name: &str| cx.db.system().env(name).is_some();
    let mut faults = Vec::new();
    for text in values.into_iter().flat_map(|v| v.entries.iter()).map(|e| &e.value) {
        let (range, named) = match fault_in_env(text.as_str(), is_set) {
            Some(EnvFault::Unset(range)) => (range, true),
            Some(EnvFault::NoName(range)) => (range, false),
            None => continue,
        };
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let place = cx.place(text, small(range.start)..small(range.end));
        let variable = text.text.get(range).filter(|_| named).map(str::to_owned);
        faults.push(EnvUse { place, variable });
    }
    faults
}
