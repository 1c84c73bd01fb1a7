//! Readiness checks of a room, and the notice about those that are unmet (`machine` 18).

use kitsoki_expr::{Env, Map, Value};
use kitsoki_ir::state::Prerequisite;
use kitsoki_ir::view::{Choice, ChoiceItem, ChoiceMode, ElementKind, ListItem};
use kitsoki_ir::{Element, ExprId, OriginId, Text};
use smol_str::SmolStr;

use crate::machine::Machine;
use crate::path;
use crate::value;

/// A readiness check as it stands now.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    /// Its id.
    pub id: SmolStr,
    /// Shown.
    pub title: String,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// Shown.
    pub summary: String,
    /// Shown.
    pub help: String,
    /// Whether it is met.
    pub satisfied: bool,
    /// What the operator can do.
    pub action: Option<SetUp>,
}

/// What the operator can do about a check.
#[derive(Clone, Debug, PartialEq)]
pub struct SetUp {
    /// Shown.
    pub label: String,
    /// Shown dimmed.
    pub hint: String,
    /// The intent.
    pub intent: SmolStr,
    /// Its slots.
    pub slots: Map,
}

impl<'p> Machine<'p> {
    pub(crate) fn has_prerequisites(self, at: &str) -> bool {
        self.declared(at).next().is_some()
    }

    fn declared(self, at: &str) -> std::vec::IntoIter<&'p Prerequisite> {
        let mut paths: Vec<&str> = path::prefixes(path::structural(at));
        if path::is_parallel(at) {
            for leaf in path::leaves(at) {
                paths.extend(path::prefixes(leaf));
            }
        }
        let mut seen: Vec<(&str, &str)> = Vec::new();
        let mut found = Vec::new();
        for at in paths {
            let Some((_, state)) = self.program.state(at) else {
                continue;
            };
            for check in &state.prerequisites {
                let key = (state.path.as_str(), check.id.as_str());
                if !seen.contains(&key) {
                    seen.push(key);
                    found.push(check);
                }
            }
        }
        found.into_iter()
    }

    /// The checks of a path, those of the rooms around it first.
    #[must_use]
    pub fn requirements(self, at: &str, env: &Env) -> Vec<Requirement> {
        let holds = |when: ExprId| self.program.guard(when, env).unwrap_or(false);
        let text = |text: &Text| match self.program.plain_text(text, env) {
            Ok(text) => text.trim().to_owned(),
            Err(_) => self.program.raw(text).trim().to_owned(),
        };
        let mut all = Vec::new();
        for check in self.declared(at) {
            if check.when.is_some_and(|when| !holds(when)) {
                continue;
            }
            let mut title = text(&check.title);
            if title.is_empty() {
                title = check.id.to_string();
            }
            let (summary, help) = (text(&check.summary), text(&check.help));
            let action = check.action.as_ref().filter(|a| !a.intent.is_empty()).map(|action| {
                let or = |text: String, other: &str| if text.is_empty() { other.to_owned() } else { text };
                let either = if help.trim().is_empty() { &summary } else { &help };
                SetUp {
                    label: or(text(&action.label), &title),
                    hint: or(text(&action.hint), either),
                    intent: action.intent.clone(),
                    slots: action
                        .slots
                        .iter()
                        .map(|(name, value)| {
                            let resolved = self.program.value(value, env);
                            (name.clone(), resolved.unwrap_or_else(|_| value::literal(value)))
                        })
                        .collect(),
                }
            });
            all.push(Requirement {
                id: check.id.clone(),
                title,
                severity: severity(&check.severity),
                summary,
                help,
                satisfied: check.satisfied_when.is_some_and(holds),
                action,
            });
        }
        all
    }

    pub(crate) fn unmet(self, at: &str, env: &Env) -> Vec<Requirement> {
        if !self.has_prerequisites(at) {
            return Vec::new();
        }
        let mut all = self.requirements(at, env);
        all.retain(|r| !r.satisfied);
        all
    }

    /// A view of elements with the notice in front, and what can be done in its first choice.
    pub(crate) fn with_setup(self, elements: &[Element], unmet: &[Requirement], env: &Env) -> Vec<Element> {
        let mut all = notice(unmet);
        all.extend(elements.iter().cloned());
        let known = |intent: &str| {
            let status = |part: &str| {
                let rows = env.menu.as_ref().and_then(|m| m.get(part)).and_then(Value::as_list);
                rows.is_some_and(|rows| {
                    rows.iter()
                        .any(|r| r.get("intent").and_then(Value::as_str) == Some(intent))
                })
            };
            status("primary") || status("blocked")
        };
        let actions: Vec<&SetUp> = unmet
            .iter()
            .filter_map(|r| r.action.as_ref())
            .filter(|a| known(&a.intent))
            .collect();
        if actions.is_empty() {
            return all;
        }
        let item = |action: &SetUp| ChoiceItem {
            label: Text::Literal(action.label.as_str().into()),
            hint: Text::Literal(action.hint.as_str().into()),
            intent: action.intent.clone(),
            ..ChoiceItem::default()
        };
        for element in &mut all {
            let ElementKind::Choice(choice) = &mut element.show else {
                continue;
            };
            if choice.mode != ChoiceMode::Single {
                continue;
            }
            let mut rest: Vec<ChoiceItem> = std::mem::take(&mut choice.items);
            for action in actions {
                let fits = |i: &ChoiceItem| self.is_active(i, env) && self.is_same(action, i, env);
                let own = rest.iter().position(fits).map(|at| rest.remove(at));
                choice.items.push(own.unwrap_or_else(|| item(action)));
            }
            choice.items.append(&mut rest);
            return all;
        }
        let choice = Choice {
            prompt: Text::Literal("Setup actions".into()),
            items: actions.into_iter().map(item).collect(),
            ..Choice::default()
        };
        all.push(Element {
            at: OriginId::default_place(),
            when: None,
            show: ElementKind::Choice(Box::new(choice)),
        });
        all
    }

    fn is_active(self, item: &ChoiceItem, env: &Env) -> bool {
        item.when.is_none_or(|when| match self.program.eval(when, env) {
            Ok(Value::Bool(shown)) => shown,
            Ok(Value::Nil) => false,
            _ => true,
        })
    }

    fn is_same(self, action: &SetUp, item: &ChoiceItem, env: &Env) -> bool {
        if action.intent != item.intent || item.param.is_some() {
            return false;
        }
        let own: Map = item
            .slots
            .iter()
            .map(|(name, value)| {
                let written = match value {
                    kitsoki_ir::Value::Template(id) => Value::text(self.program.source(*id)),
                    other => self.program.value(other, env).unwrap_or(Value::Nil),
                };
                (name.clone(), written)
            })
            .collect();
        value::same(&Value::Map(action.slots.clone()), &Value::Map(own))
    }
}

