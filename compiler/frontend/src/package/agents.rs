//! Toolboxes and agents of one file: tool names, prompts, effect classes (`language` 4.1, 5).
//!
//! Resolution happens before files are merged, so a toolbox is visible in its own file only. The checks of one agent stop at
//! the first problem, as in the reference; the agent stays declared.

use camino::Utf8Path;
use kitsoki_diagnostics::Diagnostic;
use kitsoki_syntax::{Span, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::effect_class::EffectClass;
use super::include::Included;
use super::variables;
use crate::db::{Contents, Db};
use crate::pipeline::decoded;
use crate::rules::agents as rules;
use crate::rules::cx::place;
use crate::surface::{Agent, Any, Arc, Effect, Field, Flag, List, Made, Manifest, Map, Optional, Room, Text, Toolbox};

/// Where every toolbox of every file of a package is declared, for the message about one of another file.
pub(super) type ToolboxPlaces = FxHashMap<SmolStr, Span>;

/// See [`ToolboxPlaces`].
pub(super) fn toolbox_places(db: &dyn Db, root: &Manifest, included: &[Included]) -> ToolboxPlaces {
    let mut places = ToolboxPlaces::default();
    let mut add = |m: &Manifest| {
        for entry in m.toolboxes.iter().flat_map(|b| b.entries.iter()) {
            places.entry(entry.name.text.clone()).or_insert(entry.name.span);
        }
    };
    add(root);
    for file in included {
        if let Some(m) = &decoded(db, file.file).manifest {
            add(m);
        }
    }
    places
}

/// The reasoning efforts that back ends know (`language` 3.11).
pub(crate) const EFFORTS: [&str; 5] = ["low", "medium", "high", "xhigh", "max"];
/// The permission modes that back ends know; empty is one of them.
const PERMISSION_MODES: [&str; 9] = [
    "",
    "ask",
    "denyAll",
    "default",
    "bypassPermissions",
    "acceptEdits",
    "auto",
    "dontAsk",
    "plan",
];
/// Tools whose exact spelling rules compare.
const EXACT_TOOLS: [&str; 13] = [
    "Bash",
    "Edit",
    "Glob",
    "Grep",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "Read",
    "TodoRead",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
    "Write",
];

/// Resolves the toolboxes and agents of one file in place. `dir` is the folder of the file.
pub(super) fn resolve(
    db: &dyn Db,
    dir: &Utf8Path,
    manifest: &mut Manifest,
    places: &ToolboxPlaces,
    findings: &mut Vec<Diagnostic>,
) {
    if let Some(boxes) = &mut manifest.toolboxes {
        for entry in &mut boxes.value.entries {
            if entry.null {
                findings.push(rules::toolbox_null(entry.name.span, entry.name.as_str()));
            } else {
                toolbox(&mut entry.value, findings);
            }
        }
    }
    let Some(agents) = &mut manifest.agents else { return };
    let readers = readers(manifest.states.as_ref());
    for entry in &mut agents.value.entries {
        if entry.null {
            findings.push(rules::agent_null(entry.name.span, entry.name.as_str()));
            continue;
        }
        if entry.broken {
            continue;
        }
        let cx = AgentCx {
            db,
            dir,
            name: &entry.name,
            boxes: manifest.toolboxes.value(),
            places,
            reader: readers.get(entry.name.as_str()).copied(),
        };
        agent(&cx, &mut entry.value, findings);
    }
}

struct AgentCx<'a> {
    db: &'a dyn Db,
    dir: &'a Utf8Path,
    name: &'a Text,
    boxes: Option<&'a Map<Toolbox>>,
    places: &'a ToolboxPlaces,
    /// Where `host.agent.ask` or `.decide` of this file names the agent.
    reader: Option<Span>,
}

impl AgentCx<'_> {
    fn inside(&self, text: &Text) -> Span {
        place(self.db, text, TextRange::up_to(len(text)))
    }
}

fn len(text: &Text) -> kitsoki_syntax::TextSize {
    u32::try_from(text.text.len()).unwrap_or(u32::MAX).into()
}

fn toolbox(toolbox: &mut Toolbox, findings: &mut Vec<Diagnostic>) {
    normalise(&mut toolbox.tools);
    let Some(effect) = toolbox.effect.as_ref().filter(|e| !e.text.is_empty()) else {
        return;
    };
    match EffectClass::parse(effect.as_str()) {
        None => findings.push(rules::toolbox_effect_unknown(effect.span, effect.as_str())),
        Some(declared) => {
            let joined = join(toolbox.tools.iter().flat_map(|t| t.items.iter()));
            if joined.class != declared {
                findings.push(rules::toolbox_effect_mismatch(effect.span, declared, &joined));
            }
        }
    }
}

