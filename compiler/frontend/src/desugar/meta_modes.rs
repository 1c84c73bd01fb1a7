//! Meta modes: the built-in ones that every story has, and what the checker fills in (`macros` 6).
//!
//! A written key wins over the built-in mode of that key, as a whole. The modes for the program itself exist only where
//! `KITSOKI_REPO` is set. Working directories keep their `${NAME}`: only whether the variable is set is looked at.

use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::Span;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::BTreeMap;

use super::env::unset_in_cwd;
use super::expansion::Expansion;
use super::make::{Make, map_in};
use crate::rules::macros as rules;
use crate::surface::{Field, Made, MapEntry, MetaMode, MetaReturn, Text};

/// One built-in mode: key, agent, label, banner, tools.
struct Builtin {
    key: &'static str,
    agent: &'static str,
    label: &'static str,
    banner: &'static str,
    tools: &'static [&'static str],
}

const READ: &[&str] = &["Read", "Glob", "Grep"];
const FILE_BUGS: &[&str] = &["Read", "Glob", "Grep", "Bash(kitsoki bug create*)"];

const BUILTIN: [Builtin; 8] = [
    Builtin {
        key: "story.edit",
        agent: "story-author",
        label: "Edit story",
        banner: "You are editing this story: changes reach the running session.",
        tools: &[],
    },
    Builtin {
        key: "story.ask",
        agent: "story-explainer",
        label: "Ask about story",
        banner: "Questions about this story. Nothing is changed.",
        tools: READ,
    },
    Builtin {
        key: "story.improve",
        agent: "story-improver",
        label: "Improve run",
        banner: "A review of this run: what prompts, tools and flows could do better. Nothing is changed.",
        tools: READ,
    },
    Builtin {
        key: "story.bug",
        agent: "story-bug-reporter",
        label: "Story bug",
        banner: "A fault of this story: describe it, the agent files it.",
        tools: FILE_BUGS,
    },
    Builtin {
        key: "kitsoki.edit",
        agent: "kitsoki-engineer",
        label: "Edit kitsoki",
        banner: "You are editing the program itself, not the running story.",
        tools: &[],
    },
    Builtin {
        key: "kitsoki.ask",
        agent: "kitsoki-explainer",
        label: "Ask about kitsoki",
        banner: "Questions about the program. Nothing is changed.",
        tools: READ,
    },
    Builtin {
        key: "kitsoki.improve",
        agent: "kitsoki-improver",
        label: "Improve kitsoki",
        banner: "A review of this run: what the program could do better. Nothing is changed.",
        tools: READ,
    },
    Builtin {
        key: "kitsoki.bug",
        agent: "kitsoki-bug-reporter",
        label: "Kitsoki bug",
        banner: "A fault of the program: describe it, the agent files it.",
        tools: FILE_BUGS,
    },
];

/// The variable that names a checkout of the program.
const REPO: &str = "KITSOKI_REPO";

/// Adds the built-in modes that the story does not declare.
pub(super) fn inject(cx: &mut Expansion<'_>) {
    let checkout = cx.db.system().env(REPO).is_some();
    let make = Make {
        made: Made::MetaModes,
        site: cx.home(),
    };
    let mut overridden = Vec::new();
    for mode in BUILTIN {
        let Some((group, trigger)) = mode.key.split_once('.') else {
            continue;
        };
        let of_program = group == "kitsoki";
        if of_program && !checkout {
            continue;
        }
        let modes = map_in(&mut cx.story.manifest.meta_modes, make.site);
        if let Some(entry) = modes.entry(mode.key) {
            overridden.push((entry.name.clone(), entry.null));
            continue;
        }
        let tools = mode.tools.iter().map(|t| make.text(*t)).collect();
        let decl = MetaMode {
            trigger: make.text_field(trigger),
            agent: make.text_field(mode.agent),
            group: make.text_field(group),
            default: if trigger == "edit" { make.flag(true) } else { None },
            label: make.text_field(mode.label),
            banner: make.text_field(mode.banner),
            cwd: if of_program {
                make.text_field("${KITSOKI_REPO}")
            } else {
                None
            },
            tools: if mode.tools.is_empty() { None } else { make.list(tools) },
            ret: make.field(MetaReturn {
                intent: make.text_field("onpath"),
                ..MetaReturn::synthesized(make.made, make.site)
            }),
            ..MetaMode::synthesized(make.made, make.site)
        };
        modes.push(make.text(mode.key), decl);
    }
    for (name, null) in overridden {
        // An entry without a body is an error of its own.
        if !null {
            let finding = rules::meta_builtin_overridden(name.span, name.as_str());
            cx.report(finding);
        }
    }
}

