//! Which arms and effects of a story its flows reach, worked out from the fixtures alone (`testing` 13).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use kitsoki_ir::{self as ir, Action, Effect, Guard, StateId, Target};
use kitsoki_runtime::Program;
use serde_json::{Map as JsonMap, Value as Json, json};

use crate::cassette::Cassette;
use crate::doc::Fatal;
use crate::fixture::{self, Flow};
use crate::report::visible;
use crate::scripts::Scripts;

/// One arm of a room.
#[derive(Clone, Debug)]
pub struct Branch {
    /// `state#intent[index]`.
    pub id: String,
    /// The room.
    pub state: String,
    /// The intent.
    pub intent: String,
    /// Its place in the list.
    pub index: usize,
    /// Where it leads; the room itself when it stays.
    pub target: String,
    /// Its guard, as written.
    pub when: String,
    /// It is the arm of last resort.
    pub default: bool,
    /// The flows that reach it.
    pub flows: BTreeSet<String>,
}

/// One effect.
#[derive(Clone, Debug)]
pub struct EffectEntry {
    /// Its id.
    pub id: String,
    /// The room.
    pub state: String,
    /// `on_enter` or `transition`.
    pub origin: &'static str,
    /// The intent of its arm.
    pub intent: String,
    /// The arm's place.
    pub branch_index: usize,
    /// Its place in the list.
    pub effect_index: String,
    /// What it does, joined by `+`.
    pub kind: String,
    /// The verb that it calls.
    pub invoke: String,
    /// Whether a flow reaches it.
    pub flows: BTreeSet<String>,
    /// Whether a flow looks at its call.
    pub host_asserted: bool,
}

/// The ledger of a story.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Arms in the order of the story.
    pub branches: Vec<Branch>,
    /// Effects in the order of the story.
    pub effects: Vec<EffectEntry>,
    /// What could not be followed.
    pub problems: Vec<String>,
    /// The flow files.
    pub files: Vec<String>,
    /// Enumerated slots whose values no flow submits.
    pub parameters: Vec<Parameter>,
    /// The scripts that the story names, as it names them.
    pub named_scripts: BTreeSet<String>,
    /// The scripts of the story, and what of them the flows run ([`crate::scripts`]); empty when it has none.
    pub scripts: Scripts,
}

/// Values of enumerated slots that flows leave out.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The room.
    pub state: String,
    /// The intent.
    pub intent: String,
    /// The slot and its missing values.
    pub missing: Vec<(String, Vec<String>)>,
}

/// What must be reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gates {
    /// Least share of arms, in percent.
    pub min_branch: Option<f64>,
    /// All arms.
    pub all_branches: bool,
    /// Least share of effects, in percent.
    pub min_effect: Option<f64>,
    /// All effects.
    pub all_effects: bool,
    /// Every reached call is looked at.
    pub host_assertions: bool,
}

/// Follows the flows of files through a story.
///
/// # Errors
/// When a fixture cannot be read.
pub fn measure(program: &Program, files: &[PathBuf]) -> Result<Coverage, Fatal> {
    let mut coverage = Coverage::default();
    collect(program, &mut coverage);
    let mut submitted: BTreeMap<(String, String), Vec<(String, String)>> = BTreeMap::new();
    for file in files {
        let name = file.to_string_lossy().into_owned();
        for flow in fixture::load(file)?.flows {
            coverage.walk(program, &flow, &name, &mut submitted);
        }
        coverage.files.push(name);
    }
    coverage.parameters(program, &submitted);
    Ok(coverage)
}

fn collect(program: &Program, coverage: &mut Coverage) {
    let story = &program.story;
    let bound = story.hosts.iter().filter_map(|h| h.script.as_ref());
    coverage.named_scripts.extend(bound.map(ToString::to_string));
    for (id, state) in story.states.pairs() {
        for (n, effect) in state.on_enter.iter().enumerate() {
            add(
                program,
                coverage,
                effect,
                state.path.as_str(),
                "on_enter",
                ("", 0),
                &n.to_string(),
            );
        }
        for handler in &state.on {
            if handler.intent == "author_story" {
                continue;
            }
            for (index, arm) in handler.arcs.iter().filter_map(|a| story.arcs.get(*a)).enumerate() {
                coverage.branches.push(Branch {
                    id: format!("{}#{}[{index}]", state.path, handler.intent),
                    state: state.path.to_string(),
                    intent: handler.intent.to_string(),
                    index,
                    target: target(program, id, &arm.target),
                    when: match arm.guard {
                        Guard::When(e) => story.exprs.get(e).map(|e| e.text.to_string()).unwrap_or_default(),
                        _ => String::new(),
                    },
                    default: arm.guard == Guard::Default,
                    flows: BTreeSet::new(),
                });
                for (n, effect) in arm.effects.iter().enumerate() {
                    let place = (handler.intent.as_str(), index);
                    add(
                        program,
                        coverage,
                        effect,
                        state.path.as_str(),
                        "transition",
                        place,
                        &n.to_string(),
                    );
                }
            }
        }
    }
}