/// The class of a tool surface and the tool that makes it so.
pub(crate) struct Joined {
    pub class: EffectClass,
    pub because: Option<Text>,
}

fn join<'a>(tools: impl Iterator<Item = &'a Text>) -> Joined {
    let mut joined = Joined {
        class: EffectClass::Pure,
        because: None,
    };
    for tool in tools {
        let class = EffectClass::of_tool(tool.as_str());
        if class > joined.class {
            joined = Joined {
                class,
                because: Some(tool.clone()),
            };
        }
    }
    joined
}

/// Puts `host.` before the names of plain tools (`language` 5.1).
fn normalise(tools: &mut Option<Field<List<Text>>>) {
    for tool in tools.iter_mut().flat_map(|t| t.value.items.iter_mut()) {
        let name = tool.as_str();
        if !name.is_empty() && !name.starts_with("host.") && !name.starts_with("mcp__") {
            *tool = tool.replaced(&[(0..0, "host.".to_owned())]);
        }
    }
}

/// The checks and the resolution of one agent; the first problem ends them.
fn agent(cx: &AgentCx<'_>, agent: &mut Agent, findings: &mut Vec<Diagnostic>) {
    spelling_of_tools(cx, agent, findings);
    if let Err(finding) = prompt(cx, agent)
        .and_then(|()| settings(cx, agent))
        .and_then(|()| surface(cx, agent))
    {
        findings.push(*finding);
        return;
    }
    let bash = agent
        .tools
        .iter()
        .flat_map(|t| t.items.iter())
        .find(|t| t.as_str() == "host.Bash");
    if let (Some(bash), None, Some(reader)) = (bash, &agent.bash_profile, cx.reader) {
        findings.push(rules::agent_bash_needs_profile(
            cx.inside(bash),
            cx.name.as_str(),
            reader,
        ));
    }
    match effect(agent, findings) {
        Ok(class) => write_back(agent, class),
        Err(finding) => findings.push(*finding),
    }
}

type Step = Result<(), Box<Diagnostic>>;

fn fail(finding: Diagnostic) -> Step {
    Err(Box::new(finding))
}

fn said(field: &Option<Field<Text>>) -> Option<&Field<Text>> {
    field.as_ref().filter(|f| !f.text.is_empty())
}

fn prompt(cx: &AgentCx<'_>, agent: &mut Agent) -> Step {
    match (said(&agent.system_prompt), said(&agent.system_prompt_path)) {
        (Some(inline), Some(path)) => fail(rules::agent_prompt_both(cx.name.as_str(), inline.key, path.key)),
        (None, None) => {
            let empty = agent.system_prompt.as_ref().or(agent.system_prompt_path.as_ref());
            let at = empty.map_or(agent.head, |e| e.value.span);
            fail(rules::agent_prompt_missing(at, cx.name.as_str(), empty.is_some()))
        }
        (Some(_), None) => Ok(()),
        (None, Some(path)) => {
            let file = cx.db.file(&cx.dir.join(path.as_str()));
            let text = match file.contents(cx.db) {
                Contents::Text(text) => SmolStr::new(text),
                Contents::NotText(_) => {
                    return fail(rules::agent_prompt_unreadable::not_text(
                        cx.inside(&path.value),
                        path.as_str(),
                    ));
                }
                Contents::Failed(error) => {
                    return fail(rules::agent_prompt_unreadable(path.value.span, path.as_str(), error));
                }
            };
            let at = path.value.span;
            agent.system_prompt = Some(Field::new(path.key, Text::made(text, Made::Builtin, at)));
            agent.system_prompt_path = None;
            agent.prompt_file = Some(file.path(cx.db).as_str().into());
            Ok(())
        }
    }
}

