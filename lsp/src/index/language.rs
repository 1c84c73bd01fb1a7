//! The tables of the story language, in the order of its reference.

use kitsoki_compiler::surface as s;

use super::schema::{Decl, Files, Form, Keys, Kind, Role, Sem, Ty};

const TEXT: Ty = Ty::Text(Sem::Free);
const EXPR: Ty = Ty::Text(Sem::Expr);
const VIEW_TEXT: Ty = Ty::Text(Sem::View);
const TEXTS: Ty = Ty::List(&TEXT);
const VALUES: Ty = Ty::Map(Keys::Free, &Ty::Any(Sem::Value));
const SLOT_VALUES: Ty = Ty::Map(Keys::Slots, &Ty::Any(Sem::Value));

// Tables that lead back to themselves cannot be constants.
macro_rules! effects {
    () => {
        Ty::List(&Ty::Decl(&EFFECT))
    };
}

macro_rules! view {
    () => {
        Ty::Form(&VIEW_FORM)
    };
}

const fn name(kind: Kind) -> Ty {
    Ty::Text(Sem::Name(kind, Role::Read))
}

const fn call(kind: Kind) -> Ty {
    Ty::Text(Sem::Name(kind, Role::Call))
}

const fn words(words: &'static [&'static str]) -> Ty {
    Ty::Text(Sem::Words(words))
}

const fn path(files: Files) -> Ty {
    Ty::Text(Sem::Path(files))
}

