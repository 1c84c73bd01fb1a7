//! `effect-plugin-unknown`: the `agent` of an effect names no agent plugin (`language` 3.10).

use super::super::names::{Lost, Use, Words, of_map};
use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "effect-plugin-unknown",
    level: Level::Warning,
    summary: "an effect names an agent plugin that does not exist",
    fixable: Fixable::Sometimes,
};

pub(super) fn check(site: &Site<'_>, out: &mut Vec<Diagnostic>) {
    let Some(alias) = site.effect.agent.as_ref().map(|a| &a.value) else {
        return;
    };
    let plugins = site.cx.story.manifest.agent_plugins.value();
    let known = of_map(plugins);
    let fine = alias.is_blank() || alias.is_templated() || alias.text == "agent.claude";
    if fine || site.in_effects || site.cx.story.incomplete.other || known.iter().any(|k| k.name == alias.as_str()) {
        return;
    }
    let mut lost = Lost::new(site.cx);
    lost.add(alias.as_str(), Use::whole(alias, site.path(), &RULE, "no such plugin"));
    let words = Words {
        kind: "a plugin",
        kinds: "agent plugins",
    };
    let agent = site.cx.agent(alias.as_str()).is_some();
    lost.report(
        &words,
        &known,
        |finding, name, _| {
            let finding = finding.message(format!("no agent plugin is called {}", code(name)));
            if agent {
                finding.note("an agent has that name: agents are named in `with.agent`")
            } else {
                finding
            }
        },
        out,
    );
}
