//! World keys, intents, verbs, agents and what stands behind agents.

use kitsoki_ir::policy::Host;
use kitsoki_ir::{
    Agent, AgentRef, BashProfile, EffectClass, HostId, Intent, IntentId, Plugin, Provider, Slot, StateId, WorldKey,
    WorldKeyId,
};
use smol_str::SmolStr;

use super::code::{literal, literals};
use super::{Lowering, flag, int, text, texts};
use crate::surface::{self, Field, Map, Origin, Room, Text};

/// Declared world keys.
pub(super) fn world(cx: &mut Lowering<'_>) {
    for entry in cx.story.manifest.world.iter().flat_map(|w| w.value.entries.iter()) {
        let var = &entry.value;
        let key = WorldKey {
            at: cx.places.name(&entry.name, var.origin),
            name: entry.name.text.clone(),
            undeclared: false,
            ty: text(&var.ty),
            default: var.default_value().map(literal).unwrap_or_default(),
            values: texts(&var.values),
        };
        let id = cx.out.world.push(key);
        cx.names.world.insert(entry.name.text.clone(), id);
    }
}

/// The id of a key that an effect writes; an undeclared one gets its entry now.
pub(super) fn written_key(cx: &mut Lowering<'_>, name: &Text) -> WorldKeyId {
    if let Some(id) = cx.names.world.get(&name.text) {
        return *id;
    }
    let at = cx.places.text(name, &[]);
    let id = cx.out.world.push(WorldKey {
        at,
        name: name.text.clone(),
        undeclared: true,
        ty: SmolStr::default(),
        default: kitsoki_ir::Value::Null,
        values: Vec::new(),
    });
    cx.names.world.insert(name.text.clone(), id);
    id
}

/// Global intents.
pub(super) fn global_intents(cx: &mut Lowering<'_>) {
    for entry in cx.story.manifest.intents.iter().flat_map(|i| i.value.entries.iter()) {
        let at = cx.places.name(&entry.name, entry.value.origin);
        let lowered = intent(at, &entry.name.text, None, &entry.value);
        let id = cx.out.intents.push(lowered);
        cx.names.intents.insert(entry.name.text.clone(), id);
    }
}

/// The intents of one room.
pub(super) fn local_intents(cx: &mut Lowering<'_>, state: StateId, room: &Room, imports: &[SmolStr]) -> Vec<IntentId> {
    let mut ids = Vec::new();
    for entry in room.intents.iter().flat_map(|i| i.value.entries.iter()) {
        let at = match (entry.value.origin, entry.name.made) {
            (Origin::Written, Some(_)) => cx.places.text(&entry.name, imports),
            (origin, _) => cx.places.node(origin, entry.name.span, imports),
        };
        let id = cx
            .out
            .intents
            .push(intent(at, &entry.name.text, Some(state), &entry.value));
        cx.names.local_intents.insert((state, entry.name.text.clone()), id);
        ids.push(id);
    }
    ids
}

fn intent(at: kitsoki_ir::OriginId, name: &SmolStr, scope: Option<StateId>, i: &surface::Intent) -> Intent {
    Intent {
        at,
        name: name.clone(),
        scope,
        title: text(&i.title),
        description: text(&i.description),
        examples: texts(&i.examples),
        synonyms: texts(&i.synonyms),
        priority: int(&i.priority).unwrap_or_default(),
        hidden: flag(&i.hidden),
        slots: i
            .slots
            .iter()
            .flat_map(|s| s.value.entries.iter())
            .map(|e| slot(&e.name.text, &e.value))
            .collect(),
    }
}

fn slot(name: &SmolStr, s: &surface::Slot) -> Slot {
    Slot {
        name: name.clone(),
        ty: text(&s.ty),
        required: flag(&s.required),
        default: s.default.as_ref().map(|d| literal(&d.value)).unwrap_or_default(),
        values: texts(&s.values),
        description: text(&s.description),
        examples: texts(&s.examples),
        format_hint: text(&s.format_hint),
        prompt: text(&s.prompt),
        format: text(&s.format),
        validator: text(&s.validator),
        synonyms: s
            .synonyms
            .iter()
            .flat_map(|m| m.value.entries.iter())
            .map(|e| {
                (
                    e.name.text.clone(),
                    e.value.items.iter().map(|t| t.text.clone()).collect(),
                )
            })
            .collect(),
    }
}

/// The allow-list, in its order.
pub(super) fn hosts(cx: &mut Lowering<'_>) {
    for name in cx.story.manifest.hosts.iter().flat_map(|h| h.value.items.iter()) {
        let id = host(cx, &name.text);
        if let Some(host) = cx.out.hosts.get_mut(id) {
            host.allowed = true;
        }
    }
}

