//! Agents, toolboxes, plugins and providers as written (`language` 3.11-3.14).

use serde_json::Value as Json;
use smol_str::SmolStr;

use kitsoki_syntax::{NodeId, NodeKind, Span};

use super::decl::{Surface, head_or_first};
use super::decode::Decoder;
use super::schema::{self, Schema};
use super::text::{Flag, Int, List, Map, Text};
use super::value::Any;
use crate::rules::decoding;

decl! {
    /// `agents.<name>`.
    pub struct Agent("an agent") {
        /// The persona, inline; after resolution always filled.
        "system_prompt" => system_prompt: Text,
        /// The persona's file, relative to the declaring file.
        "system_prompt_path" => system_prompt_path: Text,
        /// Model name for the back end.
        "model" => model: Text,
        /// Tool surface.
        "tools" => tools: List<Text>,
        /// A toolbox of the same file.
        "toolbox" => toolbox: Text,
        /// Tools beside the toolbox.
        "tools_add" => tools_add: List<Text>,
        /// Tools left out of the toolbox.
        "tools_remove" => tools_remove: List<Text>,
        /// Extra servers and their tools.
        "mcp" => mcp: Mcp,
        /// Permission mode of the back end.
        "permissions" => permissions: Permissions,
        /// `pure`, `read`, `write` or `external`.
        "effect" => effect: Text,
        /// Deprecated form of `effect`.
        "external_side_effect" => external_side_effect: Flag,
        /// What Bash may do.
        "bash_profile" => bash_profile: BashProfile,
        /// Working directory, variables expanded.
        "cwd" => cwd: Text,
        /// Effort word of the back end.
        "effort" => effort: Text,
        /// A provider of this story.
        "provider" => provider: Text,
        /// Profile name, unchecked.
        "harness" => harness: Text,
        /// Opt out of the layered system prompt.
        "inherit_claude_default" => inherit_claude_default: Flag,
        /// Token limits.
        "token_budget" => token_budget: TokenBudget,
        /// Reserved.
        "deterministic" => deterministic: Flag,
    }
    made {
        /// The file that the persona was read from, absolute.
        prompt_file: Option<SmolStr>,
    }
}

decl! {
    /// `agents.<name>.mcp`.
    pub struct Mcp("an agent's `mcp`") {
        /// Servers by name, free form.
        "servers" => servers: Map<Any>,
        /// Allowed tools.
        "tools" => tools: List<Text>,
    }
}

decl! {
    /// `agents.<name>.permissions`.
    pub struct Permissions("an agent's `permissions`") {
        /// Permission mode.
        "mode" => mode: Text,
        /// Tools that are refused.
        "disallowed_tools" => disallowed_tools: List<Text>,
    }
}

decl! {
    /// `agents.<name>.token_budget`.
    pub struct TokenBudget("a token budget") {
        /// Warn from here.
        "warn_tokens" => warn_tokens: Int,
        /// Refuse from here.
        "refuse_tokens" => refuse_tokens: Int,
    }
}

decl! {
    /// `toolboxes.<name>`.
    pub struct Toolbox("a toolbox") {
        /// The tools.
        "tools" => tools: List<Text>,
        /// Must equal the joined class of the tools.
        "effect" => effect: Text,
    }
}

decl! {
    /// `agent_plugins.<alias>`.
    pub struct Plugin("an agent plugin") {
        /// Which kind of transport.
        "plugin" => plugin: Text,
        /// Program of a `subprocess`.
        "command" => command: Text,
        /// Its arguments.
        "args" => args: List<Text>,
        /// Address of `mcp_http` or a local model.
        "endpoint" => endpoint: Text,
        /// Local model.
        "model" => model: Text,
        /// MCP tool.
        "tool" => tool: Text,
        /// Environment, `${VAR}` expanded at run time.
        "env" => env: Map<Text>,
        /// HTTP headers, `${VAR}` expanded at run time.
        "headers" => headers: Map<Text>,
        /// Grammar-constrained answers.
        "grammar" => grammar: Flag,
        /// Port of a local server.
        "port" => port: Int,
        /// Program of a local server.
        "server_bin" => server_bin: Text,
        /// Name of the variable with the key.
        "api_key_env" => api_key_env: Text,
        /// JSON-schema answers.
        "json_schema" => json_schema: Flag,
    }
}

