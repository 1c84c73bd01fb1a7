//! The values of one phase and how they look as text (`macros` 2.2, 2.4).

use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::substitute::Reference;
use crate::rules::words::did_you_mean;
use crate::surface::{Any, AnyKind, MapEntry, PhaseEntry, PhaseParameter, PhaseTemplate, Text};

/// The keys of a graph entry that are no parameters.
const STRUCTURED: [&str; 3] = ["next", "cycle_budgets", "on_enter"];

/// The parameters and arcs of one phase.
pub(super) struct Parameters<'a> {
    values: FxHashMap<&'a str, Text>,
    next: FxHashMap<&'a str, Text>,
    entry: &'a MapEntry<PhaseEntry>,
}

impl<'a> Parameters<'a> {
    pub fn new(template: &'a PhaseTemplate, entry: &'a MapEntry<PhaseEntry>) -> Self {
        let mut values: FxHashMap<&str, Text> = FxHashMap::default();
        for parameter in template.parameters.iter().flat_map(|p| p.entries.iter()) {
            if let Some(default) = parameter.value.default.as_ref().filter(|d| d.kind != AnyKind::Null) {
                values.insert(parameter.name.as_str(), text(&default.value));
            }
        }
        let written = entry.value.value.as_map().unwrap_or_default();
        for value in written.iter().filter(|v| !STRUCTURED.contains(&v.name.as_str())) {
            values.insert(value.name.as_str(), text(&value.value));
        }
        values.insert("id", entry.name.clone());
        let next = entry.value.value.get("next").and_then(Any::as_map).unwrap_or_default();
        let next = next
            .iter()
            .map(|n| (n.name.as_str(), target(&text(&n.value))))
            .collect();
        Self { values, next, entry }
    }

    /// The value of a parameter as text.
    pub fn get(&self, name: &str) -> Option<&Text> {
        self.values.get(name)
    }

    /// Where an arc of `next` leads, as the name of a room.
    pub fn next(&self, arc: &str) -> Option<&Text> {
        self.next.get(arc)
    }

    /// The reference that is written like one to something that does not exist.
    pub fn near(&self, reference: &Reference<'_>) -> Option<String> {
        match reference {
            Reference::Parameter(name) if !self.values.contains_key(name) => {
                let near = did_you_mean(name, self.values.keys().copied())?;
                Some(format!("{{{{ tpl.{near} }}}}"))
            }
            Reference::Next(arc) if !self.next.contains_key(arc) => {
                let near = did_you_mean(arc, self.next.keys().copied())?;
                Some(format!("{{{{ phase.next.{near} }}}}"))
            }
            _ => None,
        }
    }

    /// The keys that the graph entry writes as parameters.
    pub fn written(&self) -> impl Iterator<Item = &'a Text> + '_ {
        let written = self.entry.value.value.as_map().unwrap_or_default();
        written
            .iter()
            .map(|v| &v.name)
            .filter(|n| n.as_str() != "id" && !STRUCTURED.contains(&n.as_str()))
    }

    /// The required parameters of the template that have no value, sorted.
    pub fn missing(&self, template: &'a PhaseTemplate) -> Vec<&'a MapEntry<PhaseParameter>> {
        let all = template.parameters.as_ref().map(|p| p.sorted()).unwrap_or_default();
        let required = |p: &MapEntry<PhaseParameter>| p.value.required.as_ref().is_some_and(|r| r.value.value);
        all.into_iter()
            .filter(|p| required(p) && !self.values.contains_key(p.name.as_str()))
            .collect()
    }
}

/// The room of a phase: its id and `_executing`, unless the word is an ending.
fn target(next: &Text) -> Text {
    let word = next.as_str();
    let ending =
        ["", "terminated", "ended", "completed", "abandoned", "failed"].contains(&word) || word.starts_with("ended_");
    if ending {
        next.clone()
    } else {
        next.replaced(&[(word.len()..word.len(), super::EXECUTING.to_owned())])
    }
}

/// A value as text. A text keeps its place inside; any other value is a whole.
fn text(any: &Any) -> Text {
    match &any.kind {
        AnyKind::Text(text) => text.clone(),
        _ => Text::new(shown(any), any.span),
    }
}

/// A value as Go prints it.
fn shown(any: &Any) -> SmolStr {
    match &any.kind {
        AnyKind::Null => "<nil>".into(),
        AnyKind::Bool(value) => format_smolstr!("{value}"),
        AnyKind::Int(value) => format_smolstr!("{value}"),
        AnyKind::Uint(value) => format_smolstr!("{value}"),
        AnyKind::Float(value) => float(*value),
        AnyKind::Text(text) => text.text.clone(),
        AnyKind::List(items) => {
            let items: Vec<SmolStr> = items.iter().map(shown).collect();
            format_smolstr!("[{}]", items.join(" "))
        }
        AnyKind::Map(entries) => {
            let mut pairs: Vec<(&str, SmolStr)> = entries.iter().map(|e| (e.name.as_str(), shown(&e.value))).collect();
            pairs.sort();
            let pairs: Vec<String> = pairs.into_iter().map(|(k, v)| format!("{k}:{v}")).collect();
            format_smolstr!("map[{}]", pairs.join(" "))
        }
    }
}

/// The shortest digits that read back, with an exponent below -4 and from 21 on.
fn float(value: f64) -> SmolStr {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf".into() } else { "-Inf".into() };
    }
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e21).contains(&size) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(("+", exponent), |e| ("-", e));
        return format_smolstr!("{digits}e{sign}{exponent:0>2}");
    }
    format_smolstr!("{value}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::nowhere;

    #[test]
    fn values_print_as_in_go() {
        for (value, expected) in [
            (30.0, "30"),
            (2.5, "2.5"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (0.000_01, "1e-05"),
            (-0.5, "-0.5"),
        ] {
            assert_eq!(float(value), expected);
        }
        let list = Any::made(
            AnyKind::List(crate::surface::Items::from(vec![
                Any::made(AnyKind::Bool(true), nowhere()),
                Any::made(AnyKind::Null, nowhere()),
            ])),
            nowhere(),
        );
        assert_eq!(shown(&list), "[true <nil>]");
    }

    #[test]
    fn a_next_is_a_room_unless_it_is_an_ending() {
        let room = |word: &str| target(&Text::new(word, nowhere())).text.to_string();
        assert_eq!(room("dry"), "dry_executing");
        assert_eq!(room("ended_ok"), "ended_ok");
        assert_eq!(room("completed"), "completed");
        assert_eq!(room(""), "");
    }
}