/// The modes of one group as far as they count for its default.
type Groups<'a> = BTreeMap<SmolStr, Vec<&'a MapEntry<MetaMode>>>;

/// Checks every mode and fills in the group of a dotted key (`language` 4.5, D61-D68).
pub(super) fn fill_in(cx: &mut Expansion<'_>) {
    let mut findings = Vec::new();
    let Some(modes) = cx.story.manifest.meta_modes.as_ref() else {
        return;
    };
    let intents: FxHashMap<&str, &Text> = cx
        .story
        .manifest
        .intents
        .iter()
        .flat_map(|i| i.entries.iter())
        .map(|e| (e.name.as_str(), &e.name))
        .collect();
    let mut groups: Groups<'_> = BTreeMap::new();
    let mut owners: FxHashMap<(SmolStr, &str), &Field<Text>> = FxHashMap::default();
    let mut bare: FxHashMap<&str, Vec<&Field<Text>>> = FxHashMap::default();
    let mut fill: Vec<(SmolStr, SmolStr)> = Vec::new();
    for entry in modes.sorted() {
        let (key, mode) = (entry.name.as_str(), &entry.value);
        if entry.null {
            findings.push(rules::meta_mode_null(entry.name.span, key));
            continue;
        }
        for (field, finding) in [
            (
                &mode.trigger,
                rules::meta_mode_trigger_missing as fn(Span, &str) -> Diagnostic,
            ),
            (&mode.agent, rules::meta_mode_agent_missing),
        ] {
            if text(field).is_empty() {
                findings.push(finding(field.as_ref().map_or(entry.name.span, |f| f.value.span), key));
            }
        }
        let mut group = SmolStr::new(text(&mode.group));
        if let Some((key_group, key_trigger)) = key.split_once('.') {
            if group.is_empty() {
                group = key_group.into();
                fill.push((entry.name.text.clone(), group.clone()));
            }
            findings.extend(disagreement(cx, entry, key_group, key_trigger));
        } else if group.is_empty() {
            group = key.into();
            if let Some(trigger) = mode.trigger.as_ref().filter(|t| !t.text.is_empty()) {
                bare.entry(trigger.text.as_str()).or_default().push(trigger);
            }
        }
        if let Some(trigger) = mode.trigger.as_ref().filter(|t| !t.text.is_empty()) {
            match owners.get(&(group.clone(), trigger.text.as_str())) {
                Some(first) => findings.push(rules::meta_mode_trigger_duplicate(
                    trigger.value.span,
                    first.value.span,
                    &trigger.text,
                )),
                None => {
                    let bare = !key.contains('.') && text(&mode.group).is_empty();
                    if let Some(intent) = intents.get(trigger.text.as_str()).filter(|_| bare) {
                        let declared = cx.inside(intent);
                        findings.push(rules::meta_mode_trigger_is_intent(
                            cx.inside(&trigger.value),
                            &trigger.text,
                            declared,
                        ));
                    }
                    owners.insert((group.clone(), trigger.text.as_str()), trigger);
                }
            }
        }
        if let Some((place, name)) = unset(cx, mode) {
            findings.push(rules::meta_mode_cwd_unset_env(place, &name));
            continue;
        }
        groups.entry(group).or_default().push(entry);
    }
    findings.extend(groups.iter().filter_map(|(group, modes)| default_count(group, modes)));
    for triggers in bare.values_mut() {
        triggers.sort_by_key(|t| (t.value.span.file.0, t.value.span.range.start()));
        if let [first, .., last] = triggers.as_slice() {
            findings.push(rules::meta_trigger_shared(
                last.value.span,
                first.value.span,
                &last.text,
            ));
        }
    }
    findings.into_iter().for_each(|f| cx.report(f));
    fill_groups(cx, &fill);
}

