//! Story-wide policies; defaults that an engine would have to know are filled in.

use kitsoki_ir::policy::{
    Decider, Embedding, Execute, Exit, Fallback, Interface, InterfaceOperation, MetaMode, OffPath, Operation, Prompts,
    Proposal, Routing,
};
use kitsoki_ir::{AgentRef, EffectClass};
use smol_str::SmolStr;

use super::code::literals;
use super::effects::{self, Owner};
use super::{Lowering, flag, int, off, some_text, tables, text, texts};
use crate::desugar;
use crate::surface::{self, Field, Float, Map, Optional, Text};

/// Operation policies, in the order of their ids.
pub(super) fn operations(cx: &mut Lowering<'_>) {
    for entry in cx.story.manifest.operations.iter().flat_map(|o| o.value.entries.iter()) {
        let o = &entry.value;
        let phases = o.phase_summary.iter().flat_map(|p| texts(&p.value.from)).collect();
        let operation = Operation {
            at: cx.places.name(&entry.name, o.origin),
            id: entry.name.text.clone(),
            title: text(&o.title),
            mode: text(&o.mode).trim().into(),
            execution_mode: text(&o.execution_mode).trim().into(),
            run_in_background: flag(&o.run_in_background),
            stop_on: texts(&o.stop_on),
            pause_on: texts(&o.pause_on),
            terminal_artifact: text(&o.terminal_artifact),
            phases,
        };
        cx.out.operations.push(operation);
    }
}

/// Everything else.
pub(super) fn policies(cx: &mut Lowering<'_>) {
    cx.out.routing = routing(cx);
    off_path(cx);
    meta_modes(cx);
    decider(cx);
    proposals(cx);
    interfaces(cx);
    exits(cx);
    if let Some(p) = cx.story.manifest.prompts.value() {
        cx.out.prompts = Prompts {
            shared: texts(&p.shared),
            overlay: text(&p.overlay),
        };
    }
}

/// A number that is not zero, else the default: a written zero means nothing (`language` 3.19).
fn number(field: &Option<Field<Float>>, default: f64) -> f64 {
    field
        .as_ref()
        .map(|f| f.value.value)
        .filter(|v| *v != 0.0)
        .unwrap_or(default)
}

fn routing(cx: &Lowering<'_>) -> Routing {
    let defaults = Routing::default();
    let fallback = desugar::fallback_source(cx.story).and_then(|source| {
        let state = cx.names.state(&source.state)?;
        Some(Fallback {
            state,
            intent: source.intent,
            implicit: source.written.is_none(),
        })
    });
    let Some(r) = cx.story.manifest.routing.value() else {
        return Routing {
            free_form_fallback: fallback,
            ..defaults
        };
    };
    let whole = |field: &Option<Field<surface::Int>>, default| int(field).filter(|n| *n != 0).unwrap_or(default);
    let age = some_text(&r.cache_max_age)
        .and_then(|t| duration_ms(&t))
        .filter(|ms| *ms != 0);
    Routing {
        written: true,
        enabled: !off(&r.enabled),
        semantic_high_bar: number(&r.semantic_high_bar, defaults.semantic_high_bar),
        semantic_mid_bar: number(&r.semantic_mid_bar, defaults.semantic_mid_bar),
        cache_enabled: !off(&r.cache_enabled),
        cache_max_age_ms: age.unwrap_or(defaults.cache_max_age_ms),
        stopwords_extra: texts(&r.stopwords_extra),
        cache_cap: whole(&r.cache_cap, defaults.cache_cap),
        cache_trim_fraction: number(&r.cache_trim_fraction, defaults.cache_trim_fraction),
        revalidate_strikes: whole(&r.revalidate_strikes, defaults.revalidate_strikes),
        confidence_decay: flag(&r.confidence_decay),
        extract_llm_on_no_match: flag(&r.extract_llm_on_no_match),
        extract_llm_agent: text(&r.extract_llm_agent),
        free_form_fallback: fallback,
        embedding: r.embedding.as_ref().map(|e| Embedding {
            endpoint: text(&e.value.endpoint),
            model: some_text(&e.value.model).unwrap_or_else(|| "nomic-embed-text-v1.5".into()),
            cache_dir: some_text(&e.value.cache_dir).unwrap_or_else(|| ".kitsoki-embed-cache".into()),
            confident_bar: number(&e.value.confident_bar, 0.82),
            margin: number(&e.value.margin, 0.08),
        }),
    }
}