fn settings(cx: &AgentCx<'_>, agent: &mut Agent) -> Step {
    // The variables are checked and stay as written: no value of the environment gets into a compiled story.
    if let Some(cwd) = &agent.cwd {
        match variables::expand(cwd.as_str(), |name| cx.db.system().env(name)) {
            Ok(_) => {}
            Err(range) => {
                let small = |n: usize| kitsoki_syntax::TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
                let at = TextRange::new(small(range.start), small(range.end));
                let name = cwd
                    .as_str()
                    .get(range)
                    .unwrap_or_default()
                    .trim_matches(['$', '{', '}'])
                    .to_owned();
                return fail(rules::agent_cwd_unset_env(place(cx.db, &cwd.value, at), &name));
            }
        }
    }
    if let Some(effort) = &agent.effort {
        let word = effort.as_str().trim();
        if !word.is_empty() && !EFFORTS.contains(&word) {
            return fail(rules::agent_effort_unknown(effort.value.span, word, &EFFORTS));
        }
    }
    if let Some(mode) = agent.permissions.as_ref().and_then(|p| p.mode.as_ref())
        && !PERMISSION_MODES.contains(&mode.as_str())
    {
        return fail(rules::agent_permission_mode(
            mode.value.span,
            mode.as_str(),
            PERMISSION_MODES.get(1..).unwrap_or_default(),
        ));
    }
    let Some(budget) = &agent.token_budget else {
        return Ok(());
    };
    let warn = budget.warn_tokens.as_ref().map_or(0, |n| n.value.value);
    let refuse = budget.refuse_tokens.as_ref().map_or(0, |n| n.value.value);
    if warn <= 0 {
        let at = budget.warn_tokens.as_ref().map_or(budget.key, |n| n.value.span);
        return fail(rules::agent_token_budget::no_warning(at));
    }
    if refuse < warn {
        let at = budget.refuse_tokens.as_ref().map_or(budget.key, |n| n.value.span);
        let first = budget.warn_tokens.as_ref().map_or(budget.key, |n| n.value.span);
        return fail(rules::agent_token_budget::below(at, refuse, first, warn));
    }
    Ok(())
}

fn surface(cx: &AgentCx<'_>, agent: &mut Agent) -> Step {
    let toolbox = said(&agent.toolbox).cloned();
    if let (Some(toolbox), Some(tools)) = (&toolbox, &agent.tools)
        && !tools.items.is_empty()
    {
        return fail(rules::agent_toolbox_and_tools(cx.name.as_str(), toolbox.key, tools.key));
    }
    normalise(&mut agent.tools);
    normalise(&mut agent.tools_add);
    normalise(&mut agent.tools_remove);
    if let Some(toolbox) = toolbox {
        let names = || cx.boxes.into_iter().flat_map(|b| b.names());
        let Some(found) = cx.boxes.and_then(|b| b.entry(toolbox.as_str())) else {
            let elsewhere = cx.places.get(toolbox.as_str()).copied();
            let at = cx.inside(&toolbox.value);
            let near = rules::near(cx.boxes, toolbox.as_str());
            return fail(rules::agent_toolbox_undeclared(
                at,
                toolbox.as_str(),
                elsewhere,
                near,
                names(),
            ));
        };
        if found.null {
            // Said once, at the toolbox.
            return Ok(());
        }
        let removed: FxHashSet<&str> = agent
            .tools_remove
            .iter()
            .flat_map(|t| t.items.iter())
            .map(Text::as_str)
            .collect();
        let kept = found
            .value
            .tools
            .iter()
            .flat_map(|t| t.items.iter())
            .filter(|t| !removed.contains(t.as_str()));
        let added = agent.tools_add.iter().flat_map(|t| t.items.iter());
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let items = kept
            .chain(added)
            .filter(|t| !t.text.is_empty() && seen.insert(t.as_str()))
            .cloned()
            .collect();
        let tools = List {
            items,
            span: toolbox.value.span,
        };
        agent.tools = Some(Field::new(toolbox.key, tools));
    }
    if let Some(mcp) = &mut agent.mcp {
        normalise(&mut mcp.value.tools);
    }
    Ok(())
}

