//! Where an arm leads: rendering, relative paths, initial children, what is left and what is entered (`machine` 8, 10).

use kitsoki_expr::Env;
use kitsoki_ir::{Arc as Arm, StateKind, Target};
use smol_str::SmolStr;

use super::{Machine, Winner};
use crate::fault::TurnError;
use crate::path;

/// Which language a templated target is rendered in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hop {
    /// A turn of a user: the view language.
    User,
    /// An emitted intent: the effect language.
    Synthetic,
}

/// A resolved target before its initial children.
pub(crate) struct Resolved {
    /// The path.
    pub path: SmolStr,
    /// Whether the author named it: naming the present state enters it again.
    pub explicit: bool,
}

impl<'p> Machine<'p> {
    /// The target of an arm as a path.
    pub(crate) fn target(self, winner: Winner<'p>, env: &Env, hop: Hop) -> Result<Resolved, TurnError> {
        Ok(match &winner.arm.target {
            Target::Stay => Resolved {
                path: winner.owner.into(),
                explicit: false,
            },
            Target::State(id) => Resolved {
                path: self.program.story.path(*id).into(),
                explicit: true,
            },
            Target::Unknown(name) => rendered(winner.owner, name),
            Target::Template(id) => {
                let text = match hop {
                    Hop::User => self.program.template_as_plain_text(*id, env),
                    Hop::Synthetic => self.program.template_as_effect_text(*id, env),
                };
                rendered(winner.owner, text?.trim())
            }
        })
    }

    /// The target as written, for menus: templates stay.
    pub(crate) fn written_target(self, arm: &Arm, owner: &str) -> SmolStr {
        match &arm.target {
            Target::Stay => owner.into(),
            Target::State(id) => self.program.story.path(*id).into(),
            Target::Unknown(name) => rendered(owner, name).path,
            Target::Template(id) => rendered(owner, self.program.source(*id)).path,
        }
    }

    /// Goes down to the leaf: initial children of compound states, all regions of a parallel one.
    ///
    /// # Errors
    /// When an `initial` cannot be rendered.
    pub fn descend(self, at: &str, env: &Env) -> Result<SmolStr, TurnError> {
        let mut at = SmolStr::from(at);
        // A child is one segment longer than its parent, and declared paths have an end.
        while let Some((id, state)) = self.program.state(&at) {
            match state.kind {
                StateKind::Compound if !state.initial.is_empty() => {
                    let child = self
                        .program
                        .plain_text(&state.initial, env)
                        .map_err(|e| e.at(format_args!("initial of state \"{at}\"")))?;
                    let child = child.trim();
                    if child.is_empty() {
                        return Ok(at);
                    }
                    at = SmolStr::from(format!("{at}.{child}"));
                }
                StateKind::Parallel => {
                    let mut leaves = Vec::new();
                    for region in self.program.story.regions(id) {
                        leaves.push(self.descend(self.program.story.path(region), env)?.to_string());
                    }
                    return Ok(path::encode(&at, leaves));
                }
                _ => return Ok(at),
            }
        }
        Ok(at)
    }

    /// Whether the session is over in this state.
    #[must_use]
    pub fn is_terminal(self, at: &str) -> bool {
        self.program.resting(at).is_some_and(|s| s.terminal)
    }
}

fn rendered(owner: &str, text: &str) -> Resolved {
    let path = match text {
        "" | "." => SmolStr::from(owner),
        relative if relative.starts_with("..") => SmolStr::from(path::relative(owner, relative)),
        absolute => SmolStr::from(absolute.replace('/', ".")),
    };
    Resolved {
        path,
        explicit: !matches!(text, "" | "."),
    }
}

/// How many segments two paths share from the outside.
fn shared(a: &str, b: &str) -> usize {
    a.split('.').zip(b.split('.')).take_while(|(x, y)| x == y).count()
}

/// The states that are left, innermost first.
#[must_use]
pub(crate) fn exited(from: &str, to: &str) -> Vec<SmolStr> {
    let from = path::structural(from);
    let keep = shared(from, path::structural(to));
    let outwards = path::outwards(from);
    outwards
        .filter(|p| p.split('.').count() > keep)
        .map(SmolStr::from)
        .collect()
}

/// The states that are entered, outermost first; the regions of a parallel state one after the other.
#[must_use]
pub(crate) fn entered(from: &str, to: &str) -> Vec<SmolStr> {
    let root = path::structural(to);
    let keep = shared(path::structural(from), root);
    let mut all: Vec<SmolStr> = path::prefixes(root)
        .into_iter()
        .filter(|p| p.split('.').count() > keep)
        .map(SmolStr::from)
        .collect();
    if path::is_parallel(to) {
        let depth = root.split('.').count();
        for leaf in path::leaves(to) {
            let below = path::prefixes(leaf)
                .into_iter()
                .filter(|p| p.split('.').count() > depth);
            all.extend(below.map(SmolStr::from));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_goes_outwards_and_entering_inwards() {
        assert_eq!(exited("a.b.c", "a.d"), ["a.b.c", "a.b"]);
        assert_eq!(entered("a.b.c", "a.d.e"), ["a.d", "a.d.e"]);
        assert_eq!(
            entered("hall", "lab#lab.air.calm|lab.bench.tidy"),
            ["lab", "lab.air", "lab.air.calm", "lab.bench", "lab.bench.tidy"]
        );
        assert!(entered("a", "a").is_empty());
    }
}