fn off_path(cx: &mut Lowering<'_>) {
    let Some(field) = cx.story.manifest.off_path.as_ref() else {
        return;
    };
    let o = &field.value;
    cx.out.off_path = Some(OffPath {
        at: cx.places.node(o.origin, field.key, &[]),
        trigger: some_text(&o.trigger).unwrap_or_else(|| "/freeform".into()),
        ret: some_text(&o.ret).unwrap_or_else(|| "/onpath".into()),
        banner: text(&o.banner),
        persona: text(&o.persona),
        agent: some_text(&o.agent).map(|a| tables::agent_ref(cx, a)),
    });
}

fn meta_modes(cx: &mut Lowering<'_>) {
    for entry in cx.story.manifest.meta_modes.iter().flat_map(|m| m.value.entries.iter()) {
        let m = &entry.value;
        let back = m.ret.as_ref().map(|r| &r.value);
        let mode = MetaMode {
            at: cx.places.name(&entry.name, m.origin),
            key: entry.name.text.clone(),
            group: some_text(&m.group).unwrap_or_else(|| entry.name.text.clone()),
            trigger: text(&m.trigger),
            agent: agent(cx, &m.agent),
            default: flag(&m.default),
            label: text(&m.label),
            banner: text(&m.banner),
            transient: off(&m.persist),
            cwd: text(&m.cwd),
            tools: texts(&m.tools),
            return_message: back.map(|r| text(&r.message)).unwrap_or_default(),
            return_intent: back
                .and_then(|r| some_text(&r.intent))
                .unwrap_or_else(|| "onpath".into()),
        };
        cx.out.meta_modes.push(mode);
    }
}

fn agent(cx: &Lowering<'_>, field: &Option<Field<Text>>) -> AgentRef {
    tables::agent_ref(cx, text(field))
}

fn decider(cx: &mut Lowering<'_>) {
    let Some(field) = cx.story.manifest.decider.as_ref() else {
        return;
    };
    let d = &field.value;
    cx.out.decider = Some(Decider {
        at: cx.places.node(d.origin, field.key, &[]),
        agent: agent(cx, &d.agent),
        schema: text(&d.schema),
        prompt: text(&d.prompt),
        threshold: d.threshold.as_ref().map_or(0.0, |t| t.value.value),
    });
}

fn pairs(field: &Option<Field<Map<Text>>>) -> Vec<(SmolStr, SmolStr)> {
    let entries = field.iter().flat_map(|f| f.value.entries.iter());
    entries.map(|e| (e.name.text.clone(), e.value.text.clone())).collect()
}

fn proposals(cx: &mut Lowering<'_>) {
    let owner = Owner { path: "", imports: &[] };
    for entry in cx.story.manifest.proposals.iter().flat_map(|p| p.value.entries.iter()) {
        let p = &entry.value;
        let policy = p.policy.as_ref().map(|p| &p.value);
        let execute = p.execute.as_ref().map(|e| Execute {
            host: some_text(&e.value.invoke).map(|verb| tables::host(cx, &verb)),
            with: cx.code.values(&e.value.with),
            repeatable: flag(&e.value.repeatable),
            on_success: text(&e.value.on_success),
            background: flag(&e.value.background),
            on_complete: effects::effects(cx, owner, &e.value.on_complete),
        });
        let proposal = Proposal {
            at: cx.places.name(&entry.name, p.origin),
            name: entry.name.text.clone(),
            schema: pairs(&p.schema),
            draft_prompt: p.draft.as_ref().map(|d| text(&d.value.prompt)).unwrap_or_default(),
            refine_prompt: p.refine.as_ref().map(|d| text(&d.value.prompt)).unwrap_or_default(),
            execute,
            views: pairs(&p.views),
            auto_accept_if: policy.map(|p| text(&p.auto_accept_if)).unwrap_or_default(),
            require_confirm: policy.is_some_and(|p| flag(&p.require_confirm)),
        };
        cx.out.proposals.push(proposal);
    }
}

