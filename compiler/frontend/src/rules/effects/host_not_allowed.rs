//! `host-not-allowed`: a call of a verb that is missing from a non-empty `hosts` (`language` D24).
//!
//! The load compares whole texts: `host.gh.ticket` does not allow `host.gh.ticket.get`. Calls that it does not look at (a
//! proposal's own call, calls inside of `effects`) are warnings; an absent list is `hosts-empty`.

use super::super::names::{Known, Lost, Near, Use, Words, nearest_to};
use super::super::prelude::*;
use super::Site;

pub(crate) const RULE: Rule = Rule {
    id: "host-not-allowed",
    level: Level::Error,
    summary: "a call of a verb that is missing from `hosts`",
    fixable: Fixable::Sometimes,
};

const LABEL: &str = "not in the list of allowed verbs";

pub(super) fn check<'a>(cx: &'a StoryCx<'a>, sites: &[Site<'a>], out: &mut Vec<Diagnostic>) {
    let Some(hosts) = cx.story.manifest.hosts.value().filter(|h| !h.is_empty()) else {
        return;
    };
    if cx.story.incomplete.hosts || cx.lacks("hosts") {
        return;
    }
    let allowed: rustc_hash::FxHashSet<&str> = hosts.iter().map(Text::as_str).collect();
    let mut lost = Lost::new(cx);
    for site in sites.iter().filter(|s| !s.in_effects) {
        if let Some(verb) = site
            .verb()
            .filter(|v| !allowed.contains(v.as_str()) && !v.text.starts_with("iface."))
        {
            lost.add(verb.as_str(), Use::whole(verb, site.path(), &RULE, LABEL));
        }
    }
    let proposals = cx.story.manifest.proposals.value();
    for proposal in proposals.into_iter().flat_map(|p| p.entries.iter()) {
        let verb = proposal.value.execute.as_ref().and_then(|e| e.invoke.as_ref());
        let verb =
            verb.filter(|v| !v.text.is_empty() && !allowed.contains(v.as_str()) && !v.text.starts_with("iface."));
        if let Some(verb) = verb {
            lost.add(verb.as_str(), Use::whole(verb, "", &RULE, LABEL).level(Level::Warning));
        }
    }
    let known: Vec<Known<'a>> = hosts
        .iter()
        .map(|h| Known {
            name: h.as_str(),
            at: Some(h),
        })
        .collect();
    let words = Words {
        kind: "a verb",
        kinds: "allowed verbs",
    };
    let list = hosts
        .iter()
        .rev()
        .find(|h| h.made.is_none() && cx.file(h.span.file).is_some());
    lost.report_with(
        &words,
        &known,
        |finding, verb, used| {
            let mut finding = finding.message(format!("{} is not in `hosts`", code(verb)));
            if let Some(last) = list {
                // A verb that was probably meant comes first, and is no reason to allow another one.
                if near(cx, used, &known).is_none() {
                    let first = hosts.first().unwrap_or(last);
                    finding = finding.label(first.span, "the allowed verbs are listed here");
                    if last.made.is_none() && used.text.made.is_none() {
                        finding = finding.fix(add_to_list(cx, last, verb));
                    }
                }
            }
            finding
        },
        |used| near(cx, used, &known),
        out,
    );
}

/// A listed verb that was meant: `host.gh` and `host.git` are both verbs, so a verb that exists is no slip.
fn near<'a>(cx: &StoryCx<'_>, used: &Use<'_>, known: &[Known<'a>]) -> Option<Near<'a>> {
    let spelled = used.spelled(cx);
    nearest_to(cx, used, known).filter(|n| !(is_builtin(&spelled) && is_builtin(&n.spelling)))
}

fn is_builtin(verb: &str) -> bool {
    kitsoki_ir::BUILTIN_VERBS.contains(&verb)
}

/// The fix that adds `verb` behind the last entry of the list.
fn add_to_list(cx: &StoryCx<'_>, last: &Text, verb: &str) -> Fix {
    let end = last.span.range.end();
    let source = cx.text_of(last.span.file);
    let before = source.and_then(|s| s.get(..usize::from(last.span.range.start())));
    let line = before.and_then(|b| b.rsplit('\n').next()).unwrap_or_default();
    let rest = source.and_then(|s| s.get(usize::from(end)..)).unwrap_or_default();
    let (at, text) = if line.trim_start().starts_with('-') {
        let eol = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let at = end + kitsoki_syntax::TextSize::new(u32::try_from(eol).unwrap_or(0));
        let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
        (at, format!("\n{indent}- {verb}"))
    } else {
        (end, format!(", {verb}"))
    };
    let span = kitsoki_syntax::Span::new(last.span.file, kitsoki_syntax::TextRange::empty(at));
    Fix::replace(span, text).title(format!("add {} to `hosts`", code(verb)))
}