fn text(field: &Option<Field<Text>>) -> &str {
    field.as_ref().map_or("", |f| f.value.as_str())
}

/// A dotted key says group and trigger: what is written must agree.
fn disagreement(cx: &Expansion<'_>, entry: &MapEntry<MetaMode>, group: &str, trigger: &str) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mode = &entry.value;
    if let Some(written) = mode.group.as_ref().filter(|g| !g.text.is_empty() && g.text != group) {
        // Under an import the key was renamed and the group was not: the author's own key and group agree.
        let own = cx.spelling(&entry.name);
        findings.push(if own.split_once('.').is_some_and(|(g, _)| g == written.text) {
            rules::meta_mode_group_under_import(written.key, entry.name.span, group)
        } else {
            rules::meta_mode_key_mismatch(
                cx.inside(&written.value),
                entry.name.span,
                "group",
                &written.text,
                group,
            )
        });
    }
    if let Some(written) = mode
        .trigger
        .as_ref()
        .filter(|t| !t.text.is_empty() && t.text != trigger)
    {
        findings.push(rules::meta_mode_key_mismatch(
            cx.inside(&written.value),
            entry.name.span,
            "trigger",
            &written.text,
            trigger,
        ));
    }
    findings
}

/// The first variable of a `cwd` that is not set.
fn unset(cx: &Expansion<'_>, mode: &MetaMode) -> Option<(Span, String)> {
    let cwd = &mode.cwd.as_ref()?.value;
    let range = unset_in_cwd(cwd.as_str(), |name| cx.db.system().env(name).is_some())?;
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let variable = cwd.text.get(range.clone()).unwrap_or_default().to_owned();
    Some((cx.place(cwd, small(range.start)..small(range.end)), variable))
}

/// A group of two or more needs exactly one default.
fn default_count(group: &str, modes: &[&MapEntry<MetaMode>]) -> Option<Diagnostic> {
    if modes.len() < 2 {
        return None;
    }
    let is_default = |m: &&&MapEntry<MetaMode>| m.value.default.as_ref().is_some_and(|d| d.value.value);
    let place = |m: &MapEntry<MetaMode>| m.name.span;
    let by_place = |span: &Span| (span.file.0, span.range.start());
    let written = |m: &&&MapEntry<MetaMode>| m.name.made.is_none();
    let defaults: Vec<_> = modes.iter().filter(is_default).collect();
    match defaults.len() {
        0 => {
            let mut keys: Vec<Span> = modes.iter().filter(written).map(|m| place(m)).collect();
            keys.sort_by_key(by_place);
            let last = keys.pop()?;
            Some(rules::meta_mode_no_default(last, keys.first().copied(), group))
        }
        1 => None,
        _ => {
            let builtin = defaults
                .iter()
                .find(|m| m.name.made.is_some())
                .map(|m| m.name.text.clone());
            let keys = defaults
                .iter()
                .filter(|m| written(m))
                .filter_map(|m| m.value.default.as_ref().map(|d| d.key));
            let mut keys: Vec<Span> = keys.collect();
            keys.sort_by_key(by_place);
            let last = keys.pop()?;
            Some(rules::meta_mode_many_defaults(
                last,
                keys.first().copied(),
                group,
                builtin.as_deref(),
            ))
        }
    }
}

fn fill_groups(cx: &mut Expansion<'_>, fill: &[(SmolStr, SmolStr)]) {
    let names: FxHashMap<&SmolStr, &SmolStr> = fill.iter().map(|(key, group)| (key, group)).collect();
    for entry in cx
        .story
        .manifest
        .meta_modes
        .iter_mut()
        .flat_map(|m| m.value.entries.iter_mut())
    {
        if let Some(group) = names.get(&entry.name.text) {
            let make = Make {
                made: Made::MetaModes,
                site: entry.name.span,
            };
            entry.value.group = make.text_field((*group).clone());
        }
    }
}