fn target(program: &Program, owner: StateId, target: &Target) -> String {
    match target {
        Target::Stay => program.story.path(owner).to_owned(),
        Target::State(id) => program.story.path(*id).to_owned(),
        Target::Unknown(name) => name.to_string(),
        Target::Template(id) => program.source(*id).to_owned(),
    }
}

fn add(
    program: &Program,
    coverage: &mut Coverage,
    effect: &Effect,
    state: &str,
    origin: &'static str,
    (intent, branch): (&str, usize),
    index: &str,
) {
    let mut kinds = Vec::new();
    let mut verb = String::new();
    match &effect.action {
        Action::None => {}
        Action::Set(_) => kinds.push("set"),
        Action::Increment(_) => kinds.push("increment"),
        Action::Say(_) => kinds.push("say"),
        Action::Invoke(invoke) => {
            kinds.push("invoke");
            verb = program
                .story
                .hosts
                .get(invoke.host)
                .map(|h| h.name.to_string())
                .unwrap_or_default();
            let script = invoke.with.iter().find(|(key, _)| key == "script").map(|(_, v)| v);
            if let (Some(ir::Value::Text(script)), "host.starlark.run") = (script, verb.as_str()) {
                coverage.named_scripts.insert(script.to_string());
            }
            for (n, inner) in invoke.on_complete.iter().enumerate() {
                let index = format!("{index}.on_complete.{n}");
                add(program, coverage, inner, state, origin, (intent, branch), &index);
            }
        }
        Action::Commit { .. } => kinds.push("commit_operation"),
        Action::PersistDraft { .. } => kinds.push("persist_draft"),
        Action::Discard { .. } => kinds.push("discard_operation"),
    }
    for (there, word) in [
        (effect.emit.is_some(), "emit"),
        (effect.emit_intent.is_some(), "emit_intent"),
        (effect.target.is_some(), "target"),
    ] {
        if there {
            kinds.push(word);
        }
    }
    let id = if origin == "on_enter" {
        format!("on_enter:on_enter.effects[{index}]")
    } else {
        format!("{state}#{intent}[{branch}]:transition.effects[{index}]")
    };
    coverage.effects.push(EffectEntry {
        id,
        state: state.to_owned(),
        origin,
        intent: intent.to_owned(),
        branch_index: branch,
        effect_index: index.to_owned(),
        kind: if kinds.is_empty() {
            "noop".into()
        } else {
            kinds.join("+")
        },
        invoke: verb,
        flows: BTreeSet::new(),
        host_asserted: false,
    });
}

impl Coverage {
    fn walk(
        &mut self,
        program: &Program,
        flow: &Flow,
        file: &str,
        submitted: &mut BTreeMap<(String, String), Vec<(String, String)>>,
    ) {
        let Some(mut state) = flow.initial_state.clone() else {
            self.problems
                .push(format!("{file}: no initial_state: the flow cannot be followed"));
            return;
        };
        let cassette: BTreeSet<String> = if flow.host_cassette.is_empty() {
            BTreeSet::new()
        } else {
            let path = flow.file.parent().unwrap_or(Path::new(".")).join(&flow.host_cassette);
            Cassette::load(&path)
                .map(|c| c.handlers().into_iter().collect())
                .unwrap_or_default()
        };
        for (n, turn) in flow.turns.iter().enumerate() {
            let Some(intent) = &turn.intent else {
                if let Some(next) = &turn.expect_state {
                    self.reach(next, file, &cassette);
                    state.clone_from(next);
                }
                continue;
            };
            let candidates = self.candidates(program, &state, intent);
            if let Some(slots) = &turn.slots {
                let owner = candidates
                    .first()
                    .and_then(|i| self.branches.get(*i))
                    .map(|b| b.state.clone());
                if let Some(owner) = owner {
                    let list = submitted.entry((owner, intent.to_string())).or_default();
                    list.extend(
                        slots
                            .iter()
                            .map(|(k, v)| (k.to_string(), kitsoki_runtime::value::text(v))),
                    );
                }
            }
            if candidates.is_empty() {
                self.problems.push(format!(
                    "{file}: turn {}: no authored branch for {state}#{intent}",
                    n + 1
                ));
                if let Some(next) = &turn.expect_state {
                    state.clone_from(next);
                }
                continue;
            }
            if turn.expect_error.is_some() {
                continue;
            }
            let target = |i: &usize| self.branches.get(*i).map(|b| b.target.clone()).unwrap_or_default();
            let covered: Vec<usize> = if let Some(want) = &turn.expect_state {
                candidates.iter().copied().filter(|i| target(i) == *want).collect()
            } else if !turn.expect_state_in.is_empty() {
                candidates
                    .iter()
                    .copied()
                    .filter(|i| turn.expect_state_in.contains(&target(i)))
                    .collect()
            } else if candidates.len() == 1 || candidates.iter().all(|i| target(i) == state) {
                candidates.clone()
            } else {
                Vec::new()
            };
            let targets: BTreeSet<String> = covered.iter().map(target).collect();
            let asserted: BTreeSet<&str> = turn.expect_host_calls.iter().map(|c| c.handler.as_str()).collect();
            for i in &covered {
                let Some(branch) = self.branches.get_mut(*i) else {
                    continue;
                };
                branch.flows.insert(file.to_owned());
                let (at, name, index) = (branch.state.clone(), branch.intent.clone(), branch.index);
                for effect in self.effects.iter_mut() {
                    if effect.origin == "transition"
                        && effect.state == at
                        && effect.intent == name
                        && effect.branch_index == index
                    {
                        effect.flows.insert(file.to_owned());
                        effect.host_asserted |= !effect.invoke.is_empty()
                            && (asserted.contains(effect.invoke.as_str()) || cassette.contains(&effect.invoke));
                    }
                }
            }
            let next = match (&turn.expect_state, targets.len()) {
                (Some(next), _) => next.clone(),
                (None, 1) => targets.into_iter().next().unwrap_or_default(),
                _ => state.clone(),
            };
            if next != state {
                self.reach(&next, file, &cassette);
            }
            state = next;
        }
    }

