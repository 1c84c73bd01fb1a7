//! `write-mode-external-agent`: a read-only room asks an agent that acts on the outside world (`language` D44).
//!
//! The class of an agent is the resolved one: written, or joined from its tools.

use rustc_hash::FxHashSet;

use super::super::prelude::*;
use super::write_mode_no_agent::dispatched;

pub(crate) const RULE: Rule = Rule {
    id: "write-mode-external-agent",
    level: Level::Error,
    summary: "a read-only room asks an agent of the class external",
    fixable: Fixable::Never,
};

pub(super) fn check(room: RoomCx<'_>, out: &mut Vec<Diagnostic>) {
    let Some(mode) = room.room().write_mode.as_ref().filter(|m| m.text == "read_only") else {
        return;
    };
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for effect in dispatched(room.room()) {
        let name = effect
            .with
            .as_ref()
            .and_then(|w| w.value.get("agent"))
            .and_then(Any::as_text);
        let Some(name) = name.filter(|n| !n.text.is_empty() && !n.is_templated()) else {
            continue;
        };
        let Some(agent) = room.story.agent_entry(name.as_str()) else {
            continue;
        };
        let class = agent.value.effect.as_ref();
        let Some(class) = class.filter(|c| c.text.trim() == "external") else {
            continue;
        };
        if !seen.insert(name.as_str()) {
            continue;
        }
        let finding = if name.made.is_none() {
            RULE.at(room.story.inside(name), "acts on the outside world")
        } else {
            // A room that the language brings: the author's part is the agent.
            RULE.at(agent.name.span, "this agent acts on the outside world")
        };
        let finding = finding.message(format!(
            "a read-only room cannot ask the external agent {}",
            code(name.as_str())
        ));
        let finding = finding.label(class.key, "its class comes from here");
        out.push(
            if room.story.file(mode.span.file).is_some() && mode.value.made.is_none() {
                finding.label(mode.span, "this room is read-only")
            } else {
                finding
            },
        );
    }
}
