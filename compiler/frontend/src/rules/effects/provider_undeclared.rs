//! `provider-undeclared`: a call or an agent names a provider that is not declared (`language` D70, D72).

use super::super::names::{Lost, Use, Words, of_map};
use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "provider-undeclared",
    level: Level::Error,
    summary: "a provider that does not exist",
    fixable: Fixable::Sometimes,
};

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, sites: &[Site<'a>], out: &mut Vec<Diagnostic>) {
    let providers = cx.story.manifest.providers.value();
    if cx.story.incomplete.other || cx.lacks("providers") {
        return;
    }
    let missing = |name: &str| !providers.is_some_and(|p| p.has(name));
    let mut lost = Lost::new(cx);
    for agent in cx
        .story
        .manifest
        .agents
        .value()
        .into_iter()
        .flat_map(|a| a.entries.iter())
    {
        let provider = agent.value.provider.as_ref().map(|p| &p.value);
        if let Some(name) = provider.filter(|p| !p.text.is_empty() && !p.is_templated())
            && missing(name.as_str())
        {
            lost.add(name.as_str(), Use::whole(name, "", &RULE, "no such provider"));
        }
    }
    for site in sites.iter().filter(|s| !s.in_effects) {
        let agent_verb = site.verb().is_none_or(|v| v.text.starts_with("host.agent."));
        if let Some((_, name)) = site
            .literal_arg("provider")
            .filter(|(_, n)| agent_verb && missing(n.as_str()))
        {
            let lost_use = Use::whole(name, site.path(), &RULE, "no such provider");
            lost.add(name.as_str(), lost_use.level(super::walked(site)));
        }
    }
    let proposals = cx.story.manifest.proposals.value();
    for proposal in proposals.into_iter().flat_map(|p| p.entries.iter()) {
        let with = proposal.value.execute.as_ref().and_then(|e| e.with.as_ref());
        let name = with.and_then(|w| w.value.get("provider")).and_then(Any::as_text);
        if let Some(name) = name.filter(|n| !n.is_blank() && !n.is_templated() && missing(n.as_str())) {
            let lost_use = Use::whole(name, "", &RULE, "no such provider");
            lost.add(name.as_str(), lost_use.level(Level::Warning));
        }
    }
    let known = of_map(providers);
    let words = Words {
        kind: "a provider",
        kinds: "providers",
    };
    lost.report(
        &words,
        &known,
        |finding, name, _| finding.message(format!("no provider is called {}", code(name))),
        out,
    );
}
