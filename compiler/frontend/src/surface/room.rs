//! Rooms as written (`language` 3.6).

use std::sync::Arc as Shared;

use serde_json::{Map as JsonMap, Value as Json};
use smol_str::SmolStr;

use kitsoki_syntax::{NodeId, NodeKind, Resolved, Span};

use super::decl::{Surface, emit_field};
use super::decode::Decoder;
use super::effect::{Arc, Effect};
use super::field::Field;
use super::intent::Intent;
use super::schema::{self, Schema};
use super::text::{Flag, List, Map, Origin, Text};
use super::value::Any;
use super::view::View;
use crate::rules::decoding;

decl! {
    /// `states.<name>`: a room, or a state inside of one.
    pub struct Room("a room") {
        /// `atomic`, `compound` or `parallel`.
        "type" => ty: Text,
        /// Child entered first.
        "initial" => initial: Text,
        /// Children; regions of a parallel room.
        "states" => states: Map<Shared<Room>>,
        /// End state.
        "terminal" => terminal: Flag,
        /// Location line, menu and model prompt.
        "description" => description: Text,
        /// Rendered on arrival.
        "view" => view: Box<View>,
        /// Arcs by intent.
        "on" => on: Map<Shared<List<Arc>>>,
        /// Run on entry.
        "on_enter" => on_enter: List<Effect>,
        /// Local intents.
        "intents" => intents: Map<Intent>,
        /// World keys of the location line.
        "relevant_world" => relevant_world: List<Text>,
        /// Documentation.
        "relevant_slots" => relevant_slots: List<Text>,
        /// Documentation.
        "menu" => menu: List<Text>,
        /// `conversational` or inert.
        "mode" => mode: Text,
        /// Sink for free text.
        "default_intent" => default_intent: Text,
        /// Free text goes to an agent conversation.
        "agent_off_ramp" => agent_off_ramp: Box<OffRamp>,
        /// Final-tier router.
        "contextual_routing" => contextual_routing: Box<ContextualRouting>,
        /// Macro: one agent task fed by free text.
        "workbench" => workbench: Box<Workbench>,
        /// `open` or `read_only`.
        "write_mode" => write_mode: Text,
        /// `human` or `llm`.
        "decider" => decider: Text,
        /// The room owns a world overlay.
        "operation" => operation: Box<OperationScope>,
        /// Automatic arc.
        "timeout" => timeout: Box<Timeout>,
        /// Readiness checks.
        "prerequisites" => prerequisites: List<Prerequisite>,
        /// Staffing policy.
        "assignment" => assignment: Box<Assignment>,
        /// `rest`.
        "intercept_drive" => intercept_drive: Text,
        /// `persistent` or `transient`.
        "transcript" => transcript: Text,
        /// Display theme.
        "theme" => theme: Text,
        /// Status line.
        "footer" => footer: Text,
    }
    made {
        /// Set on the wrapper that the fold of an import makes: the alias.
        import_alias: Option<SmolStr>,
        /// Written intent name -> final arc name, per fold (`imports` 12.1).
        intent_aliases: Vec<(SmolStr, SmolStr)>,
    }
}

decl! {
    /// `operation`: the room owns an abandonable world overlay.
    pub struct OperationScope("an operation scope") {
        /// Name of the scope.
        "scope" => scope: Text,
    }
}

decl! {
    /// `timeout`.
    pub struct Timeout("a timeout") {
        /// Duration.
        "after" => after: Text,
        /// Where it leads.
        "target" => target: Text,
        /// Also cancel the newest job.
        "cancel_job" => cancel_job: Flag,
    }
}

decl! {
    /// `prerequisites[]`.
    pub struct Prerequisite("a prerequisite") {
        /// Unique in the room.
        "id" => id: Text,
        /// Shown.
        "title" => title: Text,
        /// `false` means unmet.
        "satisfied_when" => satisfied_when: Text,
        /// Relevance.
        "when" => when: Text,
        /// `info`, `warning`, `warn` or `error`.
        "severity" => severity: Text,
        /// Shown.
        "summary" => summary: Text,
        /// Shown.
        "help" => help: Text,
        /// What the operator can do.
        "action" => action: PrerequisiteAction,
    }
}

decl! {
    /// `prerequisites[].action`.
    pub struct PrerequisiteAction("a prerequisite's action") {
        /// Label.
        "label" => label: Text,
        /// Hint.
        "hint" => hint: Text,
        /// Intent.
        "intent" => intent: Text,
        /// Slots of the intent.
        "slots" => slots: Map<Any>,
    }
}

