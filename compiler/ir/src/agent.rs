//! Agents, their effect classes and their back ends (`language` 3.11-3.14, 5).
//!
//! Values of environment variables are never here: `cwd`, `env` and `headers` keep the author's `${NAME}`, and whoever
//! runs the story expands them.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::arena::{AgentId, OriginId};
use crate::is_default;
use crate::value::Value;

/// How far an agent or a verb reaches, from harmless to outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// Computes.
    #[default]
    Pure,
    /// Looks at files.
    Read,
    /// Changes files.
    Write,
    /// Changes something outside. Also what nobody knows.
    External,
}

impl EffectClass {
    /// The word of the language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            EffectClass::Pure => "pure",
            EffectClass::Read => "read",
            EffectClass::Write => "write",
            EffectClass::External => "external",
        }
    }

    /// The class that a word names.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "pure" => EffectClass::Pure,
            "read" => EffectClass::Read,
            "write" => EffectClass::Write,
            "external" => EffectClass::External,
            _ => return None,
        })
    }
}

/// A name that stands for a declared agent, or for one of those that every engine brings.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentRef {
    /// The final name.
    pub name: SmolStr,
    /// The declaration; `None` for a built-in agent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub agent: Option<AgentId>,
}

/// A declared agent after the resolution of its toolbox.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// Where it came from.
    pub at: OriginId,
    /// Its final name.
    pub name: SmolStr,
    /// The persona: a template of the view language.
    #[serde(default, skip_serializing_if = "is_default")]
    pub system_prompt: SmolStr,
    /// The file that the persona was read from, absolute; empty for an inline one. Where `system_prompt` is empty and this
    /// is not, the file is to be read: it lies outside of what could be printed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prompt_file: SmolStr,
    /// Resolved class: of the declaration, or of the tools.
    pub effect: EffectClass,
    /// Tools with their final names.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tools: Vec<SmolStr>,
    /// The toolbox that the tools come from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub toolbox: SmolStr,
    /// Further servers by name, free form.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mcp_servers: Vec<(SmolStr, Value)>,
    /// Tools of those servers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mcp_tools: Vec<SmolStr>,
    /// Permission mode of the back end.
    #[serde(default, skip_serializing_if = "is_default")]
    pub permission_mode: SmolStr,
    /// Tools that are refused.
    #[serde(default, skip_serializing_if = "is_default")]
    pub disallowed_tools: Vec<SmolStr>,
    /// What Bash may do.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bash_profile: Option<BashProfile>,
    /// Model name for the back end.
    #[serde(default, skip_serializing_if = "is_default")]
    pub model: SmolStr,
    /// Effort word of the back end.
    #[serde(default, skip_serializing_if = "is_default")]
    pub effort: SmolStr,
    /// A provider of this story, or a template.
    #[serde(default, skip_serializing_if = "is_default")]
    pub provider: SmolStr,
    /// Profile name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub harness: SmolStr,
    /// Working directory with `$NAME` and `${NAME}` in place.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cwd: SmolStr,
    /// Opt out of the layered system prompt.
    #[serde(default, skip_serializing_if = "is_default")]
    pub inherit_claude_default: bool,
    /// Warn from here, in tokens.
    #[serde(default, skip_serializing_if = "is_default")]
    pub warn_tokens: Option<i64>,
    /// Refuse from here, in tokens.
    #[serde(default, skip_serializing_if = "is_default")]
    pub refuse_tokens: Option<i64>,
}

/// What Bash may do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BashProfile {
    /// Commands that only read.
    ReadOnly,
    /// Only these commands.
    Commands(Vec<SmolStr>),
    /// Writes inside of one folder.
    SandboxedWrite(SmolStr),
}

/// An agent transport.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plugin {
    /// Where it came from.
    pub at: OriginId,
    /// `agent.<name>`.
    pub alias: SmolStr,
    /// Which kind of transport.
    pub plugin: SmolStr,
    /// Program of a `subprocess`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub command: SmolStr,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "is_default")]
    pub args: Vec<SmolStr>,
    /// Address.
    #[serde(default, skip_serializing_if = "is_default")]
    pub endpoint: SmolStr,
    /// Local model.
    #[serde(default, skip_serializing_if = "is_default")]
    pub model: SmolStr,
    /// MCP tool; empty: `ask`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tool: SmolStr,
    /// Environment, `${NAME}` in place.
    #[serde(default, skip_serializing_if = "is_default")]
    pub env: Vec<(SmolStr, SmolStr)>,
    /// HTTP headers, `${NAME}` in place.
    #[serde(default, skip_serializing_if = "is_default")]
    pub headers: Vec<(SmolStr, SmolStr)>,
    /// Grammar-constrained answers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub grammar: bool,
    /// JSON-schema answers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub json_schema: bool,
    /// Port of a local server.
    #[serde(default, skip_serializing_if = "is_default")]
    pub port: i64,
    /// Program of a local server.
    #[serde(default, skip_serializing_if = "is_default")]
    pub server_bin: SmolStr,
    /// Name of the variable with the key.
    #[serde(default, skip_serializing_if = "is_default")]
    pub api_key_env: SmolStr,
}

/// A back-end profile.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Where it came from.
    pub at: OriginId,
    /// Name.
    pub name: SmolStr,
    /// Back end.
    #[serde(default, skip_serializing_if = "is_default")]
    pub backend: SmolStr,
    /// Model.
    #[serde(default, skip_serializing_if = "is_default")]
    pub model: SmolStr,
    /// Effort.
    #[serde(default, skip_serializing_if = "is_default")]
    pub effort: SmolStr,
    /// Environment, `${NAME}` in place.
    #[serde(default, skip_serializing_if = "is_default")]
    pub env: Vec<(SmolStr, SmolStr)>,
}
