//! What a tool can do to the world: the four classes and the class of every tool name (`language` 5.3).

use std::fmt;

/// The ladder of effects, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum EffectClass {
    /// Touches nothing.
    #[default]
    Pure,
    /// Looks.
    Read,
    /// Changes what is local.
    Write,
    /// Reaches what others see.
    External,
}

impl EffectClass {
    /// The words of the four classes.
    pub const WORDS: [&'static str; 4] = ["pure", "read", "write", "external"];

    /// The class that a word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "pure" => Self::Pure,
            "read" => Self::Read,
            "write" => Self::Write,
            "external" => Self::External,
            _ => return None,
        })
    }

    /// Its word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Read => "read",
            Self::Write => "write",
            Self::External => "external",
        }
    }

    /// The class of one tool, `host.` in front or not; an unknown tool is external.
    #[must_use]
    pub fn of_tool(name: &str) -> Self {
        if name.starts_with("mcp__") {
            return of_mcp_tool(name);
        }
        let bare = name.strip_prefix("host.").unwrap_or(name);
        match bare.to_ascii_lowercase().as_str() {
            "read" | "grep" | "glob" | "notebookread" | "todoread" | "todowrite" => Self::Read,
            "write" | "edit" | "multiedit" | "notebookedit" | "bash" => Self::Write,
            _ => Self::External,
        }
    }
}

fn of_mcp_tool(name: &str) -> EffectClass {
    if let Some(tool) = name.strip_prefix("mcp__slidey__") {
        return match tool {
            "workspace_tree" | "read_spec" | "layout_gallery" | "schema" | "validate" | "docs" => EffectClass::Read,
            "write_spec" | "patch_spec" | "remove_slide" => EffectClass::Write,
            _ => EffectClass::External,
        };
    }
    match name {
        "mcp__validator__submit" | "mcp__operator__ask" => EffectClass::Pure,
        "mcp__kitsoki-bash__Bash" => EffectClass::Write,
        _ => EffectClass::External,
    }
}

impl fmt::Display for EffectClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_have_classes() {
        for (tool, class) in [
            ("host.Read", "read"),
            ("BASH", "write"),
            ("host.WebFetch", "external"),
            ("weather.forecast", "external"),
            ("mcp__validator__submit", "pure"),
            ("mcp__slidey__patch_spec", "write"),
            ("mcp__slidey__add_meme", "external"),
            ("", "external"),
        ] {
            assert_eq!(EffectClass::of_tool(tool).as_str(), class, "{tool}");
        }
        assert!(EffectClass::Read < EffectClass::Write);
    }
}
