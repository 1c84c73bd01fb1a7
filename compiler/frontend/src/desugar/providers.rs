//! Providers: their checks (`language` 3.14, 4.4). They need no expansion: `${NAME}` stays until somebody runs the story.

use kitsoki_diagnostics::Diagnostic;

use super::expansion::Expansion;
use super::plugins::env_faults;
use crate::package::EFFORTS;
use crate::rules::macros as rules;
use crate::surface::{Field, MapEntry, Provider, Text};

/// Back ends that a provider may name.
const BACKENDS: [&str; 3] = ["claude", "codex", "copilot"];

/// Checks every provider.
pub(super) fn check(cx: &mut Expansion<'_>) {
    let mut findings = Vec::new();
    for entry in cx.story.manifest.providers.iter().flat_map(|p| p.entries.iter()) {
        match fault(entry) {
            Some(finding) => findings.push(finding),
            None => {
                let faults = env_faults(cx, entry.value.env.as_ref());
                findings.extend(
                    faults
                        .into_iter()
                        .map(|f| rules::provider_env_unset(f.place, f.variable.as_deref())),
                );
            }
        }
    }
    findings.into_iter().for_each(|f| cx.report(f));
}

fn fault(entry: &MapEntry<Provider>) -> Option<Diagnostic> {
    let (name, provider) = (&entry.name, &entry.value);
    if entry.null {
        return Some(rules::provider_null(name.span, name.as_str()));
    }
    let word = |field: &Option<Field<Text>>| {
        field
            .as_ref()
            .map(|f| f.value.text.trim().to_owned())
            .unwrap_or_default()
    };
    let (backend, effort) = (word(&provider.backend), word(&provider.effort));
    let env = provider.env.as_ref().filter(|e| !e.entries.is_empty());
    if backend.is_empty() && effort.is_empty() && word(&provider.model).is_empty() && env.is_none() {
        return Some(rules::provider_empty(
            blank_part(provider).unwrap_or(name.span),
            name.as_str(),
        ));
    }
    if let Some(text) = provider
        .backend
        .as_ref()
        .filter(|_| !backend.is_empty() && !BACKENDS.contains(&backend.as_str()))
    {
        return Some(rules::provider_backend_unknown(text.value.span, &backend));
    }
    let effort_field = provider
        .effort
        .as_ref()
        .filter(|_| !effort.is_empty() && !EFFORTS.contains(&effort.as_str()));
    effort_field.map(|text| rules::provider_effort_unknown(text.value.span, &effort))
}

/// The one key that is there and says nothing.
fn blank_part(provider: &Provider) -> Option<kitsoki_syntax::Span> {
    let texts = [&provider.backend, &provider.model, &provider.effort]
        .into_iter()
        .flatten()
        .map(|f| f.value.span);
    texts.chain(provider.env.iter().map(|e| e.value.span)).next()
}
