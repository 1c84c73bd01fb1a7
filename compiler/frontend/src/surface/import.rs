//! Composition as written: imports, exits, exports, interfaces and phases (`language` 3.22-3.24, `imports` 2).

use std::sync::Arc as Shared;

use serde_json::Value as Json;

use kitsoki_syntax::{NodeId, NodeKind, Span};

use super::decl::Surface;
use super::decode::Decoder;
use super::field::Field;
use super::intent::Intent;
use super::room::Room;
use super::schema::{self, Schema};
use super::text::{Flag, List, Map, Text};
use super::value::Any;
use crate::rules::decoding;

decl! {
    /// `imports.<alias>`.
    pub struct Import("an import") {
        /// Where the child is.
        "source" => source: Text,
        /// Constraint on the child's version.
        "version" => version: Text,
        /// Child state to start in.
        "entry" => entry: Text,
        /// Values pushed in on entry.
        "world_in" => world_in: Map<Text>,
        /// Exit wiring.
        "exits" => exits: Map<ExitMapping>,
        /// `inherit` or `declared`.
        "hosts" => hosts: Text,
        /// Interface -> handler or script.
        "host_bindings" => host_bindings: Map<Binding>,
        /// Intents pushed in and lifted out.
        "intents" => intents: ImportIntents,
        /// Whole-element replacements.
        "overrides" => overrides: Overrides,
    }
}

decl! {
    /// `imports.<alias>.exits.<name>`.
    pub struct ExitMapping("an exit mapping") {
        /// Importer's room.
        "to" => to: Text,
        /// Values pushed out.
        "set" => set: Map<Any>,
    }
}

decl! {
    /// `imports.<alias>.intents`.
    pub struct ImportIntents("an import's `intents`") {
        /// Importer intents mirrored into the child.
        "export" => export: List<Text>,
        /// Child intents lifted to bare names.
        "import" => import: List<Text>,
    }
}

decl! {
    /// `imports.<alias>.overrides`.
    pub struct Overrides("an import's `overrides`") {
        /// Child room -> replacement.
        "states" => states: Map<Shared<Room>>,
        /// Child intent -> replacement.
        "intents" => intents: Map<Intent>,
        /// Child prompt -> importer's file.
        "prompts" => prompts: Map<Text>,
    }
}

decl! {
    /// `exits.<name>`.
    pub struct Exit("an exit") {
        /// Documentation.
        "description" => description: Text,
        /// Keys that every arc into the exit must set.
        "requires" => requires: List<Text>,
    }
}

decl! {
    /// `exports`.
    pub struct Exports("an exports block") {
        /// What an importer may lift.
        "intents" => intents: List<Text>,
    }
}

decl! {
    /// `host_interfaces.<name>`.
    pub struct Interface("a host interface") {
        /// Documentation.
        "description" => description: Text,
        /// Operations.
        "operations" => operations: Map<InterfaceOperation>,
        /// Handler when nobody rebinds.
        "default" => default: Text,
    }
}

decl! {
    /// `host_interfaces.<name>.operations.<op>`.
    pub struct InterfaceOperation("an interface operation") {
        /// Field -> type word.
        "input" => input: Map<Any>,
        /// Field -> type word.
        "output" => output: Map<Any>,
        /// Effect class.
        "effect" => effect: Text,
        /// Same input, same output.
        "deterministic" => deterministic: Flag,
    }
}

decl! {
    /// `phase_templates.<name>` (`macros` 2).
    pub struct PhaseTemplate("a phase template") {
        /// Parameters.
        "parameters" => parameters: Map<PhaseParameter>,
        /// Rooms; names may hold `{parameter}`.
        "states" => states: Map<Shared<Room>>,
    }
}

decl! {
    /// `phase_templates.<name>.parameters.<parameter>`.
    pub struct PhaseParameter("a phase parameter") {
        /// Documentation.
        "type" => ty: Text,
        /// A value must be given.
        "required" => required: Flag,
        /// Value when none is given.
        "default" => default: Any,
    }
}

decl! {
    /// `phases`.
    pub struct Phases("a phases block") {
        /// Template of all phases.
        "template" => template: Text,
        /// Phase id -> parameters.
        "graph" => graph: Map<PhaseEntry>,
    }
}