    fn candidates(&self, program: &Program, state: &str, intent: &str) -> Vec<usize> {
        for (_, at) in program.chain(state) {
            let name = kitsoki_runtime::Machine::new(program).resolve_alias(state, intent);
            let found: Vec<usize> = self
                .branches
                .iter()
                .enumerate()
                .filter(|(_, b)| b.state == at.path.as_str() && b.intent == name.as_str())
                .map(|(i, _)| i)
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn reach(&mut self, state: &str, file: &str, cassette: &BTreeSet<String>) {
        for effect in self
            .effects
            .iter_mut()
            .filter(|e| e.origin == "on_enter" && e.state == state)
        {
            effect.flows.insert(file.to_owned());
            effect.host_asserted |= cassette.contains(&effect.invoke);
        }
    }

    fn parameters(&mut self, program: &Program, submitted: &BTreeMap<(String, String), Vec<(String, String)>>) {
        let machine = kitsoki_runtime::Machine::new(program);
        let mut seen = BTreeSet::new();
        for branch in &self.branches {
            if !seen.insert((branch.state.clone(), branch.intent.clone())) {
                continue;
            }
            let Some(intent) = machine.intent(&branch.state, &branch.intent) else {
                continue;
            };
            let none = Vec::new();
            let given = submitted
                .get(&(branch.state.clone(), branch.intent.clone()))
                .unwrap_or(&none);
            let mut missing = Vec::new();
            for slot in intent.slots.iter().filter(|s| !s.values.is_empty()) {
                let left: Vec<String> = slot
                    .values
                    .iter()
                    .filter(|v| !given.iter().any(|(k, got)| *k == slot.name && got == v.as_str()))
                    .map(ToString::to_string)
                    .collect();
                if !left.is_empty() {
                    missing.push((slot.name.to_string(), left));
                }
            }
            if !missing.is_empty() {
                self.parameters.push(Parameter {
                    state: branch.state.clone(),
                    intent: branch.intent.clone(),
                    missing,
                });
            }
        }
    }

    /// Reached arms and all of them.
    #[must_use]
    pub fn branch_counts(&self) -> (usize, usize) {
        (
            self.branches.iter().filter(|b| !b.flows.is_empty()).count(),
            self.branches.len(),
        )
    }

    /// Reached effects and all of them.
    #[must_use]
    pub fn effect_counts(&self) -> (usize, usize) {
        (
            self.effects.iter().filter(|e| !e.flows.is_empty()).count(),
            self.effects.len(),
        )
    }

    /// Why the gates are not met; empty when they are.
    #[must_use]
    pub fn failures(&self, gates: Gates) -> Vec<String> {
        let mut out = Vec::new();
        let (branches, effects) = (percent(self.branch_counts()), percent(self.effect_counts()));
        if let Some(least) = gates.min_branch.filter(|p| branches < *p) {
            out.push(format!("{branches:.1} % of the arms are reached, {least} % are wanted"));
        }
        if let Some(least) = gates.min_effect.filter(|p| effects < *p) {
            out.push(format!(
                "{effects:.1} % of the effects are reached, {least} % are wanted"
            ));
        }
        if gates.all_branches {
            let left = self.branches.iter().filter(|b| b.flows.is_empty());
            out.extend(left.map(|b| format!("no flow reaches {}", b.id)));
        }
        if gates.all_effects {
            let left = self.effects.iter().filter(|e| e.flows.is_empty());
            out.extend(left.map(|e| format!("no flow reaches {} in {}", e.id, e.state)));
        }
        if gates.host_assertions {
            let left = self
                .effects
                .iter()
                .filter(|e| !e.flows.is_empty() && !e.invoke.is_empty() && !e.host_asserted);
            out.extend(left.map(|e| format!("no flow looks at the call of {} in {} ({})", e.invoke, e.state, e.id)));
        }
        if gates.all_branches || gates.all_effects || gates.host_assertions {
            out.extend(self.problems.iter().cloned());
        }
        out
    }

    /// The report for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (name, counts) in [("arms", self.branch_counts()), ("effects", self.effect_counts())] {
            let _ = writeln!(
                out,
                "{name:8} {}/{} reached ({:.1} %)",
                counts.0,
                counts.1,
                percent(counts)
            );
        }
        for branch in self.branches.iter().filter(|b| b.flows.is_empty()) {
            let guard = if branch.when.is_empty() {
                String::new()
            } else {
                format!(" when {}", branch.when)
            };
            let _ = writeln!(
                out,
                "  not reached: {} → {}{}",
                visible(&branch.id),
                visible(&branch.target),
                visible(&guard)
            );
        }
        for parameter in &self.parameters {
            for (slot, values) in &parameter.missing {
                let _ = writeln!(
                    out,
                    "  not submitted: {}#{} {slot}: {}",
                    visible(&parameter.state),
                    visible(&parameter.intent),
                    visible(&values.join(", "))
                );
            }
        }
        for problem in &self.problems {
            let _ = writeln!(out, "  not followed: {}", visible(problem));
        }
        out + &self.scripts.text()
    }

