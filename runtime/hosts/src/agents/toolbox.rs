//! Which tools a run has: the agent's list, the verb's ceiling and the room's posture joined (dispatch 10).

use super::backend::{Posture, Verb};
use crate::effects::Effect;

/// Tools of back ends that no run ever has: they would ask, start agents or plan behind the story's back.
const NEVER: [&str; 3] = ["AskUserQuestion", "Agent", "Task"];

/// Tools that change files.
const CHANGING: [&str; 4] = ["Write", "Edit", "MultiEdit", "NotebookEdit"];

/// The tool that runs commands.
const SHELL: &str = "Bash";

/// The tools of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolbox {
    /// What the back end may use.
    pub allowed: Vec<String>,
    /// What it must not use.
    pub denied: Vec<String>,
    /// Whether a guarded shell takes the place of its own.
    pub guarded_shell: bool,
    /// What the run may change.
    pub effect: Effect,
    /// How tools are decided about.
    pub posture: Posture,
}

/// What the join looks at.
#[derive(Debug, Clone)]
pub struct Given<'a> {
    /// The verb.
    pub verb: Verb,
    /// The tools: of the call when it names some, else of the agent.
    pub tools: &'a [String],
    /// Tools that the agent refuses.
    pub refused: &'a [String],
    /// The agent's declared class.
    pub declared: Option<Effect>,
    /// Whether the room allows changes only after a question.
    pub read_only: bool,
    /// Whether the verb's permission word asks for the enforced posture.
    pub cautious: bool,
    /// Whether the verb's permission word denies every change.
    pub walled: bool,
}

/// The class of a tool: what no list knows may do anything.
pub fn class(tool: &str) -> Effect {
    match tool.to_lowercase().as_str() {
        "mcp__validator__submit" | "submit" | "mcp__operator__ask" => Effect::Pure,
        "read" | "grep" | "glob" | "notebookread" | "todoread" | "todowrite" => Effect::Read,
        "write" | "edit" | "multiedit" | "notebookedit" | "bash" | "mcp__kitsoki-bash__bash" => Effect::Write,
        _ => Effect::External,
    }
}

/// Joins.
pub fn join(given: &Given<'_>) -> Toolbox {
    // Declared tools carry the prefix of the story's language; programs know the bare names.
    let bare = |tool: &String| tool.strip_prefix("host.").unwrap_or(tool).to_owned();
    let tools: Vec<String> = given.tools.iter().map(bare).collect();
    let used = tools.iter().map(|t| class(t)).max().unwrap_or(Effect::Pure);
    let declared = given.declared.unwrap_or(Effect::Write);
    let effect = declared.max(used).min(given.verb.ceiling());
    let reading = effect <= Effect::Read || given.read_only || given.walled;
    let mut denied: Vec<String> = NEVER.iter().map(|t| (*t).to_owned()).collect();
    denied.extend(given.refused.iter().map(bare));
    let wants_shell = tools.iter().any(|t| t == SHELL);
    if reading {
        denied.extend(CHANGING.iter().map(|t| (*t).to_owned()));
        // Questions and verdicts run with nothing but what is allowed: nobody has to deny them a shell.
        if !matches!(given.verb, Verb::Ask | Verb::Decide) {
            denied.push(SHELL.to_owned());
        }
    }
    let mut seen = Vec::new();
    denied.retain(|t| {
        !seen.contains(t) && {
            seen.push(t.clone());
            true
        }
    });
    // A shell that is guarded only by a prompt is no wall, so kitsoki performs the commands itself.
    let shut = |t: &String| denied.contains(t) || (reading && t == SHELL);
    let allowed = tools.into_iter().filter(|t| !shut(t)).collect();
    let posture = if reading || given.cautious {
        Posture::Enforced
    } else {
        Posture::Open
    };
    Toolbox {
        allowed,
        denied,
        guarded_shell: reading && wants_shell,
        effect,
        posture,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given<'a>(verb: Verb, tools: &'a [String]) -> Given<'a> {
        Given {
            verb,
            tools,
            refused: &[],
            declared: Some(Effect::Write),
            read_only: false,
            cautious: false,
            walled: false,
        }
    }

    #[test]
    fn a_reading_verb_never_writes() {
        let tools = ["host.Read", "Edit", "Bash"].map(str::to_owned);
        let toolbox = join(&given(Verb::Decide, &tools));
        assert_eq!(toolbox.effect, Effect::Read);
        assert_eq!(toolbox.allowed, ["Read"]);
        assert!(toolbox.guarded_shell && toolbox.posture == Posture::Enforced);
    }

    #[test]
    fn a_read_only_room_walls_a_writing_agent_in() {
        let tools = ["Read", "Edit", "WebFetch"].map(str::to_owned);
        let open = join(&given(Verb::Task, &tools));
        assert_eq!((open.effect, open.posture), (Effect::External, Posture::Open));
        assert_eq!(open.denied, NEVER);
        let walled = join(&Given {
            read_only: true,
            ..given(Verb::Task, &tools)
        });
        assert_eq!(walled.posture, Posture::Enforced);
        assert_eq!(walled.allowed, ["Read", "WebFetch"]);
        assert!(walled.denied.iter().any(|t| t == "Edit"));
    }

    #[test]
    fn an_unknown_tool_may_do_anything() {
        assert_eq!(class("mcp__x__y"), Effect::External);
        assert!(class("Grep") < class("Bash"));
    }
}