/// `phases.graph.<id>`: free keys, of which `next`, `cycle_budgets` and `on_enter` are structured.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseEntry {
    /// Every key with its value.
    pub value: Any,
    /// The effects of `on_enter`, when it is a list of effects.
    pub on_enter: Option<Field<List<super::effect::Effect>>>,
    /// The phase id.
    pub head: Span,
}

impl Surface for PhaseEntry {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<Self> {
        if !matches!(cx.tree().node(node).kind, NodeKind::Mapping(_)) {
            cx.wrong_kind(node, "a mapping (a phase)");
            return None;
        }
        let mut on_enter = None;
        if let Some(entry) = cx.tree().get(node, "on_enter") {
            let value = cx.tree().resolve_alias(entry.value);
            if !cx.is_null(value) {
                let key = cx.span(entry.key);
                let before = cx.findings.len();
                if let Some(list) = List::decode(cx, value, key) {
                    on_enter = Some(Field::new(key, list));
                }
                crate::rules::phases::phase_on_enter_invalid::adopt(cx.findings.get_mut(before..).unwrap_or_default());
            }
        }
        Some(Self {
            value: cx.any(node),
            on_enter,
            head,
        })
    }

    fn empty(span: Span, head: Span) -> Self {
        Self {
            value: Any::empty(span, head),
            on_enter: None,
            head,
        }
    }

    fn emit(&self) -> Json {
        self.value.to_json()
    }

    fn schema(schema: &mut Schema) -> Json {
        let on_enter = List::<super::effect::Effect>::schema(schema);
        let on_enter = schema::or_null(on_enter);
        serde_json::json!({ "type": "object", "properties": { "on_enter": on_enter } })
    }
}

/// `host_bindings.<interface>` (`imports` 2.1).
#[derive(Clone, PartialEq, Debug)]
pub enum Binding {
    /// A handler name.
    Handler(Text),
    /// A script, relative to the importer's folder.
    Script(Text),
}

impl Binding {
    /// The text and its place.
    #[must_use]
    pub fn text(&self) -> &Text {
        match self {
            Binding::Handler(text) | Binding::Script(text) => text,
        }
    }
}

impl Surface for Binding {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, _head: Span) -> Option<Self> {
        match &cx.tree().node(node).kind {
            NodeKind::Scalar(_) => {
                let text = cx.text(node)?;
                Some(if text.as_str().trim().ends_with(".star") {
                    Binding::Script(text)
                } else {
                    Binding::Handler(text)
                })
            }
            NodeKind::Mapping(_) => {
                let entries = cx.fixed_mapping(node, "a host binding")?;
                let script = entries.iter().any(|e| e.key == "script");
                for entry in entries.iter().filter(|e| e.key != "script" && script) {
                    cx.findings.push(decoding::ignored_key(
                        entry.key_span,
                        &entry.key,
                        "a host binding",
                        &["script"],
                    ));
                }
                if let Some(entry) = entries.iter().find(|e| e.key == "script") {
                    if !cx.is_null(entry.value) {
                        let script = cx.text(entry.value)?;
                        if !script.is_blank() {
                            return Some(Binding::Script(script));
                        }
                    }
                    cx.findings.push(decoding::host_binding_form(cx.span(entry.value)));
                    return None;
                }
                let at = entries.first().map_or(cx.span(node), |e| e.key_span);
                cx.findings.push(decoding::host_binding_form(at));
                None
            }
            NodeKind::Error => None,
            _ => {
                cx.findings.push(decoding::host_binding_form(cx.span(node)));
                None
            }
        }
    }

    fn null(span: Span, _head: Span) -> Option<Self> {
        Some(Binding::Handler(Text::new("", span)))
    }

    fn empty(span: Span, _head: Span) -> Self {
        Binding::Handler(Text::new("", span))
    }

    fn emit(&self) -> Json {
        match self {
            Binding::Handler(text) => Json::String(text.text.to_string()),
            Binding::Script(text) => serde_json::json!({ "script": text.text.to_string() }),
        }
    }

    fn schema(schema: &mut Schema) -> Json {
        let script = vec![("script", "A script, relative to the importer's folder.", schema::text())];
        schema::one_of(vec![schema::text(), schema.mapping("a host binding", script)])
    }
}