    /// The report as JSON.
    #[must_use]
    pub fn json(&self, app: &str, path: &str, glob: &str, passed: bool) -> String {
        let counts = |c: (usize, usize)| json!({"covered": c.0, "total": c.1, "percent": percent(c)});
        let branches: Vec<Json> = self
            .branches
            .iter()
            .map(|b| {
                let mut o = said(&[
                    ("id", &b.id),
                    ("state", &b.state),
                    ("intent", &b.intent),
                    ("target", &b.target),
                    ("when", &b.when),
                ]);
                o.insert("index".into(), json!(b.index));
                if b.default {
                    o.insert("default".into(), Json::Bool(true));
                }
                o.insert("covered".into(), Json::Bool(!b.flows.is_empty()));
                files(&mut o, &b.flows);
                Json::Object(o)
            })
            .collect();
        let effects: Vec<Json> = self
            .effects
            .iter()
            .map(|e| {
                let mut o = said(&[
                    ("id", &e.id),
                    ("state", &e.state),
                    ("origin", e.origin),
                    ("intent", &e.intent),
                    ("effect_index", &e.effect_index),
                    ("kind", &e.kind),
                    ("invoke", &e.invoke),
                ]);
                if e.branch_index > 0 {
                    o.insert("branch_index".into(), json!(e.branch_index));
                }
                o.insert("covered".into(), Json::Bool(!e.flows.is_empty()));
                if e.host_asserted {
                    o.insert("host_asserted".into(), Json::Bool(true));
                }
                files(&mut o, &e.flows);
                Json::Object(o)
            })
            .collect();
        let parameters: Vec<Json> = self
            .parameters
            .iter()
            .map(|p| {
                let missing: JsonMap<String, Json> = p.missing.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
                json!({"state": p.state, "intent": p.intent, "missing_values": missing})
            })
            .collect();
        let document = json!({
            "app": app,
            "app_path": path,
            "flows_glob": glob,
            "branch_coverage": counts(self.branch_counts()),
            "effect_coverage": counts(self.effect_counts()),
            "branches": branches,
            "effects": effects,
            "parameter_checks": parameters,
            "script_coverage": self.scripts.json(),
            "flow_files": self.files,
            "problems": self.problems,
            "passed": passed,
        });
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }
}

fn said(pairs: &[(&str, &str)]) -> JsonMap<String, Json> {
    pairs
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(key, text)| ((*key).to_owned(), json!(text)))
        .collect()
}

fn files(object: &mut JsonMap<String, Json>, files: &BTreeSet<String>) {
    if !files.is_empty() {
        object.insert("flow_files".into(), json!(files));
    }
}

fn percent((part, all): (usize, usize)) -> f64 {
    if all == 0 {
        100.0
    } else {
        (part as f64 * 1000.0 / all as f64).round() / 10.0
    }
}