decl! {
    /// `contextual_routing`.
    pub struct ContextualRouting("contextual routing") {
        /// On or off.
        "enabled" => enabled: Flag,
        /// Lane of the room.
        "room_chat" => room_chat: Text,
        /// Lane for help.
        "help_chat" => help_chat: Text,
        /// Lane for the story itself.
        "meta_chat" => meta_chat: Text,
        /// Where a pending plan lies in the world.
        "pending_plan_path" => pending_plan_path: Text,
        /// Intent of a consent.
        "plan_accept_intent" => plan_accept_intent: Text,
        /// Intent of anything else.
        "plan_refine_intent" => plan_refine_intent: Text,
    }
}

decl! {
    /// `workbench` (`macros` 3).
    pub struct Workbench("a workbench") {
        /// Agent that works.
        "agent" => agent: Text,
        /// Prompt file.
        "prompt" => prompt: Text,
        /// Schema of the note.
        "acceptance_schema" => acceptance_schema: Text,
        /// World key of the request.
        "capture_slot" => capture_slot: Text,
        /// Agent of the off-ramp.
        "off_ramp_agent" => off_ramp_agent: Text,
        /// Further prompt arguments.
        "context_args" => context_args: Map<Text>,
        /// The note carries a plan.
        "plan" => plan: Flag,
    }
}

decl! {
    /// `assignment`.
    pub struct Assignment("an assignment") {
        /// Who.
        "role" => role: Text,
        /// Somebody must be assigned.
        "required" => required: Flag,
        /// May change hands.
        "allow_reassign" => allow_reassign: Flag,
        /// `linked-ticket`.
        "sync" => sync: Text,
    }
}

/// `agent_off_ramp`: `true`, `false` or a mapping (`language` 2.7).
#[derive(Clone, PartialEq, Debug)]
pub struct OffRamp {
    /// The whole value.
    pub span: Span,
    /// The key.
    pub head: Span,
    /// Whether somebody wrote it.
    pub origin: Origin,
    /// `false` only for a written `false`.
    pub enabled: bool,
    /// Agent that answers.
    pub agent: Option<Field<Text>>,
    /// Persona; wins over the agent.
    pub persona: Option<Field<Text>>,
    /// Shown on entering the conversation.
    pub banner: Option<Field<Text>>,
    /// Make the conversation the sink of free text.
    pub capture_free_text: Option<Field<Flag>>,
}

impl OffRamp {
    /// The keys of the mapping form.
    pub const KEYS: &'static [&'static str] = &["agent", "persona", "banner", "capture_free_text"];
}

impl Surface for OffRamp {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<Self> {
        let mut this = Self::empty(cx.span(node), head);
        match &cx.tree().node(node).kind {
            NodeKind::Scalar(_) => match cx.tree().value(node) {
                Resolved::Bool(value) => {
                    this.enabled = value;
                    Some(this)
                }
                _ => {
                    cx.findings.push(decoding::off_ramp_form(cx.span(node)));
                    None
                }
            },
            NodeKind::Mapping(_) => {
                for entry in cx.fixed_mapping(node, "an off-ramp")? {
                    match entry.key.as_str() {
                        "agent" => this.agent = cx.field(&entry),
                        "persona" => this.persona = cx.field(&entry),
                        "banner" => this.banner = cx.field(&entry),
                        "capture_free_text" => this.capture_free_text = cx.field(&entry),
                        _ => cx
                            .findings
                            .push(decoding::off_ramp_key(entry.key_span, &entry.key, Self::KEYS)),
                    }
                }
                Some(this)
            }
            NodeKind::Error => None,
            _ => {
                cx.findings.push(decoding::off_ramp_form(cx.span(node)));
                None
            }
        }
    }

    fn empty(span: Span, head: Span) -> Self {
        Self {
            span,
            head,
            origin: Origin::Written,
            enabled: true,
            agent: None,
            persona: None,
            banner: None,
            capture_free_text: None,
        }
    }

    fn emit(&self) -> Json {
        if !self.enabled {
            return Json::Bool(false);
        }
        let mut out = JsonMap::new();
        emit_field(&mut out, "agent", self.agent.as_ref());
        emit_field(&mut out, "persona", self.persona.as_ref());
        emit_field(&mut out, "banner", self.banner.as_ref());
        emit_field(&mut out, "capture_free_text", self.capture_free_text.as_ref());
        if out.is_empty() {
            Json::Bool(true)
        } else {
            Json::Object(out)
        }
    }

    fn schema(schema: &mut Schema) -> Json {
        schema.definition("OffRamp", |schema| {
            let keys = vec![
                ("agent", "Agent that answers.", schema::text()),
                ("persona", "Persona; wins over the agent.", schema::text()),
                ("banner", "Shown on entering the conversation.", schema::text()),
                (
                    "capture_free_text",
                    "Make the conversation the sink of free text.",
                    Flag::schema(schema),
                ),
            ];
            schema::one_of(vec![Flag::schema(schema), schema.mapping("an off-ramp", keys)])
        })
    }
}