/// The class of an agent: declared, or that of its tools (`language` 5.4).
fn effect(agent: &Agent, findings: &mut Vec<Diagnostic>) -> Result<EffectClass, Box<Diagnostic>> {
    let tools = || {
        let mcp = agent
            .mcp
            .iter()
            .flat_map(|m| m.tools.iter())
            .flat_map(|t| t.items.iter());
        agent.tools.iter().flat_map(|t| t.items.iter()).chain(mcp)
    };
    let joined = join(tools());
    let written = said(&agent.effect);
    let (declared, at) = match (written, &agent.external_side_effect) {
        (Some(effect), _) if EffectClass::parse(effect.as_str()).is_none() => {
            return Err(Box::new(rules::agent_effect_unknown(
                effect.value.span,
                effect.as_str(),
            )));
        }
        (Some(effect), Some(old)) => return Err(Box::new(rules::agent_effect_twice(effect.key, old.key))),
        (None, None) => return Ok(joined.class),
        (Some(effect), None) => (
            EffectClass::parse(effect.as_str()).unwrap_or_default(),
            effect.value.span,
        ),
        (None, Some(old)) => {
            let writes = || tools().any(|t| EffectClass::of_tool(t.as_str()) == EffectClass::Write);
            let class = match old.value.value {
                true => EffectClass::External,
                false if writes() => EffectClass::Write,
                false => EffectClass::Read,
            };
            (class, old.value.span)
        }
    };
    if declared <= EffectClass::Read && joined.class > EffectClass::Read {
        return Err(Box::new(rules::agent_effect_too_low(at, declared, &joined)));
    }
    match &agent.external_side_effect {
        Some(old) => findings.push(rules::agent_effect_deprecated(old.key, old.value.span, declared)),
        None if declared != joined.class => findings.push(rules::agent_effect_mismatch(at, declared, &joined)),
        None => {}
    }
    Ok(declared)
}

fn write_back(agent: &mut Agent, class: EffectClass) {
    let head = agent.head;
    if said(&agent.effect).is_none() {
        agent.effect = Some(Field::made(Text::made(class.as_str(), Made::Builtin, head), head));
    }
    let external = class == EffectClass::External;
    let flag = agent.external_side_effect.as_ref().map_or(
        Field::made(
            Flag {
                value: external,
                span: head,
            },
            head,
        ),
        |old| {
            Field::new(
                old.key,
                Flag {
                    value: external,
                    span: old.value.span,
                },
            )
        },
    );
    agent.external_side_effect = Some(flag);
}

fn spelling_of_tools(cx: &AgentCx<'_>, agent: &Agent, findings: &mut Vec<Diagnostic>) {
    let lists = [&agent.tools, &agent.tools_add, &agent.tools_remove];
    for tool in lists.into_iter().flatten().flat_map(|t| t.items.iter()) {
        let bare = tool.as_str().strip_prefix("host.").unwrap_or(tool.as_str());
        if let Some(exact) = EXACT_TOOLS.iter().find(|e| e.eq_ignore_ascii_case(bare))
            && *exact != bare
        {
            findings.push(rules::tool_name_case(tool.span, bare, exact));
        }
    }
    if said(&agent.toolbox).is_none() {
        for (list, key) in [(&agent.tools_add, "tools_add"), (&agent.tools_remove, "tools_remove")] {
            if let Some(list) = list.as_ref().filter(|l| !l.items.is_empty()) {
                findings.push(rules::tools_add_without_toolbox(list.key, key, cx.name.as_str()));
            }
        }
    }
}

/// The agents that `host.agent.ask` and `host.agent.decide` name in the rooms of one file, with the first such place.
fn readers(states: Option<&Field<Map<std::sync::Arc<Room>>>>) -> FxHashMap<SmolStr, Span> {
    let mut found = FxHashMap::default();
    let Some(states) = states else { return found };
    let mut rooms: Vec<&Room> = states.entries.iter().filter(|e| !e.null).map(|e| &*e.value).collect();
    while let Some(room) = rooms.pop() {
        let arcs = room
            .on
            .iter()
            .flat_map(|on| on.entries.iter())
            .flat_map(|e| e.value.items.iter());
        let lists = arcs
            .filter_map(|a: &Arc| a.effects.value())
            .chain(room.on_enter.value());
        let mut effects: Vec<&Effect> = lists.flat_map(|l| l.items.iter()).collect();
        while let Some(effect) = effects.pop() {
            let reads = effect
                .invoke
                .as_ref()
                .is_some_and(|i| ["host.agent.ask", "host.agent.decide"].contains(&i.as_str()));
            let agent = effect.with.as_ref().and_then(|w| w.get("agent")).and_then(Any::as_text);
            if let (true, Some(agent)) = (reads, agent) {
                found.entry(agent.text.clone()).or_insert(agent.span);
            }
            effects.extend(effect.on_complete.iter().flat_map(|l| l.items.iter()));
        }
        rooms.extend(
            room.states
                .iter()
                .flat_map(|s| s.entries.iter())
                .filter(|e| !e.null)
                .map(|e| &*e.value),
        );
    }
    found
}