/// The place of what the program itself makes.
trait DefaultPlace {
    fn default_place() -> Self;
}

impl DefaultPlace for OriginId {
    fn default_place() -> Self {
        OriginId(u32::MAX)
    }
}

fn severity(word: &str) -> &'static str {
    match word.trim().to_lowercase().as_str() {
        "info" => "info",
        "error" => "error",
        _ => "warning",
    }
}

/// The banner and the list that say what is unmet.
pub(crate) fn notice(unmet: &[Requirement]) -> Vec<Element> {
    let literal = |text: &str| Text::Literal(text.into());
    let count = unmet.len();
    let subtitle = if count == 1 {
        "1 setup item needs attention.".to_owned()
    } else {
        format!("{count} setup items need attention.")
    };
    let color = if unmet.iter().any(|r| r.severity == "error") {
        "error"
    } else {
        "warning"
    };
    let items = unmet.iter().map(|r| {
        let mut hint = if r.summary.trim().is_empty() {
            r.help.trim()
        } else {
            r.summary.trim()
        }
        .to_owned();
        if let Some(action) = r.action.as_ref().filter(|a| !a.label.is_empty()) {
            if !hint.is_empty() {
                hint.push(' ');
            }
            hint.push_str(&format!("Action: {}.", action.label));
        }
        ListItem {
            label: literal(&r.title),
            hint: literal(&hint),
            when: None,
        }
    });
    let element = |show| Element {
        at: OriginId::default_place(),
        when: None,
        show,
    };
    vec![
        element(ElementKind::Banner {
            text: literal("Prerequisites need setup"),
            subtitle: literal(&subtitle),
            color: literal(color),
        }),
        element(ElementKind::List {
            marker: SmolStr::default(),
            items: items.collect(),
        }),
    ]
}

/// The checks as views see them.
pub(crate) fn to_map(all: &[Requirement]) -> Map {
    let one = |r: &Requirement| {
        let mut map = value::map([
            ("id", Value::text(&r.id)),
            ("title", Value::text(&r.title)),
            ("severity", Value::text(r.severity)),
            ("summary", Value::text(&r.summary)),
            ("help", Value::text(&r.help)),
            ("satisfied", Value::Bool(r.satisfied)),
        ]);
        if let Some(action) = &r.action {
            let action = value::map([
                ("label", Value::text(&action.label)),
                ("hint", Value::text(&action.hint)),
                ("intent", Value::text(&action.intent)),
                ("slots", Value::Map(action.slots.clone())),
            ]);
            map.insert("action", Value::Map(action));
        }
        Value::Map(map)
    };
    let list = |keep: &dyn Fn(&Requirement) -> bool| Value::list(all.iter().filter(|r| keep(r)).map(one).collect());
    value::map([
        ("all", list(&|_| true)),
        ("met", list(&|r| r.satisfied)),
        ("unmet", list(&|r| !r.satisfied)),
        ("has_unmet", Value::Bool(all.iter().any(|r| !r.satisfied))),
    ])
}