/// The id of a verb.
pub(super) fn host(cx: &mut Lowering<'_>, name: &SmolStr) -> HostId {
    if let Some(id) = cx.names.hosts.get(name) {
        return *id;
    }
    // The verb of a bound script is the handler's name with the operation behind it.
    let scripts = &cx.story.scripts;
    let handler = name.rsplit_once('.').map_or(name.as_str(), |(handler, _)| handler);
    let script = scripts
        .get(name.as_str())
        .or_else(|| scripts.get(handler))
        .map(|s| SmolStr::new(s.as_str()));
    let id = cx.out.hosts.push(Host {
        name: name.clone(),
        allowed: false,
        script,
    });
    cx.names.hosts.insert(name.clone(), id);
    id
}

/// A name that may stand for a declared agent.
pub(super) fn agent_ref(cx: &Lowering<'_>, name: SmolStr) -> AgentRef {
    AgentRef {
        agent: cx.names.agents.get(&name).copied(),
        name,
    }
}

/// Declared agents.
pub(super) fn agents(cx: &mut Lowering<'_>) {
    for entry in cx.story.manifest.agents.iter().flat_map(|a| a.value.entries.iter()) {
        let a = &entry.value;
        let budget = a.token_budget.as_ref().map(|b| &b.value);
        let agent = Agent {
            at: cx.places.name(&entry.name, a.origin),
            name: entry.name.text.clone(),
            system_prompt: text(&a.system_prompt),
            prompt_file: a.prompt_file.clone().unwrap_or_default(),
            // Nothing is known of a class that is no class: it counts as the worst, as everywhere.
            effect: a.effect.as_ref().map_or(EffectClass::External, |e| {
                EffectClass::from_word(e.value.as_str()).unwrap_or(EffectClass::External)
            }),
            tools: texts(&a.tools),
            toolbox: text(&a.toolbox),
            mcp_servers: a.mcp.as_ref().map(|m| literals(&m.value.servers)).unwrap_or_default(),
            mcp_tools: a.mcp.as_ref().map(|m| texts(&m.value.tools)).unwrap_or_default(),
            permission_mode: a.permissions.as_ref().map(|p| text(&p.value.mode)).unwrap_or_default(),
            disallowed_tools: a
                .permissions
                .as_ref()
                .map(|p| texts(&p.value.disallowed_tools))
                .unwrap_or_default(),
            bash_profile: a.bash_profile.as_ref().map(|b| bash_profile(&b.value)),
            model: text(&a.model),
            effort: text(&a.effort).trim().into(),
            provider: text(&a.provider),
            harness: text(&a.harness),
            cwd: text(&a.cwd),
            inherit_claude_default: flag(&a.inherit_claude_default),
            warn_tokens: budget.and_then(|b| int(&b.warn_tokens)),
            refuse_tokens: budget.and_then(|b| int(&b.refuse_tokens)),
        };
        cx.out.agents.push(agent);
    }
}

fn bash_profile(profile: &surface::BashProfile) -> BashProfile {
    match profile {
        surface::BashProfile::ReadOnly(_) => BashProfile::ReadOnly,
        surface::BashProfile::Commands { commands, .. } => {
            BashProfile::Commands(commands.iter().map(|c| c.text.clone()).collect())
        }
        surface::BashProfile::SandboxedWrite { dir, .. } => BashProfile::SandboxedWrite(dir.text.clone()),
    }
}

fn pairs(field: &Option<Field<Map<Text>>>) -> Vec<(SmolStr, SmolStr)> {
    let entries = field.iter().flat_map(|f| f.value.entries.iter());
    entries.map(|e| (e.name.text.clone(), e.value.text.clone())).collect()
}

/// Plugins and providers.
pub(super) fn back_ends(cx: &mut Lowering<'_>) {
    for entry in cx
        .story
        .manifest
        .agent_plugins
        .iter()
        .flat_map(|p| p.value.entries.iter())
    {
        let p = &entry.value;
        let plugin = Plugin {
            at: cx.places.name(&entry.name, p.origin),
            alias: entry.name.text.clone(),
            plugin: text(&p.plugin),
            command: text(&p.command),
            args: texts(&p.args),
            endpoint: text(&p.endpoint),
            model: text(&p.model),
            tool: text(&p.tool),
            env: pairs(&p.env),
            headers: pairs(&p.headers),
            grammar: flag(&p.grammar),
            json_schema: flag(&p.json_schema),
            port: int(&p.port).unwrap_or_default(),
            server_bin: text(&p.server_bin),
            api_key_env: text(&p.api_key_env),
        };
        cx.out.plugins.push(plugin);
    }
    for entry in cx.story.manifest.providers.iter().flat_map(|p| p.value.entries.iter()) {
        let p = &entry.value;
        let provider = Provider {
            at: cx.places.name(&entry.name, p.origin),
            name: entry.name.text.clone(),
            backend: text(&p.backend).trim().into(),
            model: text(&p.model),
            effort: text(&p.effort).trim().into(),
            env: pairs(&p.env),
        };
        cx.out.providers.push(provider);
    }
}