macro_rules! table {
    ($( $(#[doc = $doc:literal])* $NAME:ident = $Type:ident { $($key:literal: $ty:expr),* $(,)? } )*) => {
        $(
            $(#[doc = $doc])*
            pub static $NAME: Decl = Decl {
                kind: s::$Type::KIND,
                keys: &[$(($key, $ty)),*],
                docs: s::$Type::DOCS,
            };
        )*

        /// Every table with the compiler's keys, for the test that holds them together.
        #[cfg(test)]
        pub(super) fn tables() -> Vec<(&'static Decl, &'static [&'static str])> {
            vec![$((&$NAME, s::$Type::KEYS)),*]
        }
    };
}

/// The words of effect classes.
pub const CLASSES: &[&str] = &["pure", "read", "write", "external"];
const EFFORTS: &[&str] = &["low", "medium", "high", "xhigh", "max"];
const SLOT_TYPES: &[&str] = &["string", "int", "float", "bool", "enum", "date", "money", "list"];
/// The words for types of world keys.
pub const WORLD_TYPES: &[&str] = &["string", "int", "float", "number", "bool", "object", "list", "enum"];

table! {
    /// A whole file.
    MANIFEST = Manifest {
        "app": Ty::Decl(&APP),
        "root": call(Kind::State),
        "states": Ty::Map(Keys::Define(Kind::State), &Ty::Decl(&ROOM)),
        "world": Ty::Map(Keys::Define(Kind::World), &Ty::Form(&WORLD_FORM)),
        "intents": Ty::Map(Keys::Define(Kind::Intent), &Ty::Decl(&INTENT)),
        "hosts": Ty::List(&name(Kind::Host)),
        "include": Ty::List(&path(Files::Include)),
        "agents": Ty::Map(Keys::Define(Kind::Agent), &Ty::Decl(&AGENT)),
        "toolboxes": Ty::Map(Keys::Define(Kind::Toolbox), &Ty::Decl(&TOOLBOX)),
        "agent_plugins": Ty::Map(Keys::Define(Kind::Plugin), &Ty::Decl(&PLUGIN)),
        "providers": Ty::Map(Keys::Define(Kind::Provider), &Ty::Decl(&PROVIDER)),
        "operations": Ty::Map(Keys::Define(Kind::Operation), &Ty::Decl(&OPERATION)),
        "off_path": Ty::Decl(&OFF_PATH),
        "meta_modes": Ty::Map(Keys::Define(Kind::Mode), &Ty::Decl(&META_MODE)),
        "decider": Ty::Decl(&DECIDER),
        "routing": Ty::Decl(&ROUTING),
        "prompts": Ty::Decl(&PROMPTS),
        "proposals": Ty::Map(Keys::Define(Kind::Proposal), &Ty::Decl(&PROPOSAL)),
        "exits": Ty::Map(Keys::Define(Kind::Exit), &Ty::Decl(&EXIT)),
        "exports": Ty::Decl(&EXPORTS),
        "imports": Ty::Map(Keys::Define(Kind::Import), &Ty::Decl(&IMPORT)),
        "host_interfaces": Ty::Map(Keys::Define(Kind::Interface), &Ty::Decl(&INTERFACE)),
        "phase_templates": Ty::Map(Keys::Define(Kind::Template), &Ty::Decl(&PHASE_TEMPLATE)),
        "phases": Ty::Decl(&PHASES),
        "checkpoint_intents": Ty::Map(Keys::Define(Kind::Intent), &Ty::Decl(&INTENT)),
    }
    /// `app`.
    APP = App {
        "id": TEXT, "version": TEXT, "title": TEXT, "author": TEXT, "license": TEXT, "context": TEXT,
        "context_path": path(Files::Prompt),
    }
    /// A room.
    ROOM = Room {
        "type": words(&["atomic", "compound", "parallel"]),
        "initial": Ty::Text(Sem::Child),
        "states": Ty::Map(Keys::Define(Kind::State), &Ty::Decl(&ROOM)),
        "terminal": Ty::Flag,
        "description": VIEW_TEXT,
        "view": view!(),
        "on": Ty::Map(Keys::Use(Kind::Intent, Role::Call), &Ty::List(&Ty::Decl(&ARC))),
        "on_enter": effects!(),
        "intents": Ty::Map(Keys::Define(Kind::Intent), &Ty::Decl(&INTENT)),
        "relevant_world": Ty::List(&name(Kind::World)),
        "relevant_slots": TEXTS,
        "menu": Ty::List(&name(Kind::Intent)),
        "mode": words(&["conversational"]),
        "default_intent": call(Kind::Intent),
        "agent_off_ramp": Ty::Form(&OFF_RAMP_FORM),
        "contextual_routing": Ty::Decl(&CONTEXTUAL),
        "workbench": Ty::Decl(&WORKBENCH),
        "write_mode": words(&["open", "read_only"]),
        "decider": words(&["human", "llm"]),
        "operation": Ty::Decl(&SCOPE),
        "timeout": Ty::Decl(&TIMEOUT),
        "prerequisites": Ty::List(&Ty::Decl(&PREREQUISITE)),
        "assignment": Ty::Decl(&ASSIGNMENT),
        "intercept_drive": words(&["rest"]),
        "transcript": words(&["persistent", "transient"]),
        "theme": words(&["default", "mesa", "meta-blue", "meta-amber", "off-path"]),
        "footer": VIEW_TEXT,
    }
    /// `operation` of a room.
    SCOPE = OperationScope { "scope": TEXT }
    /// `timeout`.
    TIMEOUT = Timeout { "after": Ty::Text(Sem::Duration), "target": Ty::Text(Sem::Target), "cancel_job": Ty::Flag }
    /// `prerequisites[]`.
    PREREQUISITE = Prerequisite {
        "id": TEXT, "title": VIEW_TEXT, "satisfied_when": EXPR, "when": EXPR,
        "severity": words(&["info", "warning", "error"]),
        "summary": VIEW_TEXT, "help": VIEW_TEXT, "action": Ty::Decl(&PREREQUISITE_ACTION),
    }
    /// `prerequisites[].action`.
    PREREQUISITE_ACTION = PrerequisiteAction {
        "label": VIEW_TEXT, "hint": VIEW_TEXT, "intent": call(Kind::Intent), "slots": SLOT_VALUES,
    }
    /// `contextual_routing`.
    CONTEXTUAL = ContextualRouting {
        "enabled": Ty::Flag, "room_chat": call(Kind::Intent), "help_chat": TEXT, "meta_chat": TEXT,
        "pending_plan_path": Ty::Text(Sem::WorldPath), "plan_accept_intent": call(Kind::Intent),
        "plan_refine_intent": call(Kind::Intent),
    }
    /// `workbench`.
    WORKBENCH = Workbench {
        "agent": name(Kind::Agent), "prompt": path(Files::Prompt), "acceptance_schema": path(Files::Schema),
        "capture_slot": name(Kind::World), "off_ramp_agent": name(Kind::Agent),
        "context_args": Ty::Map(Keys::Free, &Ty::Text(Sem::Value)), "plan": Ty::Flag,
    }
    /// `assignment`.
    ASSIGNMENT = Assignment {
        "role": TEXT, "required": Ty::Flag, "allow_reassign": Ty::Flag, "sync": words(&["linked-ticket"]),
    }
    /// `on.<intent>[]`.
    ARC = Arc {
        "target": Ty::Text(Sem::Target), "when": EXPR, "default": Ty::Flag, "effects": effects!(), "guard_hint": TEXT,
        "operation": name(Kind::Operation), "view": view!(), "emit": TEXTS, "push_history": Ty::Flag,
    }
    /// An effect.
    EFFECT = Effect {
        "when": EXPR,
        "set": Ty::Map(Keys::Use(Kind::World, Role::Write), &Ty::Any(Sem::Value)),
        "increment": Ty::Map(Keys::Use(Kind::World, Role::Write), &Ty::Number),
        "commit_operation": Ty::Decl(&COMMIT),
        "persist_draft": Ty::Decl(&DRAFT),
        "discard_operation": Ty::Decl(&DISCARD),
        "say": VIEW_TEXT,
        "invoke": Ty::Text(Sem::Verb),
        "with": Ty::Map(Keys::Arguments, &Ty::Any(Sem::Value)),
        "bind": Ty::Map(Keys::Use(Kind::World, Role::Write), &Ty::Text(Sem::Bind)),
        "id": Ty::Text(Sem::Name(Kind::Call, Role::Definition)),
        "on_error": Ty::Text(Sem::Target),
        "once": Ty::Flag,
        "background": Ty::Flag,
        "on_complete": effects!(),
        "target": Ty::Text(Sem::Target),
        "emit": TEXT,
        "emit_intent": Ty::Text(Sem::EmitIntent),
        "slots": SLOT_VALUES,
        "effects": effects!(),
        "agent": name(Kind::Plugin),
        "selection": Ty::Decl(&SELECTION),
    }
    /// `commit_operation`.
    COMMIT = CommitOperation {
        "world": Ty::Map(Keys::Use(Kind::World, Role::Write), &Ty::Any(Sem::Value)), "clear": Ty::Flag,
    }
    /// `persist_draft`.
    DRAFT = PersistDraft { "id": Ty::Text(Sem::Value), "title": Ty::Text(Sem::Value), "world": Ty::List(&name(Kind::World)) }
    /// `discard_operation`.
    DISCARD = DiscardOperation { "reason": TEXT }
    /// `selection`.
    SELECTION = Selection {
        "profile": TEXT, "model": TEXT, "effort": words(EFFORTS), "evidence": TEXT, "fallback_profile": TEXT,
    }
    /// An intent.
    INTENT = Intent {
        "title": TEXT, "description": TEXT, "examples": TEXTS, "priority": Ty::Number, "hidden": Ty::Flag,
        "slots": Ty::Map(Keys::DefineSlots, &Ty::Decl(&SLOT)), "synonyms": Ty::List(&Ty::Text(Sem::Synonym)),
    }
    /// A slot.
    SLOT = Slot {
        "type": words(SLOT_TYPES), "required": Ty::Flag, "default": Ty::Any(Sem::Free), "values": TEXTS,
        "description": TEXT, "examples": TEXTS, "format_hint": TEXT, "prompt": TEXT, "validator": TEXT, "format": TEXT,
        "synonyms": Ty::Map(Keys::Free, &TEXTS),
    }
    /// A list in a view.
    LIST = ListBody { "items": Ty::List(&Ty::Form(&LIST_ITEM_FORM)), "marker": TEXT }
    /// Pairs in a view.
    KV = Kv { "pairs": Ty::Map(Keys::Free, &Ty::Any(Sem::View)) }
    /// A banner in a view.
    BANNER = Banner { "text": VIEW_TEXT, "subtitle": VIEW_TEXT, "color": VIEW_TEXT }
    /// Media in a view.
    MEDIA = Media {
        "handle": VIEW_TEXT, "caption": VIEW_TEXT, "kind": words(&["video", "image", "pdf", "html", "slideshow"]),
        "path": VIEW_TEXT, "annotate_intent": call(Kind::Intent), "annotate_feedback_slot": TEXT,
        "annotate_url": VIEW_TEXT,
    }
    /// A choice.
    CHOICE = ChoiceBody {
        "mode": words(&["single", "multi", "form"]), "prompt": VIEW_TEXT, "when": EXPR, "intent": call(Kind::Intent),
        "slot": name(Kind::Slot), "items": Ty::List(&Ty::Decl(&CHOICE_ITEM)), "min": Ty::Number, "max": Ty::Number,
        "template": VIEW_TEXT, "fields": Ty::Map(Keys::Slots, &Ty::Decl(&CHOICE_FIELD)),
    }
    /// A choice's item.
    CHOICE_ITEM = ChoiceItem {
        "label": VIEW_TEXT, "intent": call(Kind::Intent), "value": TEXT, "hint": VIEW_TEXT, "slots": SLOT_VALUES,
        "when": EXPR, "param": Ty::Decl(&CHOICE_PARAM),
    }
    /// A choice's parameter.
    CHOICE_PARAM = ChoiceParam {
        "slot": name(Kind::Slot), "type": words(&["string", "int", "enum"]), "placeholder": VIEW_TEXT,
        "required": Ty::Flag, "values": TEXTS,
    }
    /// A choice's field.
    CHOICE_FIELD = ChoiceField {
        "type": words(&["string", "int", "float", "bool", "enum"]), "hint": VIEW_TEXT, "placeholder": VIEW_TEXT,
        "unit": TEXT, "values": TEXTS, "default": VIEW_TEXT, "min": VIEW_TEXT, "max": VIEW_TEXT, "required": Ty::Flag,
        "readonly": Ty::Flag, "expr": EXPR, "when": EXPR,
    }
    /// An agent.
    AGENT = Agent {
        "system_prompt": TEXT, "system_prompt_path": path(Files::Prompt), "model": TEXT, "tools": TEXTS,
        "toolbox": name(Kind::Toolbox), "tools_add": TEXTS, "tools_remove": TEXTS, "mcp": Ty::Decl(&MCP),
        "permissions": Ty::Decl(&PERMISSIONS), "effect": words(CLASSES), "external_side_effect": Ty::Flag,
        "bash_profile": Ty::Form(&BASH_FORM), "cwd": TEXT, "effort": words(EFFORTS), "provider": name(Kind::Provider),
        "harness": TEXT, "inherit_claude_default": Ty::Flag, "token_budget": Ty::Decl(&BUDGET),
        "deterministic": Ty::Flag,
    }
    /// An agent's `mcp`.
    MCP = Mcp { "servers": VALUES, "tools": TEXTS }
    /// An agent's `permissions`.
    PERMISSIONS = Permissions { "mode": words(&["ask", "denyAll", "default"]), "disallowed_tools": TEXTS }
    /// `token_budget`.
    BUDGET = TokenBudget { "warn_tokens": Ty::Number, "refuse_tokens": Ty::Number }
    /// A toolbox.
    TOOLBOX = Toolbox { "tools": TEXTS, "effect": words(CLASSES) }
    /// An agent transport.
    PLUGIN = Plugin {
        "plugin": TEXT, "command": TEXT, "args": TEXTS, "endpoint": TEXT, "model": TEXT, "tool": TEXT,
        "env": Ty::Map(Keys::Free, &TEXT), "headers": Ty::Map(Keys::Free, &TEXT), "grammar": Ty::Flag,
        "port": Ty::Number, "server_bin": TEXT, "api_key_env": TEXT, "json_schema": Ty::Flag,
    }
    /// A back-end profile.
    PROVIDER = Provider {
        "backend": TEXT, "model": TEXT, "effort": words(EFFORTS), "env": Ty::Map(Keys::Free, &TEXT),
    }
    /// An operation policy.
    OPERATION = Operation {
        "title": TEXT, "mode": words(&["interactive", "autonomous", "supervised"]),
        "execution_mode": words(&["one-shot", "staged"]), "run_in_background": Ty::Flag, "stop_on": TEXTS,
        "pause_on": TEXTS, "terminal_artifact": Ty::Text(Sem::WorldPath), "phase_summary": Ty::Decl(&PHASE_SUMMARY),
    }
    /// `phase_summary`.
    PHASE_SUMMARY = PhaseSummary { "from": Ty::List(&Ty::Text(Sem::WorldPath)) }
    /// `off_path`.
    OFF_PATH = OffPath { "trigger": TEXT, "return": TEXT, "banner": TEXT, "persona": TEXT, "agent": name(Kind::Agent) }
    /// A meta mode.
    META_MODE = MetaMode {
        "trigger": TEXT, "agent": name(Kind::Agent), "group": TEXT, "default": Ty::Flag, "label": TEXT, "banner": TEXT,
        "persist": Ty::Flag, "cwd": TEXT, "tools": TEXTS, "return": Ty::Decl(&META_RETURN),
    }
    /// A meta mode's `return`.
    META_RETURN = MetaReturn { "message": TEXT, "intent": call(Kind::Intent) }
    /// `decider`.
    DECIDER = Decider {
        "agent": name(Kind::Agent), "schema": path(Files::Schema), "prompt": path(Files::Prompt),
        "threshold": Ty::Number,
    }
    /// `routing`.
    ROUTING = Routing {
        "enabled": Ty::Flag, "semantic_high_bar": Ty::Number, "semantic_mid_bar": Ty::Number, "cache_enabled": Ty::Flag,
        "cache_max_age": Ty::Text(Sem::Duration), "stopwords_extra": TEXTS, "cache_cap": Ty::Number,
        "cache_trim_fraction": Ty::Number, "revalidate_strikes": Ty::Number, "confidence_decay": Ty::Flag,
        "extract_llm_on_no_match": Ty::Flag, "extract_llm_agent": name(Kind::Agent),
        "free_form_fallback": Ty::Decl(&FALLBACK), "embedding": Ty::Decl(&EMBEDDING),
    }
    /// `free_form_fallback`.
    FALLBACK = FreeFormFallback { "state": name(Kind::State), "intent": call(Kind::Intent) }
    /// `embedding`.
    EMBEDDING = Embedding {
        "endpoint": TEXT, "model": TEXT, "cache_dir": TEXT, "confident_bar": Ty::Number, "margin": Ty::Number,
    }
    /// `prompts`.
    PROMPTS = Prompts { "shared": TEXTS, "overlay": TEXT }
    /// A proposal.
    PROPOSAL = Proposal {
        "schema": Ty::Map(Keys::Free, &words(&["string", "int", "number", "bool", "list", "map"])),
        "draft": Ty::Decl(&PROMPT_REF), "refine": Ty::Decl(&PROMPT_REF), "execute": Ty::Decl(&EXECUTE),
        "views": Ty::Map(Keys::Free, &VIEW_TEXT), "policy": Ty::Decl(&POLICY),
    }
    /// `draft` and `refine`.
    PROMPT_REF = PromptRef { "prompt": path(Files::Prompt) }
    /// `execute`.
    EXECUTE = Execute {
        "invoke": Ty::Text(Sem::Verb), "with": Ty::Map(Keys::Arguments, &Ty::Any(Sem::Value)), "repeatable": Ty::Flag,
        "on_success": TEXT, "background": Ty::Flag, "on_complete": effects!(),
    }
    /// `policy`.
    POLICY = Policy { "auto_accept_if": EXPR, "require_confirm": Ty::Flag }
    /// An exit.
    EXIT = Exit { "description": TEXT, "requires": Ty::List(&name(Kind::World)) }
    /// `exports`.
    EXPORTS = Exports { "intents": Ty::List(&name(Kind::Intent)) }
    /// An import.
    IMPORT = Import {
        "source": path(Files::Story), "version": TEXT, "entry": Ty::Text(Sem::ImportedState),
        "world_in": Ty::Map(Keys::ImportedWorld, &Ty::Text(Sem::Value)),
        "exits": Ty::Map(Keys::ImportedExits, &Ty::Decl(&EXIT_MAPPING)),
        "hosts": words(&["inherit", "declared"]),
        "host_bindings": Ty::Map(Keys::ImportedInterfaces, &Ty::Form(&BINDING_FORM)),
        "intents": Ty::Decl(&IMPORT_INTENTS), "overrides": Ty::Decl(&OVERRIDES),
    }
    /// An exit's mapping.
    EXIT_MAPPING = ExitMapping {
        "to": Ty::Text(Sem::ExitTarget),
        "set": Ty::Map(Keys::Use(Kind::World, Role::Write), &Ty::Any(Sem::Value)),
    }
    /// An import's intents.
    IMPORT_INTENTS = ImportIntents {
        "export": Ty::List(&name(Kind::Intent)), "import": Ty::List(&Ty::Text(Sem::ImportedIntent)),
    }
    /// An import's overrides.
    OVERRIDES = Overrides {
        "states": Ty::Map(Keys::ImportedStates, &Ty::Decl(&ROOM)),
        "intents": Ty::Map(Keys::ImportedIntents, &Ty::Decl(&INTENT)),
        "prompts": Ty::Map(Keys::Free, &path(Files::Prompt)),
    }
    /// A host interface.
    INTERFACE = Interface {
        "description": TEXT, "operations": Ty::Map(Keys::Free, &Ty::Decl(&INTERFACE_OPERATION)),
        "default": name(Kind::Host),
    }
    /// An operation of an interface.
    INTERFACE_OPERATION = InterfaceOperation {
        "input": Ty::Map(Keys::Free, &Ty::Any(Sem::Free)), "output": Ty::Map(Keys::Free, &Ty::Any(Sem::Free)),
        "effect": words(CLASSES), "deterministic": Ty::Flag,
    }
    /// A phase template.
    PHASE_TEMPLATE = PhaseTemplate {
        "parameters": Ty::Map(Keys::Define(Kind::Parameter), &Ty::Decl(&PHASE_PARAMETER)),
        "states": Ty::Map(Keys::Define(Kind::State), &Ty::Decl(&ROOM)),
    }
    /// A phase template's parameter.
    PHASE_PARAMETER = PhaseParameter { "type": TEXT, "required": Ty::Flag, "default": Ty::Any(Sem::Free) }
    /// `phases`.
    PHASES = Phases {
        "template": name(Kind::Template), "graph": Ty::Map(Keys::Define(Kind::Phase), &Ty::Decl(&PHASE)),
    }
}

/// `phases.graph.<id>`: further keys are parameters of the template.
pub static PHASE: Decl = Decl {
    kind: "a phase",
    keys: &[
        (
            "next",
            Ty::Map(
                Keys::Use(Kind::Intent, Role::Read),
                &Ty::Any(Sem::Name(Kind::Phase, Role::Call)),
            ),
        ),
        (
            "cycle_budgets",
            Ty::Map(Keys::Use(Kind::Intent, Role::Read), &Ty::Number),
        ),
        ("on_enter", effects!()),
    ],
    docs: &[
        "The phase that follows, or one per outcome.",
        "How often each way back may be taken.",
        "Run on entry.",
    ],
};

/// A world variable's schema form.
pub static WORLD_VAR: Decl = Decl {
    kind: "a world variable",
    keys: &[
        ("type", words(WORLD_TYPES)),
        ("default", Ty::Any(Sem::Free)),
        ("values", TEXTS),
    ],
    docs: &["Type word.", "Initial value.", "Documented values of an enumeration."],
};

static WORLD_FORM: Form = Form {
    scalar: Some(Ty::Any(Sem::Free)),
    list: Some(Ty::Any(Sem::Free)),
    map: Some(Ty::Decl(&WORLD_VAR)),
};

/// The mapping form of an off-ramp.
pub static OFF_RAMP: Decl = Decl {
    kind: "an off-ramp",
    keys: &[
        ("agent", name(Kind::Agent)),
        ("persona", TEXT),
        ("banner", TEXT),
        ("capture_free_text", Ty::Flag),
    ],
    docs: &[
        "Agent that answers.",
        "Persona; wins over the agent.",
        "Shown on entering the conversation.",
        "Make the conversation the sink of free text.",
    ],
};

static OFF_RAMP_FORM: Form = Form {
    scalar: Some(Ty::Flag),
    list: None,
    map: Some(Ty::Decl(&OFF_RAMP)),
};

/// A view in its mapping form.
pub static VIEW_MAP: Decl = Decl {
    kind: "a view",
    keys: &[
        ("extends", TEXT),
        ("blocks", Ty::Map(Keys::Free, &Ty::List(&Ty::Decl(&ELEMENT)))),
        ("template_file", path(Files::Any)),
    ],
    docs: &[
        "Template that is filled.",
        "Elements by block.",
        "Template file that is the view.",
    ],
};

static VIEW_FORM: Form = Form {
    scalar: Some(VIEW_TEXT),
    list: Some(Ty::List(&Ty::Decl(&ELEMENT))),
    map: Some(Ty::Decl(&VIEW_MAP)),
};

/// A view's element: one kind, and a guard.
pub static ELEMENT: Decl = Decl {
    kind: "a view element",
    keys: &[
        ("prose", VIEW_TEXT),
        ("heading", VIEW_TEXT),
        ("code", VIEW_TEXT),
        ("template", VIEW_TEXT),
        ("list", Ty::Decl(&LIST)),
        ("kv", Ty::Decl(&KV)),
        ("banner", Ty::Decl(&BANNER)),
        ("choice", Ty::Decl(&CHOICE)),
        ("media", Ty::Decl(&MEDIA)),
        ("when", EXPR),
    ],
    docs: &[
        "Paragraphs, wrapped.",
        "A heading.",
        "Text whose layout is kept.",
        "A template as it is.",
        "A list of items.",
        "Pairs of label and value.",
        "A banner.",
        "A menu or form.",
        "A picture, a video, a page.",
        "Shown only when this holds.",
    ],
};

/// A list's item in its mapping form.
pub static LIST_ITEM: Decl = Decl {
    kind: "a list item",
    keys: &[("label", VIEW_TEXT), ("hint", VIEW_TEXT), ("when", EXPR)],
    docs: &["The text.", "A second, fainter text.", "Shown only when this holds."],
};

static LIST_ITEM_FORM: Form = Form {
    scalar: Some(VIEW_TEXT),
    list: None,
    map: Some(Ty::Decl(&LIST_ITEM)),
};

/// A Bash profile in its mapping form.
pub static BASH: Decl = Decl {
    kind: "a Bash profile",
    keys: &[("commands", TEXTS), ("sandboxed_write", TEXT)],
    docs: &["Commands that may be run.", "The folder that may be written."],
};

static BASH_FORM: Form = Form {
    scalar: Some(words(&["read-only"])),
    list: None,
    map: Some(Ty::Decl(&BASH)),
};

/// A binding in its mapping form.
pub static BINDING: Decl = Decl {
    kind: "a host binding",
    keys: &[("script", path(Files::Script))],
    docs: &["A script of the importer that answers."],
};

static BINDING_FORM: Form = Form {
    scalar: Some(name(Kind::Host)),
    list: None,
    map: Some(Ty::Decl(&BINDING)),
};

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_the_keys_of_the_compiler() {
        for (decl, keys) in tables() {
            let own: Vec<&str> = decl.keys.iter().map(|(k, _)| *k).collect();
            assert_eq!(own, keys, "{}", decl.kind);
            assert_eq!(decl.docs.len(), keys.len(), "{}", decl.kind);
        }
        let keys = |d: &Decl| d.keys.iter().map(|(k, _)| *k).collect::<Vec<_>>();
        assert_eq!(keys(&WORLD_VAR), s::WorldVar::KEYS);
        assert_eq!(keys(&OFF_RAMP), s::OffRamp::KEYS);
        let elements = keys(&ELEMENT);
        assert_eq!(elements.split_last().unwrap().1, s::ElementKind::WORDS);
    }

    #[test]
    fn every_key_says_what_it_is_for() {
        for (decl, keys) in tables() {
            for key in keys {
                assert!(decl.doc(key).is_some(), "{} of {}", key, decl.kind);
            }
        }
    }
}
