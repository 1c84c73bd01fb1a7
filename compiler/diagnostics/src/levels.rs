//! Levels by configuration: a rule may be made an error, a warning, a hint, or be left out.
//!
//! An error of the language stays an error: a story that cannot be loaded is not made loadable by a wish.

use std::collections::BTreeMap;

use crate::model::{Diagnostic, code};
use crate::rule::{Level, Registry};

/// What a configuration says about rules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels {
    wanted: BTreeMap<&'static str, Level>,
}

/// Why a configured rule or level cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LevelError {
    /// No rule of that name; the one that was probably meant.
    UnknownRule(String, Option<&'static str>),
    /// No level of that name.
    UnknownLevel(String),
    /// An error of the language cannot be turned down.
    IsError(&'static str),
}

impl std::fmt::Display for LevelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LevelError::UnknownRule(name, Some(near)) => {
                write!(
                    f,
                    "no rule is called {}; a rule with a similar name is {}",
                    code(name),
                    code(near)
                )
            }
            LevelError::UnknownRule(name, None) => {
                write!(f, "no rule is called {}; `kitsoki explain` lists them", code(name))
            }
            LevelError::UnknownLevel(word) => {
                write!(
                    f,
                    "{} is no level; the levels are `error`, `warning`, `hint` and `off`",
                    code(word)
                )
            }
            LevelError::IsError(id) => {
                write!(
                    f,
                    "{} is an error of the language and cannot be turned down: the story would not load",
                    code(id)
                )
            }
        }
    }
}

impl std::error::Error for LevelError {}

impl Levels {
    /// Sets the level of a rule. A later call wins.
    ///
    /// # Errors
    /// When there is no such rule, or it is an error that cannot be turned down.
    pub fn set(&mut self, registry: &Registry, rule: &str, level: Level) -> Result<(), LevelError> {
        let Some(known) = registry.get(rule.trim()) else {
            return Err(LevelError::UnknownRule(
                rule.to_owned(),
                registry.nearest(rule).map(|r| r.id),
            ));
        };
        if known.level == Level::Error && level != Level::Error {
            return Err(LevelError::IsError(known.id));
        }
        self.wanted.insert(known.id, level);
        Ok(())
    }

    /// Sets the level of a rule by words, as a configuration file has them.
    ///
    /// # Errors
    /// As [`Self::set`], and when the level is no word.
    pub fn set_words(&mut self, registry: &Registry, rule: &str, level: &str) -> Result<(), LevelError> {
        let level = Level::parse(level).ok_or_else(|| LevelError::UnknownLevel(level.to_owned()))?;
        self.set(registry, rule, level)
    }

    /// The findings with their configured levels, without those that are off.
    #[must_use]
    pub fn apply(&self, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        findings
            .into_iter()
            .filter_map(|mut f| {
                // A finding that is an error for this story stays one, whatever its rule's usual level.
                if let Some(level) = self.wanted.get(f.rule)
                    && f.severity != Level::Error
                {
                    f.severity = *level;
                }
                (f.severity != Level::Off).then_some(f)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fixable, Rule};

    const ERROR: Rule = Rule {
        id: "unknown-key",
        level: Level::Error,
        summary: "",
        fixable: Fixable::Never,
    };
    const WARNING: Rule = Rule {
        id: "dead-end",
        level: Level::Warning,
        summary: "",
        fixable: Fixable::Never,
    };

    #[test]
    fn a_warning_can_be_turned_up_or_off_and_an_error_cannot_be_turned_down() {
        let registry = Registry::new(vec![&ERROR, &WARNING]);
        let mut levels = Levels::default();
        assert_eq!(
            levels.set_words(&registry, "unknown-key", "off"),
            Err(LevelError::IsError("unknown-key"))
        );
        assert_eq!(
            levels.set_words(&registry, "dead-ends", "off"),
            Err(LevelError::UnknownRule("dead-ends".into(), Some("dead-end")))
        );
        assert_eq!(
            levels.set_words(&registry, "dead-end", "loud"),
            Err(LevelError::UnknownLevel("loud".into()))
        );
        levels.set_words(&registry, "dead-end", "error").unwrap();
        assert_eq!(levels.apply(vec![WARNING.nowhere()])[0].severity, Level::Error);
        levels.set_words(&registry, "dead-end", "off").unwrap();
        assert!(levels.apply(vec![WARNING.nowhere()]).is_empty());
    }
}
