//! The story's tables as lines: head, world, intents, verbs, agents, policies.

use super::{Printer, quoted, word};
use crate::arena::{IntentId, OriginId};
use crate::value::Value;

/// What the story is and where it begins.
pub(super) fn head(p: &mut Printer<'_>) {
    let app = &p.story.app;
    p.line(format!("story {} {}", word(&app.id), app.version).trim_end());
    if !app.title.is_empty() {
        p.line(format!("title {}", quoted(&app.title)));
    }
    if let Some(root) = p.story.root {
        p.line(format!("root {}", p.state(root)));
    }
}

/// World keys whose origin `keep` accepts.
pub(super) fn world(p: &mut Printer<'_>, keep: impl Fn(OriginId) -> bool) {
    for key in &p.story.world {
        if !keep(key.at) {
            continue;
        }
        p.from(key.at, |p| {
            let ty = if key.ty.is_empty() {
                String::new()
            } else {
                format!(": {}", word(&key.ty))
            };
            let default = if key.default == Value::Null {
                String::new()
            } else {
                format!(" = {}", p.value(&key.default))
            };
            let undeclared = if key.undeclared { " (undeclared)" } else { "" };
            p.line(format!("world {}{ty}{default}{undeclared}", word(&key.name)));
        });
    }
}

/// Global intents whose origin `keep` accepts.
pub(super) fn intents(p: &mut Printer<'_>, keep: impl Fn(OriginId) -> bool) {
    for (id, intent) in p.story.intents.pairs() {
        if intent.scope.is_none() && keep(intent.at) {
            self::intent(p, id);
        }
    }
}

/// One intent.
pub(super) fn intent(p: &mut Printer<'_>, id: IntentId) {
    let Some(intent) = p.story.intents.get(id) else { return };
    p.from(intent.at, |p| {
        let slots: Vec<_> = intent
            .slots
            .iter()
            .map(|s| {
                let ty = if s.ty.is_empty() { "any" } else { s.ty.as_str() };
                format!("{}: {}{}", word(&s.name), word(ty), if s.required { "!" } else { "" })
            })
            .collect();
        let title = if intent.title.is_empty() {
            String::new()
        } else {
            format!(" {}", quoted(&intent.title))
        };
        let hidden = if intent.hidden { " hidden" } else { "" };
        p.line(format!(
            "intent {}({}){title}{hidden}",
            word(&intent.name),
            slots.join(", ")
        ));
    });
}

/// Verbs that the story calls or allows.
pub(super) fn hosts(p: &mut Printer<'_>) {
    let checked = p.story.checks_hosts();
    for host in &p.story.hosts {
        let allowed = if checked && !host.allowed { " (not allowed)" } else { "" };
        let script = host
            .script
            .as_ref()
            .map(|s| format!(" script {}", word(s)))
            .unwrap_or_default();
        p.line(format!("host {}{script}{allowed}", word(&host.name)));
    }
}

/// Declared agents.
pub(super) fn agents(p: &mut Printer<'_>) {
    for agent in &p.story.agents {
        p.from(agent.at, |p| {
            let tools: Vec<_> = agent.tools.iter().map(|t| word(t)).collect();
            p.line(
                format!(
                    "agent {} {} {}",
                    word(&agent.name),
                    agent.effect.as_str(),
                    tools.join(", ")
                )
                .trim_end(),
            );
        });
    }
}

/// Operations, plugins, providers, meta modes, interfaces, exits.
pub(super) fn policies(p: &mut Printer<'_>) {
    for operation in &p.story.operations {
        p.from(operation.at, |p| {
            p.line(format!("operation {} {}", word(&operation.id), word(&operation.mode)))
        });
    }
    for plugin in &p.story.plugins {
        p.from(plugin.at, |p| {
            p.line(format!("plugin {} {}", word(&plugin.alias), word(&plugin.plugin)))
        });
    }
    for provider in &p.story.providers {
        p.from(provider.at, |p| p.line(format!("provider {}", word(&provider.name))));
    }
    for mode in &p.story.meta_modes {
        let default = if mode.default { " default" } else { "" };
        p.from(mode.at, |p| {
            p.line(format!(
                "meta {} by {}{default}",
                word(&mode.key),
                word(&mode.agent.name)
            ))
        });
    }
    for interface in &p.story.interfaces {
        p.from(interface.at, |p| {
            p.line(format!(
                "interface {} = {}",
                word(&interface.name),
                word(&interface.handler)
            ))
        });
    }
    for exit in &p.story.exits {
        p.from(exit.at, |p| p.line(format!("exit {}", word(&exit.name))));
    }
    if let Some(fallback) = &p.story.routing.free_form_fallback {
        let implicit = if fallback.implicit { " (implicit)" } else { "" };
        p.line(format!(
            "fallback {} in {}{implicit}",
            word(&fallback.intent),
            p.state(fallback.state)
        ));
    }
}