fn interfaces(cx: &mut Lowering<'_>) {
    for entry in cx
        .story
        .manifest
        .host_interfaces
        .iter()
        .flat_map(|i| i.value.entries.iter())
    {
        let i = &entry.value;
        let operations = i
            .operations
            .iter()
            .flat_map(|o| o.value.entries.iter())
            .map(|e| InterfaceOperation {
                name: e.name.text.clone(),
                input: literals(&e.value.input),
                output: literals(&e.value.output),
                effect: some_text(&e.value.effect).and_then(|w| EffectClass::from_word(&w)),
                nondeterministic: off(&e.value.deterministic),
            });
        let interface = Interface {
            operations: operations.collect(),
            at: cx.places.name(&entry.name, i.origin),
            name: entry.name.text.clone(),
            description: text(&i.description),
            handler: text(&i.default),
        };
        cx.out.interfaces.push(interface);
    }
}

fn exits(cx: &mut Lowering<'_>) {
    for entry in cx.story.manifest.exits.iter().flat_map(|e| e.value.entries.iter()) {
        let exit = Exit {
            at: cx.places.name(&entry.name, entry.value.origin),
            name: entry.name.text.clone(),
            description: text(&entry.value.description),
            requires: texts(&entry.value.requires),
        };
        cx.out.exits.push(exit);
    }
}

/// A duration in milliseconds: `1h30m`, `90s`, `250ms`, or one number of days. `None` for anything else (`language` 2.9).
pub(super) fn duration_ms(text: &str) -> Option<u64> {
    let text = text.trim();
    let number = |t: &str| {
        t.parse::<f64>()
            .ok()
            .filter(|n| n.is_finite() && !t.contains(['e', 'E', 'n', 'i']))
    };
    let ms = if let Some(days) = text.strip_suffix('d') {
        number(days)? * 86_400_000.0
    } else {
        let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
        let mut total = 0.0;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
            let (value, after) = rest.split_at_checked(digits)?;
            let unit = after
                .find(|c: char| c.is_ascii_digit() || c == '.')
                .unwrap_or(after.len());
            let (unit, after) = after.split_at_checked(unit)?;
            let factor = match unit {
                "h" => 3_600_000.0,
                "m" => 60_000.0,
                "s" => 1_000.0,
                "ms" => 1.0,
                "us" | "µs" | "μs" => 0.001,
                "ns" => 0.000_001,
                _ => return None,
            };
            total += number(value)? * factor;
            rest = after;
        }
        if text.starts_with('-') { -total } else { total }
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and `as` saturates"
    )]
    (ms >= 0.0).then(|| ms.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::duration_ms;

    #[test]
    fn durations_are_those_of_the_language() {
        assert_eq!(duration_ms("1h30m"), Some(5_400_000));
        assert_eq!(duration_ms("0.5d"), Some(43_200_000));
        assert_eq!(duration_ms("1.5s"), Some(1_500));
        assert_eq!(duration_ms("250ms"), Some(250));
        assert_eq!(duration_ms("1d2h"), None);
        assert_eq!(duration_ms("10"), None);
        assert_eq!(duration_ms("-1s"), None);
        assert_eq!(duration_ms("{{ world.t }}"), None);
        assert_eq!(duration_ms(""), Some(0));
    }
}