decl! {
    /// `providers.<name>`.
    pub struct Provider("a provider") {
        /// Back end.
        "backend" => backend: Text,
        /// Model.
        "model" => model: Text,
        /// Effort.
        "effort" => effort: Text,
        /// Environment, `${VAR}` expanded at run time.
        "env" => env: Map<Text>,
    }
}

/// What Bash may do (`language` 2.7). Prints as written.
#[derive(Clone, PartialEq, Debug)]
pub enum BashProfile {
    /// `read-only`.
    ReadOnly(Text),
    /// Only these commands.
    Commands {
        /// The texts of the list.
        commands: Vec<Text>,
        /// The mapping.
        span: Span,
    },
    /// Writes inside of one folder.
    SandboxedWrite {
        /// The folder.
        dir: Text,
        /// The mapping.
        span: Span,
    },
}

impl Surface for BashProfile {
    fn decode(cx: &mut Decoder<'_>, node: NodeId, head: Span) -> Option<Self> {
        let span = cx.span(node);
        match &cx.tree().node(node).kind {
            NodeKind::Scalar(_) => {
                let text = cx.text(node)?;
                if text.as_str() == "read-only" {
                    return Some(BashProfile::ReadOnly(text));
                }
            }
            NodeKind::Mapping(_) => {
                let entries = cx.fixed_mapping(node, "a Bash profile")?;
                let _ = head_or_first(cx, head, &entries);
                for entry in &entries {
                    if !["commands", "sandboxed_write"].contains(&entry.key.as_str()) {
                        cx.findings.push(decoding::ignored_key(
                            entry.key_span,
                            &entry.key,
                            "a Bash profile",
                            &["commands", "sandboxed_write"],
                        ));
                    }
                }
                if let Some(entry) = entries.iter().find(|e| e.key == "commands") {
                    let mut commands = Vec::new();
                    if let NodeKind::Sequence(items) = &cx.tree().node(entry.value).kind {
                        for item in items {
                            let item = cx.tree().resolve_alias(*item);
                            if matches!(cx.tree().value(item), kitsoki_syntax::Resolved::Str(_)) {
                                commands.extend(cx.text(item));
                            } else {
                                cx.findings.push(decoding::bash_profile_dropped(cx.span(item)));
                            }
                        }
                    } else if !cx.is_broken(entry.value) {
                        let at = if cx.is_null(entry.value) {
                            entry.key_span
                        } else {
                            cx.span(entry.value)
                        };
                        cx.findings.push(decoding::bash_profile_empty(at));
                    }
                    return Some(BashProfile::Commands { commands, span });
                }
                if let Some(entry) = entries.iter().find(|e| e.key == "sandboxed_write") {
                    let dir = match cx.tree().value(entry.value) {
                        kitsoki_syntax::Resolved::Str(text) => Text::new(text, cx.span(entry.value)),
                        _ => Text::new("", cx.span(entry.value)),
                    };
                    return Some(BashProfile::SandboxedWrite { dir, span });
                }
            }
            _ => {}
        }
        cx.findings.push(decoding::bash_profile_form(span));
        None
    }

    fn empty(span: Span, _head: Span) -> Self {
        BashProfile::Commands {
            commands: Vec::new(),
            span,
        }
    }

    fn emit(&self) -> Json {
        match self {
            BashProfile::ReadOnly(text) => Json::String(text.text.to_string()),
            BashProfile::Commands { commands, .. } => serde_json::json!({
                "commands": commands.iter().map(|c| c.text.to_string()).collect::<Vec<_>>()
            }),
            BashProfile::SandboxedWrite { dir, .. } => serde_json::json!({ "sandboxed_write": dir.text.to_string() }),
        }
    }

    fn schema(schema: &mut Schema) -> Json {
        schema.definition("BashProfile", |schema| {
            let commands = List::<Text>::schema(schema);
            schema::one_of(vec![
                serde_json::json!({ "enum": ["read-only"] }),
                schema.mapping(
                    "a Bash profile",
                    vec![
                        ("commands", "Only these commands.", commands),
                        ("sandboxed_write", "Writes inside of this folder only.", schema::text()),
                    ],
                ),
            ])
        })
    }
}
